"""What happens on the segments and at the end of a round: jobs, movement, spells due, bleeding (4.6, 4.8)."""

from __future__ import annotations

from rulesets.spelljammer import stats
from rulesets.spelljammer.data import Act, Casting, Declaration
from rulesets.spelljammer.schedule import D100, dex_roll
from rulesets.spelljammer.strike import Options, interrupt, strike
from tracker.core import clock
from tracker.core.actions import Refusal
from tracker.core.ctx import Ctx
from tracker.core.derived import Part
from tracker.core.events import Checked, FightEnded
from tracker.core.moments import Boundary
from tracker.core.state import Combatant, Id, Slot, State

__all__ = ["free_attack_due", "last_attack_done", "on_boundary", "settle", "skip", "start_of_movement"]

STEPS = {"half_then_act": 20, "act_then_half": 20, "run_then_act": 10, "full": 10, "run": 5, "sprint": 10 / 3, "fast_sprint": 2.5}
"""Segments times the share of TMR covered on each: allowance / STEPS feet a segment."""


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what a segment or the round's end brings."""
    match boundary.edge:
        case "segment_start" if boundary.segment is not None:
            _late_movers(ctx)
            _jobs(ctx, boundary.segment)
            if 1 <= boundary.segment <= 10:
                for combatant in stats.standing(ctx.state):
                    _move(ctx, combatant.id, boundary.segment)
            _spells(ctx, boundary.segment)
        case "round_end":
            _round_end(ctx)


def _jobs(ctx: Ctx, segment: int) -> None:
    """Finish half-round jobs (SJ-090, SJ-091, A-28)."""
    if segment != stats.rules(ctx.state).half_round_segment:
        return
    for combatant in ctx.state.combatants:
        said = stats.declaration(ctx.state, combatant.id)
        if said is None or not (said.ready_shield or said.potion != "none"):
            continue
        if why := stats.unable(combatant):
            ctx.skip("a half-round job", why, "SJ-A28", who=combatant.id)
            continue
        if said.ready_shield:
            ctx.fact(combatant.id, "shield_ready", True, "SJ-090")
        if said.potion != "none":
            ctx.note(f"{combatant.name} drinks the potion", "SJ-091", "SJ-092", about=combatant.id)


def start_of_movement(state: State, who: Id, said: Declaration) -> int | None:
    """Return the segment on which somebody begins to move; None: not, or not known yet."""
    if said.movement == "act_then_half":
        held = state[who].fact("moves_from")
        return held if isinstance(held, int) else None
    return 10 if said.movement in STEPS else None


def _move(ctx: Ctx, who: Id, segment: int) -> None:
    """Cover one segment's share of the allowance (SJ-026, SJ-071, SJ-082)."""
    combatant, said = ctx.state[who], stats.declaration(ctx.state, who)
    if said is None or stats.down(combatant) or combatant.fact("stopped"):
        return
    start = start_of_movement(ctx.state, who, said)
    if start is None or segment > start or (combatant.has("stunned") and stats.rules(ctx.state).stun_stops_movement):
        return
    if said.withdraw and segment == start:
        _withdraw(ctx, who)
        if stats.down(ctx.state[who]):
            return
    held = ctx.state[who].fact("allowance")
    share = 0.5 if said.potion == "movement" else 1.0
    step = (float(held) if isinstance(held, int | float) else 0.0) * share / STEPS[said.movement]
    most = said.distance if said.distance is not None else step * 10
    covered = min(most, step * (start - segment + 1))
    before = ctx.state[who].fact("covered", 0)
    if covered > (before if isinstance(before, int | float) else 0):
        rules = {"half_then_act": ("SJ-071",), "run_then_act": ("SJ-082",), "act_then_half": ("SJ-076",)}.get(said.movement, ())
        ctx.fact(who, "covered", round(covered, 6), "SJ-026", *rules)


