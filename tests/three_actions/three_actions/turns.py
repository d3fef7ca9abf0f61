"""Turns: who acts when, with how many actions, and what their edges bring."""

from __future__ import annotations

from collections.abc import Sequence

from three_actions.blocks import CONDITIONS, D20, KINDS, ONGOING, POOLS, block, derived
from tracker.kit import (
    Boundary,
    Budget,
    Checked,
    Ctx,
    Damage,
    Defences,
    Economy,
    Harm,
    Id,
    Order,
    Part,
    Pool,
    PoolSet,
    State,
    budget,
    degree,
    fields,
    takes_turn,
)


def full(state: State, who: Id) -> Budget:
    """Return a fresh turn: three actions, less what slows, and a reaction."""
    return budget(actions=max(0, 3 - CONDITIONS.value(state, who, "slowed")), reaction=1)


ECONOMY = Economy(full, words={"actions": "action"}, rules=("TA-02",))
ORDER = Order(lambda state, key: (-fields.whole(state[key].fact("initiative")),), rules=("TA-01",))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their pools, roll their initiative, and give them a place."""
    for who in newcomers:
        for key in POOLS:
            if points := getattr(block(ctx.state, who), key):
                ctx.emit(PoolSet(who, None, Pool(key, points, points)))
    ECONOMY.empty(ctx, newcomers)
    for who in newcomers:
        die = ctx.roll(f"initiative:{who}", D20, "TA-01", who=who, why="initiative")
        ctx.fact(who, "initiative", die + derived(ctx.state, who, "wits").value, "TA-01")
    ORDER.join(ctx, newcomers)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Give actions and recovery at a turn's start, ongoing damage at its end."""
    if takes_turn(boundary):
        ECONOMY.refresh(ctx, boundary)
    for who in boundary.actors if takes_turn(boundary) else ():
        if boundary.edge == "turn_start":
            ctx.fact(who, "strikes", None)
            recover(ctx, who)
        for name in ONGOING if boundary.edge == "turn_end" else ():
            suffer(ctx, who, name)
    CONDITIONS.on_boundary(ctx, boundary)
    ORDER.on_boundary(ctx, boundary)


def recover(ctx: Ctx, who: Id) -> None:
    """Roll whether a dying combatant gets better or worse (TA-11)."""

    def dying(state: State) -> bool:
        return who in state and state[who].status == "dying"

    die = ctx.roll(f"recovery:{who}", D20, "TA-11", who=who, why="recovery", asked_if=dying)
    if die is None:
        return
    against = 10 + CONDITIONS.value(ctx.state, who, "dying")
    found = degree(die, against, die)
    ctx.emit(Checked("recovery", who, die, found.word, against=against, against_what="difficulty"), "TA-06", "TA-11")
    CONDITIONS.change(ctx, who, "dying", (2, 1, -1, -2)[found])


def suffer(ctx: Ctx, who: Id, name: str) -> None:
    """Do ongoing damage, then roll whether it goes out (TA-10)."""
    points = CONDITIONS.value(ctx.state, who, name)
    if not points:
        return
    DAMAGE.deal(ctx, who, (Harm(points, ONGOING[name], name),), "TA-10")
    if who in ctx.state and ctx.roll(f"{name}:{who}", D20, "TA-10", who=who, why=f"{name}: 15 ends it") >= 15:
        CONDITIONS.end(ctx, who, name, "flat check", "TA-10")


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from hit points and from the value of dying."""
    for who in [one.id for one in ctx.state.combatants if one.has_pool("hp")]:
        one, dying = ctx.state[who], CONDITIONS.value(ctx.state, who, "dying")
        if one.status in ("up", "out") and (dying or (one.status == "up" and not one.hp)):
            fall(ctx, who, dying)
        elif one.status == "dying" and (one.hp or not dying):
            CONDITIONS.end(ctx, who, "dying", "on its feet again", "TA-12")
            CONDITIONS.change(ctx, who, "wounded", 1, "TA-12")
            ctx.status(who, "up" if one.hp else "out", "TA-12")
        elif one.status == "out" and one.hp:
            ctx.status(who, "up", "TA-12")
        if ctx.state[who].status == "dying" and CONDITIONS.value(ctx.state, who, "dying") >= 4:
            ctx.status(who, "dead", "TA-11")
        if ctx.state[who].status == "dead":
            CONDITIONS.end(ctx, who, "dying", "dead")


def fall(ctx: Ctx, who: Id, dying: int) -> None:
    """Let a monster die, and a player character begin to (TA-11)."""
    if ctx.state[who].kind != "pc" and not dying:
        ctx.status(who, "dead", "TA-11")
        return
    if not dying:
        worse = CONDITIONS.value(ctx.state, who, "wounded") + bool(ctx.state[who].fact("critical"))
        CONDITIONS.set(ctx, who, "dying", 1 + worse, "TA-11", "TA-12")
    if ctx.state[who].hp:
        ctx.change(who, "hp", 0, "TA-11")
    ctx.status(who, "dying", "TA-11")
    slot = ctx.state.clock.current
    if slot is not None and slot.stage == "round" and slot.members:
        ORDER.put(ctx, who, slot.members[0], "TA-11")


def absorb(ctx: Ctx, who: Id, points: int, harms: Sequence[Harm]) -> Part | None:
    """Let a raised shield take some of a blow, and bear the rest too (TA-09)."""
    hardness = block(ctx.state, who).hardness
    if not ctx.state[who].has_pool("shield") or not any(harm.kind in ("blunt", "edged") for harm in harms):
        return None
    responses = ctx.window("hurt", target=who, why=f"{points} points", again=False)
    if not any(response.finished for response in responses) or who not in ctx.state:
        return None
    ctx.change(who, "shield", ctx.state[who].pool("shield").now - max(0, points - hardness), "TA-09")
    return Part("shield", hardness, "TA-09")


def against(state: State, who: Id) -> Defences:
    """Return what a combatant has against damage."""
    held = block(state, who)
    return Defences(tuple(held.resist.items()), tuple(held.weak.items()), held.immune)


DAMAGE = Damage(KINDS, against, absorb, rules=("TA-07",))
