"""Loading and storing: rows of the journal made into a fight, and plans into rows."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock

import msgspec
from msgspec import UNSET

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import CorruptJournal, TrackerError
from tracker.core.terms.values import build_within
from tracker.library.guard import guarded_call
from tracker.session.model import Reader, StepRecord
from tracker.session.rows import Commit, Head, StepRow, Stored
from tracker.session.step.plan import (
    Cursor,
    OpenWhatIf,
    Plan,
    question,
    read_position,
    read_sandbox,
    write_position,
    write_sandbox,
)
from tracker.session.step.runner import Runner, StepError, StepFailure
from tracker.session.store.player_view import PlayerView, all_steps, newest_steps, table_of, visible_state
from tracker.session.tree import History
from tracker.views.report.outcome import result_words

build_within(Lock())  # a screen reads fights and files in threads beside the app's


def new_reader(ruleset: Ruleset, encounter: Encounter) -> Reader:
    """Return the reader of a new fight, its encounter as the journal keeps it.

    A fraction that is a whole number is one from now on.

    Raises:
        TrackerError: where the journal cannot keep it.
    """
    codec = codec_of(ruleset.schema)
    try:
        return Reader(codec, guarded_call("an encounter", codec.decode, codec.encode(encounter), Encounter))
    except (NotImplementedError, TypeError, ValueError, msgspec.DecodeError) as error:
        raise TrackerError(
            f"{ruleset.title}, version {ruleset.version}: this encounter cannot be kept: {error}", "unreadable_fight"
        ) from error


def reader(ruleset: Ruleset, stored: Stored) -> Reader:
    """Return the reader of a stored fight."""
    codec = codec_of(ruleset.schema)
    try:
        return Reader(codec, guarded_call("an encounter", codec.decode, stored.fight.encounter, Encounter))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TrackerError(
            f"{ruleset.title}, version {ruleset.version}, cannot read the encounter of {stored.id}: {error}",
            "unreadable_fight",
        ) from error


def history(stored: Stored, read: Reader) -> History:
    """Return the history of a stored fight, whose steps are read when they are first wanted."""
    return History(StepRecord(row, read) for row in stored.steps)


def last_readable_step(steps: History, head: int | None) -> tuple[int | None, str]:
    """Return the last readable step up to a head, and a notice.

    The notice says which step that is, where it is not the head.

    Raises:
        CorruptJournal: where not even the first can.
    """
    try:
        steps.state(head)
    except CorruptJournal as damage:
        sound = None
        for record in steps.path(head if head in steps.records else max(steps.records, default=None)):
            try:
                steps.state(record.seq)
            except CorruptJournal:
                break
            sound = record.seq
        if sound is None:
            raise
        return sound, f"{damage.message}; the fight stands at step {sound}, what follows stays in the journal"
    return head, ""


def stored_position(read: Reader, head: int | None, draft: bytes | None) -> tuple[Cursor, str]:
    """Return where a fight is; a half-done step that cannot be read is left out, with a line about it."""
    if draft is None:
        return Cursor(head), ""
    try:
        return read_position(read, draft), ""
    except CorruptJournal as error:
        return Cursor(head), f"the pending step cannot be read and has to be done again: {error.message}"


def stored_sandbox(read: Reader, steps: History, text: bytes | None) -> tuple[OpenWhatIf | None, str]:
    """Return the what-if that was open, or none and a line if it cannot be read."""
    if text is None:
        return None, ""
    try:
        sandbox = read_sandbox(read, text)
        steps.state(sandbox.start.head)
    except (CorruptJournal, msgspec.DecodeError, UnicodeDecodeError) as error:
        return (
            None,
            f"where the what-if began cannot be read ({error}): the fight goes on with what was tried; "
            "what was before is in the list of branches",
        )
    return sandbox, ""


def commit_of(
    runner: Runner, plan: Plan, *, was: Cursor, tried: OpenWhatIf | None, shown: PlayerView
) -> tuple[Commit, str]:
    """Return what a plan writes, and a notice where the players' view is missing.

    `tried` is the what-if that was open before, `shown` what the journal has of that view. While a what-if is
    open, the row and the view tell of the real fight.

    Raises:
        Failed: where a ruleset made something that could not be read back.
    """
    position, steps = plan.position, runner.history
    depth = steps.depth(plan.done[0][0].parent if plan.done else position.head)
    rows: list[StepRow] = []
    for record, _ in plan.done:
        depth += 1
        _check(runner, record)
        rows.append(record.row)
    sandbox = tried if plan.sandbox is UNSET else plan.sandbox
    if sandbox is not None:
        state, depth, asked = steps.state(sandbox.start.head), steps.depth(sandbox.start.head), sandbox.asked
    else:
        state = plan.done[-1][1] if plan.done else steps.state(position.head)
        asked = question(plan.pending)
    moved = sandbox is None and (plan.done or position.head != was.head or position.head is None or tried is not None)
    table = table_of(runner, state, position, plan.pending, tried=sandbox is not None, salt=shown.salt)
    if moved:
        past = newest_steps(steps, position.head, plan.done)
        every = all_steps(steps, position.head, plan.done)
        row_shown, trouble = shown.changed(runner, visible_state(state, plan.pending), table, past, every)
    else:
        row_shown, trouble = shown.table_changed(runner, table), ""
    head = Head(
        seq=position.head,
        at=runner.settings.clock(),
        round=state.clock.round,
        up=_who_is_up(runner, state, partial(_before_end, steps, plan, position.head)),
        steps=depth,
        over=state.clock.over,
        pending=asked,
        draft=None if position.draft is None else write_position(runner.reader, position),
        sandbox=None if sandbox is None else write_sandbox(runner.reader, sandbox),
    )
    change = Commit(
        head,
        steps=tuple(rows),
        redo=plan.redo,
        pushed=write_position(runner.reader, was) if plan.redo == "push" else b"",
        restored=tuple(write_position(runner.reader, redone) for redone in plan.restored),
        names=plan.names,
        shown=row_shown,
    )
    return change, trouble


def _before_end(steps: History, plan: Plan, head: int | None) -> State:
    """Return the state before the step that ended the fight."""
    for _, state in reversed(plan.done):
        if not state.clock.over:
            return state
    seq = plan.done[0][0].parent if plan.done else head
    while seq is not None and steps.state(seq).clock.over:
        seq = steps.records[seq].parent
    return steps.state(seq)


def _who_is_up(runner: Runner, state: State, before_end: Callable[[], State]) -> str:
    """Return who is up; of a fight that is over its outcome."""
    clock = state.clock
    if clock.over:
        with suppress(TrackerError):  # a mistake of the ruleset costs no step
            return result_words(runner.ruleset, state, before_end())
        return "over"
    if clock.acting is not None:
        return state.name(clock.acting)
    slot = clock.current
    return slot.title if slot is not None else ""


def _check(runner: Runner, record: StepRecord) -> None:
    """Read a new record back, so that what cannot be read is refused now and not at the next start."""
    row, read, title = record.row, runner.reader, runner.ruleset.title
    values = record.__dict__
    if not {"step", "answers", "entries"} <= values.keys():
        return  # an old step's, read back from its text as far as it was wanted
    try:
        back: tuple[object, ...] = (read.step(row.step), read.answers(row.answers), read.entries(row.entries))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(title, record, str(error), error) from error
    for name, value in zip(("step", "answers", "entries"), back, strict=True):
        if value != values[name]:
            raise _unreadable(
                title, record, f"its {name} read back differently: {_first_difference(values[name], value)}"
            )


def _first_difference(made: object, read: object) -> str:
    if isinstance(made, tuple) and isinstance(read, tuple) and len(made) == len(read):
        return next((_first_difference(one, other) for one, other in zip(made, read, strict=True) if one != other), "")
    return f"{made!r} as {read!r}"[:300]


def _unreadable(title: str, record: StepRecord, why: str, error: Exception | None = None) -> StepError:
    details = "".join(traceback.format_exception(error)) if error else f"no traceback: {why}"
    return StepError(StepFailure(f"{title}: the step cannot be stored: {why}", details), record.step, record.answers)
