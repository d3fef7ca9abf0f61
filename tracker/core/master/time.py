"""Time: the clock, the order of the round, the end of the fight."""

from __future__ import annotations

from tracker.core.clock import schedule, walk
from tracker.core.fight.events import FightEnded, OrderSet
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master.command import Command
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


def _do_next(ctx: Ctx, game: Ruleset, action: Action) -> None:
    walk.walk(ctx, game)


def _nothing_left(state: State) -> Refusal | None:
    return Refusal("fight_over", "the fight is over", forcible=False) if schedule.finished(state) else None


def _move(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    slots = tuple(Option(slot.id, slot.title) for slot in state.clock.upcoming)
    return (
        Field("slot", "choice", required=True, options=slots),
        Field("before", "choice", options=slots, note="empty: last of the round"),
    )


def _do_move(ctx: Ctx, game: Ruleset, action: Action) -> None:
    slots = ctx.state.clock.slots
    moved = next(slot for slot in slots if slot.id == action.get("slot"))
    others = [slot for slot in slots if slot.id != moved.id]
    before = action.get("before")
    if before == moved.id:
        return
    place = next((place for place, slot in enumerate(others) if slot.id == before), len(others))
    ctx.emit(OrderSet(slots, (*others[:place], moved, *others[place:])))


def _end_fight(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (Field("reason", "text", default=ruleset.finished(state) or ""),)


def _over(state: State) -> Refusal | None:
    return Refusal("fight_over", "the fight is over already", forcible=False) if state.clock.over else None


def _do_end_fight(ctx: Ctx, game: Ruleset, action: Action) -> None:
    ctx.emit(FightEnded(str(action.get("reason") or "")))
    walk.end_fight(ctx, game)
    walk.walk(ctx, game)


COMMANDS = (
    Command("next", "Next", _do_next, refusal=_nothing_left, any_time=False, place=1),
    Command("move", "Move in the order", _do_move, _move, place=11),
    Command("end_fight", "End the fight", _do_end_fight, _end_fight, _over, any_time=False, place=19),
)
