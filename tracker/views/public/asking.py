"""The die a player is asked for, without what only the GM may know."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.terms.requests import Request, Roll
from tracker.core.visibility import knowledge
from tracker.views.public.shape import PublicAsk
from tracker.views.public.veil import opaque

WORDS = {
    "attack": "attack",
    "cast": "casting",
    "casting": "casting",
    "check": "check",
    "critical": "critical",
    "damage": "damage",
    "defence": "defence",
    "defend": "defence",
    "evasion": "evasion",
    "heal": "healing",
    "healing": "healing",
    "initiative": "initiative",
    "resist": "resistance",
    "save": "save",
    "shock": "shock",
    "skill": "skill",
    "stay_up": "stay up",
}
"""What a die may be said to be for: the words of request keys that give nothing away. All others are a `roll`."""


def ask_of(state: State, request: Request | None, mark: str, salt: str) -> PublicAsk | None:
    """Return what a player reads of a request.

    None where no player is to roll.

    `mark` says which time of the fight this is, so that an answer fits this question only.
    """
    if not isinstance(request, Roll) or request.to != "player" or request.secret or request.setup:
        return None
    one = state.get(request.who)
    if one is None or knowledge.is_hidden(state, one.id) or state.side(one.side).control != "players":
        return None
    return PublicAsk(
        key=opaque(salt, f"ask {mark} {request.key}"),
        who=opaque(salt, one.id),
        dice=text[1:] if (text := str(request.dice)).startswith("1d") else text,
        sides=tuple(request.dice.sides),
        faces=not request.total_ok,
        what=_word(request.key),
    )


def _word(key: str) -> str:
    last = key.rpartition("/")[2]
    for sign in (":", "#", "~", "!", "-"):
        last = last.partition(sign)[0]
    return WORDS.get(last.rstrip("0123456789_ "), "roll")
