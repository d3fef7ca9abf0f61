"""What segments and the end of a round bring: jobs, movement, spells, bleeding.

4.6, 4.8.
"""

from __future__ import annotations

from rulesets.spelljammer.actions.hits import tell_wounds_apart
from rulesets.spelljammer.actions.moving import late_movers, move_all
from rulesets.spelljammer.actions.spells import interrupt, spells_due
from rulesets.spelljammer.order.declare import remembered
from rulesets.spelljammer.order.schedule import END, stop_at_end
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.chance import STRUCK
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.moments import Boundary
from tracker.core.terms.words import minus


def settle(ctx: Ctx) -> None:
    """See who is down or up, wounded, and still in melee (section 7)."""
    changed = ctx.changed_since_settle("status", "pools", "effects", "side")
    for combatant in changed:
        if not combatant.has_pool("hp"):
            continue
        who, hp = combatant.id, combatant.hp
        if hp <= 0 and combatant.status in ("up", "down"):
            ctx.fact(who, "fell", True, "SJ-A13")
            ctx.status(who, "dead" if stats.dead(ctx.state, hp) else "down", "SJ-A13")
        elif hp > 0 and combatant.fact("fell"):
            ctx.fact(who, "fell", None, "SJ-A13")
            ctx.status(who, "up", "SJ-A13")
        tell_wounds_apart(ctx, who)
        if stats.down(ctx.state[who]):
            interrupt(ctx, who, "down", "SJ-006")
        elif combatant.effects and ctx.state[who].has("stunned"):
            interrupt(ctx, who, "stunned", "SJ-A06")
        mod, rule = stats.wound(ctx.state, who)
        most = stats.full_hp(ctx.state, who)
        state = "unhurt" if hp >= most else "bloodied" if hp * 2 < most else "wounded"
        if combatant.fact("wound_state") == state and combatant.fact("wound_mod") == mod:
            continue
        _tell_wounds(ctx, who, state, mod)
        ctx.fact(who, "wound_state", state, "SJ-045" if state == "bloodied" else "SJ-044")
        ctx.fact(who, "wound_mod", mod, rule if mod else "SJ-049" if hp <= 20 else "SJ-044", "SJ-043")
    if changed or not ctx.state.combatants:
        _forget_the_gone(ctx, {combatant.id for combatant in changed})


WORDS = {-10: "badly wounded", -20: "very badly wounded", -30: "very badly wounded"}


def _tell_wounds(ctx: Ctx, who: Id, state: str, mod: int) -> None:
    """Tell of a step of wounds that is crossed (SJ-044 to SJ-049)."""
    before, was = ctx.state[who].fact("wound_state"), ctx.state[who].fact("wound_mod")
    if before is None or stats.down(ctx.state[who]):
        return
    if mod != was:
        rule = stats.wound(ctx.state, who)[1]
        words = minus(f"{WORDS.get(mod, 'wounds')} {mod:+d}") if mod else "wounds no longer hamper"
        ctx.note(words, rule, "SJ-043", about=who)
    elif state != before and state != "wounded":
        ctx.note(state, "SJ-045" if state == "bloodied" else "SJ-044", about=who)


def _forget_the_gone(ctx: Ctx, changed: set[Id]) -> None:
    """Take the acts of leavers out of the round, and end the melees that are none any more."""
    slots, begun = ctx.state.clock.slots, ctx.state.clock.begun
    kept = tuple([slot for slot in slots if slot.members or slot.id in begun or stats.act_of(slot) is None])
    if len(kept) < len(slots):
        ctx.emit(OrderSet(slots, kept), "SJ-006")
    for owner in stats.pairs(ctx.state):
        if changed.isdisjoint(pair := stats.paired(owner)):
            continue
        one, other = map(ctx.state.get, pair)
        if one is None or other is None or stats.down(one) or stats.down(other):
            ctx.fact(owner, "engaged", None, "SJ-A13")
        elif one.side == other.side:
            ctx.fact(owner, "engaged", None, "SJ-129")


def finished(state: State) -> str | None:
    """Return why the fight looks finished: one side alone is standing."""
    if len(_sides_standing(state)) > 1 or state.clock.over:
        return None
    sides = {combatant.side for combatant in state.combatants}
    return fallen(state) if len(sides) > 1 else None


