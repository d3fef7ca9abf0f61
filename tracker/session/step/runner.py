"""The runner: steps run on the history of one fight.

Recorded answers are taken by key.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Collection, Mapping, MutableMapping
from itertools import takewhile
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core import run as steps
from tracker.core.fight.settings import DICE, side_key
from tracker.core.fight.state import Side, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.gm.settings import with_dice
from tracker.core.run import Answers, Done, Outcome, Pending, Source, Step
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Roll, Window
from tracker.library.guard import unwrapped
from tracker.library.ruleset_errors import error_line, place_of
from tracker.library.time_limit import TimedCall, TimeOver, call_within
from tracker.session.model import Reader, StepRecord
from tracker.session.settings import Settings, source_of
from tracker.session.step.plan import PendingStep
from tracker.session.tree import History

LOOKING = 0.25
"""Seconds of computing for a step that is only looked at."""
JOINING = 0.005
"""Seconds more for each combatant a fight opens with."""


class StepFailure(Struct, frozen=True):
    """A ruleset failed: one line for people, and where it happened."""

    line: str
    details: str = ""
    endless: bool = False


def run_step(
    ruleset: Ruleset, state: State, step: Step, answers: Answers, *, source: Source | None, seconds: float
) -> Outcome | StepFailure:
    """Perform a step as `tracker.core.run.run` does, and contain what goes wrong inside the ruleset.

    `seconds` are of computing; a step of many combatants has more.
    """
    allowed = seconds
    if step.encounter is not None:
        sides = step.encounter.sides
        allowed += JOINING * sum(member.count.maximum for side in sides for member in side.members)
    try:
        return call_within(TimedCall(allowed, state), steps.run, unwrapped(ruleset), state, step, answers, source)
    except TimeOver as endless:
        words = f"the step did not end within {seconds:g} seconds{_at(endless)}"
        return StepFailure(f"{ruleset.title}: {words}", traceback.format_exc(), endless=True)
    except RulesBug as bug:
        return StepFailure(f"{ruleset.title}: {bug.message}{_at(bug)}", traceback.format_exc())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - anything a ruleset raises
        return StepFailure(f"{ruleset.title}: {error_line(error)}", traceback.format_exc())


_failed: tuple[object, object, StepFailure] | None = None
"""The state and the step of the last one tried out that failed, and how."""


def dry_run(
    ruleset: Ruleset, state: State, step: Step, answers: Answers = (), source: Source | None = None
) -> Outcome | StepFailure:
    """Perform a step on the side, for a look at its result.

    It has less time than one that is done, and one that has failed fails again without being performed.
    """
    global _failed
    held = _failed
    if held is not None and held[0] is state and held[1] == step:
        return held[2]
    outcome = run_step(ruleset, state, step, answers, source=source, seconds=LOOKING)
    if isinstance(outcome, StepFailure):
        _failed = (state, step, outcome)
    return outcome


def _at(error: BaseException) -> str:
    place = place_of(error)
    return f" ({place})" if place else ""


Recall: TypeAlias = Callable[[Pending], Answer | None]
"""Returns what the pending question was answered before."""


class StepError(RulesBug):
    """A ruleset failed in this step."""

    def __init__(self, broken: StepFailure, step: Step, answers: Answers) -> None:
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
        draft: PendingStep,
        must_fit: Collection[str] = (),
        rest: bool = False,
        leave_player_choices: bool = False,
        program_rolls: MutableMapping[str, Answer] | None = None,
        recall: Recall | None = None,
    ) -> tuple[Outcome, PendingStep]:
        """Run a draft.

        Return its result and the draft after it. `recall` answers before the program does.

        Answers that no longer fit their request are put aside and asked for again, but for those named `must_fit`:
        these are refused.

        Raises:
            Failed: where the ruleset does.
        """
        setting, anew = _setting(state, draft.step), program_rolls is not None or recall is not None
        answers, recorded, aside = dict(draft.answers), dict(draft.recorded), dict(draft.aside)
        while True:
            given = recorded | answers
            laid = aside if program_rolls is None else {**program_rolls, **aside}
            source = source_of(
                self.settings,
                setting,
                laid,
                rest=rest,
                leave_player_choices=leave_player_choices,
                program_rolls=program_rolls,
                offscreen=anew,
            )
            outcome = self._recalled(state, draft.step, given, source, recall)
            if isinstance(outcome, StepFailure):
                raise StepError(outcome, draft.step, tuple(given.items()))
            if not isinstance(outcome, Refusal) or outcome.at not in given or outcome.at in must_fit:
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

    def replay(self, state: State, draft: PendingStep) -> Pending | None:
        """Run a draft with its own answers only, and return None if it waits for something else."""
        given = dict(draft.recorded) | dict(draft.answers)
        outcome = self._attempt(state, draft.step, tuple(given.items()))
        if isinstance(outcome, Pending) and outcome.request.key == draft.asked and outcome.answers == draft.answers:
            return outcome
        return None

    def replay_to_request(self, record: StepRecord, key: str) -> Pending | None:
        """Return a past step as it was at the request of this key, None if it cannot be asked again."""
        others = tuple((name, answer) for name, answer in record.answers if name != key)
        outcome = self._attempt(self.history.state(record.parent), record.step, others)
        return outcome if isinstance(outcome, Pending) and outcome.request.key == key else None

    def _recalled(
        self, state: State, step: Step, given: Mapping[str, Answer], source: Source, recall: Recall | None
    ) -> Outcome | StepFailure:
        """Run a step, with `recall` one question at a time, to see where each is asked."""
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
    ) -> Pending | Done | Refusal | StepFailure:
        return run_step(self.ruleset, state, step, answers, source=source, seconds=self.settings.step_seconds)

    def record(self, draft: PendingStep, done: Done, *, seq: int, parent: int | None, at: str = "") -> StepRecord:
        """Make the record of a step that came to its end; StepError if the ruleset made no values."""
        try:
            return StepRecord.create(
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
            raise StepError(StepFailure(line, traceback.format_exc()), draft.step, done.answers) from error


def _setting(state: State, step: Step) -> State:
    """Return the state that tells sides and dice: before a fight opens, its encounter's."""
    set_here = tuple(interruption.action for interruption in step.interrupts)
    if step.encounter is None or state.sides:
        return with_dice(state, set_here) if set_here else state
    sides = tuple(Side(side.id, side.name, side.control) for side in step.encounter.sides)
    facts = tuple((DICE, side_key(side.id), side.dice) for side in step.encounter.sides if side.dice is not UNSET)
    return with_dice(State(sides=sides, facts=tuple(sorted(facts))), set_here)


