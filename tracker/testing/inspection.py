"""The inspection of a ruleset: its fights are played at random, and every problem is reported with its place.

It finds unknown rule ids and statuses, budgets below 0, requests without a possible answer, forms that refuse their own
defaults, effects without an end, and exceptions. The same ruleset and encounters give the same problems. A step is
deterministic, so the place of a problem is found by running its step again under `sys.setprofile`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from random import Random
from types import FrameType

from msgspec import Struct

from tracker.core import engine
from tracker.core.fight.events import EffectAdded, Entry
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Outcome, Pending, Step
from tracker.core.step.changes import StateChanges
from tracker.core.step.prompts import Prompts
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Answer, Request, Window
from tracker.library.guard import unwrapped
from tracker.library.ruleset_errors import error_line
from tracker.session.step.runner import StepFailure, run_step
from tracker.testing import random_play
from tracker.testing.lint import (
    EffectLeaks,
    Question,
    as_offered,
    drawings,
    problem_of_request,
    problems_of_actions,
    problems_of_event,
    problems_of_offers,
    problems_of_ruleset,
    problems_of_spec,
    problems_of_telling,
    questions,
    remarks_on_actions,
    whole,
)
from tracker.testing.mistakes import (
    Rounds,
    different,
    place_of_function,
    problems_of_prices,
    problems_of_signatures,
    problems_of_structs,
    table_of,
    unstored,
)

PROGRAM = "tracker"
NOBODY = "give it options, or anybody=True for everybody in the fight"
RAISED = re.compile(r"\(([^()]+:\d+ in [^()]+)\)$")
"""The place at the end of a line about an exception of a ruleset."""


def place_of_offer(ruleset: Ruleset, spec: ActionSpec) -> str:
    """Return the place of an action's definition: of its own functions, or of the ruleset's form."""
    table = table_of(ruleset)
    kind = None if table is None else table.find(Action(spec.key, spec.by))
    functions = (unwrapped(ruleset).form,) if kind is None else (kind.form, kind.fields, kind.refusal, kind.perform)
    return next(filter(None, (place_of_function(function) for function in functions if function is not None)), "")


def place_of_call(
    work: Callable[[], object], function: Callable[..., object], wanted: Callable[[dict[str, object]], bool]
) -> str:
    """Do some work, and return the ruleset's line that leads to the first wanted call of a function."""
    code, places = function.__code__, list[str]()

    def watch(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code is code and not places and wanted(frame.f_locals):
            places.append(_caller(frame))

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return places[0] if places else ""


def _caller(frame: FrameType | None) -> str:
    while frame is not None and frame.f_globals.get("__name__") != __name__:  # the frames above are the inspection's
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package != PROGRAM and package not in sys.stdlib_module_names:
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


FIGHTS, STEPS = 3, 60
ASKED = 12
"""The number of steps between two calls of the functions that no step calls."""
FORCED = 0.3
"""The share of refused actions that are forced."""
SECONDS = 2.0
PATIENCE = 3
"""The inspection ends after this number of steps without an end."""
MEDDLING = ("damage", "heal", "status", "add_effect")
# Commands that the inspection leaves out, because they end the fight or fill it.
LEFT_OUT = ("end_fight", "insert", "wave", "house_rule", "next")


class Problem(Struct, frozen=True, order=True):
    """A mistake of a ruleset with its place, if known; a `remark` may be no mistake."""

    place: str
    text: str
    remark: bool = False

    def __str__(self) -> str:
        """Return the problem in one line: `actions.py:31 in perform: text`."""
        return f"{self.place}: {self.text}" if self.place else self.text


class Report(Struct, frozen=True):
    """The results of an inspection, and the numbers of fights and steps."""

    problems: tuple[Problem, ...]
    remarks: tuple[Problem, ...]
    fights: int
    steps: int


def inspect(ruleset: Ruleset, encounters: Mapping[str, Encounter], fights: int = FIGHTS, steps: int = STEPS) -> Report:
    """Play each encounter a few times at random, and return every problem once."""
    noted: dict[str, Problem] = {}
    effects = EffectLeaks()

    def note(text: str, place: str, remark: bool = False) -> None:
        raised = RAISED.search(text)  # an exception of a line is reported once, for all ways there
        noted.setdefault(raised[1] if raised else text, Problem(place, text, remark))

    for text, place in problems_of_ruleset(ruleset):
        note(text, place)
    bare = unwrapped(ruleset)
    written = (*problems_of_structs(bare), *problems_of_signatures(bare), *problems_of_prices(bare))
    for text, place in written:
        note(text, place)
    if written:  # every fight would show these problems again in other words
        return Report(tuple(sorted(noted.values())), (), 0, 0)
    for text in problems_of_telling(ruleset):
        note(text, "")
    played, endless, offered, choices = 0, list[str](), dict[str, frozenset[str]](), dict[tuple[str, str], str | None]()
    with redirect_stdout(_Printed(note)):
        for name, encounter in encounters.items():
            for number in range(fights):
                chance = Random(f"{name} {number}")
                played += _Fight(ruleset, encounter, chance, note, effects, endless, offered, choices).play(steps)
            quiet = _Fight(ruleset, encounter, Random(name), lambda *_: None, effects, endless, {}, {})
            for text, place in Rounds(ruleset, encounter, quiet.done).mistakes():
                note(text, place)
    for (action, field), form in choices.items():
        if form is not None:
            note(f'"{action}": the field "{field}" offered nobody in these fights: {NOBODY}', form, True)
    for text, place in effects.endless():
        note(text, place)
    for text, place in effects.left_to_the_gm(ruleset):
        note(text, place, True)
    for text in problems_of_actions(ruleset, offered):
        note(text, "")
    for text in remarks_on_actions(ruleset, offered):
        note(text, "", True)
    sorted_problems = sorted(noted.values())
    problems = tuple(problem for problem in sorted_problems if not problem.remark)
    remarks = tuple(problem for problem in sorted_problems if problem.remark)
    return Report(problems, remarks, fights * len(encounters), played)


class _Printed(StringIO):
    """Reports text that a rule prints, and does not show it."""

    def __init__(self, note: Callable[[str, str], None]) -> None:
        super().__init__()
        self.note = note

    def write(self, text: str) -> int:
        """Report the line that prints."""
        problem = "it prints, and the screen is the program's: ctx.note(text) writes into the log"
        self.note(problem, _caller(sys._getframe(1)))
        return len(text)


def _from_call(number: int) -> Callable[[dict[str, object]], bool]:
    """Return a function that is true from its call of this number on, counted from 0."""
    calls = count()
    return lambda arguments: next(calls) >= number


class _Fight:
    """One random fight, inspected step by step."""

    def __init__(
        self,
        ruleset: Ruleset,
        encounter: Encounter,
        chance: Random,
        note: Callable[[str, str], None],
        effects: EffectLeaks,
        endless: list[str],
        offered: dict[str, frozenset[str]],
        choices: dict[tuple[str, str], str | None],
    ) -> None:
        self.ruleset, self.encounter, self.chance, self.note, self.effects = ruleset, encounter, chance, note, effects
        self.endless, self.offered, self.choices = endless, offered, choices
        self.state = State()
        self.examined: set[tuple[str, str | None, str | None]] = set()

    def play(self, steps: int) -> int:
        """Play at most this number of steps, and return the number of steps done."""
        start = Step("start", encounter=self.encounter)
        first = run_step(self.ruleset, self.state, start, (), source=None, seconds=SECONDS)
        if isinstance(first, Pending):
            key = first.request.key
            self.ask(drawings(self.ruleset, first.state), f', on the screen while the set-up asks "{key}"')
        if self.tired() or not self.take(start, "the start of the fight"):
            return 0
        done = 1
        for number in range(steps):
            if self.state.clock.over:
                break
            step, what = self.next_step()
            if self.tired():
                break
            done += self.take(step, what)
            if number % ASKED == 0:
                self.ask(questions(self.ruleset, self.state))
        return done

    def done(self, state: State, step: Step) -> State | None:
        """Do a step with random answers, and return the state after it, or None."""
        if self.tired():
            return None
        self.state = state
        outcome = self.attempt(step)
        return outcome.state if isinstance(outcome, Done) else None

    def tired(self) -> bool:
        """Tell whether too many steps had no end, in this fight and the ones before."""
        return len(self.endless) >= PATIENCE

    def next_step(self) -> tuple[Step, str]:
        """Choose a step: on to the next stop, or an action on offer."""
        if self.chance.random() < 0.35:
            return Step("advance"), "the next stop"
        people = [one.id for one in self.state.combatants]
        acting = self.state.clock.current.members if self.state.clock.current else ()
        by = self.chance.choice([*acting, *acting, *acting, *people, None])
        specs = self.offers(by)
        if not specs:
            return Step("advance"), "the next stop"
        spec = self.chance.choice(specs)
        try:
            action = random_play.filled(self.chance, self.ruleset, self.state, self.encounter, spec)
        except Exception as error:  # noqa: BLE001 - anything a ruleset raises is a problem to be told
            self.broken(f'the form of "{spec.key}"', error)
            return Step("advance"), "the next stop"
        forced = spec.refusal is not None and spec.refusal.forcible and self.chance.random() < FORCED
        return Step("do", (action,), forced=forced), f'"{spec.key}"{", forced" if forced else ""}'

    def offers(self, by: str | None) -> list[ActionSpec]:
        """Return the game's offers and some GM commands; inspect each offer once in each phase."""
        try:
            own = self.ruleset.actions(self.state, by)
            generic = engine.offers(self.ruleset, self.state, by)[len(own) :]
        except Exception as error:  # noqa: BLE001 - anything a ruleset raises is a problem to be told
            self.broken("the list of actions", error)
            return []
        for text in problems_of_offers(own):
            self.note(text, "")
        specs = [spec for spec in own if spec.key not in LEFT_OUT]
        slot = self.state.clock.current
        for spec in specs:
            known = (spec.key, spec.by, (slot.phase or slot.stage) if slot else None)
            if known not in self.examined and not self.tired():
                self.examined.add(known)
                self.look(spec)
        return specs + [spec for spec in generic if spec.key in MEDDLING]

    def ask(self, asked: Iterable[Question], when: str = "") -> None:
        """Call the functions that the screen and the forecast call for a state."""
        for what, answer in asked:
            try:
                problem = answer()
            except Exception as error:  # noqa: BLE001 - anything a ruleset raises is a problem to be told
                self.broken(f"{what}{when}", error)
                continue
            if problem:
                self.note(problem, place_of_function(getattr(unwrapped(self.ruleset), what, None)))

    def know(self, spec: ActionSpec) -> None:
        """Store the fields of an offer."""
        self.offered[spec.key] = self.offered.get(spec.key, frozenset()) | {field.name for field in spec.fields}

    def look(self, spec: ActionSpec) -> None:
        """Inspect an offer: its rules, and whether it can be done with its defaults."""
        self.know(spec)
        place = place_of_offer(self.ruleset, spec)
        for text in problems_of_spec(self.ruleset, spec):
            self.note(text, place)
        for field in spec.fields if spec.refusal is None else ():
            if field.required and field.kind in ("combatant", "combatants") and not field.anybody:
                known = (spec.key, field.name)
                self.choices[known] = None if field.options else self.choices.get(known, place)
        try:
            formed = self.ruleset.form(self.state, as_offered(spec))
        except Exception as error:  # noqa: BLE001 - as above
            self.broken(f'the form of "{spec.key}"', error)
            return
        if formed is None or not whole(spec, {}, self.state):
            return  # a generic action, or refused, or with a required field
        outcome = self.attempt(Step("do", (as_offered(spec),)))
        if isinstance(outcome, StepFailure):
            self.note(f'"{spec.key}": {outcome.line}', "")
        if isinstance(outcome, Refusal) and not outcome.at:
            self.note(f'"{spec.key}" is offered, but refused with its own defaults: {outcome.text}', place)

    def attempt(self, step: Step) -> Outcome | StepFailure:
        """Perform a step with random answers."""
        outcome = run_step(self.ruleset, self.state, step, (), source=self.answer, seconds=SECONDS)
        if isinstance(outcome, StepFailure) and outcome.endless:
            self.endless.append(outcome.line)
        return outcome

    def answer(self, request: Request) -> Answer | None:
        """Answer a request, if an answer is possible."""
        if problem_of_request(request):
            return None
        for spec in request.offers if isinstance(request, Window) else ():
            self.know(spec)
        return random_play.answer(self.chance, self.ruleset, self.encounter, self.state, request)

    def take(self, step: Step, what: str) -> bool:
        """Perform and keep a step, report its problems, and return whether it was done."""
        begun = self.chance.getstate()
        outcome = self.attempt(step)
        match outcome:
            case StepFailure(line=line):
                self.note(f"{what}: {line}", "")
                return False
            case Refusal(rule=rule):
                if rule and self.ruleset.rulebook.find(rule) is None:
                    self.note(f'the refusal of {what} cites "{rule}", which is not in the rulebook', "")
                return False
            case Done(entries=entries, state=state):
                self.check(step, entries, begun)
                self.keeps(step, outcome, begun)
                self.state = state
                return True
            case _:
                problem = problem_of_request(outcome.request)
                if problem:
                    self.note(problem, self.again(step, begun, Prompts._answer, lambda frame: True))
                return False

    def check(self, step: Step, entries: tuple[Entry, ...], begun: tuple[object, ...]) -> None:
        """Report the problems of the events of a step."""
        for entry in entries:
            event = entry.event
            for text in problems_of_event(self.ruleset, entry):
                self.note(text, self.place_of(step, entry, begun))
            if isinstance(event, EffectAdded) and event.effect.name in self.effects.added:
                continue
            if not (isinstance(event, EffectAdded) and step.actions and step.actions[0].key in MEDDLING):
                self.effects.see(event, partial(self.place_of, step, entry, begun))

    def keeps(self, step: Step, done: Done, begun: tuple[object, ...]) -> None:
        """Report events that a stored fight loses, and events that differ when the step is done again."""
        for place, entry in enumerate(done.entries):
            if text := unstored(self.ruleset, entry):
                self.note(text, self.again(step, begun, StateChanges.emit, _from_call(place)))
                return
        differs = different(self.ruleset, self.state, step, done.answers, done)
        if differs is not None:
            text = (
                "a step that is done again with the same answers has other events: "
                "no chance, clock or memory of its own belongs in a rule"
            )
            numbers = range(differs, -1, -1)  # the step may have fewer events now
            places = (self.again(step, begun, StateChanges.emit, _from_call(number)) for number in numbers)
            self.note(text, next(filter(None, places), ""))

    def place_of(self, step: Step, entry: Entry, begun: tuple[object, ...]) -> str:
        """Return the place in the ruleset that emits an event."""
        return self.again(step, begun, StateChanges.emit, lambda given: given.get("event") == entry.event)

    def again(
        self,
        step: Step,
        begun: tuple[object, ...],
        function: Callable[..., object],
        wanted: Callable[[dict[str, object]], bool],
    ) -> str:
        """Run a step again, and return the place in the ruleset that calls a function of core."""
        now = self.chance.getstate()
        self.chance.setstate(begun)
        try:
            return place_of_call(lambda: self.attempt(step), function, wanted)
        finally:
            self.chance.setstate(now)

    def broken(self, what: str, error: Exception) -> None:
        """Report an exception of the ruleset outside a step."""
        self.note(f"{what}: {error_line(error)}", "")
