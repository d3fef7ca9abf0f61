"""What may be typed in GitHack's files besides the keys of its Structs."""

from __future__ import annotations

from tracker.core.game.file_syntax import FileSyntax, KeySyntax, Shorthand, usual

_SYSTEMS = ("native", "ose", "ll", "sw", "adnd", "bfrpg", "lotfp", "d20", "dcc", "shadowdark", "knave")

_ABILITIES = (
    ("str", "Strength"),
    ("con", "Constitution"),
    ("dex", "Dexterity"),
    ("int", "Intelligence"),
    ("wis", "Wisdom"),
    ("cha", "Charisma"),
)
_UNREAD = ("morale", "move", "saves", "thac0", "xp", "alignment")

_KEYS = (
    *(KeySyntax("pc", ability, f"{name}, as in `scores`", "number") for ability, name in _ABILITIES),
    KeySyntax(
        "pc",
        "armour",
        "short for `ac`: `none` 0, `clothes` 1, `leather` 2, `light_chain` 3, `plate` 4",
        "text",
        form=r"none|clothes|leather|light[_ ]chain|plate",
        like=("leather", "light_chain"),
    ),
    KeySyntax(
        "monster",
        "damage",
        "short for one attack: `1d6`, `3d4 (claws and bite)`, `2d6 (claws) plus 1d12 (bite)`; beside "
        "printed `attacks` it holds their dice",
        "dice or text or list of Mode/text",
        like=("1d6", "2d6 (claws) plus 1d12 (bite)"),
    ),
    KeySyntax("monster", "reach", "where every attack strikes; told, not enforced", "text", form=r"close|ranged|both"),
    KeySyntax(
        "monster",
        "stat_line",
        "a whole printed stat block; other keys win over it",
        "text",
        like=("AC 5, HD 3, hp 12, claw 1d6",),
    ),
    KeySyntax(
        "monster", "system", "the game that the numbers or the line are from", "text or PrintSystem", like=_SYSTEMS
    ),
    KeySyntax("monster", "choices", "answers to what a print leaves open", "block", like=("{hd: 8}",)),
    *(KeySyntax("monster", word, "kept and shown; no rule reads it", "text or number") for word in _UNREAD),
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

FILE_SYNTAX = FileSyntax(
    damage="damage",
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Shorthand("pc", "str: 14", "an ability beside the other keys instead of in `scores`"),
        Shorthand("pc", "armour: light_chain", "`none`, `clothes`, `leather`, `light_chain` or `plate`, for `ac`"),
        Shorthand("pc", "weapons: [{name: sword, dice: large}]", "dice by size: `small`, `medium`, `large`, `demon`"),
        Shorthand("pc", "harm: //x", "the first boxes; the rest of the track is empty"),
        Shorthand("monster", 'stat_line: "AC 5, HD 3, hp 12, claw 1d6"', "a printed line; keys beside it win"),
        Shorthand("monster", "damage: 1d8", "one attack"),
        Shorthand("monster", "{attacks: 2, damage: 1d4/1d4}", "attacks and damage as they are printed"),
        Shorthand("monster", "{damage: 1d6, reach: both}", "where that attack strikes"),
        Shorthand("monster", "{ac: 15, system: d20}", "numbers as another game counts them, turned into this one's"),
        Shorthand("monster", "{damage: 1d6, morale: 8}", "words of a print that no rule reads are kept in the notes"),
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
