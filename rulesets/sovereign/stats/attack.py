"""An attack, its numbers, and what makes it impossible (5.9, 5.10, 8.1)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from rulesets.sovereign.stat_blocks.models import Arm, Use
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.stats import block, level, modifier
from rulesets.without_number import stats as family
from rulesets.without_number.stat_blocks import Attribute
from rulesets.without_number.stats import DUAL_WIELD_DAMAGE, MODIFIERS, effect_parts, grappling
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import FEET
from tracker.kit.squares.sight import Cover


class Attack(Struct, frozen=True, gc=False):
    """One attack with everything its form says.

    Attributes:
        feet: how far away the target is.
        crowded: an able enemy is adjacent to the attacker (R13); on a map that is known for shots only.
        dual: the name of the weapon in the other hand, or "".
        screenable: it can be parried or blocked with the body (SV-086).
        extra: what the action adds to hit, with its rules.
        helpers: the other assailants of a swarm.
        others: how many of them still count.
        tag: what the keys of its requests end with (`#2`).
        declared: whether it opens the first window; Attacks of Opportunity do not (R46).
        reloaded: the weapon is loaded again at once (R40).
        cites: the rules by which it is made at this moment.
        harmless: shoves and grapples do no damage and no Shock (SV-142, SV-145).
    """

    actor: Id
    target: Id
    weapon: Arm
    use: Use
    attribute: Attribute = "str"
    skill: str = "stab"
    feet: int = FEET
    crowded: bool = False
    cover: Cover = "none"
    unseen: Literal["seen", "known", "unknown"] = "seen"
    dual: str = ""
    hit_mod: int = 0
    damage_mod: int = 0
    screenable: bool = True
    extra: tuple[Part, ...] = ()
    helpers: tuple[Id, ...] = ()
    others: int = 0
    tag: str = ""
    declared: bool = True
    reloaded: bool = False
    cites: tuple[str, ...] = ()
    harmless: bool = False


def at_hand(use: Use) -> bool:
    """Tell melee and unarmed attacks from shots and thrown weapons."""
    return use in ("melee", "unarmed")


def loaded(combatant: Combatant, arm: Arm) -> bool:
    """Tell whether a weapon can be fired."""
    return arm.reload == "none" or not combatant.has(f"unloaded:{arm.name}")


def _rows(state: State, attack: Attack) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the rows of the table that apply, each with its name and rules."""
    shot = not at_hand(attack.use)
    found: list[tuple[str, str, tuple[str, ...]]] = []
    if state[attack.target].has("prone"):
        if shot and attack.feet > FEET:
            found.append(("shoot_distant_prone", "distant prone target", ("SV-120", "SV-109")))
        else:
            found.append(("adjacent_prone", "prone target", ("SV-121", "SV-109") if not shot else ("SV-121", "SV-R12")))
    if state[attack.actor].has("prone") and not shot:
        found.append(("melee_while_prone", "prone", ("SV-122",)))
    if shot and attack.weapon.range is not None and attack.feet > attack.weapon.range[0]:
        found.append(("long_range", "beyond normal range", ("SV-123",)))
    if attack.cover != "none":
        found.append(
            ("half_cover", "half cover", ("SV-124",))
            if attack.cover == "half"
            else ("near_total_cover", "full cover", ("SV-125",))
        )
    if shot and attack.crowded:
        found.append(
            ("one_handed_in_melee", "in melee", ("SV-126", "SV-057") if attack.use == "thrown" else ("SV-057",))
        )
    if shot and attack.unseen == "known":
        found.append(("unseen_known", "unseen target", ("SV-128",)))
    return tuple(found)


