"""The ground of a map as pieces of lines: floor, walls, heights."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from tracker.core.fight.board import Board, Cell, Square
from tracker.views.maps.tokens import DISABLED, Token, chip
from tracker.views.maps.viewport import MapLook, Scale
from tracker.views.words.spans import cells

FLOOR, WITHIN, AREA, THREAT, RULER, FOG = "·", "◦", "░", "×", "*", ","
RAISED, HIGHEST, LOWERED = "▵", "▴", "▾"
LEVELS = 3
ARROWS = "↑↗→↘↓↙←↖"
_HEADINGS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
_ARROWS = dict(zip(_HEADINGS, ARROWS, strict=True))

Piece: TypeAlias = tuple[str, str]
"""A text and its style word."""
Pieces: TypeAlias = tuple[tuple[Piece, ...], ...]
"""The lines of a square."""


@lru_cache(maxsize=8)
def cells_by_square(board: Board) -> dict[Square, Cell]:
    """Return the squares of a board that are not plain floor."""
    return {(cell.x, cell.y): cell for cell in board.cells}


@lru_cache(maxsize=8)
def _heights(board: Board) -> tuple[int, ...]:
    return tuple(sorted({cell.height for cell in board.cells if cell.height > 0}))


def glyph_of(board: Board, cell: Cell | None) -> tuple[str, str, str]:
    """Return the sign of a square, its style and its fill; walls and floor are quieter than combatants."""
    if cell is None:
        return FLOOR, "quiet", ""
    if cell.fill and cell.style in ("", "dim"):
        return cell.glyph, "wall", cell.fill
    style = cell.style or "quiet"
    if not cell.height:
        return cell.glyph, style, cell.fill
    heights = _heights(board)
    level = 1 + (LEVELS - 1) * heights.index(cell.height) // max(1, len(heights) - 1) if cell.height > 0 else 0
    sign = cell.glyph
    if sign == FLOOR:
        sign = LOWERED if cell.height < 0 else HIGHEST if cell.height == heights[-1] else RAISED
    return sign, on_ground(style, f"high{level}" if level else ""), cell.fill


def over_glyph(look: MapLook, square: Square, sign: str, style: str, filled: bool) -> tuple[str, str]:
    """Return sign and style of a square with its overlay; plain floor within reach has its own sign."""
    ground = style.partition(" on ")[2]
    if square in look.ruler:
        return RULER, on_ground("strong", laid_on(look, square) or ground)
    if square in look.area:
        return AREA, "warn on area"
    if square in look.fog:
        sign, style, ground = (FOG if sign in (FLOOR, RAISED, HIGHEST, LOWERED) else sign), "dim on fog", "fog"
    if filled:
        return sign, style
    if look.reach is not None and square not in look.reach:
        style = on_ground("quiet", ground)
    elif look.reach is not None:
        sign = WITHIN if sign == FLOOR else sign
        word = style.partition(" on ")[0]
        style = on_ground("" if word == "quiet" else word, ground or "reach")
    if look.threat is not None and square in look.threat:
        return (THREAT if sign in (FLOOR, WITHIN, FOG) else sign), "bad on threat"
    return sign, style


def laid_on(look: MapLook, square: Square) -> str:
    """Return the name of the uppermost overlay of a square."""
    if square in look.area:
        return "area"
    if look.threat is not None and square in look.threat:
        return "threat"
    if square in look.fog:
        return "fog"
    return "reach" if look.reach is not None and square in look.reach else ""


def on_ground(style: str, ground: str) -> str:
    return f"{style} on {ground}" if ground else style


def arrows(look: MapLook, start: Square | None) -> dict[Square, Piece]:
    trail = look.trail
    if trail is None or not trail.squares:
        return {}
    good = "bad" if trail.refusal is not None else "good"
    pieces: dict[Square, Piece] = {}
    before = start
    for number, square in enumerate(trail.squares):
        after = trail.squares[number + 1] if number + 1 < len(trail.squares) else None
        source, goal = (square, after) if after is not None else (before, square)
        sign = "•" if source is None else _ARROWS.get((_sign(goal[0] - source[0]), _sign(goal[1] - source[1])), "•")
        pieces[square] = (f"!{sign}", "bad") if square in trail.struck else (sign, good)
        before = square
    return pieces


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


@lru_cache(maxsize=2048)
def floor_pieces(scale: Scale, sign: str, style: str, fill: str) -> Pieces:
    wide, high = scale.wide, scale.high
    if fill or sign == AREA:
        return ((((fill or sign) * wide, style),),) * high
    text = sign.rjust(2).ljust(wide) if wide < 4 else sign.center(wide - 1).ljust(wide)
    blank = (" " * wide, style)
    middle = (high - 1) // 2
    return tuple([((text, style) if line == middle else blank,) for line in range(high)])


FULL, HALF_FULL, SPENT = "━", "╸", "┄"
HALF, QUARTER = 0.5, 0.25


def health_style(share: float) -> str:
    """Return the style of remaining points: quiet if none are lost, then graded."""
    return "quiet" if share >= 1 else "good" if share > HALF else "warn" if share > QUARTER else "bad"


def token_pieces(token: Token, scale: Scale, across: int, down: int, ground: str) -> Pieces:
    """Return the lines of one square of a token, by its place in the footprint."""
    if token.space == 1:
        return _alone(token, scale, ground)
    block = _outlined(token, scale, ground)
    first, last = across * scale.wide, (across + 1) * scale.wide
    rows = block[down * scale.high : (down + 1) * scale.high]
    return tuple([((text[first:last], style),) for text, style in rows])


def _filled(token: Token, ground: str) -> str:
    """Return the style of a token's name; the ground of a target in an area is the area."""
    style = chip(token.style)
    return on_ground(token.style if ground == "area" or style == token.style else style, ground)


