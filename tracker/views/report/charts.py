"""The charts of the report: points over time, damage, effects, as drawings in the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT
from tracker.views.report.record import EffectSpan, FightRecord, Milestone, Point
from tracker.views.words.text import clean

WIDE, HIGH, MARGIN, ROW = 640, 220, 28, 16
LABELS = 170
COLOURS = ("#1b6ca8", "#b3432b", "#2f7d4f", "#8a5a00", "#6b4fa0", "#00757a", "#a0306a", "#4d5b66")


def _svg(height: float, what: str, marks: Iterable[str]) -> str:
    return (
        f'<div class="wide"><svg viewBox="0 0 {WIDE} {height:g}" role="img" aria-label="{escape(what)}" '
        f'xmlns="http://www.w3.org/2000/svg">{"".join(marks)}</svg></div>'
    )


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _steps(record: FightRecord) -> int:
    return max([1, *(item.step for item in record.items), *(point.step for point in record.points)])


def _across(step: int, steps: int, left: float) -> float:
    return left + step / steps * (WIDE - left - MARGIN)


def _rounds(record: FightRecord, left: float, bottom: float) -> list[str]:
    """Return a line at the beginning of each round."""
    steps = _steps(record)
    marks = []
    for item in record.items:
        if isinstance(item, Milestone) and item.kind == "round":
            x = _across(item.step, steps, left)
            marks.append(f'<path class="axis" d="M{x:.1f} 0V{bottom:g}"/>{_text(x + 2, bottom + 12, f"R{item.round}")}')
    return marks


def points_charts(record: FightRecord) -> list[str]:
    """Return for each side a chart of its combatants' points over the steps."""
    charts = []
    for side in record.sides:
        people = [person for person in record.people if person.side == side.id and person.max and not person.hidden]
        if people:
            charts.append(f"<h3>{escape(clean(side.name))}</h3>")
            charts.append(_chart(record, [person.id for person in people], clean(side.name)))
    return charts


def _chart(record: FightRecord, people: Sequence[Id], name: str) -> str:
    steps, most = _steps(record), max(person.max for person in record.people if person.id in people)
    marks = _rounds(record, MARGIN, HIGH)
    marks += [_text(MARGIN - 4, 10, str(most), "end"), _text(MARGIN - 4, HIGH, "0", "end")]
    for place, who in enumerate(people):
        colour = COLOURS[place % len(COLOURS)]
        points = [point for point in record.points if point.who == who]
        path = _path(points, steps, most)
        dashes = ' stroke-dasharray="5 3"' if place >= len(COLOURS) else ""
        marks.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        x, y = MARGIN + place % 4 * 150, HIGH + 30 + place // 4 * ROW
        marks.append(f'<path d="M{x} {y - 4}h16" stroke="{colour}" stroke-width="3"{dashes}/>')
        marks.append(_text(x + 20, y, record.name(who)))
    return _svg(HIGH + 30 + (len(people) + 3) // 4 * ROW, f"points of {name} over time", marks)


def _path(points: Sequence[Point], steps: int, most: int) -> str:
    """Return a line that is level between two changes."""
    drawn: list[str] = []
    for step, group in groupby(points, key=lambda point: point.step):
        x, y = _across(step, steps, MARGIN), HIGH - max(0, list(group)[-1].now) / most * (HIGH - 12)
        drawn.append(f"M{x:.1f} {y:.1f}" if not drawn else f"H{x:.1f}V{y:.1f}")
    return "".join((*drawn, f"H{WIDE - MARGIN}"))


def bars(values: Sequence[tuple[str, int]]) -> list[str]:
    if not values:
        return []
    most = max(value for _, value in values)
    marks = []
    for place, (name, value) in enumerate(values):
        y, length = place * ROW, value / most * (WIDE - LABELS - 60)
        marks.append(_text(LABELS - 6, y + 12, name, "end"))
        marks.append(f'<rect x="{LABELS}" y="{y + 3}" width="{length:.1f}" height="10" fill="{COLOURS[0]}"/>')
        marks.append(_text(LABELS + length + 4, y + 12, str(value)))
    return [_svg(len(values) * ROW, "damage dealt", marks)]


def effects_chart(record: FightRecord) -> list[str]:
    """Return every effect as a bar over the steps that it lasted."""
    spans = sorted((span for span in record.effects if span.bearer != FIGHT), key=lambda span: span.since)
    if not spans:
        return []
    steps, bottom = _steps(record), len(spans) * ROW
    marks = _rounds(record, LABELS, bottom)
    for place, span in enumerate(spans):
        until = span.until[0] if span.until is not None else steps
        x, y = _across(span.since[0], steps, LABELS), place * ROW
        length = max(2.0, _across(until, steps, LABELS) - x)
        marks.append(_text(LABELS - 6, y + 12, _bar_title(record, span), "end"))
        colour = COLOURS[place % len(COLOURS)]
        marks.append(f'<rect x="{x:.1f}" y="{y + 3}" width="{length:.1f}" height="10" fill="{colour}"/>')
    return [_svg(bottom + 16, "effects over time", marks)]


def _bar_title(record: FightRecord, span: EffectSpan) -> str:
    words = f"{record.name(span.bearer)}: {clean(span.effect)}"
    return words if len(words) <= 28 else f"{words[:27]}…"
