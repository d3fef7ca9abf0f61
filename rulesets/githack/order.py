"""Rounds: set-up, initiative, the three phases, and what happens at their edges (4.1 to 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Literal, cast

from msgspec.structs import replace

from rulesets.githack.aftermath.wounds import bleed
from rulesets.githack.stat_blocks.models import PC, Monster
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge, Words, check
from rulesets.githack.stats.stats import REVIEWED, ROUNDS, set_ac
from tracker.core.fight.events import OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, Pool, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, Moment, Until
from tracker.kit.economy import Economy, budget

PHASES = ("fast", "monsters", "slow")
TITLES = {"fast": "Fast PCs", "monsters": "Monsters", "slow": "Slow PCs"}
UNPLACED = 10_000
ECONOMY = Economy(budget(main=1), refresh_at="round_start")


GROUPS = Words("fast", "slow", ("GH-013",), ("GH-014",))


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Wait in set-up, where initiative can be preset (A20)."""
    ctx.emit(OrderSet(ctx.state.clock.slots, (Slot("r0/setup", "Set-up", "setup", turns="none", stage="opening"),)))


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their track or hit points, and a place in the round (4.1)."""
    ECONOMY.give(ctx, newcomers)
    unrolled: list[Id] = []
    for who in newcomers:
        block = ctx.state[who].block
        if isinstance(block, PC):
            _outfit(ctx, who, block)
        elif isinstance(block, Monster):
            ctx.fact(who, "ac", block.ac, "GH-020", "GH-025")
            if block.hp is None:
                unrolled.append(who)
            else:
                ctx.emit(PoolSet(who, None, Pool("hp", block.hp, block.hp)), "GH-305")
    for who in unrolled:
        _roll_points(ctx, who, cast(Monster, ctx.state[who].block))
    if ctx.state.clock.round:
        find_places(ctx, newcomers)


def _outfit(ctx: Ctx, who: Id, block: PC) -> None:
    ctx.fact(who, "harm", block.harm, "GH-115")
    ctx.fact(who, "angst", block.angst, "GH-112")
    if block.scars:
        ctx.fact(who, "scars", block.scars)
    if stats.rules(ctx.state).stances and block.stance:
        ctx.fact(who, "stance", block.stance, "GH-205")
    ctx.fact(who, "ac", block.ac, "GH-020", "GH-023")


def _roll_points(ctx: Ctx, who: Id, block: Monster) -> None:
    """Roll a monster's hit points, at least 1 (GH-052, GH-304)."""
    printed = f" ({block.quick_hp} printed)" if block.quick_hp else ""
    why = f"hit points of {ctx.state.name(who)}{printed}"
    rolled = ctx.roll(f"hp:{who}", block.hd, "GH-052", who=who, to="gm", why=why, setup=True)
    hp = max(1, rolled + block.hd.plus)
    ctx.emit(PoolSet(who, None, Pool("hp", hp, hp)), "GH-052", "GH-304")


def find_places(ctx: Ctx, newcomers: Sequence[Id]) -> None:
    if not newcomers:
        return
    slots = list(ctx.state.clock.slots)
    phase = ctx.state.clock.phase
    for who in newcomers:
        wanted = "slow" if stats.is_pc(ctx.state[who]) else "monsters"
        if wanted == "slow" and phase == "initiative":
            wanted = ""  # rolls with the others
        for place, slot in enumerate(slots):
            done = slot.id in ctx.state.clock.begun and slot.id != ctx.state.clock.at
            if slot.phase == wanted and not done:
                slots[place] = replace(slot, members=(*slot.members, who), stop=True)
    if tuple(slots) != ctx.state.clock.slots:
        ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "GH-065")


def rollers(state: State) -> tuple[Combatant, ...]:
    """Return the PCs who roll for initiative in this round (4.2).

    They can act, are not `ready`, and have no result yet where one is kept.
    """
    return tuple([combatant for combatant in stats.pcs(state) if _rolls(state, combatant)])


def _rolls(state: State, combatant: Combatant) -> bool:
    mode = stats.rules(state).initiative
    able = stats.acts(combatant) and not combatant.has("ready") and combatant.fact("preset") is None
    return mode != "none" and able and (mode == "each_round" or combatant.fact("group") is None)


def open_round(ctx: Ctx) -> None:
    """Make the round's schedule, and the groups where no PC has to roll."""
    number = ctx.state.clock.round
    slots = tuple(Slot(f"r{number}/{phase}", TITLES[phase], phase, stop=False) for phase in PHASES)
    end = Slot(f"r{number}/end", "Round end", "round_end", turns="none", stage="between")
    if rollers(ctx.state):
        first = Slot(f"r{number}/initiative", "Initiative", "initiative", turns="none")
        ctx.emit(OrderSet((), (first, *slots, end)), "GH-001", "GH-003")
    else:
        ctx.emit(OrderSet((), (*slots, end)), "GH-001", "GH-003")
        _forget(ctx)
        _group(ctx)


