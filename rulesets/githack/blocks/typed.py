"""What may be typed in GitHack's files, and what each key means."""

from __future__ import annotations

from tracker.core.game.typed import Key, Short, Typed, usual

_SYSTEMS = ("native", "ose", "ll", "sw", "adnd", "bfrpg", "lotfp", "d20", "dcc", "shadowdark", "knave")

_MEANS = {
    "pc": {
        "scores": "the six abilities; each may also stand beside the other keys (`str: 14`)",
        "ac": "Armour Class; typed, or from `armour`",
        "weapons": "weapons, the first one the usual one; bare hands are always there",
        "harm_max": "boxes of the Harm track; CON if it is not typed",
        "harm": (
            "the boxes as they are: `.` empty, `/` tick, `x` Wound, `*` Deep Wound; the end may be left out. Or a"
            " list: `[tick, cross, star]`"
        ),
        "angst": "Angst",
        "scars": "scars, for the record; a Deep Wound that heals adds one",
        "stance": "the stance it begins in; only with `stances`",
        "backgrounds": "listed beside the box for Advantage",
        "attack_with": "the ability it usually attacks with",
        "defend_with": "the ability it usually defends with; `con` behind a great shield",
        "str": "Strength, as in `scores`",
        "con": "Constitution, as in `scores`",
        "dex": "Dexterity, as in `scores`",
        "int": "Intelligence, as in `scores`",
        "wis": "Wisdom, as in `scores`",
        "cha": "Charisma, as in `scores`",
        "armour": "short for `ac`: `none` 0, `clothes` 1, `leather` 2, `light_chain` 3, `plate` 4",
    },
    "Scores": {
        "str": "Strength: attacks, unless another ability fits",
        "con": "Constitution: boxes of the track, poison, staying active",
        "dex": "Dexterity: initiative, defence, shots",
        "int": "Intelligence: saves for the mind, devices",
        "wis": "Wisdom: saves of no other kind, psychic attacks",
        "cha": "Charisma: talk",
    },
    "Weapon": {
        "dice": "dice, or a size: `small` d4, `medium` d6, `large` d8, `demon` d10",
        "demon": "a demon weapon; without `dice` 1d10, with other dice than d10 it is noted",
        "attack_with": "the ability that attacks with it; the owner's if it is not typed",
    },
    "monster": {
        "ac": "Armour Class as this game counts it, without an upper limit; with `system` as that game counts it",
        "hp": "hit points, the same for every copy; without them `hd` are rolled",
        "hd": "hit dice, rolled for each copy, at least 1: `3d8+1`, or as printed (`4+1`, `½`, `2*`)",
        "quick_hp": "the printed average, offered beside the dice",
        "attacks": "ways to attack, one of them a turn",
        "specials": "riders of every attack, and attacks of their own",
        "kept": "words of an imported print that no rule reads",
        "review": "what the import was not sure of, or what cannot mean what it says; for you to look at",
        "damage": "short for one attack: `1d6`, `3d4 (claws and bite)`, `2d6 (claws) plus 1d12 (bite)`; "
        "beside printed `attacks` it holds their dice",
        "reach": "where every attack strikes; told, not enforced",
        "stat_line": "a whole printed stat block; other keys win over it",
        "system": "the game that the numbers or the line are from",
        "choices": "answers to what a print leaves open",
        "morale": "kept and shown; no rule reads it",
        "move": "kept and shown; no rule reads it",
        "saves": "kept and shown; no rule reads it",
        "thac0": "kept and shown; no rule reads it",
        "xp": "kept and shown; no rule reads it",
        "alignment": "kept and shown; no rule reads it",
    },
    "Mode": {
        "name": "what it is called; unique in the block",
        "parts": "what is rolled together; dice alone stand for a part without a label",
        "reach": "where it strikes; told, not enforced",
        "specials": "riders of this attack alone",
        "defence": "the ability that defends; the target's own if it is not named",
    },
    "Part": {
        "dice": "dice; `1d8+2` is 1d8 with an add of 2",
        "label": "what deals it; specials name it in `part`",
        "add": "a printed fixed number (see `damage_adds`)",
    },
    "Special": {
        "name": "what it is called; unique in the block",
        "when": "what sets it off, see above",
        "save": (
            "abilities on offer for the save, the first the usual one; without one it simply works. As words too:"
            " `con, str`"
        ),
        "dice": "damage it deals instead of the attack's; elsewhere it is flagged for review",
        "keep_on_save": (
            "share of the dice that a saved target still takes, at least one die; not typed it is `1/2` with "
            "dice. `half`, `quarter` and `none` are read"
        ),
        "worsen": "each mark of the attack is one step worse",
        "deep": "each mark of the attack is a Deep Wound",
        "effect": (
            "the effect on its target: `paralysed` and `stuck` have rules, anything else is words; without one "
            "its name, unless it has dice or changes marks"
        ),
        "until": "how long the effect lasts; `{rounds: 2}` and `2 rounds` are read",
        "rounds": "how many, counted from the phase in which it begins",
        "timing": (
            "`after_combat`: the save is rolled at the end, as the form said, and what it does comes then; an "
            "effect lasts until removed"
        ),
        "uses": "how often in a combat, counted when it is set off; without it, always",
        "area": "instead of the attack: any number of targets, the hidden too",
        "continuing": (
            "while the effect lasts its monster hits the target in each turn without a defence, and attacks no "
            "other; pulled off, or gone with the monster"
        ),
        "destroys_ac": "AC that the effect destroys at the start of each round",
        "part": "the special belongs to the dice of this part, or of several: `claws, bite`",
        "review": "an import is not sure of it",
    },
    "switches": {
        "initiative": "roll in every round, once, or not at all: then all PCs are fast",
        "pc_order": (
            "`free`: fast (slow) PCs act in any order; `strict`: by what they rolled, unless you put them in order"
        ),
        "slow_order": "which slow PC stands first",
        "defence_rolls": (
            "one defence for a monster's whole attack, one for each of its parts, or one for all attacks on a PC "
            "in a monster phase"
        ),
        "monster_targets": "whether one attack of a monster may go at several PCs, each with dice of their own",
        "tie_is": "what a PC is who falls with as many Wounds as ticks",
        "bleed": "dying PCs get worse at each round's end, or when you say so",
        "save_rounding": "how the dice that a save leaves are rounded",
        "save_ability": "saves use the abilities of the special, or WIS first; never the save to stay active",
        "paralysis_saves": "one save for a paralysing attack, or one for each hit",
        "sticks_on": "a sticking attack sticks when it connects, or only with harm",
        "damage_adds": "a printed `+2` of damage is left out, or is one more d4",
        "stances": "[stances](#stances) and what follows from them",
        "degrees": "successes are weak (1-4), plain or great (10 and more); no number changes",
    },
    "set-up": {
        "stance_limits": "most PCs in a stance, such as `{defend: 2}`; the incapacitated count",
        "systems": "games whose prints are used, named by `system` in a stat block",
    },
    "StanceLimits": {
        "pursuit": "most PCs in it; without a number there is room for all",
        "defend": "the same",
        "flank": "the same",
        "talk": "the same; 0 in noise",
        "observe": "the same; 0 in fog",
        "device": "the same",
    },
    "PrintSystem": {
        "direction": "which way Armour Class counts in that game",
        "unarmoured": "its Armour Class without armour",
        "hit_die": "faces of its hit die",
    },
}

