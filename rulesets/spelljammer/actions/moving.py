"""Movement on the segments, withdrawals, and what an act leaves of them (4.6, 4.8)."""

from __future__ import annotations

from functools import partial

from rulesets.spelljammer.actions.strike import strike
from rulesets.spelljammer.order.initiative import FIRST_MOVING, dex_roll
from rulesets.spelljammer.stat_blocks.facts import Act, Declaration
from rulesets.spelljammer.stat_blocks.models import Weapon
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import Options
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value

STEPS = {
    "half_then_act": 20,
    "act_then_half": 20,
    "run_then_act": 10,
    "full": 10,
    "run": 5,
    "sprint": 10 / 3,
    "fast_sprint": 2.5,
}
"""Segments times the share of TMR covered on each: allowance / STEPS feet a segment."""
WITH_ACTS = (*FIRST_MOVING, "act_then_half")
"""Movements that depend on the acts beside them."""
BY_MODE = {"half_then_act": ("SJ-071",), "run_then_act": ("SJ-082",), "act_then_half": ("SJ-076",)}


def start_of_movement(state: State, who: Id, declared: Declaration) -> int | None:
    """Return the segment on which a combatant begins to move, or None.

    None: it does not move, or the segment is not known yet.
    """
    if declared.movement == "act_then_half":
        held = state[who].fact("moves_from")
        return held if isinstance(held, int) else None
    return 10 if declared.movement in STEPS else None


def move_all(ctx: Ctx, segment: int) -> None:
    """Let everybody who moves cover one segment's share, and tell who has arrived (SJ-026)."""
    arrived = []
    for combatant in stats.standing(ctx.state):
        declared = combatant.fact("declaration")
        if not isinstance(declared, Declaration) or declared.movement not in STEPS:
            continue
        if combatant.id in ctx.state and (feet := move_on(ctx, combatant.id, segment)):
            arrived.append((combatant, feet))
    if len(arrived) == 1:
        ctx.note(f"moves {arrived[0][1]:g} ft", "SJ-026", about=arrived[0][0].id)
    elif arrived:
        words = [f"{one.name}{'' if place else ' moves'} {feet:g} ft" for place, (one, feet) in enumerate(arrived)]
        ctx.note(", ".join(words), "SJ-026")


def move_on(ctx: Ctx, who: Id, segment: int) -> float:
    """Cover one segment's share of the allowance (SJ-026, SJ-071, SJ-082).

    Return the feet covered altogether where the movement is over with it, else 0.
    """
    combatant, declared = ctx.state[who], stats.declaration(ctx.state, who)
    if declared is None or combatant.fact("stopped") or not _mobile(ctx.state, who):
        return 0
    start = start_of_movement(ctx.state, who, declared)
    if start is None or segment > start:
        return 0
    if combatant.has("no_movement"):
        ctx.fact(who, "stopped", True, "SJ-017")
        ctx.skip("the movement", "no movement", "SJ-017", who=who)
        return 0
    if declared.withdraw and not combatant.fact("withdrew"):
        ctx.fact(who, "withdrew", True, "SJ-128")
        _withdraw(ctx, who)
        if not _mobile(ctx.state, who):
            return 0
    step = (
        _feet(ctx.state[who].fact("allowance"))
        * (0.5 if declared.potion == "movement" else 1.0)
        / STEPS[declared.movement]
    )
    if declared.distance is not None and declared.distance > 10 * step:  # the GM has overruled the limit
        step = declared.distance / 10
    most = min(step * start, declared.distance if declared.distance is not None else step * start)
    before = _feet(ctx.state[who].fact("covered"))
    covered = round(min(most, before + step), 6)
    rules = ("SJ-026", *BY_MODE.get(declared.movement, ()))
    if covered > before:
        ctx.fact(who, "covered", covered, *rules)
    there = covered >= round(most, 6)
    return covered if (covered > before if there else segment == 1) else 0


def _mobile(state: State, who: Id) -> bool:
    """Tell whether a combatant is there to move and can (A-06)."""
    one = state.get(who)
    if one is None or stats.down(one):
        return False
    return not (one.has("stunned") and stats.rules(state).stun_stops_movement)


