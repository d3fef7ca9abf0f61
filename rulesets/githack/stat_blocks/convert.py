"""Creatures of other programs as stat blocks of GitHack (GH-301, GH-308, GH-312)."""

from __future__ import annotations

from tracker.core.game.foreign import Creature, ForeignAttack, armour, kept
from tracker.core.game.schema import Imported
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain

_REACH = {("ranged",): "ranged", ("melee", "thrown"): "both"}


def adopt(creature: Creature) -> Imported:
    """Return a creature's keys, and what has no place among them."""
    better, lost = armour(creature, 0)
    lost = (*lost, *creature.lost)
    if creature.kind == "pc":
        return _pc(creature, better, lost)
    block: Plain = {"name": creature.name}
    if better is not None:
        block["ac"] = max(0, better)
    if creature.hd:
        block["hd"] = creature.hd
        block = kept(block, {"quick_hp": creature.hp})
    else:
        block = kept(block, {"hp": creature.hp})
    attacks = [_mode(blow, creature.attacks) for blow in creature.blows if blow.dice != "0"]
    _tell_apart(attacks)
    if not attacks:
        lost = (*lost, "no attack that can be read")
    review = [f"not read: {part}" for part in lost]
    values: Plain = {"attacks": attacks, "kept": list(_kept(creature)), "review": review}
    return Imported("monster", kept(block, {**values, "notes": "\n".join(creature.notes)}), lost)


def _mode(blow: ForeignAttack, attacks: int) -> Plain:
    """Return a way to attack, its dice once for each attack (GH-307)."""
    part: Plain = {"dice": blow.dice, "label": blow.name}
    mode: Plain = {"name": blow.name, "parts": [part] * max(1, min(20, blow.times * max(1, attacks)))}
    return kept(mode, {"reach": _REACH.get(blow.kinds)})


def _tell_apart(attacks: list[Plain]) -> None:
    """Number attacks of one name, since they are picked by it."""
    taken: set[object] = set()
    for attack in attacks:
        name, number = attack["name"], 2
        while attack["name"] in taken:
            attack["name"], number = f"{name} {number}", number + 1
        taken.add(attack["name"])


def _kept(creature: Creature) -> tuple[str, ...]:
    """Return what no rule of this game reads (GH-312)."""
    texts = {
        "attack": creature.attack,
        "move": creature.move,
        "morale": creature.morale,
        "instinct": creature.instinct,
        "skill": creature.skill,
        "save": creature.save,
        "initiative": creature.initiative,
    }
    scores = [f"{name} {score}" for name, score in creature.scores]
    shock = [
        f"{blow.name}: Shock {blow.shock[0]}/{'-' if blow.shock[1] is None else blow.shock[1]}"
        for blow in creature.blows
        if blow.shock is not None
    ]
    return (*(f"{key} {value}" for key, value in texts.items() if value), *scores, *shock)


def _without_place(creature: Creature) -> tuple[str, ...]:
    """Return what a character of another game has and one of this game has not."""
    points = "" if creature.hp is None else f"hit points {creature.hp}"
    left = "" if creature.hp_now is None else f", {creature.hp_now} left"
    scores = [f"{name} {score}" for name, score in creature.scores]
    other = [part for part in _kept(creature) if part not in scores]
    skills = [f"{name} {level}" for name, level in creature.skills]
    level = "" if creature.level is None else f"level {creature.level}"
    return tuple(part for part in (f"{points}{left}", level, *other, *skills) if part)


def _pc(creature: Creature, better: int | None, lost: tuple[str, ...]) -> Imported:
    lost = (*lost, *_without_place(creature))
    weapons = []
    for blow in creature.blows:
        dice = Dice.parse(blow.dice).natural
        if dice.terms:
            weapons.append({"name": blow.name, "dice": str(dice)})
    values: Plain = {
        "scores": {name: min(30, max(1, score)) for name, score in creature.scores},
        "ac": max(0, better or 0),
        "weapons": weapons,
        "notes": "\n".join((*creature.notes, *(f"not read: {part}" for part in lost))),
    }
    return Imported("pc", kept({"name": creature.name}, values), lost)
