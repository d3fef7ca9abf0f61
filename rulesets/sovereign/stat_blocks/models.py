"""Stat blocks, switches and encounter keys of Sovereign, in one canonical form.

`shorthand` turns everything a GM may type into this form: defaults that depend on the kind of combatant are filled in
(`named`, `disciplined`, `attack_bonus`,
`physical`, `size_ft`), skills are sorted pairs without levels of -1, every attack is complete, dice of hit points stand
in `hit_dice` where `hp` is None.
"""

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct

from rulesets.without_number.stat_blocks import AtLeastNone, AtLeastOne, Attribute, Level, Shock
from tracker.core.fight.cache import per_object
from tracker.core.game.file_syntax import ArticleKey, PronounKey, key, name_of
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data
from tracker.kit.squares.grid import Square, Terrain, read_terrain

_SKILLS = ("stab", "brawl", "shoot", "exert", "heal", "notice", "sneak")
_SHOCK = r"\d+\s*/\s*(AC\s*)?(\d+|-|–|—|none)|[Nn]one|-"
Use: TypeAlias = Literal["melee", "ranged", "thrown", "unarmed"]
Skill: TypeAlias = Literal["stab", "brawl", "shoot", "exert"]
Kind: TypeAlias = Literal["pc", "henchman", "npc", "monster"]
Handling: TypeAlias = Literal["man_sized", "clearly_larger_humanoid", "barely_plausible"]


Modifier: TypeAlias = Annotated[int, Meta(ge=-2, le=2)]


class Arm(Struct, frozen=True):
    """A way to attack (3.2).

    `skill` None is the usual one: ask `skills_for`. `to_hit` None is computed.
    """

    name: str
    damage: Annotated[
        Dice,
        key(
            "the weapon's dice without modifiers; complete where `to_hit` is typed",
            takes="dice",
            needed=False,
            also=("dmg",),
        ),
    ]
    use: Annotated[
        tuple[Use, ...],
        key(
            "`melee`, `ranged`, `thrown`, `unarmed`, or several: `[melee, thrown]`",
            takes="stored or text",
            form=r"\w+(\s*/\s*\w+)*",
            like=("melee", "[melee, thrown]"),
            also=("kind",),
        ),
    ] = ("melee",)
    skill: Annotated[
        Skill | None,
        key(
            "what it is used with; if it is not typed `stab` in melee, `shoot` from afar, `brawl` unarmed",
            takes="stored or text",
            form=r"punch",
        ),
    ] = None
    attribute: Annotated[
        tuple[Attribute, ...],
        key(
            "what the wielder may add to hit, damage and Shock, the better one by itself: `STR/DEX`; `str` in"
            " the hand, `dex` for shots and throws",
            takes="stored or text",
            form=r"\w+(\s*/\s*\w+)*",
            like=("str/dex",),
            also=("attr",),
        ),
    ] = ("str",)
    magic: Annotated[int, key("added to hit, damage and Shock")] = 0
    damage_bonus: Annotated[int, key("added to damage: feats, Killing Blow")] = 0
    shock: Annotated[
        Shock | None, key("Shock, such as `2/15`", takes="Shock or text or nothing", form=_SHOCK, like=("2/15", "5/-"))
    ] = None
    shock_bonus: Annotated[int, key("added to Shock, by what says so")] = 0
    reach: Annotated[int, Meta(ge=5), key("feet a blow extends: 10 for long weapons")] = 5
    range: Annotated[
        tuple[AtLeastNone, AtLeastNone] | None,
        key(
            "`[50, 300]` or `50/300`: normal and farthest in feet; needed for shots and throws",
            takes="list or text or nothing",
            form=r"\d+\s*/\s*\d+|none|-",
            like=("50/300", "[50, 300]"),
        ),
    ] = None
    hands: Annotated[Literal[1, 2], key("2: a ranged weapon is useless with an enemy beside one")] = 1
    reload: Annotated[Literal["none", "bow", "crossbow"], key("empty after each shot, see below")] = "none"
    natural: Annotated[bool, key("fangs and claws: armed with them, and usable in a grapple")] = False
    to_hit: Annotated[
        int | None, key("the complete bonus, as books print it; then `damage` and `shock` are complete too")
    ] = None
    traits: Annotated[str, key("short notes such as `LL`, without effect")] = ""

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

    str: Annotated[Modifier, key("Strength")] = 0
    dex: Annotated[Modifier, key("Dexterity")] = 0
    con: Annotated[Modifier, key("Constitution")] = 0
    int: Annotated[Modifier, key("Intelligence")] = 0
    wis: Annotated[Modifier, key("Wisdom")] = 0
    cha: Annotated[Modifier, key("Charisma")] = 0


