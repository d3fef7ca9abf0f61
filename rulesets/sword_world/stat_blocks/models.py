"""Stat blocks, switches and encounter keys of Sword World 2.0, in one canonical form.

`shorthand` turns everything a GM may type into this form, so that the mechanics meet no variants: `move` is filled in,
dice have sides, an
attack has either an Impact or damage dice, a spell has its bonus, resistance and duration in rounds, Drop entries have
a least and a greatest roll, `death_checks` and `earns_xp` follow from the kind of block.
"""

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct

from tracker.core.game.file_syntax import ArticleKey, PronounKey, key, name_of
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

_DICE = r"[+-]?\d*[dD]\d*(\s*[+-]\s*\d*([dD]\d*)?)*"
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


TypeKey: TypeAlias = Annotated[DamageType | None, key("its type; the attack's if it is not typed")]
RangeKey: TypeAlias = Annotated[Metres | None, key("metres; without one any distance will do")]


class Addition(Struct, frozen=True):
    """Additional damage (SW-134), of the attack's type unless it has one."""

    amount: Annotated[int, key("points")]
    type: TypeKey = None
    note: Annotated[str, key("what it is called in the log")] = ""


class Weakness(Struct, frozen=True):
    """Additional damage from attacks of a kind (SW-R30); the kind is `magic`, `physical` or the name of an energy."""

    when: Annotated[str, key("`magic`, `physical`, or an energy")]
    extra: Annotated[int, key("damage added once to such an attack")]
    type: TypeKey = None


class Reduction(Struct, frozen=True):
    """Damage reduction other than Defense (SW-R30).

    It works against `any`, `magic`, `physical` or the name of an energy.
    """

    when: Annotated[str, key("`any`, `magic`, `physical`, or an energy")]
    amount: Annotated[int, key("damage spared")]


class Change(Struct, frozen=True):
    """A number that an effect changes; the type counts for `damage` alone."""

    stat: Annotated[Stat, key("the number; `all_checks` counts for every check of 2d")]
    amount: Annotated[int, key("by how much")]
    type: Annotated[DamageType | None, key("for `damage` alone: its type")] = None


class Feat(Struct, frozen=True):
    """A combat feat: declared ones count for one action, the others always (SW-R50)."""

    name: str
    declared: Annotated[bool, key("switched on for one action, one a turn; otherwise it always counts")] = False
    accuracy: Annotated[int, key("of weapon attacks")] = 0
    evasion: Annotated[int, key("of a declared feat: until the owner's next turn")] = 0
    damage: Annotated[int, key("additional damage of weapon attacks, and of the spell it is declared for")] = 0
    damage_type: Annotated[DamageType | None, key("type of that damage; the attack's if it is not typed")] = None
    crit: Annotated[int, key("added to the crit rate: `-1` makes criticals likelier")] = 0
    note: Annotated[str, key("told when it is declared")] = ""


class Attack(Struct, frozen=True):
    """A way to attack: `impact` with `crit`, or `damage` dice.

    Damage dice neither critical nor fail automatically (SW-R53).
    """

    name: Annotated[str, key("no two attacks of a block have the same")]
    mode: Annotated[Mode, key("`melee` needs a shared brawl; a `gun` does magical damage")] = "melee"
    accuracy: Annotated[int, key("bonus to hit")] = 0
    accuracy_fixed: Annotated[int | None, key("Accuracy in place of 2d and bonus")] = None
    impact: Annotated[ImpactRow | None, key("row of the Impact table")] = None
    crit: Annotated[
        int, key("2d from which the Impact is rolled again; 13 and more: never, never below 8", likely=(7, 13))
    ] = 10
    damage: Annotated[
        Dice | None,
        key(
            "damage dice in place of an Impact, such as `2d+3`: no criticals, no automatic failure",
            takes="dice or text",
            form=_DICE,
            like=("2d+3", "2d6+3"),
        ),
    ] = None
    bonus: Annotated[int, key("bonus damage, added once")] = 0
    damage_type: Annotated[DamageType, key("Defense lowers only physical damage; `magical` for guns")] = "physical"
    energy: Annotated[
        tuple[str, ...],
        key("special types, such as `fire`; one word or a list", takes="stored or text", form=r"[\w ]+"),
    ] = ()
    range: RangeKey = None
    stow: Annotated[
        bool, key("can be put away (swords, one-handed guns); anything else is dropped to draw another")
    ] = False
    additional: Annotated[tuple[Addition, ...], key("see [additional damage](#additional-damage)")] = ()


