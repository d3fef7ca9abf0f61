"""The legal answers to an attack, of those who are to be asked (R21)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from rulesets.without_number.reactions import defends, fallen, fells, most_of, narrowed, offer
from rulesets.worlds_without_number.actions.actions import ACTIONS
from rulesets.worlds_without_number.actions.fighting.reactions import FITS, helping, powers
from rulesets.worlds_without_number.actions.fighting.strikes import ANY_USE
from rulesets.worlds_without_number.actions.fighting.weapons import attack_of, misfit
from rulesets.worlds_without_number.stats import effects
from rulesets.worlds_without_number.stats.stats import able, block, is_pc, rules
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Window


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Return the answers on offer at a window.

    Where there are any, the GM may stop the attack as well.
    """
    if window.actor is None or window.actor not in state:
        return ()
    if window.name.startswith("declared"):
        offers = _held(state, window.actor)
    elif window.target is not None and window.target in state:
        offers = _after_roll(state, window, window.actor, window.target)
    else:
        offers = []
    stop = ACTIONS.form(state, Action("interrupted")) if offers else None
    if stop is None:
        return tuple(offers)
    moot = "" if any(not spec.moot for spec in offers) else "nothing answers the attack"
    return (*offers, replace(stop, does="the attack does nothing", moot=moot))


def asked(state: State, who: Id) -> bool:
    """Tell who is asked for answers (`ask_instants`)."""
    wanted = rules(state).ask_instants
    return wanted == "all" or (wanted == "pcs" and is_pc(state, who))


def _held(state: State, actor: Id) -> list[ActionSpec]:
    side = state[actor].side
    found = []
    for other in state.combatants:
        if other.side != side and other.has("held") and able(state, other.id) and asked(state, other.id):
            spec = ACTIONS.form(state, act("trigger_held", other.id))
            if spec is not None and spec.refusal is None:
                found.append(replace(spec, does="acts before the attack"))
    return found


def _after_roll(state: State, window: Window, actor: Id, target: Id) -> list[ActionSpec]:
    found = []
    if asked(state, target):
        spec = offer(ACTIONS, state, act("total_defense", target))
        found += [] if spec is None else [defends(spec, window)]
    for who, wanted in ((actor, "miss"), (target, "hit")):
        if wanted in window.info and asked(state, who) and able(state, who):
            found += [_power(state, window, who, power.name) for power in helping(state, who, wanted)]
    side = state[actor].side
    for other in state.combatants:
        if other.side != side and other.left("main") and able(state, other.id) and asked(state, other.id):
            spec = offer(ACTIONS, state, act("snap_attack", other.id, target=actor))
            if spec is not None:
                found.append(_snapping(state, window, actor, narrowed(spec, "target", actor)))
    return found


def _snapping(state: State, window: Window, actor: Id, spec: ActionSpec) -> ActionSpec:
    """Return a Snap Attack at an attacker with what comes of it."""
    ways = spec.field("weapon"), spec.field("dual")
    return fells(spec, state, window, actor, lambda enough: _most(state, str(spec.by), actor, *ways))


@per_state
def _most(state: State, who: Id, target: Id, weapon: Field | None, dual: Field | None) -> int:
    """Return the most points a Snap Attack at a combatant can take."""
    aimed = Field("target", "combatant", default=target)
    spec = ActionSpec(
        "snap_attack", "", who, fields=tuple(field for field in (aimed, weapon, dual) if field is not None)
    )
    arms = {arm.name: arm.kind for arm in block(state[who]).arms}
    return most_of(spec, arms, partial(_points, state))


def _points(state: State, answer: Action) -> int:
    """Return the most points a Snap Attack of this form can take."""
    attack = attack_of(state, answer, ANY_USE)
    return 0 if attack is None or misfit(state, answer, ANY_USE) is not None else effects.most(state, attack)


def _power(state: State, window: Window, who: Id, name: str) -> ActionSpec:
    spec = ACTIONS.form(state, act("use", who, instant=name))
    if spec is None:
        raise LookupError(name)
    fields = tuple(replace(field, default=name, options=(Option(name),)) for field in spec.fields)
    made = FITS[next(power.does for power in powers(state, who) if power.name == name)][1]
    moot = f"{state.name(window.target)} falls to the Shock of a miss as well" if fallen(window) else ""
    does = "" if moot else f"the attack counts as a {made}"
    return replace(spec, label=name, fields=fields, fixed=(("instant", name),), does=does, moot=moot)
