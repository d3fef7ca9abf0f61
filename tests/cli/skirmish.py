"""A made-up game with one of every kind of question.

Sides take turns; everybody has one main and one instant action. A blow is 1d20 + `to_hit` against `ac`, then 1d8;
the target may parry, and their friends may riposte, which is a blow inside the blow.
"""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.events import Checked, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.errors import Refusal, Refused
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Data


class Fighter(Struct, Data, frozen=True, tag=True, forbid_unknown_fields=True):
    name: str
    hp: Dice = Dice(plus=6)
    ac: int = 12
    to_hit: int = 2
    id: str = ""
    notes: str = ""


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        block = ctx.state[who].block
        assert isinstance(block, Fighter)
        if block.name == "Unwelcome":
            raise Refused(Refusal("unwelcome", "Unwelcome is not welcome here", "SK-001", forcible=False))
        points = ctx.roll(f"hp:{who}", block.hp, "SK-001", who=who, why="hit points", setup=True) + block.hp.plus
        ctx.emit(PoolSet(who, None, Pool("hp", points, points)), "SK-001")


def open_round(ctx: Ctx) -> None:
    number = ctx.state.clock.round
    slots = tuple(
        Slot(
            f"r{number}/{side.id}",
            side.name,
            side.id,
            members=tuple(member.id for member in ctx.state.members(side.id)),
            side=side.id,
        )
        for side in ctx.state.sides
    )
    ctx.emit(
        OrderSet(
            ctx.state.clock.slots,
            (*(slot for slot in ctx.state.clock.slots if slot.id in ctx.state.clock.begun), *slots),
        ),
        "SK-002",
    )


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "phase_start":
        ctx.refill({who: (("main", 1), ("instant", 1)) for who in boundary.actors if who in ctx.state}, "SK-003")


def settle(ctx: Ctx) -> None:
    for combatant in ctx.state.combatants:
        if combatant.has_pool("hp") and combatant.hp == 0 and combatant.status == "up":
            ctx.status(combatant.id, "down", "SK-009")


def derived(state: State, who: Id, name: str) -> Derived:
    combatant = state[who]
    block = combatant.block
    assert isinstance(block, Fighter)
    base = block.ac if name == "ac" else block.to_hit
    changes = [
        Part(effect.shown, modifier.amount)
        for effect in combatant.effects
        for modifier in effect.modifiers
        if modifier.stat == name
    ]
    return Derived.total([Part(name, base), *changes])


def form(state: State, action: Action) -> ActionSpec | None:
    who = action.by
    if action.key not in LABELS or who is None:
        return None
    combatant = state[who]
    foes = tuple(Option(other.id, other.name) for other in state.combatants if other.side != combatant.side)
    slot = state.clock.current
    refusal: Refusal | None = None
    if combatant.status != "up":
        refusal = Refusal("down", f"{combatant.name} is down", "SK-009", forcible=False)
    elif action.key not in REACTIONS and (slot is None or who not in slot.members):
        refusal = Refusal("not_their_turn", f"it is not {combatant.name}'s turn", "SK-002")
    elif not combatant.left("instant" if action.key in REACTIONS else "main"):
        refusal = Refusal("no_action_left", f"{combatant.name} has acted already", "SK-003")
    fields: tuple[Field, ...] = (
        (Field("target", "combatant", required=True, options=foes),) if action.key in ("blow", "riposte") else ()
    )
    if action.key == "scatter":
        fields = (
            Field("targets", "combatants", required=True, options=foes, minimum=1),
            Field("loud", "flag"),
            Field("shout", "text"),
        )
    return ActionSpec(action.key, LABELS[action.key], who, fields=fields, refusal=refusal, rule="SK-010")


LABELS = {
    "blow": "Blow",
    "riposte": "Riposte",
    "parry": "Parry",
    "brace": "Brace",
    "scatter": "Scatter",
    "oracle": "Oracle",
}
REACTIONS = ("parry", "riposte")


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    specs = (form(state, Action(key, by)) for key in LABELS if key not in REACTIONS)
    return tuple(spec for spec in specs if spec is not None)


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    if window.name != "after_roll" or window.target is None:
        return ()
    side = state[window.target].side
    specs = [form(state, Action("parry", window.target))]
    specs += [form(state, Action("riposte", member.id)) for member in state.members(side)]
    return tuple(spec for spec in specs if spec is not None and spec.refusal is None)


def perform(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    ctx.spend(who, "instant" if action.key in REACTIONS else "main", "SK-003")
    match action.key:
        case "blow" | "riposte":
            blow(ctx, who, str(action.get("target")))
        case "parry":
            ctx.add_effect(
                Effect(
                    "parrying", who, source=who, until=(At("turn_start", "bearer"),), modifiers=(Modifier("ac", 4),)
                ),
                "SK-012",
            )
        case "brace":
            ctx.add_effect(Effect("braced", who, source=who, until=(At("round_end"),)), "SK-013")
        case "scatter":
            targets = action.get("targets")
            assert isinstance(targets, tuple)
            chance = ctx.roll("chance", Dice.of(1, 100), "SK-014", who=who, why="to scatter them")
            spared = ctx.pick(
                "spared", [str(target) for target in targets], "SK-014", default=(), who=who, why="who is spared"
            )
            faces = ctx.faces("force", Dice.of(2, 6), "SK-014", who=who, why="force")
            extra = ctx.number("extra", "SK-014", default=0, minimum=0, maximum=9, who=who)
            for target in targets:
                if chance >= 50 and target not in spared:
                    ctx.change(str(target), "hp", ctx.state[str(target)].hp - max(faces) - extra, "SK-014", source=who)
        case _:
            answer = ctx.choose("answer", ["moon", "sun", "5", "second_wind"], "SK-015", who=who, why="what is drawn")
            ctx.fact(who, "omen", answer, "SK-015")
            if answer == "second_wind":
                ctx.spend(who, "main", "SK-015", amount=-1)


def blow(ctx: Ctx, who: Id, target: Id) -> None:
    ctx.guard(lambda state: state[who].status == "up", "the attacker is down")
    natural = ctx.roll("attack", Dice.of(1, 20), "SK-011", who=who, why="to hit")
    if who == "cara":
        ctx.window("feint", who, target)
    ctx.window("after_roll", who, target, why=f"{natural} on the die")
    bonus, ac = derived(ctx.state, who, "to_hit"), derived(ctx.state, target, "ac")
    hit = ctx.ruling("hit", natural + bonus.value >= ac.value)
    ctx.emit(
        Checked(
            "blow",
            who,
            natural + bonus.value,
            "hit" if hit else "miss",
            target,
            (Part("die", natural), *bonus.parts),
            ac.value,
            "AC",
            ac.parts,
        ),
        "SK-011",
    )
    if hit:
        damage = ctx.roll("damage", Dice.of(1, 8), "SK-011", who=who, why="damage")
        ctx.change(target, "hp", ctx.state[target].hp - damage, "SK-011", source=who)


SKIRMISH = Ruleset(
    key="skirmish",
    title="Skirmish",
    version=1,
    schema=Schema(blocks=(("pc", Fighter), ("monster", Fighter)), derived=("ac", "to_hit"), round_seconds=10),
    open_round=open_round,
    actions=actions,
    form=form,
    perform=perform,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    windows=windows,
    derived=derived,
)
