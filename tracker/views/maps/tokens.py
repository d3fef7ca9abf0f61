"""Tokens: the place of each combatant on a map, its mark, wounds and conditions.

A mark before the label shows without colour whether a combatant is down, a foe or a friend of the party. A dead
combatant has no label. Tokens are plain data, for the GM's map and for the players' screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.board import Square
from tracker.core.fight.cache import per_state
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.terms.effects import Effect
from tracker.core.visibility.knowledge import is_hidden
from tracker.views.words.ruleset_answers import badges_of, tolerate
from tracker.views.words.sides import CAMPS, allegiance_of
from tracker.views.words.text import clean

ACTING, BODY, LYING, UNSEEN = "▶", "†", "_", "?"
DISABLED, HAMPERED = "!", "°"
"""Signs behind a label for its worst condition; no letters, because on a map a letter is a label."""
FILLED = ("chip-", "turn-")
"""The beginnings of the style words of filled tokens."""


class Token(Struct, frozen=True):
    """A combatant on a map.

    Attributes:
        who, label: the combatant; the label is "" for a dead one.
        at, space: its first square, and its width and height in squares.
        share: the remaining part of its first pool, 0 to 1; None: it has no pool, or cannot act.
        worst, sign: its worst condition in words and as a sign.
    """

    who: str
    label: str
    mark: str
    style: str
    at: Square
    space: int = 1
    share: float | None = None
    worst: str = ""
    sign: str = ""


class Tokens(Struct, frozen=True):
    """All tokens of a state.

    Attributes:
        listed: the tokens; those that can act come last.
    """

    listed: tuple[Token, ...]
    at: dict[Square, Token]
    longest: int


def placed(found: Iterable[tuple[bool, bool, Token]]) -> Tokens:
    """Return the tokens of combatants, each given with whether it acts and whether it takes part.

    A combatant that can act hides one that cannot. A small combatant hides a big one, except for the first square of
    the big one, which has the label.
    """
    ranked = sorted(found, key=itemgetter(0, 1))
    drawn = sorted(ranked, key=lambda each: (*each[:2], -each[2].space))
    at = {square: token for _, _, token in drawn for square in footprint(token.at, token.space)}
    at |= {token.at: token for acts, _, token in ranked if acts and token.space > 1}
    listed = tuple([token for _, _, token in ranked])
    return Tokens(listed, at, max((len(token.label) for token in listed), default=1))


def footprint(at: Square, space: int) -> Iterable[Square]:
    return ((at[0] + dx, at[1] + dy) for dy in range(space) for dx in range(space))


@lru_cache(maxsize=64)
def in_turn(token: Token) -> Token:
    return token if token.style == "dim" else replace(token, mark=ACTING, style=f"turn-{token.style}")


def chip(style: str) -> str:
    """Return the style of a filled token: combatants that cannot act are not filled, `turn-` styles have their fill."""
    return f"chip-{style}" if style in CAMPS else style


def plain_sign(mark: str, instead: str) -> str:
    """Return a status's mark, unless it could be read as a label."""
    sign = mark.strip()[:1]
    return instead if not sign or sign.isalnum() else sign


def space_of(combatant: Combatant) -> int:
    space = getattr(combatant.block, "space", 1)
    return space if isinstance(space, int) and space > 0 else 1


def tokens_of(ruleset: Ruleset, state: State) -> Tokens:
    return _tokens(state, ruleset)


@per_state
def _tokens(state: State, ruleset: Ruleset) -> Tokens:
    statuses = {status.key: status for status in ruleset.statuses}
    found = []
    for one in state.combatants:
        place = one.position
        if place is None or len(place) != 2:
            continue
        status = statuses.get(one.status) or status_of(ruleset, one.status)
        if status.stays:
            found.append((status.acts, status.takes_part, token_of(ruleset, state, one)))
    return placed(found)


def token_of(ruleset: Ruleset, state: State, one: Combatant) -> Token:
    status, place = status_of(ruleset, one.status), one.position or ()
    at, camp = (int(place[0]), int(place[1])) if len(place) == 2 else (0, 0), allegiance_of(ruleset, state, one.side)
    space = space_of(one)
    sign, word = clean(status.mark), clean(status.word)
    if not status.takes_part:
        return Token(one.id, "", plain_sign(sign, BODY), "dim", at, space, worst=word)
    if not status.acts:
        return Token(one.id, one.label, plain_sign(sign, LYING), "dim", at, space, worst=word)
    mark = UNSEEN if is_hidden(state, one.id) else CAMPS[camp]
    worst, grade = _worst(ruleset, state, one)
    return Token(one.id, one.label, mark, camp, at, space, _share(ruleset, one), worst, grade)


def _share(ruleset: Ruleset, one: Combatant) -> float | None:
    for key in ruleset.schema.pools[:1]:
        for pool in one.pools:
            if pool.key == key and pool.max > 0:
                return max(0.0, min(1.0, pool.now / pool.max))
    return None


def _worst(ruleset: Ruleset, state: State, one: Combatant) -> tuple[str, str]:
    """Return the worst condition and its sign: bad in the game's words, else a penalty, else an effect by a foe."""
    effects = [effect for effect in one.effects if effect.quiet is not True]
    if not effects:
        return "", ""
    bad = {badge.text for badge in badges_of(ruleset, state, one.id, tolerate) if badge.kind == "bad"}

    def rank(effect: Effect) -> tuple[bool, bool, bool]:
        source = state.get(effect.source) if effect.source is not None else None
        return (
            effect.shown not in bad,
            not any(modifier.amount < 0 for modifier in effect.modifiers),
            source is None or ruleset.friendly(state, one.side, source.side),
        )

    worst = min(effects, key=rank)
    able, unharmed, friendly = rank(worst)
    return clean(worst.shown), DISABLED if not able else "" if unharmed and friendly else HAMPERED
