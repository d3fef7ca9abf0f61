"""A made-up game of opened turns.

A leading and a following side, turns opened one at a time, effects that count their bearer's side's phases.
"""

from __future__ import annotations

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, hurt, target_field
from tracker.core.clock.schedule import finished
from tracker.core.fight.events import OrderSet, TurnOpened
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import NamedEffect, Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.requests import Window

LABELS = {
    "start_turn": "Start the turn",
    "end_turn": "End the turn",
    "attack": "Attack",
    "run": "Full move",
    "hex": "Hex",
    "bless": "Bless",
}
LABELS |= {"brawl": "Brawl", "roll_initiative": "Roll initiative", "collect_spoils": "Collect the spoils"}


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    ctx.emit(OrderSet((), (Slot("r0/initiative", "Initiative", stage="opening", turns="none"),)), "U-01")


def open_round(ctx: Ctx) -> None:
    state = ctx.state
    leading = str(state.fact(FIGHT, "leading", state.sides[0].id))
    order = (leading, *(side.id for side in state.sides if side.id != leading))
    slots = tuple(
        Slot(
            f"r{state.clock.round}/{side}",
            state.name(side),
            side,
            None,
            tuple(one.id for one in state.members(side)),
            side,
            turns="opened",
        )
        for side in order
    )
    ctx.emit(OrderSet(state.clock.slots, slots), "U-02")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        enlist(ctx, who)
        slots = ctx.state.clock.slots
        grown = tuple(
            Slot(one.id, one.title, one.phase, None, (*one.members, who), one.side, turns="opened")
            if one.side == ctx.state[who].side
            else one
            for one in slots
        )
        if grown != slots:
            ctx.emit(OrderSet(slots, grown), "U-03")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "turn_start":
        ctx.refill(dict.fromkeys(boundary.actors, (("standard", 1), ("move", 1))), "U-04")
    elif boundary.edge == "turn_end":
        ctx.refill(dict.fromkeys(boundary.actors, ()), "U-04")


def settle(ctx: Ctx) -> None:
    draw_conclusions(ctx)
    acting = ctx.state.clock.acting
    if acting is not None and not able(ctx.state, acting):
        end_turn(ctx, acting)  # who drops in their own turn has it ended at once


def end_turn(ctx: Ctx, who: Id) -> None:
    ctx.emit(TurnOpened(who, None), "U-05")
    ctx.cross("turn_end", (who,))


