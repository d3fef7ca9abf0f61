"""Stat blocks, switches and encounter keys of Sovereign, in one canonical form.

`shorthand` turns everything a GM may type into this form: defaults that depend on the kind of combatant are filled in
(`named`, `disciplined`, `attack_bonus`,
`physical`, `size_ft`), skills are sorted pairs without levels of -1, every attack is complete, dice of hit points stand
in `hit_dice` where `hp` is None.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from rulesets.without_number.blocks import AtLeastNone, AtLeastOne, Attribute, Level, Shock
from tracker.core.fight.memo import per_object
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data
from tracker.kit.squares.grid import Square, Terrain, read_terrain

Use: TypeAlias = Literal["melee", "ranged", "thrown", "unarmed"]
Skill: TypeAlias = Literal["stab", "brawl", "shoot", "exert"]
Kind: TypeAlias = Literal["pc", "henchman", "npc", "monster"]
Handling: TypeAlias = Literal["man_sized", "clearly_larger_humanoid", "barely_plausible"]


Modifier: TypeAlias = Annotated[int, Meta(ge=-2, le=2)]


class Arm(Struct, frozen=True):
    """A way to attack (3.2).

    Attributes:
        skill: a typed combat skill, or None for the usual one; ask `skills_for`.
        damage: the weapon's dice; complete where `to_hit` is given.
        reach: feet a melee attack extends.
        to_hit: the complete bonus, or None where it is computed.
        traits: short notes such as `LL`; they have no effect.
    """

    name: str
    damage: Dice
    use: tuple[Use, ...] = ("melee",)
    skill: Skill | None = None
    attribute: tuple[Attribute, ...] = ("str",)
    magic: int = 0
    damage_bonus: int = 0
    shock: Shock | None = None
    shock_bonus: int = 0
    reach: Annotated[int, Meta(ge=5)] = 5
    range: tuple[AtLeastNone, AtLeastNone] | None = None
    hands: Literal[1, 2] = 1
    reload: Literal["none", "bow", "crossbow"] = "none"
    natural: bool = False
    to_hit: int | None = None
    traits: str = ""

    def skills_for(self, use: Use) -> tuple[Skill, ...]:
        """Return the combat skills a use allows, the usual one first (SV-054, SV-056)."""
        if use == "thrown":
            usual = self.skill or "shoot"
            return (usual, *(skill for skill in _THROWN if skill != usual))
        if use == "unarmed":
            return (self.skill or "brawl",)
        return (self.skill or ("stab" if use == "melee" else "shoot"),)

    @property
    def close(self) -> bool:
        """Whether it can strike from where one stands."""
        return "melee" in self.use or "unarmed" in self.use


class Mods(Struct, frozen=True):
    """Attribute modifiers (SV-P01)."""

    str: Modifier = 0
    dex: Modifier = 0
    con: Modifier = 0
    int: Modifier = 0
    wis: Modifier = 0
    cha: Modifier = 0


_THROWN: tuple[Skill, ...] = ("shoot", "stab", "exert")

# SV-P12
UNARMED = Arm("Unarmed", Dice.of(1, 2), ("unarmed",), "brawl", ("str", "dex"), traits="LL")


class Features(Struct, frozen=True):
    """Feats that touch combat (SV-P15)."""

    initiative_bonus: int = 0
    cannot_be_surprised: bool = False
    shock_immune: bool = False
    disengage_free: bool = False
    screen_bonus: int = 0
    screen_extra: int = 0


class Fighter(Struct, Data, frozen=True, kw_only=True, tag="sv_fighter"):
    """A combatant of any kind (3.1)."""

    name: str
    id: str = ""
    kind: Kind = "monster"
    named: bool = False
    level: Annotated[int, Meta(ge=1, le=10)] = 1
    hd: AtLeastNone = 1
    hit_dice: Dice = Dice.of(1, 8)
    hp: AtLeastOne | None = None
    hp_now: AtLeastNone | None = None
    ac: AtLeastNone = 10
    shield: bool = False
    speed: Annotated[int, Meta(ge=0, multiple_of=5)] = 30
    attack_bonus: int = 0
    attributes: Mods = Mods()
    skills: tuple[tuple[str, Level], ...] = ()
    skill: int = 0
    physical: int = 15
    space: Annotated[int, Meta(ge=1, le=20)] = 1
    size_ft: tuple[AtLeastOne, AtLeastOne, AtLeastOne] = (5, 5, 5)
    handling: Handling = "man_sized"
    disciplined: bool = False
    morale: Literal["normal", "fearless"] = "normal"
    group: str = ""
    multiattack: AtLeastOne = 1
    healers_kit: bool = False
    veterans_luck: AtLeastNone = 0
    dual_wield: tuple[str, str] | None = None
    frail: bool = False
    features: Features = Features()
    attacks: tuple[Arm, ...] = ()
    notes: str = ""

    @property
    def trained(self) -> bool:
        """Whether attributes and skill levels count for it: PCs and henchmen (SV-118, R41)."""
        return self.kind in ("pc", "henchman")

    def level_of(self, skill: str) -> int:
        """Return a skill's level, -1 for none (R41).

        An NPC has one number for everything.
        """
        return next((level for name, level in self.skills if name == skill), -1) if self.trained else self.skill

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Everything it can attack with (3.2).

        Its attacks, and bare hands where none of them is unarmed.
        """
        return _arms(self)


