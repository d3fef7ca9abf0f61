"""Letters for options: what to press for each of the answers on offer."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

from tracker.core.fight.state import State
from tracker.core.terms.actions import Option


def option_keys(state: State, options: Sequence[Option]) -> tuple[str, ...]:
    """Return a key for each option.

    A combatant's label, else the first letter of the option that is still free, else its number.

    Where there are more options than letters, all but combatants are numbered.
    """
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