_THROWN: tuple[Skill, ...] = ("shoot", "stab", "exert")

# SV-P12
UNARMED = Arm("Unarmed", Dice.of(1, 2), ("unarmed",), "brawl", ("str", "dex"), traits="LL")


class Features(Struct, frozen=True):
    """Feats that touch combat (SV-P15)."""

    initiative_bonus: Annotated[int, key("added to the side's initiative; of several the best counts")] = 0
    cannot_be_surprised: Annotated[
        bool, key("acts in round 0 though its side is surprised, and cannot be executed")
    ] = False
    shock_immune: Annotated[bool, key("takes no Shock, but that of a swarm")] = False
    disengage_free: Annotated[bool, key("Disengage is a Free Action")] = False
    screen_bonus: Annotated[int, key("added to its side of a check against a screen")] = 0
    screen_extra: Annotated[int, key("so many more attackers blocked in a round")] = 0


class Fighter(Struct, Data, frozen=True, kw_only=True, tag="sv_fighter"):
    """A combatant of any kind (3.1)."""

    name: str
    id: str = ""
    kind: Annotated[
        Kind,
        key(
            "`pc` and `henchman` have attributes, skill levels and a level; `npc` and `monster` have Hit Dice"
            " and one number for all skills. By the list it stands in if it is not typed"
        ),
    ] = "monster"
    named: Annotated[bool, key("lies dying at 0 hit points instead of being dead; `true` for a PC and a henchman")] = (
        False
    )
    level: Annotated[int, Meta(ge=1, le=10), key("of a PC or henchman: for the Physical save")] = 1
    hd: Annotated[
        AtLeastNone,
        key(
            "Hit Dice of an NPC or monster: hit points, attack bonus and save follow from them; of `2+1` the 2 counts",
            takes="number or text",
            form=r"\d{1,3}.*",
            like=("2", "2+1"),
            likely=(0, 40),
        ),
    ] = 1
    hit_dice: Annotated[Dice, key("what is rolled for hit points where `hp` is missing; from `hd`")] = Dice.of(1, 8)
    hp: Annotated[
        AtLeastOne | None,
        key(
            "hit points, a number or dice; required for a PC and a henchman, else one d8 for each Hit Die",
            takes="number or dice",
            like=("9", "2d8+1"),
        ),
    ] = None
    hp_now: Annotated[
        AtLeastNone | None,
        key("present hit points, as many as `hp` if it is not typed; a present 0 starts stable and prone"),
    ] = None
    ac: Annotated[
        AtLeastNone,
        key(
            "one Armor Class for everything, the shield included",
            takes="number or text or numbers",
            form=r"[+-]?\d+.*",
            like=("14", "15a"),
            likely=(0, 30),
        ),
    ] = 10
    shield: Annotated[bool, key("ignores the first Shock of each round")] = False
    speed: Annotated[int, Meta(ge=0, multiple_of=5), key("feet of one Move", also=("move",), likely=(0, 200))] = 30
    attack_bonus: Annotated[
        int,
        key(
            "part of every attack roll; 0 for a PC and a henchman, else the Hit Dice",
            takes="number or text",
            form=r"[+-]?\d+",
            also=("ab",),
        ),
    ] = 0
    attributes: Annotated[
        Mods, key("modifiers of a PC or henchman, not scores: `{str: 1, dex: -1}`", also=("mods",))
    ] = Mods()
    skills: Annotated[
        tuple[tuple[Annotated[str, name_of("skill", _SKILLS, own_words=True)], Level], ...],
        key(
            "levels of a PC or henchman: `{stab: 1, shoot: 0}`; what is not listed is −1",
            takes="numbers or list",
            like=("{stab: 1, notice: 0}",),
        ),
    ] = ()
    skill: Annotated[
        int, key("of an NPC or monster: one number for every check it makes or opposes; not for attack rolls")
    ] = 0
    physical: Annotated[
        int,
        key(
            "target of the Physical save, or `saves: {physical: 13}`; if it is not typed 16 − level − the "
            "better of STR and CON, for an NPC 15 − half its Hit Dice",
            takes="number",
            also=("save",),
        ),
    ] = 15
    space: Annotated[int, Meta(ge=1, le=20), key("squares along one side: 2 is a footprint of 2 x 2")] = 1
    size_ft: Annotated[
        tuple[AtLeastOne, AtLeastOne, AtLeastOne],
        key(
            "length, width and height in feet, 5 for each square of `space` if it is not typed; eight times "
            "another in one of them wades through its squares",
            takes="list or number",
        ),
    ] = (5, 5, 5)
    handling: Annotated[Handling, key("−2 or −4 for those who shove or grapple it")] = "man_sized"
    disciplined: Annotated[bool, key("may make Snap Attacks; `true` for a PC and a henchman")] = False
    morale: Annotated[Literal["normal", "fearless"], key("`fearless`: never asked about retreat")] = "normal"
    group: Annotated[
        str,
        key(
            "those whose losses are counted together; if it is not typed the side, for henchmen the henchmen "
            "of the side"
        ),
    ] = ""
    multiattack: Annotated[AtLeastOne, key("attacks in one Melee or Ranged Attack, each at a target of its own")] = 1
    healers_kit: Annotated[bool, key("has what it takes to stabilise the dying")] = False
    veterans_luck: Annotated[
        AtLeastNone, key("how often in a fight a miss may become a hit, or a hit on it a miss")
    ] = 0
    dual_wield: Annotated[
        tuple[str, str] | None,
        key(
            "the names of two of its attacks, wielded together: `[Sword, Dagger]`",
            takes="words",
            like=("[Short sword, Dagger]",),
        ),
    ] = None
    frail: Annotated[bool, key("dies at the next 0 hit points")] = False
    features: Annotated[
        Features,
        key(
            "feats that touch combat, see [Features](#features); the yes-or-no ones may also stand in the block itself"
        ),
    ] = Features()
    attacks: Annotated[
        tuple[Arm, ...],
        key(
            "ways to attack, see [Attacks](#attacks); bare hands (1d2) are always there unless one of them is"
            " `unarmed`",
            takes="list of Arm/text or text",
            like=("[Sword, {name: Claw, damage: 1d6}]",),
            also=("weapons",),
        ),
    ] = ()
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET

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

    initiative_ties: Annotated[
        Literal["gm", "players"], key("whose side goes first on equal totals: the GM's or the players'")
    ] = "gm"
    opposed_checks: Annotated[
        Literal["fixed8", "both_roll"], key("against 8 and the opponent's modifiers, or both roll and the tie is lost")
    ] = "fixed8"
    aoo_limit: Annotated[
        Literal["per_action", "per_exit", "per_round"],
        key("Attacks of Opportunity of one foe: once for an action, each time its reach is left, or once a round"),
    ] = "per_action"
    disengage_scope: Annotated[
        Literal["all", "adjacent_when_used"],
        key("Disengage holds against everybody, or only against those who were adjacent"),
    ] = "all"
    hit_floor: Annotated[
        Literal["listed_shock", "applicable_shock"],
        key("a hit does at least the listed Shock, or only the Shock that a miss would have done"),
    ] = "listed_shock"
    swarm_allies: Annotated[int, Meta(ge=1, le=20), key("how many may join the first assailant of a swarm")] = 3
    charge_penalty_until: Annotated[Literal["next_turn", "round_end"], key("how long the −2 AC of a Charge lasts")] = (
        "next_turn"
    )
    crossbow_untrained: Annotated[Literal["main", "move"], key("what loading a crossbow costs without Shoot 1")] = (
        "main"
    )
    natural_20: Annotated[Literal["none", "auto"], key("`auto`: a natural 20 hits and a natural 1 misses")] = "none"
    grapple_escape: Annotated[
        Literal["all", "each"], key("one check has to beat all holders, or frees from each it beats")
    ] = "all"
    morale_prompts: Annotated[bool, key("`false`: retreat is never asked about")] = True
    split_move: Annotated[bool, key("the rest of a Move may be run after another action")] = False
    interrupted_action: Annotated[
        Literal["lost", "redeclare"],
        key(
            "what an Instant has made impossible is lost, or its price comes back (not a Move already run, "
            "nor an attack already made)"
        ),
    ] = "lost"
    mortal_injury: Annotated[bool, key("`false`: 0 hit points is only down, without dying and without Frail")] = True