class Spell(Struct, frozen=True):
    """A spell or ability; `effect` () changes no number, None: there is no effect."""

    name: Annotated[str, key("no two spells of a block have the same")]
    cost: Annotated[Whole, key("MP, paid before the first die")] = 0
    area: Annotated[Area, key("whom it meets, see below")] = "target"
    max_targets: Annotated[
        Annotated[int, Meta(ge=1)] | None, key("for a `radius`: most targets; without one all in it")
    ] = None
    range: RangeKey = None
    impact: Annotated[ImpactRow | None, key("row of the Impact table, for damage or healing")] = None
    crit: Annotated[int, key("2d from which the Impact is rolled again")] = 10
    heal: Annotated[bool, key("heals instead of harming; never critical")] = False
    bonus: Annotated[int, key("added to the Impact; `magic_power` if it is not typed", needed=False)] = 0
    resist: Annotated[
        Literal["none", "half", "negate"],
        key(
            "Willpower that wins halves the damage, negates the spell, or is not asked for; `half` for damage"
            " and `none` for the rest if it is not typed",
            needed=False,
        ),
    ] = "none"
    damage_type: Annotated[DamageType, key("`magical` passes Defense")] = "magical"
    pool: Annotated[PoolName, key("what it takes or gives back")] = "hp"
    energy: Annotated[
        tuple[str, ...], key("special types, one word or a list", takes="stored or text", form=r"[\w ]+")
    ] = ()
    free_action: Annotated[bool, key("costs no standard action; any number in a turn")] = False
    duration: Annotated[
        Annotated[int, Meta(ge=1)] | Literal["combat"] | None,
        key(
            "rounds, seconds (`30s`), or `combat`; it needs an effect",
            takes="stored or number or text",
            form=r"\d{1,6}\s*(s|rounds?)?|combat",
            like=("3", "30s", "combat"),
        ),
    ] = None
    effect: Annotated[
        tuple[Change, ...] | None,
        key(
            "numbers it changes, such as `{evasion: -2}`; `{}` changes none and only holds; without a "
            "duration it lasts the whole fight",
            takes="stored or block",
            like=("{evasion: -1}", "{damage: {amount: 1, type: magical}}"),
        ),
    ] = None
    note: Annotated[str, key("shown with the spell")] = ""


class Drop(Struct, frozen=True):
    """A Drop entry: from `low` to `high` on 2d, or 0 for always (SW-034, SW-R41)."""

    low: Annotated[
        int, Meta(ge=0, le=12), key('least 2d, 0 for always; typed as `roll: "2-6"`, `"10+"` or `always`', needed=False)
    ]
    high: Annotated[int, Meta(ge=0, le=12), key("greatest 2d", needed=False)]
    item: Annotated[str, key("what is found")]
    note: Annotated[str, key("what it is worth")] = ""