@lru_cache(maxsize=1024)
def _alone(token: Token, scale: Scale, ground: str) -> Pieces:
    """Return a filled name, then a cell of ground that separates it from the next and has the sign of its condition."""
    wide, high = scale.wide, scale.high
    name = (token.mark + token.label)[:wide]
    if high > 1:
        name = name.ljust(wide - 1)
    head: tuple[Piece, ...] = ((name, _filled(token, ground)),)
    if gap := wide - cells(name):
        colour = "bad" if token.sign == DISABLED else "warn" if token.sign else ""
        head += ((token.sign.ljust(gap), on_ground(colour, ground)),)
    lines: list[tuple[Piece, ...]] = [head]
    if high > 1:
        lines.append((_bar(token, wide - 1, wide, ground),))
    if high > 2:
        worst = _whole(token.worst, wide - 1)
        lines.append(((worst.ljust(wide), on_ground("warn" if worst else "", ground)),))
    return tuple(lines)


def _whole(words: str, width: int) -> str:
    """Return words if they fit, else none: the sign at the label and the lines below the map show the same."""
    return words if cells(words) <= width else ""


@lru_cache(maxsize=256)
def _outlined(token: Token, scale: Scale, ground: str) -> tuple[Piece, ...]:
    wide, high = token.space * scale.wide, token.space * scale.high
    style, inner = _filled(token, ground), wide - 2
    name = token.mark + token.label + token.sign
    if high == 2:
        return ((f"┌{name[:inner].ljust(inner, '─')}┐", style), (f"└{'─' * inner}┘", style))
    lines = [name.ljust(inner)[:inner]]
    worst = _whole(token.worst, inner)
    if high > 3 or not worst:
        lines.append(_bar(token, inner, inner, ground)[0])
    if worst:
        lines.append(worst.ljust(inner))
    lines = [*lines[: high - 2], *[" " * inner] * (high - 2 - len(lines))]
    return (
        (f"┌{'─' * inner}┐", style),
        *[(f"│{text}│", style) for text in lines],
        (f"└{'─' * inner}┘", style),
    )


def _bar(token: Token, size: int, wide: int, ground: str) -> Piece:
    """Return the remaining part of the first pool; only a full pool looks full, only an empty pool empty."""
    share = token.share
    if share is None:
        words = token.worst if not token.label or token.style == "dim" else ""
        return _whole(words, size).ljust(wide), on_ground("dim", ground)
    parts = size * 2 if share >= 1 else 0 if share <= 0 else max(1, min(size * 2 - 1, round(size * 2 * share)))
    full, half = divmod(parts, 2)
    text = FULL * full + HALF_FULL * half
    return text.ljust(size, SPENT).ljust(wide), on_ground(health_style(share), ground)
