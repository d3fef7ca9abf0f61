"""What the values of Sword World's files mean, for checks."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant

_KINDS = ("character", "monster")

MEANINGS = Meanings(
    values=(
        Meant("setup.zones.participants", of="combatant"),
        Meant("setup.known.who", of="combatant"),
        Meant("setup.known.monsters", of="combatant"),
        Meant("setup.surprise", of="side"),
        Meant("member.in_hand", "attack", own="attacks.name"),
        *(
            Meant(f"{kind}.{key}", least=least, most=most)
            for kind in _KINDS
            for key, least, most in (
                ("level", 0, 30),
                ("defense", 0, 60),
                ("move", 0, 200),
                ("attacks.crit", 7, 13),
            )
        ),
    ),
)
