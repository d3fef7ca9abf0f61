"""Changes of a combatant's track, armour and Angst, told in the log."""

from __future__ import annotations

from rulesets.githack.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.game.schema import NamedEffect, Status
from tracker.core.step.ctx import Ctx
from tracker.core.terms.moments import At, Moment

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


STATUSES = (
    Status("up", "up", " ", acts=True),
    Status("incapacitated", "incapacitated", "z"),
    Status("dead", "dead", "†", takes_part=False),
    Status("slain", "slain", "x", takes_part=False),
    Status("gone", "gone", "-", takes_part=False),
)


COMBAT = (At("combat_end"),)

PARALYSED = NamedEffect("paralysed", "paralysed", COMBAT, "GH-067")
HIDDEN = NamedEffect("hidden", "hidden", COMBAT, "GH-016")
ADVISED = NamedEffect("advised", "advised", (At("round_end", count=2),), "GH-218")
READY = NamedEffect("ready", "ready", COMBAT, "GH-219")
STUCK = NamedEffect("stuck", "stuck", COMBAT, "GH-072")
POISONED = NamedEffect("poisoned", "poisoned", COMBAT, "GH-055")
GUARDING = NamedEffect("guarding", "guarding", COMBAT, "GH-209")
DISTURBED = NamedEffect("disturbed", "disturbed", COMBAT, "GH-221")
SPOILED_TURN = NamedEffect("spoiled_turn", "spoiled turn", (At("round_end"),), "GH-214")
DYING = NamedEffect("dying", "dying", (), "GH-122")

EFFECTS = (PARALYSED, HIDDEN, ADVISED, READY, STUCK, POISONED)
"""Those the referee can give by name; the others come with an action alone."""

ROUNDS = "{n} rounds"

MOMENTS = (
    Moment("until removed", ()),
    Moment(ROUNDS, (At("round_start"),)),
    Moment("{n} monster phases", (At("phase_start", phase="monsters"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("start of the next monster phase", (At("phase_start", phase="monsters"),)),
    Moment("end of the combat", (At("combat_end"),)),
)
