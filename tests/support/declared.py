"""A made-up game of declared turns.

Who is fast is rolled anew each round; in its phase each combatant declares the start of its turn. There are a slot
before the fight, slots between the rounds, and a form after the fight.
"""

from __future__ import annotations

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, foes, hurt, target_field
from tracker.core.clock import schedule
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import NamedEffect, Reminder, Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, Moment
from tracker.core.terms.requests import Window

ACTS = {"attack": "Attack", "hex": "Hex", "bless": "Bless", "poison": "Poison", "bind": "Bind"}
LABELS = ACTS | {"start_turn": "Start the turn", "run": "Full move", "wait": "Wait", "end_turn": "End the turn"}
LABELS |= {"brawl": "Brawl", "roll_wind": "Roll the wind", "rest": "Rest"}
FULL = (("standard", 1), ("move", 1))


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    ctx.emit(OrderSet((), (Slot("r0/setup", "Set-up", stage="opening", turns="none"),)), "P-01")


def open_round(ctx: Ctx) -> None:
    state, number = ctx.state, ctx.state.clock.round
    heroes = [one.id for one in state.combatants if one.kind == "pc"]
    fast = [who for who in heroes if ctx.roll(f"speed:{who}", Dice.of(1, 20), "P-02", who=who) <= 10]
    slow = tuple(who for who in heroes if who not in fast)
    beasts = tuple(one.id for one in state.combatants if one.kind != "pc")
    phases = (("fast", tuple(fast)), ("monsters", beasts), ("slow", slow))
    slots = (
        *(
            Slot(f"r{number}/{name}", name.capitalize(), name, None, members, stop=bool(members), turns="opened")
            for name, members in phases
        ),
        Slot(f"r{number}/bleed", "Bleeding", "bleed", stage="between", turns="none"),
        Slot(f"r{number}/breath", "Breath", "bleed", stage="between", turns="none", stop=False),
    )
    ctx.emit(OrderSet(state.clock.slots, slots), "P-02")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Put newcomers into their slot of this round, where it is still to come or running."""
    for who in newcomers:
        enlist(ctx, who)
        slots, clock = ctx.state.clock.slots, ctx.state.clock
        phase = "slow" if ctx.state[who].kind == "pc" else "monsters"
        grown = tuple(
            Slot(one.id, one.title, one.phase, None, (*one.members, who), stop=True, turns="opened")
            if one.phase == phase and (one.id == clock.at or one in clock.upcoming)
            else one
            for one in slots
        )
        if grown != slots:
            ctx.emit(OrderSet(slots, grown), "P-06")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "turn_start":
        ctx.refill(dict.fromkeys(boundary.actors, FULL), "P-03")
    elif boundary.edge == "turn_end":
        ctx.refill(dict.fromkeys(boundary.actors, ()), "P-03")
    elif boundary.edge == "phase_end" and boundary.phase == "bleed":
        for who in [one.id for one in ctx.state.combatants if one.status == "down"]:
            ctx.change(who, "hp", ctx.state[who].hp - 1, "P-04")
    elif boundary.edge == "round_end" and finished(ctx.state) and ctx.confirm("over", "P-05", default=False):
        ctx.perform(Action("end_fight", None, (("reason", finished(ctx.state) or ""),)), "over")


def settle(ctx: Ctx) -> None:
    draw_conclusions(ctx)
    acting = ctx.state.clock.acting
    if acting is not None and not able(ctx.state, acting):
        end_turn(ctx, acting)  # a combatant that drops in its own turn has it ended at once


def end_turn(ctx: Ctx, who: Id) -> None:
    ctx.turn(who, "turn_end", "P-03")


def finished(state: State) -> str | None:
    heroes = [one.id for one in state.combatants if one.kind == "pc" and one.status == "up"]
    return None if heroes and foes(state, heroes[0]) else "one side is beaten"


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = ("roll_wind", "rest") if by is None else tuple(key for key in LABELS if key != "brawl")
    return tuple(spec for key in keys if (spec := form(state, Action(key, by))) is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    actor, key = state.get(action.by), action.key
    if key not in LABELS:
        return None
    if key in ("roll_wind", "rest"):
        stage, rule = ("opening", "P-01") if key == "roll_wind" else ("closing", "P-07")
        slot = state.clock.current
        refusal = None if slot is not None and slot.stage == stage else Refusal("not_now", "not now", rule)
        healed = (Field("wiped", "number", default=2, minimum=0, page="rest"), Field("next", "text", page="plans"))
        return ActionSpec(key, LABELS[key], rule=rule, fields=healed if key == "rest" else (), refusal=refusal)
    if actor is None:
        return ActionSpec(key, LABELS[key], refusal=Refusal("nobody", "it needs a combatant", forcible=False))
    fields: tuple[Field, ...] = ()
    if key in ACTS:
        fields = (target_field(state, actor.id, everybody=key == "bless"),)
    if key in ("poison", "bind"):
        fields = (*fields, Field("rounds", "number", default=2, minimum=1, maximum=9))
    if key == "run":
        near = tuple(Option(one.id, one.name) for one in state.combatants if one.side != actor.side)
        fields = (Field("passes", "combatants", options=near),)
    return ActionSpec(key, LABELS[key], actor.id, "Turn", "P-08", fields, refused(state, actor, key))


def refused(state: State, actor: Combatant, key: str) -> Refusal | None:
    clock = state.clock
    if key == "start_turn":  # what would break the clock cannot be forced
        opened = clock.current is not None and clock.current.turns == "opened" and actor.id in clock.current.members
        ready = opened and able(state, actor.id) and actor.id not in clock.turned and clock.acting is None
        return None if ready else Refusal("not_now", f"{actor.name} cannot start a turn now", "P-02", forcible=False)
    if key == "end_turn" and clock.acting != actor.id:
        return Refusal("not_open", f"{actor.name}'s turn is not open", "P-02", forcible=False)
    if not able(state, actor.id) or actor.has("bound"):
        return None if key == "end_turn" else Refusal("unable", f"{actor.name} cannot act", "P-08")
    if key in ("brawl", "end_turn"):
        return None
    if clock.acting != actor.id:
        return Refusal("not_open", f"{actor.name}'s turn is not open", "P-02")
    spent = not actor.left("move" if key == "run" else "standard")
    return Refusal("spent", f"{actor.name} has done that", "P-03") if spent else None


def perform(ctx: Ctx, action: Action) -> None:
    who, target = action.by or "", str(action.get("target"))
    if action.key in (*ACTS, "wait"):
        ctx.spend(who, "standard", "P-03")
    match action.key:
        case "roll_wind":
            ctx.fact(FIGHT, "wind", ctx.roll("wind", Dice.of(2, 6), "P-01"), "P-01")
        case "rest":
            rest(ctx, int(str(action.get("wiped"))))
        case "start_turn":
            ctx.turn(who, "turn_start", "P-02")
        case "end_turn":
            end_turn(ctx, who)
        case "brawl":
            ctx.note("stands in the way", "P-09", about=who)
        case "run":
            run(ctx, who, action.get("passes"))
        case "attack":
            attack(ctx, who, target)
        case "wait":
            wait(ctx, who)
        case "poison" | "bind":
            until = At("phase_start", "any", int(str(action.get("rounds"))), phase=ctx.state.clock.phase)
            name = "poisoned" if action.key == "poison" else "bound"
            ctx.add_effect(Effect(name, target, 0, who, (until,), stacking="add"), "P-10")
        case _:
            count = 2 if action.key == "bless" else 1
            change = (Modifier("evasion", -count),)
            ctx.add_effect(
                Effect(action.key, target, 0, who, (At("phase_start", "bearer_side", count),), change), "P-11"
            )


def attack(ctx: Ctx, who: Id, target: Id) -> None:
    faces = ctx.faces("dice", Dice.of(2, 6), "P-09", who=who)
    if harm := sum(face >= block(ctx.state[target]).defence for face in faces):
        hurt(ctx, target, harm, "P-09", source=who)
    elif ctx.confirm("counter", "P-10", default=False, who=target):
        hurt(ctx, who, 3, "P-10", source=target)


def run(ctx: Ctx, who: Id, passes: object) -> None:
    ctx.spend(who, "move", "P-03")
    ctx.guard(lambda state: able(state, who), "the runner is down")
    ctx.add_effect(Effect("running", who, 0, who, (At("turn_start", "bearer"),), (Modifier("evasion", -4),)), "P-12")
    for foe in passes if isinstance(passes, tuple) else ():
        if ctx.window(f"passing:{foe}", who, str(foe), again=False):
            ctx.stop("the way is barred")


def wait(ctx: Ctx, who: Id) -> None:
    slots, number = ctx.state.clock.slots, ctx.state.clock.round
    late = Slot(f"r{number}/{who}-waits", ctx.state.name(who), "late", None, (who,), turns="opened")
    coming = [slot for slot in slots if slot.stage == "between"]
    if ctx.state.clock.slot(late.id) is None:
        ctx.emit(OrderSet(slots, (*(slot for slot in slots if slot not in coming), late, *coming)), "P-11")


def rest(ctx: Ctx, wiped: int) -> None:
    for one in ctx.state.combatants:
        if one.kind == "pc":
            held = ctx.state[one.id].pool("hp")
            ctx.change(one.id, "hp", min(held.max, held.now + wiped), "P-07")
        elif one.status == "down":
            ctx.roll(f"spoils:{one.id}", Dice.of(2, 6), "P-07")


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    spec = form(state, Action("brawl", window.target)) if window.target in state else None
    return (spec,) if spec is not None and spec.refusal is None else ()


def advance(state: State) -> Action | None:
    if state.clock.acting is not None:
        return Action("end_turn", state.clock.acting)
    return None if schedule.finished(state) else Action("next")


def pending(state: State) -> tuple[Reminder, ...]:
    slot, number = state.clock.current, state.clock.round
    unused = [who for who in (slot.members if slot else ()) if who not in state.clock.turned]
    return tuple(
        Reminder(f"unused:{number}:{who}", f"{state.name(who)} has not acted", who, lapses=True, unused=True)
        for who in unused
    )


RULESET = Ruleset(
    key="declared",
    title="Declared",
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
    pending=pending,
    finished=finished,
    effects=(NamedEffect("hex", "Hexed", (At("phase_start", "bearer_side", 3),)), NamedEffect("prone")),
    moments=(Moment("{n} rounds", (At("phase_start", "any", 1, "monsters"),)), Moment("round end", (At("round_end"),))),
    close_fight=lambda ctx: ctx.emit(
        OrderSet(
            ctx.state.clock.slots,
            (*ctx.state.clock.slots, Slot("end/form", "Afterwards", stage="closing", turns="none")),
        )
    ),
)  # fmt: skip - one record
