"""The map: squares with their tokens, the way under the cursor, reach and areas.

Or a line of distances with its zones.

Tokens are the labels of the combatants. Whatever colour says, a glyph or the line below says too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from tracker.core.fight.board import Board, Square, Trail
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.words.spans import Row, Span, cut_spans, fit, wrap_spans
from tracker.views.words.text import clean

__all__ = ["MapLook", "column_at", "footprint", "line_rows", "map_rows", "standing_at"]

CELL = 2
MARGIN = 3
FLOOR = "·"
WAY = "•"
AREA = "░"


class MapLook(Struct, frozen=True):
    """What the cursor asks of a map.

    Attributes:
        cursor: the square under it.
        who: whose way and reach are shown, or None.
        reach: the squares that one can reach.
        trail: the way to the cursor.
        area: squares of a template.
        sight: in words how `who` sees the combatant under the cursor.
    """

    cursor: Square
    who: Id | None = None
    reach: frozenset[Square] = frozenset()
    trail: Trail | None = None
    area: frozenset[Square] = frozenset()
    sight: str = ""


def footprint(combatant: Combatant, space: int = 1) -> tuple[Square, ...]:
    """Return the squares a combatant stands on."""
    place = combatant.position
    if place is None or len(place) != 2:
        return ()
    return tuple((int(place[0]) + dx, int(place[1]) + dy) for dy in range(space) for dx in range(space))


def standing_at(ruleset: Ruleset, state: State) -> dict[Square, Combatant]:
    """Return who is drawn on which square.

    Those who stand before those who lie.
    """
    found: dict[Square, Combatant] = {}
    for combatant in state.combatants:
        space = getattr(combatant.block, "space", 1)
        for square in footprint(combatant, space if isinstance(space, int) else 1):
            held = found.get(square)
            if held is None or (ruleset.status(combatant.status).acts and not ruleset.status(held.status).acts):
                found[square] = combatant
    return found


def map_rows(
    ruleset: Ruleset, state: State, board: Board, look: MapLook, *, width: int, height: int
) -> tuple[Row, ...]:
    """Return the squares around the cursor, and below what is under it."""
    below = _about(ruleset, state, board, look, width)[: max(0, height - 3)]
    columns, rows = _columns(width), max(1, height - len(below) - 1)
    left, top = _window(look.cursor[0], columns, board.width), _window(look.cursor[1], rows, board.height)
    people = standing_at(ruleset, state)
    ground = {(cell.x, cell.y): cell for cell in board.cells}
    way = {square: place for place, square in enumerate(look.trail.squares)} if look.trail is not None else {}
    head = " " * MARGIN + "".join(
        fit(str(x), CELL) if x % 5 == 0 else "  " for x in range(left, min(board.width, left + columns))
    )
    lines = [Row("columns", cut_spans((Span(head, "dim"),), width))]
    for y in range(top, min(board.height, top + rows)):
        spans = [Span(fit(str(y), 2, "right") + " ", "dim")]
        for x in range(left, min(board.width, left + columns)):
            square = (x, y)
            glyph, style = FLOOR, "" if not look.reach or square in look.reach else "dim"
            if square in ground:
                cell = ground[square]
                glyph, style = cell.glyph, cell.style or style
            if square in look.area and square not in people:
                glyph, style = AREA, "warn"
            if square in way:
                glyph, style = WAY, "bad" if look.trail is not None and look.trail.refusal is not None else "good"
            if square in people:
                person = people[square]
                mark = ruleset.status(person.status)
                glyph = person.label if mark.acts else mark.mark.strip() or person.label
                style = _colour(state, person) if mark.acts else "dim"
                style = "warn" if square in look.area else style
            cursor = square == look.cursor
            spans.append(
                Span(
                    f"[{glyph[0]}" if cursor else fit(f" {glyph}" if len(glyph) == 1 else glyph, CELL),
                    "cursor" if cursor else style,
                )
            )
        lines.append(Row(f"row:{y}", cut_spans(tuple(spans), width)))
    return (*lines, *below)


def column_at(board: Board, look: MapLook, width: int, across: int) -> int | None:
    """Return the column of a board at a place of the line, or None."""
    columns = _columns(width)
    place = (across - MARGIN) // CELL
    column = _window(look.cursor[0], columns, board.width) + place
    return column if 0 <= place < columns and column < board.width else None


def _columns(width: int) -> int:
    return max(1, width // CELL - 2)


def _window(cursor: int, shown: int, total: int) -> int:
    """Return the first column or row shown, the cursor in the middle of many."""
    return max(0, min(cursor - shown // 2, total - shown))


def _about(ruleset: Ruleset, state: State, board: Board, look: MapLook, width: int) -> list[Row]:
    """Say what is under the cursor, what the way costs, and whom it provokes."""
    x, y = look.cursor
    cell = next((cell for cell in board.cells if (cell.x, cell.y) == look.cursor), None)
    person = standing_at(ruleset, state).get(look.cursor)
    words = [f"{x},{y}", cell.word if cell is not None else "open"]
    words += [f"{cell.height} ft up"] if cell is not None and cell.height else []
    words += [f"{clean(person.name)} ({person.label})"] if person is not None else []
    words += [look.sight] if look.sight else []
    rows = [*wrap_spans((Span(" · ".join(words)),), width, 2)]
    if look.trail is not None and look.who is not None:
        trail = look.trail
        mover = clean(state.name(look.who))
        if trail.refusal is not None:
            rows += wrap_spans(
                (Span("✗ ", "bad"), Span(f"{mover}: {clean(trail.refusal.text)} "), Span(trail.refusal.rule, "rule")),
                width,
                2,
            )
        elif trail.squares:
            provoked = (
                f" · provokes {', '.join(clean(state.name(foe)) for foe in trail.provokes)}" if trail.provokes else ""
            )
            rows += wrap_spans(
                (Span(f"{mover}: {trail.cost} ft"), Span(provoked, "warn"), Span("   enter: go there", "dim")), width, 2
            )
    elif look.who is not None and person is None:
        rows += wrap_spans(
            (Span("✗ ", "bad"), Span(f"{clean(state.name(look.who))}: there is no way there", "dim")), width, 2
        )
    if look.area:
        people = standing_at(ruleset, state)
        caught = dict.fromkeys(people[square].label for square in sorted(look.area) if square in people)
        rows += wrap_spans(
            (Span(f"area of {len(look.area)} squares catches: {' '.join(caught) or 'nobody'}", "warn"),), width, 2
        )
    return [Row(f"about:{place}", spans) for place, spans in enumerate(rows)]


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
            _named(state, combatant),
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
                        cut_spans((Span("       "), Span(f"{member.label} ", "strong"), _named(state, member)), width),
                    )
                )
    return tuple(rows) or (Row("empty", (Span("nobody's distance is known", "dim"),)),)


def _named(state: State, combatant: Combatant) -> Span:
    return Span(clean(combatant.name), _colour(state, combatant))


def _colour(state: State, combatant: Combatant) -> str:
    return "players" if state.side(combatant.side).control == "players" else "gm"


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
            spans += [Span(" " * (spot - at)), Span(person.label[:1], _colour(state, person) if acts else "dim")]
            at = spot + 1
        yield (*spans, Span(" " * max(0, scale.length - at)))
