"""Stat blocks, switches and encounter keys of Sword World 2.0, in one canonical form.

`shorthand` turns everything a GM may type into this form, so that the mechanics meet no variants: `move` is filled in,
dice have sides, an
attack has either an Impact or damage dice, a spell has its bonus, resistance and duration in rounds, Drop entries have
a least and a greatest roll, `death_checks` and `earns_xp` follow from the kind of block.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

DamageType: TypeAlias = Literal["physical", "magical"]
Mode: TypeAlias = Literal["melee", "ranged", "gun"]
Area: TypeAlias = Literal["touch", "target", "shot", "radius", "line", "self"]
PoolName: TypeAlias = Literal["hp", "mp"]
Stat: TypeAlias = Literal[
    "accuracy",
    "evasion",
    "fortitude",
    "willpower",
    "spellcasting",
    "all_checks",
    "defense",
    "damage",
    "crit",
    "agility",
    "reduction",
]

STATS: tuple[Stat, ...] = (
    "evasion",
    "fortitude",
    "willpower",
    "defense",
    "agility",
    "accuracy",
    "spellcasting",
    "all_checks",
    "damage",
    "crit",
    "reduction",
)
"""The numbers that effects, feats and spells may change."""

Whole: TypeAlias = Annotated[int, Meta(ge=0)]
Metres: TypeAlias = Annotated[float, Meta(ge=0)]
ImpactRow: TypeAlias = Annotated[int, Meta(ge=0, le=100)]


class Addition(Struct, frozen=True):
    """Additional damage (SW-134), of the attack's type unless it has one."""

    amount: int
    type: DamageType | None = None
    note: str = ""


class Weakness(Struct, frozen=True):
    """Additional damage from attacks of a kind (SW-R30).

    The kind is `magic`, `physical` or the name of an energy.
    """

    when: str
    extra: int
    type: DamageType | None = None


class Reduction(Struct, frozen=True):
    """Damage reduction other than Defense (SW-R30).

    It works against `any`, `magic`, `physical` or the name of an energy.
    """

    when: str
    amount: int


class Change(Struct, frozen=True):
    """A number that an effect changes.

    The type counts for `damage` alone.
    """

    stat: Stat
    amount: int
    type: DamageType | None = None


class Feat(Struct, frozen=True):
    """A combat feat: declared ones count for one action, the others always (SW-R50)."""

    name: str
    declared: bool = False
    accuracy: int = 0
    evasion: int = 0
    damage: int = 0
    damage_type: DamageType | None = None
    crit: int = 0
    note: str = ""


class Attack(Struct, frozen=True):
    """A way to attack: `impact` with `crit`, or `damage` dice.

    Damage dice neither critical nor fail automatically (SW-R53).
    """

    name: str
    mode: Mode = "melee"
    accuracy: int = 0
    accuracy_fixed: int | None = None
    impact: ImpactRow | None = None
    crit: int = 10
    damage: Dice | None = None
    bonus: int = 0
    damage_type: DamageType = "physical"
    energy: tuple[str, ...] = ()
    range: Metres | None = None
    stow: bool = False
    additional: tuple[Addition, ...] = ()


class Spell(Struct, frozen=True):
    """A spell or ability.

    Attributes:
        bonus: the Magic Power added to its Impact.
        duration: in rounds, `combat` for the whole fight, or None.
        effect: what it changes; () changes no number, None: there is no effect.
    """

    name: str
    cost: Whole = 0
    area: Area = "target"
    max_targets: Annotated[int, Meta(ge=1)] | None = None
    range: Metres | None = None
    impact: ImpactRow | None = None
    crit: int = 10
    heal: bool = False
    bonus: int = 0
    resist: Literal["none", "half", "negate"] = "none"
    damage_type: DamageType = "magical"
    pool: PoolName = "hp"
    energy: tuple[str, ...] = ()
    free_action: bool = False
    duration: Annotated[int, Meta(ge=1)] | Literal["combat"] | None = None
    effect: tuple[Change, ...] | None = None
    note: str = ""


