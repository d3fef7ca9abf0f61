"""Sides by friendship: the players' own, those friendly to them, and foes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from tracker.core.fight.cache import differing, per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.words.spans import Span
from tracker.views.words.text import clean

Allegiance: TypeAlias = Literal["players", "ally", "gm"]
"""Also the style word for the colour of a side."""
CAMPS: Mapping[Allegiance, str] = {"players": " ", "ally": "+", "gm": "•"}
"""The signs before labels that tell the sides without colour."""
_WORD = re.compile(r"\w+")


def allegiance_of(ruleset: Ruleset, state: State, side: Id) -> Allegiance:
    return _allegiances(state, ruleset).get(side, "gm")


@per_state
def _allegiances(state: State, ruleset: Ruleset) -> dict[Id, Allegiance]:
    own = [side.id for side in state.sides if side.control == "players"]
    camps: dict[Id, Allegiance] = {}
    for side in state.sides:
        friendly = any(ruleset.friendly(state, one, side.id) for one in own)
        camps[side.id] = "players" if side.id in own else "ally" if friendly else "gm"
    return camps


class Colours:
    """The names of combatants and sides, each in the colour of its side."""

    def __init__(self, camps: Mapping[str, Allegiance]) -> None:
        self.allegiances = camps
        self._by_word: dict[str, list[str]] = {}
        for name in sorted(camps, key=len, reverse=True):
            if (word := _WORD.match(name)) is not None:
                self._by_word.setdefault(word[0], []).append(name)

    def of(self, name: str, style: str = "") -> Span:
        return Span(name, self.allegiances.get(name, style))

    def spans(self, words: str, style: str = "") -> tuple[Span, ...]:
        """Return a sentence with the names in it in their colours; of two possible names the longer one."""
        spans: list[Span] = []
        done = 0
        for word in _WORD.finditer(words):
            start = word.start()
            name = next((name for name in self._by_word.get(word[0], ()) if _is_at(words, name, start)), "")
            if start >= done and name:
                spans += [Span(words[done:start], style)] if start > done else []
                spans.append(Span(name, self.allegiances[name]))
                done = start + len(name)
        return (*spans, Span(words[done:], style)) if done < len(words) or not spans else tuple(spans)


def _is_at(words: str, name: str, start: int) -> bool:
    end = start + len(name)
    return words.startswith(name, start) and not words[end : end + 1].isalnum()


def colours_of(ruleset: Ruleset, state: State, people: Iterable[tuple[str, Id]]) -> Colours:
    sides = {clean(side.name): allegiance_of(ruleset, state, side.id) for side in state.sides}
    return Colours(sides | {clean(name): allegiance_of(ruleset, state, side) for name, side in people})


_latest: tuple[tuple[Combatant, ...], tuple[str, ...]] = ((), ())


def names_of(state: State) -> tuple[str, ...]:
    """Return the names of all combatants in order, the same tuple while none joins, leaves or is renamed."""
    global _latest
    people, names = _latest
    now = state.combatants
    if len(now) != len(people) or any(now[place].name != names[place] for place in differing(now, people)):
        names = tuple([one.name for one in now])
    _latest = (now, names)
    return names
