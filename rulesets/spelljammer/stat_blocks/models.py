"""Stat blocks, switches and set-up of the percentile game, in one canonical form.

`shorthand` turns what a GM types into this form: a plain `def` is all `other`, `hp_max` fills `hp`, a weapon's class
fills its grievous chance.
"""

# Annotations are evaluated when the module is loaded: postponed, each would be compiled again at every start.

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, field

from tracker.core.game.file_syntax import ArticleKey, PronounKey, key, name_of
from tracker.core.terms.dice import Dice
from tracker.core.terms.values import Data

AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]
Percent: TypeAlias = Annotated[int, Meta(ge=0, le=100)]
Lighting: TypeAlias = Literal["lit", "starry_night", "cloudy_night", "unlit", "pitch_black"]


class Defence(Struct, frozen=True):
    """The parts of DEF."""

    dex: Annotated[int, key("from Dexterity; gone while casting or taking careful aim")] = 0
    skill: Annotated[int, key("from the Defence skill; gone while casting or taking careful aim")] = 0
    shield: Annotated[
        int, key("from the shield; gone while casting, against a free attack, and while it is not ready")
    ] = 0
    magic: Annotated[int, key("from magic that is always on; all that is left against surprise out of combat")] = 0
    other: Annotated[int, key("everything else; a plain `def: 20` stands here")] = 0


class Weapon(Struct, frozen=True, kw_only=True):
    """A weapon, or one attack of a monster's routine."""

    name: str
    sc: Annotated[int, key("strike chance, often above 100: SC less DEF or less on d100 hits", likely=(1, 250))]
    dmg: Annotated[Dice, key("damage dice with what is added")]
    rank: Annotated[
        AtLeastNone,
        key(
            "rank with it: the most that can be given up for DEF (5 a rank), the bonus of full and desperate "
            "defence, shots into a melee"
        ),
    ] = 0
    kind: Annotated[
        Literal["melee", "ranged"], key("`melee` or `ranged`; `type` or `missile` make it ranged where it is not typed")
    ] = "melee"
    wound_class: Annotated[
        Literal["A", "B", "C"] | None,
        key("wound class, puncture, slash or crush: a grievous hit wounds on 20, 60 or 20 or less"),
    ] = field(default=None, name="class")
    grievous_chance: Annotated[
        Percent | None,
        key("another chance of a grievous wound; with neither this nor a class you are asked", needed=False),
    ] = None
    type: Annotated[
        Literal["hand_crossbow", "crossbow", "bow"] | None, key("a bow or crossbow is harder to use while in melee")
    ] = None
    missile: Annotated[
        Literal["arrow", "quarrel", "javelin", "spear"] | None,
        key(
            "what sticks in the body after a critical or grievous hit: −2, −2, −3 or −4 DEX and 1, 1, 2 or 5 "
            "points of bleeding a round for arrow, quarrel, javelin, spear"
        ),
    ] = None
    spec: Annotated[
        Literal["none", "specialist", "double"],
        key("specialist or double specialist: into a melee, and in melee with a bow"),
    ] = "none"
    offhand: Annotated[bool, key("used in the off hand: SC −20, damage −2")] = False


class Spell(Struct, frozen=True, kw_only=True):
    """A spell with its casting time.

    None stands for the table of mages (T-4), `round` for a whole round.
    """

    name: str
    type: Annotated[
        Literal["gk", "sk", "cleric"],
        key("`gk` or `sk` of a mage: the table says how long it takes; `cleric`: `casting_time` is needed"),
    ] = "sk"
    rank: Annotated[
        AtLeastNone,
        key("rank of a mage, for the casting time: from 6 (`gk`) or 7 (`sk`) segments at rank 1 to 1 or 2 at rank 22"),
    ] = 1
    casting_time: Annotated[
        AtLeastNone | Literal["round"] | None,
        key(
            "segments from its beginning until it goes off, at most 15; or `round`: it begins on 10 and goes off on −5"
        ),
    ] = None
    cast_chance: Annotated[
        int | None, key("d100 against it when the spell goes off, wounds counted; without it the spell simply goes off")
    ] = None