def _withdraw(ctx: Ctx, who: Id) -> None:
    """Deal with the free attacks on somebody who leaves a melee (SJ-128 to SJ-136)."""
    for foe in stats.engaged(ctx.state, who):
        if stats.down(ctx.state[who]):
            return
        opponent = ctx.state[foe]
        if opponent.side == ctx.state[who].side or stats.unable(opponent):
            continue
        if opponent.has("full_defense") or opponent.has("desperate_defense"):
            ctx.skip(f"free attack of {opponent.name}", "it defends", "SJ-134" if opponent.has("full_defense") else "SJ-131", who=foe)
            continue
        due, rule = free_attack_due(ctx.state, foe, who)
        why = f"free attack on {ctx.state.name(who)}?"
        if ctx.confirm(f"free:{foe}", "SJ-128", "SJ-136", rule, default=due, who=foe, why=why, to="gm"):
            with ctx.scope(f"free:{foe}/strike"):
                strike(ctx, foe, who, stats.block(ctx.state, foe).weapons[0], Options(free=True))
    if not stats.down(ctx.state[who]):
        pairs = stats.engaged_pairs(ctx.state)
        ctx.fact("fight", "engaged", tuple(pair for pair in pairs if who not in pair.split("|")), "SJ-128")


def free_attack_due(state: State, foe: Id, who: Id) -> tuple[bool, str]:
    """Return the pre-filled answer to the free attack and its rule (SJ-130, SJ-132)."""
    if stats.block(state, who).agile_flyer:
        return False, "SJ-132"
    said = stats.declaration(state, foe)
    allies = {ally for ally in stats.engaged(state, foe) if state[ally].side == state[who].side and ally != who}
    busy = said is not None and bool(said.blows) and all(blow.target in allies for blow in said.blows)
    return (False, "SJ-130") if busy else (True, "SJ-136")


def _spells(ctx: Ctx, segment: int) -> None:
    """Let the spells that are due go off, higher IM first (SJ-063, SJ-064, A-33)."""
    due = [combatant for combatant in ctx.state.combatants if _due(combatant) == segment]
    for combatant in sorted(due, key=lambda one: (-stats.block(ctx.state, one.id).im, ctx.state.places[one.id])):
        effect = stats.casting(combatant)
        if effect is None or not isinstance(effect.data, Casting):
            continue
        spell, name = stats.spell(ctx.state, combatant.id, effect.data.spell), effect.data.spell
        rules = ("SJ-063", *(("SJ-064",) if segment < 1 else ())) if spell is not None and spell.type == "cleric" else ("SJ-068", "SJ-029")
        ctx.end_effect(effect, "goes off", *rules)
        if spell is not None and spell.cast_chance is not None:
            _cast(ctx, combatant.id, name, spell.cast_chance)
        else:
            ctx.note(f"{name} goes off", *rules, about=combatant.id)


def _due(combatant: Combatant) -> int | None:
    effect = stats.casting(combatant)
    return effect.data.due if effect is not None and isinstance(effect.data, Casting) else None


def _cast(ctx: Ctx, who: Id, name: str, cast_chance: int) -> None:
    wounds, rule = stats.wound(ctx.state, who)
    roll = ctx.roll(f"cast:{who}", D100, "SJ-043", who=who, why=f"{name}: {cast_chance + wounds} or less")
    result = "goes off" if roll <= cast_chance + wounds else "fails"
    parts = (Part("cast chance", cast_chance), *((Part("wounds", wounds, rule),) if wounds else ()))
    ctx.emit(
        Checked(name, who, roll, result, parts=(Part("d100", roll),), against=cast_chance + wounds, against_what="cast chance", against_parts=parts), "SJ-043"
    )


def skip(state: State, slot: Slot) -> Refusal | None:
    """Say why the clock passes over an act: its combatant is down or stunned (4.6, SJ-039)."""
    if not isinstance(slot.data, Act) or not slot.members or slot.members[0] not in state:
        return None
    why = stats.unable(state[slot.members[0]])
    rule = {"stunned": "SJ-039", "forced to move": "SJ-021"}.get(why, "SJ-006")
    return Refusal("unable", why, rule) if why else None


def _late_movers(ctx: Ctx) -> None:
    """Settle attack and move of those whose last act was passed over."""
    for combatant in stats.standing(ctx.state):
        acts = [slot for slot in ctx.state.clock.slots if slot.members[:1] == (combatant.id,) and isinstance(slot.data, Act)]
        if acts and combatant.fact("acted_out") is None and all(slot.id in ctx.state.clock.begun for slot in acts):
            last_attack_done(ctx, combatant.id, acts[-1])


