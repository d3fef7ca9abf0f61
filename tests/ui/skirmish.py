"""A small game with everything the screen has to show.

Dice for initiative, one attack a turn, a window after the roll, effects, questions of every kind.
"""

from __future__ import annotations

from msgspec import Struct

from tracker.core.fight.events import Checked, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Badge, Column, NamedEffect, Reminder, Schema, Status
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup, TimedNote
from tracker.core.terms.errors import Refusal
from tracker.core.terms.labels import Rule, RuleBook
from tracker.core.terms.moments import At, Boundary
from tracker.core.terms.requests import Window
from tracker.core.terms.values import Data

__all__ = ["SKIRMISH", "Body", "encounter", "find"]


class Body(Struct, Data, frozen=True, tag=True):
    hp: int = 7
    armour: int = 12
    to_hit: int = 1
    damage: Dice = Dice.of(1, 6)


class House(Struct, Data, frozen=True, tag=True):
    """House rules: initiative for each, a parry, a reminder, a question without a default."""

    individual: bool = False
    parries: bool = False
    owed: bool = False
    bare: bool = False


def body(state: State, who: Id) -> Body:
    block = state[who].block
    assert isinstance(block, Body)
    return block


def house(state: State) -> House:
    return state.house_rules if isinstance(state.house_rules, House) else House()


def _join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    for who in newcomers:
        full = body(ctx.state, who).hp
        ctx.emit(PoolSet(who, None, Pool("hp", full, full)))
    ctx.refill(dict.fromkeys(newcomers, (("act", 1),)))
    clock = ctx.state.clock
    if clock.in_round:
        slots = tuple(
            Slot(f"r{clock.round}/{who}", ctx.state.name(who), members=(who,), side=None) for who in newcomers
        )
        ctx.emit(OrderSet(clock.slots, (*clock.slots, *slots)))


def _open_round(ctx: Ctx) -> None:
    state = ctx.state
    number = state.clock.round
    if house(state).individual:
        totals = {}
        for person in state.combatants:
            if person.kind == "pc" and number == 1:
                totals[person.id] = ctx.roll(
                    f"initiative:{person.id}", Dice.of(1, 20), "S-1", who=person.id, why="initiative"
                )
        order = sorted(state.combatants, key=lambda person: -totals.get(person.id, 0))
    else:
        order = list(state.combatants)
    slots = tuple(Slot(f"r{number}/{person.id}", person.name, members=(person.id,)) for person in order)
    ctx.emit(OrderSet(state.clock.slots, slots), "S-1")


def _on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    if boundary.edge == "turn_start":
        ctx.refill({who: (("act", 1),) for who in boundary.actors if who in ctx.state}, "S-2")


def _settle(ctx: Ctx) -> None:
    for person in ctx.state.combatants:
        standing = not person.pools or person.pools[0].now > 0
        if person.status == ("down" if standing else "up"):
            ctx.status(person.id, "up" if standing else "down", "S-5")


def _foes(state: State, by: Id | None) -> tuple[Option, ...]:
    side = None if by is None else state[by].side
    return tuple(
        Option(other.id, other.name)
        for other in state.combatants
        if side is not None and other.side != side and other.status == "up"
    )


def _actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    keys = ("attack", "aim", "brawl", "shout") if by is not None else ("weather",)
    return tuple(spec for key in keys if (spec := _form(state, Action(key, by))) is not None)


def _form(state: State, action: Action) -> ActionSpec | None:
    by = action.by
    spent = None
    if by is not None and state[by].left("act") < 1:
        spent = Refusal("no_act_left", f"{state.name(by)} has acted already", "S-2")
    match action.key:
        case "attack":
            weapons = (Option("sword", note="d6"), Option("bow", note="d6"))
            fields = (
                Field("target", "combatant", required=True, options=_foes(state, by)),
                Field("weapon", "choice", default="sword", options=weapons),
            )
            return ActionSpec("attack", "Attack", by, "Main", "S-3", fields, spent)
        case "aim":
            return ActionSpec("aim", "Aim", by, "Move", "S-4", (), Refusal("no_bow", "no bow in hand", "S-4"))
        case "brawl":
            rows = Field(
                "blows",
                "rows",
                columns=(Field("at", "choice", options=(Option("head"), Option("body"))), Field("bonus", "number")),
            )
            return ActionSpec(
                "brawl",
                "Brawl",
                by,
                "Main",
                "S-3",
                (Field("hard", "flag"), Field("bonus", "number", default=0, maximum=5), rows),
                spent,
            )
        case "shout":
            return ActionSpec("shout", "Shout", by, "", "S-6", (Field("words", "text", required=True),))
        case "parry":
            return ActionSpec("parry", "Parry", by, "Instant", "S-4")
        case "weather":
            return ActionSpec("weather", "Weather", None, rule="S-6", group="fight")
    return None


def _perform(ctx: Ctx, action: Action) -> None:
    by = action.by or ""
    match action.key:
        case "attack":
            _attack(ctx, by, str(action.get("target")))
        case "brawl":
            ctx.spend(by, "act", "S-2")
            ctx.note(f"brawls, {len(action.rows('blows'))} blows, bonus {action.get('bonus')}", "S-3", about=by)
        case "shout":
            ctx.note(f"shouts {action.get('words')}", "S-6", about=by)
        case "parry":
            ctx.fact("fight", "parried", True, "S-4")
        case "weather":
            sky = ctx.choose(
                "sky", ("rain", "sun"), "S-6", default=None if house(ctx.state).bare else "sun", why="the sky"
            )
            wet = ctx.pick("wet", tuple(person.id for person in ctx.state.combatants), "S-6", why="who gets wet")
            inches = ctx.number("inches", "S-6", why="how much", minimum=0, maximum=9)
            ctx.note(f"{sky}, {inches} inches on {len(wet)}", "S-6")


