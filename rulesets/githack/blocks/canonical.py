"""Stat blocks, switches and set-up of GitHack, in one canonical form.

`shorthand` turns what a GM types into this form: weapon sizes and armour presets become dice and numbers, `damage`
becomes attack modes,
a printed line is imported.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

Ability: TypeAlias = Literal["str", "con", "dex", "int", "wis", "cha"]
When: TypeAlias = Literal["harm", "wound", "connect", "instead_of_damage", "instead_of_attack"]
Share: TypeAlias = Literal["1/2", "1/4", "3/4", "0"]
StanceName: TypeAlias = Literal["pursuit", "defend", "flank", "talk", "observe", "device"]
Score: TypeAlias = Annotated[int, Meta(ge=1, le=30)]
AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]


class Weapon(Struct, frozen=True):
    """A PC's weapon: its dice are added to the number on the d20.

    GH-028 to GH-034.
    """

    name: str
    dice: Dice
    demon: bool = False
    attack_with: Ability | None = None


class Part(Struct, frozen=True):
    """The dice of one blow of a mode, and what deals it.

    `extra` is the die that stands for a positive add (GH-308).
    """

    dice: Dice
    label: str = ""
    add: int = 0


ABILITIES: tuple[Ability, ...] = ("str", "dex", "con", "int", "wis", "cha")


class Scores(Struct, frozen=True):
    """Ability scores by the game's own names (GH-125)."""

    str: Score = 10
    con: Score = 10
    dex: Score = 10
    int: Score = 10
    wis: Score = 10
    cha: Score = 10


class PC(Struct, Data, frozen=True, kw_only=True, tag="gh_pc"):
    """A player character (3.1).

    `harm` is written out to `harm_max` boxes. Without either there are as many as CON, without CON ten (GH-125).
    """

    name: str
    id: str = ""
    scores: Scores = Scores()
    ac: AtLeastNone = 0
    weapons: tuple[Weapon, ...] = ()
    harm_max: AtLeastOne = 10
    harm: Annotated[str, Meta(pattern=r"^[./x*]+$")] = ".........."
    angst: AtLeastNone = 0
    scars: tuple[str, ...] = ()
    stance: StanceName | None = None
    backgrounds: tuple[str, ...] = ()
    attack_with: Ability = "str"
    defend_with: Ability = "dex"
    notes: str = ""

    def __post_init__(self) -> None:
        if len(self.harm) != self.harm_max:
            raise ValueError(f"harm: {len(self.harm)} boxes are not the {self.harm_max} of harm_max")


class Special(Struct, frozen=True, kw_only=True):
    """A rider, or an attack of its own (3.3).

    `save` are the abilities on offer, the first the default. `rounds` is how long `effect` lasts.
    """

    name: str
    when: When = "harm"
    save: tuple[Ability, ...] = ()
    dice: Dice | None = None
    keep_on_save: Share = "0"
    worsen: bool = False
    deep: bool = False
    effect: str = ""
    until: Literal["end_of_combat", "removed", "rounds"] = "end_of_combat"
    rounds: AtLeastNone = 0
    timing: Literal["now", "after_combat"] = "now"
    uses: AtLeastOne | None = None
    area: bool = False
    continuing: bool = False
    destroys_ac: AtLeastNone = 0
    part: str = ""
    review: bool = False


UNNAMED = "attack"
"""What a mode is called whose parts have no labels."""


class Mode(Struct, frozen=True, kw_only=True):
    """One of a monster's ways to attack, whose parts are rolled together."""

    name: str
    parts: tuple[Part, ...] = ()
    reach: Literal["close", "ranged", "both"] = "close"
    specials: tuple[Special, ...] = ()
    defence: Ability | None = None


class Monster(Struct, Data, frozen=True, kw_only=True, tag="gh_monster"):
    """A monster (3.2).

    `hp` None: `hd` are rolled, at least 1. `kept` are the words of an import that no rule reads (GH-312).
    The monsters of the rules (GH-064, GH-066, GH-068, GH-071) are in the bestiary beside the encounters.
    """

    name: str
    id: str = ""
    ac: AtLeastNone = 0
    hp: AtLeastOne | None = None
    hd: Dice = Dice.of(1, 8)
    quick_hp: AtLeastOne | None = None
    attacks: tuple[Mode, ...] = ()
    specials: tuple[Special, ...] = ()
    kept: tuple[str, ...] = ()
    review: tuple[str, ...] = ()
    notes: str = ""


class HouseRules(Struct, Data, frozen=True, tag="gh_house_rules"):
    """The switches of section 3.5."""

    initiative: Literal["each_round", "once", "none"] = "each_round"
    pc_order: Literal["free", "strict"] = "free"
    slow_order: Literal["high_first", "low_first"] = "high_first"
    defence_rolls: Literal["per_monster", "per_part", "per_target"] = "per_monster"
    monster_targets: Literal["one", "many"] = "one"
    tie_is: Literal["stable", "dying"] = "stable"
    bleed: Literal["manual", "each_round"] = "manual"
    save_rounding: Literal["down", "up"] = "down"
    save_ability: Literal["hazard", "wis"] = "hazard"
    paralysis_saves: Literal["per_attack", "per_hit"] = "per_attack"
    sticks_on: Literal["connect", "harm"] = "connect"
    damage_adds: Literal["ignore", "extra_d4"] = "ignore"
    stances: bool = False
    degrees: bool = False


class PrintSystem(Struct, frozen=True):
    """Another game whose prints are used (8.5.1).

    Which way its AC counts, the AC without armour, and its hit die.
    """

    direction: Literal["ascending", "descending"]
    unarmoured: int
    hit_die: AtLeastOne = 8


class StanceLimits(Struct, frozen=True, omit_defaults=True):
    """How many PCs may hold a stance (GH-223)."""

    pursuit: AtLeastNone | None = None
    defend: AtLeastNone | None = None
    flank: AtLeastNone | None = None
    talk: AtLeastNone | None = None
    observe: AtLeastNone | None = None
    device: AtLeastNone | None = None


class Setup(Struct, Data, frozen=True, tag="gh_setup"):
    """Set-up: limits of stances (GH-223), and games whose prints are used."""

    stance_limits: StanceLimits = StanceLimits()
    systems: dict[str, PrintSystem] = {}
