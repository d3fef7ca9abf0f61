"""An attack as its form describes it, with what it adds to its rolls."""

from __future__ import annotations

from msgspec import Struct

from rulesets.without_number.stat_blocks import Attribute
from rulesets.without_number.stats import (
    DUAL_WIELD_DAMAGE,
    MODIFIERS,
    ROW_WORDS,
    Cover,
    Reach,
    Situation,
    Use,
    Visibility,
    effect_parts,
    rows,
    shown,
)
from rulesets.worlds_without_number.stat_blocks.models import PC, UNARMED, Monster, Weapon
from rulesets.worlds_without_number.stats.stats import best_attribute, block, level, modifier
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Derived, Part

ROW_RULES: dict[str, tuple[str, ...]] = {
    "shoot_distant_prone": ("WN-108", "WN-095"),
    "adjacent_prone": ("WN-109", "WN-095"),
    "melee_while_prone": ("WN-110",),
    "long_range": ("WN-111",),
    "half_cover": ("WN-112",),
    "near_total_cover": ("WN-113",),
    "one_handed_in_melee": ("WN-046",),
    "unseen_known": ("WN-117",),
}
THROWN_IN_MELEE = ("WN-114", "WN-115", "WN-046")


class Attack(Struct, frozen=True, gc=False):
    """One attack with everything its form says.

    Attributes:
        extra: what the action adds to hit (Charge, Snap Attack, a swarm), with its rules.
        others: the other assailants of a swarm.
        tag: what the keys of its requests end with (`#2`).
        answers: whether others may answer its roll.
        harmless: shoves and grapples do no damage and no Shock (WN-148, WN-151, R44).
        hostile: it was aimed at another side.
    """

    actor: Id
    target: Id
    weapon: Weapon
    use: Use
    attribute: Attribute = "str"
    skill: str = "stab"
    extra: tuple[Part, ...] = ()
    nonlethal: bool = False
    dual: str = ""
    in_range_of_both: bool = False
    cover: Cover = "none"
    visibility: Visibility = "seen"
    reach: Reach = "normal"
    in_melee: bool = False
    adjacent: bool = True
    hit_mod: int = 0
    damage_mod: int = 0
    screens: str = "on"
    others: int = 0
    tag: str = ""
    answers: bool = True
    harmless: bool = False
    hostile: bool = False


def best_skill(stat_block: PC | Monster, arm: Weapon, use: Use) -> str:
    """Return the best of the combat skills an attack may use (WN-043, WN-045)."""
    allowed = arm.skills_for(use)
    return allowed[0] if len(allowed) == 1 else max(allowed, key=lambda skill: level(stat_block, skill))


def usual(state: State, who: Id) -> Attack:
    """Return a combatant's plain attack with the first weapon."""
    stat_block = block(state[who])
    arm = stat_block.arms[0]
    use = arm.kind[0] if arm.kind else "melee"
    return Attack(who, who, arm, use, best_attribute(stat_block, arm.attr), best_skill(stat_block, arm, use))


def situation(state: State, attack: Attack) -> Situation:
    return Situation(
        attack.use,
        attack.adjacent,
        state[attack.target].has("prone"),
        state[attack.actor].has("prone"),
        attack.cover,
        attack.visibility,
        attack.reach,
        attack.in_melee,
    )


def skill_parts(combatant: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return what attacker and weapon add to hit (WN-101, WN-102, WN-106)."""
    stat_block, arm = block(combatant), attack.weapon
    parts: tuple[Part, ...]
    if isinstance(stat_block, Monster):
        parts = (Part("Atk", stat_block.atk, "WN-106"),)
    else:
        trained = stat_block.skill(attack.skill)
        skill = Part(attack.skill, trained, "WN-101") if trained >= 0 else Part(f"no {attack.skill}", -2, "WN-102")
        parts = (Part("AB", stat_block.ab, "WN-101"), _attribute(stat_block, attack, "WN-101"), skill)
    if bonus := stat_block.bonus.hit + arm.bonus.hit:
        parts = (*parts, Part("bonus", bonus, "WN-107"))
    return parts + effect_parts(combatant, "attack")


def _attribute(stat_block: PC, attack: Attack, rule: str) -> Part:
    """Return the attribute's part (WN-105).

    Where the weapon left a choice, by that rule.
    """
    return Part(
        attack.attribute, modifier(stat_block, attack.attribute), "WN-105" if len(attack.weapon.attr) > 1 else rule
    )


def to_hit(state: State, attack: Attack) -> Derived:
    """Return everything added to the attack's die (8.1)."""
    return _to_hit(state, attack.actor, attack.target, attack)


@per_state
def _to_hit(state: State, actor: Id, target: Id, attack: Attack) -> Derived:
    parts = [*skill_parts(state[actor], attack), *attack.extra]
    if attack.dual:
        parts.append(Part("two weapons", MODIFIERS["dual_wield"], "WN-170"))
    for row in rows(situation(state, attack)):
        parts.append(Part(ROW_WORDS.get(row, row.replace("_", " ")), MODIFIERS[row], _row_rules(attack, row)[0]))
    if attack.hit_mod:
        parts.append(Part("situation", attack.hit_mod, "WN-107"))
    return Derived(sum(part.amount for part in parts), shown(parts))


def hit_rules(state: State, attack: Attack) -> tuple[str, ...]:
    """Return the rules about an attack roll that no part of it names."""
    return _hit_rules(state, attack.actor, attack.target, attack)


@per_state
def _hit_rules(state: State, actor: Id, target: Id, attack: Attack) -> tuple[str, ...]:
    found = [
        "WN-103",
        "WN-104",
        "WN-043" if attack.use == "melee" else "WN-045" if attack.use == "thrown" else "WN-044",
    ]
    if attack.weapon.name == UNARMED.name:
        found.append("WN-C30")
    if attack.tag:
        found.append("WN-R33")
    if attack.dual:
        found += ["WN-166", "WN-167"]
    for row in rows(situation(state, attack)):
        found += _row_rules(attack, row)
    return tuple(found)


def _row_rules(attack: Attack, row: str) -> tuple[str, ...]:
    return THROWN_IN_MELEE if row == "one_handed_in_melee" and attack.use == "thrown" else ROW_RULES[row]


def damage_parts(combatant: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return what is added to the damage dice (WN-119, WN-120, WN-123, WN-124, WN-168)."""
    stat_block, arm = block(combatant), attack.weapon
    if arm.harmless:
        return (Part("situation", attack.damage_mod, "WN-120"),) if attack.damage_mod else ()
    parts = [Part("weapon", arm.dmg.plus, "WN-119")] if arm.dmg.plus else []
    if isinstance(stat_block, PC):
        parts.append(_attribute(stat_block, attack, "WN-119"))
        if arm.natural or arm.name == stat_block.unarmed.name:
            parts.append(Part("punch", max(0, stat_block.skill("punch")), "WN-123"))  # R42
    if bonus := stat_block.bonus.damage + arm.bonus.damage:
        parts.append(Part("bonus", bonus, "WN-120"))
    if attack.dual and attack.in_range_of_both:
        parts.append(Part("two weapons", DUAL_WIELD_DAMAGE, "WN-168"))
    if attack.damage_mod:
        parts.append(Part("situation", attack.damage_mod, "WN-120"))
    return (*parts, *effect_parts(combatant, "damage"))
