"""Dice of one kind asked for in one prompt: `7 3 9 -`.

Each number is the next one's, `-` leaves one to the program, an empty line all of them. What is not typed is asked
again. Dice of ten sides or less need no blanks: `739`, with 0 for a ten.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.step.telling import numbers_shown
from tracker.core.terms.requests import Answer, Roll
from tracker.ui.typing.mode import Scene, name_spans
from tracker.ui.typing.tokens import chosen
from tracker.views.words.spans import Row, Span, spread
from tracker.views.words.text import clean

__all__ = ["read_row", "row_hint", "row_rows", "row_title"]

HINT = "one each · -: the program's · Enter: all its"
SHORT_HINT = "a digit each, 0 for 10 · -: the program's · Enter: all its"
LEFT = "-"
TEN = 10


def row_title(rolls: Sequence[Roll]) -> tuple[Span, ...]:
    """Return the question: whose dice, and what for."""
    whose = Span("Players" if rolls[0].to == "player" else "GM", "players" if rolls[0].to == "player" else "gm")
    return (whose, Span(": roll for "), Span(clean(_what(rolls[0])), "strong"), Span(f", {len(rolls)} in order"))


def _what(roll: Roll) -> str:
    """Return what dice in a row are for."""
    return roll.key.rpartition("/")[2].partition(":")[0].replace("_", " ")


def row_hint(rolls: Sequence[Roll]) -> str:
    """Return how dice in a row are typed."""
    return SHORT_HINT if _is_short(rolls) else HINT


def _is_short(rolls: Sequence[Roll]) -> bool:
    """Tell whether each of the dice is one of ten sides at most."""
    return all(len(roll.dice.sides) == 1 and roll.dice.sides[0] <= TEN for roll in rolls)


def _split(rolls: Sequence[Roll], text: str) -> list[str]:
    """Return what is typed for each roll.

    A run of digits is one each, unless it can be the first number.
    """
    words = text.replace("*", LEFT).split()
    if len(words) != 1 or not _is_short(rolls):
        return words
    (word,) = words
    first = word.isdigit() and word[0] != "0" and int(word) <= rolls[0].dice.sides[0]
    return words if first or not all(letter.isdigit() or letter == LEFT for letter in word) else list(word)


def row_rows(scene: Scene, rolls: Sequence[Roll], text: str, width: int) -> tuple[Row, ...]:
    """Return a line for each roll, with what is typed for it."""
    typed = _words(rolls, text)
    rows = []
    for place, roll in enumerate(rolls):
        here = place == min(len(typed), len(rolls) - 1)
        name = name_spans(scene, roll.who) if roll.who is not None else (Span(clean(roll.why)),)
        needed = f" · {clean(roll.needed)}" if roll.needed and numbers_shown(scene.model.state) else ""
        why = clean(roll.why.removeprefix(_what(roll)).lstrip(":, "))
        more = f"  {roll.dice} {why}".rstrip() + needed
        head = (Span("▸ " if here else "  ", "title"), *name, Span(more, "dim"))
        end = (Span(typed[place], "typed"),) if place < len(typed) else ()
        rows.append(Row(f"roll:{place}", spread(head, end, width), "current" if here else ""))
    return tuple(rows)


def _words(rolls: Sequence[Roll], text: str) -> list[str]:
    """Return what is typed for each roll, in order, as far as it goes."""
    left, found = _split(rolls, text), []
    for roll in rolls:
        many = 1 if roll.total_ok or not left or left[0] == LEFT else len(roll.dice.sides)
        if left:
            found.append(" ".join(left[:many]))
            left = left[many:]
    return found


def read_row(scene: Scene, rolls: Sequence[Roll], text: str) -> tuple[tuple[str, Answer | None], ...]:
    """Return the answers typed for dice in a row, None for the program's.

    Raises:
        ValueError: where some cannot have fallen so.
    """
    if not text.strip():
        return tuple((roll.key, None) for roll in rolls)
    left = tuple(_split(rolls, text))
    if len(left) > len(rolls) and len(text.split()) == 1:
        raise ValueError(f"{len(left)} digits are too many for {len(rolls)} dice")
    found: list[tuple[str, Answer | None]] = []
    for roll in rolls:
        if not left:
            return tuple(found)
        many, answer = 1, None
        if left[0] != LEFT:
            try:
                answer, many = roll.dealt(left, chosen)
            except ValueError as error:
                who = f"{clean(scene.model.state.name(roll.who))}: " if roll.who is not None else ""
                raise ValueError(f"{who}{error}") from error
        found.append((roll.key, answer))
        left = left[many:]
    if left:
        raise ValueError(f"{len(rolls)} are asked for: {' '.join(left)} is too much")
    return tuple(found)
