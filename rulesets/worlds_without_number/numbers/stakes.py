"""The stakes of an attack roll: its harm, and what Total Defense makes of it."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.without_number import numbers as family
from rulesets.without_number.numbers import hits
from rulesets.worlds_without_number.numbers import shock
from rulesets.worlds_without_number.numbers.attack import Attack, damage_parts
from rulesets.worlds_without_number.numbers.effects import TOTAL_DEFENSE
from rulesets.worlds_without_number.numbers.shock import Miss
from rulesets.worlds_without_number.numbers.stats import armor_class, rules
from tracker.core.fight.state import State


def harmful(missed: Miss, hit: bool) -> bool:
    """Tell whether an attack roll that comes out so does anything."""
    return hit or missed.verdict == "harms"


def fallen(state: State, attack: Attack, missed: Miss) -> bool:
    """Tell whether the target falls to the Shock of a miss.

    A hit does no less (WN-145).
    """
    return missed.verdict == "harms" and missed.points >= state[attack.target].hp


def defence(
    state: State, attack: Attack, missed: Miss, roll: tuple[int, int], hit: bool, fixed: bool = False
) -> str:  # fmt: skip - a signature
    """Return what Total Defense would make of an attack roll, "" for nothing.

    `missed`: what a miss would do; `roll`: the die and what is added to it.
    """
    target = state[attack.target]
    if not target.left("main") or target.has(TOTAL_DEFENSE.name):
        return ""
    if not hit:
        return f"no Shock ({missed.points})" if missed.verdict == "harms" else ""
    guarded = replace(target, effects=(*target.effects, TOTAL_DEFENSE.on(target.id)))
    against = armor_class(guarded, attack.use).value
    if not (fixed or hits(*roll, against, rules(state).natural_attack)):
        return "the hit becomes a miss"
    return f"no longer {missed.points} at least" if missed.points > _least(state, attack) else ""


def _least(state: State, attack: Attack) -> int:
    """Return the least damage of a hit without its Shock."""
    dice = attack.weapon.dmg.natural
    added = sum(part.amount for part in damage_parts(state[attack.actor], attack))
    least = max(0, dice.minimum + added)
    return (
        family.capped(least, family.bonus(attack.others)[1], max(0, dice.maximum + added)) if attack.others else least
    )


def most(state: State, attack: Attack) -> int:
    """Return the most points an attack can take, its Shock and a Traumatic Hit included."""
    arm = attack.weapon
    added = sum(part.amount for part in damage_parts(state[attack.actor], attack))
    points = max(0, arm.dmg.natural.maximum + added, shock.miss(state, attack).points)
    return points * arm.trauma.rating if rules(state).trauma and arm.trauma is not None else points
