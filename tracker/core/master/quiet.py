"""Who is asked whether to interrupt, and who no more."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.fight.state import Id, State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids
from tracker.core.step.quiet import ALWAYS, WINDOWS, side_key, who_key
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.values import Value

QUIET, LISTEN = "quiet", "listen"
GROUPS = (
    Option("everybody", note="all sides"),
    Option("foes", note="all sides of the GM"),
    Option("players", note="all sides of players"),
)


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple([Option(side_key(side.id), side.name) for side in state.sides])
    bare = not ids(action, "sides") and not ids(action, "targets")
    return (
        Field("targets", "combatants", options=all_combatants(state), note="for this round"),
        Field("sides", "choices", required=bare, options=(*GROUPS, *sides), note="everybody, foes, players, or a side"),
    )


def _sides(state: State, named: Iterable[str]) -> tuple[Id, ...]:
    """Return the sides that options of the form mean."""
    wanted, of = frozenset(named), {"gm": "foes", "players": "players"}
    return tuple(
        [side.id for side in state.sides if wanted & {"everybody", of[side.control], side_key(side.id)}],
    )


def _do(ctx: Ctx, act: Action) -> None:
    state, quiet, now = ctx.state, act.key == QUIET, ctx.state.clock.round
    sides, whom = _sides(state, ids(act, "sides")), ids(act, "targets")
    said: dict[str, Value] = {side_key(side): ALWAYS if quiet else None for side in sides}
    said |= {who_key(one.id): None for side in sides for one in state.members(side)}
    said |= {who_key(who): now if quiet else None for who in whom}
    for key, value in said.items():
        ctx.fact(WINDOWS, key, value)
    ends = [(state.side(side).name, "") for side in sides] + [(state.name(who), f" in round {now}") for who in whom]
    for name, end in ends:
        how = f"no more whether to interrupt{end}" if quiet else "again whether to interrupt"
        ctx.note(f"the program asks {name} {how}")


COMMANDS = (
    ActionType(QUIET, "Ask no more whether to interrupt", perform=_do, fields=_fields),
    ActionType(LISTEN, "Ask again whether to interrupt", perform=_do, fields=_fields),
)
