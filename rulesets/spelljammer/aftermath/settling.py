"""Who is down, up again or wounded (section 7)."""

from __future__ import annotations

from rulesets.spelljammer.actions.spells import interrupt
from rulesets.spelljammer.stats import stats
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx


def settle(ctx: Ctx) -> None:
    """See who is down or up, wounded, and still in melee (section 7)."""
    for combatant in ctx.changed_since_settle("status", "pools", "effects", "side"):
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
    _forget_the_gone(ctx)


WORDS = {-10: "badly wounded", -20: "very badly wounded", -30: "very badly wounded"}


def _tell_wounds(ctx: Ctx, who: Id, state: str, mod: int) -> None:
    """Tell of a step of wounds that is crossed (SJ-044 to SJ-049)."""
    before, was = ctx.state[who].fact("wound_state"), ctx.state[who].fact("wound_mod")
    if before is None or stats.down(ctx.state[who]):
        return
    if mod != was:
        rule = stats.wound(ctx.state, who)[1]
        words = f"{WORDS.get(mod, 'wounds')} {mod:+d}".replace("-", "−") if mod else "wounds no longer hamper"
        ctx.note(words, rule, "SJ-043", about=who)
    elif state != before and state != "wounded":
        ctx.note(state, "SJ-045" if state == "bloodied" else "SJ-044", about=who)


def _forget_the_gone(ctx: Ctx) -> None:
    """Take the acts of leavers out of the round, and end what was their melee."""
    slots, begun = ctx.state.clock.slots, ctx.state.clock.begun
    kept = tuple(slot for slot in slots if slot.members or slot.id in begun or stats.act_of(slot) is None)
    if kept != slots:
        ctx.emit(OrderSet(slots, kept), "SJ-006")
    for owner in stats.pairs(ctx.state):
        one, other = (ctx.state.get(who) for who in stats.paired(owner))
        if one is None or other is None or stats.down(one) or stats.down(other):
            ctx.fact(owner, "engaged", None, "SJ-A13")
        elif one.side == other.side:
            ctx.fact(owner, "engaged", None, "SJ-129")


def finished(state: State) -> str | None:
    """Return why the fight looks finished: one side alone is standing."""
    sides = {combatant.side for combatant in state.combatants}
    left = {combatant.side for combatant in stats.standing(state)}
    return fallen(state) if len(sides) > 1 and len(left) < 2 and not state.clock.over else None


def fallen(state: State) -> str:
    """Return which sides have combatants, and none of them standing."""
    left = {combatant.side for combatant in stats.standing(state)}
    names = [side.name for side in state.sides if side.id not in left and state.members(side.id)]
    return f"no fighter of {' and '.join(names)} is left standing"
