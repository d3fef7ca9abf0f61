"""The map of a fight on a line: its axis and the combatants on it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct

from tracker.core.fight.board import Board, Zone
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.views.maps.legend import MARKS, marks_of, points_of
from tracker.views.maps.tokens import Token, chip, in_turn, token_of
from tracker.views.words.spans import Row, Span, cells, cut, cut_spans, fit, join, width_of
from tracker.views.words.text import clean

LINE, REACHED, TICK, MIDDLE = "─", "═", "┼", "◆"


class LineLabel(Struct, frozen=True):
    """A label on the line, with the sign before it."""

    place: float
    text: str
    style: str = ""


class Stretch(Struct, frozen=True):
    """A zone on the line: its middle, its radius (None: unknown) and its name."""

    middle: float
    radius: float | None
    title: str
    style: str = ""


class _Scale(Struct, frozen=True):
    """A line of `length` cells between two distances."""

    low: float
    high: float
    length: int

    def spot(self, place: float) -> int:
        """Return the cell of a distance."""
        at = round((place - self.low) * ((self.length - 1) / max(1.0, self.high - self.low)))
        return max(0, min(self.length - 1, at))

    def ticks(self) -> list[tuple[int, float]]:
        step = _step((self.high - self.low) * 6 / self.length)
        first, last = int(-(-self.low // step)), int(self.high // step)
        return [(self.spot(mark * step), mark * step) for mark in range(first, last + 1)]


def axis_rows(
    marks: Sequence[LineLabel],
    stretches: Sequence[Stretch],
    *,
    end: float,
    unit: str,
    width: int,
    reach: tuple[float, float] | None = None,
) -> list[tuple[Span, ...]]:
    edges = [zone.middle + side * (zone.radius or 0) for zone in stretches for side in (-1, 1)]
    places = [mark.place for mark in marks] or [0.0]
    low = min(0.0 if min(places) >= 0 else min(places), *edges, *places)
    high = max(end, *places, *edges)
    widest = max((cells(mark.text) for mark in marks), default=1)
    scale = _Scale(low, high, max(10, width - widest))
    rows = [[Span(_numbers(scale, unit, width), "dim")], _axis(scale, reach)]
    rows += [_zone(scale, zone) for zone in stretches]
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
    ticks = {at for at, _ in scale.ticks()}
    plain = "".join(TICK if at in ticks else LINE for at in range(scale.length))
    if reach is None:
        return [Span(plain, "dim")]
    first, last = scale.spot(reach[0]), scale.spot(reach[1]) + 1
    middle = "".join("╪" if at in ticks else REACHED for at in range(first, last))
    return [Span(plain[:first], "dim"), Span(middle, "strong"), Span(plain[last:], "dim")]


def _zone(scale: _Scale, one: Stretch) -> list[Span]:
    """Return a zone at its place below the axis, with its name in it or beside it."""
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
    room_right = scale.length - right - 1
    if room_right >= min(left, cells(name) - 1):
        return [Span(" " * left + "".join(line) + cut(name.rstrip(), room_right), one.style)]
    return [Span(cut(name, left).rjust(left) + "".join(line), one.style)]


def _tracks(scale: _Scale, marks: Sequence[LineLabel]) -> list[list[Span]]:
    """Return the marks at their places, one below the other if they would touch."""
    tracks: list[list[Span]] = []
    for mark in sorted(marks, key=lambda mark: mark.place):
        at = scale.spot(mark.place)
        track = next((track for track in tracks if width_of(track) < at), None)
        if track is None:
            tracks.append(track := [])
        track += [Span(" " * (at - width_of(track))), Span(mark.text, mark.style)]
    return tracks


def _step(least: float) -> float:
    """Return the distance between two numbers of the axis: 1, 2 or 5 times a power of ten."""
    return next(times * 10.0**power for power in count() for times in (1, 2, 5) if times * 10.0**power >= least)


PLACE = 7
SIGNS = (
    *MARKS.items(),
    (TICK, "on the axis: a distance, whose number stands above"),
    (REACHED, "in reach of the chosen combatant"),
    ("├ ┤", "from where to where a zone goes"),
    (MIDDLE, "its middle"),
)
"""Every sign of a line of distances with its meaning, for the help."""


class LineLook(Struct, frozen=True):
    """The overlays of a line.

    Attributes:
        who: the combatant whose reach is shown.
        reach: the first and last place it can reach; None: it cannot move.
        note: the odds against the combatant under the cursor.
    """

    cursor: Id | None = None
    who: Id | None = None
    active: Id | None = None
    reach: tuple[float, float] | None = None
    note: str = ""


def line_order(state: State, board: Board) -> tuple[Id, ...]:
    """Return the combatants below a line, by place; combatants without a place come last."""
    inside = {who for zone in board.zones for who in zone.members}
    placed = sorted((one for one in state.combatants if one.position), key=_place)
    rest = [one for one in state.combatants if not one.position and one.id in inside]
    return tuple(one.id for one in (*placed, *rest))


def _place(one: Combatant) -> float:
    return float(one.position[0]) if one.position else 0.0


def line_rows(ruleset: Ruleset, state: State, board: Board, look: LineLook, *, width: int) -> tuple[Row, ...]:
    """Return a line of distances: the axis, then each combatant with its place."""
    people = [state[who] for who in line_order(state, board)]
    if not people and not board.zones:
        return (Row("empty", (Span("nobody's distance is known", "dim"),)),)
    tokens = {one.id: token_of(ruleset, state, one) for one in people}
    tokens |= {who: in_turn(token) for who, token in tokens.items() if who == look.active}
    unit = clean(board.unit).rpartition(" ")[2]
    marks = [
        LineLabel(
            _place(one), tokens[one.id].mark + (one.label if tokens[one.id].label else ""), chip(tokens[one.id].style)
        )
        for one in people
        if one.position and status_of(ruleset, one.status).stays
    ]
    stretches = [
        Stretch(zone.middle, zone.radius, " · ".join(filter(None, (_short(zone), clean(zone.note)))), "title")
        for zone in board.zones
        if zone.middle is not None
    ]
    rows: list[Row] = []
    if marks or stretches:
        drawn = axis_rows(marks, stretches, end=float(board.width), unit=unit, width=width, reach=look.reach)
        rows += [Row(f"axis:{number}", spans) for number, spans in enumerate(drawn)]
    zones = {who: zone for zone in board.zones for who in zone.members}
    rows += [_row(ruleset, one, tokens[one.id], zones.get(one.id), look, unit=unit, width=width) for one in people]
    rows += [
        Row(f"zone:{number}", cut_spans((Span(f"{_short(zone)}  ", "title"), Span(clean(zone.note), "dim")), width))
        for number, zone in enumerate(board.zones)
        if zone.middle is None
    ]
    signs = [(Span(mark, style), Span(f" {word}", "dim")) for (mark, word), style in marks_of(tokens.values()).items()]
    if look.reach is not None:
        signs.append((Span(REACHED, "strong"), Span(" in reach", "dim")))
    return (*rows, Row("legend", cut_spans(join(signs), width))) if signs else tuple(rows)


def _short(zone: Zone) -> str:
    return clean(zone.title).partition(":")[0].strip()


def _row(
    ruleset: Ruleset, one: Combatant, token: Token, zone: Zone | None, look: LineLook, *, unit: str, width: int
) -> Row:
    where = f"{_place(one):g} {unit}" if one.position else ""
    head = (
        Span(fit(where, PLACE, "right") + " "),
        Span(token.mark + " ", token.style),
        Span(f"{one.label} ", token.style if token.style.startswith("turn-") else "strong"),
        Span(clean(one.name), token.style),
    )
    more = [(Span(f"in {_short(zone)}", "title"),)] if zone is not None else []
    if one.id == look.cursor and look.note:
        more.append((Span(look.note, "strong"),))
    words = join([head, *more, *points_of(ruleset, one, token)], " · ")
    return Row(one.id, cut_spans(words, width), "current" if one.id == look.cursor else "")
