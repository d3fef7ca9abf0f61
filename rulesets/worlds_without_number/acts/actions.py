"""Every action of the game: offered, specified and performed from one table."""

from __future__ import annotations

from rulesets.worlds_without_number.acts import gm, waiting
from rulesets.worlds_without_number.acts.care import items
from rulesets.worlds_without_number.acts.care import skills as care
from rulesets.worlds_without_number.acts.deeds import Deed, legality, pay
from rulesets.worlds_without_number.acts.fighting import execution, strikes, swarm, uses
from rulesets.worlds_without_number.acts.fighting.engaged import alert
from rulesets.worlds_without_number.acts.moving import maneuvers, movement
from rulesets.worlds_without_number.ending import morale
from rulesets.worlds_without_number.numbers.stats import block
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec

__all__ = ["DEEDS", "actions", "form", "perform"]

_TURN = (
    *strikes.DEEDS,
    *movement.DEEDS,
    *swarm.DEEDS,
    *maneuvers.DEEDS,
    *care.DEEDS,
    *items.DEEDS,
    *execution.DEEDS,
    *waiting.DEEDS,
)
_HELD = {deed.key: deed for deed in _TURN if deed.by and deed.phase == "own" and deed.key not in {"hold", "end_turn"}}
_ALL = (*_TURN, waiting.held_turn(_HELD | {"other": items.OTHER_DEED}), *uses.DEEDS, *morale.DEEDS, *gm.DEEDS)

DEEDS: dict[str, Deed] = {deed.key: deed for deed in _ALL}
# Possible, but nobody's to choose: they come with another action.
UNLISTED = ("free_attack", "interrupted")


def actions(state: State, who: Id | None) -> tuple[ActionSpec, ...]:
    """Return what somebody can do now, what is refused among it; for None what the game master can."""
    found = []
    for deed in DEEDS.values():
        if deed.key in UNLISTED or deed.by != (who is not None):
            continue
        spec = form(state, Action(deed.key, who))
        if spec is not None and (who is None or not _pointless(spec)):
            found.append(spec)
    first = None if who is None else _usual(state, who)
    return tuple(sorted(found, key=lambda spec: spec.key != first))


def _usual(state: State, who: Id) -> str:
    """Return the action somebody most likely takes: the attack of its first weapon."""
    return "melee_attack" if "melee" in block(state[who]).arms[0].kind else "ranged_attack"


def _pointless(spec: ActionSpec) -> bool:
    """Tell what need not be shown: what makes no sense here at all."""
    return spec.refusal is not None and not spec.refusal.forcible and spec.key not in {"melee_attack", "ranged_attack"}


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the specification of an action as far as it is filled in."""
    deed = DEEDS.get(action.key)
    if deed is None:
        return None
    return ActionSpec(
        deed.key,
        deed.label,
        action.by,
        deed.cost,
        deed.rule,
        deed.fields(state, action),
        legality(state, deed, action),
        deed.group,
    )  # fmt: skip - one record


def perform(ctx: Ctx, action: Action) -> None:
    """Pay for an action and do it; whoever acts is on the alert, and not finished after all."""
    deed = DEEDS[action.key]
    if deed.by and action.by is not None:
        if deed.key != "end_turn":
            ctx.fact(action.by, waiting.FINISHED, None)
            alert(ctx, action.by)
        pay(ctx, deed, action.by)
    deed.perform(ctx, action)
