"""The derived numbers the screen and the modifiers of effects know by name."""

from __future__ import annotations

from rulesets.worlds_without_number.numbers import attack
from rulesets.worlds_without_number.numbers.shock import shock_parts
from rulesets.worlds_without_number.numbers.stats import (
    COMBAT_SKILLS,
    armor_class,
    best_attribute,
    block,
    check_parts,
    combat_skill,
    initiative_parts,
    level,
    movement,
    save_number,
)
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.derived import Derived

DERIVED = (
    "ac_melee",
    "ac_ranged",
    "attack",
    "damage",
    "shock",
    "skill",
    "physical",
    "evasion",
    "mental",
    "move",
    "initiative",
    "combat_skill",
)


def derived(state: State, who: Id, name: str) -> Derived:
    """Return one of the numbers of `DERIVED` with its parts.

    Those of an attack are the first weapon's.
    """
    combatant = state[who]
    match name:
        case "ac_melee":
            return armor_class(combatant, "melee")
        case "ac_ranged":
            return armor_class(combatant, "ranged")
        case "attack":
            return Derived.total(attack.skill_parts(combatant, attack.usual(state, who)))
        case "damage":
            usual = attack.usual(state, who)
            total = Derived.total(attack.damage_parts(combatant, usual))
            dice = str(usual.weapon.dmg.natural)
            return Derived(total.value, total.parts, f"{dice}{total.value:+d}" if total.value else dice)
        case "shock":
            usual = attack.usual(state, who)
            if usual.weapon.shock is None:
                return Derived(0, (), "-")
            points = Derived.total(shock_parts(combatant, usual))
            rating = usual.weapon.shock.ac
            return Derived(points.value, points.parts, f"{points.value}/{'-' if rating is None else rating}")
        case "skill":
            stat_block = block(combatant)
            best = max(COMBAT_SKILLS, key=lambda skill: level(stat_block, skill))
            return Derived.total(check_parts(combatant, best, best_attribute(stat_block, ("str", "dex"))))
        case "physical" | "evasion" | "mental":
            return save_number(state, who, name) or Derived(0, (), "?")
        case "move":
            return movement(combatant)
        case "initiative":
            return Derived.total(initiative_parts(combatant))
        case "combat_skill":
            return combat_skill(combatant)
        case _:
            return Derived(0)
