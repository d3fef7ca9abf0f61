"""Set-up: joining, places on the map, surprise, the wait before the fight (4.1)."""

from __future__ import annotations

from rulesets.sovereign.actions.care.skills import SUGGESTED
from rulesets.sovereign.aftermath import morale
from rulesets.sovereign.order import schedule
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack_outcomes import FRAIL, PRONE, UNAWARE
from rulesets.sovereign.stats.stats import block, member_keys, setup, side_keys
from rulesets.without_number.order import caught
from rulesets.without_number.turn import FULL
from tracker.core.clock.joining import slug
from tracker.core.fight.events import Moved, OrderSet, PoolSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import Pool, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.moments import side_anchor
from tracker.kit.squares.grid import Square

SETUP = "r0/setup"


def join(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers hit points, a budget, and places on the map and in the round."""
    for who in newcomers:
        _hit_points(ctx, who)
    ctx.refill(dict.fromkeys(newcomers, FULL), "SV-001", "SV-004", "SV-037")
    _place(ctx, newcomers)
    for who in newcomers:
        _particulars(ctx, who)
    morale.enlist(ctx, newcomers)
    schedule.admit(ctx, newcomers)


def _hit_points(ctx: Ctx, who: Id) -> None:
    stat_block = block(ctx.state[who])
    most = stat_block.hp
    if most is None:
        dice = stat_block.hit_dice
        most = max(1, ctx.roll(f"hp:{who}", dice, "SV-P16", who=who, to="gm", why="hit points", setup=True) + dice.plus)
    now = most if stat_block.hp_now is None else min(stat_block.hp_now, most)
    ctx.emit(PoolSet(who, None, Pool("hp", now, most)), "SV-P16")
    if now == 0:
        ctx.status(who, "stable", "SV-P10")
        ctx.add_effect(PRONE.on(who, stacking="keep"), "SV-P10")


def _particulars(ctx: Ctx, who: Id) -> None:
    combatant = ctx.state[who]
    if block(combatant).frail:
        ctx.add_effect(FRAIL.on(who, stacking="keep"), "SV-P11")
    if (member_keys(combatant).unaware or side_keys(ctx.state, combatant.side).unaware) and not ctx.state.clock.round:
        ctx.add_effect(UNAWARE.on(who, stacking="keep"), "SV-159")
    for name in member_keys(combatant).engaged:
        wanted = name.casefold()
        other = next(
            (
                one.id
                for one in ctx.state.combatants
                if wanted in (one.id, one.name.casefold(), slug(one.name)) and one.id != who
            ),
            None,
        )
        if other is not None:
            field.engage(ctx, who, other)


def _place(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Put newcomers on the squares their member names, one for each copy (SV-003, R30).

    What does not fit stays off the map.
    """
    if field.terrain(ctx.state) is None:
        return
    used: dict[tuple[str, tuple[Square, ...]], int] = {}
    for who in newcomers:
        combatant = ctx.state[who]
        squares = member_keys(combatant).squares
        key = (combatant.ref or combatant.name.rstrip("0123456789 "), squares)
        place = used.get(key, 0)
        used[key] = place + 1
        if not squares:
            continue
        wanted = squares[min(place, len(squares) - 1)]
        found = field.nearest_free(ctx.state, wanted, block(combatant).space)
        if found is None:
            ctx.skip("place on the map", f"there is no room near {wanted[0]},{wanted[1]}", "SV-R45", who=who)
        else:
            ctx.emit(Moved(who, None, found), "SV-003", "SV-R30")
            if found != wanted:
                ctx.note(f"stands at {found[0]},{found[1]}: {wanted[0]},{wanted[1]} has no room", "SV-R45", about=who)


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Wait in set-up if the encounter says so, else settle surprise."""
    if setup(ctx.state).wait:
        ctx.emit(OrderSet((), (Slot(SETUP, "Set-up", phase="setup", turns="none", stage="opening"),)), "SV-R17")
    else:
        surprise(ctx)


def surprise(ctx: Ctx) -> None:
    """Ask which sides are surprised, then set round 0 (SV-022 to SV-029)."""
    schedule.surprise_round(ctx, caught(ctx, _expects_combat, _surprise_option, _expected, "SV-022", "SV-025"))


def _expects_combat(ctx: Ctx, side: Side) -> None:
    if side_keys(ctx.state, side.id).anticipating:
        ctx.note(f"no surprise for {side.name}: combat is expected", "SV-028")


def _surprise_option(state: State, side: Side) -> Option | None:
    keys = side_keys(state, side.id)
    note = "not by an ambush: the party moves carefully" if keys.careful else ""
    return None if keys.anticipating else Option(side.id, side.name, note=note)


def _expected(state: State, side: Id) -> bool:
    """Tell whether a side is taken for surprised (SV-025): by the check, else its file."""
    suggested = state.fact(side_anchor(side), SUGGESTED)
    return suggested != "no" if isinstance(suggested, str) else side_keys(state, side).surprised