class Creature(Struct, Data, frozen=True, kw_only=True, tag="sj_creature"):
    """A character or a monster (section 3)."""

    name: str
    id: str = ""
    hp: Annotated[int, key("present hit points, below 0 too; `hp_max` if it is not typed", needed=False)]
    hp_max: Annotated[
        AtLeastOne,
        key("most hit points; `hp` if it is not typed. Wound steps and the stun threshold count from it", needed=False),
    ]
    con: Annotated[
        AtLeastOne,
        key(
            "Constitution: one hit of more damage stuns. Above 25 by the table, +2 for a large and +4 for a "
            "giant creature, +1 for every 10 hit points or part of 10 above 100",
            likely=(1, 60),
        ),
    ]
    dex: Annotated[
        AtLeastOne,
        key(
            "Dexterity: attack and move, a dropped weapon, staying on the feet; stuck missiles lower it", likely=(1, 40)
        ),
    ] = 10
    per: Annotated[AtLeastOne, key("Perception: ambushes and unseen foes", likely=(1, 40))] = 10
    im: Annotated[
        int,
        key(
            "initiative modifier, added to every initiative die; the higher one acts first on a segment",
            likely=(-10, 20),
        ),
    ] = 0
    tmr: Annotated[float, Meta(ge=0), key("feet of a full move in a round; fractions are kept", likely=(0, 500))] = 30
    defence: Annotated[
        Defence,
        key(
            "Defence: a plain number (all of it `other`), or its parts",
            takes="stored or number",
            like=("15", "{dex: 10, skill: 5, shield: 10}"),
        ),
    ] = field(default=Defence(), name="def")
    prot: Annotated[
        AtLeastNone, key("protection of armour; each grievous hit lowers it by 1 until it is repaired", likely=(0, 40))
    ] = 0
    prot_natural: Annotated[AtLeastNone, key("protection of hide or magic, which nothing lowers")] = 0
    size: Annotated[
        Literal["tiny", "small", "medium", "large", "giant"], key("size, for shots and for the stun threshold")
    ] = "medium"
    attacks: Annotated[
        AtLeastOne, key("normal attacks in a round; each has an initiative die of its own", likely=(1, 12))
    ] = 1
    weapons: Annotated[
        tuple[Weapon, ...],
        key(
            "at least one, the preferred one first; of a monster its routine: attack 1 uses entry 1, and so "
            "on, the last one repeats. Names are unique"
        ),
    ]
    ambidextrous: Annotated[bool, key("no penalty for the off hand")] = False
    encumbered: Annotated[Literal["none", "normal", "double"], key("load: SC and DEF at −10, `double` at −25")] = "none"
    range_of_field: Annotated[
        AtLeastNone, key("rank of Range of Field: takes 2 a rank off what several attackers gain")
    ] = 0
    master_bowman: Annotated[
        AtLeastNone, key("rank of Master Bowman: twice of it is added when shooting into a melee")
    ] = 0
    attacker_count: Annotated[
        AtLeastOne, key("counts as so many attackers: one for each pair of independent tentacles")
    ] = 1
    spells: Annotated[tuple[Spell, ...], key("spells it can declare; names are unique")] = ()
    shield_ready: Annotated[bool, key("`false`: the shield part of DEF counts only after *ready shield*")] = True
    darkvision: Annotated[bool, key("light does not hamper its own attacks")] = False
    targeting_sense: Annotated[bool, key("foes it cannot see are no problem for it")] = False
    agile_flyer: Annotated[
        bool, key("a free attack on it, when it withdraws, is answered with no if you just press Enter")
    ] = False
    notes: str = ""
    pronoun: PronounKey = UNSET
    article: ArticleKey = UNSET


class HouseRules(Struct, Data, frozen=True, tag="sj_house_rules"):
    """The switches of section 10."""

    simultaneous_ties: Annotated[
        bool,
        key(
            "all acts of a segment are judged on the state at its start; otherwise the higher `im` acts "
            "first, then who stands first in the file"
        ),
    ] = False
    crit_table: Annotated[
        Literal["document", "formula"], key("what 29 is: as printed, or by the formula of all other rows")
    ] = "document"
    negative_def: Annotated[bool, key("DEF may fall below 0")] = True
    stun_stops_movement: Annotated[bool, key("the stunned stop moving too")] = False
    delay_attack_until_arrival: Annotated[
        bool,
        key(
            "an act after half a move or a run waits for the arrival; without a distance it ends the "
            "movement. `false`: it comes on its own initiative, and the movement goes its distance"
        ),
    ] = True
    spell_interrupt: Annotated[
        Literal["ask", "always", "damage", "never"],
        key("what a hit does to a spell: you are asked, it always ends it, only damage does, nothing does"),
    ] = "ask"
    death_at: Annotated[
        int | Literal["none"], key("at so many hit points or fewer the log says dead; `none`: only down")
    ] = "none"
    wound_start: Annotated[
        Literal["max", "fight"],
        key("wound steps that count are those below the hit points a combatant can have, or those it came with"),
    ] = "max"
    bleed_first_round: Annotated[
        bool, key("bleeding takes its points at the end of the round of the wound already")
    ] = True
    wound_mod_on_dex_rolls: Annotated[bool, key("wounds count on the DEX rolls of an action")] = True
    careful_aim_single_shot: Annotated[
        bool, key("only the first shot of the round has +15; what careful aim costs stays")
    ] = False
    careful_aim_carries_over: Annotated[
        bool, key("one with a single attack may spend it on taking aim, and has +15 in the next round")
    ] = False
    ambush_is_surprise: Annotated[bool, key("victims of 4× and 5× PER have only magical DEF")] = False
    lighting_and_unseen_stack: Annotated[
        bool, key("darkness and an unseen foe add up; `false`: the worse one counts")
    ] = True
    half_round_segment: Annotated[
        int, Meta(ge=1, le=10), key("on which segment a shield is ready and a potion is drunk")
    ] = 5
    grievous_wounds: Annotated[bool, key("a grievous hit may wound grievously; `false`: never")] = True


class Setup(Struct, Data, frozen=True, tag="sj_setup"):
    """Lighting, who is ambushed (names, ids or a side), and who is in melee already."""

    lighting: Annotated[
        Lighting, key("light for all attacks: 0, −10, −20, −40 or −60 SC from `lit` to `pitch_black`")
    ] = "lit"
    ambush: Annotated[
        tuple[Annotated[str, name_of(of="combatant or side")], ...],
        key(
            "who is ambushed when the fight opens: ids, names (a plain name means all of that name) or a "
            "side. Round 0 is then the ambush"
        ),
    ] = ()
    engaged: Annotated[
        tuple[tuple[Annotated[str, name_of(of="combatant")], Annotated[str, name_of(of="combatant")]], ...],
        key("pairs in melee when the fight opens, of different sides"),
    ] = ()
