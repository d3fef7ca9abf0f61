"""Shock: the harm of a miss, the least of a hit (WN-135 to WN-146)."""

from __future__ import annotations

from msgspec import Struct

from rulesets.without_number.stats import Guard, ShockResult, dice_text, effect_parts, reaches, shock_text
from rulesets.worlds_without_number.stat_blocks.models import PC
from rulesets.worlds_without_number.stats import attack
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.stats import (
    COMBAT_SKILLS,
    armor_class,
    best_attribute,
    block,
    check_parts,
    combat_skill,
    initiative_parts,
    level,
    modifier,
    movement,
    save_number,
)
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Derived, Part

RULES: dict[ShockResult, tuple[str, ...]] = {
    "none": ("WN-135", "WN-R08"),
    "armored": ("WN-137",),
    "immune": ("WN-144", "WN-139"),
    "shield": ("WN-143", "WN-139"),
    "total_defense": ("WN-077", "WN-144"),
}


class Miss(Struct, frozen=True, gc=False):
    """What a miss does at this moment, or what keeps it away (R09, R10)."""

    points: int
    verdict: ShockResult
    parts: tuple[Part, ...] = ()
    rules: tuple[str, ...] = ()


def shock_parts(combatant: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return the Shock of an attack (WN-140 to WN-142).

    Rating, attribute, and only those bonuses that say so.
    """
    stat_block, arm = block(combatant), attack.weapon
    if arm.shock is None:
        return ()
    parts = [Part(f"Shock {arm.shock}", arm.shock.points, "WN-136")]
    if isinstance(stat_block, PC):
        parts.append(Part(attack.attribute, modifier(stat_block, attack.attribute), "WN-140"))
    if bonus := stat_block.bonus.shock + arm.bonus.shock:
        parts.append(Part("bonus", bonus, "WN-141"))
    return (*parts, *effect_parts(combatant, "shock"))


def miss(state: State, attack: Attack) -> Miss:
    """Return what a miss of this attack would do to its target now."""
    return _miss(state, attack.actor, attack.target, attack)


@per_state
def _miss(state: State, actor: Id, target: Id, attack: Attack) -> Miss:
    rating = attack.weapon.shock
    if rating is None or attack.use != "melee" or attack.harmless:  # R08, R44
        return Miss(0, "none", (), RULES["none"])
    parts = shock_parts(state[actor], attack)
    points = max(0, sum(part.amount for part in parts))
    verdict = reaches(points, rating.ac, _guard(state[target]), surrounded=attack.others > 0)
    if verdict != "harms":
        return Miss(0, verdict, parts, RULES[verdict])
    found = ["WN-135", "WN-137" if rating.ac is not None else "WN-138"]
    if attack.others:
        found += ["WN-058", "WN-059", "WN-056"]
    if attack.dual:
        found.append("WN-169")
    if block(state[actor]).bonus.damage or attack.weapon.bonus.damage or attack.damage_mod:
        found.append("WN-142")
    return Miss(points, verdict, parts, tuple(found))


def _guard(target: Combatant) -> Guard:
    stat_block = block(target)
    return Guard(
        armor_class(target, "melee").value,
        stat_block.shock_immune,
        stat_block.shield and not target.has("shield_spent"),
        target.has("total_defense"),
    )


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
            return dice_text(str(usual.weapon.dmg.natural), Derived.total(attack.damage_parts(combatant, usual)))
        case "shock":
            usual = attack.usual(state, who)
            if usual.weapon.shock is None:
                return Derived(0, (), "-")
            return shock_text(Derived.total(shock_parts(combatant, usual)), usual.weapon.shock.ac)
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
