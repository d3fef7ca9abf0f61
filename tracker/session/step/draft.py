"""Drafts: steps that wait for an answer, and where a fight stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from tracker.core.run import Answers, Step
from tracker.core.terms.errors import CorruptJournal
from tracker.session.intents import Refusing
from tracker.session.model import Reader

__all__ = ["Draft", "Mark", "Position", "Sandbox", "read_position", "read_sandbox", "write_position", "write_sandbox"]

_Change: TypeAlias = Callable[[Step], Step]


class Mark(Struct, frozen=True):
    """One thing a person did to a pending step, kept for taking it back.

    It holds what was asked, and how many answers there were, or all where their order changed.
    """

    kind: Literal["answer", "interrupt", "override"]
    asked: str
    count: int
    answers: Answers = ()


class Draft(Struct, frozen=True):
    """A pending step.

    Attributes:
        step: what was asked for, with its interrupts and overrides so far.
        answers: those its requests have taken, in order.
        recorded: answers from an earlier run of the step, taken by key when their request comes.
        aside: answers no request wants; dice the program rolled are used again, the rest is only shown.
        asked: the key of the request that waits.
        marks: what a person did to it, oldest first.
        amends: it is part of an amendment.
        later: steps of the old branch that are done again after it.
        refused: what becomes of those that are refused then.
        carried: the step that was pending when the amendment began; it comes last.
        back: where `Undo` leads when nothing is left to take back; None: to the head.
    """

    step: Step
    answers: Answers = ()
    recorded: Answers = ()
    aside: Answers = ()
    asked: str = ""
    marks: tuple[Mark, ...] = ()
    amends: bool = False
    later: tuple[int, ...] = ()
    refused: Refusing = "keep"
    carried: Draft | None = None
    back: Position | None = None


class Position(Struct, frozen=True):
    """Where a fight stands: after which step, and in the middle of which."""

    head: int | None = None
    draft: Draft | None = None


class Sandbox(Struct, frozen=True):
    """A what-if that is open.

    Attributes:
        start: where the fight really stands.
        first: steps with this number or a higher one are only tried.
        asked: what is really asked meanwhile, in words; "": nothing.
        redo: what `Redo` really leads to, the last one first to come.
    """

    start: Position
    first: int
    asked: str = ""
    redo: tuple[Position, ...] = ()


def write_sandbox(reader: Reader, sandbox: Sandbox) -> bytes:
    """Return an open what-if as it is stored."""
    return reader.codec.encode(_each_position(sandbox, reader.bare))


def read_sandbox(reader: Reader, text: bytes) -> Sandbox:
    """Read a stored what-if."""
    return _each_position(reader.codec.decode(text, Sandbox), lambda step: _opened(reader, step))


def write_position(reader: Reader, position: Position) -> bytes:
    """Return a position as it is stored."""
    return reader.codec.encode(_each_step(position, reader.bare))


def read_position(reader: Reader, text: bytes) -> Position:
    """Read a stored position.

    Raises:
        CorruptJournal: where it is damaged.
    """
    try:
        position = reader.codec.decode(text, Position)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CorruptJournal(f"where the fight stood is damaged: {error}") from error
    return _each_step(position, lambda step: _opened(reader, step))


def _opened(reader: Reader, step: Step) -> Step:
    """Return a step as it was before it was stored."""
    return replace(step, encounter=reader.encounter) if step.kind == "start" else step


def _each_position(sandbox: Sandbox, change: _Change) -> Sandbox:
    return replace(
        sandbox,
        start=_each_step(sandbox.start, change),
        redo=tuple(_each_step(position, change) for position in sandbox.redo),
    )


def _each_step(position: Position, change: _Change) -> Position:
    return position if position.draft is None else replace(position, draft=_in_draft(position.draft, change))


def _in_draft(draft: Draft, change: _Change) -> Draft:
    return replace(
        draft,
        step=change(draft.step),
        carried=None if draft.carried is None else _in_draft(draft.carried, change),
        back=None if draft.back is None else _each_step(draft.back, change),
    )
