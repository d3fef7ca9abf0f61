"""The lines below a map: the square under the cursor, and the signs."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.board import Board, Cell, Square
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
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
from tracker.views.maps.tokens import BODY, DISABLED, HAMPERED, LYING, UNSEEN, Token, Tokens, chip, in_turn
from tracker.views.maps.viewport import Frame, MapLook
from tracker.views.time.turn_marks import ACTING
from tracker.views.words.sides import CAMPS
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
"""The meanings of marks before labels that are no status."""
CONDITIONS = ((DISABLED, "bad", "can hardly act"), (HAMPERED, "warn", "hampered"))
"""The signs behind labels, each with its style and meaning."""

SIGNS = (
    *MARKS.items(),
    (FULL, "what is left of its points"),
    (SPENT, "what is gone of them"),
    ("┌─┐", "around one that covers several squares"),
    ("[ ]", "the cursor"),
    *((sign, f"behind a label: {word}") for sign, _, word in CONDITIONS),
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
"""Every sign of a map of squares with its meaning, for the help."""


def targets_in(tokens: Tokens, area: frozenset[Square]) -> tuple[Token, ...]:
    """Return the tokens in an area, row by row."""
    squares = sorted(area, key=lambda square: (square[1], square[0]))
    targets = {tokens.at[square].who: tokens.at[square] for square in squares if square in tokens.at}
    return tuple(token for token in targets.values() if token.label)


def below_rows(
    ruleset: Ruleset, state: State, board: Board, tokens: Tokens, look: MapLook, frame: Frame, *, width: int, room: int
) -> tuple[Row, ...]:
    lines = _about(ruleset, state, board, tokens, look, width)
    rows = [Row(f"about:{place}", spans) for place, spans in enumerate(lines)]
    if len(rows) < room:
        rows += [Row("legend", spans) for spans in _legend(board, tokens, look, frame, width)]
    return tuple(rows[: max(0, room)])


def _about(
    ruleset: Ruleset, state: State, board: Board, tokens: Tokens, look: MapLook, width: int
) -> list[tuple[Span, ...]]:
    cell, token = cells_by_square(board).get(look.cursor), tokens.at.get(look.cursor)
    lines = [join(_square(ruleset, state, look, cell, token), " · ")]
    if (way := _way(state, look, token)) is not None:
        lines.append(way)
    if look.area or look.title:
        labels = " ".join(token.label for token in targets_in(tokens, look.area))
        squares = f"{len(look.area)} squares" if len(look.area) != 1 else "1 square"
        lines.append((Span(f"{look.title} of {squares} catches: "), Span(labels or "nobody", "warn")))
    if look.ruler:
        ends = " to ".join(dict.fromkeys(f"{x},{y}" for x, y in (look.ruler[0], look.ruler[-1])))
        lines.append((Span(f"{RULER} {ends}: "), Span(look.length, "strong")))
    return [line for spans in lines for line in wrap_spans(spans, width, 2)]


def _square(
    ruleset: Ruleset, state: State, look: MapLook, cell: Cell | None, token: Token | None
) -> list[tuple[Span, ...]]:
    words: list[tuple[Span, ...]] = [(Span(f"{look.cursor[0]},{look.cursor[1]}"),)]
    words.append((Span(clean(cell.word) if cell is not None else "open"),))
    if cell is not None and cell.height:
        words.append((Span(_height(cell)),))
    if token is None:
        return words
    combatant = state[token.who]
    words.append((Span(f"{clean(combatant.name)} ({combatant.label})", token.style),))
    words += [(Span(text, style),) for text, style in ((look.sight, ""), (look.odds, "strong")) if text]
    words += [(Span(MARKS[ACTING], "strong"),)] if token.who == look.active else []
    return [*words, *points_of(ruleset, combatant, token)]


def points_of(ruleset: Ruleset, combatant: Combatant, token: Token) -> list[tuple[Span, ...]]:
    status = status_of(ruleset, combatant.status)
    if not status.acts:
        return [(Span(clean(status.word), "bad"),)]
    pools = (pool for pool in combatant.pools if pool.key in ruleset.schema.pools[:1])
    worst = [(Span(token.worst, "warn"),)] if token.worst else []
    return [*((Span(f"{pool.now}/{pool.max}"),) for pool in pools), *worst]


def _way(state: State, look: MapLook, token: Token | None) -> tuple[Span, ...] | None:
    """Return the cost of the path to the cursor and the attacks that it provokes, or why it is not allowed."""
    if look.who is None:
        return None
    mover, trail = clean(state.name(look.who)), look.trail
    who = state.get(look.who)
    if who is not None and len(who.position or ()) != 2:
        words = Span(f"{mover} has no square yet: "), Span("enter", "key"), Span(" puts it here")
        return words if token is None else None
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
    listed = (in_turn(token) if token.who == look.active else token for token in tokens.listed)
    signs = [(mark, style, word) for (mark, word), style in marks_of(listed).items()]
    signs += [mark for mark in CONDITIONS if any(token.sign == mark[0] for token in tokens.listed)]
    signs += [(sign, style, word) for (sign, word), style in _grounds(board, frame).items()]
    overlays = (
        (look.reach is not None, WITHIN, "", "in reach"),
        (bool(look.fog), FOG, "dim on fog", "fog: players do not see it"),
        (bool(look.threat), THREAT, "bad on threat", "threatened"),
        (look.trail is not None and bool(look.trail.struck), "!", "bad", "struck at"),
        (bool(look.area), AREA, "warn on area", "area"),
    )
    signs += [(sign, style, word) for shown, sign, style, word in overlays if shown]
    lines: list[list[tuple[Span, ...]]] = [[]]
    for sign, style, word in signs:
        part = (Span(sign, style), Span(f" {word}", "dim"))
        if lines[-1] and width_of(join([*lines[-1], part])) > width:
            lines.append([])
        lines[-1].append(part)
    return [join(line) for line in lines if line]


def _grounds(board: Board, frame: Frame) -> dict[tuple[str, str], str]:
    """Return the signs of the visible ground, with meaning and style."""
    cells = cells_by_square(board)
    squares = [(frame.left + x, frame.top + y) for y in range(frame.rows) for x in range(frame.columns)]
    seen = [cells[square] for square in squares if square in cells]
    signs = {(cell.glyph, clean(cell.word)): glyph_of(board, cell)[1] for cell in seen if cell.glyph != FLOOR}
    for cell in sorted((cell for cell in seen if cell.height), key=lambda cell: cell.height):
        sign, style, _ = glyph_of(board, replace(cell, glyph=FLOOR, style=""))
        signs[sign, _height(cell)] = style
    return signs


def _height(cell: Cell) -> str:
    return f"{cell.height} ft up" if cell.height > 0 else f"{-cell.height} ft down"


def marks_of(tokens: Iterable[Token]) -> dict[tuple[str, str], str]:
    """Return the marks before labels, each with its meaning and style."""
    marks: dict[tuple[str, str], str] = {}
    for token in tokens:
        if token.mark.strip():
            marks.setdefault((token.mark, MARKS.get(token.mark) or token.worst), chip(token.style))
    return marks
