"""Knives: a small complete game, the one that docs/writing-a-ruleset.md walks through."""

from __future__ import annotations

from msgspec import Struct

from tracker.kit import (
    Action,
    ActionTable,
    ActionType,
    At,
    Badge,
    Boundary,
    Checked,
    Column,
    Ctx,
    Data,
    Derived,
    Dice,
    Economy,
    Effect,
    Field,
    Id,
    Modifier,
    Moment,
    Order,
    Part,
    Pool,
    PoolSet,
    Ruleset,
    Schema,
    State,
    Status,
    Tactics,
    answering,
    budget,
    fields,
    modifiers,
    refusals,
    rules_beside,
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
    """The house rules, each with a default."""

    deadly: bool = False


RULES = rules_beside(__file__, "example_rules.md")


def block(state: State, who: Id) -> Blade:
    """Return a fighter's stat block."""
    found = state[who].block
    assert isinstance(found, Blade)
    return found


def derived(state: State, who: Id, name: str) -> Derived:
    """Return a number with its parts: the stat block's, and those of effects."""
    base = {"defence": block(state, who).defence, "skill": block(state, who).skill}[name]
    return modifiers.derived(state, who, name, Part(name, base))


ORDER = Order(lambda state, who: (-fields.whole(state.fact(who, "initiative")),), rules=("KN-01",))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points and their place in the order."""
    for who in newcomers:
        full = block(ctx.state, who).hp
        ctx.emit(PoolSet(who, None, Pool("hp", full, full)))
    for who in newcomers:  # after the points: the screen shows everybody while this is asked
        rolled = ctx.roll(f"initiative:{who}", TWO_DICE, "KN-01", who=who, why="initiative")
        ctx.fact(who, "initiative", rolled + block(ctx.state, who).skill, "KN-01")
    ORDER.join(ctx, newcomers)


ECONOMY = Economy(budget(action=1, twist=1), refresh_at={"action": "turn_start", "twist": "round_start"})


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give back the action when a turn starts, and the twist when a round does."""
    ECONOMY.refresh(ctx, boundary, "KN-02")
    ORDER.on_boundary(ctx, boundary)


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from the state: who is down, who is up again."""
    for one in ctx.state.combatants:
        if one.status in ("up", "down"):
            ctx.status(one.id, "up" if one.hp > 0 else "down", "KN-06")


def whom(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of an attack: which foe."""
    return (fields.target(fields.options(fields.foes(state, action.by))),)


def guard(ctx: Ctx, action: Action) -> None:
    """Hold the blade up until the next turn."""
    until, more = (At("turn_start", "bearer"),), (Modifier("defence", 2),)
    ctx.add_effect(Effect("guard", action.by or "", until=until, modifiers=more), "KN-04")


def attack(ctx: Ctx, action: Action) -> None:
    """Roll, let the target twist away, then roll the damage."""
    who, target = action.by or "", fields.text(action, "target")
    ctx.guard(lambda state: who in state and state[who].status == "up", "the attacker is down")
    ctx.guard(lambda state: target in state, "the target is gone")
    rolled = ctx.roll("attack", TWO_DICE, "KN-03", who=who, why=f"attack on {ctx.state.name(target)}")
    if ctx.window("after_roll", who, target, why=f"{rolled} rolled", again=False):
        rolled = ctx.roll("again", TWO_DICE, "KN-05", who=who, why="rolled again")
    skill, defence = derived(ctx.state, who, "skill"), derived(ctx.state, target, "defence")  # after the last question
    total = Derived.total((Part("2d6", rolled), *skill.parts))
    hit = ctx.ruling("hit", total.value >= defence.value)
    word = "hit" if hit else "miss"
    ctx.emit(
        Checked("attack", who, total.value, word, target, total.parts, defence.value, "defence", defence.parts),
        "KN-03",
    )
    if hit:
        wound(ctx, who, target)


def wound(ctx: Ctx, who: Id, target: Id) -> None:
    """Roll the blade's damage and take it from the target."""
    damage = block(ctx.state, who).damage
    rolled = ctx.roll("damage", damage, "KN-03", who=who, why="damage")
    parts = [Part(str(damage.natural), rolled), *([Part("blade", damage.plus)] if damage.plus else [])]
    if isinstance(ctx.state.house_rules, Switches) and ctx.state.house_rules.deadly:
        parts.append(Part("deadly", rolled + damage.plus, "KN-07"))
    left = ctx.state[target].hp - sum(part.amount for part in parts)
    ctx.change(target, "hp", left, "KN-03", parts=parts, source=who)


ACTIONS = ActionTable(
    (
        ActionType("attack", "Attack", "KN-02", "Action", budget(action=1), perform=attack, fields=whom),
        ActionType("guard", "Guard", "KN-02", "Action", budget(action=1), perform=guard),
        ActionType(
            "twist",
            "Twist away",
            "KN-05",
            "Twist",
            budget(twist=1),
            when="any",
            listed=False,
            answers=answering("after_roll", "target"),
        ),
    ),
    ECONOMY,
    unable=lambda state, who: refusals.down(state, who, "KN-06"),
)


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Return a plain choice for the forecast: attack while that is possible, else nothing."""
    spec = ACTIONS.form(state, Action("attack", who))
    field = spec.field("target") if spec is not None and spec.refusal is None else None
    if field is None or field.default is None:
        return None
    return Action("attack", who, (("target", field.default),))


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
        Status("gone", "gone", "-", takes_part=False, left=True),
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
    open_round=ORDER.open_round,
    join=join,
    on_boundary=on_boundary,
    settle=settle,
    actions=ACTIONS.actions,
    form=ACTIONS.form,
    perform=ACTIONS.perform,
    windows=ACTIONS.windows,
    derived=derived,
    policy=policy,
    finished=finished,
)