def eligible(state: State) -> tuple[Id, ...]:
    slot = state.clock.current
    members = slot.members if slot is not None and slot.turns == "opened" else ()
    return tuple(who for who in members if able(state, who) and who not in state.clock.turned)


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = (
        ("roll_initiative", "collect_spoils")
        if by is None
        else ("start_turn", "attack", "run", "hex", "bless", "end_turn")
    )
    return tuple(spec for key in keys if (spec := form(state, Action(key, by))) is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    actor, at = state.get(action.by), state.clock.at
    if action.key not in LABELS:
        return None
    refusal: Refusal | None = None
    fields: tuple[Field, ...] = ()
    if action.key == "roll_initiative":
        refusal = (
            None
            if at == "r0/initiative" and state.fact(FIGHT, "leading") is None
            else Refusal("not_now", "initiative is settled", "U-01")
        )
    elif action.key == "collect_spoils":
        refusal = None if at == "end/spoils" else Refusal("not_now", "the fight is not over", "U-06")
    elif actor is None:
        refusal = Refusal("nobody", "somebody has to do it", "U-02", forcible=False)
    elif action.key == "start_turn":  # what would break the clock cannot be forced
        ready = actor.id in eligible(state) and state.clock.acting is None
        refusal = None if ready else Refusal("not_now", f"{actor.name} cannot start a turn now", "U-02", forcible=False)
    elif action.key == "end_turn":
        refusal = (
            None
            if state.clock.acting == actor.id
            else Refusal("not_open", f"{actor.name}'s turn is not open", "U-02", forcible=False)
        )
    elif not able(state, actor.id):
        refusal = Refusal("down", f"{actor.name} is down", "U-07")
    elif action.key != "brawl":
        refusal = (
            None if state.clock.acting == actor.id else Refusal("not_open", f"{actor.name}'s turn is not open", "U-02")
        )
        if refusal is None and not actor.left("move" if action.key == "run" else "standard"):
            refusal = Refusal("spent", f"{actor.name} has done that", "U-04")
    if actor is not None and action.key in ("attack", "hex", "bless"):
        fields = (target_field(state, actor.id, everybody=action.key == "bless"),)
    if actor is not None and action.key == "run":
        near = tuple(Option(one.id, one.name) for one in state.combatants if one.side != actor.side)
        fields = (Field("passes", "combatants", options=near),)
    return ActionSpec(action.key, LABELS[action.key], action.by, rule="U-08", fields=fields, refusal=refusal)


def perform(ctx: Ctx, action: Action) -> None:
    who, target = action.by or "", str(action.get("target"))
    match action.key:
        case "roll_initiative":
            scores = {side.id: ctx.roll(f"initiative:{side.id}", Dice.of(2, 6), "U-01") for side in ctx.state.sides}
            ctx.fact(FIGHT, "leading", max(scores, key=lambda side: scores[side]), "U-01")
        case "start_turn":
            ctx.emit(TurnOpened(ctx.state.clock.acting, who), "U-02")
            ctx.cross("turn_start", (who,))
        case "end_turn":
            end_turn(ctx, who)
        case "collect_spoils":
            for one in [one.id for one in ctx.state.combatants if one.status == "down"]:
                ctx.roll(f"spoils:{one}", Dice.of(2, 6), "U-06")
        case "brawl":
            ctx.note("stands in the way", "U-09", about=who)
        case "run":
            run(ctx, who, action.get("passes"))
        case "attack":
            ctx.spend(who, "standard", "U-04")
            if ctx.roll("accuracy", Dice.of(2, 6), "U-08", who=who) > ctx.roll(
                "evasion", Dice.of(2, 6), "U-08", who=target
            ):
                hurt(ctx, target, ctx.roll("impact", block(ctx.state[who]).damage, "U-08", who=who), "U-08", source=who)
            elif ctx.confirm("counter", "U-10", default=False, who=target):
                hurt(ctx, who, 3, "U-10", source=target)
        case _:
            ctx.spend(who, "standard", "U-04")
            count = 2 if action.key == "bless" else 1
            ctx.add_effect(
                Effect(
                    action.key,
                    target,
                    0,
                    who,
                    (At("phase_start", "bearer_side", count),),
                    (Modifier("evasion", -count),),
                ),
                "U-11",
            )


def run(ctx: Ctx, who: Id, passes: object) -> None:
    ctx.spend(who, "move", "U-04")
    ctx.guard(lambda state: able(state, who), "the runner is down")
    ctx.add_effect(Effect("running", who, 0, who, (At("turn_start", "bearer"),), (Modifier("evasion", -4),)), "U-12")
    for foe in passes if isinstance(passes, tuple) else ():
        if ctx.window(f"passing:{foe}", who, str(foe), again=False):
            ctx.stop("the way is barred")


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    spec = form(state, Action("brawl", window.target)) if window.target in state else None
    return (spec,) if spec is not None and spec.refusal is None else ()


def advance(state: State) -> Action | None:
    if state.clock.at == "r0/initiative" and state.fact(FIGHT, "leading") is None:
        return Action("roll_initiative")
    if state.clock.acting is not None:
        return Action("end_turn", state.clock.acting)
    return None if finished(state) else Action("next")


RULESET = Ruleset(
    key="turns",
    title="Turns",
    version=1,
    schema=Schema((("pc", Fighter), ("monster", Fighter)), derived=("evasion",), round_seconds=10),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    statuses=STATUSES,
    open_fight=open_fight,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    windows=windows,
    advance=advance,
    effects=(NamedEffect("hex", "Hexed", (At("phase_start", "bearer_side", 3),)), NamedEffect("prone")),
    close_fight=lambda ctx: ctx.emit(
        OrderSet(
            ctx.state.clock.slots, (*ctx.state.clock.slots, Slot("end/spoils", "Spoils", stage="closing", turns="none"))
        )
    ),
)  # fmt: skip - one record
