"""The runner: runs steps on the history of one fight, and contains errors of the ruleset."""

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
"""Seconds of computing for a dry run."""
JOINING = 0.005
"""Further seconds for each combatant a fight opens with."""


class StepFailure(Struct, frozen=True):
    """A failure of a ruleset: one line for people, and the traceback."""

    line: str
    details: str = ""
    endless: bool = False


def run_step(
    ruleset: Ruleset, state: State, step: Step, answers: Answers, *, source: Source | None, seconds: float
) -> Outcome | StepFailure:
    """Perform a step as `tracker.core.run.run` does, and return a failure of the ruleset as a value.

    `seconds` is the time limit, in seconds of computing; a step of many combatants has more.
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
"""The last dry run that failed: its state, its step and the failure."""


def dry_run(
    ruleset: Ruleset, state: State, step: Step, answers: Answers = (), source: Source | None = None
) -> Outcome | StepFailure:
    """Perform a step to look at its result, within `LOOKING` seconds; the last one that failed is not run again."""
    global _failed
    if _failed is not None and _failed[0] is state and _failed[1] == step:
        return _failed[2]
    outcome = run_step(ruleset, state, step, answers, source=source, seconds=LOOKING)
    if isinstance(outcome, StepFailure):
        _failed = (state, step, outcome)
    return outcome


def _at(error: BaseException) -> str:
    place = place_of(error)
    return f" ({place})" if place else ""


Recall: TypeAlias = Callable[[Pending], Answer | None]
"""Returns the earlier answer to the pending question."""


class StepError(RulesBug):
    """A failure of a ruleset in this step."""

    def __init__(self, failure: StepFailure, step: Step, answers: Answers) -> None:
        super().__init__(failure.line)
        self.details, self.step, self.answers = failure.details, step, answers


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
        """Run a pending step and return the outcome, and the pending step after it.

        Answers that no longer fit their request are put aside and asked for again; answers to keys of `must_fit` are
        refused instead. `recall` answers before the program does.

        Raises:
            StepError: if the ruleset fails.
        """
        setting, replayed = _setting(state, draft.step), program_rolls is not None or recall is not None
        answers, recorded, aside = dict(draft.answers), dict(draft.recorded), dict(draft.aside)
        while True:
            given = recorded | answers
            source = source_of(
                self.settings,
                setting,
                {**(program_rolls or {}), **aside},
                rest=rest,
                leave_player_choices=leave_player_choices,
                program_rolls=program_rolls,
                offscreen=replayed,
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
        """Run a pending step with its own answers only; return None unless it waits for the same request."""
        given = dict(draft.recorded) | dict(draft.answers)
        outcome = self._attempt(state, draft.step, tuple(given.items()))
        if isinstance(outcome, Pending) and outcome.request.key == draft.asked and outcome.answers == draft.answers:
            return outcome
        return None

    def replay_to_request(self, record: StepRecord, key: str) -> Pending | None:
        """Return a past step as it was at the request of this key, None if that is not asked again."""
        others = tuple((name, answer) for name, answer in record.answers if name != key)
        outcome = self._attempt(self.history.state(record.parent), record.step, others)
        return outcome if isinstance(outcome, Pending) and outcome.request.key == key else None

    def _recalled(
        self, state: State, step: Step, given: Mapping[str, Answer], source: Source, recall: Recall | None
    ) -> Outcome | StepFailure:
        """Run a step; with `recall` request by request, as it needs the state at each."""
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
    ) -> Outcome | StepFailure:
        return run_step(self.ruleset, state, step, answers, source=source, seconds=self.settings.step_seconds)

    def record(self, draft: PendingStep, done: Done, *, seq: int, parent: int | None, at: str = "") -> StepRecord:
        """Make the record of a finished step; StepError if the ruleset made values that cannot be stored."""
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
    """Return the state that says whose dice the program rolls: before a fight opens, that of its encounter."""
    interrupts = tuple(interruption.action for interruption in step.interrupts)
    if step.encounter is not None and not state.sides:
        sides = tuple(Side(side.id, side.name, side.control) for side in step.encounter.sides)
        facts = tuple((DICE, side_key(side.id), side.dice) for side in step.encounter.sides if side.dice is not UNSET)
        state = State(sides=sides, facts=tuple(sorted(facts)))
    return with_dice(state, interrupts) if interrupts else state


MOST_WINDOWS = 20
MOST_IN_A_ROW = 24


class NextDecision(Struct, frozen=True):
    """The next decision of a person: the request of `pending`, behind the windows in front of it."""

    pending: Pending
    windows: tuple[Window, ...] = ()

    @property
    def request(self) -> Request:
        """Return the request behind the windows."""
        return self.pending.request


_latest: tuple[Pending | None, Settings | None, NextDecision | None] = (None, None, None)


def next_decision(ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step) -> NextDecision:
    """Return the request behind the windows in front of it.

    A window after which no person is asked anything is the decision itself. The last result is cached.
    """
    global _latest
    of, under, decision = _latest
    if of is not pending or under is not settings or decision is None:
        decision = _next_decision(ruleset, settings, before, pending, step)
        _latest = (pending, settings, decision)
    return decision


def _next_decision(ruleset: Ruleset, settings: Settings, before: State, pending: Pending, step: Step) -> NextDecision:
    request = pending.request
    if not isinstance(request, Window):
        return NextDecision(pending)
    # A request that the program answers is no decision; to look ahead, it rolls no dice.
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
    """Return the rolls of one kind and one roller that follow one another, whatever their results.

    An example is `initiative:ava`, `initiative:brin`. A single roll is no row.
    """
    row = rolls_in_a_row(ruleset, settings, before, pending=pending, step=step)
    alike = tuple(takewhile(lambda roll: roll.to == row[0].to, row))
    return alike if len(alike) > 1 else ()


_latest_row: tuple[Pending | None, Settings | None, tuple[Roll, ...]] = (None, None, ())


def rolls_in_a_row(
    ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    """Return the rolls of one kind that follow one another, of players and of the GM.

    A single roll is no row. The last result is cached.
    """
    global _latest_row
    of, under, row = _latest_row
    if of is not pending or under is not settings:
        row = _rolls_in_a_row(ruleset, settings, before, pending, step)
        _latest_row = (pending, settings, row)
    return row


def _rolls_in_a_row(
    ruleset: Ruleset, settings: Settings, before: State, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    first = pending.request
    if not isinstance(first, Roll) or not _kind_of(first):
        return ()
    rolls = _row(ruleset, settings, before, pending, step, least=True)
    if len(rolls) > 1:
        most = _row(ruleset, settings, before, pending, step, least=False, limit=len(rolls))
        rolls = rolls[: sum(low.key == high.key for low, high in zip(rolls, most, strict=False))]
    return tuple(rolls) if len(rolls) > 1 else ()


def _kind_of(roll: Roll) -> str:
    """Return the path of a key before the combatant in it, "" if it has none."""
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
    """Return the rolls that follow one another if each has its least or its most result."""
    asked = source_of(without_dice(settings), before, {})
    request, answers = pending.request, pending.answers
    rolls: list[Roll] = []
    while isinstance(request, Roll) and len(rolls) < limit and (not rolls or _kind_of(request) == _kind_of(rolls[0])):
        rolls.append(request)
        answer = DiceAnswer(request.dice.minimum if least else request.dice.maximum)
        if not request.total_ok or len(request.dice.sides) == 1:
            faces = tuple(1 if least else sides for sides in request.dice.sides)
            answer = DiceAnswer(sum(faces), faces)
        outcome = dry_run(ruleset, before, step, (*answers, (request.key, answer)), asked)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
    return rolls


def without_dice(settings: Settings) -> Settings:
    """Return settings that answer the same requests, with the least result in place of rolled dice."""
    return replace(settings, roller=None if settings.roller is None else lambda roll: DiceAnswer(roll.dice.minimum))