def last_attack_done(ctx: Ctx, who: Id, slot: Slot) -> None:
    """After the last attack of attack and move, see when the movement begins (SJ-075 to SJ-081)."""
    said = stats.declaration(ctx.state, who)
    begun = set(ctx.state.clock.begun)
    more = any(other.id not in begun and other.members[:1] == (who,) and isinstance(other.data, Act) for other in ctx.state.clock.slots)
    if said is None or more or slot.segment is None or ctx.state[who].fact("acted_out"):
        return
    ctx.fact(who, "acted_out", True, "SJ-075")
    if said.movement in ("half_then_act", "run_then_act") and said.distance is None:
        ctx.fact(who, "stopped", True, "SJ-A08")
    if said.movement != "act_then_half" or stats.down(ctx.state[who]):
        return
    ctx.fact(who, "allowance", stats.tmr(ctx.state, who), "SJ-075")
    if slot.segment > 10:
        ctx.fact(who, "moves_from", 10, "SJ-076")
        return
    if slot.segment < 2:
        ctx.skip("the movement", "it is too late in the round", "SJ-080", who=who)
        return
    level = dex_roll(ctx, f"move:{who}", who, 4, "attack and move", "SJ-077")
    if level > 4:
        ctx.skip("the movement", "DEX 5x or worse", "SJ-078", who=who)
    elif slot.segment - level < 1:
        ctx.skip("the movement", "there is no segment left for it", "SJ-079", "SJ-080", who=who)
    else:
        ctx.fact(who, "moves_from", slot.segment - level, "SJ-079", "SJ-081")


def _round_end(ctx: Ctx) -> None:
    """Bleed, let everything of the round end, and ask about the end (4.8)."""
    number = ctx.state.clock.round
    for combatant in stats.standing(ctx.state):
        wounds = [missile for missile in stats.missiles(combatant) if stats.rules(ctx.state).bleed_first_round or missile.round < number]
        if lost := sum(missile.bleeding for missile in wounds):
            ctx.change(combatant.id, "hp", ctx.state[combatant.id].hp - lost, "SJ-164", "SJ-A16", why="bleeding")
    ctx.settle()
    ctx.expire()
    for combatant in ctx.state.combatants:
        who = combatant.id
        ctx.fact(who, "last", combatant.fact("declaration"), "SJ-001")
        for key in ("declaration", "attackers", "allowance", "covered", "moves_from", "stopped", "aimed_shots", "lost_acts", "acted_out", "struck_desperate"):
            ctx.fact(who, key, None, "SJ-001")
        for key, _ in combatant.facts:
            if key.startswith("unseen:"):
                ctx.fact(who, key, None, "SJ-097")
        if not number:
            ctx.fact(who, "ambush_level", None, "SJ-055")
    sides = {combatant.side for combatant in ctx.state.combatants}
    left = {combatant.side for combatant in stats.standing(ctx.state)}
    if (
        sides - left
        and not ctx.state.clock.over
        and ctx.confirm("end_combat", "SJ-005", default=True, why="one side has nobody standing: end the combat?", to="gm")
    ):
        ctx.emit(FightEnded("one side has nobody standing"))
        clock.end_fight(ctx)


def settle(ctx: Ctx) -> None:
    """See who is down or up again, how badly everybody is wounded, and which acts the clock passes (7)."""
    for combatant in ctx.state.combatants:
        if not combatant.has_pool("hp"):
            continue
        who, hp = combatant.id, combatant.hp
        wanted = "dead" if stats.dead(ctx.state, hp) else "down" if hp <= 0 else "up"
        if combatant.status in ("up", "down", "dead") and combatant.status != wanted and not (combatant.status == "dead" and wanted == "down"):
            ctx.status(who, wanted, "SJ-A13")
        if combatant.status == "up" and wanted != "up":
            interrupt(ctx, who, "down", "SJ-006")
            pairs = stats.engaged_pairs(ctx.state)
            ctx.fact("fight", "engaged", tuple(pair for pair in pairs if who not in pair.split("|")), "SJ-A13")
        mod, rule = stats.wound(ctx.state, who)
        most = stats.block(ctx.state, who).hp_max
        state = "unhurt" if hp >= most else "bloodied" if hp * 2 < most else "wounded"
        ctx.fact(who, "wound_state", state, "SJ-045" if state == "bloodied" else "SJ-044")
        ctx.fact(who, "wound_mod", mod, rule if mod else "SJ-049" if hp <= 20 else "SJ-044", "SJ-043")