def _feet(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _withdraw(ctx: Ctx, who: Id) -> None:
    """Make the free attacks on a combatant that leaves a melee (SJ-128 to SJ-136)."""
    for foe in stats.engaged(ctx.state, who):
        if foe not in stats.engaged(ctx.state, who):
            continue
        usable, due = _usable(ctx.state, foe), partial(free_attack_due, foe=foe, who=who)
        key = f"free:{foe}:{who}"
        others = [Option(f"with:{weapon.name}", f"yes, with {weapon.name}") for weapon in usable[1:]]
        answer = ctx.choose(
            key,
            [Option("yes", f"yes, with {usable[0].name}"), *others, Option("no")],
            *dict.fromkeys(("SJ-128", "SJ-136", due(ctx.state)[1])),
            default=partial(_strikes_freely, foe=foe, who=who),
            who=foe,
            why=f"a free attack on {ctx.state.name(who)}?",
            to="gm",
            asked_if=partial(_may_strike_freely, foe=foe, who=who),
        )
        if answer is None and foe in stats.engaged(ctx.state, who) and (refusal := no_free_attack(ctx.state, foe)):
            ctx.skip(f"free attack of {ctx.state.name(foe)}", refusal.text, "SJ-134", refusal.rule, who=foe)
        if answer in (None, "no"):
            continue
        weapon = next((weapon for weapon in usable if answer == f"with:{weapon.name}"), usable[0])
        blow = Action("free_attack", foe, (("target", who), ("weapon", weapon.name)))
        ctx.emit(ActionTaken(blow, "Free attack"), "SJ-128")
        with ctx.scope(key):
            strike(ctx, foe, who, weapon, Options(free=True))
    if who in ctx.state and not stats.down(ctx.state[who]):
        left = stats.engaged(ctx.state, who)
        for foe in left:
            ctx.fact(stats.pair(who, foe), "engaged", None, "SJ-128")
            ctx.fact(foe, f"{stats.WITHDRAWN}{who}", True, "SJ-128")
        if left:
            names = " and ".join(ctx.state.name(foe) for foe in left)
            ctx.note(f"leaves the melee with {names}", "SJ-128", about=who)


def _may_strike_freely(state: State, foe: Id, who: Id) -> bool:
    return foe in stats.engaged(state, who) and no_free_attack(state, foe) is None


def _strikes_freely(state: State, foe: Id, who: Id) -> str:
    return "yes" if free_attack_due(state, foe, who)[0] else "no"


def _usable(state: State, who: Id) -> list[Weapon]:
    """Return the weapons a free attack can be made with, the first melee weapon first."""
    weapons = stats.block(state, who).weapons
    return [weapon for weapon in weapons if weapon.kind == "melee"] or list(weapons)


def no_free_attack(state: State, foe: Id) -> Refusal | None:
    """Return why a combatant can make no free attack (SJ-131, SJ-134, SJ-039)."""
    one = state[foe]
    for name, words, rule in (
        ("desperate_defense", "defends desperately", "SJ-131"),
        ("full_defense", "is in full defence", "SJ-134"),
        ("stunned", "is stunned", "SJ-039"),
    ):
        if one.has(name):
            return Refusal("no_free_attack", f"{one.name} {words}", rule)
    return None


def free_attack_due(state: State, foe: Id, who: Id) -> tuple[bool, str]:
    """Return the pre-filled answer to the free attack and its rule (SJ-130, SJ-132)."""
    if stats.block(state, who).agile_flyer:
        return False, "SJ-132"
    declared = stats.declaration(state, foe)
    allies = {ally for ally in stats.engaged(state, foe) if state[ally].side == state[who].side and ally != who}
    busy = declared is not None and bool(declared.blows) and all(blow.target in allies for blow in declared.blows)
    return (False, "SJ-130") if busy else (True, "SJ-136")


def _stop(ctx: Ctx, who: Id) -> None:
    """End the movement of one that has arrived where it acts (A-08)."""
    if ctx.state[who].fact("stopped"):
        return
    ctx.fact(who, "stopped", True, "SJ-A08")
    here = ctx.state.clock.current
    told = here is not None and here.segment is not None and here.segment <= 1  # by then `move_all` has told it
    if (covered := _feet(ctx.state[who].fact("covered"))) and not told:
        ctx.note(f"has moved {covered:g} ft", "SJ-A08", "SJ-071", about=who)


def late_movers(ctx: Ctx) -> None:
    """Settle attack and move of those whose last act was passed over."""
    for combatant in stats.standing(ctx.state):
        declared = combatant.fact("declaration")
        if not isinstance(declared, Declaration) or declared.movement != "act_then_half":
            continue
        acts = _acts(ctx.state, combatant.id)
        if acts and acts[-1].id != ctx.state.clock.at and acts[-1].id in ctx.state.clock.begun:
            act_done(ctx, combatant.id, acts[-1])


def _acts(state: State, who: Id) -> list[Slot]:
    return [slot for slot in state.clock.slots if slot.members[:1] == (who,) and isinstance(slot.data, Act)]


def act_done(ctx: Ctx, who: Id, slot: Slot) -> None:
    """Settle movement after an act (SJ-075 to SJ-081, A-08).

    A combatant that moved first without a distance stops. After the last act, attack and move goes on.
    """
    declared, begun = stats.declaration(ctx.state, who), ctx.state.clock.begun
    if declared is None or slot.segment is None or declared.movement not in WITH_ACTS:
        return
    waits = stats.rules(ctx.state).delay_attack_until_arrival
    if declared.movement in FIRST_MOVING and declared.distance is None and waits and stats.resolved(ctx.state, slot):
        _stop(ctx, who)
    if declared.movement != "act_then_half" or ctx.state[who].fact("acted_out") or stats.down(ctx.state[who]):
        return
    if any(other.id not in begun for other in _acts(ctx.state, who) if other.id != slot.id):
        return
    ctx.fact(who, "acted_out", True, "SJ-075")
    ctx.fact(who, "allowance", stats.tmr(ctx.state, who), "SJ-075")
    if slot.segment > 10:
        ctx.fact(who, "moves_from", 10, "SJ-076")
        ctx.note("moves from 10 on", "SJ-076", about=who)
        return
    if slot.segment < 2:
        ctx.skip("the movement", "it is too late in the round", "SJ-080", who=who)
        return
    level = dex_roll(ctx, f"move:{who}", who, "attack and move", "SJ-077", asked_if=lambda state: _mobile(state, who))
    if level is None:
        return
    if level > 4:
        ctx.skip("the movement", "DEX 5× or worse", "SJ-078", who=who)
    elif slot.segment - level < 1:
        ctx.skip("the movement", "there is no segment left for it", "SJ-079", "SJ-080", who=who)
    else:
        ctx.fact(who, "moves_from", slot.segment - level, "SJ-079", "SJ-081")
        ctx.note(f"moves from {slot.segment - level} on", "SJ-079", "SJ-081", about=who)
