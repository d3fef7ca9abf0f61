"""Request keys: one name for each question of a step, the same at every pass."""

from msgspec.structs import replace

from tests.recipes import first_game as first
from tracker.kit import Action, ActionTable, ActionType, Ctx, Dice, Field, State, budget, fields


def whirl(ctx: Ctx, action: Action) -> None:
    """Strike several foes, each on a roll of its own."""
    ctx.roll("footing", Dice.of(1, 6), who=action.by)  # key: footing
    for target in fields.ids(action, "targets"):
        with ctx.scope(f"target:{target}"):  # by the id, not by the place in the list
            if ctx.roll("attack", Dice.of(1, 6), who=action.by) >= 3:  # key: target:wolf-1/attack
                ctx.change(target, "hp", ctx.state[target].hp - 1)
    for target in fields.ids(action, "targets"):
        answer = Action("back_off", target)
        if ctx.refusal_of(answer) is None:
            ctx.perform(answer, f"after:{target}")  # its questions are below after:wolf-1/


def back_off(ctx: Ctx, action: Action) -> None:
    """Ask the combatant's side whether it gives way."""
    if ctx.confirm("give_way", default=False, who=action.by):  # key: after:wolf-1/give_way
        ctx.note("gives way", about=action.by)


def several(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form: any number of foes."""
    foes = fields.options(fields.foes(state, action.by))
    return (Field("targets", "combatants", options=foes, required=True),)


WHIRL = ActionType("whirl", "Whirl", cost="Action", price=budget(action=1), perform=whirl, fields=several)
BACK_OFF = ActionType("back_off", "Back off", when="any", perform=back_off, listed=False)
ACTIONS = ActionTable((first.HIT, WHIRL, BACK_OFF), first.ECONOMY)
RULESET = replace(first.RULESET, actions=ACTIONS.actions, form=ACTIONS.form, perform=ACTIONS.perform)
