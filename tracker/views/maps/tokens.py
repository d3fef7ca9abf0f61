"""Tokens: who stands where on a map, how each is marked, hurt and hampered.

A mark stands before a label and does without colour: who lies, who is a foe, who a friend of the party's. Those who are
dead are no letter any more. It is plain data, for the GM's map and for the players' screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.board import Square

ACTING, BODY, LYING, UNSEEN = "▶", "†", "_", "?"
CAMPS = {"players": " ", "ally": "+", "gm": "•"}
"""The marks of those who stand, by side."""


class Token(Struct, frozen=True):
    """A combatant on a map.

    Attributes:
        who, label: whose it is; "": a body, which has none.
        mark: the sign before the label.
        style: a style word: its side's colour, or dim.
        at, space: its first square, and how many squares it is wide and high.
        share: how much of its first pool is left, 0 to 1; None: it has none, or cannot act.
        worst: the worst that holds on it, in words.
    """

    who: str
    label: str
    mark: str
    style: str
    at: Square
    space: int = 1
    share: float | None = None
    worst: str = ""


class Tokens(Struct, frozen=True):
    """All tokens of a state.

    Attributes:
        listed: the tokens; those who stand come after those who lie.
        at: the token drawn on each square.
        longest: letters of the longest label.
    """

    listed: tuple[Token, ...]
    at: dict[Square, Token]
    longest: int


def placed(found: Iterable[tuple[bool, bool, Token]]) -> Tokens:
    """Return tokens of combatants, each with whether it acts and whether it takes part.

    Those who stand hide those who lie. Small ones hide a big one that stands over them, but for its first square, where
    its label is.
    """
    ranked = sorted(found, key=lambda one: one[:2])
    drawn = sorted(ranked, key=lambda one: (*one[:2], -one[2].space))
    at = {square: token for _, _, token in drawn for square in footprint(token.at, token.space)}
    at |= {token.at: token for acts, _, token in ranked if acts and token.space > 1}
    listed = tuple([token for _, _, token in ranked])
    return Tokens(listed, at, max((len(token.label) for token in listed), default=1))


def footprint(at: Square, space: int) -> Iterable[Square]:
    """Return the squares something stands on."""
    return ((at[0] + dx, at[1] + dy) for dy in range(space) for dx in range(space))


@lru_cache(maxsize=64)
def in_turn(token: Token) -> Token:
    """Return the token of one whose turn it is, if it stands."""
    return token if token.style == "dim" else replace(token, mark=ACTING, style=f"turn-{token.style}")


def plain_sign(mark: str, instead: str) -> str:
    """Return a status's mark, unless it could be read as a label."""
    sign = mark.strip()[:1]
    return instead if not sign or sign.isalnum() else sign
