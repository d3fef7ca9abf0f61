"""What may be typed in Worlds Without Number's files, and what each key means."""

from __future__ import annotations

from rulesets.without_number.blocks import MODIFIERS, SKILL_WORDS
from tracker.core.game.typed import Key, Short, Typed, usual

_AC = r"\d{1,3}\s*a?"
_SAVE = r"\d+\+?"
_SHOCK = r"\d+\s*/\s*(AC\s*)?(\d+|-|–|—)|([Ww]pn|[Ww]eapon)\.?(\s*[+-]\d+)?|[Nn]one|-"
_HIT_DICE = r"1/2|½|\d+\s*[Hh][Pp]|\d+(\s*[+-]\s*\d+)?|[+-]?\d*[dD]\d+.*"

_BOTH = {
    "shield": "ignores the first Shock of every round",
    "move": "feet; `40' fly` counts as 40 and is shown in full",
    "move_text": "the words of `move`",
    "auto_initiative": "acts before all sides",
    "immune_to_surprise": "is never surprised",
    "shock_immune": "takes no Shock",
    "bonus": "`{hit: 1, damage: 1}`; only `shock` raises Shock",
    "trauma_target": "with `trauma: true` only",
    "trauma_immune": "with `trauma: true` only",
    "size": "`large` (−2) or `beast` (−4) for others who shove or grapple it",
    "instants": "Instant powers",
}
_MEANS = {
    "pc": {
        **_BOTH,
        "hp": "most hit points",
        "hp_now": "present hit points; `hp` if it is not typed; a present 0 starts stable",
        "ac": "one number, or `{melee: 13, ranged: 15}`; the shield included",
        "ab": "base attack bonus",
        "level": "serves only the saves",
        "mods": "`{str: 1, dex: -1}`; or `attributes: {str: 14}`, from which they are computed (`mods` wins)",
        "skills": "`{stab: 1, shoot: 0}`; what is not listed is unskilled, the same as −1",
        "saves": "`{physical: 12, evasion: 15, mental: 14}`; computed if they are not typed",
        "weapons": "see Weapon; bare hands are always there",
        "unarmed": "what bare hands do: dice or a weapon",
        "dual_wield": "`[short sword, dagger]`, or `true` for the first two one-handed weapons",
        "frail": "the next time at 0 hit points is death",
        "kind": "`pc` or `monster`, whatever the heading",
        "attributes": "scores, from which `mods` are worked out",
    },
    "monster": {
        **_BOTH,
        "hd": "hit dice; also the attack bonus if `atk` is not typed",
        "hit_dice": "dice for hit points; from `hd`",
        "hp": "hit points; rolled if they are not typed",
        "ac": "`15`, `15a` (worn armour), or `{melee: 12, ranged: 15}`",
        "worn_armor": "its AC comes from worn armour",
        "atk": "`+6`, or `+6 x2` for two attacks in one Main action",
        "attacks": "attacks in one Main action; 0: it does not attack",
        "weapons": (
            "several attacks to choose from; without them `dmg`, `shock`, `kind` and `natural` make one called attack"
        ),
        "any_weapon": "printed as `Wpn`: any preset",
        "unarmed": "damage at each round's end to the combatant it holds",
        "ml": "Morale (12 never breaks)",
        "inst": "Instinct",
        "skill": "one number for all skills",
        "save": "`13` or `13+`; from `hd` if it is not typed",
        "init_mod": "added to its initiative",
        "disciplined": "may make Snap Attacks",
        "fate": "`mortal`: lies dying at 0 hit points, like a player character",
        "leader": "its fall raises the question of Morale",
        "expects_trouble": "cannot be executed; a side where all have it cannot be surprised",
        "npc": "rolls and checks Morale like an NPC; true for the GM's sides",
        "unread": "columns of a printed line that could not be read",
        "dmg": "damage of the default attack; `Wpn`: whatever weapon it holds",
        "shock": "Shock of the default attack: points, and the highest AC it harms",
        "trauma": "Trauma Die and Rating of the default attack",
        "natural": "whether the default attack is part of its body",
        "kind": "the kinds of the default attack; or `pc`, `monster`, whatever the heading",
        "stat_line": "a whole printed line; keys beside it win",
    },
    "ArmorClass": {
        "melee": "against melee attacks",
        "ranged": "against all others",
    },
    "Mods": MODIFIERS,
    "Saves": {
        "physical": "against physical harm",
        "evasion": "against what can be dodged",
        "mental": "against what befalls the mind",
    },
    "Weapon": {
        "dmg": "a character's weapon: without the attribute modifier; a monster's: complete",
        "kind": "a dagger is `[melee, thrown]`",
        "attr": "attributes the wielder may use for hit, damage and Shock",
        "skill": (
            "`stab` for melee, `shoot` for ranged and thrown; a throw can always use `shoot`, `stab` and `exert`"
        ),
        "shock": "`2/15`, `5/-`; the attribute modifier of a character is added",
        "hands": "`2`: a ranged weapon is useless with an enemy in reach",
        "range": "`30/60`: normal and farthest, in feet",
        "reload": "empty after each shot",
        "natural": "part of the body",
        "nonlethal": "fit for stunning (a hint, you still tick it)",
        "trauma": "`{die: 1d6, rating: 2}`",
        "bonus": "`{hit: 1, damage: 2, shock: 1}`, the weapon's own",
        "attacks": (
            "attacks with it in one Main action; as many as its owner's if it is not typed; all together where "
            "they add up to those"
        ),
    },
    "Bonus": {
        "hit": "to hit",
        "damage": "to damage",
        "shock": "to Shock",
        "trauma_die": "to the Trauma Die; a wielder's alone",
    },
    "Instant": {
        "does": "after an attack roll; `note` is only counted",
        "uses": "in a fight",
    },
    "Shock": {
        "points": "harm of a miss",
        "ac": "the highest AC it harms; none: any",
    },
    "Trauma": {
        "die": "Trauma Die",
        "rating": "Trauma Rating",
    },
    "switches": {
        "initiative": "one roll for a side, or one for each combatant",
        "trauma": "the optional Trauma Dice",
        "companion": "dying, Morale, recovery and computed saves; without them you are asked instead",
        "opposed_ties": "who wins a tied check",
        "natural_attack": "natural 20 always hits, natural 1 always misses",
        "natural_saves": "natural 20 always saves, natural 1 never",
        "swarm_size": "most assailants in one Swarm Attack",
        "swarms_per_target": "in one round",
        "ask_instants": "who is asked for answers to an attack",
        "death_rounds": "rounds after the one of the fall until death",
    },
    "set-up": {
        "wait": "stay in the set-up, for executions before the fight; `n` opens it",
    },
    "side": {
        "surprised": "caught unaware: the others act first, in round 0",
        "expects_trouble": "cannot be surprised; not together with `surprised: true`",
        "initiative_modifier": "added to the side's initiative",
    },
}

