"""A made-up game built on the kit alone, with Main, Move and parries."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from tests.support.common import Fighter, encounter
from tracker.kit import (
    Action,
    ActionSpec,
    ActionTable,
    ActionType,
    Boundary,
    Ctx,
    Economy,
    Field,
    Id,
    OrderSet,
    Pool,
    PoolSet,
    Refusal,
    Ruleset,
    Schema,
    Slot,
    State,
    answering,
    budget,
    fields,
    paying_instead,
)
from tracker.testing.table import Table

ECONOMY = Economy(
    budget(main=1, move=1, reaction=1),
    paying_instead(move="main"),
    {"main": "turn_start", "move": "turn_start", "reaction": "round_start"},
    {"main": "Main action", "move": "Move action"},
    ("D-1",),
)


def strike(ctx: Ctx, action: Action) -> None:
    target = fields.text(action, "target")
    parried = ctx.window("struck", action.by, target, again=False)
    if not parried:
        ctx.change(target, "hp", ctx.state[target].hp - 2, "D-2", source=action.by)


def struck(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.target(fields.options(fields.foes(state, action.by))),)


def unshaken(state: State, action: Action) -> Refusal | None:
    return Refusal("shaken", "shaken", "D-5") if state[action.by or ""].has("shaken") else None


ACTIONS = ActionTable(
    (
        ActionType("strike", "Strike", "D-2", "Main", budget(main=1), perform=strike, fields=struck, refusal=unshaken),
        ActionType("step", "Step", "D-3", "Move", budget(move=1), cites=("D-9",)),
        ActionType("shout", "Shout", "D-4", when="round"),
        ActionType("cast", "Cast", "D-7", available_to=lambda state, who: state[who].kind == "pc"),
        ActionType(
            "parry",
            "Parry",
            "D-6",
            "Reaction",
            budget(reaction=1),
            "any",
            listed=False,
            fields=struck,
            answers=answering("struck", "target", target="actor"),
        ),
    ),
    ECONOMY,
    gm=(ActionType("rain", "Let it rain", perform=lambda ctx, action: ctx.note("rain")),),
)


def open_round(ctx: Ctx) -> None:
    number = ctx.state.clock.round
    slots = tuple(Slot(f"r{number}/{one.id}", one.name, one.id, members=(one.id,)) for one in ctx.state.combatants)
    ctx.emit(OrderSet(ctx.state.clock.slots, slots))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        ctx.emit(PoolSet(who, None, Pool("hp", 6, 6)))
    ECONOMY.give(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    ECONOMY.refresh(ctx, boundary)


def settle(ctx: Ctx) -> None:
    for one in ctx.state.combatants:
        ctx.status(one.id, "up" if one.hp else "down", "D-8")


RULESET = Ruleset(
    "duel",
    "Duel",
    1,
    Schema((("pc", Fighter), ("monster", Fighter))),
    open_round,
    ACTIONS.actions,
    ACTIONS.form,
    ACTIONS.perform,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    windows=ACTIONS.windows,
)


def playing(actions: ActionTable, **changes: Any) -> Ruleset:
    """Return the duel with other actions."""
    parts = {"actions": actions.actions, "form": actions.form, "perform": actions.perform, "windows": actions.windows}
    return replace(RULESET, **parts, **changes)


def table(ruleset: Ruleset = RULESET) -> Table:
    """Open a fight of Ada and Bo against three goblins, at Ada's turn."""
    return Table(ruleset, encounter("duel"))


def spec_of(actions: ActionTable, state: State, wanted: Action) -> ActionSpec:
    """Return the specification of an action that the table has."""
    spec = actions.form(state, wanted)
    assert spec is not None
    return spec
