"""What the screen shows of both games: turns, badges and reminders."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulesets.without_number.ending.wounds import TRIED, patients
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.schema import Badge, Column, Reminding
from tracker.core.terms.actions import Action

__all__ = ["HP", "TURN", "budget_badge", "dying", "swarming", "turn", "unused_mains"]


def turn(state: State, who: Id) -> str:
    """Return what is left of a turn: `MV`, `M·`, `··`, nothing for the fallen."""
    combatant = state[who]
    if combatant.status != "up":
        return ""
    return ("M" if combatant.left("main") else "·") + ("V" if combatant.left("move") else "·")


def _hp(state: State, who: Id) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


HP = Column("hp", "HP", 7, _hp, "right", bar="hp", own=True)
TURN = Column("turn", "Turn", 4, turn, priority=2, about="M: Main action left, V: Move left, ·: spent", own=True)


def budget_badge(state: State, who: Id) -> Badge:
    """Return the badge for what is left of a turn."""
    combatant = state[who]
    parts = [word for word in ("Main", "Move") if combatant.left(word.casefold()) > 0]
    return Badge(turn(state, who), f"{' and '.join(parts) or 'nothing'} left", "budget")


def unused_mains(state: State, idle: Callable[[Combatant], bool], rule: str) -> Iterable[Reminding]:
    """Yield a reminder for every unused Main of the phase that runs.

    The idle wait on purpose.
    """
    slot = state.clock.current
    if slot is None or slot.stage != "round":
        return
    for who in slot.members:
        combatant = state.get(who)
        if combatant is not None and combatant.left("main") and not idle(combatant):
            text = f"{combatant.name} has not used the Main action"
            yield Reminding(f"main:{slot.id}:{who}", text, who, rule=rule, lapses=True)


def swarming(state: State, prefix: str, rule: str) -> Iterable[Reminding]:
    """Yield a reminder for every swarm that has not struck."""
    for combatant in state.combatants:
        for effect in combatant.effects:
            if effect.name == "swarm":
                words = f"{combatant.name}: the swarm has not struck"
                yield Reminding(f"{prefix}{effect.id}", words, combatant.id, rule=rule)


def dying(
    state: State, able: Callable[[Combatant], bool], treat: Callable[[Id, Id], Action], rule: str
) -> Iterable[Reminding]:
    """Yield a reminder for every dying combatant, with the first aid possible now."""
    slot = state.clock.current
    members = [state[who] for who in (slot.members if slot is not None else ()) if who in state]
    for patient in patients(state):
        helper = next((one for one in members if one.side == patient.side and one.left("main") and able(one)), None)
        settle = treat(helper.id, patient.id) if helper is not None and not patient.has(TRIED) else None
        key = f"dying:r{state.clock.round}:{patient.id}"
        yield Reminding(key, f"{patient.name} is dying", patient.id, settle, rule)
