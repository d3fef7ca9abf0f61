"""Loading and storing: converts rows of the journal to a fight, and plans to rows."""

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
from tracker.session.rows import Commit, Head, Stored
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
    """Return the reader of a new fight, with its encounter as the journal keeps it (2.0 is 2 from now on).

    Raises:
        TrackerError: if the journal cannot keep it.
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
    """Return the history of a stored fight; its steps are parsed at their first use."""
    return History(StepRecord(row, read) for row in stored.steps)


def last_readable_step(steps: History, head: int | None) -> tuple[int | None, str]:
    """Return the last readable step up to a head, and a notice if that is not the head.

    Raises:
        CorruptJournal: if not even the first step can be read.
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
    """Return the position of a fight; a pending step that cannot be read is left out, with a line about it."""
    if draft is None:
        return Cursor(head), ""
    try:
        return read_position(read, draft), ""
    except CorruptJournal as error:
        return Cursor(head), f"the pending step cannot be read and has to be done again: {error.message}"


def stored_sandbox(read: Reader, steps: History, text: bytes | None) -> tuple[OpenWhatIf | None, str]:
    """Return the open what-if, or None and a line if it cannot be read."""
    if text is None:
        return None, ""
    try:
        sandbox = read_sandbox(read, text)
        steps.state(sandbox.start.head)
        return sandbox, ""
    except (CorruptJournal, msgspec.DecodeError, UnicodeDecodeError) as error:
        why = f"where the what-if began cannot be read ({error}): the fight goes on with what was tried"
        return None, f"{why}; what was before is in the list of branches"


def commit_of(
    runner: Runner, plan: Plan, *, was: Cursor, tried: OpenWhatIf | None, shown: PlayerView
) -> tuple[Commit, str]:
    """Return the rows that a plan writes, and a notice if the players' view is missing.

    `tried` is the what-if that was open before, `shown` the players' view in the journal. While a what-if is open,
    the head and the view are those of the real fight.

    Raises:
        StepError: if a ruleset made a value that cannot be read back.
    """
    position, steps = plan.position, runner.history
    for record, _ in plan.done:
        _check(runner, record)
    sandbox = tried if plan.sandbox is UNSET else plan.sandbox
    if sandbox is not None:
        state, depth, asked = steps.state(sandbox.start.head), steps.depth(sandbox.start.head), sandbox.asked
    else:
        state = plan.done[-1][1] if plan.done else steps.state(position.head)
        depth = steps.depth(plan.done[0][0].parent if plan.done else position.head) + len(plan.done)
        asked = question(plan.pending)
    moved = sandbox is None and (plan.done or position.head != was.head or position.head is None or tried is not None)
    table = table_of(runner, state, position, plan.pending, tried=sandbox is not None, salt=shown.salt)
    if moved:
        past = newest_steps(steps, position.head, plan.done)
        every = all_steps(steps, position.head, plan.done)
        view, trouble = shown.changed(runner, visible_state(state, plan.pending), table, past, every)
    else:
        view, trouble = shown.table_changed(runner, table), ""
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
        steps=tuple([record.row for record, _ in plan.done]),
        redo=plan.redo,
        pushed=write_position(runner.reader, was) if plan.redo == "push" else b"",
        restored=tuple(write_position(runner.reader, redone) for redone in plan.restored),
        names=plan.names,
        shown=view,
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
    """Return the acting combatant or slot; of a fight that is over its outcome."""
    clock = state.clock
    if clock.over:
        with suppress(TrackerError):  # an error of the ruleset must not cost the step
            return result_words(runner.ruleset, state, before_end())
        return "over"
    if clock.acting is not None:
        return state.name(clock.acting)
    slot = clock.current
    return slot.title if slot is not None else ""


def _check(runner: Runner, record: StepRecord) -> None:
    """Parse a new record, so that one that cannot be parsed is refused now and not at the next start."""
    row, read, title = record.row, runner.reader, runner.ruleset.title
    made = record.__dict__
    if not {"step", "answers", "entries"} <= made.keys():
        return  # an old step, whose values come from its text
    try:
        parsed = {
            "step": read.step(row.step),
            "answers": read.answers(row.answers),
            "entries": read.entries(row.entries),
        }
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unreadable(title, record, str(error), error) from error
    for name, value in parsed.items():
        if value != made[name]:
            raise _unreadable(
                title, record, f"its {name} read back differently: {_first_difference(made[name], value)}"
            )


def _first_difference(made: object, parsed: object) -> str:
    if isinstance(made, tuple) and isinstance(parsed, tuple) and len(made) == len(parsed):
        pairs = zip(made, parsed, strict=True)
        return next((_first_difference(before, after) for before, after in pairs if before != after), "")
    return f"{made!r} as {parsed!r}"[:300]


def _unreadable(title: str, record: StepRecord, why: str, error: Exception | None = None) -> StepError:
    details = "".join(traceback.format_exception(error)) if error else f"no traceback: {why}"
    return StepError(StepFailure(f"{title}: the step cannot be stored: {why}", details), record.step, record.answers)
