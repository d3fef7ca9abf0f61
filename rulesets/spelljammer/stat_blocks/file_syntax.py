"""What may be typed in the percentile game's files besides the keys of its Structs."""

from __future__ import annotations

from tracker.core.game.file_syntax import FileSyntax, KeySyntax, Shorthand, usual

_ALL = "pc or monster"

_KEYS = (KeySyntax(_ALL, "side", "nothing: the encounter's sides say it", "text"),)

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

FILE_SYNTAX = FileSyntax(
    damage="weapons.dmg",
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Shorthand("pc", "def: 15", "all of it in one number, which no circumstance takes apart"),
        Shorthand("pc", "hp_max: 40", "present hit points are the same"),
        Shorthand(
            "monster", "weapons: [{name: claw, sc: 60, dmg: 1d6, class: B}]", "the grievous chance of that class"
        ),
        Shorthand("pc", "weapons: [{name: bow, sc: 70, dmg: 1d6, missile: arrow}]", "a ranged weapon"),
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
