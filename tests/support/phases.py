"""A made-up game of phases.

Who is fast is rolled anew each round, a stop between the rounds, a form after the fight.
"""

from __future__ import annotations

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, foes, hurt, target_field
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Reminder, Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, Moment

LABELS = {"attack": "Attack", "poison": "Poison", "bind": "Bind", "wait": "Wait", "rest": "Rest"}


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    ctx.emit(OrderSet((), (Slot("r0/setup", "Set-up", stage="opening", turns="none"),)), "P-01")


def open_round(ctx: Ctx) -> None:
    state, number = ctx.state, ctx.state.clock.round
    heroes = [one.id for one in state.combatants if one.kind == "pc"]
    fast = [who for who in heroes if ctx.roll(f"speed:{who}", Dice.of(1, 20), "P-02", who=who) <= 10]
    slow = tuple(who for who in heroes if who not in fast)
    beasts = tuple(one.id for one in state.combatants if one.kind != "pc")
    phases = (("fast", tuple(fast)), ("monsters", beasts), ("slow", slow))
    ctx.emit(
        OrderSet(
            state.clock.slots,
            (
                *(
                    Slot(f"r{number}/{name}", name.capitalize(), name, None, members, stop=bool(members))
                    for name, members in phases
                ),
                Slot(f"r{number}/bleed", "Bleeding", "bleed", stage="between", turns="none"),
                Slot(f"r{number}/breath", "Breath", "bleed", stage="between", turns="none", stop=False),
            ),
        ),
        "P-02",
    )


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "round_start":
        ctx.refill({one.id: (("turn", 1),) for one in ctx.state.combatants}, "P-03")
    elif boundary.edge == "phase_end" and boundary.phase == "bleed":
        for who in [one.id for one in ctx.state.combatants if one.status == "down"]:
            ctx.change(who, "hp", ctx.state[who].hp - 1, "P-04")
    elif boundary.edge == "round_end" and finished(ctx.state) and ctx.confirm("over", "P-05", default=False):
        ctx.perform(Action("end_fight", None, (("reason", finished(ctx.state) or ""),)), "over")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        enlist(ctx, who)
        slots = ctx.state.clock.slots
        last = next((slot for slot in reversed(slots) if slot.stage == "round"), None)
        if last is not None:
            grown = Slot(last.id, last.title, last.phase, None, (*last.members, who))
            ctx.emit(OrderSet(slots, tuple(grown if slot is last else slot for slot in slots)), "P-06")
    ctx.refill(dict.fromkeys(newcomers, (("turn", 1),)), "P-03")


def finished(state: State) -> str | None:
    heroes = [one.id for one in state.combatants if one.kind == "pc" and one.status == "up"]
    return None if heroes and foes(state, heroes[0]) else "one side is beaten"


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = ("rest",) if by is None else ("attack", "poison", "bind", "wait")
    return tuple(spec for key in keys if (spec := form(state, Action(key, by))) is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    actor, slot = state.get(action.by), state.clock.current
    if action.key not in LABELS:
        return None
    if action.key == "rest":
        refusal = (
            None
            if slot is not None and slot.stage == "closing"
            else Refusal("not_now", "there is still a fight", "P-07", forcible=False)
        )
        healed = Field("wiped", "number", default=2, minimum=0, page="rest")
        return ActionSpec(
            "rest", "Rest", rule="P-07", fields=(healed, Field("next", "text", page="plans")), refusal=refusal
        )
    if actor is None:
        return ActionSpec(
            action.key, LABELS[action.key], refusal=Refusal("nobody", "somebody has to do it", forcible=False)
        )
    refusal = None
    if not able(state, actor.id) or actor.has("bound"):
        refusal = Refusal("unable", f"{actor.name} cannot act", "P-08")
    elif slot is None or actor.id not in slot.members:
        refusal = Refusal("not_now", f"it is not {actor.name}'s phase", "P-02")
    elif not actor.left("turn"):
        refusal = Refusal("spent", f"{actor.name} has had a turn", "P-03")
    fields: tuple[Field, ...] = () if action.key == "wait" else (target_field(state, actor.id),)
    if action.key in ("poison", "bind"):
        fields = (*fields, Field("rounds", "number", default=2, minimum=1, maximum=9))
    return ActionSpec(action.key, LABELS[action.key], actor.id, "Turn", "P-03", fields, refusal)


def perform(ctx: Ctx, action: Action) -> None:
    who, target = action.by or "", str(action.get("target"))
    if action.key == "rest":
        for one in [one.id for one in ctx.state.combatants if one.kind == "pc"]:
            held = ctx.state[one].pool("hp")
            ctx.change(one, "hp", min(held.max, held.now + int(str(action.get("wiped")))), "P-07")
        return
    ctx.spend(who, "turn", "P-03")
    match action.key:
        case "attack":
            faces = ctx.faces("dice", Dice.of(2, 6), "P-09", who=who)
            if harm := sum(face >= block(ctx.state[target]).defence for face in faces):
                hurt(ctx, target, harm, "P-09", source=who)
        case "poison" | "bind":
            until = (At("phase_start", "any", int(str(action.get("rounds"))), phase=ctx.state.clock.phase),)
            ctx.add_effect(
                Effect("poisoned" if action.key == "poison" else "bound", target, 0, who, until, stacking="add"), "P-10"
            )
        case _:
            slots, number = ctx.state.clock.slots, ctx.state.clock.round
            late = Slot(f"r{number}/{who}-waits", ctx.state.name(who), "late", None, (who,))
            coming = [slot for slot in slots if slot.stage == "between"]
            if ctx.state.clock.slot(late.id) is None:
                ctx.refill({who: (("turn", 1),)}, "P-11")
                ctx.emit(OrderSet(slots, (*(slot for slot in slots if slot not in coming), late, *coming)), "P-11")


def pending(state: State) -> tuple[Reminder, ...]:
    unused = [
        one.id
        for one in state.combatants
        if state.clock.current and one.id in state.clock.current.members and one.left("turn")
    ]
    return tuple(
        Reminder(f"unused:{state.clock.round}:{who}", f"{state.name(who)} has not acted", who, lapses=True)
        for who in unused
    )


RULESET = Ruleset(
    key="phases",
    title="Phases",
    version=1,
    schema=Schema((("pc", Fighter), ("monster", Fighter))),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    statuses=STATUSES,
    open_fight=open_fight,
    join=join,
    on_boundary=on_boundary,
    settle=draw_conclusions,
    pending=pending,
    finished=finished,
    moments=(Moment("{n} rounds", (At("phase_start", "any", 1, "monsters"),)), Moment("round end", (At("round_end"),))),
    close_fight=lambda ctx: ctx.emit(
        OrderSet(
            ctx.state.clock.slots,
            (*ctx.state.clock.slots, Slot("end/form", "Afterwards", stage="closing", turns="none")),
        )
    ),
)  # fmt: skip - one record
