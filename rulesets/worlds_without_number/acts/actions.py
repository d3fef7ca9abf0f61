"""Every action of the game: offered, specified and performed from one table."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.without_number.acts import go_on_while_up
from rulesets.worlds_without_number.acts import gm, waiting
from rulesets.worlds_without_number.acts.care import items, skills
from rulesets.worlds_without_number.acts.deeds import RULES
from rulesets.worlds_without_number.acts.fighting import execution, strikes, swarm, uses
from rulesets.worlds_without_number.acts.fighting.engaged import alert
from rulesets.worlds_without_number.acts.moving import maneuvers, movement
from rulesets.worlds_without_number.ending import morale
from rulesets.worlds_without_number.numbers.stats import block
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec

_TURN = (
    *strikes.ACTIONS,
    *movement.ACTIONS,
    *swarm.ACTIONS,
    *maneuvers.ACTIONS,
    *skills.ACTIONS,
    *items.ACTIONS,
    *execution.ACTIONS,
    *waiting.ACTIONS,
)
_HELD = {deed.key: deed for deed in _TURN if deed.when == "turn" and deed.key not in {"hold", "end_turn"}}


def _usual(state: State, who: Id) -> str:
    """Return the attack of the first weapon."""
    return "melee_attack" if "melee" in block(state[who]).arms[0].kind else "ranged_attack"


def _shown(spec: ActionSpec) -> bool:
    """Tell whether an action is listed.

    The attacks always are, others unless they make no sense here.
    """
    return spec.refusal is None or spec.refusal.forcible or spec.key in {"melee_attack", "ranged_attack"}


def _before(ctx: Ctx, deed: ActionType, action: Action) -> None:
    """Put the actor on the alert, and take back that it is finished.

    The deed ends when its actor drops (R20), unless the GM lets the fallen act.
    """
    who = str(action.by)
    if ctx.state[who].status == "up":
        go_on_while_up(ctx, who)
    else:
        ctx.guard(lambda state: who in state, "it is gone")
    if deed.key != "end_turn":
        ctx.fact(who, waiting.FINISHED, None)
        alert(ctx, who)


ACTIONS = replace(
    RULES,
    types=(*_TURN, waiting.held_turn(_HELD | {"other": items.OTHER_DEED}), *uses.ACTIONS),
    gm=(*skills.GM, *uses.GM, *morale.GM, *gm.GM),
    before=_before,
    usual=_usual,
    shown=_shown,
)
