"""Stat blocks, switches and set-up of GitHack, in one canonical form.

`shorthand` turns what a GM types into this form: weapon sizes and armour presets become dice and numbers, `damage`
becomes attack modes,
a printed line is imported.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct

from tracker.core.game.file_syntax import ArticleKey, PronounKey, key
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.


Ability: TypeAlias = Literal["str", "con", "dex", "int", "wis", "cha"]
When: TypeAlias = Literal["harm", "wound", "connect", "instead_of_damage", "instead_of_attack"]
Share: TypeAlias = Literal["1/2", "1/4", "3/4", "0"]
StanceName: TypeAlias = Literal["pursuit", "defend", "flank", "talk", "observe", "device"]
Score: TypeAlias = Annotated[int, Meta(ge=1, le=30)]
AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]


class Weapon(Struct, frozen=True):
    """A PC's weapon: its dice are added to the number on the d20 (GH-028 to GH-034)."""

    name: str
    dice: Annotated[
        Dice,
        key(
            "dice, or a size: `small` d4, `medium` d6, `large` d8, `demon` d10",
            takes="dice or text",
            form=r"small|medium|large|demon",
            like=("medium", "2d10"),
            needed=False,
        ),
    ]
    demon: Annotated[bool, key("a demon weapon; without `dice` 1d10, with other dice than d10 it is noted")] = False
    attack_with: Annotated[Ability | None, key("the ability that attacks with it; the owner's if it is not typed")] = (
        None
    )


class Part(Struct, frozen=True):
    """The dice of one blow of a mode, and what deals it; `extra` is the die that stands for a positive add (GH-308)."""

    dice: Annotated[Dice, key("dice; `1d8+2` is 1d8 with an add of 2")]
    label: Annotated[str, key("what deals it; specials name it in `part`")] = ""
    add: Annotated[int, key("a printed fixed number (see `damage_adds`)")] = 0


ABILITIES: tuple[Ability, ...] = ("str", "dex", "con", "int", "wis", "cha")


class Scores(Struct, frozen=True):
    """Ability scores by the game's own names (GH-125)."""

    str: Annotated[Score, key("Strength: attacks, unless another ability fits")] = 10
    con: Annotated[Score, key("Constitution: boxes of the track, poison, staying active")] = 10
    dex: Annotated[Score, key("Dexterity: initiative, defence, shots")] = 10
    int: Annotated[Score, key("Intelligence: saves for the mind, devices")] = 10
    wis: Annotated[Score, key("Wisdom: saves of no other kind, psychic attacks")] = 10
    cha: Annotated[Score, key("Charisma: talk")] = 10


class PC(Struct, Data, frozen=True, kw_only=True, tag="gh_pc"):
    """A player character (3.1).

    `harm` is written out to `harm_max` boxes. Without either there are as many as CON, without CON ten (GH-125).
    """

    name: str
    id: str = ""
    scores: Annotated[Scores, key("the six abilities; each may also stand beside the other keys (`str: 14`)")] = (
        Scores()
    )
    ac: Annotated[AtLeastNone, key("Armour Class; typed, or from `armour`", likely=(0, 10))] = 0
    weapons: Annotated[
        tuple[Weapon, ...], key("weapons, the first one the usual one; bare hands are always there")
    ] = ()
    harm_max: Annotated[AtLeastOne, key("boxes of the Harm track; CON if it is not typed")] = 10
    harm: Annotated[
        str,
        Meta(pattern=r"^[./x*]+$"),
        key(
            "the boxes as they are: `.` empty, `/` tick, `x` Wound, `*` Deep Wound; the end may be left out. "
            "Or a list: `[tick, cross, star]`",
            takes="stored or words or text",
            like=("/x", "[tick, cross]"),
        ),
    ] = ".........."
    angst: Annotated[AtLeastNone, key("Angst", likely=(0, 30))] = 0
    scars: Annotated[tuple[str, ...], key("scars, for the record; a Deep Wound that heals adds one")] = ()
    stance: Annotated[StanceName | None, key("the stance it begins in; only with `stances`")] = None
    backgrounds: Annotated[tuple[str, ...], key("listed beside the box for Advantage")] = ()
    attack_with: Annotated[Ability, key("the ability it usually attacks with")] = "str"
    defend_with: Annotated[Ability, key("the ability it usually defends with; `con` behind a great shield")] = "dex"
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET

    def __post_init__(self) -> None:
        if len(self.harm) != self.harm_max:
            raise ValueError(f"harm: {len(self.harm)} boxes are not the {self.harm_max} of harm_max")


NameKey: TypeAlias = Annotated[str, key("what it is called; unique in the block")]


