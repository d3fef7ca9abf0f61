"""A made-up game of segments.

Declarations, then one slot per act from segment 14 to -5, movement in passing, spells that go off later.
"""

from __future__ import annotations

from msgspec import Struct

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, foes, hurt
from tracker.core.clock.schedule import finished
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
from tracker.core.terms.values import Data

FIRST, LAST = 14, -5


class Plan(Struct, Data, frozen=True, tag=True):
    """What a fighter has declared for the round."""

    main: str = "nothing"
    targets: tuple[Id, ...] = ()
    moves: bool = False


class Act(Struct, Data, frozen=True, tag=True):
    """What is due in a slot."""

    kind: str
    target: Id = ""


def open_round(ctx: Ctx) -> None:
    number = ctx.state.clock.round
    ctx.emit(
        OrderSet(ctx.state.clock.slots, (Slot(f"r{number}/declare", "Declarations", "declare", turns="none"),)), "G-01"
    )


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "phase_end" and boundary.phase == "declare":
        roll_acts(ctx)
    elif boundary.edge == "segment_start" and boundary.slot.endswith("/move"):
        for who in [
            one.id for one in ctx.state.combatants if plan(ctx.state, one.id).moves and able(ctx.state, one.id)
        ]:
            ctx.fact(who, "moved", int(str(ctx.state.fact(who, "moved", 0))) + 1, "G-04")
    elif boundary.edge == "round_end":
        for one in ctx.state.combatants:
            ctx.fact(one.id, "plan", None, "G-01")


def plan(state: State, who: Id) -> Plan:
    held = state.fact(who, "plan")
    return held if isinstance(held, Plan) else Plan()


def roll_acts(ctx: Ctx) -> None:
    """Roll one die per act, and lay the acts out by segment.

    Movement and what waits for a segment have passing slots among them.
    """
    number, slots = ctx.state.clock.round, []
    for one in ctx.state.combatants:
        declared = plan(ctx.state, one.id)
        taken: list[int] = []
        kinds = (
            ["spell"]
            if declared.main == "cast"
            else ["attack"] * len(declared.targets)
            if declared.main == "attack"
            else []
        )
        for place, kind in enumerate(kinds, start=1):
            segment = min(
                FIRST, ctx.roll(f"segment:{one.id}:{place}", Dice.of(1, 10), "G-02", who=one.id) + block(one).speed
            )
            while segment in taken:
                segment -= 1
            taken.append(segment)
            act = Act(kind, declared.targets[place - 1] if declared.targets else "")
            slots.append(
                Slot(
                    f"r{number}/{one.id}/{kind}-{place}",
                    f"{one.name}: {kind}",
                    "acts",
                    segment,
                    (one.id,),
                    None,
                    turns="none",
                    data=act,
                )
            )
    if any(plan(ctx.state, one.id).moves for one in ctx.state.combatants):
        slots += [passing(number, segment, "move") for segment in range(10, 0, -1)]
    waited = {
        end.segment
        for effect in ctx.state.all_effects
        for end in effect.until
        if isinstance(end, At) and end.segment is not None
    }
    slots += [passing(number, segment, "ends") for segment in sorted(waited)]
    slots += [passing(number, LAST, "last")]
    ctx.emit(OrderSet(ctx.state.clock.slots, (*ctx.state.clock.slots, *in_order(slots))), "G-03")


def passing(number: int, segment: int, what: str) -> Slot:
    return Slot(f"r{number}/{segment}/{what}", f"{what} on {segment}", "acts", segment, turns="none", stop=False)


def in_order(slots: list[Slot]) -> list[Slot]:
    """Sort by segment. On each of them movement first, then spells that are due, then acts."""
    kinds = {"ends": 0, "move": 1, "due": 2}
    return sorted(
        slots,
        key=lambda slot: (
            -(slot.segment or 0),
            kinds.get(slot.data.kind if isinstance(slot.data, Act) else slot.id.rpartition("/")[2], 3),
        ),
    )


