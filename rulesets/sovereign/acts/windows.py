"""The legal Instants with which an action may be answered (SV-046, R27, R46)."""

from __future__ import annotations

from rulesets.sovereign.acts.actions import DEEDS
from rulesets.sovereign.acts.fighting.strikes import luck_left
from rulesets.sovereign.numbers.effects import TOTAL_DEFENSE
from rulesets.sovereign.numbers.stats import block, free, hostile
from rulesets.without_number.acts.windows import narrowed, offer
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import ActionSpec
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Window

__all__ = ["windows"]


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Return the answers on offer at a window.

    Held turns and Snap Attacks go against the actor; after a roll there are Total Defense and luck.
    """
    actor = window.actor
    if actor is None or actor not in state or not state.clock.in_round:
        return ()
    if window.target is not None and window.target not in state:
        return ()
    found: list[ActionSpec | None] = []
    rolled = window.name.startswith("rolled")
    target = window.target
    if rolled and target is not None and target in state and not state[target].has(TOTAL_DEFENSE.name):
        found.append(offer(DEEDS, state, act("total_defense", target)))
    for other in state.combatants:
        if other.id == actor or not hostile(state, other.id, actor) or not free(state, other.id):
            continue
        if other.has("held"):
            found.append(offer(DEEDS, state, act("use_held", other.id)))
        if other.left("main") and block(other).disciplined and state[actor].status == "up":
            snap = offer(DEEDS, state, act("snap_attack", other.id, target=actor))
            found.append(None if snap is None else narrowed(snap, "target", actor))
    if rolled:
        found += [_luck(state, actor, "hit")] if "miss" in window.info else []
        found += (
            [_luck(state, target, "miss")] if "hit" in window.info and target is not None and target in state else []
        )
    return tuple(spec for spec in found if spec is not None)


def _luck(state: State, who: Id, result: str) -> ActionSpec | None:
    if luck_left(state, who) <= 0:
        return None
    spec = offer(DEEDS, state, act("veterans_luck", who, result=result))
    return None if spec is None else narrowed(spec, "result", result)
