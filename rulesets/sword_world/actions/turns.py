"""Turns that begin by themselves.

The first deed of a combatant begins its turn and ends the one that is open (SW-017, SW-037, SW-065).
"""

from __future__ import annotations

from rulesets.sword_world.order.rounds import close_turn, open_turn
from rulesets.sword_world.stats import stats
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.run import Done, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal, Refused


def may_begin(state: State, who: Id) -> bool:
    return state.clock.acting != who and stats.may_open(state, who)


@per_state
def begun(state: State, who: Id) -> State:
    if not may_begin(state, who):
        return state
    from rulesets.sword_world.ruleset import RULESET  # the record is made of what stands here

    acting = state.clock.acting
    ended = () if acting is None else (Action("end_turn", acting),)
    outcome = run(RULESET, state, Step("do", (*ended, Action("start_turn", who))))
    return outcome.state if isinstance(outcome, Done) else state


def begin(ctx: Ctx, deed: ActionType, action: Action) -> None:
    """Begin the turn of a combatant that does something, after ending the open one."""
    who, acting = str(action.by), ctx.state.clock.acting
    if deed.when == "any" or not may_begin(ctx.state, who):
        return
    if ctx.depth > 1:  # SW-054: nothing comes between a question and what follows from it
        raise Refused(Refusal("not_your_turn", f"it is not {ctx.state.name(who)}'s turn", "SW-017"))
    if acting is not None:
        close_turn(ctx, acting)
    open_turn(ctx, who)