_KEYS = (
    Key("pc", "kind", "text", r"pc|monster"),
    Key("pc", "hp_now", needed=False),
    Key("pc", "ac", "number or text or ArmorClass", _AC, ("15", "15a", "{melee: 12, ranged: 15}")),
    Key("pc", "attributes", "numbers", like=("{str: 14, dex: 9}",)),
    Key("pc", "skills", "numbers or list", like=("{stab: 1, sneak: 0}",)),
    Key("pc", "weapons", "list of Weapon/text", like=("[long sword, {name: net, dmg: none}]",)),
    Key("pc", "unarmed", "part of Weapon or dice", like=("1d4",)),
    Key("pc", "dual_wield", "flag or words", like=("true", "[short sword, dagger]")),
    Key("pc", "move", "number or text", like=("30", "40' fly")),
    Key("monster", "hd", "number or text", _HIT_DICE, ("3", "3+1", "1/2", "3 HP")),
    Key("monster", "ac", "number or text or ArmorClass", _AC, ("15", "15a", "{melee: 12, ranged: 15}")),
    Key("monster", "atk", "number or text", r"[+-]?\d+(\s*[x×*]\s*\d+)?|[Nn]/?[Aa]|none|-|–", ("+6", "+6 x2", "N/A")),
    Key("monster", "dmg", "dice or text", like=("1d8+2", "Wpn+1", "none")),
    Key("monster", "shock", "Shock or text", _SHOCK, ("2/15", "5/-", "Wpn", "none")),
    Key("monster", "trauma", "Trauma or text", like=("1d6/x2",)),
    Key("monster", "natural", "flag"),
    Key("monster", "kind", "words or text", like=("[ranged]", "monster")),
    Key("monster", "weapons", "list of Weapon/text", like=("[short sword, {name: bite, dmg: 1d6}]",)),
    Key("monster", "unarmed", "part of Weapon or dice", like=("1d4",)),
    Key("monster", "move", "number or text", like=("30", "40' fly")),
    Key("monster", "save", "number or text", _SAVE, ("13", "13+")),
    Key("monster", "ml", "stored or text", r"\+?\d+"),
    Key("monster", "skill", "stored or text", r"[+-]?\d+"),
    Key("monster", "stat_line", "text", like=("3  14  +4 x2  1d6  1/13  40'  8  6  +1  14+",)),
    Key("ArmorClass", "melee", "number or text", _AC, needed=True),
    Key("ArmorClass", "ranged", "number or text", _AC, needed=True),
    Key("Saves", "physical", "number or text", _SAVE),
    Key("Saves", "evasion", "number or text", _SAVE),
    Key("Saves", "mental", "number or text", _SAVE),
    Key("Weapon", "dmg", "dice or text", like=("1d8", "none"), needed=False),
    Key("Weapon", "kind", "stored or text", r"[\w/, ]+", ("[melee, thrown]",)),
    Key("Weapon", "attr", "stored or text", r"[\w/, ]+", ("str/dex",)),
    Key("Weapon", "skill", "stored or text or nothing", r"none|-"),
    Key("Weapon", "shock", "Shock or text or nothing", _SHOCK, ("2/15", "5/-")),
    Key("Weapon", "range", "list or text or nothing", r"\d+\D*/\s*\d+\D*|none|-", ("30/60",)),
    Key("Weapon", "reload", "stored or text or nothing", r"none|-"),
    Key("Weapon", "trauma", "Trauma or text", like=("1d6/x3",)),
    Key("Trauma", "rating", "number or text", r"x?\d+"),
)