def fallen(state: State) -> str:
    """Return which sides have combatants, and none of them standing."""
    left = _sides_standing(state)
    names = [side.name for side in state.sides if side.id not in left and state.members(side.id)]
    return f"no fighter of {' and '.join(names)} is left standing"


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what a segment or the round's end brings."""
    match boundary.edge:
        case "segment_start" if boundary.segment is not None:
            late_movers(ctx)
            _jobs(ctx, boundary.segment)
            if 1 <= boundary.segment <= 10:
                move_all(ctx, boundary.segment)
            spells_due(ctx, boundary.segment)
            _free_actions(ctx, boundary.segment)
        case "phase_start" if boundary.phase == END:
            late_movers(ctx)
            stop_at_end(ctx)
        case "round_end":
            _round_end(ctx)


def _jobs(ctx: Ctx, segment: int) -> None:
    """Finish half-round jobs (SJ-090, SJ-091, A-28)."""
    if segment != stats.rules(ctx.state).half_round_segment:
        return
    for combatant in ctx.state.combatants:
        declared = stats.declaration(ctx.state, combatant.id)
        if declared is None or not (declared.ready_shield or declared.potion != "none"):
            continue
        if why := stats.unable(combatant):
            ctx.skip("a half-round job", why, "SJ-A28", who=combatant.id)
            continue
        if declared.ready_shield:
            ctx.fact(combatant.id, "shield_ready", True, "SJ-090")
            shield = stats.block(ctx.state, combatant.id).defence.shield
            ctx.note(f"the shield is ready: DEF +{shield}", "SJ-090", about=combatant.id)
        if declared.potion != "none":
            ctx.note("drinks the potion", "SJ-091", "SJ-092", about=combatant.id)


def _free_actions(ctx: Ctx, segment: int) -> None:
    """Log free actions on the first segment of those who declared them (SJ-094)."""
    for combatant in ctx.state.combatants:
        if combatant.fact("free_on") != segment:
            continue
        declared = stats.declaration(ctx.state, combatant.id)
        if declared is None:
            continue
        if why := stats.unable(combatant):
            ctx.skip("a free action", why, "SJ-039" if why == "stunned" else "SJ-006", who=combatant.id)
        else:
            ctx.note(
                f"{declared.free_actions} free: {declared.text}"
                if declared.text
                else f"free actions: {declared.free_actions}",
                "SJ-093",
                "SJ-094",
                about=combatant.id,
            )


ROUND_FACTS = (
    "declaration",
    "turned_on",
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
    "went_off",
)
"""What is forgotten at a round's end, besides what is kept by pair."""
GOES_ON = "goes_on"
"""The fact of why a fight could be over that the GM lets go on."""
ROUND_PAIRS = ("unseen:", STRUCK, "drives:", stats.WITHDRAWN)


def _sides_standing(state: State) -> set[Id]:
    return {combatant.side for combatant in stats.standing(state)}


def _decided(state: State) -> bool:
    """Tell whether a side of several has no combatant standing."""
    sides = {combatant.side for combatant in state.combatants}
    return len(sides) > 1 and bool(sides - _sides_standing(state)) and not state.clock.over


def _round_end(ctx: Ctx) -> None:
    """Bleed, let everything of the round end, and ask about the end (4.8)."""
    number = ctx.state.clock.round
    before = None if stats.rules(ctx.state).bleed_first_round else number
    for combatant in stats.standing(ctx.state):
        wounds = stats.bleeding(ctx.state, combatant.id, before)
        for source, parts in wounds.items():
            rules = dict.fromkeys(("SJ-A16", *(part.rule for part in parts if part.rule)))
            left = ctx.state[combatant.id].hp - sum(part.amount for part in parts)
            ctx.change(combatant.id, "hp", left, *rules, parts=parts, why="bleeding", source=source)
        if wounds:
            ctx.settle()
    ctx.expire()
    for combatant in ctx.state.combatants:
        who = combatant.id
        ctx.fact(who, "last", remembered(ctx.state, who), "SJ-001")
        for key, _ in combatant.facts:
            if key in ROUND_FACTS or key.startswith(ROUND_PAIRS):
                ctx.fact(who, key, None, "SJ-001")
    ctx.fact(FIGHT, "ambushers", None, "SJ-055")
    answer = ctx.confirm(
        "end_combat",
        default=lambda state: len(_sides_standing(state)) < 2,
        why=lambda state: f"{fallen(state)}. End the fight?",
        to="gm",
        asked_if=lambda state: _decided(state) and state.fact(FIGHT, GOES_ON) != fallen(state),
    )
    if answer:
        ctx.end_fight(fallen(ctx.state))
    else:  # it is asked again when another side has fallen, or the same one once more
        ctx.fact(FIGHT, GOES_ON, fallen(ctx.state) if _decided(ctx.state) else None)
