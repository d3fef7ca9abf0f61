"""Missiles that leave the hand, and how they are loaded again (WN-087 to WN-089)."""

from __future__ import annotations

from rulesets.without_number.turn import own_phase
from rulesets.worlds_without_number.blocks.canonical import Weapon
from rulesets.worlds_without_number.numbers.attack import Attack
from rulesets.worlds_without_number.numbers.stats import block, level
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.effects import Effect


def loose(ctx: Ctx, attack: Attack) -> tuple[str, ...]:
    """Let the missile go (WN-087 to WN-089, R30).

    A bow or crossbow is empty now, unless it is loaded again at once: then return the rules of that. A thrown weapon
    has left the hand.
    """
    arm, who = attack.weapon, attack.actor
    if attack.use == "thrown":
        ctx.note(f"{arm.name} has left the hand", "WN-044", about=who)
    if attack.use != "ranged" or arm.reload is None:
        return ()
    if quick(ctx.state, who, arm) and own_phase(ctx.state, who):
        return "WN-088", "WN-034"
    ctx.add_effect(
        Effect(f"empty:{arm.name}", who, title=f"{arm.name} empty"), "WN-089" if arm.reload == "bow" else "WN-087"
    )
    return ()


def quick(state: State, who: Id, arm: Weapon) -> bool:
    """Tell who reloads as an On Turn action (WN-088, R30)."""
    return arm.reload is not None and level(block(state[who]), "shoot") >= 1
