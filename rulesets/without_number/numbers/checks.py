"""Skill checks with two dice: alone against a number, or against an opponent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from rulesets.without_number.numbers.parts import cited, shown
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice

__all__ = ["D20", "TWO_DICE", "Checks", "Parts", "Total", "contest", "hits"]

TWO_DICE = Dice.of(2, 6)
D20 = Dice.of(1, 20)


Parts: TypeAlias = Sequence[Part] | Callable[[State], Sequence[Part]]
"""What is added to dice: as it is, or worked out from the state after the roll."""


class Total(Struct, frozen=True, gc=False):
    """A check's total and its parts, the dice among them."""

    sum: int
    parts: tuple[Part, ...]


class Checks(Struct, frozen=True):
    """How a game makes checks.

    By which rule, and what the number to reach is called.
    """

    rule: str
    word: str

    def total(self, ctx: Ctx, who: Id, parts: Parts, key: str, *rules: str, why: str = "") -> Total:
        """Roll 2d6 and add the parts, as they are after the roll."""
        natural = ctx.roll(key, TWO_DICE, *rules, self.rule, who=who, why=why)
        kept = (Part("2d6", natural, self.rule), *shown(parts(ctx.state) if callable(parts) else parts))
        return Total(sum(part.amount for part in kept), kept)

    def against(self, ctx: Ctx, what: str, who: Id, own: Total, difficulty: Sequence[Part], *rules: str) -> bool:
        """Tell whether a check reaches a number."""
        needed = sum(part.amount for part in difficulty)
        made = own.sum >= needed
        result = "success" if made else "failure"
        ctx.emit(
            Checked(what, who, own.sum, result, None, own.parts, needed, self.word, tuple(difficulty)),
            *cited((*own.parts, *difficulty), *rules, self.rule),
        )
        return made


def contest(
    ctx: Ctx, what: str, who: Id, own: Total, opponent: Id, theirs: Total, result: str, words: str, *rules: str
) -> None:
    """Tell a comparison with an opponent, whose number `words` name."""
    ctx.emit(
        Checked(what, who, own.sum, result, opponent, own.parts, theirs.sum, words, theirs.parts),
        *cited((*own.parts, *theirs.parts), *rules),
    )


def hits(natural: int, added: int, against: int, naturals: bool) -> bool:
    """Compare an attack total with an AC: equal hits.

    With `naturals` a 1 misses and a 20 hits.
    """
    if naturals and natural in (1, 20):
        return natural == 20
    return natural + added >= against
