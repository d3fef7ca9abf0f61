"""Skill checks and opposed checks (WN-C01 to WN-C04, R06)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rulesets.worlds_without_number.numbers.stats import is_pc, rules
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice

__all__ = ["TWO_DICE", "Total", "against", "beats", "opposed", "total"]

TWO_DICE = Dice.of(2, 6)


class Total(Struct, frozen=True, gc=False):
    """A check's total and its parts, the dice among them."""

    sum: int
    parts: tuple[Part, ...]


def total(ctx: Ctx, who: Id, parts: Sequence[Part], key: str, *cited: str, why: str = "") -> Total:
    """Roll 2d6 and add the parts."""
    natural = ctx.roll(key, TWO_DICE, *cited, "WN-C01", who=who, why=why)
    kept = (Part("2d6", natural, "WN-C01"), *(part for part in parts if part.amount))
    return Total(sum(part.amount for part in kept), kept)


def beats(state: State, initiator: Id, own: Total, opponent: Id, theirs: Total) -> bool:
    """Tell whether whoever wants to change the situation wins; ties go to a PC against a non-PC, else against the initiator (R06)."""
    if own.sum != theirs.sum:
        return own.sum > theirs.sum
    if rules(state).opposed_ties == "initiator_fails":
        return False
    return is_pc(state, initiator) and not is_pc(state, opponent)


def opposed(
    ctx: Ctx,
    what: str,
    initiator: Id,
    own_parts: Sequence[Part],
    opponents: Sequence[tuple[Id, Sequence[Part]]],
    *cited: str,
) -> tuple[Total, tuple[tuple[Id, Total], ...]]:  # fmt: skip - a signature
    """Roll the initiator's check, then each opponent's in order (4.5); nothing is compared yet."""
    own = total(ctx, initiator, own_parts, f"check:{initiator}", *cited, "WN-C04", why=what)
    theirs = tuple(
        (who, total(ctx, who, parts, f"check:{who}", *cited, "WN-C04", why=f"against {what}"))
        for who, parts in opponents
    )
    return own, theirs


def tell(ctx: Ctx, what: str, who: Id, own: Total, opponent: Id, theirs: Total, won: bool, *cited: str) -> None:
    """Say how one comparison of an opposed check came out."""
    named = tuple(part.rule for part in (*own.parts, *theirs.parts) if part.rule)
    found = dict.fromkeys((*cited, "WN-C04", *(("WN-R06",) if own.sum == theirs.sum else ()), *named))
    ctx.emit(
        Checked(
            what,
            who,
            own.sum,
            "won" if won else "lost",
            opponent,
            own.parts,
            theirs.sum,
            f"{ctx.state.name(opponent)}'s check",
            theirs.parts,
        ),
        *found,
    )  # fmt: skip - one event


def against(ctx: Ctx, what: str, who: Id, own: Total, difficulty: Sequence[Part], *cited: str) -> bool:
    """Compare a check with a difficulty."""
    needed = sum(part.amount for part in difficulty)
    made = own.sum >= needed
    named = tuple(part.rule for part in (*own.parts, *difficulty) if part.rule)
    ctx.emit(
        Checked(
            what,
            who,
            own.sum,
            "success" if made else "failure",
            None,
            own.parts,
            needed,
            "difficulty",
            tuple(difficulty),
        ),
        *dict.fromkeys((*cited, "WN-C01", *named)),
    )  # fmt: skip - one event
    return made
