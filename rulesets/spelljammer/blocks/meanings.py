"""What the values of the percentile game's files mean, for checks."""

from __future__ import annotations

from tracker.core.game.meanings import Meanings, Meant

MEANINGS = Meanings(
    values=(
        Meant("setup.ambush", of="combatant or side"),
        Meant("setup.engaged", of="combatant"),
        *(
            Meant(f"{kind}.{key}", least=least, most=most)
            for kind in ("pc", "monster")
            for key, least, most in (
                ("weapons.sc", 1, 250),
                ("prot", 0, 40),
                ("dex", 1, 40),
                ("con", 1, 60),
                ("per", 1, 40),
                ("im", -10, 20),
                ("tmr", 0, 500),
                ("attacks", 1, 12),
            )
        ),
    ),
)
