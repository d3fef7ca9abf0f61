"""Changes of a combatant's track, armour and Angst, told in the log."""

from __future__ import annotations

from rulesets.githack.numbers import stats
from tracker.core.fight.slots import Id
from tracker.core.step.ctx import Ctx

REVIEWED = "reviewed"
"""The fact of the fight that says that the form after the combat has been filled in."""


def set_harm(ctx: Ctx, who: Id, now: str, *rules: str) -> None:
    """Change the Harm track."""
    was = stats.harm(ctx.state, who)
    ctx.fact(who, "harm", now, *rules)
    if was != now:
        ctx.note(f"Harm {was} → {now}", *rules, about=who)


def set_ac(ctx: Ctx, who: Id, now: int, *rules: str, why: str = "") -> None:
    """Change the AC, with its reason."""
    was = stats.armour(ctx.state, who)
    ctx.fact(who, "ac", now, *rules)
    if was != now:
        ctx.note(f"{why}, AC {was} → {now}" if why else f"AC {was} → {now}", *rules, about=who)


def set_angst(ctx: Ctx, who: Id, now: int, *rules: str) -> None:
    """Change Angst."""
    was = stats.angst(ctx.state, who)
    ctx.fact(who, "angst", now, *rules)
    if was != now:
        ctx.note(f"Angst {was} → {now}", *rules, about=who)