class StatBlock(Struct, Data, frozen=True, tag=True):
    """A character or a monster, as its combatant's kind says.

    SW-R34: `death_checks`; SW-R37: `earns_xp`; SW-R43: `body`; SW-R47: `knowledge_target` and `weakness_target`.
    """

    name: str
    hp: Annotated[int, Meta(ge=1), key("most HP; a fight begins with them")]
    move: Annotated[Whole, key("metres of a normal move; `agility` if it is not typed", needed=False, likely=(0, 200))]
    id: str = ""
    level: Annotated[Whole, key("in a surprise attack a monster's level stands for its roll", likely=(0, 30))] = 1
    mp: Annotated[Whole, key("most MP")] = 0
    agility: Annotated[Whole | None, key("metres of a normal move of a character; one of the two is needed")] = None
    defense: Annotated[Whole, key("Defense of armor and shield, taken off physical damage", likely=(0, 60))] = 0
    armor: Annotated[
        Literal["none", "nonmetal", "metal"], key("`metal` raises the crit rate of weapon attacks on the wearer by 1")
    ] = "none"
    evasion: Annotated[int, key("bonus to dodge")] = 0
    evasion_fixed: Annotated[int | None, key("Evasion in place of 2d and bonus")] = None
    fortitude: Annotated[int, key("bonus against bodily harm; a Death Check is one")] = 0
    fortitude_fixed: Annotated[int | None, key("Fortitude in place of 2d and bonus")] = None
    willpower: Annotated[int, key("bonus against spells")] = 0
    willpower_fixed: Annotated[int | None, key("Willpower in place of 2d and bonus")] = None
    initiative: Annotated[int, key("bonus")] = 0
    initiative_fixed: Annotated[int | None, key("Initiative in place of 2d and bonus")] = None
    hide: Annotated[int, key("bonus of those who attempt a surprise attack")] = 0
    danger_sense: Annotated[int, key("bonus of those who may notice one")] = 0
    monster_knowledge: Annotated[int, key("bonus to recognise monsters before Initiative")] = 0
    spellcasting: Annotated[int, key("bonus of its spells against Willpower")] = 0
    magic_power: Annotated[int, key("added to the Impact of its spells")] = 0
    sections: Annotated[
        int, Meta(ge=1, le=20), key("body sections: the room it takes in a brawl, and what it takes to hold it")
    ] = 1
    body: Annotated[str, key("sections entered as combatants of their own share this word")] = ""
    fencer: Annotated[bool, key("crit rate of its weapons is 1 lower")] = False
    hawkeye: Annotated[bool, key("may aim past a brawl that lies between")] = False
    prone: Annotated[bool, key("lies on the ground when the fight begins")] = False
    death_checks: Annotated[
        bool, key("HP below 0 call for a Death Check; `true` for characters if it is not typed")
    ] = False
    earns_xp: Annotated[bool, key("gets 50 xp for an automatic failure; `true` for characters if it is not typed")] = (
        False
    )
    knowledge_target: Annotated[
        int | None, key("total of Monster Knowledge that recognises it; without one the GM decides")
    ] = None
    weakness_target: Annotated[int | None, key("total that tells its weakness as well")] = None
    attacks: Annotated[tuple[Attack, ...], key("see [attacks](#attacks); the first one of a character is in hand")] = ()
    spells: Annotated[tuple[Spell, ...], key("see [spells and abilities](#spells-and-abilities)")] = ()
    feats: Annotated[tuple[Feat, ...], key("see [feats](#feats)")] = ()
    weaknesses: Annotated[tuple[Weakness, ...], key("see [weaknesses and reductions](#weaknesses-and-reductions)")] = ()
    reductions: Annotated[tuple[Reduction, ...], key("the same")] = ()
    drops: Annotated[tuple[Drop, ...], key("see [drops](#drops)")] = ()
    sword_shards: Annotated[Whole, key("added up when the spoils are collected")] = 0
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET


class HouseRules(Struct, Data, frozen=True, tag=True):
    """The switches of the rulings."""

    initiative_tie: Annotated[Literal["pcs", "monsters"], key("who leads when a PC equals the best monster")] = "pcs"
    initiative_contest_tie: Annotated[
        Literal["opponents", "pcs", "ask"],
        key("who leads when the best opponent is a character and equals the best PC"),
    ] = "opponents"
    duration_anchor: Annotated[
        Literal["affected_party", "casting_phase"],
        key("rounds are counted by phases of the side an effect is on, or of the side it is cast in"),
    ] = "affected_party"
    move_after_action: Annotated[bool, key("moving is allowed after the standard action")] = False
    brawl_end: Annotated[
        Literal["side_down", "all_down"], key("a brawl is over when one side has no able fighter in it, or nobody")
    ] = "side_down"
    unconscious_are_candidates: Annotated[bool, key("crossfire and random areas meet the unconscious, too")] = False
    indoor_zone_table: Annotated[
        Literal["corrected", "as_printed"],
        key("the indoor sizes for two and for three to five fighters as printed, or exchanged"),
    ] = "corrected"
    halving: Annotated[Literal["up", "down"], key("how the half of a resisted spell is rounded")] = "up"
    impact_roll: Annotated[
        Literal["per_target", "per_cast"], key("one Impact roll for each target of an area, or one for all")
    ] = "per_target"
    unconscious: Annotated[Literal["at_zero", "below_zero"], key("unconscious at 0 HP, or below")] = "at_zero"
    automatic_results: Annotated[
        bool, key("double 1 fails and double 6 succeeds on every check, Initiative and Monster Knowledge among them")
    ] = False
    spoils_roll: Annotated[Literal["per_monster", "once"], key("one 2d for each defeated monster, or one for all")] = (
        "per_monster"
    )


