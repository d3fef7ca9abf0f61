"""What may be typed in Sword World's files, and what each key means."""

from __future__ import annotations

from tracker.core.game.typed import Key, Short, Typed, usual

_ALL = "character or monster"
_DICE = r"[+-]?\d*[dD]\d*(\s*[+-]\s*\d*([dD]\d*)?)*"

_MEANS = {
    "character or monster": {
        "hp": "most HP; a fight begins with them",
        "move": "metres of a normal move; `agility` if it is not typed",
        "level": "in a surprise attack a monster's level stands for its roll",
        "mp": "most MP",
        "agility": "metres of a normal move of a character; one of the two is needed",
        "defense": "Defense of armor and shield, taken off physical damage",
        "armor": "`metal` raises the crit rate of weapon attacks on the wearer by 1",
        "evasion": "bonus to dodge",
        "evasion_fixed": "Evasion in place of 2d and bonus",
        "fortitude": "bonus against bodily harm; a Death Check is one",
        "fortitude_fixed": "Fortitude in place of 2d and bonus",
        "willpower": "bonus against spells",
        "willpower_fixed": "Willpower in place of 2d and bonus",
        "initiative": "bonus",
        "initiative_fixed": "Initiative in place of 2d and bonus",
        "hide": "bonus of those who attempt a surprise attack",
        "danger_sense": "bonus of those who may notice one",
        "monster_knowledge": "bonus to recognise monsters before Initiative",
        "spellcasting": "bonus of its spells against Willpower",
        "magic_power": "added to the Impact of its spells",
        "sections": "body sections: the room it takes in a brawl, and what it takes to hold it",
        "body": "sections entered as combatants of their own share this word",
        "fencer": "crit rate of its weapons is 1 lower",
        "hawkeye": "may aim past a brawl that lies between",
        "prone": "lies on the ground when the fight begins",
        "death_checks": "HP below 0 call for a Death Check; `true` for characters if it is not typed",
        "earns_xp": "gets 50 xp for an automatic failure; `true` for characters if it is not typed",
        "knowledge_target": "total of Monster Knowledge that recognises it; without one the GM decides",
        "weakness_target": "total that tells its weakness as well",
        "attacks": "see [attacks](#attacks); the first one of a character is in hand",
        "spells": "see [spells and abilities](#spells-and-abilities)",
        "feats": "see [feats](#feats)",
        "weaknesses": "see [weaknesses and reductions](#weaknesses-and-reductions)",
        "reductions": "the same",
        "drops": "see [drops](#drops)",
        "sword_shards": "added up when the spoils are collected",
        "kind": "`character` or `monster`, whatever the heading",
    },
    "Attack": {
        "name": "no two attacks of a block have the same",
        "mode": "`melee` needs a shared brawl; a `gun` does magical damage",
        "accuracy": "bonus to hit",
        "accuracy_fixed": "Accuracy in place of 2d and bonus",
        "impact": "row of the Impact table",
        "crit": "2d from which the Impact is rolled again; 13 and more: never, never below 8",
        "damage": "damage dice in place of an Impact, such as `2d+3`: no criticals, no automatic failure",
        "bonus": "bonus damage, added once",
        "damage_type": "Defense lowers only physical damage; `magical` for guns",
        "energy": "special types, such as `fire`; one word or a list",
        "range": "metres; without one any distance will do",
        "stow": "can be put away (swords, one-handed guns); anything else is dropped to draw another",
        "additional": "see [additional damage](#additional-damage)",
    },
    "Addition": {
        "amount": "points",
        "type": "its type; the attack's if it is not typed",
        "note": "what it is called in the log",
    },
    "Spell": {
        "name": "no two spells of a block have the same",
        "cost": "MP, paid before the first die",
        "area": "whom it meets, see below",
        "max_targets": "for a `radius`: most targets; without one all in it",
        "range": "metres; without one any distance will do",
        "impact": "row of the Impact table, for damage or healing",
        "crit": "2d from which the Impact is rolled again",
        "heal": "heals instead of harming; never critical",
        "bonus": "added to the Impact; `magic_power` if it is not typed",
        "resist": (
            "Willpower that wins halves the damage, negates the spell, or is not asked for; `half` for damage and"
            " `none` for the rest if it is not typed"
        ),
        "damage_type": "`magical` passes Defense",
        "pool": "what it takes or gives back",
        "energy": "special types, one word or a list",
        "free_action": "costs no standard action; any number in a turn",
        "duration": "rounds, seconds (`30s`), or `combat`; it needs an effect",
        "effect": (
            "numbers it changes, such as `{evasion: -2}`; `{}` changes none and only holds; without a duration it"
            " lasts the whole fight"
        ),
        "note": "shown with the spell",
    },
    "Change": {
        "stat": "the number; `all_checks` counts for every check of 2d",
        "amount": "by how much",
        "type": "for `damage` alone: its type",
    },
    "Feat": {
        "declared": "switched on for one action, one a turn; otherwise it always counts",
        "accuracy": "of weapon attacks",
        "evasion": "of a declared feat: until the owner's next turn",
        "damage": "additional damage of weapon attacks, and of the spell it is declared for",
        "damage_type": "type of that damage; the attack's if it is not typed",
        "crit": "added to the crit rate: `-1` makes criticals likelier",
        "note": "told when it is declared",
    },
    "Weakness": {
        "when": "`magic`, `physical`, or an energy",
        "extra": "damage added once to such an attack",
        "type": "its type; the attack's if it is not typed",
    },
    "Reduction": {
        "when": "`any`, `magic`, `physical`, or an energy",
        "amount": "damage spared",
    },
    "Drop": {
        "low": 'least 2d, 0 for always; typed as `roll: "2-6"`, `"10+"` or `always`',
        "high": "greatest 2d",
        "item": "what is found",
        "note": "what it is worth",
        "roll": "on which rolls: `2-6`, `10+`, `7` or `always`; short for `low` and `high`",
    },
    "set-up": {
        "distance": "starting distance in metres",
        "space": "pre-fills the distance: 5, 10, 10 or 20 m",
        "moving": "metres added for riders and the like",
        "large_monster": "metres added for a large monster",
        "indoor": "brawls have the indoor sizes",
        "field_width": "metres; limits how many fit into a brawl",
        "terrain": "words, for the GM",
        "zones": "brawls that are going on when the fight begins",
        "known": "monsters that need no Monster Knowledge",
        "surprise": "the side that attempts a surprise attack",
    },
    "ZoneSetup": {
        "participants": "ids or names, in order of joining; the first one is the center",
        "radius": "metres; the guide's for so many fighters if it is not typed",
        "capacity": "most sections it holds; what fits into the field if it is not typed",
    },
    "Known": {
        "who": "a character, by id or name",
        "monsters": "ids or names; each stands for its whole kind",
    },
    "member": {
        "pos": "place on the line, in metres; forms are pre-filled from it",
        "in_hand": "the attack a character has in hand; the first one if it is not typed",
    },
    "switches": {
        "initiative_tie": "who leads when a PC equals the best monster",
        "initiative_contest_tie": "who leads when the best opponent is a character and equals the best PC",
        "duration_anchor": "rounds are counted by phases of the side an effect is on, or of the side it is cast in",
        "move_after_action": "moving is allowed after the standard action",
        "brawl_end": "a brawl is over when one side has no able fighter in it, or nobody",
        "unconscious_are_candidates": "crossfire and random areas meet the unconscious, too",
        "indoor_zone_table": "the indoor sizes for two and for three to five fighters as printed, or exchanged",
        "halving": "how the half of a resisted spell is rounded",
        "impact_roll": "one Impact roll for each target of an area, or one for all",
        "unconscious": "unconscious at 0 HP, or below",
        "automatic_results": (
            "double 1 fails and double 6 succeeds on every check, Initiative and Monster Knowledge among them"
        ),
        "spoils_roll": "one 2d for each defeated monster, or one for all",
    },
}

