"""Whose dice the program rolls, and whose are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from tracker.core.fight.rollers import ASKED, DICE, PROGRAM, side_key, who_key
from tracker.core.fight.state import Id, State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.values import Value

ASK, ROLL = "ask", "roll_for"
FOES, HEROES = "foes", "players"
"""All sides of the GM, and all sides of the players."""


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple([Option(side_key(side.id), side.name) for side in state.sides])
    both = (Option(FOES, "foes", note="all sides of the GM"), Option(HEROES, "players", note="all sides of players"))
    bare = action.get("sides") in (None, ()) and action.get("targets") in (None, ())
    return (
        Field("sides", "choices", required=bare, options=(*both, *sides), note="foes, players, or a side"),
        Field("targets", "combatants", options=all_combatants(state), note="or single combatants"),
    )


def sides_named(state: State, keys: Iterable[str]) -> tuple[Id, ...]:
    """Return the sides that options of the form mean."""
    wanted = frozenset(keys)
    groups = {"gm": FOES, "players": HEROES}
    return tuple([side.id for side in state.sides if side_key(side.id) in wanted or groups[side.control] in wanted])


def changes(state: State, act: Action) -> tuple[tuple[str, Value], ...]:
    """Return the facts that one of these actions sets.

    The combatants of a side then follow it, but those named themselves.
    """
    now = PROGRAM if act.key == ROLL else ASKED
    sides, whom = sides_named(state, ids(act, "sides")), ids(act, "targets")
    freed = [one.id for side in sides for one in state.members(side) if one.id not in whom]
    return (
        *((side_key(side), now) for side in sides),
        *((who_key(who), None) for who in freed),
        *((who_key(who), now) for who in whom),
    )


def with_dice(state: State, actions: Iterable[Action]) -> State:
    """Return a state as these actions leave the facts about dice."""
    for act in actions:
        if act.key in (ASK, ROLL):
            held = {(owner, key): value for owner, key, value in state.facts}
            held |= {(DICE, key): value for key, value in changes(state, act)}
            facts = [(owner, key, value) for (owner, key), value in sorted(held.items()) if value is not None]
            state = replace(state, facts=tuple(facts))
    return state


def _do(ctx: Ctx, act: Action) -> None:
    state = ctx.state
    for key, now in changes(state, act):
        ctx.fact(DICE, key, now)
    names = [state.name(key) for key in (*sides_named(state, ids(act, "sides")), *ids(act, "targets"))]
    ctx.note(f"{'the program rolls' if act.key == ROLL else 'dice are asked for'}: {', '.join(names)}")


COMMANDS = (
    ActionType(ASK, "Ask for the dice", perform=_do, fields=_fields),
    ActionType(ROLL, "Let the program roll", perform=_do, fields=_fields),
)
