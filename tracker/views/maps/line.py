"""The line of distances: an axis with zones, and below it who stands where.

Whatever colour says, a sign or the lines below say too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from tracker.core.fight.board import Board, Zone
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.maps.axis import MIDDLE, REACHED, TICK, Mark, Stretch, axis_rows
from tracker.views.maps.below import MARKS, marks_of, points_of
from tracker.views.maps.standing import token_of
from tracker.views.maps.tokens import Token, in_turn
from tracker.views.words.spans import Row, Span, cut_spans, fit, join
from tracker.views.words.text import clean

PLACE = 7
SIGNS = (
    *MARKS.items(),
    (TICK, "on the axis: a distance, whose number stands above"),
    (REACHED, "in reach of the chosen combatant"),
    ("├ ┤", "from where to where a zone goes"),
    (MIDDLE, "its middle"),
)
"""Every sign of a line of distances and what it means, for the help."""


class LineLook(Struct, frozen=True):
    """What is shown of a line besides places.

    Attributes:
        cursor: who is under it, or None.
        who: whose reach is shown.
        active: whose turn it is.
        reach: from where to where that one can go; None: nowhere.
        note: what is said of the one under the cursor: odds.
    """

    cursor: Id | None = None
    who: Id | None = None
    active: Id | None = None
    reach: tuple[float, float] | None = None
    note: str = ""


def line_order(state: State, board: Board) -> tuple[Id, ...]:
    """Return who is listed below a line, by place, those without one last."""
    inside = {who for zone in board.zones for who in zone.members}
    placed = sorted((one for one in state.combatants if one.position), key=_place)
    rest = [one for one in state.combatants if not one.position and one.id in inside]
    return tuple(one.id for one in (*placed, *rest))


def _place(one: Combatant) -> float:
    return float(one.position[0]) if one.position else 0.0


def line_rows(ruleset: Ruleset, state: State, board: Board, look: LineLook, *, width: int) -> tuple[Row, ...]:
    """Return a line of distances: the axis, then everybody with their place."""
    people = [state[who] for who in line_order(state, board)]
    if not people and not board.zones:
        return (Row("empty", (Span("nobody's distance is known", "dim"),)),)
    tokens = {one.id: _token(ruleset, state, one, look) for one in people}
    unit = clean(board.unit).rpartition(" ")[2]
    marks = [
        Mark(_place(one), tokens[one.id].mark + (one.label if tokens[one.id].label else ""), tokens[one.id].style)
        for one in people
        if one.position and ruleset.status(one.status).stays
    ]
    stretches = [
        Stretch(
            zone.middle, zone.radius, f"{_short(zone)} · {clean(zone.note)}" if zone.note else _short(zone), "title"
        )
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
    return (*rows, *_legend(look, tokens.values(), width))


def _legend(look: LineLook, tokens: Iterable[Token], width: int) -> Iterator[Row]:
    """Yield what the signs mean that can be seen now."""
    parts = [(Span(mark, style), Span(f" {word}", "dim")) for (mark, word), style in marks_of(tokens).items()]
    if look.reach is not None:
        parts.append((Span(REACHED, "strong"), Span(" in reach", "dim")))
    if parts:
        yield Row("legend", cut_spans(join(parts), width))


def _token(ruleset: Ruleset, state: State, one: Combatant, look: LineLook) -> Token:
    token = token_of(ruleset, state, one)
    return in_turn(token) if one.id == look.active else token


def _short(zone: Zone) -> str:
    """Return a zone's name without those who are in it."""
    return clean(zone.title).partition(":")[0].strip()


def _row(
    ruleset: Ruleset, one: Combatant, token: Token, zone: Zone | None, look: LineLook, *, unit: str, width: int
) -> Row:
    where = f"{_place(one):g} {unit}" if one.position else ""
    head = (
        Span(fit(where, PLACE, "right") + " "),
        Span(token.mark + " ", token.style),
        Span(f"{one.label} ", "strong"),
        Span(clean(one.name), token.style),
    )
    more = [(Span(f"in {_short(zone)}", "title"),)] if zone is not None else []
    if one.id == look.cursor and look.note:
        more.append((Span(look.note, "strong"),))
    words = join([head, *more, *points_of(ruleset, one, token)], " · ")
    return Row(one.id, cut_spans(words, width), "current" if one.id == look.cursor else "")
