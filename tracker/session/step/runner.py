"""The runner: steps run on the history of one fight.

Recorded answers are taken by key.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Mapping, MutableMapping
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.fight.settings import DICE, side_key
from tracker.core.fight.state import Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master.settings import with_dice
from tracker.core.run import Answers, Done, Pending, Source, Step
from tracker.core.terms.actions import Refusal
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.requests import Answer
from tracker.session.model import Reader, StepRecord
from tracker.session.settings import Settings, source_of
from tracker.session.step.attempt import Broken, attempt
from tracker.session.step.draft import Draft
from tracker.session.tree.history import History

__all__ = ["Failed", "Outcome", "Recall", "Runner"]

Outcome: TypeAlias = Pending | Done | Refusal
Recall: TypeAlias = Callable[[Pending], Answer | None]
"""Returns what the pending question was answered before."""


class Failed(RulesBug):
    """A ruleset failed in this step."""

    def __init__(self, broken: Broken, step: Step, answers: Answers) -> None:
        super().__init__(broken.line)
        self.details, self.step, self.answers = broken.details, step, answers


class Runner(Struct, frozen=True):
    """A fight's rules, history and settings."""

    ruleset: Ruleset
    reader: Reader
    history: History
    settings: Settings

    def run(
        self,
        state: State,
        draft: Draft,
        firm: Collection[str] = (),
        rest: bool = False,
        spared: bool = False,
        drawn: MutableMapping[str, Answer] | None = None,
        recall: Recall | None = None,
    ) -> tuple[Outcome, Draft]:
        """Run a draft.

        Return what came of it and the draft as it stands then. `recall` answers before the program does.

        Answers that no longer fit their request are put aside and asked for again, but for those named `firm`: these
        are refused.

        Raises:
            Failed: where the ruleset does.
        """
        setting, anew = _setting(state, draft.step), drawn is not None or recall is not None
        answers, recorded, aside = dict(draft.answers), dict(draft.recorded), dict(draft.aside)
        while True:
            given = recorded | answers
            laid = aside if drawn is None else {**drawn, **aside}
            source = source_of(self.settings, setting, laid, rest=rest, spared=spared, drawn=drawn, unseen=anew)
            outcome = self._recalled(state, draft.step, given, source, recall)
            if isinstance(outcome, Broken):
                raise Failed(outcome, draft.step, tuple(given.items()))
            if not isinstance(outcome, Refusal) or outcome.at not in given or outcome.at in firm:
                break
            aside[outcome.at] = given[outcome.at]
            answers.pop(outcome.at, None)
            recorded.pop(outcome.at, None)
        if isinstance(outcome, Refusal):
            return outcome, draft
        taken = dict(outcome.answers)
        aside |= {key: answer for key, answer in answers.items() if key not in taken and key not in recorded}
        kept = tuple((key, answer) for key, answer in aside.items() if key not in taken)
        asked = outcome.request.key if isinstance(outcome, Pending) else ""
        return outcome, replace(
            draft, answers=outcome.answers, recorded=tuple(recorded.items()), aside=kept, asked=asked
        )

    def replay(self, state: State, draft: Draft) -> Pending | None:
        """Run a draft with its own answers and no others.

        Return None where it no longer waits for what it waited for.
        """
        given = dict(draft.recorded) | dict(draft.answers)
        outcome = self._attempt(state, draft.step, tuple(given.items()))
        if isinstance(outcome, Pending) and outcome.request.key == draft.asked and outcome.answers == draft.answers:
            return outcome
        return None

    def asked_again(self, record: StepRecord, key: str) -> Pending | None:
        """Return a step of the past as it stood at the request of this key.

        None where it cannot be asked again.
        """
        others = tuple((name, answer) for name, answer in record.answers if name != key)
        outcome = self._attempt(self.history.state(record.parent), record.step, others)
        return outcome if isinstance(outcome, Pending) and outcome.request.key == key else None

    def _recalled(
        self, state: State, step: Step, given: Mapping[str, Answer], source: Source, recall: Recall | None
    ) -> Outcome | Broken:
        """Run a step, with `recall` one question at a time.

        It has to see where each of them stands.
        """
        if recall is None:
            return self._attempt(state, step, tuple(given.items()), source)
        answers = dict(given)
        while True:
            outcome = self._attempt(state, step, tuple(answers.items()))
            if not isinstance(outcome, Pending):
                return outcome
            answer = recall(outcome)
            answer = source(outcome.request) if answer is None else answer
            if answer is None:
                return outcome
            answers[outcome.request.key] = answer

    def _attempt(
        self, state: State, step: Step, answers: Answers, source: Source | None = None
    ) -> Pending | Done | Refusal | Broken:
        return attempt(self.ruleset, state, step, answers, source=source, seconds=self.settings.step_seconds)

    def record(self, draft: Draft, done: Done, *, seq: int, parent: int | None, at: str = "") -> StepRecord:
        """Make the record of a step that came to its end.

        Raises:
            Failed: where the ruleset made something that is no value.
        """
        try:
            return StepRecord.made(
                self.reader,
                draft.step,
                done.answers,
                done.entries,
                seq=seq,
                parent=parent,
                at=at or self.settings.clock(),
                reached=done.reached,
            )
        except (NotImplementedError, TypeError, ValueError) as error:
            line = f"{self.ruleset.title}: the step cannot be stored: {error}"
            raise Failed(Broken(line, traceback.format_exc()), draft.step, done.answers) from error


def _setting(state: State, step: Step) -> State:
    """Return the state that says who is on which side, and who rolls.

    Before a fight opens, its encounter does; what the GM set while the step waits counts at once.
    """
    set_here = tuple(interruption.action for interruption in step.interrupts)
    if step.encounter is None or state.sides:
        return with_dice(state, set_here) if set_here else state
    sides = tuple(Side(side.id, side.name, side.control) for side in step.encounter.sides)
    said = tuple((DICE, side_key(side.id), side.dice) for side in step.encounter.sides if side.dice is not UNSET)
    return with_dice(State(sides=sides, facts=tuple(sorted(said))), set_here)
