"""What happens at the edges of the clock, in the order of 4.4."""

from __future__ import annotations

from rulesets.without_number.ending import UNSPENT, die
from rulesets.without_number.order import drop_held, drop_moves, end_passing, refresh
from rulesets.worlds_without_number.acts.care.items import reload_quickly
from rulesets.worlds_without_number.acts.fighting.engaged import ALERT, ENGAGED
from rulesets.worlds_without_number.acts.fighting.uses import USED
from rulesets.worlds_without_number.acts.moving import maneuvers
from rulesets.worlds_without_number.cites import CITES
from rulesets.worlds_without_number.ending import morale, over
from rulesets.worlds_without_number.numbers.stats import able
from rulesets.worlds_without_number.order import schedule, setup
from tracker.core.fight.carrying import as_left
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.moments import Boundary

# What ends with the fight though it has no other end; what the game master added until it is removed stays.
ENDING = ("empty", "grappled", "grappling")
# What is over by the next fight.
PASSING = (*ENDING, "prone", "dying")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what is due at an edge."""
    match boundary.edge:
        case "round_start":
            _round_start(ctx)
        case "turn_start":
            for who in boundary.actors:
                if able(ctx.state, who):
                    reload_quickly(ctx, who)
        case "phase_end":
            _phase_end(ctx, boundary)
        case "round_end":
            _round_end(ctx, boundary)
        case "combat_end":
            _combat_end(ctx)
        case _:
            pass


def _round_start(ctx: Ctx) -> None:
    """Refill every budget (WN-030, WN-032).

    What lasts until now ends by itself.
    """
    for combatant in ctx.state.combatants:
        if combatant.fact("finished") is not None:
            ctx.fact(combatant.id, "finished", None)
    refresh(ctx, able, "WN-028", "WN-030", "WN-032")


def _phase_end(ctx: Ctx, boundary: Boundary) -> None:
    """Take unspent Moves and offer Morale, or ask for surprise (WN-007)."""
    if boundary.slot == setup.SETUP:
        setup.surprise(ctx)
        return
    drop_moves(ctx, boundary.actors, "WN-R02")
    morale.offer(ctx)
    over.offer(ctx)


def _round_end(ctx: Ctx, boundary: Boundary) -> None:
    drop_held(ctx, "WN-099")
    maneuvers.crush(ctx)
    die(ctx, CITES.dies)
    ctx.expire()
    ctx.settle()
    morale.offer(ctx)
    over.offer(ctx)
    if boundary.round:
        schedule.keep_order(ctx)


def _combat_end(ctx: Ctx) -> None:
    """End what does not outlast the fight, and give back its uses (WN-130)."""
    end_passing(ctx, ENDING, {"traumatic": "WN-130"})
    for combatant in ctx.state.combatants:
        for key, _ in combatant.facts:
            if key in {ALERT, ENGAGED, UNSPENT} or key.startswith(USED):
                ctx.fact(combatant.id, key, None)


def carry(state: State, who: Id, member: Member) -> Condition:
    """Carry combatants into the next fight, the dying stabilised (WN-C16)."""
    return as_left(state, who, PASSING, {"mortal": "stable", "gone": "up"})
