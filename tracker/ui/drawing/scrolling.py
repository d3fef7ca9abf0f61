"""Where a pane stands in a list longer than itself."""

from __future__ import annotations

Beyond = tuple[int, int]
"""How many lines of a list are above and below those that are shown."""


def thumb(top: int, height: int, total: int) -> tuple[int, int]:
    """Return which part of the right edge shows the place in a longer list."""
    if total <= height or height <= 0:
        return (0, 0)
    size = max(1, height * height // total)
    first = min(height - size, round((height - size) * top / max(1, total - height)))
    return (first, first + size)


def beyond(top: int, shown: int, total: int) -> Beyond:
    """Return how many lines of a list are out of sight.

    None of one that does not say how long it is.
    """
    return (max(0, min(top, total)), max(0, total - top - shown)) if total else (0, 0)


def window(top: int, cursor: int, height: int, total: int) -> int:
    """Return the first line to show so that the cursor is seen.

    A cursor that leaves the window moves half a page at once, so that the next steps move nothing.
    """
    if cursor >= 0 and not top <= cursor < top + height:
        top = cursor - height // 2
    return max(0, min(top, total - height))
