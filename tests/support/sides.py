"""A made-up game of sides.

One any-order slot per side, a budget, interruptions after the roll, and a surprise round 0.
"""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, foes, hurt, target_field
from tracker.core.fight.events import Checked, OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, OnUse
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Data

FULL = (("main", 1), ("move", 1))


class Ambush(Struct, Data, frozen=True, tag=True):
    """Who is taken by surprise."""

    surprised: tuple[Id, ...] = ()


class Switches(Struct, Data, frozen=True, tag=True):
    """The house rules."""

    morale: bool = False
    sudden: str = "no"


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    scores = {side.id: ctx.roll(f"initiative:{side.id}", Dice.of(1, 8), "S-01") for side in ctx.state.sides}
    best = [side for side, score in scores.items() if score == max(scores.values())]
    first = ctx.choose("tie", best, "S-02", default=best[0]) if len(best) > 1 else best[0]
    order = (first, *sorted((side for side in scores if side != first), key=lambda side: -scores[side]))
    ctx.fact(FIGHT, "order", order, "S-01")
    setup = encounter.setup
    if isinstance(setup, Ambush):
        ready = [side for side in order if side not in setup.surprised]
        ctx.emit(OrderSet((), tuple(slot(ctx.state, 0, side) for side in ready)), "S-03")


def slot(state: State, number: int, side: Id) -> Slot:
    members = tuple(member.id for member in state.members(side))
    return Slot(f"r{number}/{side}", state.side(side).name, phase=side, members=members, side=side)


def open_round(ctx: Ctx) -> None:
    state, order = ctx.state, ctx.state.fact(FIGHT, "order")
    known = order if isinstance(order, tuple) else ()
    sides = [str(side) for side in known] + [side.id for side in state.sides if side.id not in known]
    ctx.emit(OrderSet(state.clock.slots, tuple(slot(state, state.clock.round, side) for side in sides)), "S-01")


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        enlist(ctx, who)
        slots = ctx.state.clock.slots
        own = next((item for item in slots if item.side == ctx.state[who].side), None)
        if own is not None:
            joined = Slot(own.id, own.title, own.phase, members=(*own.members, who), side=own.side)
            ctx.emit(OrderSet(slots, tuple(joined if item is own else item for item in slots)), "S-04")
    ctx.refill(dict.fromkeys(newcomers, FULL), "S-05")


def _present(state: State, who: Id) -> bool:
    return who in state


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "round_start":
        ctx.refill({one.id: FULL for one in ctx.state.combatants}, "S-05")
    elif boundary.edge == "phase_end":
        ctx.refill(
            {
                who: tuple((key, 0 if key == "move" else left) for key, left in ctx.state[who].budget)
                for who in boundary.actors
            },
            "S-06",
        )
    elif boundary.edge == "round_end":
        for victim in [one.id for one in ctx.state.combatants if one.has("bleeding")]:
            there = partial(_present, who=victim)
            lost = ctx.roll(f"bleed:{victim}", Dice.of(1, 2), "S-07", who=victim, asked_if=there)
            if lost is not None:
                hurt(ctx, victim, lost, "S-07")
        ctx.expire()
        if isinstance(ctx.state.house_rules, Switches) and ctx.state.house_rules.morale:
            ctx.confirm("morale", "S-08", default=False)


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    return (
        ()
        if by is None
        else tuple(
            spec for key in ("attack", "defend", "aim", "gash") if (spec := form(state, Action(key, by))) is not None
        )
    )


def form(state: State, action: Action) -> ActionSpec | None:
    labels = {
        "attack": "Attack",
        "defend": "Defend",
        "aim": "Aim",
        "gash": "Gash",
        "snap": "Snap attack",
        "dodge": "Dodge",
    }
    actor = state.get(action.by)
    if action.key not in labels or actor is None:
        return None
    current, instant = state.clock.current, action.key in ("snap", "dodge")
    needs: tuple[Field, ...] = (target_field(state, actor.id),) if action.key in ("attack", "gash", "snap") else ()
    refusal = None
    if actor.status != "up":
        refusal = Refusal("down", f"{actor.name} is down", "S-09")
    elif not instant and (current is None or actor.id not in current.members):
        refusal = Refusal("not_now", f"it is not {actor.name}'s turn", "S-10")
    elif actor.left("main") < 1:
        refusal = Refusal("spent", f"{actor.name} has acted", "S-11")
    return ActionSpec(
        action.key, labels[action.key], actor.id, "Instant" if instant else "Main", "S-12", needs, refusal
    )


def perform(ctx: Ctx, action: Action) -> None:
    who = action.by or ""
    ctx.spend(who, "main", "S-11")
    match action.key:
        case "defend" | "dodge":
            ctx.add_effect(
                Effect(action.key, who, 0, who, (At("phase_start", "bearer_side"),), (Modifier("defence", 4),)), "S-13"
            )
        case "aim":
            ctx.add_effect(
                Effect("aim", who, 0, who, (OnUse("attack"), At("round_end")), (Modifier("attack", 2),)), "S-14"
            )
        case _:
            strike(ctx, who, str(action.get("target")), bleeds=action.key == "gash", open_window=action.key != "snap")


def strike(ctx: Ctx, who: Id, target: Id, bleeds: bool, open_window: bool) -> None:
    ctx.guard(lambda state: able(state, who), "the attacker is down")
    die = ctx.roll("attack", Dice.of(1, 20), "S-15", who=who, classes=(1, 10))
    if open_window:
        ctx.window("after_roll", who, target, f"{die}")
    parts = (Part("die", die), *(Part("aim", 2) for _ in range(ctx.state[who].has("aim"))))
    total, against = Derived.total(parts), derived(ctx.state, target, "defence")
    hit = ctx.ruling("hit", total.value >= against.value)
    ctx.emit(
        Checked(
            "attack",
            who,
            total.value,
            "hit" if hit else "miss",
            target,
            total.parts,
            against.value,
            "defence",
            against.parts,
        ),
        "S-15",
    )
    ctx.use(who, "attack")
    if hit:
        hurt(ctx, target, ctx.roll("damage", block(ctx.state[who]).damage, "S-16", who=who), "S-16", source=who)
        if bleeds:
            ctx.add_effect(Effect("bleeding", target, 0, who, (At("round_end", count=2),)), "S-07")


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    found = (
        [form(state, Action("dodge", window.target))] if window.target and not state[window.target].has("dodge") else []
    )
    found += [
        form(state, Action("snap", one.id))
        for one in state.combatants
        if window.actor and one.side != state[window.actor].side
    ]
    return tuple(spec for spec in found if spec is not None and spec.refusal is None)


def derived(state: State, who: Id, name: str) -> Derived:
    held = [
        Part(effect.shown, modifier.amount)
        for effect in state[who].effects
        for modifier in effect.modifiers
        if modifier.stat == name
    ]
    return Derived.total((Part("stat block", block(state[who]).defence + 6), *held))


RULESET = Ruleset(
    key="sides",
    title="Sides",
    version=1,
    schema=Schema((("pc", Fighter), ("monster", Fighter)), Switches, Ambush, derived=("defence",)),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    statuses=STATUSES,
    open_fight=open_fight,
    join=join,
    on_boundary=on_boundary,
    settle=draw_conclusions,
    windows=windows,
    derived=derived,
    finished=lambda state: (
        None if state.combatants and foes(state, state.combatants[0].id) else "nobody is left to fight"
    ),
)  # fmt: skip - one record
