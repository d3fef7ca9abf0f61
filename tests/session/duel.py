"""A small game of its own.

Two sides, initiative by dice, one strike per round each, and actions that break every promise a ruleset makes.
"""

from __future__ import annotations

import time
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import FactSet, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import Boundary
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Data

__all__ = ["DUEL", "DUEL_2", "Fighter", "Luck", "encounter"]

BROKEN = ("crash", "loop", "stale", "twice", "secret_data", "late_refusal")


class Fighter(Struct, Data, frozen=True, tag=True):
    hp: int = 10
    skill: int = 0


class Luck(Struct, Data, frozen=True, tag=True):
    points: int


class Unlisted(Struct, Data, frozen=True, tag=True):
    """A Struct the schema does not name."""

    points: int = 0


def _open_fight(ctx: Ctx, encounter: Encounter) -> None:
    for side in ctx.state.sides:
        asked: Literal["player", "gm"] = "player" if side.control == "players" else "gm"
        total = ctx.roll(f"initiative:{side.id}", Dice.of(1, 6), to=asked, why=f"initiative of {side.name}")
        ctx.fact(f"side:{side.id}", "initiative", total)


def _join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        block = ctx.state[who].block
        assert isinstance(block, Fighter)
        hp = block.hp or ctx.roll(f"hp:{who}", Dice.of(2, 6), who=who, setup=True)
        ctx.emit(PoolSet(who, None, Pool("hp", hp, hp)))
        ctx.fact(who, "luck", Luck(1))


def _open_round(ctx: Ctx) -> None:
    state = ctx.state
    order = sorted(state.sides, key=lambda side: -int(str(state.fact(f"side:{side.id}", "initiative", 0))))
    number = state.clock.round
    slots = tuple(
        Slot(
            f"r{number}/{side.id}",
            side.name,
            side.id,
            None,
            tuple(member.id for member in state.members(side.id)),
            side.id,
        )
        for side in order
    )
    ctx.emit(OrderSet(state.clock.slots, slots))


def _on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "turn_start":
        ctx.refill({who: (("strike", 1),) for who in boundary.actors if who in ctx.state}, "D-2")


def _settle(ctx: Ctx) -> None:
    for combatant in ctx.state.combatants:
        if combatant.has_pool("hp") and combatant.hp <= 0:
            ctx.status(combatant.id, "down", "D-4")


def _actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = ("strike", "wait", "parry", *BROKEN) if by is not None else ("scheme",)
    specs = (_form(state, Action(key, by)) for key in keys)
    return tuple(spec for spec in specs if spec is not None)


def _form(state: State, action: Action) -> ActionSpec | None:
    by = action.by
    match action.key:
        case "strike":
            foes = tuple(
                Option(other.id, other.name)
                for other in state.combatants
                if by is not None and other.side != state[by].side and other.status == "up"
            )
            refusal = None
            if by is None:
                refusal = Refusal("nobody", "somebody has to strike", forcible=False)
            elif not foes:
                refusal = Refusal("nobody_left", "nobody is left to strike at", forcible=False)
            elif state[by].status != "up":
                refusal = Refusal("down", f"{state.name(by)} is down", "D-4")
            elif state[by].left("strike") < 1:
                refusal = Refusal("no_strike_left", f"{state.name(by)} has struck already", "D-2")
            return ActionSpec(
                "strike",
                "Strike",
                by,
                "strike",
                "D-1",
                (Field("target", "combatant", required=True, options=foes),),
                refusal,
            )
        case "parry" | "wait":
            refusal = (
                Refusal("down", f"{state.name(by)} is down", "D-4")
                if by is not None and state[by].status != "up"
                else None
            )
            return ActionSpec(action.key, action.key.title(), by, rule="D-3", refusal=refusal)
        case "scheme":
            return ActionSpec("scheme", "Scheme", by)
        case key if key in BROKEN:
            return ActionSpec(key, key.title(), by)
    return None


def _perform(ctx: Ctx, action: Action) -> None:
    by = action.by or ""
    match action.key:
        case "strike":
            _strike(ctx, by, str(action.get("target")))
        case "parry":
            ctx.roll("parry", Dice.of(1, 6), "D-3", who=by, why="parry")
            ctx.fact("fight", "parried", True)
        case "wait":
            ctx.note("waits", about=by)
        case "scheme":
            how = ctx.choose("how", ("poison", "bribe"), why="how to scheme")
            whom = ctx.choose("whom", ("guard", "cook"), default="cook", why="whom")
            ctx.number("price", why="price", minimum=1, default=5 if how == "bribe" else None)
            ctx.note(f"{how} {whom}")
        case key:
            _break(ctx, key, by)


def _strike(ctx: Ctx, by: Id, target: Id) -> None:
    ctx.spend(by, "strike", "D-2")
    natural = ctx.roll("attack", Dice.of(1, 20), "D-1", who=by, why="attack")
    ctx.window("before_hit", by, target)
    block = ctx.state[by].block
    skill = block.skill if isinstance(block, Fighter) else 0
    if not ctx.ruling("hit", natural + skill >= 10 and ctx.state.fact("fight", "parried") is not True):
        ctx.fact("fight", "parried", None)
        return
    dealt = ctx.roll("damage", Dice.of(1, 6), "D-1", who=by, why="damage")
    ctx.change(target, "hp", ctx.state[target].hp - dealt, "D-1", source=by)
    if ctx.state[target].hp <= 0:
        ctx.roll("wound", Dice.of(1, 6), "D-5", who=target, why="wound")


def _windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    target = state.get(window.target)
    if target is None or target.fact("parries") is not True or state.fact("fight", "parried") is True:
        return ()
    return (ActionSpec("parry", "Parry", target.id, rule="D-3"),)


def _break(ctx: Ctx, key: str, by: Id) -> None:
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
            ctx.perform(Action("strike", by))


DUEL = Ruleset(
    "duel",
    "Duel",
    1,
    Schema((("pc", Fighter), ("monster", Fighter)), data=(Luck,)),
    _open_round,
    _actions,
    _form,
    _perform,
    open_fight=_open_fight,
    join=_join,
    on_boundary=_on_boundary,
    settle=_settle,
    windows=_windows,
)


def _perform_2(ctx: Ctx, action: Action) -> None:
    """The same game, written anew: a strike is aimed first."""
    if action.key == "strike":
        ctx.roll("aim", Dice.of(1, 4), who=action.by, why="aim")
    _perform(ctx, action)


DUEL_2 = replace(DUEL, version=2, perform=_perform_2)


def encounter(hp: int = 10, foes: int = 1, title: str = "The duel at dawn") -> Encounter:
    """Ansa and Bero against so many thugs."""
    party = SideSetup(
        "party", "Party", "players", tuple(Member(Fighter(hp, 2), name, "pc") for name in ("Ansa", "Bero"))
    )
    thugs = SideSetup("foes", "Foes", "gm", (Member(Fighter(hp), "Thug", "monster", Dice(plus=foes)),))
    return Encounter("duel", title, (party, thugs))
