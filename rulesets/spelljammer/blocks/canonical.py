"""Stat blocks, switches and set-up of the percentile game, in one canonical form.

`shorthand` turns what a GM types into this form: a plain `def` is all `other`, `hp_max` fills `hp`, a weapon's class
fills its grievous chance.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct, field

from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Lighting: TypeAlias = Literal["lit", "starry_night", "cloudy_night", "unlit", "pitch_black"]


class Defence(Struct, frozen=True):
    """The parts of DEF."""

    dex: int = 0
    skill: int = 0
    shield: int = 0
    magic: int = 0
    other: int = 0


class Weapon(Struct, frozen=True, kw_only=True):
    """A weapon, or one attack of a monster's routine."""

    name: str
    sc: int
    dmg: Dice
    rank: AtLeastNone = 0
    kind: Literal["melee", "ranged"] = "melee"
    wound_class: Literal["A", "B", "C"] | None = field(default=None, name="class")
    grievous_chance: Percent | None = None
    type: Literal["hand_crossbow", "crossbow", "bow"] | None = None
    missile: Literal["arrow", "quarrel", "javelin", "spear"] | None = None
    spec: Literal["none", "specialist", "double"] = "none"
    offhand: bool = False


class Spell(Struct, frozen=True, kw_only=True):
    """A spell with its casting time.

    None stands for the table of mages (T-4), `round` for a whole round.
    """

    name: str
    type: Literal["gk", "sk", "cleric"] = "sk"
    rank: AtLeastNone = 1
    casting_time: AtLeastNone | Literal["round"] | None = None
    cast_chance: int | None = None


class Creature(Struct, Data, frozen=True, kw_only=True, tag="sj_creature"):
    """A character or a monster (section 3)."""

    name: str
    id: str = ""
    hp: int
    hp_max: AtLeastOne
    con: AtLeastOne
    dex: AtLeastOne = 10
    per: AtLeastOne = 10
    im: int = 0
    tmr: Annotated[float, Meta(ge=0)] = 30
    defence: Defence = field(default=Defence(), name="def")
    prot: AtLeastNone = 0
    prot_natural: AtLeastNone = 0
    size: Literal["tiny", "small", "medium", "large", "giant"] = "medium"
    attacks: AtLeastOne = 1
    weapons: tuple[Weapon, ...]
    ambidextrous: bool = False
    encumbered: Literal["none", "normal", "double"] = "none"
    range_of_field: AtLeastNone = 0
    master_bowman: AtLeastNone = 0
    attacker_count: AtLeastOne = 1
    spells: tuple[Spell, ...] = ()
    shield_ready: bool = True
    darkvision: bool = False
    targeting_sense: bool = False
    agile_flyer: bool = False
    notes: str = ""


class HouseRules(Struct, Data, frozen=True, tag="sj_house_rules"):
    """The switches of section 10."""

    simultaneous_ties: bool = False
    crit_table: Literal["document", "formula"] = "document"
    negative_def: bool = True
    stun_stops_movement: bool = False
    delay_attack_until_arrival: bool = True
    spell_interrupt: Literal["ask", "always", "damage", "never"] = "ask"
    death_at: int | Literal["none"] = "none"
    wound_start: Literal["max", "fight"] = "max"
    bleed_first_round: bool = True
    wound_mod_on_dex_rolls: bool = True
    careful_aim_single_shot: bool = False
    careful_aim_carries_over: bool = False
    ambush_is_surprise: bool = False
    lighting_and_unseen_stack: bool = True
    half_round_segment: Annotated[int, Meta(ge=1, le=10)] = 5
    grievous_wounds: bool = True


class Setup(Struct, Data, frozen=True, tag="sj_setup"):
    """Lighting, who is ambushed (names, ids or a side), and who is in melee already."""

    lighting: Lighting = "lit"
    ambush: tuple[str, ...] = ()
    engaged: tuple[tuple[str, str], ...] = ()
