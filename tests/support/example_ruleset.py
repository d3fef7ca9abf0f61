"""Knives: a small complete game, the one that docs/writing-a-ruleset.md walks through."""

from __future__ import annotations

from msgspec import Struct

from tracker.kit import (
    Action,
    ActionSpec,
    At,
    Badge,
    Boundary,
    Checked,
    Column,
    Ctx,
    Data,
    Derived,
    Dice,
    Effect,
    Field,
    Id,
    Modifier,
    Moment,
    Option,
    OrderSet,
    Part,
    Pool,
    PoolSet,
    Refusal,
    Rule,
    RuleBook,
    Ruleset,
    Schema,
    Slot,
    State,
    Status,
    Window,
)

TWO_DICE = Dice.of(2, 6)


class Blade(Struct, Data, frozen=True, tag=True):
    """The stat block: what a file says of a fighter."""

    name: str
    hp: int = 8
    skill: int = 0
    defence: int = 7
    damage: Dice = Dice.of(1, 6)


class Switches(Struct, Data, frozen=True, tag=True):
    """The house rules; every one has a default."""

    deadly: bool = False


RULES = RuleBook(
    (
        Rule(
            "KN-01",
            "Initiative",
            "Whoever joins throws 2d6 + skill; the highest acts first, on a tie whoever joined first.",
        ),
        Rule("KN-02", "A turn", "A turn holds one action. It comes back when the next turn starts."),
        Rule("KN-03", "Attack", "2d6 + skill against the defence; a hit takes the blade's damage."),
        Rule("KN-04", "Guard", "Defence +2 until the start of the next turn."),
        Rule(
            "KN-05",
            "Twist away",
            "Once a round, somebody attacked may have the attack thrown again after seeing it.",
            "ask",
        ),
        Rule("KN-06", "Down", "At 0 hit points a fighter is down."),
        Rule("KN-07", "Deadly blades", "With the switch `deadly`, damage counts twice.", "option", "deadly"),
    )
)


def block(state: State, who: Id) -> Blade:
    """Return a fighter's stat block."""
    found = state[who].block
    assert isinstance(found, Blade)
    return found


def derived(state: State, who: Id, name: str) -> Derived:
    """Return a number with its parts: from the stat block, and from what holds on the fighter."""
    base = {"defence": block(state, who).defence, "skill": block(state, who).skill}[name]
    held = [
        (effect, modifier) for effect in state[who].effects for modifier in effect.modifiers if modifier.stat == name
    ]
    return Derived.total(
        (Part(name, base), *(Part(effect.shown, modifier.amount, effect.rule) for effect, modifier in held))
    )


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points and their place in the order."""
    for who in newcomers:
        full = block(ctx.state, who).hp
        ctx.emit(PoolSet(who, None, Pool("hp", full, full)))
        thrown = ctx.roll(f"initiative:{who}", TWO_DICE, "KN-01", who=who, why="initiative")
        ctx.fact(who, "initiative", thrown + block(ctx.state, who).skill, "KN-01")


def open_round(ctx: Ctx) -> None:
    """Emit the schedule of this round: one slot for each fighter."""
    state, number = ctx.state, ctx.state.clock.round
    order = sorted(state.combatants, key=lambda one: -int(str(one.fact("initiative", 0))))
    slots = tuple(
        Slot(f"r{number}/{one.id}", one.name, phase=one.id, members=(one.id,), side=one.side) for one in order
    )
    ctx.emit(OrderSet(state.clock.slots, slots or (Slot(f"r{number}/nobody", "Nobody"),)), "KN-01")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back the action when a turn starts, and the twist when a round does."""
    if boundary.edge == "turn_start":
        ctx.refill({who: (("action", 1), ("twist", ctx.state[who].left("twist"))) for who in boundary.actors}, "KN-02")
    elif boundary.edge == "round_start":
        ctx.refill({one.id: (("action", one.left("action")), ("twist", 1)) for one in ctx.state.combatants}, "KN-05")


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from the state: who is down, who is up again."""
    for one in ctx.state.combatants:
        if one.status in ("up", "down"):
            ctx.status(one.id, "up" if one.hp > 0 else "down", "KN-06")


LABELS = {"attack": "Attack", "guard": "Guard", "twist": "Twist away"}


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the specification of an action, as far as it is filled in; None for one this game does not know."""
    actor = state.get(action.by)
    if action.key not in LABELS or actor is None:
        return None
    foes = tuple(
        Option(other.id, other.name) for other in state.combatants if other.side != actor.side and other.status == "up"
    )
    target = Field("target", "combatant", required=True, options=foes, default=foes[0].key if foes else None)
    if action.key == "twist":
        return ActionSpec(
            "twist", LABELS["twist"], actor.id, "Twist", "KN-05", refusal=cannot(state, actor.id, "twist")
        )
    fields = (target,) if action.key == "attack" else ()
    return ActionSpec(
        action.key, LABELS[action.key], actor.id, "Action", "KN-02", fields, cannot(state, actor.id, "action")
    )


