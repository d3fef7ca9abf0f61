"""Commands about combatants: who is in the fight, on which side, under which name, at which position."""

from __future__ import annotations

from functools import partial

from tracker.core.clock import joining
from tracker.core.clock.joining import MOST_COMBATANTS
from tracker.core.fight.events import Moved, Renamed, SideChanged
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.encounter import Member
from tracker.core.terms.errors import Refusal, impossible


def _insert(state: State, action: Action) -> tuple[Field, ...]:
    foes = next((side.id for side in state.sides if side.control == "gm"), state.sides[0].id if state.sides else None)
    return (
        Field("members", "members", required=True),
        Field("side", "text", default=foes, required=True, note="a side here, or the name of a new one"),
        Field("seen", "choice", options=(Option("hidden"),), note="hidden: players do not see them come"),
    )


def _do_insert(game: Ruleset, ctx: Ctx, action: Action) -> None:
    given = action.get("members")
    members = [member for member in given if isinstance(member, Member)] if isinstance(given, tuple) else []
    here, more = len(ctx.state.combatants), sum(max(1, member.count.maximum) for member in members)
    if here + more > MOST_COMBATANTS:
        message = f"a fight holds at most {MOST_COMBATANTS} combatants: {here} are here, and {more} more would come"
        raise impossible("crowded", message, field="members")
    side = joining.side_called(ctx, str(action.get("side")))
    joining.admit(ctx, game, {side: members}, True if action.get("seen") == "hidden" else None)


def _wave(state: State, action: Action) -> tuple[Field, ...]:
    waves = tuple(
        Option(str(place), wave.title or wave.when or f"wave {place}")
        for place, wave in enumerate(state.waves, start=1)
    )
    return (Field("wave", "choice", required=True, options=waves, default="1" if waves else None),)


def _do_wave(game: Ruleset, ctx: Ctx, action: Action) -> None:
    joining.admit_wave(ctx, game, ctx.state.waves[int(str(action.get("wave"))) - 1])


def _no_wave(state: State, action: Action) -> Refusal | None:
    return None if state.waves else Refusal("no_wave", "no wave is waiting", forcible=False)


def _targets(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("targets", "combatants", required=True, options=all_combatants(state)),)


def _do_remove(ctx: Ctx, action: Action) -> None:
    for who in ids(action, "targets"):
        joining.leave(ctx, who, "removed")


def _side(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple(Option(side.id, side.name) for side in state.sides)
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("side", "choice", required=True, options=sides),
    )


def _do_side(ctx: Ctx, action: Action) -> None:
    who, now = str(action.get("who")), str(action.get("side"))
    was = ctx.state[who].side
    if was != now:
        ctx.emit(SideChanged(who, was, now))


def _rename(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("name", "text", required=True),
    )


def _do_rename(ctx: Ctx, action: Action) -> None:
    who = str(action.get("who"))
    ctx.emit(Renamed(who, ctx.state[who].name, str(action.get("name"))))


def _place(state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("x", "number", required=True),
        Field("y", "number"),
    )


def _do_place(ctx: Ctx, action: Action) -> None:
    who, y = str(action.get("who")), action.get("y")
    now = tuple(part for part in (action.get("x"), y) if isinstance(part, int | float))
    ctx.emit(Moved(who, ctx.state[who].position, now))


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game."""
    return (
        ActionType("insert", "Insert combatants", perform=partial(_do_insert, game), fields=_insert),
        ActionType("wave", "Bring in a wave", perform=partial(_do_wave, game), fields=_wave, refusal=_no_wave),
        ActionType("remove", "Remove from the fight", perform=_do_remove, fields=_targets),
        ActionType("side", "Change sides", perform=_do_side, fields=_side),
        ActionType("rename", "Rename", perform=_do_rename, fields=_rename),
        ActionType("place", "Put somewhere", perform=_do_place, fields=_place),
    )
