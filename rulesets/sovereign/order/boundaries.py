"""What happens at the edges of the clock, in the order of 4.2."""

from __future__ import annotations

from rulesets.sovereign.actions import waiting
from rulesets.sovereign.actions.care.items import reload_quickly
from rulesets.sovereign.actions.fighting import swarm
from rulesets.sovereign.actions.fighting.strikes import USED
from rulesets.sovereign.actions.moving import maneuvers
from rulesets.sovereign.actions.moving.movement import MOVE_LEFT
from rulesets.sovereign.actions.payment import PAID_FACT
from rulesets.sovereign.aftermath import morale, wounds
from rulesets.sovereign.cites import CITES
from rulesets.sovereign.order import schedule, setup
from rulesets.sovereign.stats.field import ENGAGED
from rulesets.sovereign.stats.stats import able, unsurprised
from rulesets.without_number.aftermath import die
from rulesets.without_number.order import drop_held, drop_moves, end_passing, refresh
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State, condition_after
from tracker.core.step.ctx import Ctx
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.moments import Boundary

# What ends with the fight though it has no other end; what the game master added until it is removed stays.
ENDING = ("unloaded", "grappled", "grappling", "unaware")
# What is over by the next fight.
PASSING = (*ENDING, "dying")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what is due at an edge."""
    match boundary.edge:
        case "round_start":
            _round_start(ctx, boundary)
        case "phase_start":
            for who in boundary.actors:
                if who in ctx.state and able(ctx.state, who):
                    reload_quickly(ctx, who)
        case "phase_end":
            _phase_end(ctx, boundary)
        case "round_end":
            _round_end(ctx, boundary)
        case "combat_end":
            _combat_end(ctx)
        case _:
            pass


def _round_start(ctx: Ctx, boundary: Boundary) -> None:
    """Refill every budget (SV-039, SV-041).

    The counters of the last round have ended by themselves.
    """
    refresh(ctx, unsurprised, "SV-001", "SV-039", "SV-041")
    if boundary.round:
        for combatant in ctx.state.combatants:
            if combatant.has("unaware"):
                ctx.end_named(combatant.id, "unaware", "the fight has begun", "SV-159")


def _phase_end(ctx: Ctx, boundary: Boundary) -> None:
    """Ask about swarms and take unspent Moves, or ask for surprise."""
    if boundary.slot == setup.SETUP:
        setup.surprise(ctx)
        return
    for side in boundary.sides:
        swarm.resolve_pending(ctx, side)
    drop_moves(ctx, boundary.actors, "SV-041", "SV-R04")
    for who in boundary.actors:
        if who in ctx.state and ctx.state[who].facts:
            ctx.fact(who, MOVE_LEFT, None, "SV-R23")
            ctx.fact(who, PAID_FACT, None, "SV-R26")


def _round_end(ctx: Ctx, boundary: Boundary) -> None:
    """Let held turns and swarms lapse, squeeze the grappled, let the dying die.

    Then what lasts for the round ends.
    """
    drop_held(ctx, "SV-113")
    swarm.lapse(ctx)
    maneuvers.crush(ctx)
    die(ctx, CITES.dies)
    ctx.expire()
    ctx.settle()
    if boundary.round:
        schedule.keep_order(ctx)


def _combat_end(ctx: Ctx) -> None:
    """End what does not outlast the fight, and give back its uses (SV-P14)."""
    end_passing(ctx, ENDING, {})
    for combatant in ctx.state.combatants:
        ctx.fact(combatant.id, ENGAGED, None)
        ctx.fact(combatant.id, USED, None, "SV-P14")


def carry(state: State, who: Id, member: Member) -> Condition:
    """Carry hit points and frailty into the next fight (SV-P10).

    By then the dying have been stabilised, and all who can have stood up.
    """
    lying = () if state[who].status != "up" else ("prone",)
    return condition_after(state, who, (*PASSING, *lying), {"mortal": "stable", "gone": "up"})


def settle_all(ctx: Ctx) -> None:
    """Draw the conclusions: wounds, held turns cut short, morale (4.4, point 9)."""
    wounds.settle(ctx)
    waiting.tidy(ctx)
    morale.prompt(ctx)
