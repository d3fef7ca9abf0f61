"""A line of distances as rows: its scale, zones, and who stands where.

It is made of plain data, so that the GM's map and the players' screen draw it alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tracker.views.words.spans import Span, cells, cut, cut_spans

LINE, REACHED, TICK, MIDDLE = "─", "═", "┼", "◆"


class Mark(Struct, frozen=True):
    """A label on the line, with the sign before it."""

    place: float
    text: str
    style: str = ""


class Stretch(Struct, frozen=True):
    """A zone on the line.

    Its middle, how far it goes to both sides if that is known, and its name.
    """

    middle: float
    radius: float | None
    title: str
    style: str = ""


class _Scale(Struct, frozen=True):
    """A line of so many cells between two distances."""

    low: float
    high: float
    length: int

    def spot(self, place: float) -> int:
        """Return the cell of a distance."""
        at = round((place - self.low) * ((self.length - 1) / max(1.0, self.high - self.low)))
        return max(0, min(self.length - 1, at))

    def ticks(self) -> list[tuple[int, float]]:
        """Return the cells with a number, each with its distance."""
        step = _step((self.high - self.low) * 6 / self.length)
        first, last = int(-(-self.low // step)), int(self.high // step)
        return [(self.spot(mark * step), mark * step) for mark in range(first, last + 1)]


def axis_rows(
    marks: Sequence[Mark],
    stretches: Sequence[Stretch],
    *,
    end: float,
    unit: str,
    width: int,
    reach: tuple[float, float] | None = None,
) -> list[tuple[Span, ...]]:
    """Return the line: numbers, the axis with its reach, zones and labels."""
    edges = [(one.middle - (one.radius or 0), one.middle + (one.radius or 0)) for one in stretches]
    places = [mark.place for mark in marks] or [0.0]
    low = min(0.0 if min(places) >= 0 else min(places), *(left for left, _ in edges), *places)
    high = max(end, *places, *(right for _, right in edges))
    widest = max((cells(mark.text) for mark in marks), default=1)
    scale = _Scale(low, high, max(10, width - widest))
    rows = [[Span(_numbers(scale, unit, width), "dim")], _axis(scale, reach)]
    rows += [_zone(scale, one) for one in stretches]
    rows += _tracks(scale, marks)
    return [cut_spans(row, width) for row in rows]


def _numbers(scale: _Scale, unit: str, width: int) -> str:
    line = [" "] * width
    for number, (at, place) in enumerate(scale.ticks()):
        word = f"{place:g} {unit}" if number == 0 and unit else f"{place:g}"
        if at + len(word) <= width and not "".join(line[max(0, at - 1) : at + len(word) + 1]).strip():
            line[at : at + len(word)] = word
    return "".join(line).rstrip()


def _axis(scale: _Scale, reach: tuple[float, float] | None) -> list[Span]:
    """Return the axis, a double line where it is in reach."""
    ticks = {at for at, _ in scale.ticks()}
    plain = "".join(TICK if at in ticks else LINE for at in range(scale.length))
    if reach is None:
        return [Span(plain, "dim")]
    first, last = scale.spot(reach[0]), scale.spot(reach[1]) + 1
    middle = "".join("╪" if at in ticks else REACHED for at in range(first, last))
    return [Span(plain[:first], "dim"), Span(middle, "strong"), Span(plain[last:], "dim")]


def _zone(scale: _Scale, one: Stretch) -> list[Span]:
    """Return a zone below its place on the axis, its name within or beside it."""
    left, right = (scale.spot(one.middle + side * (one.radius or 0)) for side in (-1, 1))
    middle = scale.spot(one.middle)
    line = ["─"] * (right - left + 1)
    line[0], line[-1] = ("├", "┤") if len(line) > 1 else (MIDDLE, MIDDLE)
    name, room = f" {one.title} ", len(line) - 2
    if cells(name) <= room:
        start = 1 + (room - len(name)) // 2
        line[start : start + len(name)] = name
        return [Span(" " * left + "".join(line), one.style)]
    line[middle - left] = MIDDLE if one.radius is not None and len(line) > 2 else line[middle - left]
    beside = scale.length - right - 1
    if beside >= min(left, cells(name)):
        return [Span(" " * left + "".join(line) + cut(name, beside), one.style)]
    return [Span(cut(name, left).rjust(left) + "".join(line), one.style)]


def _tracks(scale: _Scale, marks: Sequence[Mark]) -> list[list[Span]]:
    """Return the marks below their places, those that would touch one below the other."""
    tracks: list[list[tuple[int, Mark]]] = []
    for mark in sorted(marks, key=lambda mark: mark.place):
        at = scale.spot(mark.place)
        free = next((track for track in tracks if track[-1][0] + cells(track[-1][1].text) < at), None)
        if free is None:
            tracks.append([(at, mark)])
        else:
            free.append((at, mark))
    rows = []
    for track in tracks:
        spans, taken = list[Span](), 0
        for at, mark in track:
            spans += [Span(" " * (at - taken)), Span(mark.text, mark.style)]
            taken = at + cells(mark.text)
        rows.append(spans)
    return rows


def _step(least: float) -> float:
    """Return the distance between two numbers: 1, 2 or 5 times a power of ten."""
    step = 1.0
    while True:
        for times in (1, 2, 5):
            if step * times >= least:
                return step * times
        step *= 10