def _attack(ctx: Ctx, by: Id, target: Id) -> None:
    ctx.spend(by, "act", "S-2")
    natural = ctx.roll("attack", Dice.of(1, 20), "S-3", who=by, why=f"attack on {ctx.state.name(target)}")
    if house(ctx.state).parries:
        ctx.window("after_roll", by, target, why=f"{natural} on the die")
    total = natural + body(ctx.state, by).to_hit
    hit = total >= body(ctx.state, target).armour and ctx.state.fact("fight", "parried") is not True
    ctx.fact("fight", "parried", None)
    armour = body(ctx.state, target).armour
    ctx.emit(
        Checked(
            "attack",
            by,
            total,
            "hit" if hit else "miss",
            target,
            (Part("d20", natural), Part("skill", body(ctx.state, by).to_hit)),
            armour,
            "AC",
        ),
        "S-3",
    )
    if hit:
        dealt = ctx.roll("damage", body(ctx.state, by).damage, "S-3", who=by, why="damage")
        ctx.change(target, "hp", ctx.state[target].hp - dealt, "S-3", parts=(Part("d6", dealt),), source=by)


def _windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    target = state.get(window.target)
    return (
        (ActionSpec("parry", "Parry", target.id, "Instant", "S-4"),)
        if target is not None and state.fact("fight", "parried") is not True
        else ()
    )


def _derived(state: State, who: Id, name: str) -> Derived:
    extra = [
        Part(effect.shown, modifier.amount)
        for effect in state[who].effects
        for modifier in effect.modifiers
        if modifier.stat == name
    ]
    return Derived.total([Part("armour", body(state, who).armour), *extra])


def _ac(state: State, who: Id) -> str:
    return str(_derived(state, who, "armour").value)


def _badges(state: State, who: Id) -> tuple[Badge, ...]:
    return (Badge("A" if state[who].left("act") else "·", "act", "budget"),)


def _pending(state: State) -> tuple[Reminder, ...]:
    return (
        (Reminder("morale", "the goblins owe a morale check", None, Action("weather"), "S-7", lapses=True),)
        if house(state).owed
        else ()
    )


def _hp(state: State, who: Id) -> str:
    pool = state[who].pool("hp")
    return f"{pool.now}/{pool.max}"


RULES = RuleBook(
    (
        Rule("S-1", "Order of turns", "Everybody acts once a round, in the order of initiative."),
        Rule("S-2", "One act a turn", "A turn holds one act; what is spent comes back at the start of the next turn."),
        Rule("S-3", "Attacking", "A die of twenty and the skill against the armour; a hit deals the weapon's die."),
        Rule("S-4", "Parrying", "The target may parry once the die is seen.", "ask"),
        Rule("S-5", "Going down", "At no hit points a combatant is down."),
        Rule("S-6", "Words and weather", "They change nothing.", "manual"),
        Rule("S-7", "Morale", "The game master decides.", "manual"),
    )
)

SKIRMISH = Ruleset(
    "skirmish",
    "Skirmish",
    1,
    Schema((("pc", Body), ("monster", Body)), House, derived=("armour",)),
    _open_round,
    _actions,
    _form,
    _perform,
    rulebook=RULES,
    columns=(
        Column("hp", "HP", 5, _hp, "right", bar="hp", own=True),
        Column("ac", "AC", 3, _ac, "right", priority=1, own=True),
    ),
    statuses=(
        Status("up", "up", acts=True),
        Status("down", "down", "x"),
        Status("dead", "dead", "†"),
        Status("fled", "fled", "-", takes_part=False),
    ),
    effects=(NamedEffect("prone", rule="S-4"), NamedEffect("protected", "protected", (At("round_end"),), "S-4")),
    join=_join,
    on_boundary=_on_boundary,
    settle=_settle,
    windows=_windows,
    derived=_derived,
    badges=_badges,
    pending=_pending,
)


def encounter(
    goblins: int = 3,
    rules: House | None = None,
    heroes: tuple[str, ...] = ("Ava", "Wolf", "Brin", "Col"),
    title: str = "Goblin ambush",
) -> Encounter:
    """Heroes against so many goblins. Labels: a Ava, w Wolf, b Brin, c Col, then the goblins g, h, i."""
    party = SideSetup("party", "Party", "players", tuple(Member(Body(20, 14, 3), name, "pc") for name in heroes))
    foes = SideSetup(
        "goblins", "Goblins", "gm", (Member(Body(), "Goblin", "monster", Dice(plus=goblins), ref="goblin"),)
    )
    return Encounter(
        "skirmish", title, (party, foes), rules or House(), reminders=(TimedNote("the ford rises", "start of round 2"),)
    )


def find(text: str) -> tuple[Member, ...]:
    """A bestiary of two."""
    beasts = (Member(Body(), "Goblin", "monster", ref="goblin"), Member(Body(12, 13, 3), "Worg", "monster", ref="worg"))
    return tuple(beast for beast in beasts if beast.name.casefold().startswith(text.casefold()))
