"""What is due at the edges of the clock in both games."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from rulesets.without_number.turn import EMPTY, FULL
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect

__all__ = ["drop_held", "drop_moves", "end_passing", "refresh"]

# What outlives the fight with an end of its own.
LASTING = ("dying",)


def refresh(ctx: Ctx, can_act: Callable[[State, Id], bool], *rules: str) -> None:
    """Fill the budgets of those who can act, and empty the others."""
    budgets = {one.id: FULL if can_act(ctx.state, one.id) else EMPTY for one in ctx.state.combatants}
    ctx.refill(budgets, *rules)


def drop_moves(ctx: Ctx, actors: Sequence[Id], *rules: str) -> None:
    """Take unspent Moves at a phase's end, and leave the Mains for Instants."""
    people = [one for who in actors if (one := ctx.state.get(who)) is not None and one.left("move")]
    ctx.refill({one.id: (("main", one.left("main")), ("move", 0)) for one in people}, *rules)


def drop_held(ctx: Ctx, rule: str) -> None:
    """Let held turns lapse with the round."""
    for combatant in ctx.state.combatants:
        if combatant.has("held"):
            ctx.end_named(combatant.id, "held", "the round is over", rule)


def end_passing(ctx: Ctx, ending: Collection[str], rules: Mapping[str, str]) -> None:
    """End what does not outlast the fight: all that has an end, and these names.

    `rules`: the rules of single effects, by name.
    """
    for effect in ctx.state.all_effects:
        if _passes(effect, ending) and ctx.state.effect(effect.bearer, effect.id) is not None:
            rule = rules.get(effect.name)
            ctx.end_effect(effect, "the fight is over", *(() if rule is None else (rule,)))


def _passes(effect: Effect, ending: Collection[str]) -> bool:
    """Tell whether an effect is over with the fight.

    What the GM added until it is removed stays.
    """
    return effect.name not in LASTING and (bool(effect.until) or effect.name.partition(":")[0] in ending)
