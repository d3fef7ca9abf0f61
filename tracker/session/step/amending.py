"""Amending: a step done again, then every later one, on a new branch.

Later steps keep their actions and take their answers by key. As soon as the fight stands as it stood then, the rest is
taken over as it is.
"""

from __future__ import annotations

from collections.abc import Collection, MutableMapping, Sequence

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.run import Answers, Done, Pending, Step
from tracker.core.terms.actions import Refusal
from tracker.core.terms.errors import Refused
from tracker.core.terms.requests import Answer
from tracker.session.intents import Refusing
from tracker.session.model import AmendReport, Outcome, StepOutcome, StepRecord
from tracker.session.step.differences import differences
from tracker.session.step.draft import Draft, Position, write_position
from tracker.session.step.runner import Runner

__all__ = ["Amendment"]

Drawn = MutableMapping[int | None, MutableMapping[str, Answer]]


class Amendment:
    """One amendment under way: its steps, where it stands, and what it found."""

    def __init__(self, runner: Runner, head: int | None, *, refused: Refusing, back: Position, drawn: Drawn) -> None:
        """Begin after step `head`.

        `back` is where the fight stood, `drawn` the program's dice of each old step, rolled once.
        """
        self._runner, self._refused, self._back, self._drawn = runner, refused, back, drawn
        self.head, self.state = head, runner.history.state(head)
        self.done: list[tuple[StepRecord, State]] = []
        self.outcomes: list[StepOutcome] = []
        self.pending: Pending | None = None
        self.draft: Draft | None = None

    def first(self, old: StepRecord, step: Step, answers: Answers, firm: Collection[str]) -> bool:
        """Do the amended step and return whether it came to its end.

        Raises:
            Refused: where it cannot be done so.
        """
        draft = Draft(step, recorded=answers, amends=True, refused=self._refused, back=self._back)
        outcome, draft = self._runner.run(self.state, draft, firm, drawn=self._drawn_for(old.seq))
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        return self._take(old, draft, outcome)

    def take(self, record: StepRecord, state: State) -> None:
        """Take in a step of the amendment that has come to its end."""
        self.done.append((record, state))
        self.head, self.state = record.seq, state

    def later(self, seqs: Sequence[int], carried: Draft | None) -> None:
        """Do later steps of the old branch again, then the step that was pending.

        Stop at a question nobody has answered.
        """
        records = self._runner.history.records
        for place, seq in enumerate(seqs):
            if self.draft is None:
                draft = self._again(records[seq])
                if draft is not None:
                    self.draft = replace(draft, later=tuple(seqs[place + 1 :]), carried=carried)
            else:
                self.outcomes.append(StepOutcome(seq, "waiting", records[seq].step))
        if carried is not None and self.draft is None:
            self._carry(carried)

    def wait(self, seqs: Sequence[int], carried: Draft | None) -> None:
        """Leave later steps for when the pending one is done."""
        if self.draft is not None:
            self.draft = replace(self.draft, later=tuple(seqs), carried=carried)
            self.later(seqs, None)

    @property
    def position(self) -> Position:
        """Where the fight stands now."""
        return Position(self.head, self.draft)

    def steps(self) -> tuple[tuple[StepRecord, State], ...]:
        """Return the new steps.

        From the last one `Undo` leads back to the old branch, unless it leads there from the pending one already.
        """
        if self.done and (self.draft is None or not self.draft.amends):
            record, state = self.done[-1]
            back = write_position(self._runner.reader, self._back)
            self.done[-1] = (record.placed(replace(record.row, back=back)), state)
        return tuple(self.done)

    def report(self, step: int) -> AmendReport:
        """Return the outcome of each step."""
        was = self._runner.history.state(self._back.head)
        return AmendReport(step, tuple(self.outcomes), differences(was, self.state), states=(was, self.state))

    def _again(self, old: StepRecord) -> Draft | None:
        """Do an old step again and return its draft where it waits for an answer."""
        history = self._runner.history
        if self.state == history.state(old.parent):
            row = replace(old.row, seq=self._next, parent=self.head, back=None)
            self.take(old.placed(row), history.state(old.seq))
            self.outcomes.append(StepOutcome(old.seq, "same", old.step))
            return None
        step = replace(old.step, to=old.reached) if old.step.kind == "advance" else old.step
        draft = Draft(step, recorded=old.answers, amends=True, refused=self._refused, back=self._back)
        outcome, draft = self._run(old.seq, draft)
        refusal = None
        if isinstance(outcome, Refusal):
            refusal = outcome
            if step.kind != "advance" and refusal.forcible and self._refused == "keep":
                outcome, draft = self._run(old.seq, replace(draft, step=replace(draft.step, forced=True)))
        strayed = (
            step.kind == "advance" and isinstance(outcome, Done) and not step.to and outcome.reached
        )  # it stayed in its slot then
        if isinstance(outcome, Refusal) or strayed:
            gone = step.kind == "advance"
            changes = differences(history.state(old.seq), self.state)
            self.outcomes.append(
                StepOutcome(old.seq, "gone" if gone else "refused", old.step, refusal=refusal, changes=changes)
            )
            return None
        return None if self._take(old, draft, outcome, refusal) else self.draft

    def _run(self, seq: int | None, draft: Draft) -> tuple[Pending | Done | Refusal, Draft]:
        """Run a step of the old branch.

        An interruption that is refused now is left out, its place kept for the keys of the others.
        """
        while True:
            outcome, after = self._runner.run(self.state, draft, drawn=self._drawn_for(seq))
            interrupts = draft.step.interrupts
            places = [
                place
                for place, item in enumerate(interrupts)
                if isinstance(outcome, Refusal) and outcome.at == f"{item.key}!{place + 1}"
            ]
            if not places:
                return outcome, after
            left = tuple(replace(item, key="") if place in places else item for place, item in enumerate(interrupts))
            draft = replace(draft, step=replace(draft.step, interrupts=left))

    def _take(self, old: StepRecord, draft: Draft, outcome: Pending | Done, refusal: Refusal | None = None) -> bool:
        if isinstance(outcome, Pending):
            self.draft, self.pending = draft, outcome
            self.outcomes.append(
                StepOutcome(
                    old.seq, "open", draft.step, kept=refusal is not None, refusal=refusal, request=outcome.request
                )
            )
            return False
        record = self._runner.record(draft, outcome, seq=self._next, parent=self.head, at=old.at)
        self.take(record, outcome.state)
        lost = (*(key for key, _ in draft.aside), *outcome.unused)
        kind: Outcome = (
            "refused" if refusal else "unused" if lost else "same" if outcome.entries == old.entries else "changed"
        )
        changes = differences(self._runner.history.state(old.seq), outcome.state)
        self.outcomes.append(
            StepOutcome(
                old.seq, kind, draft.step, kept=refusal is not None, refusal=refusal, unused=lost, changes=changes
            )
        )
        return True

    def _carry(self, carried: Draft) -> None:
        answers = dict(carried.recorded) | dict(carried.answers)
        draft = replace(carried, recorded=tuple(answers.items()), answers=(), marks=(), back=self._back)
        outcome, draft = self._run(None, draft)
        match outcome:
            case Refusal():
                self.outcomes.append(StepOutcome(None, "refused", carried.step, refusal=outcome))
            case Pending():
                self.draft, self.pending = draft, outcome
                self.outcomes.append(
                    StepOutcome(
                        None,
                        "same" if outcome.request.key == carried.asked else "open",
                        draft.step,
                        request=outcome.request,
                    )
                )
            case Done():
                record = self._runner.record(draft, outcome, seq=self._next, parent=self.head)
                self.take(record, outcome.state)
                self.outcomes.append(StepOutcome(None, "changed", draft.step, unused=outcome.unused))

    @property
    def _next(self) -> int:
        return self._runner.history.next + len(self.done)

    def _drawn_for(self, seq: int | None) -> MutableMapping[str, Answer]:
        return self._drawn.setdefault(seq, {})
