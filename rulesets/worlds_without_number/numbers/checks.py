"""Skill checks and opposed checks (WN-C01 to WN-C04, R06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulesets.without_number.numbers import Checks, Parts, Total, contest
from rulesets.worlds_without_number.numbers.stats import is_pc, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx

CHECKS = Checks("WN-C01", "difficulty")
total = CHECKS.total
against = CHECKS.against


def beats(state: State, initiator: Id, own: Total, opponent: Id, theirs: Total) -> bool:
    """Tell whether the initiator of an opposed check wins (R06).

    Ties go to a PC against a non-PC, else against the initiator.
    """
    if own.sum != theirs.sum:
        return own.sum > theirs.sum
    if rules(state).opposed_ties == "initiator_fails":
        return False
    return is_pc(state, initiator) and not is_pc(state, opponent)


def opposed(
    ctx: Ctx,
    what: str,
    initiator: Id,
    own_parts: Parts,
    opponents: Sequence[tuple[Id, Parts]],
    opposes: Callable[[State, Id], bool],
    *cited: str,
) -> tuple[Total, tuple[tuple[Id, Total], ...]] | None:  # fmt: skip - a signature
    """Roll the initiator's check and each opponent's, without comparing them (4.5).

    None where the initiator has gone, or all who oppose it: `opposes` says who still does.
    """

    def opposed_by(state: State, who: Id) -> bool:
        return initiator in state and opposes(state, who)

    own = total(
        ctx,
        initiator,
        own_parts,
        f"check:{initiator}",
        *cited,
        "WN-C04",
        why=what,
        asked_if=lambda state: any(opposed_by(state, who) for who, _ in opponents),
    )
    theirs = []
    for who, parts in opponents if own is not None else ():
        key, why = f"check:{who}", f"against {what}"
        made = total(ctx, who, parts, key, *cited, "WN-C04", why=why, asked_if=partial(opposed_by, who=who))
        if made is not None:
            theirs.append((who, made))
    still = tuple((who, made) for who, made in theirs if opposed_by(ctx.state, who))
    if own is None or not still:
        ctx.skip(what, "nothing opposes it any more", "WN-C04", who=initiator)
        return None
    return own, still


def tell(ctx: Ctx, what: str, who: Id, own: Total, opponent: Id, theirs: Total, won: bool, *cited: str) -> None:
    """Say how one comparison of an opposed check came out."""
    found = (*cited, "WN-C04", *(("WN-R06",) if own.sum == theirs.sum else ()))
    words = f"{ctx.state.name(opponent)}'s check"
    contest(ctx, what, who, own, opponent, theirs, "won" if won else "lost", words, *found)
