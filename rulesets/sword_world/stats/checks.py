"""Checks of 2d: bonus or fixed value, contests, and automatic results (SW-R36).

In a contest the passive roll wins ties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from rulesets.sword_world.stat_blocks.shorthand import AUTO_FAILURE_XP
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf, FromState
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.words import needs

TWO_DICE = Dice.of(2, 6)

Base: TypeAlias = Callable[[State], Sequence[Part]]
"""From a state to the parts of a bonus."""
Goal: TypeAlias = Callable[[State], int | None]
"""From a state to the total that changes the outcome, None where that is not known."""


class Contest(Struct, frozen=True):
    """What a check is compared with in its question: `vs Evasion 10`.

    `above`: a tie is not enough, as for the one who began it; `whom`: at whom it is made, in words; `goal`: the total
    that changes the outcome, for the odds; `demanded`: the game master asks for it, so it is always rolled.
    """

    against: str = ""
    made: str = ""
    above: bool = False
    whom: str = ""
    goal: Goal | None = None
    demanded: bool = False


OPEN = Contest()


class Total(Struct, frozen=True):
    """The outcome of a check and its parts; the natural total is None for a fixed value."""

    natural: int | None
    parts: tuple[Part, ...]

    @property
    def value(self) -> int:
        return sum(part.amount for part in self.parts)


def roll_total(
    ctx: Ctx,
    key: str,
    who: Id,
    stat: str,
    base: Base,
    *rules: str,
    why: FromState[str] = "",
    contest: Contest = OPEN,
    asked_if: AskedIf | None = None,
) -> Total | None:
    """Roll 2d and add a bonus as it is at the roll, None if it is not asked.

    Dice of which every face gives the same result are not rolled: the least or the most they could be counts (SW-R56).
    """

    def asked(state: State) -> bool:
        return asked_if is None or bool(asked_if(state))

    def settled(state: State) -> Part | None:
        return None if contest.demanded else _settled(state, *at_stake(state))

    def at_stake(state: State) -> tuple[int | None, int]:
        """Return the total to reach, and what is added to the dice."""
        reached = None if contest.goal is None else contest.goal(state)
        return reached, 0 if reached is None else sum(part.amount for part in base(state))

    def needed(state: State) -> str:
        reached, added = at_stake(state)
        words = "" if reached is None else _needed(state, added, reached, contest)
        return " · ".join(part for part in (contest.whom, words) if part)

    why = why or stat.replace("_", " ")
    natural = ctx.roll(
        key,
        TWO_DICE,
        *rules,
        who=who,
        why=why,
        needed=needed,
        asked_if=lambda state: asked(state) and settled(state) is None,
    )
    if natural is None:
        sure = settled(ctx.state) if asked(ctx.state) else None
        return None if sure is None else Total(None, (sure, *(part for part in base(ctx.state) if part.amount)))
    if natural == 2 and stats.rules(ctx.state).automatic_results:
        gain_xp(ctx, who, "SW-R36")
    return dice_total(natural, base(ctx.state))


def _settled(state: State, reached: int | None, added: int) -> Part | None:
    """Return the dice that count unrolled, since with every face the total is reached, or is not (SW-R56)."""
    if reached is None or stats.rules(state).automatic_results:
        return None
    if added + TWO_DICE.maximum < reached:
        return Part("2d at most", TWO_DICE.maximum, "SW-R56")
    return Part("2d at least", TWO_DICE.minimum, "SW-R56") if added + TWO_DICE.minimum >= reached else None


def _needed(state: State, added: int, reached: int, contest: Contest) -> str:
    """Return what a check needs, for the question."""
    against, above = (reached - 1, 1) if contest.above else (reached, 0)
    automatic = stats.rules(state).automatic_results
    return needs(added, against, contest.against, 3 if automatic else 2, 12, contest.made, above, automatic)


def dice_total(natural: int, base: Sequence[Part]) -> Total:
    return Total(natural, (Part("2d", natural), *(part for part in base if part.amount)))


def fixed_total(base: Sequence[Part]) -> Total:
    return Total(None, tuple(part for place, part in enumerate(base) if part.amount or not place))


def stat_total(
    ctx: Ctx,
    key: str,
    who: Id,
    stat: str,
    *rules: str,
    extra: Sequence[Part] = (),
    roll_fixed: bool = False,
    why: FromState[str] = "",
    contest: Contest = OPEN,
    asked_if: AskedIf | None = None,
) -> Total | None:
    """Make a check of a number of the stat block, None if `asked_if` says that it is not made (SW-R48).

    Its fixed value counts if it has one and `roll_fixed` is off, else 2d + bonus.
    """

    def made(state: State) -> bool:
        return asked_if is None or bool(asked_if(state))

    def stated(state: State) -> int | None:
        return None if roll_fixed else stats.fixed(state[who], stat)

    def base(state: State) -> tuple[Part, ...]:
        return (*stats.check_parts(state[who], stat, int(getattr(stats.block(state, who), stat)), "bonus"), *extra)

    def rolls(state: State) -> bool:
        return made(state) and stated(state) is None

    rolled = roll_total(ctx, key, who, stat, base, *rules, why=why, contest=contest, asked_if=rolls)
    if rolled is not None or not made(ctx.state) or (fixed := stated(ctx.state)) is None:
        return rolled
    return fixed_total((*stats.check_parts(ctx.state[who], stat, fixed, "fixed"), *extra))


def failed_automatically(state: State, total: Total) -> bool:
    """Tell whether a double 1 on the active roll fails by the switch (SW-R36)."""
    return stats.rules(state).automatic_results and total.natural == 2


def active_wins(state: State, active: Total, passive: Total, *, ties: bool = False) -> bool:
    """Tell whether the active roll beats the passive one.

    Ties are the passive roll's (SW-105) unless `ties` are the active one's.
    """
    if stats.rules(state).automatic_results:  # SW-R36
        if active.natural == 2:
            return False
        if passive.natural == 12:
            return False
        if active.natural == 12 or passive.natural == 2:
            return True
    return active.value > passive.value or (ties and active.value == passive.value)


def rank(state: State, total: Total) -> tuple[int, int]:
    """Return what totals are sorted by; with the switch double dice come before and behind all others (SW-R36)."""
    doubles = {2: -1, 12: 1} if stats.rules(state).automatic_results else {}
    return (doubles.get(total.natural or 0, 0), total.value)


def reaches(state: State, total: Total, target: int) -> bool:
    """Tell whether a check reaches its target number: equality is enough (SW-R01, SW-R36)."""
    if stats.rules(state).automatic_results and total.natural in (2, 12):
        return total.natural == 12
    return total.value >= target


def gain_xp(ctx: Ctx, who: Id | None, *rules: str, logged: bool = False) -> None:
    """Give the 50 xp of an automatic failure to a combatant that earns any.

    SW-127, SW-R37. `logged`: the log has said so already.
    """
    if who is None:
        return
    if stats.block(ctx.state, who).earns_xp:
        held = ctx.state[who].fact("xp", 0)
        ctx.fact(who, "xp", (held if isinstance(held, int) else 0) + AUTO_FAILURE_XP, "SW-127", "SW-R37", *rules)
        if not logged:
            ctx.note(f"double 1: {AUTO_FAILURE_XP} xp", "SW-127", "SW-R37", *rules, about=who)
    elif not logged:
        ctx.note("double 1, no xp for it", "SW-127", "SW-R37", *rules, about=who)