MOST_WINDOWS = 20
MOST_IN_A_ROW = 24


class NextDecision(Struct, frozen=True):
    """What is really asked: the request of `pending`, behind the windows that wait in front of it."""

    pending: Pending
    windows: tuple[Window, ...] = ()

    @property
    def request(self) -> Request:
        """Return what is asked once the windows are passed."""
        return self.pending.request


_latest: tuple[Pending | None, Settings | None, NextDecision | None] = (None, None, None)


def next_decision(ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step) -> NextDecision:
    """Return what is asked once the windows in front of it are passed.

    A window after which no person is asked anything is the decision itself. The last answer is remembered.
    """
    global _latest
    known, under, found = _latest
    if known is not pending or under is not settings or found is None:
        found = _found(ruleset, settings, before, pending, step)
        _latest = (pending, settings, found)
    return found


def _found(ruleset: Ruleset, settings: Settings, before: State, pending: Pending, step: Step) -> NextDecision:
    request = pending.request
    if not isinstance(request, Window):
        return NextDecision(pending)
    # What the program would answer by itself is not asked; its dice are not rolled for looking ahead.
    asked = source_of(without_dice(settings), before, {})
    windows: list[Window] = []
    answers: Answers = pending.answers
    for _ in range(MOST_WINDOWS):
        if not isinstance(request, Window):
            break
        if not windows or asked(request) is None:  # the program passes the others by itself
            windows.append(request)
        answers = (*answers, (request.key, Passed()))
        outcome = dry_run(ruleset, before, step, answers)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
        if not isinstance(request, Window) and asked(request) is None:
            return NextDecision(outcome, tuple(windows))
    return NextDecision(pending)


def consecutive_rolls(
    ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    """Return the dice asked for one after the other, with any results.

    They are of one kind and one roller: `initiative:ava`, `initiative:brin`. Fewer than two are none.
    """
    found = rolls_in_a_row(ruleset, settings, before, pending=pending, step=step)
    alike = tuple(takewhile(lambda roll: roll.to == found[0].to, found))
    return alike if len(alike) > 1 else ()


_latest_row: tuple[Pending | None, Settings | None, tuple[Roll, ...]] = (None, None, ())


def rolls_in_a_row(
    ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    """Return the dice of one kind asked for one after the other, those of players and of the GM.

    Fewer than two are none. The last answer is remembered.
    """
    global _latest_row
    known, under, found = _latest_row
    if known is not pending or under is not settings:
        found = _rolls_in_a_row(ruleset, settings, before, pending, step)
        _latest_row = (pending, settings, found)
    return found


def _rolls_in_a_row(
    ruleset: Ruleset, settings: Settings, before: State, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    first = pending.request
    if not isinstance(first, Roll) or not _kind_of(first):
        return ()
    rolls = _row(ruleset, settings, before, pending, step, least=True)
    if len(rolls) > 1:
        most = _row(ruleset, settings, before, pending, step, least=False, limit=len(rolls))
        alike = [one for one, other in zip(rolls, most, strict=False) if one.key == other.key]
        rolls = rolls[: len(alike)]
    return tuple(rolls) if len(rolls) > 1 else ()


def _kind_of(roll: Roll) -> str:
    """Return the path of a key before the combatant in it, "" where there is none."""
    path, _, last = roll.key.rpartition("/")
    name, colon, _ = last.partition(":")
    return f"{path}/{name}" if colon else ""


def _row(
    ruleset: Ruleset,
    settings: Settings,
    before: State,
    pending: Pending,
    step: Step,
    *,
    least: bool,
    limit: int = MOST_IN_A_ROW,
) -> list[Roll]:
    """Return the rolls asked for in a row, each at its least or its most."""
    asked = source_of(without_dice(settings), before, {})
    first, answers = pending.request, pending.answers
    found: list[Roll] = []
    request: Request = first
    while (
        isinstance(request, Roll)
        and isinstance(first, Roll)
        and len(found) < limit
        and _kind_of(request) == _kind_of(first)
    ):
        found.append(request)
        thrown = DiceAnswer(request.dice.minimum if least else request.dice.maximum)
        if not request.total_ok or len(request.dice.sides) == 1:
            faces = tuple(1 if least else sides for sides in request.dice.sides)
            thrown = DiceAnswer(sum(faces), faces)
        outcome = dry_run(ruleset, before, step, (*answers, (request.key, thrown)), asked)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
    return found


def without_dice(settings: Settings) -> Settings:
    """Return settings that answer the same requests, but roll no dice for it."""
    return replace(settings, roller=None if settings.roller is None else lambda roll: DiceAnswer(roll.dice.minimum))
