"""Who may answer an action with an Instant, and with which: everybody entitled, and only what is legal (SV-046, R27, R46)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.acts.actions import DEEDS
from rulesets.sovereign.acts.fighting.strikes import luck_left
from rulesets.sovereign.acts.moving.movement import TOTAL_DEFENSE
from rulesets.sovereign.numbers.stats import block, free, hostile
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Window

__all__ = ["windows"]


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Return the answers on offer at a window: held turns and Snap Attacks against the actor, and after a roll Total Defense and luck."""
    actor = window.actor
    if actor is None or actor not in state or not state.clock.in_round:
        return ()
    found: list[ActionSpec | None] = []
    rolled = window.name.startswith("rolled")
    target = window.target
    if rolled and target is not None and target in state and not state[target].has(TOTAL_DEFENSE):
        found.append(_offer(state, act(TOTAL_DEFENSE, target)))
    for other in state.combatants:
        if other.id == actor or not hostile(state, other.id, actor) or not free(state, other.id):
            continue
        if other.has("held"):
            found.append(_offer(state, act("use_held", other.id)))
        if other.left("main") and block(other).disciplined and state[actor].status == "up":
            found.append(_aimed_at(_offer(state, act("snap_attack", other.id, target=actor)), actor))
    if rolled:
        found += [_luck(state, actor, "hit")] if "miss" in window.info else []
        found += (
            [_luck(state, target, "miss")] if "hit" in window.info and target is not None and target in state else []
        )
    return tuple(spec for spec in found if spec is not None)


def _offer(state: State, action: Action) -> ActionSpec | None:
    """Return an answer's specification if it is legal."""
    return DEEDS.form(state, action) if DEEDS.legality(state, DEEDS.own[action.key], action) is None else None


def _luck(state: State, who: Id, result: str) -> ActionSpec | None:
    if luck_left(state, who) <= 0:
        return None
    spec = _offer(state, act("veterans_luck", who, result=result))
    if spec is None:
        return None
    fields = (
        replace(field, default=result, options=tuple(option for option in field.options if option.key == result))
        for field in spec.fields
    )
    return replace(spec, fields=tuple(fields))


def _aimed_at(spec: ActionSpec | None, actor: Id) -> ActionSpec | None:
    """Return a Snap Attack with the one it answers as its target."""
    if spec is None:
        return None
    fields = (
        replace(field, default=actor, options=tuple(option for option in field.options if option.key == actor))
        if field.name == "target"
        else field
        for field in spec.fields
    )
    return replace(spec, fields=tuple(fields))
