"""The line of distances: a scale, who stands where on it, and the zones.

Whatever colour says, a sign or the lines below say too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tracker.core.fight.board import Board
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.words.sides import camp_of
from tracker.views.words.spans import Row, Span, cut_spans, fit
from tracker.views.words.text import clean

__all__ = ["line_rows"]


def line_rows(ruleset: Ruleset, state: State, board: Board, width: int, selected: Id | None = None) -> tuple[Row, ...]:
    """Return a line of distances: a scale, the combatants, and the zones."""
    placed = [(float(combatant.position[0]), combatant) for combatant in state.combatants if combatant.position]
    rows: list[Row] = []
    if placed:
        places = [place for place, _ in placed]
        scale = _Scale(min(places), max(*places, float(board.width)), max(10, width - 1))
        rows.append(Row("scale", cut_spans((Span(f"{scale.ticks()} {board.unit}", "dim"),), width)))
        rows += [
            Row(f"track:{number}", cut_spans(spans, width))
            for number, spans in enumerate(_tracks(ruleset, state, placed, scale))
        ]
    for combatant in sorted(
        (one for one in state.combatants if one.position),
        key=lambda one: float(one.position[0]) if one.position else 0.0,
    ):
        place = float(combatant.position[0]) if combatant.position else 0.0
        spans = (
            Span(fit(f"{place:g}", 6, "right") + " "),
            Span(f"{combatant.label} ", "strong"),
            _named(ruleset, state, combatant),
        )
        rows.append(Row(combatant.id, cut_spans(spans, width), "current" if combatant.id == selected else ""))
    for place, zone in enumerate(board.zones):
        where = f" at {zone.middle:g}" if zone.middle is not None else ""
        size = f", radius {zone.radius:g}" if zone.radius is not None else ""
        rows.append(
            Row(
                f"zone:{place}",
                cut_spans((Span(f"{clean(zone.title)}{where}{size}  ", "title"), Span(clean(zone.note), "dim")), width),
                "head",
            )
        )
        for who in zone.members:
            member = state.get(who)
            if member is not None:
                rows.append(
                    Row(
                        who,
                        cut_spans(
                            (Span("       "), Span(f"{member.label} ", "strong"), _named(ruleset, state, member)), width
                        ),
                    )
                )
    return tuple(rows) or (Row("empty", (Span("nobody's distance is known", "dim"),)),)


def _named(ruleset: Ruleset, state: State, combatant: Combatant) -> Span:
    return Span(clean(combatant.name), camp_of(ruleset, state, combatant.side))


class _Scale(Struct, frozen=True):
    """A line of so many cells between two distances."""

    low: float
    high: float
    length: int

    def spot(self, place: float) -> int:
        """Return the cell of a distance."""
        return round((place - self.low) * ((self.length - 1) / max(1.0, self.high - self.low)))

    def ticks(self) -> str:
        """Return the scale with its numbers."""
        step = _step((self.high - self.low) * 6 / self.length)
        ticks = [" "] * self.length
        for mark in range(int(-(-self.low // step)), int(self.high // step) + 1):
            at = self.spot(mark * step)
            for offset, sign in enumerate(f"{mark * step:g}"[: max(0, self.length - at)]):
                ticks[at + offset] = sign
        return "".join(ticks)


def _step(least: float) -> float:
    """Return the distance between two marks: 1, 2 or 5 times a power of ten."""
    step = 1.0
    while True:
        for times in (1, 2, 5):
            if step * times >= least:
                return step * times
        step *= 10


def _tracks(
    ruleset: Ruleset, state: State, placed: Sequence[tuple[float, Combatant]], scale: _Scale
) -> Iterator[tuple[Span, ...]]:
    """Yield the labels on the scale, those on the same spot one below the other."""
    tracks: list[dict[int, Combatant]] = []
    for place, combatant in placed:
        at = scale.spot(place)
        track = next((track for track in tracks if all(spot not in track for spot in (at - 1, at, at + 1))), None)
        if track is None:
            track = {}
            tracks.append(track)
        track[at] = combatant
    for track in tracks:
        spans, at = list[Span](), 0
        for spot in sorted(track):
            person = track[spot]
            acts = ruleset.status(person.status).acts
            spans += [
                Span(" " * (spot - at)),
                Span(person.label[:1], camp_of(ruleset, state, person.side) if acts else "dim"),
            ]
            at = spot + 1
        yield (*spans, Span(" " * max(0, scale.length - at)))
