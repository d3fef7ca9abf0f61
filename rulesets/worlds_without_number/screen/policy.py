"""The plain choice for the forecast: strike the weakest enemy, or shoot it."""

from __future__ import annotations

from rulesets.without_number.numbers.parts import grappling
from rulesets.without_number.turn import own_phase
from rulesets.worlds_without_number.acts.fighting.arms import empty
from rulesets.worlds_without_number.blocks.canonical import Monster
from rulesets.worlds_without_number.numbers.stats import able, block, enemies
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Action, action

__all__ = ["policy"]


def policy(state: State, who: Id) -> Action:
    """Return what a combatant does now, `next` where it has nothing left."""
    combatant = state[who]
    if not able(state, who) or not own_phase(state, who) or combatant.has("broken") or not combatant.left("main"):
        return Action("next")
    if combatant.has("grappled"):
        return action("escape_grapple", who)
    target = _weakest(enemies(state, who))
    stat_block = block(combatant)
    if target is None or (isinstance(stat_block, Monster) and stat_block.attacks == 0):
        return Action("next")
    held = grappling(state, who)
    for arm in stat_block.arms:
        if held and not arm.natural:
            continue
        if "melee" in arm.kind:
            return action("melee_attack", who, target=target, weapon=arm.name)
        if held:
            continue
        if empty(combatant, arm):
            return action("reload", who, weapon=arm.name)
        return action("ranged_attack", who, target=target, weapon=arm.name)
    return Action("next")


def _weakest(others: tuple[Combatant, ...]) -> Id | None:
    standing = [other for other in others if other.status == "up" and not other.has("broken")]
    return min(standing, key=lambda other: other.hp).id if standing else None