_STARTER = {
    "pc": """\
hp: 9
ac: 13
ab: 1
attributes: {str: 13, dex: 12}
skills: {stab: 1}
weapons: [short sword]
""",
    "monster": """\
hd: 1
ac: 12
atk: +1
dmg: 1d6
ml: 7
""",
}

TYPED = Typed(
    means=_MEANS,
    keys=_KEYS,
    starter=_STARTER,
    also=(
        ("monster", "hit dice", "hd"),
        ("monster", "armor class", "ac"),
        ("monster", "armour class", "ac"),
        ("monster", "attack", "atk"),
        ("monster", "damage", "dmg"),
        ("monster", "morale", "ml"),
        ("monster", "instinct", "inst"),
    ),
    any_case=("pc", "monster", "Weapon", "Instant"),
    short=(
        Short("pc", "{hp: 9, attributes: {str: 14}}", "`mods`, worked out"),
        Short("pc", "{hp: 9, ac: 15}", "against every attack"),
        Short("pc", "{hp: 9, weapons: [long sword, {name: dagger, dmg: 1d6}]}", "a preset by name; keys beside it win"),
        Short("pc", "{hp: 9, weapons: [short sword, dagger], dual_wield: true}", "the first two one-handed weapons"),
        Short("pc", "{hp: 9, unarmed: 1d4}", "damage of bare hands"),
        Short("monster", "ac: 15a", "worn armour"),
        Short("monster", "{atk: +6 x2, dmg: 1d8+2, shock: 4/15}", "the default attack, twice in one Main action"),
        Short("monster", "{dmg: 1d6, kind: [ranged], natural: true}", "what kind of attack that is"),
        Short("monster", "hd: 1/2", "1d4 hit points"),
        Short("monster", "hd: 3+1", "three dice and a point"),
        Short("monster", "hd: 3 HP", "fixed hit points"),
        Short("monster", "move: 40' fly", "40 feet, shown in full"),
        Short("monster", "save: 13+", "the number"),
        Short(
            "monster", 'stat_line: "3  14  +4 x2  1d6  1/13  40\'  8  6  +1  14+"', "a printed line; keys beside it win"
        ),
    ),
    words=usual(
        {
            **SKILL_WORDS,
            "ml": "morale",
            "inst": "instinct",
            "dmg": "damage",
            "atk": "attack",
            "ab": "attack_bonus",
            "move": "speed movement",
            "save": "saving_throw",
            "punch": "brawl fight",
        },
        "hp ac",
    ),
)
