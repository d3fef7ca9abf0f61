"""Undoing: where the fight stood before the last thing that was done."""

from __future__ import annotations

from contextlib import suppress

from msgspec.structs import replace

from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import Thrown
from tracker.session.step.draft import Draft, Position, Sandbox, read_position
from tracker.session.step.runner import Runner

__all__ = ["before", "begins_here"]


def before(runner: Runner, position: Position) -> Position | None:
    """Return where the fight stood before the last thing that was done.

    None where nothing was.
    """
    head, draft = position.head, position.draft
    if draft is None:
        if head is None:
            return None
        record = runner.history.records[head]
        if record.back is not None:
            with suppress(CorruptJournal):  # the step before is there all the same
                return read_position(runner.reader, record.back)
        return None if record.parent is None else Position(record.parent)
    if draft.marks:
        return Position(head, _taken_back(draft))
    if draft.back is not None:
        return draft.back
    return None if head is None else Position(head)


def begins_here(sandbox: Sandbox, position: Position) -> bool:
    """Tell whether the fight stands where the what-if began.

    Then only dropping the what-if leads back.
    """
    if (position.head or 0) >= sandbox.first:
        return False
    draft, begun = position.draft, sandbox.start.draft
    if draft is None:
        return True
    return (
        begun is not None
        and position.head == sandbox.start.head
        and draft.marks[: len(begun.marks)] == begun.marks
        and begun.step.actions == draft.step.actions
        and len(draft.marks) <= len(begun.marks)
    )


def _taken_back(draft: Draft) -> Draft:
    """Return a draft without the last thing a person did to it.

    Dice the program rolled since are kept.
    """
    *marks, last = draft.marks
    step = draft.step
    if last.kind == "interrupt":
        step = replace(step, interrupts=step.interrupts[:-1])
    elif last.kind == "override":
        return replace(
            draft,
            step=replace(step, overrides=step.overrides[:-1]),
            answers=last.answers,
            marks=tuple(marks),
            asked=last.asked,
        )
    kept, dropped = draft.answers[: last.count], draft.answers[last.count :]
    recorded = dict(draft.recorded)
    aside = dict(draft.aside) | {
        key: answer
        for key, answer in dropped
        if key not in recorded and not (isinstance(answer, Thrown) and answer.typed)
    }
    return replace(draft, step=step, answers=kept, aside=tuple(aside.items()), marks=tuple(marks), asked=last.asked)
