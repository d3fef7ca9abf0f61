"""The Harm track and what dice do to it, for every track and all dice."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.githack.actions.attacks import kept
from rulesets.githack.stats import checks
from rulesets.githack.stats.checks import chosen_die

TRACKS = st.text("./x*", min_size=1, max_size=18)
MARKS = st.lists(st.sampled_from("/x*"), max_size=12)
WORTH = {".": 0, "/": 1, "x": 2, "*": 3}


@given(TRACKS, MARKS)
def test_harm_stays_on_the_track(track: str, marks: list[str]) -> None:
    """GH-115, GH-116: the track keeps its boxes and loses no mark."""
    after, boxes = checks.place(track, marks)

    assert len(after) == len(track)
    assert set(after) <= set("./x*")
    assert all(WORTH[now] >= WORTH[was] for was, now in zip(track, after, strict=True))
    assert all(box is None or WORTH[after[box]] >= WORTH[mark] for box, mark in zip(boxes, marks, strict=True))


@given(TRACKS, MARKS)
def test_empty_boxes_fill_from_the_lowest(track: str, marks: list[str]) -> None:
    """GH-116, GH-117: boxes are filled in rising order, the gaps first."""
    _, boxes = checks.place(track, marks)

    filled = [box for box in boxes if box is not None]
    assert filled == [box for box, held in enumerate(track) if held == "."][: len(filled)]
    assert len(filled) == min(len(marks), track.count("."))


@given(st.integers(1, 20), st.integers(0, 30))
def test_a_die_must_beat_armour(die: int, ac: int) -> None:
    """GH-044, GH-046, GH-047, A29: what a die does by how far it is over AC."""
    mark = checks.judge(die, ac)

    assert mark == (None if die <= ac else "/" if die - ac <= 2 else "x")


@given(st.integers(1, 40), st.sampled_from(["1/2", "1/4", "3/4"]), st.sampled_from(["down", "up"]))
def test_a_save_never_keeps_less_than_the_rule(count: int, share: str, rounding: str) -> None:
    """GH-063, A07: a save leaves one die at least, and its rounded share."""
    left = kept(count, share, rounding)

    exact = Fraction(share) * count
    assert max(1, exact.__ceil__() if rounding == "up" else exact.__floor__()) == left
    assert 1 <= left <= count


@given(st.tuples(st.integers(1, 20), st.integers(1, 20)), st.integers(1, 30))
def test_the_chosen_die(faces: tuple[int, int], score: int) -> None:
    """A15: Advantage succeeds if either die does, Disadvantage only if both do."""
    better, worse = chosen_die("advantage", faces, score), chosen_die("disadvantage", faces, score)

    assert (better <= score) == any(face <= score for face in faces)
    assert (worse <= score) == all(face <= score for face in faces)


@given(TRACKS)
def test_a_star_never_gets_worse(track: str) -> None:
    """GH-118, GH-119: a star stays, and festers only into a neighbour without one."""
    pairs = [(box, beside) for box, mark in enumerate(track) if mark == "*" for beside in checks.neighbours(track, box)]

    assert all(checks.fester(track, box, beside)[box] == "*" for box, beside in pairs)
    assert all(track[beside] != "*" for _, beside in pairs)


def test_festering_needs_a_star() -> None:
    """GH-119: a cross does not spread."""
    with pytest.raises(ValueError, match="only a star"):
        checks.fester("x.", 0, 1)


def test_rest_and_the_gaps_it_leaves() -> None:
    """E08: two ticks and a cross, rest, three ticks more."""
    first, _ = checks.place("........", ["/", "/", "x"])
    rested = checks.wipe(first, "/", 2)
    second, boxes = checks.place(rested, ["/", "/", "/"])

    assert (first, rested, second, boxes) == ("//x.....", "..x.....", "//x/....", (0, 1, 3))


def test_wiping_takes_the_highest_first() -> None:
    """A27: part of the ticks go from the far end."""
    assert checks.wipe("/x//....", "/", 2) == "/x......"


def test_wiping_more_than_there_is() -> None:
    """GH-076: there is nothing to wipe where no tick is."""
    with pytest.raises(ValueError, match="not that many"):
        checks.wipe("x.", "/", 1)