def skip(state: State, slot: Slot) -> Refusal | None:
    """Skip the acts of fighters who are down or stunned, on arrival."""
    who = slot.members[0] if slot.members else None
    if who is None or (able(state, who) and not state[who].has("stunned")):
        return None
    return Refusal("unable", f"{state.name(who)} is {'stunned' if able(state, who) else 'down'}", "G-05")


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = () if by is None else ("declare", "resolve")
    return tuple(spec for key in keys if (spec := form(state, Action(key, by))) is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    actor, slot = state.get(action.by), state.clock.current
    if action.key not in ("declare", "resolve") or actor is None:
        return None
    refusal: Refusal | None = None
    if action.key == "resolve":
        due = (
            slot is not None
            and isinstance(slot.data, Act)
            and actor.id in slot.members
            and state.fact(actor.id, "done") != slot.id
        )
        refusal = None if due else Refusal("not_due", f"nothing of {actor.name}'s is due", "G-03", forcible=False)
        return ActionSpec(
            "resolve", slot.title if slot is not None and due else "Resolve", actor.id, rule="G-03", refusal=refusal
        )
    if slot is None or slot.phase != "declare":
        refusal = Refusal("declared", "declarations are closed", "G-01", forcible=False)
    elif not able(state, actor.id):
        refusal = Refusal("down", f"{actor.name} is down", "G-05")
    mains = tuple(
        Option(
            key,
            refusal=None if key != "cast" or block(actor).spell else Refusal("no_spells", "no spells", forcible=False),
        )
        for key in ("nothing", "attack", "cast")
    )
    targets = Field("targets", "combatants", options=foes(state, actor.id), maximum=3)
    fields = (Field("main", "choice", default="nothing", options=mains, required=True), targets, Field("moves", "flag"))
    return ActionSpec("declare", "Declare", actor.id, rule="G-01", fields=fields, refusal=refusal)


def perform(ctx: Ctx, action: Action) -> None:
    who = action.by or ""
    if action.key == "declare":
        targets = action.get("targets")
        picked = tuple(str(target) for target in targets) if isinstance(targets, tuple) else ()
        ctx.fact(who, "plan", Plan(str(action.get("main")), picked, action.get("moves") is True), "G-01")
        return
    slot = ctx.state.clock.current
    act = slot.data if slot is not None and isinstance(slot.data, Act) else Act("nothing")
    ctx.fact(who, "done", slot.id if slot else "", "G-03")
    ctx.guard(lambda state: able(state, who), "the actor is down")
    if act.kind == "spell":
        begin_spell(ctx, who, slot.segment or 0 if slot else 0, act.target)
    elif act.kind == "due":
        ctx.end_named(who, "casting", "the spell goes off", "G-06")
        ctx.add_effect(Effect("glow", who, 0, who, (At("segment_start", "any", 1, segment=5),)), "G-07")
    else:
        strike(ctx, who, act.target)
    ctx.walk()


def begin_spell(ctx: Ctx, who: Id, segment: int, target: Id) -> None:
    """Begin on one segment. The slot in which the spell goes off is put into the running round."""
    ctx.add_effect(Effect("casting", who, 0, who, (At("round_end"),)), "G-06")
    due = segment - 3
    if due < LAST:
        ctx.skip("spell", "it goes off too late", "G-06", who=who)
        return
    number, slots, coming = ctx.state.clock.round, ctx.state.clock.slots, ctx.state.clock.upcoming
    added = Slot(
        f"r{number}/{who}/due",
        f"{ctx.state.name(who)}: spell goes off",
        "acts",
        due,
        (who,),
        turns="none",
        data=Act("due", target),
    )
    ctx.emit(OrderSet(slots, (*(slot for slot in slots if slot not in coming), *in_order([*coming, added]))), "G-06")


def strike(ctx: Ctx, who: Id, aimed: Id) -> None:
    standing = [option.key for option in foes(ctx.state, who)]
    if aimed not in standing:
        if not standing:
            ctx.skip("attack", "nobody is left to strike", "G-08", who=who)
            return
        aimed = ctx.choose("target", [*standing, "none"], "G-08", default=standing[0], who=who)
    if aimed != "none" and ctx.roll("strike", Dice.of(1, 100), "G-09", who=who) <= 55:
        hurt(ctx, aimed, ctx.roll("harm", block(ctx.state[who]).damage, "G-09", who=who), "G-09", source=who)
        ctx.add_effect(Effect("stunned", aimed, 0, who, (At("round_end"),)), "G-10")


def advance(state: State) -> Action | None:
    slot = state.clock.current
    if (
        slot is not None
        and isinstance(slot.data, Act)
        and slot.members
        and able(state, slot.members[0])
        and state.fact(slot.members[0], "done") != slot.id
    ):
        return Action("resolve", slot.members[0])
    return None if finished(state) else Action("next")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        enlist(ctx, who)


RULESET = Ruleset(
    key="segments",
    title="Segments",
    version=1,
    schema=Schema((("pc", Fighter), ("monster", Fighter)), data=(Plan, Act)),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    statuses=STATUSES,
    join=join,
    on_boundary=on_boundary,
    settle=draw_conclusions,
    skip=skip,
    advance=advance,
)  # fmt: skip - one record
