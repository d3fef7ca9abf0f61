"""Dice: attacks, saving throws, contests, damage, and what they bring about."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from fifth_edition import blocks, places
from fifth_edition.blocks import D20, Ability, Hurt, Power, able, ac, block, derived, helpless, save_bonus
from fifth_edition.places import MAP
from tracker import kit
from tracker.kit import Checked, Ctx, Defences, Harm, Id, Part, State, fields, modifiers, needs, twice


def defences(state: State, who: Id) -> Defences:
    """Return the kinds of damage that are halved, doubled, or nothing (FE-17)."""
    held = block(state, who)
    half = ("all",) if state[who].has("petrified") else held.resist
    return Defences(half=half, double=held.vulnerable, immune=held.immune)


def cushion(ctx: Ctx, who: Id, points: int, harms: Sequence[Harm]) -> Part | None:
    """Let temporary points take what they can (FE-19)."""
    held = temp(ctx.state, who)
    if not held:
        return None
    taken = min(held, points)
    ctx.change(who, "temp", held - taken, "FE-19")
    return Part("temporary", taken, "FE-19")


def temp(state: State, who: Id) -> int:
    return state[who].pool("temp").now if state[who].has_pool("temp") else 0


def wounded(ctx: Ctx, who: Id, dealt: kit.Dealt) -> None:
    """Let damage break concentration, fail death saves, and kill at once (FE-20, FE-22, FE-23)."""
    one = ctx.state[who]
    most = one.pool("hp").max
    if one.status in ("dying", "stable") and dealt.lost:
        fail_death(ctx, who, 1)
    if one.status in ("up", "dying", "stable") and dealt.lost - dealt.held >= most and mortal(ctx.state, who):
        ctx.fact(who, "slain", True, "FE-23")
    if one.has("concentrating") and dealt.points and one.hp:
        against = max(10, dealt.points // 2)
        if not saves(ctx, who, "con", against, "FE-20", why="concentration"):
            ctx.end_named(who, "concentrating", "concentration is broken", "FE-20")


def mortal(state: State, who: Id) -> bool:
    return state[who].kind == "pc" or blocks.switches(state).monsters_fall_dying


def fail_death(ctx: Ctx, who: Id, times: int) -> None:
    """Count failed death saves (FE-22)."""
    failed = fields.whole(ctx.state[who].fact("failures")) + times
    ctx.fact(who, "failures", min(3, failed), "FE-22")
    if ctx.state[who].status == "stable":
        ctx.fact(who, "successes", None, "FE-22")


DAMAGE = kit.Damage(blocks.KINDS, defences, cushion, rules=("FE-16", "FE-17"), after=wounded)


class Outcome(Struct, frozen=True):
    """How an attack stands: its total, what it has to reach, whether it hits, and what guards have added."""

    total: int
    against: int
    hit: bool
    guard: int


def edge(state: State, who: Id, target: Id, power: Power) -> twice.Edge:
    """Return what effects and the situation give an attack: advantage, disadvantage or neither (FE-12, FE-14)."""
    exposed = [modifier.amount for _, modifier in modifiers.held(state, target, "exposed")]
    feet, near = MAP.apart(state, who, target), MAP.near
    shot = not power.melee or (power.range is not None and not near(state, who, target))
    crowded = any(near(state, who, foe.id) and able(state, foe.id) for foe in fields.foes(state, who))
    situation = [
        (1 if (feet is None or feet <= 5) and not shot else -1) if state[target].has("prone") else 0,
        -1 if shot and crowded else 0,
        -1 if shot and power.range and feet is not None and feet > power.range[0] else 0,
        1 if "pack tactics" in block(state, who).traits and beset(state, who, target) else 0,
        1 if state[target].status in ("dying", "stable") else 0,
    ]
    return twice.edge(state, who, "advantage", *exposed, *situation)


def twofold(edge: int) -> tuple[str, ...]:
    return ("FE-12",) if edge else ()


def beset(state: State, who: Id, target: Id) -> bool:
    friends = fields.allies(state, who)
    return any(MAP.near(state, friend.id, target) and able(state, friend.id) for friend in friends)


def strike(ctx: Ctx, who: Id, target: Id, power: Power, *rules: str) -> bool:
    """Roll an attack and what results from it, and tell whether it hit (FE-11)."""
    ctx.guard(lambda state: able(state, who), "the attacker cannot act any more")
    ctx.guard(lambda state: target in state, "the target is gone")
    found = edge(ctx.state, who, target, power)
    plus = power.hit or 0

    def reach(state: State) -> str:
        return needs(plus + bonus(state), armour(state), "AC", made="hits", sure=True)

    def bonus(state: State) -> int:
        return sum(part.part.amount for part in modifiers.effect_parts(state, who, "attack"))

    def armour(state: State) -> int:
        return ac(state, target) + places.cover(state, who, target)

    words, rules = f"{power.name} at {ctx.state.name(target)}", (*twofold(found), *rules)
    die = twice.roll(ctx, "attack", D20, "FE-11", *rules, edge=found, who=who, why=words, needed=reach)
    more = modifiers.roll_dice(ctx, "attack", who, "attack", "FE-31")
    critical = die == 20

    def compute(last: Outcome | None, responses: Sequence[kit.Response]) -> Outcome:
        added = sum(one.value for one in responses if isinstance(one.value, int))
        guard = added + (0 if last is None else last.guard)
        total, against = die + plus + bonus(ctx.state) + sum(part.amount for part in more), armour(ctx.state) + guard
        return Outcome(total, against, critical or (die != 1 and total >= against), guard)

    def prompt(result: Outcome) -> tuple[str, Sequence[str]] | None:
        words = "hit" if result.hit else "miss"
        return f"{result.total} against {result.against}: {words}", ("critical" if critical else words,)

    result = ctx.resolve_in_window("struck", compute, prompt, who, target)
    parts = (Part("d20", die), Part(power.name, plus), *more,
             *(one.part for one in modifiers.effect_parts(ctx.state, who, "attack")))  # fmt: skip # as above
    shield = (*derived(ctx.state, target, "ac").parts, Part("cover", places.cover(ctx.state, who, target), "FE-14"))
    shield = tuple(part for part in (*shield, Part("guard", result.guard, "FE-29")) if part.amount)
    hit = bool(ctx.ruling("hit", result.hit))
    word = ("critical hit" if critical else "hit") if hit else "miss"
    ctx.emit(Checked("attack", who, result.total, word, target, parts, result.against, "AC", shield), "FE-11", *rules)
    ctx.use(who, "attack")
    if hit:
        land(ctx, who, target, power, critical, found)
    return hit


def land(ctx: Ctx, who: Id, target: Id, power: Power, critical: bool, found: int) -> None:
    """Roll the damage of a hit, then the save that comes with it (FE-15)."""
    hurts = power.damage
    if (
        power.finesse
        and block(ctx.state, who).sneak.terms
        and (found > 0 or (found == 0 and beset(ctx.state, who, target)))
    ):
        slot = ctx.state.clock.current
        if slot is not None and ctx.state[who].fact("sneaked") != slot.id:
            ctx.fact(who, "sneaked", slot.id, "FE-27")
            hurts = (*hurts, Hurt(block(ctx.state, who).sneak, hurts[0].kind if hurts else "piercing"))
    struck_down = helpless(ctx.state, target) and MAP.near(ctx.state, who, target)
    critical = critical or struck_down
    harms = rolled(ctx, who, hurts, power.name, critical)
    dying = ctx.state[target].status in ("dying", "stable")
    DAMAGE.deal(ctx, target, harms, "FE-15", *(("FE-30",) if struck_down else ()), source=who)
    if critical and dying and target in ctx.state and ctx.state[target].status == "dying":
        fail_death(ctx, target, 1)
        ctx.settle()
    if target in ctx.state and ctx.state[target].status == "up":
        suffer(ctx, who, target, power, rolled(ctx, who, power.extra, f"{power.name}, save", False))


def rolled(ctx: Ctx, who: Id, hurts: Sequence[Hurt], why: str, critical: bool) -> tuple[Harm, ...]:
    found = []
    for place, hurt in enumerate(hurts):
        dice = hurt.dice.plus_dice(hurt.dice.natural) if critical else hurt.dice
        amount = hurt.dice.plus
        if dice.terms:
            amount += ctx.roll(f"{why}:{place}", dice.natural, "FE-15", who=who, why=f"{why}, {hurt.kind}")
        found.append(Harm(amount, hurt.kind))
    return tuple(found)


def suffer(ctx: Ctx, who: Id, target: Id, power: Power, harms: Sequence[Harm], parent: int | None = None) -> bool:
    """Let a target save against a power, and take what it has to; tell whether it saved (FE-18)."""
    saved = False
    if power.save is not None:
        if target not in ctx.state:
            return True
        saved = saves(ctx, target, power.save, power.dc, "FE-18", why=power.name, source=who)
        evades = power.save == "dex" and power.half and "evasion" in block(ctx.state, target).traits
        share = (0 if power.half is False or evades else 2) if saved else 2 if evades else 1
        harms = [Harm(harm.amount // share if share else 0, harm.kind) for harm in harms]
    if any(harm.amount for harm in harms):
        DAMAGE.deal(ctx, target, harms, "FE-18", source=who)
    if not saved and target in ctx.state and ctx.state[target].status != "dead":
        hold(ctx, who, target, power, parent)
    return saved


def hold(ctx: Ctx, who: Id, target: Id, power: Power, parent: int | None) -> None:
    """Put what a power brings about on a target (FE-30, FE-31)."""
    named = blocks.BY_NAME.get(power.condition)
    if named is None and not power.gives:
        return
    if power.condition in block(ctx.state, target).unaffected:
        ctx.skip(power.condition, f"{ctx.state.name(target)} is not affected", "FE-30", who=target)
        return
    until = blocks.lasting(power)
    name = power.condition or power.name.casefold()
    made = kit.NamedEffect(name).on(target, source=who, until=until, modifiers=power.gives or None)
    if named is not None:
        made = named.on(target, source=who, until=until)
    ctx.add_effect(replace(made, parent=parent), "FE-30" if named else "FE-31")


def saves(ctx: Ctx, who: Id, ability: Ability, against: int, *rules: str, why: str, source: Id | None = None) -> bool:
    """Roll a saving throw, and tell whether it succeeds (FE-13)."""
    state = ctx.state
    held = block(state, who)
    if ability in ("str", "dex") and helpless(state, who):
        ctx.emit(Checked(f"{ability} save", who, 0, "fails by itself", against=against), "FE-30", *rules)
        return False
    magic = 1 if source is not None and "magic resistance" in held.traits else 0
    found = twice.edge(state, who, "save_advantage", magic, cases=(ability,))
    words, cited = f"{ability} save: {why}", ("FE-13", *twofold(found))

    def reach(now: State) -> str:
        plus = save_bonus(now, who, ability).value if who in now else 0
        return needs(plus, against, "DC", made="saves", sure=False)

    with ctx.scope(f"save:{who}"):
        die = twice.roll(ctx, ability, D20, *cited, edge=found, who=who, why=words, needed=reach)
        more = modifiers.roll_dice(ctx, "save", who, "save", "FE-31")
    if who not in ctx.state:
        return True
    parts = (Part("d20", die), *save_bonus(ctx.state, who, ability).parts, *more)
    total = sum(part.amount for part in parts)
    saved = bool(ctx.ruling(f"saved:{who}", total >= against))
    ctx.emit(
        Checked(f"{ability} save", who, total, "saved" if saved else "failed", None, parts, against, "DC"),
        "FE-13",
        *rules,
    )
    return saved


def contest(ctx: Ctx, who: Id, target: Id, *rules: str) -> bool:
    """Roll Athletics against the better of Athletics and Acrobatics, and tell whether the first wins (FE-28)."""
    ctx.guard(lambda state: target in state, "the target is gone")
    mine, theirs = block(ctx.state, who), block(ctx.state, target)
    plus = blocks.skill(mine, "athletics", "str")
    minus = max(blocks.skill(theirs, "athletics", "str"), blocks.skill(theirs, "acrobatics", "dex"))
    first = ctx.roll("contest", D20, *rules, who=who, why="Athletics")
    second = ctx.roll(f"contest:{target}", D20, *rules, who=target, why="Athletics or Acrobatics")
    total, against = first + plus, second + minus
    parts = (Part("d20", first), Part("athletics", plus))
    word = "wins" if total > against else "loses"
    ctx.emit(Checked("contest", who, total, word, target, parts, against, "their check"), *rules)
    return total > against
