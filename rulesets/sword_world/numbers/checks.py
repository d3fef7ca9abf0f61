"""Checks of 2d: bonus or fixed value, contests, and automatic results (SW-R36).

In a contest the passive roll wins ties.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rulesets.sword_world.blocks.tables import AUTO_FAILURE_XP
from rulesets.sword_world.numbers import stats
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice

__all__ = [
    "TWO_DICE",
    "Total",
    "active_wins",
    "failed_automatically",
    "fixed_total",
    "gain_xp",
    "roll_total",
    "stat_total",
]

TWO_DICE = Dice.of(2, 6)


class Total(Struct, frozen=True):
    """The outcome of a check and its parts.

    The natural total is None for a fixed value.
    """

    natural: int | None
    parts: tuple[Part, ...]

    @property
    def value(self) -> int:
        """The number that is compared."""
        return sum(part.amount for part in self.parts)


def roll_total(
    ctx: Ctx, key: str, who: Id, stat: str, base: Sequence[Part], *rules: str, why: str = "", goal: int | None = None
) -> Total:
    """Roll 2d and add the parts of a bonus.

    `goal`: the total from which the outcome is another, for the odds.
    """
    classes = () if goal is None else _classes(ctx.state, goal - sum(part.amount for part in base))
    natural = ctx.roll(key, TWO_DICE, *rules, who=who, why=why or stat.replace("_", " "), classes=classes)
    if natural == 2 and stats.rules(ctx.state).automatic_results:
        gain_xp(ctx, who, "SW-R36")
    return Total(natural, (Part("2d", natural), *(part for part in base if part.amount)))


def _classes(state: State, least: int) -> tuple[int, ...]:
    """Return the classes of equal outcomes of 2d, split at a natural total (SW-R36)."""
    automatic = (3, 12) if stats.rules(state).automatic_results else ()
    return tuple(sorted({2, *automatic, *((least,) if 2 < least <= 12 else ())}))


def fixed_total(base: Sequence[Part]) -> Total:
    """Return the total of a fixed value with its modifiers."""
    return Total(None, tuple(part for place, part in enumerate(base) if part.amount or not place))


def stat_total(
    ctx: Ctx,
    key: str,
    who: Id,
    stat: str,
    *rules: str,
    extra: Sequence[Part] = (),
    roll_fixed: bool = False,
    why: str = "",
    goal: int | None = None,
) -> Total:
    """Make a check of a number of the stat block (SW-R48).

    Its fixed value counts if it has one and `roll_fixed` is off, else 2d + bonus.
    """
    stated = None if roll_fixed else stats.fixed(ctx.state, who, stat)
    if stated is not None:
        return fixed_total(
            (*stats.check_parts(ctx.state, who, stat, stated, f"{stat.replace('_', ' ')} (fixed)"), *extra)
        )
    base = int(getattr(stats.block(ctx.state, who), stat))
    parts = (*stats.check_parts(ctx.state, who, stat, base), *extra)
    return roll_total(ctx, key, who, stat, parts, *rules, why=why, goal=goal)


def failed_automatically(state: State, total: Total) -> bool:
    """Tell whether a double 1 on the active roll fails by the switch (SW-R36)."""
    return stats.rules(state).automatic_results and total.natural == 2


def active_wins(state: State, active: Total, passive: Total) -> bool:
    """Tell whether the active roll beats the passive one: ties are the passive roll's (SW-105)."""
    if stats.rules(state).automatic_results:  # SW-R36
        if active.natural == 2:
            return False
        if passive.natural == 12:
            return False
        if active.natural == 12 or passive.natural == 2:
            return True
    return active.value > passive.value


def gain_xp(ctx: Ctx, who: Id | None, *rules: str) -> None:
    """Give the 50 xp of an automatic failure to a combatant that earns any.

    SW-127, SW-R37.
    """
    if who is None:
        return
    if stats.block(ctx.state, who).earns_xp:
        held = ctx.state[who].fact("xp", 0)
        ctx.fact(who, "xp", (held if isinstance(held, int) else 0) + AUTO_FAILURE_XP, "SW-127", "SW-R37", *rules)
    else:
        ctx.note("fails automatically", "SW-127", "SW-R37", *rules, about=who)
