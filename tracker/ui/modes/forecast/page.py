"""The dialog of a forecast: the chances of each side and character from here, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Step
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.tactics import TACTICS
from tracker.forecast.rows import TacticsRow, compared_rows, count_range_rows, forecast_header, forecast_rows
from tracker.forecast.scenario import Scenario, root_of
from tracker.forecast.summary import LEAST, Difference
from tracker.forecast.variants import read_count_range, variants
from tracker.library.guard import unwrapped
from tracker.session.session import Session
from tracker.ui.keys.command import Footer
from tracker.ui.keys.table import commands
from tracker.ui.modes.forecast.runner import ForecastQuery, ForecastRunner, ForecastState
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Mode, ModeContext, Result, ScrolledMode
from tracker.ui.typing.parser import value_of
from tracker.ui.typing.rows import entry_row, problem_rows, wrapped_rows
from tracker.views.panes.header import moment_words
from tracker.views.words.spans import Row, Span, line
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

STEPS = ("next", "undo", "redo", "earlier", "later")
"""Commands that work while the dialog is open over the panes."""
USUALLY = "each side focused"
HINT = "NAME=6..12 has a line for each number of them"


def result_rows(query: ForecastQuery, state: ForecastState, width: int) -> tuple[Row, ...]:
    if state.problem:
        return problem_rows(state.problem, width)
    if not state.summaries:
        return (line("few", "the first fights are being played …", width, "dim"),)
    named = zip(query.scenarios, state.summaries, strict=False)
    lanes = tuple(TacticsRow(name, summary) for (name, _), summary in named)
    match query.kind:
        case "compared":
            return compared_rows(lanes[0], lanes[1], state.change or Difference(), query.header, width)
        case "sweep":
            return count_range_rows(lanes, query.header, width, state.changes)
    return forecast_rows(lanes, query.header, width)


def head_words(query: ForecastQuery, state: ForecastState) -> str:
    fights = [summary.fights for summary in state.summaries] or [0]
    many, each = (fights[0], "") if query.kind == "range" else (min(fights), " each")
    words = [query.moment, f"{many} fights{each}" if many else "", USUALLY, _how_sure(query, state)]
    return " · ".join(word for word in words if word)


def _how_sure(query: ForecastQuery, state: ForecastState) -> str:
    """Return whether fights are still played, and the largest error of a shown chance of winning or falling."""
    if state.over and all(summary.is_known for summary in state.summaries):
        return "known to ±7 points"
    shown = state.summaries if state.over or query.kind == "sweep" else state.summaries[:1]
    sure = ""
    if query.kind != "compared" and shown and min(summary.fights for summary in shown) >= LEAST:
        sure = f"after {state.seconds:.0f} s: ±{math.ceil(100 * max(summary.error for summary in shown))} points"
    if not state.over:
        return f"playing on … {sure}".rstrip()
    return f"the time is over {sure}".rstrip() if state.over == "time" else ""


class ForecastMode(ScrolledMode, frozen=True):
    """The results of a forecast, over the panes of a fight or, without a scene, over the start screen's lists.

    Attributes:
        ask: makes the query that Enter starts.
        compared: the two actions in words, if two are compared.
        back: the mode that is open again after Escape.
        sweep: makes the query for a typed range of numbers; None: the dialog has no typed text.
        entry, problem: the typed text, and what is wrong with it.
    """

    where: ClassVar[Literal["over"]] = "over"
    title: ClassVar[str] = "Forecast"
    place: ClassVar[Footer] = "forecast"
    runner: ForecastRunner
    ask: Callable[[], ForecastQuery]
    compared: Sequence[str] = ()
    back: Mode | None = None
    sweep: Callable[[str], ForecastQuery] | None = None
    entry: Entry = Entry()
    problem: str = ""

    def stale(self, scene: ModeContext) -> bool:
        query = self.runner.query
        return query is not None and query.about is not scene.model.state

    @override
    def head(self, scene: ModeContext | None, width: int) -> tuple[Row, ...]:
        query = self.runner.query
        if query is None:
            return ()
        rows = list[Row]()
        if self.sweep is not None:
            rows += [entry_row(self.entry.spans(width - 2, HINT), width), *problem_rows(self.problem, width)]
        if scene is not None and self.stale(scene):
            words = (Span(f"as of {query.moment} · ", "warn"), Span("enter", "key"), Span(": again", "warn"))
            rows += wrapped_rows(words, width, "stale")
        rows += wrapped_rows((Span(head_words(query, self.runner.state), "dim"),), width, "head")
        return (*rows, *(row for text in self.compared for row in wrapped_rows((Span(text),), width, "told")))

    @override
    def body(self, scene: ModeContext | None, width: int) -> list[Row]:
        if self.runner.query is None:
            return []
        rows = [Row("", ()), *result_rows(self.runner.query, self.runner.state, width)]
        if self.runner.earlier:
            before = " · ".join(words for _, words in self.runner.earlier)
            rows += [Row("", ()), line("earlier", f"before: {before}", width, "dim")]
        return rows

    @override
    def press(self, scene: ModeContext | None, key: str, character: str | None) -> Result | None:
        if key == "escape" and self.entry.text:
            return Result(replace(self, entry=Entry(), problem=""))
        if key == "escape":
            self.runner.stop()
            return Result(self.back)
        if self.scroll.press(key):
            return Result(self)
        return self.decide(scene, key, character)

    @override
    def decide(self, scene: ModeContext | None, key: str, character: str | None) -> Result | None:
        if key == "enter":
            return Result(self._again())
        entry = self.entry.press(key, character) if self.sweep is not None else None
        if entry is not None:
            return Result(replace(self, entry=entry, problem=""))
        command = commands(scene.table).get(key) if scene is not None else None
        if command is not None and command.id in STEPS and self.back is None:
            return Result(self, call=command.call)
        return None if command is not None and command.id in ("quit", "help", "palette") else Result(self)

    @override
    def paste(self, scene: ModeContext | None, text: str) -> ForecastMode:
        return self if self.sweep is None else replace(self, entry=self.entry.typed(text), problem="")

    def _again(self) -> ForecastMode:
        """Start the query for the typed numbers, or the dialog's own query, with a new seed."""
        try:
            typed = self.entry.text.strip()
            self.runner.ask(self.sweep(typed) if self.sweep is not None and typed else self.ask(), again=True)
        except ValueError as error:
            return replace(self, problem=clean(str(error)))
        except TrackerError as error:
            return replace(self, problem=clean(error.message))
        return self


