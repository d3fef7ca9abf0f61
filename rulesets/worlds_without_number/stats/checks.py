"""Skill checks and opposed checks (WN-C01 to WN-C04, R06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from rulesets.without_number.stats import D20, Checks, Parts, Total, contest
from rulesets.worlds_without_number.stats.stats import Save, is_pc, rules, save_number
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.words import needs

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


def resists_from(state: State, initiator: Id, own: Total | None, opponent: Id) -> int | None:
    """Return the total from which an opponent withstands the initiator's check."""
    return None if own is None else own.sum + beats(state, initiator, own, opponent, own)


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
        goal = partial(resists_from, initiator=initiator, own=own, opponent=who)
        made = total(ctx, who, parts, key, *cited, "WN-C04", why=why, goal=goal, asked_if=partial(opposed_by, who=who))
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
    contest(ctx, what, who, own, opponent, theirs, won, words, *found)


def save(ctx: Ctx, who: Id, kind: Save, *cited: str, penalty: Part | None = None, why: str = "") -> bool:
    """Roll a save, asking for its number where it is neither typed nor computed."""
    typed = save_number(ctx.state, who, kind)
    if typed is None:
        asked = ctx.number("save_number", "WN-C05", minimum=2, maximum=20, who=who, to="gm", why=f"{kind} save")
        typed = Derived.total((Part(f"{kind} save", asked, "WN-C05"),))
    automatic, less = rules(ctx.state).natural_saves, 0 if penalty is None else penalty.amount
    needed = needs(less, typed.value, "save", 2 if automatic else 1, 20, "saves", sure=automatic)
    natural = ctx.roll(
        "save",
        D20,
        *cited,
        "WN-C05",
        who=who,
        why=f"{kind} save: {why}",
        needed=needed,
        asked_if=lambda state: who in state,
    )
    if natural is None:
        return True
    own = (Part("1d20", natural, "WN-C05"), *((penalty,) if penalty is not None and penalty.amount else ()))
    total = sum(part.amount for part in own)
    made = natural == 20 if rules(ctx.state).natural_saves and natural in (1, 20) else total >= typed.value
    found = dict.fromkeys((*cited, "WN-C05", *(part.rule for part in typed.parts)))
    ctx.emit(
        Checked(
            f"{kind} save",
            who,
            total,
            "made" if made else "failed",
            None,
            own,
            typed.value,
            "save",
            typed.parts,
            success=made,
        ),
        *found,
    )
    return made
