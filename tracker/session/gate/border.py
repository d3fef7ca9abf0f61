"""The border of the journal: what a line from elsewhere may hold.

A text that is stored unread is read once here, so that it can be read again later: letters that are none, numbers no
database holds, and nesting no reader bears are found at the line they stand in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import msgspec

from tracker.core.terms.errors import TrackerError

__all__ = ["DEEPEST", "LARGEST", "LONGEST_LINE", "lines_in", "strange"]

LONGEST_LINE = 64 * 1024 * 1024
LARGEST = 1024 * 1024 * 1024
DEEPEST = 500
HIGHEST = 1 << 63  # whole numbers reach from -HIGHEST to just below it


def lines_in(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, a longer one in pieces.

    Raises:
        TrackerError: where they are too many.
    """
    left = LARGEST
    while line := stream.readline(LONGEST_LINE + 1):
        left -= len(line)
        if left < 0:
            raise TrackerError(f"the file is too large: at most {LARGEST // 1024 // 1024} MB are read", "too_large")
        yield line


def strange(line: bytes) -> str:
    """Return what no line may hold, or ""."""
    if len(line) > LONGEST_LINE:
        return f"the line is longer than {LONGEST_LINE // 1024 // 1024} MB"
    try:
        value = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return str(error)
    except RecursionError:
        return f"nested deeper than {DEEPEST} levels"
    waiting: list[tuple[object, int]] = [(value, 1)]
    while waiting:
        inner, level = waiting.pop()
        if isinstance(inner, dict | list):
            if level > DEEPEST:
                return f"nested deeper than {DEEPEST} levels"
            below = inner.values() if isinstance(inner, dict) else inner
            waiting += [(part, level + 1) for part in below if part.__class__ in _LOOKED_INTO]
        elif isinstance(inner, int) and not -HIGHEST <= inner < HIGHEST:
            return f"the number {str(inner)[:20]}… has more than 64 bits"
    return ""


_LOOKED_INTO = (dict, list, int)
