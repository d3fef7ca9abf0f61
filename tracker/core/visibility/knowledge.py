"""What players know of a fight: hidden combatants, and the names and labels that players read.

It is stored as facts of one owner, so every game has it.

1. A combatant is hidden or not. If players have never seen it, no player has read its name, label or number, and the
   visible combatants are numbered without it.
2. A name and a label that a player has read change only when the GM changes them. Before the first action they count
   as not read yet, unless the fact `SHOWN` says that players have seen the fight.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.encounter import Wave
from tracker.core.terms.values import Value

PLAYERS = "players:screen"
"""The owner of these facts, an id that no combatant can have."""
STOPPED_AT = "stood_at"
"""The key of the slot in which players last saw the clock stop."""
SHOWN = "shown"
"""The key of the fact that players have read the names of this fight."""
SEEN = "met"
"""The value for a hidden combatant that players have seen before; any other hidden combatant has its label there."""
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


def names_differ(state: State) -> bool:
    """Tell whether the names and numbers that players read can differ from the GM's."""
    return any(
        owner == PLAYERS and key.startswith(("hidden:", "called:", "label:", "alias:")) for owner, key, _ in state.facts
    )


def is_hidden(state: State, who: Id) -> bool:
    """Tell whether players do not see a combatant."""
    return bool(state.facts) and (PLAYERS, f"hidden:{who}") in state.known


def never_seen(state: State, who: Id) -> bool:
    """Tell whether players have never seen a combatant."""
    return setting(state, f"hidden:{who}") not in (None, SEEN)


def hidden(state: State) -> frozenset[Id]:
    """Return all hidden combatants, those that have left the fight included."""
    if not state.facts:
        return frozenset()
    return frozenset(
        [key.removeprefix("hidden:") for owner, key, _ in state.facts if owner == PLAYERS and key.startswith("hidden:")]
    )


def called(state: State, combatant: Combatant) -> str:
    """Return the name players read."""
    return called_as(state, combatant.id, combatant.name)


def called_as(state: State, who: Id, name: str) -> str:
    """Return the name players read for a combatant of this name, which may have left the fight."""
    fact = setting(state, f"called:{who}")
    if not isinstance(fact, tuple) or len(fact) != 2:
        return name
    words, pinned = fact
    # The fact belongs to one name: if the GM has renamed the combatant since, players read the new name.
    renamed = name != pinned and setting(state, f"alias:{who}") is None
    return name if renamed else str(words)


def label_of(state: State, combatant: Combatant) -> str:
    """Return the label players read."""
    fact = setting(state, f"label:{combatant.id}")
    return combatant.label if fact is None else str(fact)


def seen_words(state: State, combatant: Combatant) -> str:
    """Return how players see a combatant: `hidden`, or the other name or label they read; "" if they read the GM's."""
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
    fact = setting(state, f"side:{key}")
    return state.name(key) if fact is None else str(fact)


def base_name(state: State, combatant: Combatant) -> str:
    """Return a name without the number of the combatant among its kind."""
    match = _NUMBER.fullmatch(combatant.name)
    if match is None:
        return combatant.name
    kind = match[1]
    others = [one.name for one in state.combatants if one.id != combatant.id] + [name for _, name in state.gone]
    numbers = any(name == kind or (len(name) > len(kind) and name.startswith(f"{kind} ")) for name in others)
    return kind if numbers or getattr(combatant.block, "name", "") == kind else combatant.name


def own_words(state: State, who: Id) -> str:
    """Return the unnumbered name of a combatant for players: its alias or its kind."""
    alias = setting(state, f"alias:{who}")
    return base_name(state, state[who]) if alias is None else str(alias)


def numbered(names: Sequence[str], used: Iterable[str]) -> list[str]:
    """Return unique names: equal or used ones get the next numbers."""
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
    """Return the key of the fact whether a wave is hidden."""
    return f"wave:{wave.side}:{wave.when}:{wave.title}"


def wave_hidden(state: State, wave: Wave) -> bool | None:
    """Return whether a wave is hidden; None: as each of its members says."""
    fact = setting(state, wave_key(wave))
    if isinstance(fact, bool):
        return fact
    return True if wave.hidden is True else None
