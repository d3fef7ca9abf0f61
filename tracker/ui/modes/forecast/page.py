"""The dialog of a forecast: who wins from here, who falls, and how sure that is."""

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
"""Commands that work while the sheet lies over the panes."""
USUALLY = "each side focused"
HINT = "NAME=6..12 has a line for each number of them"


def result_rows(asked: ForecastQuery, known: ForecastState, width: int) -> tuple[Row, ...]:
    if known.problem:
        return problem_rows(known.problem, width)
    if not known.outlooks:
        return (line("few", "the first fights are being played …", width, "dim"),)
    lanes = tuple(TacticsRow(name, found) for (name, _), found in zip(asked.scenarios, known.outlooks, strict=False))
    match asked.kind:
        case "compared":
            return compared_rows(lanes[0], lanes[1], known.change or Difference(), asked.cast, width)
        case "sweep":
            return count_range_rows(lanes, asked.cast, width, known.changes)
    return forecast_rows(lanes, asked.cast, width)


def head_words(asked: ForecastQuery, known: ForecastState) -> str:
    many = min((one.fights for one in known.outlooks), default=0)
    if asked.kind == "range" and known.outlooks:
        many = known.outlooks[0].fights
    each = " each" if asked.kind != "range" else ""
    words = [asked.moment, f"{many} fights{each}" if many else "", USUALLY, _how_sure(asked, known)]
    return " · ".join(word for word in words if word)


def _how_sure(asked: ForecastQuery, known: ForecastState) -> str:
    """Return whether it goes on, and how far what is shown may be off by now: winning, and each character's fall."""
    if known.over and all(one.is_known for one in known.outlooks):
        return "known to ±7 points"
    shown = known.outlooks if known.over or asked.kind == "sweep" else known.outlooks[:1]
    sure = ""
    if asked.kind != "compared" and shown and min(one.fights for one in shown) >= LEAST:
        sure = f"after {known.seconds:.0f} s: ±{math.ceil(100 * max(one.error for one in shown))} points"
    if not known.over:
        return f"playing on … {sure}".rstrip()
    return f"the time is over {sure}".rstrip() if known.over == "time" else ""


class ForecastMode(ScrolledMode, frozen=True):
    """The results of a forecast, over the panes of a fight or, without a scene, over the lists.

    Attributes:
        ask: makes the query that Enter starts.
        compared: the two actions in words, if two are compared.
        back: the mode that is open again after Escape.
        sweep: makes the query for a typed range of numbers; None: nothing is typed here.
        entry, problem: the typed text, and why there is no query for it.
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
        asked = self.runner.asked
        return asked is not None and asked.about is not scene.model.state

    @override
    def head(self, scene: ModeContext | None, width: int) -> tuple[Row, ...]:
        asked = self.runner.asked
        if asked is None:
            return ()
        rows = list[Row]()
        if self.sweep is not None:
            rows += [entry_row(self.entry.spans(width - 2, HINT), width), *problem_rows(self.problem, width)]
        if scene is not None and self.stale(scene):
            words = (Span(f"as of {asked.moment} · ", "warn"), Span("enter", "key"), Span(": again", "warn"))
            rows += wrapped_rows(words, width, "stale")
        rows += wrapped_rows((Span(head_words(asked, self.runner.known), "dim"),), width, "head")
        return (*rows, *(row for text in self.compared for row in wrapped_rows((Span(text),), width, "told")))

    @override
    def body(self, scene: ModeContext | None, width: int) -> list[Row]:
        if self.runner.asked is None:
            return []
        rows = [Row("", ()), *result_rows(self.runner.asked, self.runner.known, width)]
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
        """Ask for the numbers that are typed, or for the whole again."""
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
        asked = _by_tactics(session.ruleset, _here(session), model.state)
        return replace(asked, about=model.state, steps=len(model.steps))
    real = session.state_at(model.trial.step)
    root = root_of(unwrapped(session.ruleset), real)
    lanes = (("real", Scenario(session.ruleset.key, real, root=root)), ("what-if", replace(_here(session), root=root)))
    return ForecastQuery("compared", lanes, forecast_header(session.ruleset, real), _moment(model.state), model.state)


def of_encounter(ruleset: Ruleset, encounter: Encounter) -> ForecastQuery:
    return _by_tactics(ruleset, Scenario(ruleset.key, encounter), encounter)


def of_range(ruleset: Ruleset, encounter: Encounter, text: str) -> ForecastQuery:
    """Return what is asked of each number of a member; raises ValueError or TrackerError for a text that is none."""
    counts = read_count_range(text)
    lanes = tuple((f"{many} × {counts.name}", Scenario(ruleset.key, one)) for many, one in variants(encounter, counts))
    return ForecastQuery("sweep", lanes, forecast_header(ruleset, encounter), about=encounter)


def of_action(session: Session, action: Action) -> ForecastQuery:
    """Return a query that compares an action with the one the forecast would choose, with the same dice."""
    state, ruleset = session.model.state, session.ruleset
    here = replace(_here(session), root=root_of(unwrapped(ruleset), state))
    usual = usual_action(ruleset, state, action)
    one = here if usual is None else replace(here, step=Step("do", (usual,)))
    lanes = (("the usual one", one), ("this action", replace(here, step=Step("do", (action,)))))
    return ForecastQuery("compared", lanes, forecast_header(ruleset, state), _moment(state), state)


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


def _by_tactics(ruleset: Ruleset, beginning: Scenario, start: Encounter | State) -> ForecastQuery:
    """Return a query with one variant for each of the tactics, the default first."""
    lanes = tuple((tactics, replace(beginning, usual=tactics)) for tactics in TACTICS)
    return ForecastQuery("range", lanes, forecast_header(ruleset, start), _moment(start), start)


def _moment(start: Encounter | State) -> str:
    return clean(moment_words(start)) if isinstance(start, State) else ""
