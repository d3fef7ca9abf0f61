"""The tokens of a state: made from the combatants as the GM sees them."""

from __future__ import annotations

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.visibility.knowledge import is_hidden
from tracker.views.maps.tokens import BODY, CAMPS, LYING, UNSEEN, Token, Tokens, placed, plain_sign
from tracker.views.panes.failing import badges_of, no_matter
from tracker.views.words.sides import camp_of
from tracker.views.words.text import clean


def space_of(combatant: Combatant) -> int:
    """Return how many squares a combatant is wide and high."""
    space = getattr(combatant.block, "space", 1)
    return space if isinstance(space, int) and space > 0 else 1


def tokens_of(ruleset: Ruleset, state: State) -> Tokens:
    """Return the tokens of a state."""
    return _tokens(state, ruleset)


@per_state
def _tokens(state: State, ruleset: Ruleset) -> Tokens:
    statuses = {status.key: status for status in ruleset.statuses}
    found = []
    for one in state.combatants:
        place = one.position
        if place is None or len(place) != 2:
            continue
        status = statuses.get(one.status) or ruleset.status(one.status)
        if status.stays:
            found.append((status.acts, status.takes_part, token_of(ruleset, state, one)))
    return placed(found)


def token_of(ruleset: Ruleset, state: State, one: Combatant) -> Token:
    """Return a combatant's token."""
    status, place = ruleset.status(one.status), one.position or ()
    at, camp = (int(place[0]), int(place[1])) if len(place) == 2 else (0, 0), camp_of(ruleset, state, one.side)
    space = space_of(one)
    sign, word = clean(status.mark), clean(status.word)
    if not status.takes_part:
        return Token(one.id, "", plain_sign(sign, BODY), "dim", at, space, worst=word)
    if not status.acts:
        return Token(one.id, one.label, plain_sign(sign, LYING), "dim", at, space, worst=word)
    mark = UNSEEN if is_hidden(state, one.id) else CAMPS[camp]
    return Token(one.id, one.label, mark, camp, at, space, _share(ruleset, one), _worst(ruleset, state, one))


def _share(ruleset: Ruleset, one: Combatant) -> float | None:
    for key in ruleset.schema.pools[:1]:
        for pool in one.pools:
            if pool.key == key and pool.max > 0:
                return max(0.0, min(1.0, pool.now / pool.max))
    return None


def _worst(ruleset: Ruleset, state: State, one: Combatant) -> str:
    """Return the worst condition.

    First comes what the game marks as bad, then what lowers numbers, then what a foe did.
    """
    held = [effect for effect in one.effects if effect.quiet is not True]
    if not held:
        return ""
    bad = {badge.text for badge in badges_of(ruleset, state, one.id, no_matter) if badge.kind == "bad"}
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

    return clean(held[min(range(len(held)), key=rank)].shown)
