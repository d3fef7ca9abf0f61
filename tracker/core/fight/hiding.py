"""What players may know of a fight, as the GM has set it.

It is kept as facts of one owner, so every game and every older journal has it: nothing else knows of hiding.

1. A combatant is hidden or not. One that players have never seen is unmet: its name, label and number were given to
no player, and those that players see are numbered without it.
2. What a player reads stays: once shown, a name and a label change only by the GM's word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from tracker.core.fight.board import Square
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.encounter import Wave
from tracker.core.terms.values import Value

PLAYERS = "players:screen"
"""The owner of these facts, which no combatant can be called."""
STOOD = "stood_at"
"""The key under which the slot lies in which players last saw the clock stop."""
MET = "met"
"""The value of a hidden combatant that players have seen before; of another one it is its label."""
FOG = "fog"
"""The key under which the squares lie that players do not see: row, first and last column of each stretch."""
_NUMBER = re.compile(r"(.*\S) [0-9]+")


def setting(state: State, key: str) -> Value:
    """Return one of the facts, or None."""
    return state.known.get((PLAYERS, key)) if state.facts else None


def used(state: State) -> bool:
    """Tell whether the GM has set anything about what players may know."""
    for owner, _, _ in state.facts:  # noqa: SIM110 - asked after every step
        if owner == PLAYERS:
            return True
    return False


def touched(state: State) -> bool:
    """Tell whether names and numbers players read can differ from the GM's."""
    return any(
        owner == PLAYERS and key.startswith(("hidden:", "called:", "label:", "alias:")) for owner, key, _ in state.facts
    )


def is_hidden(state: State, who: Id) -> bool:
    """Tell whether players do not see a combatant."""
    return bool(state.facts) and (PLAYERS, f"hidden:{who}") in state.known


def unmet(state: State, who: Id) -> bool:
    """Tell whether players have never seen a combatant."""
    return setting(state, f"hidden:{who}") not in (None, MET)


def hidden(state: State) -> frozenset[Id]:
    """Return all who are hidden, those who have left the fight among them."""
    if not state.facts:
        return frozenset()
    return frozenset(
        [key.removeprefix("hidden:") for owner, key, _ in state.facts if owner == PLAYERS and key.startswith("hidden:")]
    )


def called(state: State, combatant: Combatant) -> str:
    """Return the name players read."""
    return called_as(state, combatant.id, combatant.name)


def called_as(state: State, who: Id, name: str) -> str:
    """Return the name players read for one of this name, who may have left."""
    held = setting(state, f"called:{who}")
    if not isinstance(held, tuple) or len(held) != 2:
        return name
    words, pinned = held
    # A pin is of one name: where the GM has renamed the combatant since, the new name is meant for all.
    renamed = name != pinned and setting(state, f"alias:{who}") is None
    return name if renamed else str(words)


def label_of(state: State, combatant: Combatant) -> str:
    """Return the label players read."""
    held = setting(state, f"label:{combatant.id}")
    return combatant.label if held is None else str(held)


def seen_words(state: State, combatant: Combatant) -> str:
    """Return how players see a combatant: `hidden`, or under another name.

    "" where it is as the GM does."""
    if not state.facts:
        return ""
    if is_hidden(state, combatant.id):
        return "hidden"
    name, label = called(state, combatant), label_of(state, combatant)
    if name == combatant.name:
        return "" if label == combatant.label else f"as {label}"
    return f"as {name}" if label == combatant.label else f"as {name} ({label})"


def side_called(state: State, key: Id) -> str:
    """Return the name of a side as players read it."""
    held = setting(state, f"side:{key}")
    return state.name(key) if held is None else str(held)


def stem(state: State, combatant: Combatant) -> str:
    """Return a name without the number that tells it from others of its kind."""
    found = _NUMBER.fullmatch(combatant.name)
    if found is None:
        return combatant.name
    kind = found[1]
    others = [one.name for one in state.combatants if one.id != combatant.id] + [name for _, name in state.gone]
    numbers = any(name == kind or (len(name) > len(kind) and name.startswith(f"{kind} ")) for name in others)
    return kind if numbers or getattr(combatant.block, "name", "") == kind else combatant.name


def own_words(state: State, who: Id) -> str:
    """Return what players shall call a combatant, without a number: its alias or its kind."""
    alias = setting(state, f"alias:{who}")
    return stem(state, state[who]) if alias is None else str(alias)


def numbered(names: Sequence[str], used: Iterable[str]) -> list[str]:
    """Return names of which no two are alike.

    As written where a name is alone and free, else numbered on.
    """
    taken, given = set(used), list[str]()
    times = Counter(names)
    for kind in names:
        name = kind
        if times[kind] > 1 or kind in taken:
            number = 2 if kind in taken else 1
            while f"{kind} {number}" in taken:
                number += 1
            name = f"{kind} {number}"
        taken.add(name)
        given.append(name)
    return given


def wave_key(wave: Wave) -> str:
    """Return the key of the fact that says whether a wave comes hidden."""
    return f"wave:{wave.side}:{wave.when}:{wave.title}"


def wave_hidden(state: State, wave: Wave) -> bool | None:
    """Return whether a wave comes hidden.

    None: as each of its members says.
    """
    held = setting(state, wave_key(wave))
    if isinstance(held, bool):
        return held
    return True if wave.hidden is True else None


def fog(state: State) -> frozenset[Square]:
    """Return the squares of the map that players do not see."""
    held = setting(state, FOG)
    return _squares(held) if isinstance(held, tuple) else frozenset()


def stretches(squares: Iterable[Square]) -> tuple[tuple[int, int, int], ...]:
    """Return squares as stretches: row, first and last column."""
    found: list[tuple[int, int, int]] = []
    for y, x in sorted((y, x) for x, y in squares):
        if found and found[-1][0] == y and found[-1][2] == x - 1:
            found[-1] = (y, found[-1][1], x)
        else:
            found.append((y, x, x))
    return tuple(found)


def in_fog(state: State, combatant: Combatant) -> bool:
    """Tell whether all of a combatant stands where players do not see."""
    place, covered = combatant.position, fog(state)
    if not covered or place is None or len(place) != 2:
        return False
    space = getattr(combatant.block, "space", 1)
    sides = range(space if isinstance(space, int) and space > 0 else 1)
    return all((int(place[0]) + dx, int(place[1]) + dy) in covered for dy in sides for dx in sides)


@lru_cache(maxsize=8)
def _squares(held: tuple[Value, ...]) -> frozenset[Square]:
    found: set[Square] = set()
    for stretch in held:
        if isinstance(stretch, tuple) and len(stretch) == 3:
            y, first, last = stretch
            if isinstance(y, int) and isinstance(first, int) and isinstance(last, int):
                found.update((x, y) for x in range(first, last + 1))
    return frozenset(found)
