"""Delaying a turn, and coming back after another one."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Ctx, Refusal, State


def delay(ctx: Ctx, action: Action) -> None:
    """Give up the place in the order, and go on to the next turn."""
    first.ORDER.delay(ctx, action.by)
    ctx.walk()


def come_back(ctx: Ctx, action: Action) -> None:
    """Act right after the turn in hand, in later rounds too."""
    first.ORDER.come_back(ctx, action.by)


def not_waiting(state: State, action: Action) -> Refusal | None:
    """Refuse a combatant that has not delayed."""
    if first.ORDER.delays(state, action.by):
        return None
    return Refusal("not_waiting", f"{state.name(action.by)} has not delayed its turn", forcible=False)


DELAY = ActionType("delay", "Delay", perform=delay, group="order")  # offered where the GM moves a combatant, too
COME_BACK = ActionType("come_back", "Come back", when="round", perform=come_back, refusal=not_waiting, group="order")
ACTIONS = ActionTable((first.HIT, DELAY, COME_BACK), first.ECONOMY)
RULESET = replace(first.RULESET, actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform)
