"""Amending: a step is replayed with changes, then every later one, on a new branch.

Later steps keep their actions and take their answers by key. A step before which the state is the old one again is
copied.
"""

from __future__ import annotations

from collections.abc import Collection, MutableMapping, Sequence
from copy import copy
from itertools import takewhile

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.run import Answers, Done, Pending, Step
from tracker.core.terms.errors import Refusal, Refused
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll
from tracker.library.ruleset_errors import RulesetError
from tracker.session.intents import Refusing
from tracker.session.model import AmendReport, Assumed, Outcome, StepOutcome, StepRecord, differences
from tracker.session.step.plan import Cursor, PendingStep, write_position
from tracker.session.step.runner import Recall, Runner
from tracker.session.tree import AnswerPool, Asked, asked_at, asked_in, given_before

MOST_ASSUMED = 200
Drawn = MutableMapping[int | None, MutableMapping[str, Answer]]


class Amendment:
    """One amendment in progress: its new steps, its position and its results."""

    def __init__(
        self,
        runner: Runner,
        head: int | None,
        *,
        refused: Refusing,
        back: Cursor,
        drawn: Drawn,
        agreed: Collection[int] | None = None,
    ) -> None:
        """Begin after step `head`.

        `back` is the position before the amendment, `drawn` has the program's dice of each old step. `agreed`: the only
        refused steps that are forced; None: all are.
        """
        self._agreed = agreed
        self._runner, self._refused, self._back, self._drawn = runner, refused, back, drawn
        self.head, self.state, self._begun = head, runner.history.state(head), head
        self.done: list[tuple[StepRecord, State]] = []
        self.outcomes: list[StepOutcome] = []
        self.pending: Pending | None = None
        self.draft: PendingStep | None = None
        self._assumed: list[Assumed] = []
        self._pool: AnswerPool | None = None

    def first(self, old: StepRecord, step: Step, answers: Answers, firm: Collection[str]) -> bool:
        """Run the amended step and return whether it is finished, or raise Refused."""
        draft = PendingStep(step, recorded=answers, amends=True, refused=self._refused, back=self._back)
        earlier = given_before(self._runner.history, old, self._back.head)

        def recall(pending: Pending) -> Answer | None:
            answer = earlier.get(pending.request.key)
            return answer if answer is not None and pending.request.problem(answer) is None else None

        outcome, draft = self._runner.run(
            self.state, draft, firm, program_rolls=self._drawn_for(old.seq), recall=recall if earlier else None
        )
        if isinstance(outcome, Refusal):
            raise Refused(outcome)
        return self._take(old, draft, outcome)

    def add_step(self, record: StepRecord, state: State) -> None:
        """Add a finished step of the amendment."""
        if self._pool is not None:
            self._pool.mark_used(record, self.state.clock.at)
        self.done.append((record, state))
        self.head, self.state = record.seq, state

    def replay_later_steps(self, seqs: Sequence[int], carried: PendingStep | None) -> None:
        """Replay later steps of the old branch and its pending one, up to a question without an answer."""
        records = self._runner.history.records
        for place, seq in enumerate(seqs):
            if self.draft is not None:
                self.outcomes.append(StepOutcome(seq, "waiting", records[seq].step))
            elif (draft := self._replay(records[seq], seqs[place + 1 :])) is not None:
                self.draft = replace(draft, later=tuple(seqs[place + 1 :]), carried=carried)
        if carried is not None and self.draft is None:
            self._carry(carried)

    def postpone_later_steps(self, seqs: Sequence[int], carried: PendingStep | None) -> None:
        """Leave later steps until the pending one is finished."""
        if self.draft is not None:
            self.draft = replace(self.draft, later=tuple(seqs), carried=carried)
            self.replay_later_steps(seqs, None)

    @property
    def position(self) -> Cursor:
        """The position of the fight now."""
        agreed = None if self._agreed is None else tuple(sorted(self._agreed))
        return Cursor(self.head, None if self.draft is None else replace(self.draft, agreed=agreed))

    def agree(self, report: AmendReport) -> None:
        """From now on force only the steps that this preview has shown as forced."""
        self._agreed = [outcome.seq for outcome in report.outcomes if outcome.kept and outcome.seq is not None]

    def steps(self) -> tuple[tuple[StepRecord, State], ...]:
        """Return the new steps; `Undo` of the last one leads to the old branch, unless that of the pending one does."""
        if self.done and (self.draft is None or not self.draft.amends):
            record, state = self.done[-1]
            back = write_position(self._runner.reader, self._back)
            self.done[-1] = (record.moved_to(replace(record.row, back=back)), state)
        return tuple(self.done)

    def report(self, step: int, ahead: bool = False) -> AmendReport:
        """Return the result of each step; `ahead`: beyond open questions, with likely answers."""
        if ahead and self.draft is not None:
            preview = copy(self)
            preview.done, preview._assumed, preview._pool = list(self.done), [], None
            preview.outcomes = list(self.outcomes)
            preview._go_on()
            return preview.report(step)
        history = self._runner.history
        until = self._latest.seq if self.draft is not None and self._latest.outcome == "open" else None
        was = history.state(self._back.head if until is None else history.records[until].parent)
        outcomes, asks = tuple(self.outcomes), tuple(self._assumed)
        return AmendReport(
            step, outcomes, differences(was, self.state), states=(was, self.state), asks=asks, until=until
        )

    def _go_on(self) -> None:
        """Give each open question its likely answer, and go on."""
        while self.draft is not None and self.pending is not None and len(self._assumed) < MOST_ASSUMED:
            draft, request, seq = self.draft, self.pending.request, self._latest.seq
            answer = _likely(request)
            if seq is None or answer is None:  # the step that was pending before is asked in its own time
                return
            self._assumed.append(Assumed(seq, request, answer))
            given = replace(draft, answers=(*draft.answers, (request.key, answer)))
            outcome, draft = self._runner.run(
                self.state, given, program_rolls=self._drawn_for(seq), recall=self.recall(draft, draft.later)
            )
            match outcome:
                case Refusal():
                    return
                case Pending():
                    self.draft, self.pending = draft, outcome
                case Done():
                    self.draft = self.pending = None
                    self.add_step(self._runner.record(draft, outcome, seq=self._next, parent=self.head), outcome.state)
                    self.outcomes = [outcome for outcome in self.outcomes if outcome.outcome != "waiting"]
                    self.replay_later_steps(draft.later, draft.carried)

    @property
    def _latest(self) -> StepOutcome:
        return next(outcome for outcome in reversed(self.outcomes) if outcome.outcome != "waiting")

    def _replay(self, old: StepRecord, later: Sequence[int]) -> PendingStep | None:
        """Replay an old step, before later ones, and return it if it waits for an answer."""
        history = self._runner.history
        if self.state == history.state(old.parent):
            row = replace(old.row, seq=self._next, parent=self.head, back=None)
            self.add_step(old.moved_to(row), history.state(old.seq))
            self.outcomes.append(StepOutcome(old.seq, "same", old.step))
            return None
        step = self._step(old)
        draft = PendingStep(step, recorded=old.answers, amends=True, refused=self._refused, back=self._back)
        outcome, draft = self._run(old.seq, draft, later)
        if step.kind == "advance" and not isinstance(outcome, Refusal):
            unfitting = self._unfitting_answers(old, outcome)
            fitting = tuple((key, answer) for key, answer in old.answers if key not in unfitting)
            if unfitting & {key for key, _ in outcome.answers}:
                outcome, draft = self._run(old.seq, replace(draft, recorded=fitting, answers=(), aside=()), later)
            else:
                draft = replace(draft, recorded=fitting)
        refusal = outcome if isinstance(outcome, Refusal) else None
        forcing = self._refused == "keep" and (self._agreed is None or old.seq in self._agreed)
        if refusal is not None and refusal.forcible and forcing and step.kind != "advance":
            outcome, draft = self._run(old.seq, replace(draft, step=replace(draft.step, forced=True)), later)
        # An advance that stayed in its slot then may not go on to another one now.
        strayed = step.kind == "advance" and isinstance(outcome, Done) and not step.to and outcome.reached
        if isinstance(outcome, Refusal) or strayed:
            kind: Outcome = "gone" if step.kind == "advance" else "refused"
            changes = differences(history.state(old.seq), self.state)
            self.outcomes.append(StepOutcome(old.seq, kind, old.step, refusal=refusal, changes=changes))
            return None
        return None if self._take(old, draft, outcome, refusal) else self.draft

    def _step(self, old: StepRecord) -> Step:
        """Return an old step as it is replayed: one that went on as `n` does advances to the slot it reached then."""
        if old.step.kind == "advance":
            return replace(old.step, to=old.reached)
        was, now = self._runner.history.state(old.parent), self._runner.history.state(old.seq)
        if len(old.step.actions) != 1 or was.clock.at == now.clock.at:
            return old.step
        try:
            due = self._runner.ruleset.advance(was)
        except RulesetError:  # a home-made game's: the step itself says what it does
            return old.step
        action = old.step.actions[0]
        if due is None or (action.key, action.by) != (due.key, due.by) or not set(action.fields) <= set(due.fields):
            return old.step
        return replace(old.step, kind="advance", actions=(), to=now.clock.at or "")

    def _unfitting_answers(self, old: StepRecord, outcome: Pending | Done) -> set[str]:
        """Return the keys of an advance's answers to other questions than now, unless they may still be asked."""
        was = asked_in(old.entries, self._runner.history.state(old.parent).clock.at)
        now = asked_in(outcome.entries, self.state.clock.at)
        waits = isinstance(outcome, Pending)
        return {key for key, asked in was.items() if (key in now or waits) and now.get(key) != asked}

    def recall(self, draft: PendingStep, later: Sequence[int]) -> Recall | None:
        """Return the function that finds an answer of the old branch for an advance, None for other steps."""
        if draft.step.kind != "advance":
            return None
        used: dict[Asked, str] = {}

        def recall(pending: Pending) -> Answer | None:
            key, at = pending.request.key, pending.state.clock.at
            if used.setdefault(asked_at(key, at), key) != key:
                return None
            return self._answers.find(pending.request, at, later)

        return recall

    @property
    def _answers(self) -> AnswerPool:
        """The free answers of the old branch."""
        if self._pool is None:
            history = self._runner.history
            old, new = history.path(self._back.head), history.path(self._begun)
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(old, new, strict=False)))
            slots = [(record, history.state(record.parent).clock.at) for record in new[shared:]]
            at = history.state(self._begun).clock.at
            for record, state in self.done:
                slots.append((record, at))
                at = state.clock.at
            self._pool = AnswerPool(history, old[shared:], slots)
        return self._pool

    def _run(
        self, seq: int | None, draft: PendingStep, later: Sequence[int] = ()
    ) -> tuple[Pending | Done | Refusal, PendingStep]:
        """Run a step of the old branch without interruptions that are refused now; the keys of others stay."""
        while True:
            outcome, after = self._runner.run(
                self.state, draft, program_rolls=self._drawn_for(seq), recall=self.recall(draft, later)
            )
            refused_at, interrupts = outcome.at if isinstance(outcome, Refusal) else None, draft.step.interrupts
            left = tuple(
                replace(item, key="") if refused_at == f"{item.key}!{number}" else item
                for number, item in enumerate(interrupts, 1)
            )
            if left == interrupts:
                return outcome, after
            draft = replace(draft, step=replace(draft.step, interrupts=left))

    def _take(
        self, old: StepRecord, draft: PendingStep, outcome: Pending | Done, refusal: Refusal | None = None
    ) -> bool:
        """Add the replayed step with its result, and tell whether it is finished."""
        result = StepOutcome(old.seq, "open", draft.step, kept=refusal is not None, refusal=refusal)
        if isinstance(outcome, Pending):
            self.draft, self.pending = draft, outcome
            self.outcomes.append(replace(result, request=outcome.request))
            return False
        record = self._runner.record(draft, outcome, seq=self._next, parent=self.head, at=old.at)
        self.add_step(record, outcome.state)
        unused = (*(key for key, _ in draft.aside), *outcome.unused)
        kind: Outcome = (
            "refused" if refusal else "unused" if unused else "same" if outcome.entries == old.entries else "changed"
        )
        changes = differences(self._runner.history.state(old.seq), outcome.state)
        self.outcomes.append(replace(result, outcome=kind, unused=unused, changes=changes))
        return True

    def _carry(self, carried: PendingStep) -> None:
        answers = dict(carried.recorded) | dict(carried.answers)
        draft = replace(carried, recorded=tuple(answers.items()), answers=(), marks=(), back=self._back)
        outcome, draft = self._run(None, draft)
        match outcome:
            case Refusal():
                self.outcomes.append(StepOutcome(None, "refused", carried.step, refusal=outcome))
            case Pending():
                self.draft, self.pending = draft, outcome
                kind: Outcome = "same" if outcome.request.key == carried.asked else "open"
                self.outcomes.append(StepOutcome(None, kind, draft.step, request=outcome.request))
            case Done():
                record = self._runner.record(draft, outcome, seq=self._next, parent=self.head)
                self.add_step(record, outcome.state)
                self.outcomes.append(StepOutcome(None, "changed", draft.step, unused=outcome.unused))

    @property
    def _next(self) -> int:
        return self._runner.history.next + len(self.done)

    def _drawn_for(self, seq: int | None) -> MutableMapping[str, Answer]:
        return self._drawn.setdefault(seq, {})


def _likely(request: Request) -> Answer | None:
    if isinstance(request, Roll):
        faces = tuple((sides + 1 + place % 2) // 2 for place, sides in enumerate(request.dice.sides))
        return DiceAnswer(sum(faces), faces)
    return request.sample(lambda least, most: least) if request.default_answer is None else request.default_answer