class ZoneSetup(Struct, frozen=True):
    """A brawl that is going on when the fight begins.

    Participants are ids or names, in order of joining. Without a capacity the field's counts.
    """

    participants: Annotated[
        tuple[Annotated[str, name_of(of="combatant")], ...],
        key("ids or names, in order of joining; the first one is the center"),
    ]
    radius: Annotated[Metres | None, key("metres; the guide's for so many fighters if it is not typed")] = None
    capacity: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        key("most sections it holds; what fits into the field if it is not typed"),
    ] = None


class Known(Struct, frozen=True):
    """The monsters, by id or name, that a character knows already (SW-009)."""

    who: Annotated[str, key("a character, by id or name"), name_of(of="combatant")]
    monsters: Annotated[
        tuple[Annotated[str, name_of(of="combatant")], ...], key("ids or names; each stands for its whole kind")
    ]


class Setup(Struct, Data, frozen=True, tag=True):
    """The field (SW-003 to SW-007): metres, terrain, brawls, what is known, and surprise."""

    distance: Annotated[Metres | None, key("starting distance in metres")] = None
    space: Annotated[
        Literal["enclosed", "large", "crowded", "open"] | None, key("pre-fills the distance: 5, 10, 10 or 20 m")
    ] = None
    moving: Annotated[float, Meta(ge=0, le=20), key("metres added for riders and the like")] = 0.0
    large_monster: Annotated[float, Meta(ge=0, le=10), key("metres added for a large monster")] = 0.0
    indoor: Annotated[bool, key("brawls have the indoor sizes")] = False
    field_width: Annotated[Metres | None, key("metres; limits how many fit into a brawl")] = None
    terrain: Annotated[str, key("words, for the GM")] = ""
    zones: Annotated[tuple[ZoneSetup, ...], key("brawls that are going on when the fight begins")] = ()
    known: Annotated[tuple[Known, ...], key("monsters that need no Monster Knowledge")] = ()
    surprise: Annotated[str, key("the side that attempts a surprise attack"), name_of(of="side")] = ""


class MemberKeys(Struct, Data, frozen=True, tag=True):
    """What an encounter says of one member: its place, and the weapon in hand (SW-R46)."""

    pos: Annotated[float | None, key("place on the line, in metres; forms are pre-filled from it")] = None
    in_hand: Annotated[
        str,
        key("the attack a character has in hand; the first one if it is not typed"),
        name_of("attack", own="attacks.name"),
    ] = ""


class Zone(Struct, Data, frozen=True, tag=True):
    """A brawl zone.

    Attributes:
        participants: the able ones, in order of joining.
        fallen: who lies in it without taking part (SW-R16).
        radius: metres; kept at the guide's value unless `typed` (SW-077).
        capacity: most sections it holds.
        center: where on the line, if that is known.
    """

    participants: tuple[str, ...]
    fallen: tuple[str, ...] = ()
    radius: int | float = 2
    typed: bool = False
    capacity: int = 20
    center: int | float | None = None  # both: what was written as a whole number is read back as one


class Ruled(Struct, Data, frozen=True, tag=True):
    """The game master's word on a combatant's consciousness; it holds until the HP at which it was given change."""

    status: str
    hp: int
