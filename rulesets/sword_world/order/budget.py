"""What a turn of Sword World holds: movement, a standard action, a declared feat.

SW-038, SW-050, SW-056.
"""

from __future__ import annotations

from tracker.kit.economy import Economy, budget

ECONOMY = Economy(
    budget(move=1, standard=1, feat=1),
    words={"move": "movement", "standard": "standard action", "feat": "declared feat"},
)