@per_object
def _arms(owner: Fighter) -> tuple[Arm, ...]:
    attacks = owner.attacks
    return attacks if any("unarmed" in arm.use for arm in attacks) else (*attacks, UNARMED)


class HouseRules(Struct, Data, frozen=True, tag="sv_house_rules"):
    """The switches of section 10, the default first."""

    initiative_ties: Literal["gm", "players"] = "gm"
    opposed_checks: Literal["fixed8", "both_roll"] = "fixed8"
    aoo_limit: Literal["per_action", "per_exit", "per_round"] = "per_action"
    disengage_scope: Literal["all", "adjacent_when_used"] = "all"
    hit_floor: Literal["listed_shock", "applicable_shock"] = "listed_shock"
    swarm_allies: Annotated[int, Meta(ge=1, le=20)] = 3
    charge_penalty_until: Literal["next_turn", "round_end"] = "next_turn"
    crossbow_untrained: Literal["main", "move"] = "main"
    natural_20: Literal["none", "auto"] = "none"
    grapple_escape: Literal["all", "each"] = "all"
    morale_prompts: bool = True
    split_move: bool = False
    interrupted_action: Literal["lost", "redeclare"] = "lost"
    mortal_injury: bool = True


class Setup(Struct, Data, frozen=True, tag="sv_setup", dict=True):
    """The map, and which sides are friendly (R44).

    `wait` stays in set-up, for execution attacks before the fight.
    """

    grid: str = ""
    legend: dict[str, str] = {}
    elevation: dict[str, int] = {}
    friendly: tuple[tuple[str, ...], ...] = ()
    wait: bool = False

    def __post_init__(self) -> None:
        _ = self.terrain  # complains about what cannot be read

    @cached_property
    def terrain(self) -> Terrain | None:
        """The map, or None for a fight without a grid (R32), as a memo."""
        return read_terrain(self.grid, self.legend, self.elevation) if self.grid.strip() else None


class SideKeys(Struct, Data, frozen=True, tag="sv_side"):
    """A side's own keys (SV-159).

    Surprised, expecting combat (SV-028), moving carefully (SV-029), suspecting nothing at all.
    """

    surprised: bool = False
    anticipating: bool = False
    careful: bool = False
    unaware: bool = False

    def __post_init__(self) -> None:
        if self.surprised and self.anticipating:
            raise ValueError("surprised: a side that expects combat cannot be surprised")


class MemberKeys(Struct, Data, frozen=True, tag="sv_member"):
    """A member's own keys: its squares, its melee, its unawareness.

    There is one square for each copy, as far as they go.
    """

    at: tuple[int | tuple[int, int], ...] = ()
    engaged: tuple[str, ...] = ()
    unaware: bool = False

    def __post_init__(self) -> None:
        numbers = [part for part in self.at if isinstance(part, int)]
        if numbers and (len(numbers) != len(self.at) or len(numbers) != 2):
            raise ValueError("at: a square, such as [3, 4], or a list of squares")

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares, one for each copy as far as they go."""
        numbers = [part for part in self.at if isinstance(part, int)]
        return ((numbers[0], numbers[1]),) if numbers else tuple(part for part in self.at if not isinstance(part, int))