_KEYS = (
    *(Key("pc", ability, "number") for ability in ("str", "con", "dex", "int", "wis", "cha")),
    Key("pc", "armour", "text", r"none|clothes|leather|light[_ ]chain|plate", ("leather", "light_chain")),
    Key("pc", "harm", "stored or words or text", like=("/x", "[tick, cross]")),
    Key("Weapon", "dice", "dice or text", r"small|medium|large|demon", ("medium", "2d10"), needed=False),
    Key("monster", "ac", "number or text", like=("3", "4 [15]")),
    Key("monster", "hp", "stored or text", like=("9",)),
    Key("monster", "hd", "dice or text", like=("3d8+1", "4+1", "½", "2*")),
    Key("monster", "attacks", "list of Mode/text or text or number", like=("2 claws (1d4) or 1 bite (1d6)",)),
    Key("monster", "damage", "dice or text or list of Mode/text", like=("1d6", "2d6 (claws) plus 1d12 (bite)")),
    Key("monster", "reach", "text", r"close|ranged|both"),
    Key("monster", "stat_line", "text", like=("AC 5, HD 3, hp 12, claw 1d6",)),
    Key("monster", "system", "text or PrintSystem", like=_SYSTEMS),
    Key("monster", "choices", "block", like=("{hd: 8}",)),
    *(Key("monster", kept, "text or number") for kept in ("morale", "move", "saves", "thac0", "xp", "alignment")),
    Key("Mode", "parts", "list of Part/dice", like=("[1d4]", "[{dice: 1d6, label: bite}]")),
    Key("Special", "save", "stored or text", r"[\w/, ]+", ("con", "str/dex")),
    Key("Special", "until", "stored or text or block", r"(rounds:?\s*)?\d+(\s*rounds?)?", ("2 rounds", "{rounds: 2}")),
    Key("Special", "keep_on_save", "stored or text or number", r"0\.(5|25|75)|half|quarter|none"),
    Key("Special", "dice", "stored or text", r""),
)

_STARTER = {
    "pc": """\
str: 13
dex: 12
con: 11
armour: leather
weapons:
  - {name: axe, dice: medium}
""",
    "monster": """\
ac: 2
hd: 1d8
damage: 1d6
""",
}

TYPED = Typed(
    means=_MEANS,
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Short("pc", "str: 14", "an ability beside the other keys instead of in `scores`"),
        Short("pc", "armour: light_chain", "`none`, `clothes`, `leather`, `light_chain` or `plate`, for `ac`"),
        Short("pc", "weapons: [{name: sword, dice: large}]", "dice by size: `small`, `medium`, `large`, `demon`"),
        Short("pc", "harm: //x", "the first boxes; the rest of the track is empty"),
        Short("monster", 'stat_line: "AC 5, HD 3, hp 12, claw 1d6"', "a printed line; keys beside it win"),
        Short("monster", "damage: 1d8", "one attack"),
        Short("monster", "{attacks: 2, damage: 1d4/1d4}", "attacks and damage as they are printed"),
        Short("monster", "{damage: 1d6, reach: both}", "where that attack strikes"),
        Short("monster", "{ac: 15, system: d20}", "numbers as another game counts them, turned into this one's"),
        Short("monster", "{damage: 1d6, morale: 8}", "words of a print that no rule reads are kept in the notes"),
    ),
    words=usual(
        {
            "armour": "armor",
            "hd": "hit_dice",
            "damage": "dmg",
            "weapons": "weapon",
            "paralysed": "paralysis paralyzed",
            "poisoned": "poison",
        },
        "ac hp str con dex int wis cha",
    ),
)
