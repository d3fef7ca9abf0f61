"""Two dice, of which the better or the worse counts.

    edge = twice.edge(ctx.state, who, "advantage", -1 if prone else 0)    # 1: the better, -1: the worse, 0: one die
    rolled = twice.roll(ctx, "attack", Dice.of(1, 20), "KN-03", edge=edge, who=who, why="attack")

With the number in `Schema.derived`, the GM can type it like any other: `e blessed a +1 advantage`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal, TypeAlias

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import FromState
from tracker.core.terms.dice import Dice
from tracker.kit.modifiers import held

Edge: TypeAlias = Literal[-1, 0, 1]
"""The worse of two dice, one die, the better of two."""


def edge(state: State, who: Id, stat: str, *more: int, cases: Collection[str] = ()) -> Edge:
    """Return the edge of effects on a combatant and of the situation together.

    `more`: the numbers of the situation, above 0 in favour, below 0 against. Several in favour count as one, and so do
    several against; both together leave one die. `cases`: the cases of modifiers that apply.
    """
    return settled((*more, *(modifier.amount for _, modifier in held(state, who, stat, cases))))


def settled(all_of_them: Iterable[int]) -> Edge:
    """Return the edge of numbers in favour and against."""
    numbers = tuple(all_of_them)
    better, worse = any(number > 0 for number in numbers), any(number < 0 for number in numbers)
    return 0 if better == worse else 1 if better else -1


def roll(
    ctx: Ctx,
    key: str,
    dice: Dice,
    *rules: str,
    edge: int = 0,
    who: Id | None = None,
    why: str = "",
    needed: FromState[str] = "",
) -> int:
    """Roll a die once, or twice and keep the better or the worse; the log shows both.

    `needed`: the number that the die needs, for the question.

    Raises:
        ValueError: `dice` is not one die.
    """
    if sum(number for number, _ in dice.terms) != 1:
        raise ValueError(f"one die is rolled twice, not {dice}")
    if not edge:
        return ctx.roll(key, dice, *rules, who=who, why=why, needed=needed)
    both = Dice(tuple((2 * number, sides) for number, sides in dice.terms))
    kept = "the better of two" if edge > 0 else "the worse of two"
    words = f"{why}, {kept}" if why else kept
    faces = ctx.faces(key, both, *rules, who=who, why=words, needed=needed, apart=True)
    return max(faces) if edge > 0 else min(faces)
