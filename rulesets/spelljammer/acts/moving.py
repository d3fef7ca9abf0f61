"""Movement on the segments, withdrawals, and what an act leaves of them (4.6, 4.8)."""

from __future__ import annotations

from rulesets.spelljammer.acts.strike import strike
from rulesets.spelljammer.blocks.facts import Act, Declaration
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.chance import Options
from rulesets.spelljammer.order.initiative import FIRST_MOVING, dex_roll
from rulesets.spelljammer.order.schedule import resolved
from tracker.core.fight.state import Id, Slot, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.values import Value

__all__ = ["act_done", "free_attack_due", "late_movers", "move_on", "start_of_movement"]


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


def start_of_movement(state: State, who: Id, said: Declaration) -> int | None:
    """Return the segment on which a combatant begins to move, or None.

    None: it does not move, or the segment is not known yet.
    """
    if said.movement == "act_then_half":
        held = state[who].fact("moves_from")
        return held if isinstance(held, int) else None
    return 10 if said.movement in STEPS else None


def move_on(ctx: Ctx, who: Id, segment: int) -> None:
    """Cover one segment's share of the allowance (SJ-026, SJ-071, SJ-082)."""
    combatant, said = ctx.state[who], stats.declaration(ctx.state, who)
    if said is None or stats.down(combatant) or combatant.fact("stopped"):
        return
    start = start_of_movement(ctx.state, who, said)
    if start is None or segment > start or (combatant.has("stunned") and stats.rules(ctx.state).stun_stops_movement):
        return
    if said.withdraw and not combatant.fact("withdrew"):
        ctx.fact(who, "withdrew", True, "SJ-128")
        _withdraw(ctx, who)
        held = ctx.state[who]
        if stats.down(held) or (held.has("stunned") and stats.rules(ctx.state).stun_stops_movement):
            return
    step = _feet(ctx.state[who].fact("allowance")) * (0.5 if said.potion == "movement" else 1.0) / STEPS[said.movement]
    most = min(step * start, said.distance if said.distance is not None else step * start)
    covered = round(min(most, step * (start - segment + 1)), 6)
    if covered > _feet(ctx.state[who].fact("covered")):
        rules = {"half_then_act": ("SJ-071",), "run_then_act": ("SJ-082",), "act_then_half": ("SJ-076",)}.get(
            said.movement, ()
        )
        ctx.fact(who, "covered", covered, "SJ-026", *rules)
        if covered >= round(most, 6):
            ctx.note(f"has moved {covered:g} ft", "SJ-026", *rules, about=who)


def _feet(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _withdraw(ctx: Ctx, who: Id) -> None:
    """Make the free attacks on a combatant that leaves a melee (SJ-128 to SJ-136)."""
    for foe in stats.engaged(ctx.state, who):
        if stats.down(ctx.state[who]):
            return
        opponent = ctx.state[foe]
        if opponent.side == ctx.state[who].side or stats.down(opponent) or opponent.has("stunned"):
            continue
        if opponent.has("full_defense") or opponent.has("desperate_defense"):
            ctx.skip(
                f"free attack of {opponent.name}",
                f"{opponent.name} defends",
                "SJ-134",
                *(("SJ-131",) if opponent.has("desperate_defense") else ()),
                who=foe,
            )
            continue
        due, rule = free_attack_due(ctx.state, foe, who)
        weapons = stats.block(ctx.state, foe).weapons
        usable = [weapon for weapon in weapons if weapon.kind == "melee"] or list(weapons)
        others = [Option(f"with:{weapon.name}", f"yes, with {weapon.name}") for weapon in usable[1:]]
        options = [Option("yes", f"yes, with {usable[0].name}"), *others, Option("no")]
        why = f"a free attack of {opponent.name} on {ctx.state.name(who)}?"
        answer = ctx.choose(
            f"free:{foe}", options, "SJ-128", "SJ-136", rule, default="yes" if due else "no", who=foe, why=why, to="gm"
        )
        if answer != "no":
            weapon = next((weapon for weapon in usable if answer == f"with:{weapon.name}"), usable[0])
            with ctx.scope(f"free:{foe}"):
                strike(ctx, foe, who, weapon, Options(free=True))
    if not stats.down(ctx.state[who]):
        for foe in stats.engaged(ctx.state, who):
            ctx.fact(stats.pair(who, foe), "engaged", None, "SJ-128")


def free_attack_due(state: State, foe: Id, who: Id) -> tuple[bool, str]:
    """Return the pre-filled answer to the free attack and its rule (SJ-130, SJ-132)."""
    if stats.block(state, who).agile_flyer:
        return False, "SJ-132"
    said = stats.declaration(state, foe)
    allies = {ally for ally in stats.engaged(state, foe) if state[ally].side == state[who].side and ally != who}
    busy = said is not None and bool(said.blows) and all(blow.target in allies for blow in said.blows)
    return (False, "SJ-130") if busy else (True, "SJ-136")


def late_movers(ctx: Ctx) -> None:
    """Settle attack and move of those whose last act was passed over."""
    for combatant in stats.standing(ctx.state):
        acts = _acts(ctx.state, combatant.id)
        if acts and acts[-1].id != ctx.state.clock.at and acts[-1].id in ctx.state.clock.begun:
            act_done(ctx, combatant.id, acts[-1])


def _acts(state: State, who: Id) -> list[Slot]:
    return [slot for slot in state.clock.slots if slot.members[:1] == (who,) and isinstance(slot.data, Act)]


def act_done(ctx: Ctx, who: Id, slot: Slot) -> None:
    """Settle movement after an act (SJ-075 to SJ-081, A-08).

    A combatant that moved first without a distance stops. After the last act, attack and move goes on.
    """
    said, begun = stats.declaration(ctx.state, who), set(ctx.state.clock.begun)
    if said is None or slot.segment is None:
        return
    if said.movement in FIRST_MOVING and said.distance is None and resolved(ctx.state, slot):
        ctx.fact(who, "stopped", True, "SJ-A08")
    more = any(other.id not in begun for other in _acts(ctx.state, who) if other.id != slot.id)
    if said.movement != "act_then_half" or more or ctx.state[who].fact("acted_out") or stats.down(ctx.state[who]):
        return
    ctx.fact(who, "acted_out", True, "SJ-075")
    ctx.fact(who, "allowance", stats.tmr(ctx.state, who), "SJ-075")
    if slot.segment > 10:
        ctx.fact(who, "moves_from", 10, "SJ-076")
        return
    if slot.segment < 2:
        ctx.skip("the movement", "it is too late in the round", "SJ-080", who=who)
        return
    level = dex_roll(ctx, f"move:{who}", who, "attack and move", "SJ-077")
    if level > 4:
        ctx.skip("the movement", "DEX 5x or worse", "SJ-078", who=who)
    elif slot.segment - level < 1:
        ctx.skip("the movement", "there is no segment left for it", "SJ-079", "SJ-080", who=who)
    else:
        ctx.fact(who, "moves_from", slot.segment - level, "SJ-079", "SJ-081")
