"""The players' view in the journal: the fight as players see it, and the table: what the GM does and asks for.

Each is one text. While the GM holds the players' screen, only the table is written and the view stays as it was.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Pending, Step
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.values import decode
from tracker.library.ruleset_errors import describe
from tracker.session.model import StepRecord
from tracker.session.rows import PlayerViewRow
from tracker.session.step.plan import Cursor, SessionState
from tracker.session.step.runner import Runner, next_decision, rolls_in_a_row
from tracker.session.store.journal import Journal
from tracker.session.tree import History
from tracker.views.public.schema import COVERED, PublicAsk, Table

MOST_LINES = 12
"""Lines of the players' log."""

ScreenMode: TypeAlias = Literal["live", "held", "covered"]

Steps: TypeAlias = Iterator[tuple[Sequence[Entry], State, State]]

_T = TypeVar("_T")


class PlayerView:
    """The players' view of one fight, as it is stored.

    Attributes:
        salt: salt of the opaque ids of this fight.
        mode: `held`: the GM holds the players' screen; `covered`: the GM has not shown the fight yet; else `live`.
    """

    def __init__(self, stored: PlayerViewRow | None = None, *, covered: bool = False) -> None:
        self._stored = PlayerViewRow() if stored is None else stored
        self.salt = self._stored.salt or os.urandom(16).hex()
        mode = (_read(self._stored.table, Table) or Table()).mode
        self.mode: ScreenMode = "covered" if covered or mode == "setup" else "held" if mode == "paused" else "live"

    @property
    def asks(self) -> tuple[PublicAsk, ...]:
        """The dice that players are asked for, as they are stored."""
        table = _read(self._stored.table, Table)
        return () if table is None else table.asks

    def changed(
        self, runner: Runner, state: State, table: Table, past: Iterable[tuple[StepRecord, State]], steps: Steps
    ) -> tuple[PlayerViewRow | None, str]:
        """Return the row for this state, None if it is the stored one, and a notice if no view can be made.

        `past`: the steps up to the state with the state after each, the newest first; `steps`: all of them from the
        beginning, with the states before and after each. After the row is written, call `mark_written`.
        """
        if self.mode != "live":
            return self.table_changed(runner, table), ""
        from tracker.views.public.build import public_view  # not needed for the first screen

        try:
            view = public_view(runner.ruleset, state, self.salt)
            view = replace(view, log=_log(runner.ruleset, state, past), story=_story(runner.ruleset, state, steps))
            text = runner.reader.codec.encode(view)
        except Exception as error:  # noqa: BLE001 - an error of the ruleset outside any step is one line
            notice = describe(error, runner.settings.problems)
            return self._row(runner, None, table), f"the players' view cannot be made: {notice}"
        return self._row(runner, text, table), ""

    def table_changed(self, runner: Runner, table: Table) -> PlayerViewRow | None:
        """Return the row that changes the table alone."""
        return self._row(runner, self._stored.view, table)

    def _row(self, runner: Runner, view: bytes | None, table: Table) -> PlayerViewRow | None:
        if self.mode == "covered":
            view, table = runner.reader.codec.encode(COVERED), COVERED.table
        elif self.mode == "held":
            table = Table("paused", table.asks)
        row = PlayerViewRow(self.salt, view, runner.reader.codec.encode(table))
        return None if row == self._stored else row

    def mark_written(self, row: PlayerViewRow | None) -> None:
        """Set the stored row, once it is written; None: it is as before."""
        if row is not None:
            self._stored = row


def write_player_view(
    journal: Journal,
    number: int,
    runner: Runner,
    standing: SessionState,
    *,
    shown: PlayerView,
    mode: ScreenMode | None = None,
) -> str:
    """Write the players' view of the real fight, if it has changed; return why that failed, or "".

    `mode`: the players' screen is held, covered or live from now on; None: as before.
    """
    was = shown.mode
    try:
        shown.mode = was if mode is None else mode
        row = _row_of(runner, standing, shown)
        if row is not None:
            journal.show(number, row, newest=mode == "live")
        shown.mark_written(row)
    except TrackerError as error:
        shown.mode = was
        return error.message
    return ""


