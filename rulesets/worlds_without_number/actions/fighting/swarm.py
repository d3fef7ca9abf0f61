"""Swarm Attacks: allies join, one strikes for all (WN-052 to WN-059, R11)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.without_number import actions as shared
from rulesets.without_number import aftermath
from rulesets.without_number import stats as family
from rulesets.without_number.turn import TRIGGERING, free_action, main_action
from rulesets.worlds_without_number.actions.fighting.strike import strike
from rulesets.worlds_without_number.actions.fighting.strikes import ANY_USE, begin, described
from rulesets.worlds_without_number.actions.fighting.weapons import attack_fields, attack_of, misfit
from rulesets.worlds_without_number.actions.validity import attack_lapse, lapses
from rulesets.worlds_without_number.stats.stats import able, enemies, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, text
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At


class Swarm(aftermath.Swarm, frozen=True, tag="wn_swarm"):
    """Who has joined a swarm, and of which side they are."""


OTHERS = ("", "one other", "two others", "three others", "four others")
SWARMS = shared.Swarms(Swarm, able, "WN-052", ("WN-052",))


def _target(state: State, action: Action) -> Id | None:
    attack = attack_of(state, action, ANY_USE)
    return None if attack is None else attack.target


def _join_fields(state: State, action: Action) -> tuple[Field, ...]:
    target, *rest = attack_fields(state, action, ANY_USE, enemies_only=True)
    return (target, Field("strike", "flag", "strike now", default=False), *rest) if action.by is not None else ()


def _no_enemy(state: State, who: Id) -> Refusal:
    return Refusal("no_target", f"no enemy of {state.name(who)} is left", "WN-052", forcible=False)


def _join_refusal(state: State, action: Action) -> Refusal | None:
    who, target = action.by, _target(state, action)
    if who is None or target is None:
        return misfit(state, action, ANY_USE) or (_no_enemy(state, who) if who and not enemies(state, who) else None)
    side = state[who].side
    if rules(state).swarms_per_target == "one" and SWARMS.open(state, target, side, "swarmed") is not None:
        return Refusal("swarmed", f"{state.name(target)} has been swarmed this round", "WN-R11")
    most = rules(state).swarm_size
    if len(SWARMS.assailants(state, target, side)) >= most:
        return Refusal("swarm_full", f"a swarm has {most} members at most", "WN-052")
    return misfit(state, action, ANY_USE)


def _join(ctx: Ctx, action: Action) -> None:
    """Join the swarm on a target, and strike at once if wanted (WN-052, WN-053)."""
    who, target = str(action.by), text(action, "target")
    SWARMS.join(ctx, who, target)
    if flag(action, "strike"):
        _strike(ctx, action)


def _strike_refusal(state: State, action: Action) -> Refusal | None:
    who, target = action.by, _target(state, action)
    if who is None:
        return None
    if target is None:
        return misfit(state, action, ANY_USE) or _no_enemy(state, who)
    if who not in SWARMS.assailants(state, target, state[who].side):
        return Refusal(
            "no_swarm", f"{state.name(who)} is in no swarm on {state.name(target)}", "WN-053", forcible=False
        )
    slot = state.clock.current
    ours = slot is not None and (
        slot.side == state[who].side or any(state[member].side == state[who].side for member in slot.members)
    )
    if not ours and state[who].fact(TRIGGERING) is not True:
        return Refusal("not_own_phase", "a swarm strikes in a phase of its own side", "WN-R11")
    return misfit(state, action, ANY_USE)


def _strike_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    mine = SWARMS.targets(state, action.by)
    target, *rest = attack_fields(
        state,
        action if action.get("target") else action.put(target=mine[0] if mine else None),
        ANY_USE,
        enemies_only=True,
    )
    return (replace(target, default=mine[0] if mine else target.default), *rest)


def _strike(ctx: Ctx, action: Action) -> None:
    """Strike for the swarm, more dangerously with the others' help (WN-053 to WN-055)."""
    who, target = str(action.by), text(action, "target")
    attack = described(ctx, action, ANY_USE)
    begin(ctx, attack)
    if lapses(ctx, "swarm strike", who, attack_lapse(ctx.state, attack)):
        return
    side = ctx.state[who].side
    held = SWARMS.open(ctx.state, target, side)
    others = len([other for other in SWARMS.assailants(ctx.state, target, side) if other != who])
    if held is not None:
        ctx.end_effect(held, "the swarm strikes", "WN-053")
        if rules(ctx.state).swarms_per_target == "one":
            mark = Effect("swarmed", target, until=(At("round_end"),), data=held.data, stacking="add", title="swarmed")
            ctx.add_effect(mark, "WN-R11")
    extra = (Part(OTHERS[others], family.bonus(others)[0], "WN-054"),) if others else ()
    strike(ctx, replace(attack, extra=extra, others=others))


ACTIONS = (
    main_action("swarm_join", "Join a Swarm", "WN-052", _join, _join_fields, _join_refusal, group="swarm"),
    free_action("swarm_strike", "Swarm strike", "WN-053", _strike, _strike_fields, _strike_refusal, group="swarm"),
)
