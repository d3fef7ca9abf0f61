"""Set-up: joining, surprise, the wait before the fight (4.2, points 1 to 3)."""

from __future__ import annotations

from rulesets.without_number.order import caught
from rulesets.without_number.turn import FULL
from rulesets.worlds_without_number.acts.care.skills import SUGGESTED
from rulesets.worlds_without_number.blocks.canonical import PC, Monster, Setup
from rulesets.worlds_without_number.ending.morale import enlist
from rulesets.worlds_without_number.numbers.effects import FRAIL
from rulesets.worlds_without_number.numbers.stats import block, expects_trouble, side_keys
from rulesets.worlds_without_number.order import schedule
from tracker.core.fight.events import BudgetChange as Change
from tracker.core.fight.events import BudgetsChanged, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.moments import side_anchor

SETUP = "r0/setup"


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their hit points, a budget, and a place in the round (WN-C09)."""
    for who in newcomers:
        _hit_points(ctx, who)
        if isinstance(stat_block := block(ctx.state[who]), PC) and stat_block.frail:
            ctx.add_effect(FRAIL.on(who), "WN-C17")
    ctx.emit(BudgetsChanged(tuple(Change(who, ctx.state[who].budget, FULL) for who in newcomers)), "WN-028")
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
