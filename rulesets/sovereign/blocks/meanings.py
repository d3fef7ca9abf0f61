"""What the values of Sovereign's files mean, for checks."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant

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
)