def roll_initiative(ctx: Ctx, action: Action) -> None:
    """Roll every PC against DEX, sort the groups, and begin the fast phase (GH-012 to GH-015)."""
    edges = {str(row["who"]): cast(Edge, str(row["edge"])) for row in action.rows("edges")}
    ctx.guard(lambda state: state.clock.phase == "initiative", "the round goes on")
    _forget(ctx)
    rolled: set[Id] = set()
    while who := _next_to_roll(ctx.state, rolled):
        edge, rolls = edges.get(who, "none"), partial(_still_rolls, who=who)
        result = check(
            ctx, f"initiative:{who}", who, "dex", "initiative", "GH-012", edge=edge, words=GROUPS, asked_if=rolls
        )
        if result is None:
            continue
        rolled.add(who)
        if who in ctx.state:
            _result(ctx, who, "fast" if result.success else "slow", result.number)
    _group(ctx)
    ctx.walk()


def _still_rolls(state: State, who: Id) -> bool:
    return who in state and _rolls(state, state[who])


def _next_to_roll(state: State, rolled: Collection[Id]) -> Id | None:
    waiting = (one for one in state.combatants if one.id not in rolled and stats.is_pc(one))
    return next((one.id for one in waiting if _rolls(state, one)), None)


def _forget(ctx: Ctx) -> None:
    """Take away the results of the round before, where they are rolled anew (GH-012)."""
    if stats.rules(ctx.state).initiative == "each_round":
        for combatant in stats.pcs(ctx.state):
            if combatant.fact("preset") is None:
                _result(ctx, combatant.id, None, None)


def _result(ctx: Ctx, who: Id, group: str | None, number: int | None) -> None:
    rule = {"fast": "GH-013", "slow": "GH-014"}.get(group or "", "GH-012")
    ctx.fact(who, "group", group, rule)
    ctx.fact(who, "number", number, rule, "GH-018", "GH-107")


def _group(ctx: Ctx) -> None:
    """Fill the three phases: the ready first, then Talk, then by number (4.3)."""
    for combatant in stats.pcs(ctx.state):
        if stats.rules(ctx.state).initiative == "none":
            _result(ctx, combatant.id, "fast", None)
        elif (preset := combatant.fact("preset")) is not None:
            _result(ctx, combatant.id, str(preset), None)
            ctx.fact(combatant.id, "preset", None, "GH-003")
    state = ctx.state
    living = [combatant for combatant in stats.pcs(state) if combatant.status not in ("dead", "gone")]
    ready = [combatant.id for combatant in living if combatant.has("ready") and stats.acts(combatant)]
    fast = [
        combatant
        for combatant in living
        if combatant.id in ready or (combatant.fact("group") == "fast" and stats.acts(combatant))
    ]
    kept = stats.rules(state).initiative != "each_round"
    if kept:  # who is helpless keeps its place for later
        fast = [combatant for combatant in living if combatant.id in ready or combatant.fact("group") == "fast"]
    slow = [combatant for combatant in living if combatant not in fast]
    members = {
        "fast": _ordered(state, fast, ready, "high_first"),
        "monsters": tuple(combatant.id for combatant in stats.monsters(state) if combatant.status == "up"),
        "slow": _ordered(state, slow, ready, stats.rules(state).slow_order),
    }
    slots = tuple(
        replace(slot, members=members[slot.phase], stop=bool(members[slot.phase])) if slot.phase in members else slot
        for slot in state.clock.slots
    )
    ctx.emit(
        OrderSet(state.clock.slots, slots), "GH-013", "GH-014", "GH-015", "GH-018", "GH-A03", "GH-A04", *_extra(state)
    )
    for combatant in living:  # it was for this round, also for those who cannot act in it
        ctx.end_named(combatant.id, "ready", "fast without a roll" if combatant.id in ready else "cannot act", "GH-219")
    if stats.rules(state).initiative == "each_round" or state.clock.round == 1 or ready:
        _tell_groups(ctx, members)


def _tell_groups(ctx: Ctx, members: Mapping[str, Sequence[Id]]) -> None:
    """Tell who is fast and who is slow, in order (GH-018)."""
    texts = [
        f"{group}: {', '.join(ctx.state.name(who) for who in members[group])}"
        for group in ("fast", "slow")
        if members[group]
    ]
    if texts:
        ctx.note("; ".join(texts), "GH-018", "GH-019")


def _extra(state: State) -> tuple[str, ...]:
    switches = stats.rules(state)
    talk = ("GH-216", "GH-222") if switches.stances else ()
    return (*talk, "GH-A30" if switches.initiative == "none" else "GH-107", "GH-019")


def skip(state: State, slot: Slot) -> Refusal | None:
    """Pass the phase of members who are all out of the fight (4.2).

    The helpless keep theirs, for Pursuit may still strike (GH-207).
    """
    if not slot.members or any(member in state and stats.in_fight(state[member]) for member in slot.members):
        return None
    return Refusal("nobody_left", "no member is left in the combat", "GH-017")


