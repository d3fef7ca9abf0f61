"""What follows from the state: the slain, grips that end, the end."""

from __future__ import annotations

from rulesets.githack.order import find_places
from rulesets.githack.stats import stats
from rulesets.githack.stats.stats import Ward
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx


def settle(ctx: Ctx) -> None:
    """Slay and raise monsters, end what cannot go on, and ask about the end (4.2)."""
    changed = ctx.changed_since_settle("status", "pools", "facts", "effects")
    for combatant in changed:
        if not stats.is_pc(combatant):
            _judge_points(ctx, combatant)
    if changed and ctx.changed_since_settle("status", "effects"):  # what ties two together depends on both
        _settle_effects(ctx)
    find_places(ctx, stats.unplaced(ctx.state))
    if ctx.state.clock.over:
        return
    side = finished_side(ctx.state)
    if side is None:
        ctx.fact("fight", "asked_end", None, "GH-010")
    elif ctx.state.clock.round and ctx.state.fact("fight", "asked_end") is None:
        _ask_the_end(ctx, side)


def _settle_effects(ctx: Ctx) -> None:
    """End the grips of those who are gone; the dying are laid low, and what guards nobody ends."""
    for _, effect, held in stats.grips(ctx.state):
        if held.continuing and effect.source is not None and not stats.here(ctx.state, effect.source):
            ctx.end_effect(effect, "gone with the monster", "GH-073")
    for combatant in stats.pcs(ctx.state):
        if stats.dying(combatant) and combatant.status != "incapacitated":
            _judge_dying(ctx, combatant)
        if combatant.has("guarding") and not _can_guard(ctx.state, combatant.id):
            ctx.end_named(combatant.id, "guarding", "cannot guard", "GH-209")


def _judge_points(ctx: Ctx, combatant: Combatant) -> None:
    """Slay a monster at 0 hit points, and raise one above 0 (A21); one slain by the referee's word stays slain."""
    if not combatant.has_pool("hp"):
        return
    if combatant.status == "up" and combatant.hp <= 0:
        ctx.fact(combatant.id, "felled", True, "GH-A21")
        ctx.status(combatant.id, "slain", "GH-017")
    elif combatant.status == "slain" and combatant.hp > 0 and combatant.fact("felled") is True:
        ctx.fact(combatant.id, "felled", None, "GH-A21")
        ctx.status(combatant.id, "up", "GH-021", "GH-A21")


def _judge_dying(ctx: Ctx, combatant: Combatant) -> None:
    """Lay low one who is made dying; the dead and the gone no longer are."""
    if combatant.status == "up":
        ctx.fact(combatant.id, "fell", ctx.state.clock.round, "GH-207")
        ctx.status(combatant.id, "incapacitated", "GH-122")
    else:
        ctx.end_named(combatant.id, "dying", combatant.status, "GH-123")


def _ask_the_end(ctx: Ctx, side: str) -> None:
    """Ask whether the combat ends, unless a combatant comes just then (GH-010)."""
    ctx.fact("fight", "asked_end", side, "GH-010")
    if ctx.confirm(
        "end_combat",
        "GH-010",
        default=True,
        why=f"{side}: end the combat?",
        to="gm",
        asked_if=lambda state: not state.clock.over and state.fact("fight", "asked_end") is not None,
    ):
        ctx.end_fight(side, "GH-010")
        ctx.walk()


def _can_guard(state: State, who: Id) -> bool:
    effect = state[who].effect("guarding")
    ward = effect.data.who if effect is not None and isinstance(effect.data, Ward) else ""
    lost = any(gone == ward for gone, _ in state.gone) or (ward in state and not stats.here(state, ward))
    return stats.acts(state[who]) and not lost


def finished_side(state: State) -> str | None:
    """Return which side is finished: no monster left, or no PC standing (4.2).

    A combatant on the other control's side counts for neither.
    """
    if not state.combatants or state.clock.over:
        return None
    if not stats.stands(state, pcs=False):
        return "no monster is left"
    return None if stats.stands(state, pcs=True) else "no PC is standing"
