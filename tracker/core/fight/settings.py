"""The GM's settings of a fight: dice rolled by the program, questions about interruptions, numbers in questions.

They are facts whose owners are no combatants, so every game has them.

1. Without a setting, the program rolls for the sides that the GM controls, and asks players for their dice.
2. The setting of a combatant overrides the setting of its side.
"""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.values import Value

DICE = "gm:dice"
"""The owner of the facts about dice."""
PROGRAM, ASKED = "program", "asked"
WINDOWS = "gm:windows"
"""The owner of the facts about interruptions: the round in which a side or a combatant is not asked."""
ALWAYS = -1
"""The round that means all rounds."""
SCREEN, NEEDED = "gm:screen", "needed"
"""The owner and the key of the fact that questions do not show the number a roll needs."""
CLOCK, ON, PLAYERS = "clock", "on", "players"
"""The key of the fact that the header shows the length of a turn, and its values: to the GM, to players too."""


def side_key(side: Id) -> str:
    """Return the key of a side's setting."""
    return f"side:{side}"


def who_key(who: Id) -> str:
    """Return the key of a combatant's own setting."""
    return f"who:{who}"


def _dice(state: State, key: str) -> Value:
    return state.known.get((DICE, key)) if state.facts else None


def side_rolled(state: State, side: Id) -> bool:
    """Tell whether the program rolls the dice of a side."""
    setting = _dice(state, side_key(side))
    return state.side(side).control == "gm" if setting is None else setting == PROGRAM


def rolls_for(state: State, who: Id) -> bool:
    """Tell whether the program rolls the dice of a combatant."""
    setting = _dice(state, who_key(who))
    return side_rolled(state, state[who].side) if setting is None else setting == PROGRAM


def program_rolls(state: State, who: Id | None, to: str) -> bool:
    """Tell whether the program rolls the dice of a combatant (`who`) and of the GM or a player (`to`).

    Dice without a combatant, and dice of the GM for a player's character, are those of all sides of the GM or the
    players.
    """
    if who is not None and who in state and (to == "player" or state.side_of(who).control == "gm"):
        return rolls_for(state, who)
    control = "players" if to == "player" else "gm"
    sides = [side.id for side in state.sides if side.control == control]
    return bool(sides) and all(side_rolled(state, side) for side in sides)


def exceptions(state: State) -> tuple[Id, ...]:
    """Return the combatants with another setting of dice than their side."""
    if not state.facts:
        return ()
    single = [combatant for combatant in state.combatants if (DICE, who_key(combatant.id)) in state.known]
    return tuple(one.id for one in single if rolls_for(state, one.id) != side_rolled(state, one.side))


def is_muted(state: State, who: Id | None) -> bool:
    """Tell whether the GM has set that a combatant, or its side, is not asked for interruptions now."""
    combatant = state.get(who) if state.facts else None
    if combatant is None:
        return False
    rounds = [state.known.get((WINDOWS, key)) for key in (who_key(combatant.id), side_key(combatant.side))]
    return any(isinstance(muted, int) and muted in (ALWAYS, state.clock.round) for muted in rounds)


def turn_clock(state: State) -> str:
    """Return who sees the length of a turn: "" (nobody), the GM (`on`), or players too (`players`)."""
    shown = state.known.get((SCREEN, CLOCK)) if state.facts else None
    return str(shown) if shown in (ON, PLAYERS) else ""


def numbers_shown(state: State) -> bool:
    """Tell whether a question shows the number its dice need."""
    return not state.facts or state.known.get((SCREEN, NEEDED)) is not False
