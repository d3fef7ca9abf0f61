"""The legal Instants with which an action may be answered (SV-046, R27, R46)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import ANY_USE, attack_of, misfit
from rulesets.sovereign.actions.fighting.strikes import luck_left
from rulesets.sovereign.actions.gm import ACTIONS
from rulesets.sovereign.stats import attack_outcomes, field
from rulesets.sovereign.stats.attack import beyond
from rulesets.sovereign.stats.attack_outcomes import TOTAL_DEFENSE
from rulesets.sovereign.stats.stats import block, enemies, free
from rulesets.without_number.reactions import HARMLESS, alters, defends, fells, harms, most_of, narrowed, offer
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Window

LATER = "it is asked again after the roll"
LUCK = {"hit": "the miss becomes a hit", "miss": "the hit becomes a miss"}


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
        spec = offer(ACTIONS, state, act("total_defense", target))
        found.append(None if spec is None else defends(spec, window))
    for other in enemies(state, actor):
        if not free(state, other.id):
            continue
        if other.has("held"):
            found.append(_held(state, window, other.id, rolled))
        if other.left("main") and _strikes_at(state, other, actor):
            found.append(_snap(state, window, other.id, rolled))
    if rolled:
        found += [_luck(state, actor, "hit")] if "miss" in window.info else []
        found += (
            [_luck(state, target, "miss")] if "hit" in window.info and target is not None and target in state else []
        )
    return tuple(spec for spec in found if spec is not None)


def matters(state: State, window: Window) -> bool:
    """Tell whether an offer of a window may not be moot."""
    if not window.name.startswith("rolled"):
        return "attack" not in window.info or any(one.has("held") for one in state.combatants)
    lucky = window.actor if "miss" in window.info else window.target
    return alters(window) or (lucky is not None and lucky in state and luck_left(state, lucky) > 0)


def _held(state: State, window: Window, who: Id, rolled: bool) -> ActionSpec | None:
    """Return a held turn as an answer (SV-114).

    An attack is answered before its roll; where it has no such window, after it.
    """
    spec = offer(ACTIONS, state, act("use_held", who))
    if spec is None:
        return None
    if rolled and "declared" in window.info:
        return replace(spec, moot="it was asked before the roll")
    return replace(spec, does="acts first") if not rolled or harms(window) else replace(spec, moot=HARMLESS)


def _strikes_at(state: State, other: Combatant, actor: Id) -> bool:
    """Tell whether a combatant may know a Snap Attack with which it reaches the actor."""
    if not block(other).disciplined or state[actor].status != "up":
        return False
    feet = field.feet_between(state, other.id, actor)
    return feet is None or any(not beyond(arm, use, feet) for arm in block(other).arms for use in arm.use)


def _snap(state: State, window: Window, who: Id, rolled: bool) -> ActionSpec | None:
    """Return a Snap Attack at the actor as an answer (SV-063).

    It waits for the roll of an attack, since a miss need not be answered.
    """
    actor = str(window.actor)
    spec = offer(ACTIONS, state, act("snap_attack", who, target=actor))
    if spec is None:
        return None
    aimed = narrowed(spec, "target", actor)
    if not rolled:
        return replace(aimed, moot=LATER) if "attack" in window.info else replace(aimed, does="strikes first")
    arms = {arm.name: arm.use for arm in block(state[who]).arms}
    return fells(aimed, state, window, actor, partial(most_of, aimed, arms, partial(_points, state)))


def _points(state: State, answer: Action) -> int:
    """Return the most points a Snap Attack of this form can take."""
    attack = attack_of(state, answer, ANY_USE)
    return 0 if attack is None or misfit(state, answer, ANY_USE) is not None else attack_outcomes.most(state, attack)


def _luck(state: State, who: Id, result: str) -> ActionSpec | None:
    if luck_left(state, who) <= 0:
        return None
    spec = offer(ACTIONS, state, act("veterans_luck", who, result=result))
    return None if spec is None else replace(narrowed(spec, "result", result), does=LUCK[result])
