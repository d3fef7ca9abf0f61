"""A generic command of the GM replaced, with its body kept: healing also stops bleeding."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionSpec, ActionTable, ActionType, Ctx, State, fields, generic


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the form the command has in every game."""
    return generic.form(RULESET, state, action)


def heal(ctx: Ctx, action: Action) -> None:
    """Do what the command does in every game, then what it does in this one."""
    generic.perform(ctx, RULESET, action)
    for who in fields.ids(action, "targets"):
        ctx.end_named(who, "bleeding", "it is healed")


HEAL = ActionType("heal", "Heal", form=form, perform=heal)
ACTIONS = ActionTable((first.HIT,), first.ECONOMY, gm=(HEAL,))
RULESET = replace(first.RULESET, actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform)
