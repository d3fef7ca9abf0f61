"""Tokens: the place of each combatant on a map, its mark, wounds and conditions.

A mark before the label says without colour whether a combatant is down, a foe or a friend of the party. The dead have
no letter. Tokens are plain data, for the GM's map and for the players' screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.board import Square
from tracker.core.fight.cache import per_state
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.visibility.knowledge import is_hidden
from tracker.views.words.ruleset_answers import badges_of, tolerate
from tracker.views.words.sides import CAMPS, allegiance_of
from tracker.views.words.text import clean

ACTING, BODY, LYING, UNSEEN = "▶", "†", "_", "?"
DISABLED, HAMPERED = "!", "°"
"""Behind a label: how bad its worst condition is; no letter, because on a map a letter is a label."""


FILLED = ("chip-", "turn-")
"""How the style words of filled tokens begin."""


class Token(Struct, frozen=True):
    """A combatant on a map.

    Attributes:
        who, label: the combatant; the label is "" for a dead one.
        at, space: its first square, and how many squares it is wide and high.
        share: how much of its first pool is left, 0 to 1; None: it has none, or cannot act.
        worst, sign: its worst condition in words, and the sign of how bad that is.
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
        listed: the tokens; combatants that stand come after those that lie.
    """

    listed: tuple[Token, ...]
    at: dict[Square, Token]
    longest: int


def placed(found: Iterable[tuple[bool, bool, Token]]) -> Tokens:
    """Return the tokens of combatants, each given with whether it acts and whether it takes part.

    A standing combatant hides one that lies there. A small one hides a big one above it, except its first square, which
    has the label.
    """
    ranked = sorted(found, key=lambda one: one[:2])
    drawn = sorted(ranked, key=lambda one: (*one[:2], -one[2].space))
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
    """Return the style of a filled token: combatants that lie are not filled, the one in turn has its own fill."""
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
    """Return the worst condition and its sign: what the game marks as bad, what lowers numbers, what a foe did."""
    held = [effect for effect in one.effects if effect.quiet is not True]
    if not held:
        return "", ""
    bad = {badge.text for badge in badges_of(ruleset, state, one.id, tolerate) if badge.kind == "bad"}
    own = one.side

    def rank(place: int) -> tuple[bool, bool, bool, int]:
        effect = held[place]
        source = state.get(effect.source) if effect.source is not None else None
        return (
            effect.shown not in bad,
            not any(modifier.amount < 0 for modifier in effect.modifiers),
            source is None or ruleset.friendly(state, own, source.side),
            place,
        )

    worst = min(range(len(held)), key=rank)
    disabled, unharmed, friendly, _ = rank(worst)
    sign = DISABLED if not disabled else "" if unharmed and friendly else HAMPERED
    return clean(held[worst].shown), sign
