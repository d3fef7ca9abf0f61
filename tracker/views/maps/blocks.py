"""How a token fills its squares: label, bar, worst condition, outline."""

from __future__ import annotations

from functools import lru_cache

from tracker.views.maps.ground import Piece, Pieces, on_ground
from tracker.views.maps.look import Scale
from tracker.views.maps.tokens import Token
from tracker.views.words.spans import fit

FULL, HALF_FULL, SPENT = "━", "╸", "┄"
HALF, QUARTER = 0.5, 0.25


def health_style(share: float) -> str:
    """Return the style of what is left: quiet while all is there, then graded."""
    return "quiet" if share >= 1 else "good" if share > HALF else "warn" if share > QUARTER else "bad"


def token_pieces(token: Token, scale: Scale, across: int, down: int, ground: str) -> Pieces:
    """Return the lines of one of a token's squares, by its place in the footprint."""
    if token.space == 1:
        return _alone(token, scale, ground)
    block = _outlined(token, scale, ground)
    first, last = across * scale.wide, (across + 1) * scale.wide
    rows = block[down * scale.high : (down + 1) * scale.high]
    return tuple([(text[first:last], style) for text, style in rows])


@lru_cache(maxsize=1024)
def _alone(token: Token, scale: Scale, ground: str) -> Pieces:
    wide, high = scale.wide, scale.high
    name = token.mark + token.label
    style = on_ground(token.style, ground)
    if high == 1:
        return ((name.ljust(wide), style),)
    hampered = token.worst[:1].upper() if high == 2 else ""
    head = f"{name.ljust(3)}{hampered}".ljust(wide)[:wide]
    lines: list[Piece] = [(head, style), _bar(token, wide - 1, wide, ground)]
    if high > 2:
        lines.append((fit(token.worst, wide - 1).ljust(wide), on_ground("warn" if token.worst else "", ground)))
    return tuple(lines)


@lru_cache(maxsize=256)
def _outlined(token: Token, scale: Scale, ground: str) -> Pieces:
    wide, high = token.space * scale.wide, token.space * scale.high
    style, inner = on_ground(token.style, ground), wide - 2
    name = token.mark + token.label
    if high == 2:
        return ((f"┌{name[:inner].ljust(inner, '─')}┐", style), (f"└{'─' * inner}┘", style))
    said: list[Piece] = [(name.ljust(inner)[:inner], style)]
    if high > 3 or not token.worst:
        text, colour = _bar(token, inner, inner, ground)
        said.append((text, colour))
    if token.worst:
        said.append((fit(token.worst, inner), on_ground("warn", ground)))
    said = [*said[: high - 2], *[(" " * inner, style)] * (high - 2 - len(said))]
    return (
        (f"┌{'─' * inner}┐", style),
        *[(f"│{text}│", colour if text.strip() else style) for text, colour in said],
        (f"└{'─' * inner}┘", style),
    )


def _bar(token: Token, size: int, wide: int, ground: str) -> Piece:
    """Return what is left of the first pool.

    Only what is full looks full, only what is empty looks empty.
    """
    share = token.share
    if share is None:
        words = token.worst if not token.label or token.style == "dim" else ""
        return fit(words, size).ljust(wide), on_ground("dim", ground)
    parts = size * 2 if share >= 1 else 0 if share <= 0 else max(1, min(size * 2 - 1, round(size * 2 * share)))
    full, half = divmod(parts, 2)
    text = FULL * full + (HALF_FULL if half else "")
    return text.ljust(size, SPENT).ljust(wide), on_ground(health_style(share), ground)
