"""Plans: the changes of an intent, and the state of the session after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.run import Answers, Pending, Step
from tracker.core.terms.errors import CorruptJournal
from tracker.session.intents import Refusing
from tracker.session.model import AmendReport, Reader, StepRecord
from tracker.session.rows import RedoChange

_Change: TypeAlias = Callable[[Step], Step]


class UndoPoint(Struct, frozen=True):
    """A point to which `Undo` can take a pending step back.

    Attributes:
        kind: what was done there.
        asked: the key of the request that was pending.
        count: how many answers there were.
        answers: all of them, for an override, which changes their order.
    """

    kind: Literal["answer", "interrupt", "override"]
    asked: str
    count: int
    answers: Answers = ()


class PendingStep(Struct, frozen=True):
    """A pending step.

    Attributes:
        step: the step, with its interrupts and overrides so far.
        answers: the answers its requests have taken, in order.
        recorded: answers from an earlier run of the step, taken by key when their request comes.
        aside: answers that no request has taken; the program's dice are used again, the rest is only shown.
        asked: the key of the pending request.
        marks: points to undo, oldest first.
        amends: it is part of an amendment.
        later: steps of the old branch that are replayed after it.
        refused: refused ones of them are forced (`keep`) or left out (`drop`).
        agreed: the ones of them that the preview has shown as forced; None: there was no preview.
        carried: the step that was pending when the amendment began; it is replayed last.
        back: the position that `Undo` leads to after the last of `marks`; None: that after the head.
    """

    step: Step
    answers: Answers = ()
    recorded: Answers = ()
    aside: Answers = ()
    asked: str = ""
    marks: tuple[UndoPoint, ...] = ()
    amends: bool = False
    later: tuple[int, ...] = ()
    refused: Refusing = "keep"
    agreed: tuple[int, ...] | None = None
    carried: PendingStep | None = None
    back: Cursor | None = None


class Cursor(Struct, frozen=True):
    """A position in a fight: the last finished step, and the pending one."""

    head: int | None = None
    draft: PendingStep | None = None


class OpenWhatIf(Struct, frozen=True):
    """An open what-if.

    Attributes:
        start: the position of the real fight.
        first: steps with this number or a higher one belong to the what-if.
        asked: the pending question of the real fight, in words; "": none.
        redo: the positions that `Redo` leads to in the real fight, the next one last.
    """

    start: Cursor
    first: int
    asked: str = ""
    redo: tuple[Cursor, ...] = ()


def write_sandbox(reader: Reader, sandbox: OpenWhatIf) -> bytes:
    """Return an open what-if as it is stored."""
    return reader.codec.encode(_each_position(sandbox, reader.without_encounter))


def read_sandbox(reader: Reader, text: bytes) -> OpenWhatIf:
    """Read a stored what-if."""
    return _each_position(reader.codec.decode(text, OpenWhatIf), lambda step: _opened(reader, step))


def write_position(reader: Reader, position: Cursor) -> bytes:
    """Return a position as it is stored."""
    return reader.codec.encode(_each_step(position, reader.without_encounter))


def read_position(reader: Reader, text: bytes) -> Cursor:
    """Read a stored position, or raise CorruptJournal."""
    try:
        position = reader.codec.decode(text, Cursor)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptJournal(f"where the fight stood is damaged: {error}") from error
    return _each_step(position, lambda step: _opened(reader, step))


def _opened(reader: Reader, step: Step) -> Step:
    """Return a step as it was before it was stored."""
    return replace(step, encounter=reader.encounter) if step.kind == "start" else step


def _each_position(sandbox: OpenWhatIf, change: _Change) -> OpenWhatIf:
    return replace(
        sandbox,
        start=_each_step(sandbox.start, change),
        redo=tuple(_each_step(position, change) for position in sandbox.redo),
    )


def _each_step(position: Cursor, change: _Change) -> Cursor:
    return position if position.draft is None else replace(position, draft=_in_draft(position.draft, change))


def _in_draft(draft: PendingStep, change: _Change) -> PendingStep:
    return replace(
        draft,
        step=change(draft.step),
        carried=None if draft.carried is None else _in_draft(draft.carried, change),
        back=None if draft.back is None else _each_step(draft.back, change),
    )


class Plan(Struct, frozen=True):
    """The changes of an intent.

    Attributes:
        position: the new position of the fight.
        pending: the new pending request.
        done: new steps with the states after them.
        redo: the change of the positions that `Redo` leads to.
        report: the results of an amendment.
        notice: one line about a pending step that could not be resumed as it was.
        restored: the positions that `Redo` leads to, if `redo` is `restore`.
        sandbox: the new open what-if, UNSET if that does not change.
        names: new names of branches, by a step on each.
    """

    position: Cursor
    pending: Pending | None = None
    done: tuple[tuple[StepRecord, State], ...] = ()
    redo: RedoChange = "clear"
    report: AmendReport | None = None
    notice: str = ""
    restored: tuple[Cursor, ...] = ()
    sandbox: OpenWhatIf | UnsetType | None = UNSET
    names: tuple[tuple[int, str], ...] = ()


class SessionState(Struct, frozen=True):
    """The state of an open fight, beside its history.

    Attributes:
        position: its last finished step, and the pending one.
        pending: the pending request.
        redo: the positions that `Redo` leads to, as they are stored, the next one last.
        sandbox: the open what-if.
        names: of branches, by a step on each.
        looking: the past step that is shown; None: the present is.
        notice: one line that stays; "": nothing.
    """

    position: Cursor = Cursor()
    pending: Pending | None = None
    redo: tuple[bytes, ...] = ()
    sandbox: OpenWhatIf | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    looking: int | None = None
    notice: str = ""

    def after(self, plan: Plan, reader: Reader, trouble: str = "") -> SessionState:
        """Return the state of the session after a plan that is on disk; `trouble`: a line about an error there."""
        only_named = bool(plan.names) and plan.sandbox is UNSET  # a new name leaves a past step on the screen
        names = dict(self.names) | dict(plan.names)
        return replace(
            self,
            position=plan.position,
            pending=plan.pending,
            redo=self._redo_after(plan, reader),
            sandbox=self.sandbox if plan.sandbox is UNSET else plan.sandbox,
            names={seq: name for seq, name in names.items() if name},
            looking=self.looking if only_named else None,
            notice=plan.notice or trouble,
        )

    def _redo_after(self, plan: Plan, reader: Reader) -> tuple[bytes, ...]:
        match plan.redo:
            case "clear":
                return ()
            case "push":
                return (*self.redo, write_position(reader, self.position))
            case "pop":
                return self.redo[:-1]
            case "restore":
                return tuple(write_position(reader, position) for position in plan.restored)
            case "keep":
                return self.redo


def question(pending: Pending | None) -> str:
    """Return the pending question in a few words, or "" for none."""
    return "" if pending is None else pending.request.why or pending.request.key
