"""What may be typed in Sovereign's files besides the keys of its Structs."""

from __future__ import annotations

from rulesets.without_number.stat_blocks import SKILL_WORDS
from tracker.core.game.file_syntax import FileSyntax, KeySyntax, Shorthand, usual

_ALL = "pc or henchman or npc or monster"

_KEYS = (
    KeySyntax(
        _ALL,
        "atk",
        "attack bonus as it is printed, with the attacks in one Main action",
        "number or text",
        form=r"[+-]?\d+(\s*[x×]\s*\d+)?",
        like=("+4", "+4 x2"),
    ),
    KeySyntax(_ALL, "saves", "its `physical` is the one save of this game", "numbers", like=("{physical: 12}",)),
    KeySyntax(_ALL, "size", "short for `handling`: `human`, `large` or `beast`", "text", form=r"human|large|beast"),
    KeySyntax(_ALL, "fate", "`mortal`: short for `named: true`", "text", form=r"mortal|dead"),
    KeySyntax(
        _ALL,
        "instants",
        "Instant powers of the sister game; those that turn a miss into a hit are Veteran's Luck",
        "list",
    ),
    KeySyntax(_ALL, "cannot_be_surprised", "is never surprised", "flag", also=("immune_to_surprise",)),
    KeySyntax(_ALL, "shock_immune", "takes no Shock", "flag"),
    KeySyntax(_ALL, "disengage_free", "disengages without an action", "flag"),
    KeySyntax("pc", "hp", takes="number or dice", like=("9",), needed=True),
    KeySyntax("henchman", "hp", takes="number or dice", like=("9",), needed=True),
)

_STARTER = {
    "pc": """\
hp: 9
ac: 13
attack_bonus: 1
attributes: {str: 1}
skills: {stab: 1}
attacks: [Short sword]
""",
    "monster": """\
hd: 1
ac: 12
atk: +1
attacks:
  - {name: Claw, damage: 1d6}
""",
}

FILE_SYNTAX = FileSyntax(
    bonus="atk",
    damage="attacks.damage",
    keys=_KEYS,
    starter=_STARTER,
    short=(
        Shorthand("pc", "{hp: 9, ab: 1, mods: {str: 1}, move: 30}", "`attack_bonus`, `attributes` and `speed`"),
        Shorthand("pc", "{hp: 9, weapons: [Sword]}", "`attacks`; a name of the printed list is enough"),
        Shorthand("pc", "{hp: 9, skills: {stab: 1, punch: 0}}", "`punch` is `brawl` here"),
        Shorthand(
            "pc",
            "{hp: 9, attacks: [{name: Sword, dmg: 1d8, attr: str/dex, kind: melee}]}",
            "`damage`, `attribute`, `use`",
        ),
        Shorthand("pc", "{hp: 9, saves: {physical: 12}}", "`physical`"),
        Shorthand("monster", "atk: +4 x2", "attack bonus and attacks in one Main action"),
        Shorthand("monster", "hp: 2d8+1", "dice for hit points"),
        Shorthand("monster", "hd: 2+1", "its leading number"),
        Shorthand("monster", "fate: mortal", "`named: true`"),
        Shorthand("monster", "size: large", "`handling: clearly_larger_humanoid`"),
        Shorthand("monster", "cannot_be_surprised: true", "a feature beside the other keys"),
    ),
    words=usual(
        {**SKILL_WORDS, "morale": "ml", "speed": "movement", "attacks": "attack weapon", "brawl": "fight"}, "hp ac"
    ),
)