class Special(Struct, frozen=True, kw_only=True):
    """A rider, or an attack of its own (3.3).

    `save` are the abilities on offer, the first the default. `rounds` is how long `effect` lasts.
    """

    name: NameKey
    when: Annotated[When, key("what sets it off, see above")] = "harm"
    save: Annotated[
        tuple[Ability, ...],
        key(
            "abilities on offer for the save, the first the usual one; without one it simply works. As words "
            "too: `con, str`",
            takes="stored or text",
            form=r"[\w/, ]+",
            like=("con", "str/dex"),
        ),
    ] = ()
    dice: Annotated[
        Dice | None,
        key("damage it deals instead of the attack's; elsewhere it is flagged for review", takes="stored or text"),
    ] = None
    keep_on_save: Annotated[
        Share,
        key(
            "share of the dice that a saved target still takes, at least one die; not typed it is `1/2` with "
            "dice. `half`, `quarter` and `none` are read",
            takes="stored or text or number",
            form=r"0\.(5|25|75)|half|quarter|none",
        ),
    ] = "0"
    worsen: Annotated[bool, key("each mark of the attack is one step worse")] = False
    deep: Annotated[bool, key("each mark of the attack is a Deep Wound")] = False
    effect: Annotated[
        str,
        key(
            "the effect on its target: `paralysed` and `stuck` have rules, anything else is words; without "
            "one its name, unless it has dice or changes marks"
        ),
    ] = ""
    until: Annotated[
        Literal["end_of_combat", "removed", "rounds"],
        key(
            "how long the effect lasts; `{rounds: 2}` and `2 rounds` are read",
            takes="stored or text or block",
            form=r"(rounds:?\s*)?\d+(\s*rounds?)?",
            like=("2 rounds", "{rounds: 2}"),
        ),
    ] = "end_of_combat"
    rounds: Annotated[AtLeastNone, key("how many, counted from the phase in which it begins")] = 0
    timing: Annotated[
        Literal["now", "after_combat"],
        key(
            "`after_combat`: the save is rolled at the end, as the form said, and what it does comes then; an"
            " effect lasts until removed"
        ),
    ] = "now"
    uses: Annotated[AtLeastOne | None, key("how often in a combat, counted when it is set off; without it, always")] = (
        None
    )
    area: Annotated[bool, key("instead of the attack: any number of targets, the hidden too")] = False
    continuing: Annotated[
        bool,
        key(
            "while the effect lasts its monster hits the target in each turn without a defence, and attacks "
            "no other; pulled off, or gone with the monster"
        ),
    ] = False
    destroys_ac: Annotated[AtLeastNone, key("AC that the effect destroys at the start of each round")] = 0
    part: Annotated[str, key("the special belongs to the dice of this part, or of several: `claws, bite`")] = ""
    review: Annotated[bool, key("an import is not sure of it")] = False


UNNAMED = "attack"
"""What a mode is called whose parts have no labels."""


class Mode(Struct, frozen=True, kw_only=True):
    """One of a monster's ways to attack, whose parts are rolled together."""

    name: NameKey
    parts: Annotated[
        tuple[Part, ...],
        key(
            "what is rolled together; dice alone stand for a part without a label",
            takes="list of Part/dice",
            like=("[1d4]", "[{dice: 1d6, label: bite}]"),
        ),
    ] = ()
    reach: Annotated[Literal["close", "ranged", "both"], key("where it strikes; told, not enforced")] = "close"
    specials: Annotated[tuple[Special, ...], key("riders of this attack alone")] = ()
    defence: Annotated[Ability | None, key("the ability that defends; the target's own if it is not named")] = None


class Monster(Struct, Data, frozen=True, kw_only=True, tag="gh_monster"):
    """A monster (3.2).

    `hp` None: `hd` are rolled, at least 1. `kept` are the words of an import that no rule reads (GH-312).
    The monsters of the rules (GH-064, GH-066, GH-068, GH-071) are in the bestiary beside the encounters.
    """

    name: str
    id: str = ""
    ac: Annotated[
        AtLeastNone,
        key(
            "Armour Class as this game counts it, without an upper limit; with `system` as that game counts it",
            takes="number or text",
            like=("3", "4 [15]"),
            likely=(0, 20),
        ),
    ] = 0
    hp: Annotated[
        AtLeastOne | None,
        key("hit points, the same for every copy; without them `hd` are rolled", takes="stored or text", like=("9",)),
    ] = None
    hd: Annotated[
        Dice,
        key(
            "hit dice, rolled for each copy, at least 1: `3d8+1`, or as printed (`4+1`, `½`, `2*`)",
            takes="dice or text",
            like=("3d8+1", "4+1", "½", "2*"),
        ),
    ] = Dice.of(1, 8)
    quick_hp: Annotated[AtLeastOne | None, key("the printed average, offered beside the dice")] = None
    attacks: Annotated[
        tuple[Mode, ...],
        key(
            "ways to attack, one of them a turn",
            takes="list of Mode/text or text or number",
            like=("2 claws (1d4) or 1 bite (1d6)",),
        ),
    ] = ()
    specials: Annotated[tuple[Special, ...], key("riders of every attack, and attacks of their own")] = ()
    kept: Annotated[tuple[str, ...], key("words of an imported print that no rule reads")] = ()
    review: Annotated[
        tuple[str, ...], key("what the import was not sure of, or what cannot mean what it says; for you to look at")
    ] = ()
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET


