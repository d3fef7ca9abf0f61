"""What the values of Sovereign's files mean, for checks and for its page."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant, Short, usual

__all__ = ["MEANINGS"]

_SKILLS = ("stab", "brawl", "shoot", "exert", "heal", "notice", "sneak")
_KINDS = ("pc", "henchman", "npc", "monster")

MEANINGS = Meanings(
    values=(
        *(Meant(f"{kind}.skills.0", "skill", _SKILLS, open=True) for kind in _KINDS),
        *(Meant(f"{kind}.ac", least=0, most=30) for kind in _KINDS),
        *(Meant(f"{kind}.hd", least=0, most=40) for kind in _KINDS),
        *(Meant(f"{kind}.speed", least=0, most=200) for kind in _KINDS),
        Meant("setup.friendly", of="side"),
        Meant("member.engaged", of="combatant"),
    ),
    words=usual(
        {
            "ac": "armor armour armor_class armour_class",
            "hp": "hit_points",
            "morale": "ml",
            "speed": "movement",
            "attacks": "attack weapon",
            "brawl": "fight",
            "stab": "melee",
            "shoot": "ranged",
            "sneak": "stealth",
            "notice": "perception",
            "heal": "medicine",
            "exert": "athletics",
        }
    ),
    short=(
        Short("pc", "{hp: 9, ab: 1, mods: {str: 1}, move: 30}", "`attack_bonus`, `attributes` and `speed`"),
        Short("pc", "{hp: 9, weapons: [Sword]}", "`attacks`; a name of the printed list is enough"),
        Short("pc", "{hp: 9, skills: {stab: 1, punch: 0}}", "`punch` is `brawl` here"),
        Short(
            "pc",
            "{hp: 9, attacks: [{name: Sword, dmg: 1d8, attr: str/dex, kind: melee}]}",
            "`damage`, `attribute`, `use`",
        ),
        Short("pc", "{hp: 9, saves: {physical: 12}}", "`physical`"),
        Short("monster", "atk: +4 x2", "attack bonus and attacks in one Main action"),
        Short("monster", "hp: 2d8+1", "dice for hit points"),
        Short("monster", "hd: 2+1", "its leading number"),
        Short("monster", "fate: mortal", "`named: true`"),
        Short("monster", "size: large", "`handling: clearly_larger_humanoid`"),
        Short("monster", "cannot_be_surprised: true", "a feature beside the other keys"),
    ),
)
