"""The pending request in words: the person who answers it, its purpose, and the possible answers."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from tracker.core.fight.settings import numbers_shown
from tracker.core.fight.state import State
from tracker.core.terms.actions import Option
from tracker.core.terms.requests import Pick, Request, Roll
from tracker.core.terms.words import listed, minus, possessive
from tracker.views.words.spans import Span
from tracker.views.words.text import clean


def asked_words(state: State, request: Request) -> str:
    """Return the person who answers: `Ava's player`, `Players`, or `GM`."""
    if request.to == "gm":
        return "GM"
    return f"{possessive(clean(state.name(request.who)))} player" if request.who is not None else "Players"


def prompt_title(state: State, request: Request) -> tuple[Span, ...]:
    """Return the question in one line of any length."""
    spans = [Span(asked_words(state, request), "players" if request.to == "player" else "gm"), Span(": ")]
    stressed, rest = request.question(state.name)
    spans += [Span(clean(stressed), "strong")] if stressed else []
    spans.append(Span(_once(clean(rest), request, state)))
    if isinstance(request, Roll) and request.needed and numbers_shown(state):
        spans.append(Span(f" · {minus(clean(request.needed))}", "dim"))
    if request.secret:
        spans.append(Span("  secret", "dim"))
    return tuple(spans)


def _once(rest: str, request: Request, state: State) -> str:
    """Return the question without the name that comes before it."""
    if request.to != "player" or request.who is None:
        return rest
    named = f" for {clean(state.name(request.who))} "
    return f", {rest.removeprefix(named)}" if rest.startswith(named) else rest


MOST_KEYS = 6


def hint_words(state: State, request: Request) -> str:
    """Return how to answer; for a pick with its keys if they are few."""
    if not isinstance(request, Pick) or request.default is None or not request.options:
        return clean(request.hint)
    words = {option.key: option.shown for option in request.options}
    sides = {side.id for side in state.sides}
    none = "nobody, as usual" if all(key in sides or key in state for key in words) else "none, as usual"
    usual = listed([words.get(key, key) for key in request.default]) or none
    keys = option_keys(state, request.options)
    ways = " ".join(keys) if len(keys) <= MOST_KEYS else "labels" if any(key in state for key in words) else "numbers"
    return clean(f"Enter: {usual} · {ways} space pick {_count(request)}").rstrip()


def _count(request: Pick) -> str:
    """Return how many options can be picked, "" for any number."""
    every = len(request.options)
    most = every if request.maximum is None else request.maximum
    return "" if (request.minimum, most) == (0, every) else f"{request.minimum} to {most}"


def option_keys(state: State, options: Sequence[Option]) -> tuple[str, ...]:
    """Return a key for each option: a combatant's label, the first free letter of few options, else a number."""
    combatants = [state.get(option.key) for option in options]
    if any(combatant is not None for combatant in combatants) or len(options) > 20:
        return tuple(
            combatant.label if combatant is not None else str(place)
            for place, combatant in enumerate(combatants, start=1)
        )
    keys: list[str] = []
    for place, option in enumerate(options, start=1):
        letters = [letter for letter in option.shown.lower() if letter in ascii_lowercase]
        keys.append(next((letter for letter in letters if letter not in keys), str(place)))
    return tuple(keys)
