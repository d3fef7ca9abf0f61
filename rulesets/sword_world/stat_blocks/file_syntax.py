"""What may be typed in Sword World's files besides the keys of its Structs."""

from __future__ import annotations

from tracker.core.game.file_syntax import FileSyntax, KeySyntax, Shorthand, usual

_ALL = "character or monster"

_KEYS = (
    KeySyntax(_ALL, "kind", "`character` or `monster`, whatever the heading", "text", form=r"character|monster"),
    KeySyntax(
        "Drop",
        "roll",
        "on which rolls: `2-6`, `10+`, `7` or `always`; short for `low` and `high`",
        "text or number",
        form=r"\d+(\s*[-–]\s*\d+|\+)?|always",
        like=("2-6", "10+", "always"),
    ),
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

FILE_SYNTAX = FileSyntax(
    bonus="attacks.accuracy",
    damage="attacks.damage",
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Shorthand("character", "{hp: 20, agility: 15}", "`move` too"),
        Shorthand(
            "monster", "{hp: 20, move: 15, attacks: [{name: Claw, damage: 2d+3}]}", "dice without faces are six-sided"
        ),
        Shorthand("monster", "{hp: 20, move: 15, drops: [{roll: 2-6, item: nothing}]}", "`low` and `high`"),
        Shorthand("monster", "{hp: 20, move: 15, drops: [{roll: 10+, item: ring}]}", "from 10 to 12"),
        Shorthand("monster", "{hp: 20, move: 15, drops: [{roll: always, item: hide}]}", "without a roll"),
        Shorthand(
            "character",
            "{hp: 20, move: 15, spells: [{name: Hex, duration: 30s, effect: {evasion: -1}}]}",
            "rounds of ten seconds; an effect by number",
        ),
        Shorthand(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Torch, impact: 5, energy: fire}]}",
            "one energy without a list",
        ),
        Shorthand(
            "character",
            "{hp: 20, move: 15, attacks: [{name: Musket, mode: gun, impact: 20}]}",
            "a gun's damage is magical",
        ),
        Shorthand(
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
