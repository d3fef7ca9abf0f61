"""The way to a step shares its list with other ways, which never change it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tracker.session.model import StepRecord
from tracker.session.rows import StepRow
from tracker.session.tree import History, StepPath


def record(seq: int, parent: int | None) -> StepRecord:
    return StepRecord(StepRow(seq, parent, "", "", b"", b"", b""), None)  # type: ignore[arg-type]  # nothing is read


@given(st.lists(st.integers(0, 8), max_size=40), st.lists(st.integers(0, 40), max_size=20))
def test_every_way_is_that_of_its_step(parents: list[int], visits: list[int]) -> None:
    """However the tree grows, a way is the parents of its step, and stays so."""
    history, ways = History(), dict[int, tuple[int, ...]]()
    kept: list[tuple[StepPath, tuple[int, ...]]] = []
    for seq, back in enumerate(parents, start=1):
        parent = max(0, seq - 1 - back) or None
        history._enter(record(seq, parent))
        ways[seq] = (*ways.get(parent or 0, ()), seq)
        for visit in (seq, *[number for number in visits if number in ways][:3]):
            kept.append((history.path(visit), ways[visit]))
    for steps, wanted in kept:
        assert tuple(step.seq for step in steps) == wanted
        assert (len(steps), steps[-1].seq, steps[:2]) == (len(wanted), wanted[-1], tuple(steps)[:2])
        assert [step.seq for step in reversed(steps)] == list(reversed(wanted))
