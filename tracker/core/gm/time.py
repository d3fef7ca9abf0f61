"""Commands about time: the clock, the order of the round, the end of the fight."""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.clock import schedule
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


def _nothing_left(state: State, action: Action) -> Refusal | None:
    return Refusal("fight_over", "the fight is over", forcible=False) if schedule.finished(state) else None


def move_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of the command to move a slot."""
    slots = tuple(Option(slot.id, slot.title) for slot in state.clock.upcoming)
    return (
        Field("slot", "choice", required=True, options=slots),
        Field("before", "choice", options=slots, note="empty: last of the round"),
    )


def move(ctx: Ctx, action: Action, *rules: str, changed: Callable[[Slot], Slot] = lambda slot: slot) -> None:
    """Move a slot before another one, or to the end of the order; `changed` may change it."""
    slots = ctx.state.clock.slots
    moved = next(slot for slot in slots if slot.id == action.get("slot"))
    others = [slot for slot in slots if slot.id != moved.id]
    before = action.get("before")
    if before == moved.id:
        return
    place = next((place for place, slot in enumerate(others) if slot.id == before), len(others))
    ctx.emit(OrderSet(slots, (*others[:place], changed(moved), *others[place:])), *rules)


def _over(state: State, action: Action) -> Refusal | None:
    return Refusal("fight_over", "the fight is over already", forcible=False) if state.clock.over else None


def _do_end_fight(ctx: Ctx, action: Action) -> None:
    ctx.end_fight(str(action.get("reason") or ""))
    ctx.walk()


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game."""
    return (
        ActionType("next", "Next", perform=lambda ctx, action: ctx.walk(), refusal=_nothing_left),
        ActionType("move", "Move in the order", perform=move, fields=move_fields),
        ActionType(
            "end_fight",
            "End the fight",
            perform=_do_end_fight,
            fields=lambda state, action: (Field("reason", "text", default=game.finished(state) or ""),),
            refusal=_over,
        ),
    )
