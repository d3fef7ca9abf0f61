"""Everybody's names, which are part of many words and seldom change."""

from __future__ import annotations

from tracker.core.fight.memo import differing
from tracker.core.fight.state import Combatant, State

_latest: tuple[tuple[Combatant, ...], tuple[str, ...]] = ((), ())


def names_of(state: State) -> tuple[str, ...]:
    """Return the names of all combatants in order.

    The same tuple as for the state before, where nobody has joined, left or got another name.
    """
    global _latest
    people, names = _latest
    now = state.combatants
    if len(now) != len(people) or any(now[place].name != names[place] for place in differing(now, people)):
        names = tuple([one.name for one in now])
    _latest = (now, names)
    return names
