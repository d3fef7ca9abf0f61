"""The frame around a map: who stands out of sight, and where."""

from __future__ import annotations

from collections.abc import Mapping

from tracker.views.maps.look import Frame
from tracker.views.maps.tokens import Token, Tokens
from tracker.views.words.spans import Row, Span, cut_spans


def beside(here: Mapping[int, Token], frame: Frame) -> tuple[str, str]:
    """Return the nearest token west and east of a row's window, `+` for more of them."""
    west = [place for place, token in here.items() if place < frame.left and token.label]
    east = [place for place, token in here.items() if place >= frame.left + frame.columns and token.label]
    left = f"◂{here[max(west)].label}{_more(here, west)}" if west else ""
    right = f"{here[min(east)].label}{_more(here, east)}▸" if east else ""
    return left, right


def _more(here: Mapping[int, Token], places: list[int]) -> str:
    return "+" if len({here[place].who for place in places}) > 1 else ""


def above_or_below(tokens: Tokens, frame: Frame, width: int, *, above: bool) -> Row:
    """Return who stands beyond the first or last row, each at its column.

    Of those in the corners, the nearest is named, and how many more there are.
    """
    last = frame.left + frame.columns - 1
    out = [
        token
        for token in tokens.listed
        if token.label and (token.at[1] + token.space <= frame.top if above else token.at[1] >= frame.top + frame.rows)
    ]
    out.sort(key=lambda token: (abs(token.at[1] - frame.top), token.at))
    west = [token for token in sorted(out, key=lambda token: token.at[0], reverse=True) if token.at[0] < frame.left]
    east = [token for token in sorted(out, key=lambda token: token.at[0]) if token.at[0] > last]
    size = frame.columns * frame.scale.wide
    first, end = (f"◂{_corner(west)}" if west else ""), (f"{_corner(east)}▸" if east else "")
    line = list((first + end.rjust(size - len(first)))[:size])
    left_over = 0
    for token in out:
        if frame.left <= token.at[0] <= last:
            start = _free(line, (token.at[0] - frame.left) * frame.scale.wide + 1, len(token.label))
            if start is None:
                left_over += 1
            else:
                line[start : start + len(token.label)] = token.label
    arrow = "↑" if above else "↓"
    head = f"{arrow if out else ' '}".rjust(2).ljust(frame.before)
    more = f" +{left_over}" if left_over else ""
    return Row("above" if above else "below", cut_spans((Span((head + "".join(line) + more).rstrip(), "dim"),), width))


def _corner(tokens: list[Token]) -> str:
    return f"{tokens[0].label}+{len(tokens) - 1}" if len(tokens) > 1 else tokens[0].label


def _free(line: list[str], wanted: int, size: int) -> int | None:
    """Return the nearest place where so many cells and one on each side are blank."""
    for off in range(len(line)):
        for start in (wanted - off, wanted + off) if off else (wanted,):
            around = line[max(0, start - 1) : start + size + 1]
            if 0 <= start <= len(line) - size and not "".join(around).strip():
                return start
    return None