def skill_parts(combatant: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return what attacker and weapon add to hit (SV-115, SV-118)."""
    stat_block, arm = block(combatant), attack.weapon
    if arm.to_hit is not None:
        return (Part("to hit", arm.to_hit, "SV-118"), *effect_parts(combatant, "attack"))
    parts = [Part("AB", stat_block.attack_bonus, "SV-115" if stat_block.trained else "SV-118")]
    if stat_block.trained:
        parts.append(_attribute_part(combatant, attack, "SV-115"))
        rule = "SV-056" if attack.use == "thrown" else "SV-055" if attack.use == "ranged" else "SV-054"
        parts.append(Part(attack.skill, stat_block.level_of(attack.skill), rule))
    if arm.magic:
        parts.append(Part("magic", arm.magic, "SV-115"))
    return (*parts, *effect_parts(combatant, "attack"))


def _attribute_part(combatant: Combatant, attack: Attack, rule: str) -> Part:
    """Return the attribute's part (SV-117).

    Where the weapon left a choice, by that rule.
    """
    return Part(
        attack.attribute,
        modifier(block(combatant), attack.attribute),
        "SV-117" if len(attack.weapon.attribute) > 1 else rule,
    )


def hit_parts(state: State, attack: Attack) -> tuple[Part, ...]:
    """Return everything added to the attack's die (table 8.1)."""
    parts = skill_parts(state[attack.actor], attack) + attack.extra
    if attack.others:
        parts = (*parts, Part(f"swarm of {attack.others + 1}", family.bonus(attack.others)[0], "SV-066"))
    if attack.dual:
        parts = (*parts, Part("two weapons", MODIFIERS["dual_wield"], "SV-158"))
    parts = (*parts, *(Part(words, MODIFIERS[row], cites[0]) for row, words, cites in _rows(state, attack)))
    return (*parts, Part("situation", attack.hit_mod, "SV-119")) if attack.hit_mod else parts


def hit_rules(state: State, attack: Attack) -> tuple[str, ...]:
    """Return the rules about an attack roll that no part of it names."""
    melee = at_hand(attack.use)
    found = ["SV-115", "SV-116", "SV-P18", *(("SV-053", "SV-054") if melee else ("SV-055", "SV-056"))]
    found += attack.cites
    if attack.reloaded:
        found += ["SV-092", "SV-043", "SV-R40"]
    if attack.use == "thrown" and attack.weapon.shock is not None:
        found += ["SV-P12"]
    if attack.dual:
        found += ["SV-154", "SV-155", "SV-158"]
    if field.on_grid(state, attack.actor, attack.target):
        found += ["SV-015", "SV-016"]
        if attack.cover == "half":
            found += ["SV-017"]
        if attack.cover != field.cover(state, attack.actor, attack.target):
            found += ["SV-019"]
        elif attack.cover == "half" and _higher(state, attack):
            found += ["SV-020"]
    if attack.cover == "full":
        found += ["SV-018", "SV-019"]
    return (*found, *(rule for _, _, cites in _rows(state, attack) for rule in cites))


def _higher(state: State, attack: Attack) -> bool:
    ground, one, other = field.terrain(state), field.body(state, attack.actor), field.body(state, attack.target)
    if ground is None or one is None or other is None:
        return False
    return ground.level(other) - ground.level(one) >= block(state[attack.actor]).size_ft[2]


def damage_parts(state: State, attack: Attack) -> tuple[Part, ...]:
    """Return what is added to the damage dice (SV-130 to SV-132, SV-156)."""
    combatant, arm = state[attack.actor], attack.weapon
    stat_block = block(combatant)
    parts = [Part("weapon", arm.damage.plus, "SV-130")] if arm.damage.plus else []
    if arm.to_hit is None:
        if stat_block.trained:
            parts.append(_attribute_part(combatant, attack, "SV-130"))
            if attack.use == "unarmed":
                parts.append(Part("brawl", stat_block.level_of("brawl"), "SV-132"))
        parts += [Part("magic", arm.magic, "SV-131")] if arm.magic else []
        parts += [Part("bonus", arm.damage_bonus, "SV-131")] if arm.damage_bonus else []
    if attack.dual and other_reaches(state, attack):
        parts.append(Part("two weapons", DUAL_WIELD_DAMAGE, "SV-156"))
    if attack.damage_mod:
        parts.append(Part("situation", attack.damage_mod, "SV-119"))
    return (*parts, *effect_parts(combatant, "damage"))


def other_reaches(state: State, attack: Attack) -> bool:
    """Tell whether the weapon in the other hand reaches the target too (SV-156, R43)."""
    other = next((arm for arm in block(state[attack.actor]).arms if arm.name == attack.dual), None)
    if other is None:
        return False
    if at_hand(attack.use):
        return other.close and attack.feet <= other.reach
    return other.range is not None and attack.feet <= other.range[1]


def shock_parts(combatant: Combatant, attack: Attack) -> tuple[Part, ...]:
    """Return the parts of an attack's Shock points (SV-138, SV-P12).

    Without Shock, and for shots and thrown weapons, there are none.
    """
    arm = attack.weapon
    if arm.shock is None or not at_hand(attack.use):
        return ()
    parts = [Part(arm.name, arm.shock.points, "SV-134")]
    if arm.to_hit is None:
        if block(combatant).trained:
            parts.append(Part(attack.attribute, modifier(block(combatant), attack.attribute), "SV-138"))
        parts += [Part("magic", arm.magic, "SV-138")] if arm.magic else []
        parts += [Part("bonus", arm.shock_bonus, "SV-138")] if arm.shock_bonus else []
    return (*parts, *effect_parts(combatant, "shock"))


def impossible(state: State, attack: Attack, loosed: bool = False) -> Refusal | None:
    """Return why an attack cannot be made from here.

    Grapples, reach, range, sight, the press of enemies, an empty weapon or an ill-matched pair forbid it. What is
    loosed already need not be loaded.
    """
    actor, target, arm = state[attack.actor], state[attack.target], attack.weapon
    if target.status in ("dead", "gone"):
        return Refusal("no_target", f"{target.name} is {target.status}", "")
    if grappling(state, actor.id) and not (at_hand(attack.use) and (arm.natural or attack.use == "unarmed")):
        return Refusal("grappled", f"{arm.name}: only unarmed attacks, fangs and claws in a grapple", "SV-149")
    if out_of_reach(attack):
        if at_hand(attack.use):
            return Refusal(
                "out_of_reach", f"{target.name} is {attack.feet} ft away, {arm.name} reaches {arm.reach}", "SV-053"
            )
        return Refusal(
            "out_of_range", f"{target.name} is {attack.feet} ft away, out of the range of {arm.name}", "SV-123"
        )
    if attack.unseen == "unknown" and not at_hand(attack.use):
        return Refusal("unseen", f"nobody knows where {target.name} is", "SV-129")
    if not field.sees(state, actor.id, target.id):
        return Refusal("no_sight", f"{actor.name} has no line of sight to {target.name}", "SV-015")
    if attack.use == "ranged" and arm.hands == 2 and attack.crowded:
        rule = "SV-127" if arm.reload != "none" else "SV-058"
        return Refusal("in_melee", f"{arm.name} is useless with an enemy within melee range", rule)
    if not loosed and not at_hand(attack.use) and not loaded(actor, arm):
        return Refusal(
            "not_loaded", f"{arm.name} has to be reloaded first", "SV-092" if arm.reload == "bow" else "SV-093"
        )
    return _ill_paired(actor, attack) if attack.dual else None


def out_of_reach(attack: Attack) -> bool:
    """Tell whether the target is too far away."""
    return beyond(attack.weapon, attack.use, attack.feet)


def beyond(arm: Arm, use: Use, feet: int) -> bool:
    """Tell whether something is too far away for a weapon."""
    return feet > arm.reach if at_hand(use) else arm.range is not None and feet > arm.range[1]


def _ill_paired(actor: Combatant, attack: Attack) -> Refusal | None:
    """Return why two weapons cannot be wielded together (SV-154, R41)."""
    other = next((arm for arm in block(actor).arms if arm.name == attack.dual), None)
    if other is None or attack.weapon.hands + other.hands > 2:
        return Refusal("two_handed", "two weapons at once take one hand each", "SV-154")
    if not block(actor).trained:
        return None
    for arm, skill in ((attack.weapon, attack.skill), (other, other.skills_for(other.use[0])[0])):
        if level(actor, skill) < 1:
            return Refusal(
                "unskilled", f"two weapons need level 1 in the skills of both: {skill} for {arm.name}", "SV-154"
            )
    return None
