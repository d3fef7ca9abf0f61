"""The derived numbers the screen and the modifiers of effects know by name."""

from __future__ import annotations

from rulesets.sovereign.blocks.canonical import Arm, Use
from rulesets.sovereign.numbers.attack import Attack, damage_parts, shock_parts, skill_parts
from rulesets.sovereign.numbers.checks import physical
from rulesets.sovereign.numbers.stats import (
    armor_class,
    best_attribute,
    best_skill,
    block,
    check_parts,
    screen_quota,
    speed,
)
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Derived

DERIVED = ("ac", "attack", "damage", "shock", "skill", "physical", "speed", "screen")


def plain_attack(combatant: Combatant, arm: Arm, use: Use) -> Attack:
    """Return an attack with a weapon as it usually is made, aimed at nobody."""
    attribute = best_attribute(block(combatant), arm.attribute)
    return Attack(combatant.id, combatant.id, arm, use, attribute, best_skill(combatant, arm.skills_for(use)))


def _usual(state: State, who: Id) -> Attack:
    """Return a combatant's plain attack with the first weapon."""
    arm = block(state[who]).arms[0]
    return plain_attack(state[who], arm, arm.use[0])


def derived(state: State, who: Id, name: str) -> Derived:
    """Return one of the numbers of `DERIVED` with its parts.

    Those of an attack are the first weapon's.
    """
    combatant = state[who]
    match name:
        case "ac":
            return armor_class(combatant)
        case "attack":
            return Derived.total(skill_parts(combatant, _usual(state, who)))
        case "damage":
            usual = _usual(state, who)
            parts = damage_parts(state, usual)
            total = Derived.total(parts) if parts else Derived(0)
            dice = str(usual.weapon.damage.natural)
            return Derived(total.value, total.parts, f"{dice}{total.value:+d}" if total.value else dice)
        case "shock":
            usual = _usual(state, who)
            parts = shock_parts(combatant, usual)
            if usual.weapon.shock is None or not parts:
                return Derived(0, (), "-")
            points = Derived.total(parts)
            rating = usual.weapon.shock.ac
            return Derived(points.value, points.parts, f"{max(0, points.value)}/{'-' if rating is None else rating}")
        case "skill":
            return Derived.total(check_parts(combatant, ("brawl", "stab"), ("str", "dex")))
        case "physical":
            return physical(state, who)
        case "speed":
            return speed(combatant)
        case "screen":
            return screen_quota(combatant)
        case _:
            return Derived(0)
