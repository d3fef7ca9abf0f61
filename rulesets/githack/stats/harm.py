"""The Harm track as text, one character per box, box 1 first.

`.` empty, `/` tick, `x` cross, `*` star. Pure functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

Mark: TypeAlias = Literal["/", "x", "*"]
EMPTY = "."
_WORSE = {".": "/", "/": "x", "x": "*", "*": "*"}


def judge(die: int, ac: int) -> Mark | None:
    """Return what one die does through an AC (GH-044 to GH-047).

    Nothing up to it, a tick over it by 1 or 2, a cross from 3 on.
    """
    over = die - ac
    return None if over <= 0 else "/" if over < 3 else "x"


def worse(mark: str) -> str:
    """Return a box one step worse (GH-118)."""
    return _WORSE[mark]


def put(track: str, box: int, mark: str) -> str:
    """Return the track with one box (from 0) marked."""
    return track[:box] + mark + track[box + 1 :]


def lowest(track: str, marks: str) -> int | None:
    """Return the lowest-numbered box that holds one of these marks."""
    return next((box for box, held in enumerate(track) if held in marks), None)


def surplus(track: str, mark: str) -> str:
    """Return a full track after a hit that finds no box (A14).

    The lowest tick worsens, else the lowest cross. A star takes the lowest other box.
    """
    if mark == "*":
        box = lowest(track, "/x")
        return track if box is None else put(track, box, "*")
    box = lowest(track, "/")
    if box is None:
        box = lowest(track, "x")
    return track if box is None else put(track, box, worse(track[box]))


def place(track: str, marks: Sequence[str]) -> tuple[str, tuple[int | None, ...]]:
    """Place marks in order into the lowest empty boxes (GH-116).

    Returns the track and the box of each, None where it found none.
    """
    boxes: list[int | None] = []
    for mark in marks:
        box = lowest(track, EMPTY)
        track = surplus(track, mark) if box is None else put(track, box, mark)
        boxes.append(box)
    return track, tuple(boxes)


def neighbours(track: str, box: int) -> tuple[int, ...]:
    """Return the boxes beside one that can still get worse."""
    return tuple(other for other in (box - 1, box + 1) if 0 <= other < len(track) and track[other] != "*")


def fester(track: str, box: int, neighbour: int) -> str:
    """Return the track after a star has spread one step into a neighbour (GH-119)."""
    if track[box] != "*" or neighbour not in neighbours(track, box):
        raise ValueError("only a star festers, into a neighbour that is no star")
    return put(track, neighbour, worse(track[neighbour]))


def wipe(track: str, mark: str, count: int) -> str:
    """Return the track with `count` of a mark gone, highest-numbered boxes first (A27)."""
    for _ in range(count):
        box = track.rfind(mark)
        if box < 0:
            raise ValueError("there are not that many")
        track = put(track, box, EMPTY)
    return track


def tally(track: str) -> tuple[int, int, int]:
    """Count ticks, crosses and stars."""
    return track.count("/"), track.count("x"), track.count("*")