def _ordered(
    state: State, group: Sequence[Combatant], ready: Sequence[Id], order: Literal["high_first", "low_first"]
) -> tuple[Id, ...]:
    """Sort a group: ready, Talk (GH-216), number, DEX, roster (A03, A04).

    A combatant without a number comes last.
    """
    talk = stats.rules(state).stances

    def rank(combatant: Combatant) -> tuple[int, ...]:
        number = stats.number(combatant)
        first = 0 if combatant.id in ready else 1 if talk and combatant.fact("stance") == "talk" else 2
        by_number = UNPLACED if number is None else number if order == "low_first" else -number
        by_score = 0 if number is None else -stats.score(state[combatant.id], "dex")
        return first, by_number, by_score, state.places[combatant.id]

    return tuple(combatant.id for combatant in sorted(group, key=rank))


def wait(ctx: Ctx, who: Id) -> None:
    """Move a fast PC to the end of the slow group (section 6)."""
    slots = tuple(
        replace(slot, members=tuple(member for member in slot.members if member != who))
        if slot.phase == "fast"
        else replace(slot, members=(*slot.members, who), stop=True)
        if slot.phase == "slow"
        else slot
        for slot in ctx.state.clock.slots
    )
    ctx.emit(OrderSet(ctx.state.clock.slots, slots), "GH-019")


def reorder(ctx: Ctx, who: Id, before: Id | None) -> None:
    """Put a PC before another of its group, or last (A04)."""
    slots = list(ctx.state.clock.slots)
    place, slot = group_of(ctx.state, who)
    others = [member for member in slot.members if member != who]
    at = others.index(before) if before in others else len(others)
    slots[place] = replace(slot, members=(*others[:at], who, *others[at:]))
    ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "GH-A04", "GH-018")


def group_of(state: State, who: Id) -> tuple[int, Slot]:
    """Return the phase in which a PC acts now or later, with its place; the place is -1 where there is none."""
    coming = (state.clock.at, *(slot.id for slot in state.clock.upcoming))
    found = (
        (place, slot)
        for place, slot in enumerate(state.clock.slots)
        if slot.phase in ("fast", "slow") and slot.id in coming and who in slot.members
    )
    return next(found, (-1, Slot("", "", "")))


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what 4.2 says happens at an edge."""
    match boundary.edge:
        case "round_start":
            ECONOMY.refresh(ctx, boundary)
            for host, effect, held in stats.grips(ctx.state):
                if held.destroys_ac and stats.here(ctx.state, host):
                    _eat_armour(ctx, host, effect, held.destroys_ac)
        case "phase_start" if boundary.phase == "monsters":
            for combatant in stats.pcs(ctx.state):
                ctx.fact(combatant.id, "phase_defence", None, "GH-040")
        case "combat_end":
            for combatant in stats.pcs(ctx.state):
                ctx.fact(combatant.id, "stance", None, "GH-205")
        case "round_end":
            for who in [combatant.id for combatant in stats.pcs(ctx.state) if stats.dying(combatant)]:
                if stats.rules(ctx.state).bleed == "each_round":
                    bleed(ctx, f"bleed:{who}", who, "dead", "GH-123")
                else:
                    ctx.note("is dying", "GH-123", about=who)


def _eat_armour(ctx: Ctx, host: Id, effect: Effect, eaten: int) -> None:
    """Destroy a host's AC before initiative, never below 0 (GH-074, GH-075)."""
    now = stats.armour(ctx.state, host)
    if now:
        set_ac(ctx, host, max(0, now - eaten), "GH-074", "GH-075", why=effect.shown)
    else:
        ctx.note(f"{effect.shown}, has no armour left to destroy", "GH-074", about=host)


def counted(state: State, rounds: int) -> tuple[At, ...]:
    """Return the end of an effect of so many rounds, in the same phase (section 7)."""
    phase = state.clock.phase
    if phase in PHASES:
        return (At("phase_start", count=rounds, phase=phase),)
    if phase == "setup" or not state.clock.round:
        return (At("round_start", count=rounds + 1),)
    if phase == "round_end" or not state.clock.in_round:
        return (At("round_end", count=rounds),)
    return (At("round_start", count=rounds),)


def meant(state: State, moment: Moment) -> tuple[Until, ...]:
    """Return the end a moment stands for now.

    Rounds count from the phase they are given in. Before a fight or between two rounds they are whole rounds to come.
    """
    if moment.words != ROUNDS:
        return moment.until
    phase = state.clock.phase
    if phase in PHASES:
        return (At("phase_start", phase=phase),)
    return (At("round_start" if phase == "initiative" else "round_end"),)


def advance(state: State) -> Action | None:
    """Say what `n` does: the round, initiative, the phase, the form after the combat."""
    if state.clock.over and state.clock.phase == "after_combat" and state.fact(FIGHT, REVIEWED) is None:
        return Action("after_combat")
    if state.clock.over:
        return Action("next") if state.clock.upcoming else None
    match state.clock.phase:
        case "initiative":
            return Action("roll_initiative")
        case "setup" | "round_end":
            return Action("start_round")
        case _:
            return Action("end_phase")
