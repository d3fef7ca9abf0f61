"""A made-up game of sides.

One any-order slot per side, one main and one instant action each, interruptions after the roll, a surprise round 0, and
actions that break every promise a ruleset makes.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tests.support.common import STATUSES, Fighter, able, block, draw_conclusions, enlist, foes, hurt, target_field
from tracker.core.fight.events import Checked, FactSet, OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, OnUse
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Data

FULL = (("main", 1), ("instant", 1))
MAIN = ("attack", "defend", "aim", "gash")
INSTANT = ("dodge", "snap")
FREE = ("wait", "parry")
BROKEN = ("crash", "loop", "stale", "twice", "secret_data", "late_refusal")


class Ambush(Struct, Data, frozen=True, tag=True):
    """Who is taken by surprise."""

    surprised: tuple[Id, ...] = ()


class Switches(Struct, Data, frozen=True, tag=True):
    """The house rules."""

    morale: bool = False
    sudden: str = "no"
    ties: bool = True
    reactions: bool = True
    wounds: bool = False


class Unlisted(Struct, Data, frozen=True, tag=True):
    """A Struct the schema does not name."""

    points: int = 0


def switches(state: State) -> Switches:
    return state.house_rules if isinstance(state.house_rules, Switches) else Switches()


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    scores: dict[Id, int] = {}
    for side in ctx.state.sides:
        to: Literal["player", "gm"] = "player" if side.control == "players" else "gm"
        scores[side.id] = ctx.roll(
            f"initiative:{side.id}", Dice.of(1, 8), "S-01", to=to, why=f"initiative of {side.name}"
        )
    best = [side for side, score in scores.items() if score == max(scores.values())]
    tied = len(best) > 1 and switches(ctx.state).ties
    first = ctx.choose("tie", best, "S-02", default=best[0]) if tied else best[0]
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
    elif boundary.edge == "round_end":
        for victim in [one.id for one in ctx.state.combatants if one.has("bleeding")]:
            there = partial(_present, who=victim)
            lost = ctx.roll(f"bleed:{victim}", Dice.of(1, 2), "S-07", who=victim, asked_if=there)
            if lost is not None:
                hurt(ctx, victim, lost, "S-07")
        ctx.expire()
        if switches(ctx.state).morale:
            ctx.confirm("morale", "S-08", default=False)


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = ("scheme",) if by is None else (*MAIN, "wait")
    return tuple(spec for key in keys if (spec := form(state, Action(key, by))) is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    key, actor, current = action.key, state.get(action.by), state.clock.current
    if key in BROKEN or (key == "scheme" and actor is None):
        return ActionSpec(key, key.title(), action.by)
    if key not in (*MAIN, *INSTANT, *FREE) or (actor is None and key not in FREE):
        return None
    refusal = None
    if actor is None:
        return ActionSpec(key, key.capitalize(), None, rule="S-12")
    part = "instant" if key in INSTANT else "main"
    if actor.status != "up":
        refusal = Refusal("down", f"{actor.name} is down", "S-09")
    elif key in MAIN and (current is None or actor.id not in current.members):
        refusal = Refusal("not_now", f"it is not {actor.name}'s turn", "S-10")
    elif key not in FREE and actor.left(part) < 1:
        refusal = Refusal("spent", f"{actor.name} has acted already", "S-11")
    needs: tuple[Field, ...] = (target_field(state, actor.id),) if key in ("attack", "gash", "snap") else ()
    label = "Snap attack" if key == "snap" else key.capitalize()
    return ActionSpec(key, label, actor.id, "" if key in FREE else part.capitalize(), "S-12", needs, refusal)


def perform(ctx: Ctx, action: Action) -> None:
    who, key = action.by or "", action.key
    if key in (*MAIN, *INSTANT):
        ctx.spend(who, "instant" if key in INSTANT else "main", "S-11")
    match key:
        case "defend" | "dodge":
            ends = (At("phase_start", "bearer_side"),)
            ctx.add_effect(Effect(key, who, 0, who, ends, (Modifier("ac", 4),)), "S-13")
        case "aim":
            aimed_for = (OnUse("attack"), At("round_end"))
            ctx.add_effect(Effect("aim", who, 0, who, aimed_for, (Modifier("to_hit", 2),)), "S-14")
        case "attack" | "gash" | "snap":
            strike(ctx, who, str(action.get("target")), bleeds=key == "gash", open_window=key != "snap")
        case "wait":
            ctx.note("waits", about=who)
        case "parry":
            ctx.roll("parry", Dice.of(1, 6), "S-13", who=action.by, why="parry")
            ctx.fact(FIGHT, "parried", True)
        case "scheme":
            how = ctx.choose("how", ("poison", "bribe"), why="how to scheme")
            whom = ctx.choose("whom", ("guard", "cook"), default="cook", why="whom")
            ctx.number("price", why="price", minimum=1, default=5 if how == "bribe" else None)
            ctx.note(f"{how} {whom}")
        case _:
            break_promise(ctx, key, who)


def strike(ctx: Ctx, who: Id, target: Id, bleeds: bool, open_window: bool) -> None:
    ctx.guard(lambda state: able(state, who), "the attacker is down")
    die = ctx.roll("attack", Dice.of(1, 20), "S-15", who=who, why="to hit")
    if open_window and switches(ctx.state).reactions:
        ctx.window("after_roll", who, target, f"{die}")
    bonus, against = derived(ctx.state, who, "to_hit"), derived(ctx.state, target, "ac")
    total = Derived.total((Part("die", die), *bonus.parts))
    hit = ctx.ruling("hit", total.value >= against.value and ctx.state.fact(FIGHT, "parried") is not True)
    result, parts = "hit" if hit else "miss", total.parts
    ctx.emit(Checked("attack", who, total.value, result, target, parts, against.value, "AC", against.parts), "S-15")
    ctx.use(who, "attack")
    if not hit:
        ctx.fact(FIGHT, "parried", None)
        return
    dealt = ctx.roll("damage", block(ctx.state[who]).damage, "S-16", who=who, why="damage")
    hurt(ctx, target, dealt, "S-16", source=who)
    if bleeds:
        ctx.add_effect(Effect("bleeding", target, 0, who, (At("round_end", count=2),)), "S-07")
    if switches(ctx.state).wounds and ctx.state[target].hp <= 0:
        ctx.roll("wound", Dice.of(1, 6), "S-16", who=target, why="wound")


def break_promise(ctx: Ctx, key: str, by: Id) -> None:
    ctx.note("it begins")
    match key:
        case "crash":
            ctx.roll("before", Dice.of(1, 6), why="before the crash")
            raise ZeroDivisionError("by nought")
        case "loop":
            while True:
                time.sleep(0)
        case "stale":
            ctx.emit(FactSet("fight", "nothing", 7, 8))
        case "twice":
            ctx.number("again", default=1)
            ctx.number("again", default=1)
        case "secret_data":
            ctx.fact(by, "luck", Unlisted())
        case "late_refusal":
            ctx.roll("first", Dice.of(1, 6), why="first")
            ctx.perform(Action("attack", by, (("target", by),)))


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    dodges = window.target and not state[window.target].has("dodge")
    found = [form(state, Action("dodge", window.target))] if dodges else []
    found += [
        form(state, Action("snap", one.id))
        for one in state.combatants
        if window.actor and one.side != state[window.actor].side
    ]
    return tuple(spec for spec in found if spec is not None and spec.refusal is None)


def derived(state: State, who: Id, name: str) -> Derived:
    base = {"ac": block(state[who]).ac, "to_hit": block(state[who]).to_hit}[name]
    held = [
        Part(effect.shown, modifier.amount)
        for effect in state[who].effects
        for modifier in effect.modifiers
        if modifier.stat == name
    ]
    return Derived.total((Part(name, base), *held))


RULESET = Ruleset(
    key="sides",
    title="Sides",
    version=1,
    schema=Schema(
        (("pc", Fighter), ("monster", Fighter)), Switches, Ambush, derived=("ac", "to_hit"), round_seconds=10
    ),
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


def aimed(ctx: Ctx, action: Action) -> None:
    """The same game, written anew: an attack is aimed first."""
    if action.key == "attack":
        ctx.roll("aim", Dice.of(1, 4), who=action.by, why="aim")
    perform(ctx, action)


NEXT_VERSION = replace(RULESET, version=2, perform=aimed)


def duel(hp: int = 10, foes: int = 1, title: str = "The duel at dawn") -> Encounter:
    """Ansa and Bero against so many thugs, without interruptions and with wounds. Without points they are rolled."""
    points = Dice(plus=hp) if hp else Dice.of(2, 6)
    heroes = tuple(Member(Fighter(name, points, to_hit=4), name, "pc") for name in ("Ansa", "Bero"))
    thug = Member(Fighter("Thug", points), "Thug", "monster", Dice(plus=foes))
    sides = (SideSetup("party", "Party", "players", heroes), SideSetup("foes", "Foes", "gm", (thug,)))
    return Encounter("sides", title, sides, Switches(ties=False, reactions=False, wounds=True))