_KEYS = (
    Key(_ALL, "move", needed=False),
    Key(_ALL, "kind", "text", r"character|monster"),
    Key("Attack", "damage", "dice or text", _DICE, ("2d+3", "2d6+3")),
    Key("Attack", "energy", "stored or text", r"[\w ]+"),
    Key("Spell", "energy", "stored or text", r"[\w ]+"),
    Key("Spell", "bonus", needed=False),
    Key("Spell", "resist", needed=False),
    Key("Spell", "duration", "stored or number or text", r"\d{1,6}\s*(s|rounds?)?|combat", ("3", "30s", "combat")),
    Key("Spell", "effect", "stored or block", like=("{evasion: -1}", "{damage: {amount: 1, type: magical}}")),
    Key("Drop", "roll", "text or number", r"\d+(\s*[-–]\s*\d+|\+)?|always", ("2-6", "10+", "always")),
    Key("Drop", "low", needed=False),
    Key("Drop", "high", needed=False),
)

_STARTER = {
    "character": """\
hp: 20
agility: 15
evasion: 4
defense: 3
attacks:
  - {name: Sword, accuracy: 5, impact: 10}
""",
    "monster": """\
hp: 14
move: 12
evasion: 3
attacks:
  - {name: Claw, accuracy: 3, damage: 2d+2}
""",
}

TYPED = Typed(
    means=_MEANS,
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Short("character", "{hp: 20, agility: 15}", "`move` too"),
        Short(
            "monster", "{hp: 20, move: 15, attacks: [{name: Claw, damage: 2d+3}]}", "dice without faces are six-sided"
        ),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: 2-6, item: nothing}]}", "`low` and `high`"),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: 10+, item: ring}]}", "from 10 to 12"),
        Short("monster", "{hp: 20, move: 15, drops: [{roll: always, item: hide}]}", "without a roll"),
        Short(
            "character",
            "{hp: 20, move: 15, spells: [{name: Hex, duration: 30s, effect: {evasion: -1}}]}",
            "rounds of ten seconds; an effect by number",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Torch, impact: 5, energy: fire}]}",
            "one energy without a list",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Musket, mode: gun, impact: 20}]}",
            "a gun's damage is magical",
        ),
        Short(
            "character",
            "{hp: 20, move: 15, spells: [{name: Load, duration: 1, effect: {damage: {amount: 1, type: magical}}}]}",
            "damage of a type of its own",
        ),
    ),
    words=usual(
        {
            "evasion": "ac",
            "defense": "armor_class defence",
            "armor": "armour",
            "damage": "dmg damage_dice",
            "move": "movement speed",
            "crit": "critical",
            "attacks": "weapons damage dmg",
            "notes": "morale ml",
            "drops": "loot spoils",
        },
        "hp",
    ),
)
