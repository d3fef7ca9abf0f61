"""The end of a fight: a dialog with its numbers, and its story."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import ClassVar, Literal

from msgspec.structs import replace
from typing_extensions import override

from tracker.core.engine import offers
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.session.report import fight_record_of
from tracker.session.session import Session
from tracker.ui.keys.command import Call, Footer
from tracker.ui.typing.mode import GradualMode, Mode, ModeContext, Result, ScrolledMode
from tracker.ui.typing.rows import key_hint, wrapped_rows
from tracker.views.report.page import length_words
from tracker.views.report.record import FightRecord
from tracker.views.report.statistics import FightStats, statistics_of
from tracker.views.report.summary import ending_rows, outcome_rows, story_rows
from tracker.views.report.turning_points import Candidate, Played, TurningPoint, heaviest, measured
from tracker.views.words.sides import Colours, colours_of
from tracker.views.words.spans import Row, Span
from tracker.views.words.text import clean

KEYS = (
    ("s", "story"),
    ("w", "what mattered"),
    ("r", "page to keep"),
    ("l", "another fight"),
    ("u", "not yet"),
    ("esc", "the table"),
)


class SummaryMode(ScrolledMode, GradualMode, frozen=True):
    """The numbers of the fight, and what can be done next.

    Attributes:
        after: actions that are possible only after the end.
        to_come: the candidates for turning points that are not measured yet.
        measured: the turning points found so far; None: the GM has not asked for them.
        other: what the GM forced and corrected, in words.
    """

    place: ClassVar[Footer] = "ended"
    title: ClassVar[str] = "The end"
    where: ClassVar[Literal["over"]] = "over"
    record: FightRecord
    numbers: FightStats
    after: frozenset[str] = frozenset()
    page: str = ""
    to_come: tuple[Candidate, ...] = ()
    measured: tuple[TurningPoint, ...] | None = None
    other: tuple[str, ...] = ()
    played: Callable[[int], Played] | None = None

    @override
    def filled(self, scene: ModeContext, seconds: float | None = None) -> SummaryMode:
        assert self.played is not None
        seconds = inf if seconds is None else seconds
        end, left, points = perf_counter() + seconds, list(self.to_come), list(self.measured or ())
        while left:
            point = measured(scene.ruleset, self.record, left.pop(0), self.played)
            points += [] if point is None else [point]
            if perf_counter() >= end:
                break
        return replace(self, to_come=tuple(left), measured=tuple(points))

    @override
    def head(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        over = scene.model.state.clock.over
        words = Span("the fight is over" if over else "so far", "strong")
        more = ", ".join(clean(spec.label) for spec in scene.offers(None, generic=False) if spec.key in self.after)
        return (
            *wrapped_rows((words, Span(f" · {length_words(self.record)}", "dim")), width, "over"),
            *key_hint(width, *KEYS),
            *(wrapped_rows((Span("possible now: ", "dim"), Span(more)), width, "after") if more else ()),
            *(wrapped_rows((Span(clean(self.page), "good"),), width, "page") if self.page else ()),
            Row("", ()),
        )

    @override
    def body(self, scene: ModeContext, width: int) -> Sequence[Row]:
        colours = _colours(scene, self.record)
        return [
            *outcome_rows(self.record, width, colours),
            Row("", ()),
            *self._mattered(width),
            *ending_rows(self.record, self.numbers, width, colours),
        ]

    def _mattered(self, width: int) -> list[Row]:
        if self.measured is None:
            return []
        words = [*heaviest(self.measured), *self.other]
        if self.to_come:
            words.append(f"{len(self.to_come)} still to play again …")
        rows = [
            row
            for line in words or ["nothing turned a result"]
            for row in wrapped_rows((Span(line),), width, "mattered")
        ]
        return [Row("", (Span("What mattered", "title"),), "head"), *rows, Row("", ())]

    @override
    def decide(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        calls = {"s": "story", "w": "weigh", "r": "page", "l": "another", "u": "undo"}
        if character in calls:
            return Result(self if character in "swr" else None, call=Call(calls[character]))
        return None if scene.command(key) in ("quit", "palette") else Result(None)


class StoryMode(ScrolledMode, frozen=True):
    """The story of the fight, to be read aloud; `notes`: with the GM's notes; `full`: with every action."""

    place: ClassVar[Footer] = "told"
    title: ClassVar[str] = "The story"
    where: ClassVar[Literal["over"]] = "over"
    record: FightRecord
    back: Mode | None = None
    notes: bool = False
    full: bool = False

    @override
    def head(self, scene: ModeContext, width: int) -> tuple[Row, ...]:
        notes = "leaves your notes out" if self.notes else "your notes too"
        full = "only what mattered" if self.full else "every action"
        return (*key_hint(width, ("n", notes), ("f", full), ("esc", "leaves")), Row("", ()))

    @override
    def body(self, scene: ModeContext, width: int) -> Sequence[Row]:
        return story_rows(self.record, self.notes, width, _colours(scene, self.record), self.full)

    @override
    def press(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        return Result(self.back) if key == "escape" else super().press(scene, key, character)

    @override
    def decide(self, scene: ModeContext, key: str, character: str | None) -> Result | None:
        if character == "n":
            return Result(replace(self, notes=not self.notes))
        if character == "f":
            return Result(replace(self, full=not self.full))
        return None if scene.command(key) in ("quit", "palette") else Result(self.back)


def _colours(scene: ModeContext, record: FightRecord) -> Colours:
    people = [(person.name, person.side) for person in record.people]
    return colours_of(scene.ruleset, scene.model.state, people)


def summary_of(session: Session) -> SummaryMode:
    record = fight_record_of(session)
    steps = session.model.steps
    now = possible(session.ruleset, session.model.state)
    before = possible(session.ruleset, session.state_at(steps[-1].parent)) if steps else now
    return SummaryMode(record, statistics_of(record), after=now - before)


def possible(ruleset: Ruleset, state: State) -> frozenset[str]:
    return frozenset(spec.key for spec in offers(ruleset, state, None) if spec.refusal is None)
