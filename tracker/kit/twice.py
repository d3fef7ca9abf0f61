"""Two dice and the better or the worse of them.

    edge = twice.edge(ctx.state, who, "advantage", -1 if prone else 0)    # 1: the better, -1: the worse, 0: one die
    rolled = twice.roll(ctx, "attack", Dice.of(1, 20), "KN-03", edge=edge, who=who, why="attack")

With the number in `Schema.derived` the GM types it as any other: `e blessed a +1 advantage`.
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
    """Return what effects on a combatant and the situation give together.

    `more` are the situation's own, above 0 in favour and below 0 against. However many there are of a kind they count
    once, and one in favour with one against leaves one die. `cases`: those in which modifiers apply that have a case.
    """
    return settled((*more, *(modifier.amount for _, modifier in held(state, who, stat, cases))))


def settled(all_of_them: Iterable[int]) -> Edge:
    """Return the edge that numbers in favour and against give together."""
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

    `needed`: what the die has to show, for the question.

    Raises:
        ValueError: where it is not one die that would be rolled twice.
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