class Setup(Struct, Data, frozen=True, tag="sv_setup", dict=True):
    """The map, and which sides are friendly (R44).

    `wait` stays in set-up, for execution attacks before the fight.
    """

    grid: Annotated[
        str, key("the map, row by row, one sign for each square of 5 feet; without it the forms ask for distances")
    ] = ""
    legend: Annotated[
        dict[str, str],
        key(
            'further signs: `{"T": wall, "w": difficult}`; known without it: `.` open, `#` wall, `~` '
            "difficult, `o` chasm"
        ),
    ] = {}
    elevation: Annotated[dict[str, int], key('heights in feet by column and row: `{"0-5,0": 10, "3,4": 5}`')] = {}
    friendly: Annotated[
        tuple[tuple[Annotated[str, name_of(of="side")], ...], ...],
        key("sides that are friends: `[[Party, Guards]]`; all others are hostile to one another"),
    ] = ()
    wait: Annotated[bool, key("stay in set-up until `n`, for executions and checks before the fight")] = False

    def __post_init__(self) -> None:
        _ = self.terrain  # complains about what cannot be read

    @cached_property
    def friends(self) -> list[set[str]]:
        """The lists of friendly sides, for comparison with names, as a memo."""
        return [{name.casefold() for name in group} for group in self.friendly]

    @cached_property
    def terrain(self) -> Terrain | None:
        """The map, or None for a fight without a grid (R32), as a memo."""
        return read_terrain(self.grid, self.legend, self.elevation) if self.grid.strip() else None


