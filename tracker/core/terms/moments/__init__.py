"""Moments: edges of the clock, ends, and the grammar of their words.

`edges` holds the data, `rounds` the moments of the whole fight ("end of round 2"), `ends` when something ends ("start
of Wolf's next turn"), `offered` the ends a game offers in words of its own ("{n} rounds"). What is printed is read.
"""

from __future__ import annotations

from tracker.core.terms.moments.ends import ANY, At, Boundary, Edge, OnUse, Until, side_anchor, who_anchor

__all__ = ["ANY", "At", "Boundary", "Edge", "OnUse", "Until", "side_anchor", "who_anchor"]
