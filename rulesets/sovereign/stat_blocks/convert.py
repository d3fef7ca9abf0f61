"""Creatures of other programs as stat blocks of Sovereign."""

from __future__ import annotations

import re

from tracker.core.game.foreign import Creature, ForeignAttack, armour, kept
from tracker.core.game.schema import Imported
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain

BARE = 10
"""Armor Class without armour."""
_FEET = re.compile(r"\d{1,4}")


def adopt(creature: Creature) -> Imported:
    """Return a creature's keys, and what has no place among them."""
    better, lost = armour(creature, BARE)
    lost = (*lost, *creature.lost)
    is_pc = creature.kind == "pc"
    if creature.ac_melee not in (None, creature.ac) and better is not None:
        lost = (*lost, f"AC {creature.ac_melee} in melee: one class goes for everything here")
    if not creature.blows:
        lost = (*lost, "no attack that can be read")
    attacks = [_arm(blow, creature) for blow in creature.blows]
    block = kept({"name": creature.name}, _life(creature, is_pc))
    if better is not None:
        block["ac"] = better
    if creature.attack is not None:
        block["attack_bonus"] = creature.attack
    if creature.skill is not None and not is_pc:
        block["skill"] = creature.skill
    feet = _FEET.search(creature.move)
    values: Plain = {
        "multiattack": creature.attacks if creature.attacks > 1 else None,
        "speed": int(feet[0]) if feet else None,
        "physical": creature.save,
        "level": creature.level,
        "skills": dict(creature.skills),
        "attacks": attacks,
        "notes": "\n".join((*_said(creature, is_pc), *creature.notes, *(f"not read: {part}" for part in lost))),
    }
    return Imported("pc" if is_pc else "monster", kept(block, values), lost)


def _life(creature: Creature, is_pc: bool) -> Plain:
    """Return Hit Dice, or hit points where there are none."""
    if is_pc or not creature.hd:
        return {"hp": max(1, creature.hp or 1)}
    if creature.hd.isdigit():
        return {"hd": int(creature.hd)}
    try:
        count = sum(number for number, _ in Dice.parse(creature.hd).terms)
    except ValueError:
        return {"hd": creature.hd}  # what this game makes of it, it says itself
    return {"hd": count, "hp": creature.hd}


def _arm(blow: ForeignAttack, creature: Creature) -> Plain:
    """Return an attack, complete in its numbers where its bonus to hit is known."""
    hit = blow.hit if blow.hit is not None else creature.attack
    dice = Dice.parse(blow.dice)
    shock = None if blow.shock is None else f"{blow.shock[0]}/{'-' if blow.shock[1] is None else blow.shock[1]}"
    arm: Plain = {"name": blow.name, "damage": str(Dice(dice.terms, dice.plus + blow.bonus))}
    if hit is not None and creature.kind != "pc":
        arm["to_hit"] = hit
    values: Plain = {
        "use": list(blow.kinds),
        "attribute": list(blow.attributes),
        "shock": shock,
        "range": list(blow.reach) if blow.reach else None,
        "hands": blow.hands if blow.hands > 1 else None,
    }
    return kept(arm, values)


def _said(creature: Creature, is_pc: bool) -> tuple[str, ...]:
    """Return what no rule of this game reads."""
    numbers = {"Morale": creature.morale, "Instinct": creature.instinct, "initiative": creature.initiative}
    scores = ", ".join(f"{name.title()} {score}" for name, score in creature.scores)
    hp = f"hp {creature.hp}" if creature.hd and creature.hp and not is_pc else ""
    return tuple(
        note for note in (hp, scores, *(f"{key} {number}" for key, number in numbers.items() if number)) if note
    )