class SideKeys(Struct, Data, frozen=True, tag="sv_side"):
    """A side's own keys (SV-159).

    Surprised, expecting combat (SV-028), moving carefully (SV-029), suspecting nothing at all.
    """

    surprised: Annotated[bool, key("what the question about surprise starts with")] = False
    anticipating: Annotated[bool, key("expects combat: cannot be surprised")] = False
    careful: Annotated[bool, key("moves carefully: cannot be ambushed, but burst in upon")] = False
    unaware: Annotated[bool, key("suspects nothing at all: open to executions before the fight")] = False

    def __post_init__(self) -> None:
        if self.surprised and self.anticipating:
            raise ValueError("surprised: a side that expects combat cannot be surprised")


class MemberKeys(Struct, Data, frozen=True, tag="sv_member"):
    """A member's own keys: its squares, its melee, its unawareness.

    There is one square for each copy, as far as they go.
    """

    at: Annotated[
        tuple[int | tuple[int, int], ...],
        key("a square, column and row from the north-west, such as `[3, 4]`, or a list with one for each copy"),
    ] = ()
    engaged: Annotated[
        tuple[Annotated[str, name_of(of="combatant")], ...],
        key("whom it is in melee with where no map tells it, by id or name"),
    ] = ()
    unaware: Annotated[bool, key("this one suspects nothing")] = False

    def __post_init__(self) -> None:
        numbers = [part for part in self.at if isinstance(part, int)]
        if numbers and (len(numbers) != len(self.at) or len(numbers) != 2):
            raise ValueError("at: a square, such as [3, 4], or a list of squares")

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares, one for each copy as far as they go."""
        numbers = [part for part in self.at if isinstance(part, int)]
        return ((numbers[0], numbers[1]),) if numbers else tuple(part for part in self.at if not isinstance(part, int))
