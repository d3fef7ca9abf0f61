"""What may be typed in Worlds Without Number's files besides the keys of its Structs."""

from __future__ import annotations

from rulesets.without_number.stat_blocks import SKILL_WORDS
from rulesets.worlds_without_number.stat_blocks.models import SHOCK_FORM
from tracker.core.game.file_syntax import FileSyntax, KeySyntax, Shorthand, usual

_KEYS = (
    KeySyntax("pc", "kind", "`pc` or `monster`, whatever the heading", "text", form=r"pc|monster"),
    KeySyntax("pc", "attributes", "scores, from which `mods` are worked out", "numbers", like=("{str: 14, dex: 9}",)),
    KeySyntax(
        "monster",
        "dmg",
        "damage of the default attack; `Wpn`: whatever weapon it holds",
        "dice or text",
        like=("1d8+2", "Wpn+1", "none"),
        also=("damage",),
    ),
    KeySyntax(
        "monster",
        "shock",
        "Shock of the default attack: points, and the highest AC it harms",
        "Shock or text",
        form=SHOCK_FORM,
        like=("2/15", "5/-", "Wpn", "none"),
    ),
    KeySyntax("monster", "trauma", "Trauma Die and Rating of the default attack", "Trauma or text", like=("1d6/x2",)),
    KeySyntax("monster", "natural", "whether the default attack is part of its body", "flag"),
    KeySyntax(
        "monster",
        "kind",
        "the kinds of the default attack; or `pc`, `monster`, whatever the heading",
        "words or text",
        like=("[ranged]", "monster"),
    ),
    KeySyntax(
        "monster",
        "stat_line",
        "a whole printed line; keys beside it win",
        "text",
        like=("3  14  +4 x2  1d6  1/13  40'  8  6  +1  14+",),
    ),
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

FILE_SYNTAX = FileSyntax(
    bonus="atk",
    damage="dmg",
    keys=_KEYS,
    starter=_STARTER,
    any_case=("pc", "monster", "Weapon", "Instant"),
    short=(
        Shorthand("pc", "{hp: 9, attributes: {str: 14}}", "`mods`, worked out"),
        Shorthand("pc", "{hp: 9, ac: 15}", "against every attack"),
        Shorthand(
            "pc", "{hp: 9, weapons: [long sword, {name: dagger, dmg: 1d6}]}", "a preset by name; keys beside it win"
        ),
        Shorthand(
            "pc", "{hp: 9, weapons: [short sword, dagger], dual_wield: true}", "the first two one-handed weapons"
        ),
        Shorthand("pc", "{hp: 9, unarmed: 1d4}", "damage of bare hands"),
        Shorthand("monster", "ac: 15a", "worn armour"),
        Shorthand("monster", "{atk: +6 x2, dmg: 1d8+2, shock: 4/15}", "the default attack, twice in one Main action"),
        Shorthand("monster", "{dmg: 1d6, kind: [ranged], natural: true}", "what kind of attack that is"),
        Shorthand("monster", "hd: 1/2", "1d4 hit points"),
        Shorthand("monster", "hd: 3+1", "three dice and a point"),
        Shorthand("monster", "hd: 3 HP", "fixed hit points"),
        Shorthand("monster", "move: 40' fly", "40 feet, shown in full"),
        Shorthand("monster", "save: 13+", "the number"),
        Shorthand(
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
