"""Every action of the game: offered, specified and performed from one table."""

from __future__ import annotations

from rulesets.sovereign.acts import gm, waiting
from rulesets.sovereign.acts.care import items
from rulesets.sovereign.acts.care import skills as care
from rulesets.sovereign.acts.deeds import Deed, legality, pay
from rulesets.sovereign.acts.fighting import execution, opportunity, strikes, swarm
from rulesets.sovereign.acts.moving import drag, maneuvers, movement
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec

__all__ = ["DEEDS", "actions", "form", "perform"]

_TURN = (
    *strikes.DEEDS,
    *movement.DEEDS,
    *swarm.DEEDS,
    *maneuvers.DEEDS,
    *drag.DEEDS,
    *care.DEEDS,
    *items.DEEDS,
    *waiting.DEEDS,
)
_HELD = {
    deed.key: deed
    for deed in _TURN
    if deed.by
    and (deed.phase == "own" or deed.key in ("swarm_resolve", "other"))
    and deed.key not in ("hold", "charge")
}
_ALL = (*_TURN, *execution.DEEDS, waiting.held_turn(_HELD), *opportunity.DEEDS, *gm.DEEDS)

DEEDS: dict[str, Deed] = {deed.key: deed for deed in _ALL}
# Possible, but nobody's to choose: they come with another action.
UNLISTED = ("aoo", "veterans_luck")


def actions(state: State, who: Id | None) -> tuple[ActionSpec, ...]:
    """Return what somebody can do now, what is refused among it; for None what the game master can."""
    found = []
    for deed in DEEDS.values():
        if deed.key in UNLISTED or deed.by != (who is not None):
            continue
        spec = form(state, Action(deed.key, who))
        if spec is not None and (
            who is None or spec.refusal is None or spec.refusal.forcible or spec.key == "attack_melee"
        ):
            found.append(spec)
    return tuple(found)


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
    """Pay for an action and do it."""
    deed = DEEDS[action.key]
    if deed.by and action.by is not None:
        pay(ctx, deed, action)
    deed.perform(ctx, action)