class Drop(Struct, frozen=True):
    """A Drop entry: from `low` to `high` on 2d, or 0 for always (SW-034, SW-R41)."""

    low: Annotated[int, Meta(ge=0, le=12)]
    high: Annotated[int, Meta(ge=0, le=12)]
    item: str
    note: str = ""


class StatBlock(Struct, Data, frozen=True, tag=True):
    """A character or a monster, as its combatant's kind says.

    Attributes:
        move: metres of normal movement.
        body: ties sections that are entered as combatants of their own (SW-R43).
        death_checks: HP below 0 call for a Death Check (SW-R34).
        earns_xp: gets the 50 xp of an automatic failure (SW-R37).
        knowledge_target, weakness_target: totals that Monster Knowledge has to reach (SW-R47).
    """

    name: str
    hp: Annotated[int, Meta(ge=1)]
    move: Whole
    id: str = ""
    level: Whole = 1
    mp: Whole = 0
    agility: Whole | None = None
    defense: Whole = 0
    armor: Literal["none", "nonmetal", "metal"] = "none"
    evasion: int = 0
    evasion_fixed: int | None = None
    fortitude: int = 0
    fortitude_fixed: int | None = None
    willpower: int = 0
    willpower_fixed: int | None = None
    initiative: int = 0
    initiative_fixed: int | None = None
    hide: int = 0
    danger_sense: int = 0
    monster_knowledge: int = 0
    spellcasting: int = 0
    magic_power: int = 0
    sections: Annotated[int, Meta(ge=1, le=20)] = 1
    body: str = ""
    fencer: bool = False
    hawkeye: bool = False
    prone: bool = False
    death_checks: bool = False
    earns_xp: bool = False
    knowledge_target: int | None = None
    weakness_target: int | None = None
    attacks: tuple[Attack, ...] = ()
    spells: tuple[Spell, ...] = ()
    feats: tuple[Feat, ...] = ()
    weaknesses: tuple[Weakness, ...] = ()
    reductions: tuple[Reduction, ...] = ()
    drops: tuple[Drop, ...] = ()
    sword_shards: Whole = 0
    notes: str = ""


class HouseRules(Struct, Data, frozen=True, tag=True):
    """The switches of the rulings."""

    initiative_tie: Literal["pcs", "monsters"] = "pcs"
    initiative_contest_tie: Literal["opponents", "pcs", "ask"] = "opponents"
    duration_anchor: Literal["affected_party", "casting_phase"] = "affected_party"
    move_after_action: bool = False
    brawl_end: Literal["side_down", "all_down"] = "side_down"
    unconscious_are_candidates: bool = False
    indoor_zone_table: Literal["corrected", "as_printed"] = "corrected"
    halving: Literal["up", "down"] = "up"
    impact_roll: Literal["per_target", "per_cast"] = "per_target"
    unconscious: Literal["at_zero", "below_zero"] = "at_zero"
    automatic_results: bool = False
    spoils_roll: Literal["per_monster", "once"] = "per_monster"


class ZoneSetup(Struct, frozen=True):
    """A brawl that is going on when the fight begins.

    Participants are ids or names, in order of joining. Without a capacity the field's counts.
    """

    participants: tuple[str, ...]
    radius: Metres | None = None
    capacity: Annotated[int, Meta(ge=1, le=20)] | None = None


class Known(Struct, frozen=True):
    """The monsters, by id or name, that a character knows already (SW-009)."""

    who: str
    monsters: tuple[str, ...]


class Setup(Struct, Data, frozen=True, tag=True):
    """The field (SW-003 to SW-007): metres, terrain, brawls, what is known, and surprise."""

    distance: Metres | None = None
    space: Literal["enclosed", "large", "crowded", "open"] | None = None
    moving: Annotated[float, Meta(ge=0, le=20)] = 0.0
    large_monster: Annotated[float, Meta(ge=0, le=10)] = 0.0
    indoor: bool = False
    field_width: Metres | None = None
    terrain: str = ""
    zones: tuple[ZoneSetup, ...] = ()
    known: tuple[Known, ...] = ()
    surprise: str = ""


class MemberKeys(Struct, Data, frozen=True, tag=True):
    """What an encounter says of one member: its place, and the weapon in hand (SW-R46)."""

    pos: float | None = None
    in_hand: str = ""
