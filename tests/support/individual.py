"""A made-up game of individuals.

One slot per combatant by a rolled initiative, ties settled once, delaying and simultaneous blows.
"""

from __future__ import annotations

from msgspec.structs import replace

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, hurt, take_out, target_field
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.requests import Window

LABELS = {
    "strike": "Strike",
    "curse": "Curse",
    "bless": "Bless",
    "delay": "Delay",
    "flee": "Flee",
    "duel": "Duel",
    "parry": "Parry",
    "blow": "Blow",
}
HIDDEN = ("parry", "blow")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Roll for the newcomers, and settle their ties. They come into the running round where their place lies ahead."""
    for who in newcomers:
        enlist(ctx, who)
        ctx.fact(
            who,
            "initiative",
            ctx.roll(f"initiative:{who}", Dice.of(1, 10), "I-01", who=who) + block(ctx.state[who]).speed,
            "I-01",
        )
    by_score: dict[object, list[Id]] = {}
    for one in ctx.state.combatants:
        by_score.setdefault(one.fact("initiative"), []).append(one.id)
    for score, tied in sorted(by_score.items(), key=lambda item: str(item[0])):
        if len(tied) > 1 and any(ctx.state.fact(who, "tie") is None for who in tied):
            first = ctx.choose(f"tie:{score}:{len(tied)}", tied, "I-02", default=tied[0])
            for place, who in enumerate([first, *(other for other in tied if other != first)]):
                ctx.fact(who, "tie", place, "I-02")
    if ctx.state.clock.in_round:
        slots, coming = ctx.state.clock.slots, ctx.state.clock.upcoming
        begun = [slot for slot in slots if slot not in coming]
        added = [slot_of(ctx.state, who) for who in newcomers]
        ctx.emit(
            OrderSet(slots, (*begun, *sorted((*coming, *added), key=lambda slot: place_of(ctx.state, slot)))), "I-03"
        )


def place_of(state: State, slot: Slot) -> tuple[int, int]:
    """Return where a slot stands. One whose combatant has left comes at once and passes."""
    return rank(state, slot.members[0]) if slot.members else (-99, 0)


def rank(state: State, who: Id) -> tuple[int, int]:
    return (-int(str(state.fact(who, "initiative"))), int(str(state.fact(who, "tie", 0))))


def slot_of(state: State, who: Id, number: int | None = None) -> Slot:
    return Slot(
        f"r{state.clock.round if number is None else number}/{who}",
        state.name(who),
        phase=who,
        members=(who,),
        side=state[who].side,
    )


def open_round(ctx: Ctx) -> None:
    state = ctx.state
    order = sorted((one.id for one in state.combatants), key=lambda who: rank(state, who))
    ctx.emit(
        OrderSet(
            state.clock.slots,
            tuple(slot_of(state, who) for who in order) or (Slot(f"r{state.clock.round}/nobody", "Nobody"),),
        ),
        "I-01",
    )


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "turn_start":
        ctx.refill(dict.fromkeys(boundary.actors, (("act", 1), ("parry", 1))), "I-04")


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    return (
        ()
        if by is None
        else tuple(spec for key in LABELS if key not in HIDDEN and (spec := form(state, Action(key, by))) is not None)
    )


def form(state: State, action: Action) -> ActionSpec | None:
    actor = state.get(action.by)
    if action.key not in LABELS or actor is None:
        return None
    refusal = None
    if actor.status != "up":
        refusal = Refusal("down", f"{actor.name} is down", "I-05")
    elif action.key == "parry":
        refusal = None if actor.left("parry") else Refusal("spent", f"{actor.name} has parried", "I-06")
    elif action.key == "blow":
        refusal = None  # part of a duel, at whose moment it may come
    elif actor.id not in (state.clock.current.members if state.clock.current else ()):
        refusal = Refusal("not_now", f"it is not {actor.name}'s turn", "I-07")
    elif not actor.left("act"):
        refusal = Refusal("spent", f"{actor.name} has acted", "I-06")
    fields: tuple[Field, ...] = ()
    if action.key in ("strike", "curse", "bless", "duel", "blow"):
        fields = (target_field(state, actor.id, everybody=action.key in ("bless", "blow")),)
    elif action.key == "delay":
        fields = (
            Field("after", "choice", options=tuple(Option(slot.id, slot.title) for slot in state.clock.upcoming)),
        )
    return ActionSpec(action.key, LABELS[action.key], actor.id, "Act", "I-08", fields, refusal)


def perform(ctx: Ctx, action: Action) -> None:
    who, target = action.by or "", str(action.get("target"))
    if action.key != "blow":
        ctx.spend(who, "parry" if action.key == "parry" else "act", "I-06")
    match action.key:
        case "strike" | "blow":
            strike(ctx, who, target)
        case "duel":  # both strike at the same moment, and either may fall
            blows = (Action("blow", who, (("target", target),)), Action("blow", target, (("target", who),)))
            ctx.simultaneously([blow for blow in blows if ctx.refusal_of(blow) is None])
        case "curse":
            ctx.add_effect(Effect("curse", target, 0, who, (At("turn_start", "source", 2),)), "I-09")
        case "bless":
            ctx.add_effect(Effect("bless", target, 0, who, (At("turn_end", "bearer", 2),), stacking="keep"), "I-10")
        case "parry":
            ctx.add_effect(Effect("parry", who, 0, who, (At("turn_start", "bearer"),)), "I-11")
        case "delay":
            delay(ctx, who, str(action.get("after") or ""))
        case _:
            take_out(ctx, who)


def delay(ctx: Ctx, who: Id, after: Id) -> None:
    """Take a second slot later in this round. The turn that is given up has begun and ends as it is."""
    slots = ctx.state.clock.slots
    late = replace(slot_of(ctx.state, who), id=f"r{ctx.state.clock.round}/{who}/late")
    place = next((place for place, slot in enumerate(slots, start=1) if slot.id == after), len(slots))
    if ctx.state.clock.slot(late.id) is None:
        ctx.emit(OrderSet(slots, (*slots[:place], late, *slots[place:])), "I-12")


def strike(ctx: Ctx, who: Id, target: Id) -> None:
    ctx.guard(lambda state: able(state, who), "the attacker is down")
    die = ctx.roll("strike", Dice.of(1, 20), "I-08", who=who)
    ctx.window("struck", who, target, again=False)
    if target in ctx.state and ctx.ruling("hit", die >= 8 and not ctx.state[target].has("parry")):
        hurt(ctx, target, ctx.roll("harm", block(ctx.state[who]).damage, "I-08", who=who), "I-08", source=who)


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    spec = form(state, Action("parry", window.target)) if window.target in state else None
    return (spec,) if spec is not None and spec.refusal is None else ()


RULESET = Ruleset(
    key="individual",
    title="Individual",
    version=1,
    schema=Schema((("pc", Fighter), ("monster", Fighter))),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    statuses=STATUSES,
    join=join,
    on_boundary=on_boundary,
    settle=draw_conclusions,
    windows=windows,
)  # fmt: skip - one record
