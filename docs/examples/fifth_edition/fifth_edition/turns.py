"""Turns: who acts when, with what, and what the edges of a turn bring."""

from fifth_edition import blocks, places
from fifth_edition.blocks import BY_NAME, D20, Place, block, initiative, speed
from fifth_edition.checks import fail_death, mortal, saves
from tracker import kit
from tracker.kit import Ctx, Id, Pool, PoolSet, State, budget, fields, takes_turn
from tracker.kit import saves as ends_by_save

TURN = ("action", "bonus", "reaction", "move", "attacks", "legendary")


def full(state: State, who: Id) -> kit.Budget:
    """Return a fresh turn (FE-03), and what a stat block has for longer (FE-25)."""
    held = block(state, who)
    uses = {use(power.name): power.uses or 1 for power in (*held.attacks, *held.powers) if power.limited}
    return budget(action=1, bonus=1, reaction=1, move=speed(state, who), attacks=0, legendary=held.legendary, **uses)


def use(name: str) -> str:
    return f"use_{name.casefold().replace(' ', '_')}"


ECONOMY = kit.Economy(
    full,
    refresh_at=dict.fromkeys(TURN, "turn_start"),
    words={"bonus": "bonus action", "move": "feet", "attacks": "attack", "legendary": "legendary action"},
    rules=("FE-03",),
)
ORDER = kit.Order(
    lambda state, key: (-fields.whole(state[key].fact("initiative")), -initiative(block(state, key))),
    rules=("FE-01",),
)


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their points, their squares and their places in the order."""
    rolled: dict[tuple[str, object], int] = {}
    for who in newcomers:
        one, held = ctx.state[who], block(ctx.state, who)
        ctx.emit(PoolSet(who, None, Pool("hp", held.hp, held.hp)), "FE-16")
        ctx.emit(PoolSet(who, None, Pool("temp", 0, 0, open=True)), "FE-19")
        for name, amount in zip(blocks.SLOTS, held.slots, strict=False):
            if amount:
                ctx.emit(PoolSet(who, None, Pool(name, amount, amount)), "FE-24")
        if isinstance(one.data, Place) and one.data.surprised:
            ctx.add_effect(BY_NAME["surprised"].on(who), "FE-02")
    places.MAP.settle(ctx, newcomers, "FE-05")
    ECONOMY.give(ctx, newcomers)
    for who in newcomers:
        one, held = ctx.state[who], block(ctx.state, who)
        group = (
            (one.side, held.name) if one.kind != "pc" and blocks.switches(ctx.state).group_initiative else (who, None)
        )
        if group not in rolled:
            rolled[group] = ctx.roll(f"initiative:{who}", D20, "FE-01", who=who, why="initiative", setup=True)
        if who in ctx.state:
            ctx.fact(who, "initiative", rolled[group] + initiative(held), "FE-01")
    ORDER.join(ctx, tuple(who for who in newcomers if who in ctx.state))


def on_boundary(ctx: Ctx, boundary: kit.Boundary) -> None:
    """Give back what returns, roll what is rolled at the edges of a turn."""
    if takes_turn(boundary):
        ECONOMY.refresh(ctx, boundary)
        for who in boundary.actors if boundary.edge == "turn_start" else ():
            ctx.fact(who, "swings", None)
            recharge(ctx, who)
            death_save(ctx, who)
    ends_by_save.on_boundary(ctx, boundary, save_off)
    if boundary.edge == "turn_end" and boundary.slot and takes_turn(boundary):
        for who in boundary.actors:
            if who in ctx.state and ctx.state[who].status == "up":
                ctx.window("turn_over", who, why="the turn is over", again=False)
    ORDER.on_boundary(ctx, boundary)


def save_off(ctx: Ctx, effect: kit.Effect, end: kit.OnSave) -> bool:
    """Save against what a save ends (FE-18)."""
    ability = next(one for one in blocks.ABILITIES if one == end.key)
    return saves(ctx, effect.bearer, ability, end.against, "FE-18", why=effect.shown, source=effect.source)


def recharge(ctx: Ctx, who: Id) -> None:
    """Roll whether a spent breath comes back (FE-25)."""
    for power in (*block(ctx.state, who).attacks, *block(ctx.state, who).powers):
        if not power.recharge:
            continue
        part = use(power.name)

        def spent(state: State, part: str = part) -> bool:
            return who in state and state[who].status == "up" and not state[who].left(part)

        words, needed = f"{power.name} recharges", f"{power.recharge} or more"
        die = ctx.roll(f"{part}:{who}", kit.Dice.of(1, 6), "FE-25", who=who, why=words, needed=needed, asked_if=spent)
        if die is not None and die >= power.recharge:
            ECONOMY.put(ctx, who, part, 1, "FE-25")


def death_save(ctx: Ctx, who: Id) -> None:
    """Roll whether a dying combatant comes closer to death (FE-22)."""

    def dying(state: State) -> bool:
        return who in state and state[who].status == "dying"

    needed = "10 or more holds on"
    die = ctx.roll(f"death:{who}", D20, "FE-22", who=who, why="death save", needed=needed, asked_if=dying)
    if die is None:
        return
    if die == 20:
        ctx.change(who, "hp", 1, "FE-22", why="death save")
    elif die >= 10:
        ctx.fact(who, "successes", fields.whole(ctx.state[who].fact("successes")) + 1, "FE-22")
    else:
        fail_death(ctx, who, 2 if die == 1 else 1)
    ctx.settle()


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from hit points, death saves and what holds (FE-20 to FE-23)."""
    for who in [one.id for one in ctx.state.combatants if one.has_pool("hp")]:
        one = ctx.state[who]
        if one.status in ("dead", "gone"):
            continue
        failures, successes = fields.whole(one.fact("failures")), fields.whole(one.fact("successes"))
        exhausted = one.effect("exhausted")
        if one.fact("slain") or failures >= 3 or (exhausted is not None and exhausted.value == 6):
            fall(ctx, who, "dead", "FE-23" if one.fact("slain") else "FE-22")
        elif one.hp > 0:
            for fact in ("failures", "successes") if failures or successes or one.status != "up" else ():
                ctx.fact(who, fact, None, "FE-22")
            ctx.status(who, "up", "FE-21")
        elif not mortal(ctx.state, who):
            fall(ctx, who, "dead", "FE-21")
        elif one.status == "up":
            fall(ctx, who, "dying", "FE-21")
        elif successes >= 3:
            ctx.status(who, "stable", "FE-22")
        elif one.status == "stable":
            ctx.status(who, "stable" if failures == 0 else "dying", "FE-22")
        if not blocks.able(ctx.state, who):
            ctx.end_named(who, "concentrating", "it cannot concentrate any more", "FE-20")
    kit.end_childless(ctx, "concentrating")


def fall(ctx: Ctx, who: Id, status: str, rule: str) -> None:
    ctx.status(who, status, rule)
    if status == "dying":
        ctx.add_effect(BY_NAME["prone"].on(who, stacking="keep"), rule)
