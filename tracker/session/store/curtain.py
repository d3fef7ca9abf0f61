"""The curtain before the players: what changes there where the fight does not."""

from __future__ import annotations

from tracker.core.terms.errors import TrackerError
from tracker.session.rows import ShownRow
from tracker.session.step.plan import Standing
from tracker.session.step.runner import Runner
from tracker.session.store.journal import Journal
from tracker.session.store.loading import opening, past_of, shown_rows, table_of
from tracker.session.store.shown import Shown
from tracker.views.public.shape import Table

__all__ = ["publish"]


def publish(
    journal: Journal, number: int, runner: Runner, standing: Standing, *, shown: Shown, held: bool | None = None
) -> str:
    """Write what players see of a fight as it really stands, where that differs.

    `held`: the screen is to stay as it is from now on, or goes on; None: as before.

    Return why it could not be written, or "".
    """
    was = shown.paused
    try:
        shown.paused = was if held is None else held
        rows = _rows(runner, standing, shown)
        if rows:
            journal.show(number, rows)
        shown.took(rows)
    except TrackerError as error:
        shown.paused = was
        return error.message
    return ""


def _rows(runner: Runner, standing: Standing, shown: Shown) -> tuple[ShownRow, ...]:
    table = _table(runner, standing, shown)
    if shown.paused:
        return shown.tabled(runner.reader.codec.encode, table)
    head = standing.position.head if standing.sandbox is None else standing.sandbox.start.head
    past = past_of(runner.history, head)
    state = runner.history.state(head)
    state = opening(state, standing.pending) if standing.sandbox is None else state
    return shown_rows(runner, state, shown, table, past)[0]


def _table(runner: Runner, standing: Standing, shown: Shown) -> Table:
    """Return how it stands at the table."""
    if standing.looking is not None:
        return Table("back")
    position, tried = standing.position, standing.sandbox is not None
    before = runner.history.state(position.head)
    return table_of(runner, before, position, standing.pending, tried=tried, salt=shown.salt)