USUAL = TACTICS[0]


def of_fight(session: Session) -> ForecastQuery:
    model = session.model
    if model.trial is None or model.looking_at is not None:
        query = _by_tactics(session.ruleset, _here(session), model.state)
        return replace(query, steps=len(model.steps))
    real = session.state_at(model.trial.step)
    root = root_of(unwrapped(session.ruleset), real)
    actual, tried = Scenario(session.ruleset.key, real, root=root), replace(_here(session), root=root)
    scenarios = (("real", actual), ("what-if", tried))
    return ForecastQuery(
        "compared", scenarios, forecast_header(session.ruleset, real), _moment(model.state), model.state
    )


def of_encounter(ruleset: Ruleset, encounter: Encounter) -> ForecastQuery:
    return _by_tactics(ruleset, Scenario(ruleset.key, encounter), encounter)


def of_range(ruleset: Ruleset, encounter: Encounter, text: str) -> ForecastQuery:
    """Return a query with a line for each number of a member; raises ValueError or TrackerError for a wrong text."""
    counts = read_count_range(text)
    scenarios = tuple(
        (f"{many} × {counts.name}", Scenario(ruleset.key, variant)) for many, variant in variants(encounter, counts)
    )
    return ForecastQuery("sweep", scenarios, forecast_header(ruleset, encounter), about=encounter)


def of_action(session: Session, action: Action) -> ForecastQuery:
    """Return a query that compares an action with the action that the forecast would choose, with the same dice."""
    state, ruleset = session.model.state, session.ruleset
    here = replace(_here(session), root=root_of(unwrapped(ruleset), state))
    usual = usual_action(ruleset, state, action)
    default = here if usual is None else replace(here, step=Step("do", (usual,)))
    scenarios = (("the usual one", default), ("this action", replace(here, step=Step("do", (action,)))))
    return ForecastQuery("compared", scenarios, forecast_header(ruleset, state), _moment(state), state)


def usual_action(ruleset: Ruleset, state: State, action: Action) -> Action | None:
    return None if action.by is None else ruleset.policy(state, action.by, USUAL)


def compared_words(scene: ModeContext, action: Action) -> tuple[str, ...]:
    usual = usual_action(scene.ruleset, scene.model.state, action)
    name = clean(scene.model.state.name(action.by)) if action.by is not None else ""
    this = f"{name} · this action: {_action_words(scene, action)}"
    if usual == action:
        return (f"{this}; it is the usual one",)
    words = "nothing in particular" if usual is None else _action_words(scene, usual)
    return (this, f"{name} · the usual one: {words}")


def _action_words(scene: ModeContext, action: Action) -> str:
    spec = scene.spec(action)
    values = [
        words
        for field in spec.fields
        if field.required or field.name == "weapon" or action.get(field.name) is not None
        if (words := field_words(scene.model.state, field, value_of(field, action)))
    ]
    return clean(f"{spec.label} {', '.join(values)}" if values else spec.label)


def _here(session: Session) -> Scenario:
    model, key = session.model, session.ruleset.key
    if model.pending is None or model.pending_step is None or model.looking_at is not None:
        return Scenario(key, model.state, root=root_of(unwrapped(session.ruleset), model.state))
    before = session.state_at(model.head)
    root = root_of(unwrapped(session.ruleset), before)
    return Scenario(key, before, step=model.pending_step, answers=model.pending.answers, root=root)


def _by_tactics(ruleset: Ruleset, scenario: Scenario, start: Encounter | State) -> ForecastQuery:
    """Return a query with a scenario for each of the tactics, the default first."""
    scenarios = tuple((tactics, replace(scenario, usual=tactics)) for tactics in TACTICS)
    return ForecastQuery("range", scenarios, forecast_header(ruleset, start), _moment(start), start)


def _moment(start: Encounter | State) -> str:
    return clean(moment_words(start)) if isinstance(start, State) else ""
