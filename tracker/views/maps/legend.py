"""The lines below a map: what is under the cursor, and the signs."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.board import Board, Cell, Square
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.maps.terrain import (
    AREA,
    ARROWS,
    FLOOR,
    FOG,
    FULL,
    HIGHEST,
    LOWERED,
    RAISED,
    RULER,
    SPENT,
    THREAT,
    WITHIN,
    cells_by_square,
    glyph_of,
)
from tracker.views.maps.tokens import BODY, CAMPS, LYING, UNSEEN, Token, Tokens, in_turn
from tracker.views.maps.viewport import Frame, MapLook
from tracker.views.time.turn_marks import ACTING
from tracker.views.words.spans import Row, Span, join, width_of, wrap_spans
from tracker.views.words.text import clean

MARKS = {
    ACTING: "has its turn",
    CAMPS["gm"]: "foe",
    CAMPS["ally"]: "friend",
    UNSEEN: "hidden from the players",
    LYING: "lies",
    BODY: "dead",
}
"""What the marks before labels mean, where no status says so."""


SIGNS = (
    *MARKS.items(),
    (FULL, "what is left of its points"),
    (SPENT, "what is gone of them"),
    ("┌─┐", "around one that covers several squares"),
    ("[ ]", "the cursor"),
    (ARROWS, "the way, and where it goes next; red: not allowed"),
    ("!", "on the way: struck at here"),
    (WITHIN, "within reach of the chosen combatant"),
    (THREAT, "threatened by its foes"),
    (AREA, "in the area laid on the map"),
    (RULER, "measured"),
    (FOG, "fog: players do not see it"),
    (FLOOR, "open ground"),
    (RAISED, "high ground"),
    (HIGHEST, "the highest ground"),
    (LOWERED, "low ground"),
    ("◂ ▸", "in the frame: who stands out of sight on that side"),
    ("↑ ↓", "the same, above and below"),
)
"""Every sign of a map of squares and what it means, for the help."""


def targets_in(tokens: Tokens, area: frozenset[Square]) -> tuple[Token, ...]:
    """Return the tokens in an area, row by row."""
    found = {tokens.at[square].who: tokens.at[square] for square in sorted(area, key=_by_row) if square in tokens.at}
    return tuple(token for token in found.values() if token.label)


def _by_row(square: Square) -> Square:
    return square[1], square[0]


def below_rows(
    ruleset: Ruleset, state: State, board: Board, tokens: Tokens, look: MapLook, frame: Frame, *, width: int, room: int
) -> tuple[Row, ...]:
    rows = [
        Row(f"about:{place}", spans) for place, spans in enumerate(_about(ruleset, state, board, tokens, look, width))
    ]
    left = room - len(rows)
    if left > 0:
        rows += [Row("legend", spans) for spans in _legend(board, tokens, look, frame, width)[:left]]
    return tuple(rows[: max(0, room)])


def _about(
    ruleset: Ruleset, state: State, board: Board, tokens: Tokens, look: MapLook, width: int
) -> list[tuple[Span, ...]]:
    cell, token = cells_by_square(board).get(look.cursor), tokens.at.get(look.cursor)
    lines = list(wrap_spans(join(_square(ruleset, state, board, look, cell, token), " · "), width, 2))
    if (way := _way(state, look, token)) is not None:
        lines += wrap_spans(way, width, 2)
    if look.area or look.title:
        caught = " ".join(one.label for one in targets_in(tokens, look.area))
        lines += wrap_spans(
            (Span(f"{look.title} of {_squares(len(look.area))} catches: "), Span(caught or "nobody", "warn")), width, 2
        )
    if look.ruler:
        (x, y), (to_x, to_y) = look.ruler[0], look.ruler[-1]
        lines += wrap_spans((Span(f"{RULER} {x},{y} to {to_x},{to_y}: "), Span(look.length, "strong")), width, 2)
    return lines


def _squares(many: int) -> str:
    return f"{many} squares" if many != 1 else "1 square"


def _square(
    ruleset: Ruleset, state: State, board: Board, look: MapLook, cell: Cell | None, token: Token | None
) -> list[tuple[Span, ...]]:
    word = clean(cell.word) if cell is not None else "open"
    words: list[tuple[Span, ...]] = [(Span(f"{look.cursor[0]},{look.cursor[1]}"),), (Span(word),)]
    if cell is not None and cell.height:
        words.append((Span(_height(cell)),))
    if token is None:
        return words
    person = state[token.who]
    words.append((Span(f"{clean(person.name)} ({person.label})", token.style),))
    words += [(Span(text, style),) for text, style in ((look.sight, ""), (look.odds, "strong")) if text]
    words += [(Span(MARKS[ACTING], "strong"),)] if token.who == look.active else []
    return [*words, *points_of(ruleset, person, token)]


def points_of(ruleset: Ruleset, person: Combatant, token: Token) -> list[tuple[Span, ...]]:
    found: list[tuple[Span, ...]] = []
    status = ruleset.status(person.status)
    if not status.acts:
        return [*found, (Span(clean(status.word), "bad"),)]
    for pool in person.pools:
        if pool.key in ruleset.schema.pools[:1]:
            found.append((Span(f"{pool.now}/{pool.max}"),))
    if token.worst:
        found.append((Span(token.worst, "warn"),))
    return found


def _way(state: State, look: MapLook, token: Token | None) -> tuple[Span, ...] | None:
    """Return what the way to the cursor costs and which attacks it provokes, or why it is not allowed."""
    if look.who is None:
        return None
    mover, trail = clean(state.name(look.who)), look.trail
    if trail is None:
        return None if token is not None else (Span("✗ ", "bad"), Span(f"{mover}: there is no way there", "dim"))
    if trail.refusal is not None:
        return (Span("✗ ", "bad"), Span(f"{mover}: {clean(trail.refusal.text)} "), Span(trail.refusal.rule, "rule"))
    if not trail.squares:
        return None
    of = f" of {trail.limit}" if trail.limit else ""
    foes = ", ".join(clean(state.name(foe)) for foe in trail.provokes)
    return (
        Span(f"{mover}: {trail.cost}{of} ft"),
        Span(f" · provokes {foes}" if foes else "", "warn"),
        Span("   enter: go there" if token is None else "", "dim"),
    )


def _legend(board: Board, tokens: Tokens, look: MapLook, frame: Frame, width: int) -> list[tuple[Span, ...]]:
    parts = [
        (Span(mark, style), Span(f" {word}", "dim"))
        for (mark, word), style in marks_of(
            in_turn(one) if one.who == look.active else one for one in tokens.listed
        ).items()
    ]
    parts += [(Span(sign, style), Span(f" {word}", "dim")) for (sign, word), style in _grounds(board, frame).items()]
    if look.reach is not None:
        parts.append((Span(WITHIN), Span(" in reach", "dim")))
    if look.fog:
        parts.append((Span(FOG, "dim on fog"), Span(" fog: players do not see it", "dim")))
    if look.threat:
        parts.append((Span(THREAT, "bad on threat"), Span(" threatened", "dim")))
    if look.trail is not None and look.trail.struck:
        parts.append((Span("!", "bad"), Span(" struck at", "dim")))
    if look.area:
        parts.append((Span(AREA, "warn on area"), Span(" area", "dim")))
    lines: list[list[tuple[Span, ...]]] = [[]]
    for part in parts:
        if lines[-1] and width_of(join([*lines[-1], part])) > width:
            lines.append([])
        lines[-1].append(part)
    return [join(line) for line in lines if line]


def _grounds(board: Board, frame: Frame) -> dict[tuple[str, str], str]:
    """Return the signs of the ground in sight, with meaning and style."""
    cells = cells_by_square(board)
    seen = [
        cell
        for y in range(frame.top, frame.top + frame.rows)
        for x in range(frame.left, frame.left + frame.columns)
        if (cell := cells.get((x, y))) is not None
    ]
    found = {(cell.glyph, clean(cell.word)): cell.style for cell in seen if cell.glyph != FLOOR}
    for cell in sorted((one for one in seen if one.height), key=lambda one: one.height):
        sign, style, _ = glyph_of(board, replace(cell, glyph=FLOOR, style=""))
        found[(sign, _height(cell))] = style
    return found


def _height(cell: Cell) -> str:
    return f"{cell.height} ft up" if cell.height > 0 else f"{-cell.height} ft down"


def marks_of(tokens: Iterable[Token]) -> dict[tuple[str, str], str]:
    """Return the marks before labels, each with its meaning and style."""
    found: dict[tuple[str, str], str] = {}
    for token in tokens:
        if token.mark.strip():
            found.setdefault((token.mark, MARKS.get(token.mark) or token.worst), token.style)
    return found