def _row_of(runner: Runner, standing: SessionState, shown: PlayerView) -> PlayerViewRow | None:
    position, sandbox, history = standing.position, standing.sandbox, runner.history
    if standing.looking is not None:
        table = Table("back")
    else:
        before = history.state(position.head)
        table = table_of(runner, before, position, standing.pending, tried=sandbox is not None, salt=shown.salt)
    if shown.mode != "live":
        return shown.table_changed(runner, table)
    head = position.head if sandbox is None else sandbox.start.head
    state = history.state(head)
    if sandbox is None:
        state = visible_state(state, standing.pending)
    return shown.changed(runner, state, table, newest_steps(history, head), all_steps(history, head))[0]


def table_of(
    runner: Runner, before: State, position: Cursor, pending: Pending | None, *, tried: bool, salt: str
) -> Table:
    """Return what the GM does and which dice players are asked for, without secrets.

    `before` is the state in which the pending step begins, which need not be in the history yet. A roll behind windows
    is asked for before they are passed. Rolls in a row are asked for together.
    """
    if tried:
        return Table("trial")
    if pending is None or position.draft is None:
        return Table()
    step = position.draft.step
    from tracker.views.public.build import ask_of  # not needed for the first screen

    ruleset, settings = runner.ruleset, runner.settings
    decision = next_decision(ruleset, settings, before, pending=pending, step=step)
    row = rolls_in_a_row(ruleset, settings, before, pending=decision.pending, step=step)
    mark = ask_mark(position.head, step)
    asks = [ask_of(ruleset, pending.state, request, mark, salt) for request in row or (decision.request,)]
    return Table(asks=tuple([ask for ask in asks if ask is not None]))


def ask_mark(head: int | None, step: Step) -> str:
    """Return a mark of a pending step, so that the same question of another step has another key."""
    return f"{head} {step.actions!r}"


def visible_state(state: State, pending: Pending | None) -> State:
    """Return the state that players see; while a fight opens, that of the pending step."""
    return state if state.sides or pending is None else pending.state


def newest_steps(
    history: History, head: int | None, done: Sequence[tuple[StepRecord, State]] = ()
) -> Iterator[tuple[StepRecord, State]]:
    """Yield the steps up to `head` that have entries for players, each with the state after it, the newest first.

    `done`: steps behind them that are not in the history yet.
    """
    yield from reversed(done)
    seq = done[0][0].parent if done else head
    while seq is not None and (record := history.records.get(seq)) is not None:
        if record.public:
            yield record, history.state(seq)
        seq = record.parent


def all_steps(history: History, head: int | None, done: Sequence[tuple[StepRecord, State]] = ()) -> Steps:
    """Yield the entries of every step up to `head`, then of `done`, with the states before and after each."""
    before = State()
    path = history.path(done[0][0].parent if done else head)
    for record, after in chain(((record, history.state(record.seq)) for record in path), done):
        yield record.entries, before, after
        before = after


def _story(ruleset: Ruleset, state: State, steps: Steps) -> tuple[tuple[str, str], ...]:
    """Return the story of a fight that is over, as players may know it."""
    if not state.clock.over:
        return ()
    from tracker.views.public.story import public_story  # with the view

    return public_story(ruleset, steps)


def _log(ruleset: Ruleset, state: State, past: Iterable[tuple[StepRecord, State]]) -> tuple[str, ...]:
    """Return the last lines of the players' log, each worded by the state after its own step."""
    from tracker.views.public.event_words import event_words  # with the view

    lines: tuple[str, ...] = ()
    for record, after in past:
        lines = (*event_words(ruleset, after, record.public, state), *lines)
        if len(lines) >= MOST_LINES:
            break
    return lines[-MOST_LINES:]


def whole_view(row: PlayerViewRow | None) -> bytes | None:
    """Return the stored view with its table; None if there is none, or if it cannot be read."""
    if row is None or row.view is None or row.table is None:
        return None if row is None else row.view
    view = _read(row.view, dict[str, Raw])
    return None if view is None else msgspec.json.encode(view | {"table": Raw(row.table)})


def _read(text: bytes | None, kind: type[_T]) -> _T | None:
    try:
        result: _T | None = None if text is None else decode(text, kind)
        return result
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
