"""How much a file may hold, and how much its anchors repeat.

Everything is counted while it is read and refused before more is built; nothing here calls itself.
"""

from __future__ import annotations

from typing import NamedTuple

from tracker.library.yaml.tree import Marks, Node

__all__ = [
    "DEEPEST",
    "LONGEST_TEXT",
    "MOST_COPIED",
    "MOST_ENTRIES",
    "MOST_KEYS",
    "MOST_VALUES",
    "Anchored",
    "Sizes",
]

DEEPEST = 64
MOST_KEYS = 1_000  # in one block
MOST_ENTRIES = 20_000  # in one list
MOST_VALUES = 500_000  # in one file
LONGEST_TEXT = 100_000  # signs of one text
MOST_COPIED = 10_000  # values that all aliases of a file together may repeat


class Anchored(NamedTuple):
    """A value with an anchor, how many values it holds, and how deep."""

    value: Node
    marks: Marks
    size: int = 1
    depth: int = 0


class Sizes:
    """The sizes of what has an anchor, each counted once."""

    def __init__(self) -> None:
        self._known: dict[int, Anchored] = {}  # holds what it counted: so no other value gets the same identity

    def of(self, value: Node, marks: Marks) -> Anchored:
        """Return a value with its size.

        Aliases inside count with all they repeat.
        """
        if not isinstance(value, dict | list):
            return Anchored(value, marks)
        size = depth = 0
        waiting: list[tuple[Node, int]] = [(value, 1)]
        while waiting:
            inner, level = waiting.pop()
            known = self._known.get(id(inner))
            if known is not None:
                size, depth = size + known.size, max(depth, level - 1 + known.depth)
                continue
            size += 1
            if isinstance(inner, dict | list):
                depth = max(depth, level)
                below = inner.values() if isinstance(inner, dict) else inner
                waiting += [(entry, level + 1) for entry in below]
        found = self._known[id(value)] = Anchored(value, marks, size, depth)
        return found
