"""What happens at the edges of the clock, in the order of 4.4."""

from __future__ import annotations

from rulesets.without_number.aftermath import UNSPENT, die
from rulesets.without_number.order import caught, drop_held, drop_moves, end_passing, refresh
from rulesets.without_number.turn import FULL, TRIGGERING
from rulesets.worlds_without_number.actions import waiting
from rulesets.worlds_without_number.actions.care.items import reload_quickly
from rulesets.worlds_without_number.actions.care.skills import SUGGESTED
from rulesets.worlds_without_number.actions.fighting.reactions import USED
from rulesets.worlds_without_number.actions.fighting.weapons import ALERT, ENGAGED
from rulesets.worlds_without_number.actions.moving import maneuvers
from rulesets.worlds_without_number.aftermath import morale, wounds
from rulesets.worlds_without_number.aftermath.morale import enlist
from rulesets.worlds_without_number.cites import CITES
from rulesets.worlds_without_number.order import schedule
from rulesets.worlds_without_number.stat_blocks.models import PC, Monster, Setup
from rulesets.worlds_without_number.stats.effects import FRAIL
from rulesets.worlds_without_number.stats.stats import able, block, expects_trouble, side_keys
from tracker.core.fight.events import OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, Side, State, condition_after
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.encounter import Condition, Encounter, Member
from tracker.core.terms.moments import Boundary, side_anchor

SETUP = "r0/setup"


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points, a budget, and a place in the round (WN-C09)."""
    for who in newcomers:
        _hit_points(ctx, who)
        if isinstance(stat_block := block(ctx.state[who]), PC) and stat_block.frail:
            ctx.add_effect(FRAIL.on(who), "WN-C17")
    ctx.refill(dict.fromkeys(newcomers, FULL), "WN-028")
    enlist(ctx, newcomers)
    schedule.admit(ctx, newcomers)


def _hit_points(ctx: Ctx, who: Id) -> None:
    stat_block = block(ctx.state[who])
    if isinstance(stat_block, PC):
        ctx.emit(PoolSet(who, None, Pool("hp", stat_block.hp_now, stat_block.hp)))
        if stat_block.hp_now == 0:
            ctx.status(who, "stable", "WN-C16")
        return
    most = stat_block.hp if stat_block.hp is not None else _roll_hit_points(ctx, who, stat_block)
    ctx.emit(PoolSet(who, None, Pool("hp", most, most)), "WN-C09")


def _roll_hit_points(ctx: Ctx, who: Id, stat_block: Monster) -> int:
    dice = stat_block.hit_dice
    natural = ctx.roll(f"hp:{who}", dice, "WN-C09", who=who, to="gm", why="hit points", setup=True)
    return max(1, natural + dice.plus)


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Wait in set-up if the encounter says so, else settle surprise."""
    setup = ctx.state.setup
    if isinstance(setup, Setup) and setup.wait:
        ctx.emit(OrderSet((), (Slot(SETUP, "Set-up", phase="setup", turns="none", stage="opening"),)))
    else:
        surprise(ctx)


def surprise(ctx: Ctx) -> None:
    """Ask which sides are surprised, then set round 0 (WN-018 to WN-024)."""
    schedule.surprise_round(ctx, caught(ctx, _expects_trouble, _surprise_option, _expected, "WN-018", "WN-020"))


def _expects_trouble(ctx: Ctx, side: Side) -> None:
    if expects_trouble(ctx.state, side.id):
        ctx.skip("surprise", f"{side.name} expects trouble", "WN-022")


def _surprise_option(state: State, side: Side) -> Option | None:
    return None if expects_trouble(state, side.id) else Option(side.id, side.name)


def _expected(state: State, side: Id) -> bool:
    """Tell whether a side is taken for surprised (WN-021): by the check, else its file."""
    suggested = state.fact(side_anchor(side), SUGGESTED)
    return suggested is True if isinstance(suggested, bool) else side_keys(state, side).surprised


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
    if boundary.slot == SETUP:
        surprise(ctx)
        return
    drop_moves(ctx, boundary.actors, "WN-R02")
    morale.offer(ctx)
    wounds.offer(ctx)


def _round_end(ctx: Ctx, boundary: Boundary) -> None:
    drop_held(ctx, "WN-099")
    maneuvers.crush(ctx)
    die(ctx, CITES.dies)
    ctx.expire()
    ctx.settle()
    morale.offer(ctx)
    wounds.offer(ctx)
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
    return condition_after(state, who, PASSING, {"mortal": "stable", "gone": "up"})


def settle(ctx: Ctx) -> None:
    """Draw the conclusions.

    After a whole action close the held turns that were cut short, and offer the end.
    """
    wounds.settle(ctx)
    if ctx.depth:
        return
    for combatant in ctx.state.combatants:
        if combatant.fact(TRIGGERING) is not None:
            waiting.finish(ctx, combatant.id)
    if not ctx.walking:
        wounds.offer(ctx)
