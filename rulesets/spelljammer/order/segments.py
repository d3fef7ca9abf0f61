"""What happens on the segments and at the end of a round: jobs, movement, spells due, bleeding (4.6, 4.8)."""

from __future__ import annotations

from rulesets.spelljammer.acts.strike import interrupt, strike
from rulesets.spelljammer.blocks.facts import Act, Casting, Declaration
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.chance import Options
from rulesets.spelljammer.order.initiative import D100, FIRST_MOVING, dex_roll
from rulesets.spelljammer.order.schedule import resolved
from tracker.core.fight.events import Checked, FightEnded
from tracker.core.fight.state import Combatant, Id, Slot, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option, Refusal
from tracker.core.terms.derived import Part
from tracker.core.terms.moments import Boundary
from tracker.core.terms.values import Value

__all__ = ["act_done", "free_attack_due", "go_off", "on_boundary", "settle", "skip", "start_of_movement"]

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
            _free_actions(ctx, boundary.segment)
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
            ctx.note("drinks the potion", "SJ-091", "SJ-092", about=combatant.id)


def _free_actions(ctx: Ctx, segment: int) -> None:
    """Log free actions on the first segment of those who declared them (SJ-094)."""
    for combatant in ctx.state.combatants:
        said = stats.declaration(ctx.state, combatant.id)
        if said is None or combatant.fact("free_on") != segment:
            continue
        if why := stats.unable(combatant):
            ctx.skip("a free action", why, "SJ-039" if why == "stunned" else "SJ-006", who=combatant.id)
        else:
            ctx.note(
                f"{said.free_actions} free: {said.text}" if said.text else f"free actions: {said.free_actions}",
                "SJ-093",
                "SJ-094",
                about=combatant.id,
            )


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
    """Deal with the free attacks on somebody who leaves a melee (SJ-128 to SJ-136)."""
    for foe in stats.engaged(ctx.state, who):
        if stats.down(ctx.state[who]):
            return
        opponent = ctx.state[foe]
        if opponent.side == ctx.state[who].side or stats.down(opponent) or opponent.has("stunned"):
            continue
        if opponent.has("full_defense") or opponent.has("desperate_defense"):
            ctx.skip(
                f"free attack of {opponent.name}",
                "it defends",
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


def _spells(ctx: Ctx, segment: int) -> None:
    """Let the spells that are due go off, higher IM first (SJ-063, SJ-064, A-33)."""
    due = [combatant for combatant in ctx.state.combatants if (last := _due(combatant)) is not None and last >= segment]
    for combatant in sorted(due, key=lambda one: (-stats.block(ctx.state, one.id).im, ctx.state.places[one.id])):
        go_off(ctx, combatant.id, segment)


def go_off(ctx: Ctx, who: Id, segment: int) -> None:
    """Let the spell somebody is casting take effect (SJ-063, SJ-064, SJ-068)."""
    effect = stats.casting(ctx.state[who])
    if effect is None or not isinstance(effect.data, Casting):
        return
    name = effect.data.spell
    spell = stats.spell(ctx.state, who, name)
    rules = (
        ("SJ-063", *(("SJ-064",) if segment < 1 else ()))
        if spell is not None and spell.type == "cleric"
        else ("SJ-068", "SJ-029")
    )
    ctx.end_effect(effect, "goes off", *rules)
    if spell is not None and spell.cast_chance is not None:
        _cast(ctx, who, name, spell.cast_chance)
    else:
        ctx.note(f"{name} goes off", *rules, about=who)


def _due(combatant: Combatant) -> int | None:
    effect = stats.casting(combatant)
    return effect.data.due if effect is not None and isinstance(effect.data, Casting) else None


def _cast(ctx: Ctx, who: Id, name: str, cast_chance: int) -> None:
    wounds, rule = stats.wound(ctx.state, who)
    roll = ctx.roll(f"cast:{who}", D100, "SJ-043", who=who, why=f"{name}: {cast_chance + wounds} or less")
    result = "goes off" if roll <= cast_chance + wounds else "fails"
    parts = (Part("cast chance", cast_chance), *((Part("wounds", wounds, rule),) if wounds else ()))
    ctx.emit(
        Checked(
            name,
            who,
            roll,
            result,
            parts=(Part("d100", roll),),
            against=cast_chance + wounds,
            against_what="cast chance",
            against_parts=parts,
        ),
        "SJ-043",
    )


def skip(state: State, slot: Slot) -> Refusal | None:
    """Say why the clock passes over an act: its combatant is down or stunned (4.6, SJ-039)."""
    if not isinstance(slot.data, Act) or not slot.members or slot.members[0] not in state:
        return None
    if resolved(state, slot):
        return Refusal("resolved", "it happened at the same time", "SJ-A02")
    why = stats.unable(state[slot.members[0]])
    rule = {"stunned": "SJ-039", "forced to move": "SJ-021"}.get(why, "SJ-006")
    return Refusal("unable", why, rule) if why else None


def _late_movers(ctx: Ctx) -> None:
    """Settle attack and move of those whose last act was passed over."""
    for combatant in stats.standing(ctx.state):
        acts = _acts(ctx.state, combatant.id)
        if acts and acts[-1].id != ctx.state.clock.at and acts[-1].id in ctx.state.clock.begun:
            act_done(ctx, combatant.id, acts[-1])


def _acts(state: State, who: Id) -> list[Slot]:
    return [slot for slot in state.clock.slots if slot.members[:1] == (who,) and isinstance(slot.data, Act)]


def act_done(ctx: Ctx, who: Id, slot: Slot) -> None:
    """After an act: who moved first without a distance stops; after the last one, see when attack and move goes on (SJ-075 to SJ-081, A-08)."""
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


ROUND_FACTS = (
    "declaration",
    "allowance",
    "covered",
    "moves_from",
    "stopped",
    "withdrew",
    "aimed_shots",
    "lost_acts",
    "acted_out",
    "free_on",
    "resolved",
    "ambush_level",
)
"""What is forgotten at a round's end, besides what is kept by pair."""
ROUND_PAIRS = ("unseen:", "struck_by:", "drives:")


def _round_end(ctx: Ctx) -> None:
    """Bleed, let everything of the round end, and ask about the end (4.8)."""
    number = ctx.state.clock.round
    before = None if stats.rules(ctx.state).bleed_first_round else number
    for combatant in stats.standing(ctx.state):
        if parts := stats.bleeding(ctx.state, combatant.id, before):
            rules = dict.fromkeys(("SJ-A16", *(part.rule for part in parts if part.rule)))
            lost = sum(part.amount for part in parts)
            ctx.change(combatant.id, "hp", combatant.hp - lost, *rules, parts=parts, why="bleeding")
    ctx.settle()
    ctx.expire()
    for combatant in ctx.state.combatants:
        who = combatant.id
        ctx.fact(who, "last", combatant.fact("declaration"), "SJ-001")
        for key, _ in combatant.facts:
            if key in ROUND_FACTS or key.startswith(ROUND_PAIRS):
                ctx.fact(who, key, None, "SJ-001")
    sides = {combatant.side for combatant in ctx.state.combatants}
    left = {combatant.side for combatant in stats.standing(ctx.state)}
    why = "one side has nobody standing: end the combat?"
    if (
        sides - left
        and len(sides) > 1
        and not ctx.state.clock.over
        and ctx.confirm("end_combat", default=len(left) < 2, why=why, to="gm")
    ):
        ctx.emit(FightEnded("one side has nobody standing"))
        ctx.end_fight()


def settle(ctx: Ctx) -> None:
    """See who is down or up again and how badly everybody is wounded (section 7)."""
    for combatant in ctx.state.combatants:
        if not combatant.has_pool("hp"):
            continue
        who, hp = combatant.id, combatant.hp
        if hp <= 0 and combatant.status in ("up", "down"):
            ctx.fact(who, "fell", True, "SJ-A13")
            ctx.status(who, "dead" if stats.dead(ctx.state, hp) else "down", "SJ-A13")
        elif hp > 0 and combatant.fact("fell"):
            ctx.fact(who, "fell", None, "SJ-A13")
            ctx.status(who, "up", "SJ-A13")
        if stats.down(ctx.state[who]):
            interrupt(ctx, who, "down", "SJ-006")
            for other in stats.engaged(ctx.state, who):
                ctx.fact(stats.pair(who, other), "engaged", None, "SJ-A13")
        mod, rule = stats.wound(ctx.state, who)
        most = stats.full_hp(ctx.state, who)
        state = "unhurt" if hp >= most else "bloodied" if hp * 2 < most else "wounded"
        ctx.fact(who, "wound_state", state, "SJ-045" if state == "bloodied" else "SJ-044")
        ctx.fact(who, "wound_mod", mod, rule if mod else "SJ-049" if hp <= 20 else "SJ-044", "SJ-043")
