"""Who rolls which dice: the program, or those at the table.

The GM's word is kept as facts of one owner, so every game and every older journal has it. Where the GM has said
nothing, the program rolls for the sides the GM controls, and players are asked.
"""

from __future__ import annotations

from tracker.core.fight.state import Id, State
from tracker.core.terms.values import Value

DICE = "gm:dice"
"""The owner of these facts, which no combatant can be called."""
PROGRAM, ASKED = "program", "asked"


def side_key(side: Id) -> str:
    """Return the key of what holds for a side."""
    return f"side:{side}"


def who_key(who: Id) -> str:
    """Return the key of what holds for one combatant, whatever its side does."""
    return f"who:{who}"


def _said(state: State, key: str) -> Value:
    return state.known.get((DICE, key)) if state.facts else None


def side_rolled(state: State, side: Id) -> bool:
    """Tell whether the program rolls the dice of a side."""
    said = _said(state, side_key(side))
    return state.side(side).control == "gm" if said is None else said == PROGRAM


def rolls_for(state: State, who: Id) -> bool:
    """Tell whether the program rolls the dice of a combatant."""
    said = _said(state, who_key(who))
    return side_rolled(state, state[who].side) if said is None else said == PROGRAM


def program_rolls(state: State, who: Id | None, to: str) -> bool:
    """Tell whether the program rolls some dice, by whom they concern and who rolls them.

    Dice of no combatant belong to all sides of those who roll them, and so do dice that the GM rolls for a player's
    character.
    """
    if who is not None and who in state and (to == "player" or state.side_of(who).control == "gm"):
        return rolls_for(state, who)
    control = "players" if to == "player" else "gm"
    sides = [side.id for side in state.sides if side.control == control]
    return bool(sides) and all(side_rolled(state, side) for side in sides)


def exceptions(state: State) -> tuple[Id, ...]:
    """Return the combatants whose dice are not treated as their side's."""
    if not state.facts:
        return ()
    single = [one for one in state.combatants if (DICE, who_key(one.id)) in state.known]
    return tuple(one.id for one in single if rolls_for(state, one.id) != side_rolled(state, one.side))