def cannot(state: State, who: Id, cost: str) -> Refusal | None:
    """Return why a fighter cannot pay for something now, or None."""
    actor, slot = state[who], state.clock.current
    if actor.status != "up":
        return Refusal("down", f"{actor.name} is down", "KN-06")
    if cost == "action" and (slot is None or who not in slot.members):
        return Refusal("not_now", f"it is not {actor.name}'s turn", "KN-01")
    if not actor.left(cost):
        return Refusal("spent", f"{actor.name} has used the {cost} already", "KN-02" if cost == "action" else "KN-05")
    return None


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    """Return what a fighter can do, legal and refused, the default first."""
    specs = [] if by is None else [form(state, Action(key, by)) for key in ("attack", "guard")]
    return tuple(spec for spec in specs if spec is not None)


def perform(ctx: Ctx, action: Action) -> None:
    """Do an action whose form has been accepted."""
    who = action.by or ""
    if action.key == "twist":
        ctx.spend(who, "twist", "KN-05")
        return
    ctx.spend(who, "action", "KN-02")
    if action.key == "guard":
        ctx.add_effect(
            Effect("guard", who, until=(At("turn_start", "bearer"),), modifiers=(Modifier("defence", 2),)), "KN-04"
        )
    else:
        attack(ctx, who, str(action.get("target")))


def attack(ctx: Ctx, who: Id, target: Id) -> None:
    """Throw, let the target twist away, then throw the damage."""
    ctx.guard(lambda state: who in state and state[who].status == "up", "the attacker is down")
    ctx.guard(lambda state: target in state, "the target is gone")
    thrown = ctx.roll("attack", TWO_DICE, "KN-03", who=who, why=f"attack on {ctx.state.name(target)}")
    if ctx.window("after_roll", who, target, why=f"{thrown} thrown", again=False):
        thrown = ctx.roll("again", TWO_DICE, "KN-05", who=who, why="thrown again")
    skill, defence = (
        derived(ctx.state, who, "skill"),
        derived(ctx.state, target, "defence"),
    )  # read after the last question
    total = Derived.total((Part("2d6", thrown), *skill.parts))
    hit = ctx.ruling("hit", total.value >= defence.value)
    ctx.emit(
        Checked(
            "attack",
            who,
            total.value,
            "hit" if hit else "miss",
            target,
            total.parts,
            defence.value,
            "defence",
            defence.parts,
        ),
        "KN-03",
    )
    if hit:
        rolled, damage = (
            ctx.roll("damage", block(ctx.state, who).damage, "KN-03", who=who, why="damage"),
            block(ctx.state, who).damage,
        )
        parts = [Part(str(damage.natural), rolled), *([Part("blade", damage.plus)] if damage.plus else [])]
        if isinstance(ctx.state.house_rules, Switches) and ctx.state.house_rules.deadly:
            parts.append(Part("deadly", rolled + damage.plus, "KN-07"))
        ctx.change(
            target, "hp", ctx.state[target].hp - sum(part.amount for part in parts), "KN-03", parts=parts, source=who
        )


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Return who may interrupt at a window, with what: only what is legal."""
    spec = form(state, Action("twist", window.target))
    return (spec,) if spec is not None and spec.refusal is None else ()


def policy(state: State, who: Id) -> Action:
    """Return a plain choice for somebody nobody plays: attack while it can, else go on."""
    spec = form(state, Action("attack", who))
    field = spec.field("target") if spec is not None and spec.refusal is None else None
    return (
        Action("next")
        if field is None or field.default is None
        else Action("attack", who, (("target", field.default),))
    )


def finished(state: State) -> str | None:
    """Return why the fight seems to be over."""
    standing = {one.side for one in state.combatants if one.status == "up"}
    return None if len(standing) > 1 else "one side is left" if standing else "nobody is left"


def hit_points(state: State, who: Id) -> str:
    """Return what stands in the column of hit points."""
    return f"{state[who].hp}/{state[who].pool('hp').max}"


RULESET = Ruleset(
    key="knives",
    title="Knives",
    version=1,
    schema=Schema(
        blocks=(("pc", Blade), ("monster", Blade)), house_rules=Switches, derived=("defence", "skill"), round_seconds=6
    ),
    rulebook=RULES,
    statuses=(
        Status("up", "up", acts=True),
        Status("down", "down", "x"),
        Status("gone", "gone", "-", takes_part=False),
    ),
    columns=(
        Column("hp", "HP", 7, hit_points, bar="hp"),
        Column("def", "Def", 3, lambda state, who: str(derived(state, who, "defence").value)),
    ),
    moments=(
        Moment("{n} rounds", (At("turn_start", "bearer"),)),
        Moment("end of the round", (At("round_end"),)),
        Moment("until removed", ()),
    ),
    badges=lambda state, who: (Badge("A" if state[who].left("action") else "·", "action", "budget"),),
    open_round=open_round,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    actions=actions,
    form=form,
    perform=perform,
    windows=windows,
    derived=derived,
    policy=policy,
    finished=finished,
)