class HouseRules(Struct, Data, frozen=True, tag="gh_house_rules"):
    """The switches of section 3.5."""

    initiative: Annotated[
        Literal["each_round", "once", "none"], key("roll in every round, once, or not at all: then all PCs are fast")
    ] = "each_round"
    pc_order: Annotated[
        Literal["free", "strict"],
        key("`free`: fast (slow) PCs act in any order; `strict`: by what they rolled, unless you put them in order"),
    ] = "free"
    slow_order: Annotated[Literal["high_first", "low_first"], key("which slow PC stands first")] = "high_first"
    defence_rolls: Annotated[
        Literal["per_monster", "per_part", "per_target"],
        key(
            "one defence for a monster's whole attack, one for each of its parts, or one for all attacks on a"
            " PC in a monster phase"
        ),
    ] = "per_monster"
    monster_targets: Annotated[
        Literal["one", "many"],
        key("whether one attack of a monster may go at several PCs, each with dice of their own"),
    ] = "one"
    tie_is: Annotated[Literal["stable", "dying"], key("what a PC is who falls with as many Wounds as ticks")] = "stable"
    bleed: Annotated[
        Literal["manual", "each_round"], key("dying PCs get worse at each round's end, or when you say so")
    ] = "manual"
    save_rounding: Annotated[Literal["down", "up"], key("how the dice that a save leaves are rounded")] = "down"
    save_ability: Annotated[
        Literal["hazard", "wis"],
        key("saves use the abilities of the special, or WIS first; never the save to stay active"),
    ] = "hazard"
    paralysis_saves: Annotated[
        Literal["per_attack", "per_hit"], key("one save for a paralysing attack, or one for each hit")
    ] = "per_attack"
    sticks_on: Annotated[
        Literal["connect", "harm"], key("a sticking attack sticks when it connects, or only with harm")
    ] = "connect"
    damage_adds: Annotated[
        Literal["ignore", "extra_d4"], key("a printed `+2` of damage is left out, or is one more d4")
    ] = "ignore"
    stances: Annotated[bool, key("[stances](#stances) and what follows from them")] = False
    degrees: Annotated[bool, key("successes are weak (1-4), plain or great (10 and more); no number changes")] = False


class PrintSystem(Struct, frozen=True):
    """Another game whose prints are used (8.5.1): which way its AC counts, the AC without armour, and its hit die."""

    direction: Annotated[Literal["ascending", "descending"], key("which way Armour Class counts in that game")]
    unarmoured: Annotated[int, key("its Armour Class without armour")]
    hit_die: Annotated[AtLeastOne, key("faces of its hit die")] = 8


class StanceLimits(Struct, frozen=True, omit_defaults=True):
    """How many PCs may hold a stance (GH-223)."""

    pursuit: Annotated[AtLeastNone | None, key("most PCs in it; without a number there is room for all")] = None
    defend: Annotated[AtLeastNone | None, key("the same")] = None
    flank: Annotated[AtLeastNone | None, key("the same")] = None
    talk: Annotated[AtLeastNone | None, key("the same; 0 in noise")] = None
    observe: Annotated[AtLeastNone | None, key("the same; 0 in fog")] = None
    device: Annotated[AtLeastNone | None, key("the same")] = None


class Setup(Struct, Data, frozen=True, tag="gh_setup"):
    """Set-up: limits of stances (GH-223), and games whose prints are used."""

    stance_limits: Annotated[
        StanceLimits, key("most PCs in a stance, such as `{defend: 2}`; the incapacitated count")
    ] = StanceLimits()
    systems: Annotated[
        dict[str, PrintSystem], key("games whose prints are used, named by `system` in a stat block")
    ] = {}


WEAPONS: dict[str, Dice] = {
    "small": Dice.of(1, 4),
    "medium": Dice.of(1, 6),
    "large": Dice.of(1, 8),
    "demon": Dice.of(1, 10),
}
"""8.1: dice of weapons by size (GH-028, GH-029)."""

ARMOUR: dict[str, int] = {"none": 0, "clothes": 1, "leather": 2, "light_chain": 3, "plate": 4}
"""8.2: AC of worn armour (GH-023)."""

HAZARDS: dict[str, tuple[Ability, ...]] = {
    "default": ("wis",),
    "poison": ("con",),
    "paralysis": ("con", "str"),
    "petrification": ("con", "cha"),
    "device": ("dex",),
    "breath": ("con", "dex"),
    "mind_control": ("int",),
    "trap": ("int", "dex"),
    "dimensional": ("int",),
}
"""8.4: which abilities save against a hazard, the first the usual one (GH-109)."""


class Stance(Struct, frozen=True):
    """A stance: its ability, whether it attacks, and its rank for monsters (GH-201, GH-202)."""

    ability: Ability
    attack: bool
    priority: int


STANCES: dict[str, Stance] = {
    "pursuit": Stance("str", True, 1),
    "talk": Stance("cha", False, 1),
    "defend": Stance("con", True, 2),
    "observe": Stance("wis", False, 2),
    "flank": Stance("dex", True, 3),
    "device": Stance("int", False, 3),
}
