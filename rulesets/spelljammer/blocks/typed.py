"""What may be typed in the percentile game's files, and what each key means."""

from __future__ import annotations

from tracker.core.game.typed import Key, Short, Typed, usual

_ALL = "pc or monster"

_MEANS = {
    "pc or monster": {
        "hp": "present hit points, below 0 too; `hp_max` if it is not typed",
        "hp_max": "most hit points; `hp` if it is not typed. Wound steps and the stun threshold count from it",
        "con": (
            "Constitution: one hit of more damage stuns. Above 25 by the table, +2 for a large and +4 for a giant"
            " creature, +1 for every 10 hit points or part of 10 above 100"
        ),
        "dex": "Dexterity: attack and move, a dropped weapon, staying on the feet; stuck missiles lower it",
        "per": "Perception: ambushes and unseen foes",
        "im": "initiative modifier, added to every initiative die; the higher one acts first on a segment",
        "tmr": "feet of a full move in a round; fractions are kept",
        "def": "Defence: a plain number (all of it `other`), or its parts",
        "prot": "protection of armour; each grievous hit lowers it by 1 until it is repaired",
        "prot_natural": "protection of hide or magic, which nothing lowers",
        "size": "size, for shots and for the stun threshold",
        "attacks": "normal attacks in a round; each has an initiative die of its own",
        "weapons": (
            "at least one, the preferred one first; of a monster its routine: attack 1 uses entry 1, and so on, "
            "the last one repeats. Names are unique"
        ),
        "ambidextrous": "no penalty for the off hand",
        "encumbered": "load: SC and DEF at −10, `double` at −25",
        "range_of_field": "rank of Range of Field: takes 2 a rank off what several attackers gain",
        "master_bowman": "rank of Master Bowman: twice of it is added when shooting into a melee",
        "attacker_count": "counts as so many attackers: one for each pair of independent tentacles",
        "spells": "spells it can declare; names are unique",
        "shield_ready": "`false`: the shield part of DEF counts only after *ready shield*",
        "darkvision": "light does not hamper its own attacks",
        "targeting_sense": "foes it cannot see are no problem for it",
        "agile_flyer": "a free attack on it, when it withdraws, is answered with no if you just press Enter",
        "side": "nothing: the encounter's sides say it",
    },
    "Defence": {
        "dex": "from Dexterity; gone while casting or taking careful aim",
        "skill": "from the Defence skill; gone while casting or taking careful aim",
        "shield": "from the shield; gone while casting, against a free attack, and while it is not ready",
        "magic": "from magic that is always on; all that is left against surprise out of combat",
        "other": "everything else; a plain `def: 20` stands here",
    },
    "Weapon": {
        "sc": "strike chance, often above 100: SC less DEF or less on d100 hits",
        "dmg": "damage dice with what is added",
        "rank": (
            "rank with it: the most that can be given up for DEF (5 a rank), the bonus of full and desperate "
            "defence, shots into a melee"
        ),
        "kind": "`melee` or `ranged`; `type` or `missile` make it ranged where it is not typed",
        "class": "wound class, puncture, slash or crush: a grievous hit wounds on 20, 60 or 20 or less",
        "grievous_chance": "another chance of a grievous wound; with neither this nor a class you are asked",
        "type": "a bow or crossbow is harder to use while in melee",
        "missile": (
            "what sticks in the body after a critical or grievous hit: −2, −2, −3 or −4 DEX and 1, 1, 2 or 5 "
            "points of bleeding a round for arrow, quarrel, javelin, spear"
        ),
        "spec": "specialist or double specialist: into a melee, and in melee with a bow",
        "offhand": "used in the off hand: SC −20, damage −2",
    },
    "Spell": {
        "type": "`gk` or `sk` of a mage: the table says how long it takes; `cleric`: `casting_time` is needed",
        "rank": (
            "rank of a mage, for the casting time: from 6 (`gk`) or 7 (`sk`) segments at rank 1 to 1 or 2 at rank 22"
        ),
        "casting_time": (
            "segments from its beginning until it goes off, at most 15; or `round`: it begins on 10 and goes off on −5"
        ),
        "cast_chance": (
            "d100 against it when the spell goes off, wounds counted; without it the spell simply goes off"
        ),
    },
    "switches": {
        "simultaneous_ties": (
            "all acts of a segment are judged on the state at its start; otherwise the higher `im` acts first, "
            "then who stands first in the file"
        ),
        "crit_table": "what 29 is: as printed, or by the formula of all other rows",
        "negative_def": "DEF may fall below 0",
        "stun_stops_movement": "the stunned stop moving too",
        "delay_attack_until_arrival": (
            "an act after half a move or a run waits for the arrival; without a distance it ends the movement. "
            "`false`: it comes on its own initiative, and the movement goes its distance"
        ),
        "spell_interrupt": (
            "what a hit does to a spell: you are asked, it always ends it, only damage does, nothing does"
        ),
        "death_at": "at so many hit points or fewer the log says dead; `none`: only down",
        "wound_start": (
            "wound steps that count are those below the hit points a combatant can have, or those it came with"
        ),
        "bleed_first_round": "bleeding takes its points at the end of the round of the wound already",
        "wound_mod_on_dex_rolls": "wounds count on the DEX rolls of an action",
        "careful_aim_single_shot": "only the first shot of the round has +15; what careful aim costs stays",
        "careful_aim_carries_over": (
            "one with a single attack may spend it on taking aim, and has +15 in the next round"
        ),
        "ambush_is_surprise": "victims of 4x and 5x PER have only magical DEF",
        "lighting_and_unseen_stack": "darkness and an unseen foe add up; `false`: the worse one counts",
        "half_round_segment": "on which segment a shield is ready and a potion is drunk",
        "grievous_wounds": "a grievous hit may wound grievously; `false`: never",
    },
    "set-up": {
        "lighting": "light for all attacks: 0, −10, −20, −40 or −60 SC from `lit` to `pitch_black`",
        "ambush": (
            "who is ambushed when the fight opens: ids, names (a plain name means all of that name) or a side. "
            "Round 0 is then the ambush"
        ),
        "engaged": "pairs in melee when the fight opens, of different sides",
    },
}

_KEYS = (
    Key(_ALL, "hp", needed=False),
    Key(_ALL, "hp_max", needed=False),
    Key(_ALL, "def", "stored or number", like=("15", "{dex: 10, skill: 5, shield: 10}")),
    Key(_ALL, "side", "text"),
    Key("Weapon", "grievous_chance", needed=False),
)

_STARTER = {
    "pc": """\
hp: 20
con: 12
def: 15
weapons:
  - {name: cutlass, sc: 60, dmg: 1d8}
""",
    "monster": """\
hp: 16
con: 10
weapons:
  - {name: claw, sc: 45, dmg: 1d6}
""",
}

TYPED = Typed(
    means=_MEANS,
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Short("pc", "def: 15", "all of it in one number, which no circumstance takes apart"),
        Short("pc", "hp_max: 40", "present hit points are the same"),
        Short("monster", "weapons: [{name: claw, sc: 60, dmg: 1d6, class: B}]", "the grievous chance of that class"),
        Short("pc", "weapons: [{name: bow, sc: 70, dmg: 1d6, missile: arrow}]", "a ranged weapon"),
    ),
    words=usual(
        {
            "def": "ac armor_class defence defense",
            "prot": "armor armour protection",
            "dmg": "damage",
            "sc": "strike_chance",
            "weapons": "attack damage dmg",
            "notes": "morale",
            "im": "initiative",
            "tmr": "move movement speed",
        },
        "hp con dex per",
    ),
)
