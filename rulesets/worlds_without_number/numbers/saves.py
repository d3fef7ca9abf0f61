"""Saves (WN-C05 to WN-C07)."""

from __future__ import annotations

from rulesets.without_number.numbers import D20
from rulesets.worlds_without_number.numbers.stats import Save, rules, save_number
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.words import needs


def save(ctx: Ctx, who: Id, kind: Save, *cited: str, penalty: Part | None = None, why: str = "") -> bool:
    """Roll a save, asking for its number where it is neither typed nor computed."""
    typed = save_number(ctx.state, who, kind)
    if typed is None:
        asked = ctx.number(
            "save_number", "WN-C05", minimum=2, maximum=20, who=who, to="gm", why=f"{ctx.state.name(who)}: {kind} save"
        )
        typed = Derived.total((Part(f"{kind} save", asked, "WN-C05"),))
    automatic = (2, 20) if rules(ctx.state).natural_saves else (1, 20)
    needed = needs(0 if penalty is None else penalty.amount, typed.value, "save", *automatic)
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
        Checked(f"{kind} save", who, total, "made" if made else "failed", None, own, typed.value, "save", typed.parts),
        *found,
    )
    return made
