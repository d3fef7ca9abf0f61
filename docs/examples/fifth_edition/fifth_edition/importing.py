"""Prints and other programs' creatures, made into stat blocks of this game."""

import re
from collections.abc import Iterator, Mapping

from fifth_edition.blocks import ABILITIES, KINDS
from tracker.core.game.foreign import Creature, Feature
from tracker.kit import Imported, printed
from tracker.kit.readers import Plain

NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def read_print(text: str, system: str, choices: Mapping[str, str]) -> Imported:
    """Read a printed stat block; a ValueError says why it is none."""
    return adopt(printed.read_creature(text))


def adopt(creature: Creature) -> Imported:
    """Make a stat block of a creature, and say what is lost of it."""
    scores = dict(creature.scores)
    feet = re.search(r"\d+", creature.move)
    block: Plain = {"name": creature.name, "hp": max(1, creature.hp or 1), "ac": creature.ac or 10}
    block["abilities"] = {name: scores.get(name, 10) for name in ABILITIES}
    block |= {"speed": int(feet[0]) if feet else 30, "size": creature.size or "medium", "level": creature.challenge}
    block |= {"saves": dict(creature.saves), "skills": dict(creature.skills), "unaffected": list(creature.unaffected)}
    for key in ("resist", "vulnerable", "immune"):
        block[key] = [kind for kind in getattr(creature, key) if kind in KINDS]
    powers = [(feature, power) for feature in creature.features if (power := power_of(feature))]
    attacks = [power for feature, power in powers if "hit" in power and feature.group == "action"]
    names = [str(power["name"]) for power in attacks]
    block["attacks"] = attacks
    block["powers"] = [power for _, power in powers if power not in attacks]
    block["multiattack"] = next(
        (list(several(one, names)) for one in creature.features if one.name == "Multiattack"), []
    )
    block["legendary"] = 3 if any(feature.group == "legendary" for feature in creature.features) else 0
    block["traits"] = [printed.bare_name(one).casefold() for one in creature.features if one.group == "trait"]
    unread = [one for one in creature.features if power_of(one) is None and one.name != "Multiattack"]
    block["notes"] = "\n".join(dict.fromkeys((*(f"{one.name}: {one.text}" for one in unread), *creature.notes)))
    lost = [f"{one.name}: only in the notes" for one in unread if one.group != "trait"]
    lost += [f"{one.name}: {dice} of no kind" for one in creature.features for dice in untyped(one)]
    kept = {key: value for key, value in block.items() if value not in ("", [], {}, 0)}
    return Imported("pc" if creature.kind == "pc" else "monster", kept, (*lost, *creature.lost))


def power_of(feature: Feature) -> Plain | None:
    """Return a feature as the keys of an attack or a power, None where its words have none."""
    found = printed.power(feature)
    if feature.group == "trait" or (found.hit is None and not found.save and not found.damage):
        return None
    made: Plain = {"name": printed.bare_name(feature), "cost": feature.group, "reach": found.reach}
    made |= {"damage": hurts(found.damage), "extra": hurts(found.extra), "condition": found.condition}
    made |= {"recharge": found.recharge, "uses": found.uses, "price": found.price if found.price > 1 else 0}
    made |= {"shape": found.shape, "size": found.size, "range": list(found.range) if found.range else None}
    if found.save:
        made |= {"save": found.save, "dc": found.dc, "half": found.half}
        made["ends"] = "save" if found.condition and found.ends_by_save else ""
    kept = {key: value for key, value in made.items() if value or key == "half"}
    return kept | ({"hit": found.hit, "reach": found.reach} if found.hit is not None else {})


def hurts(found: tuple[tuple[str, str], ...]) -> list[Plain]:
    return [{"dice": dice, "kind": kind} for dice, kind in found if kind in KINDS]


def untyped(feature: Feature) -> Iterator[str]:
    """Yield dice whose kind of damage this game does not know."""
    found = printed.power(feature)
    yield from (dice for dice, kind in (*found.damage, *found.extra) if kind not in KINDS)


def several(feature: Feature, names: list[str]) -> Iterator[str]:
    """Yield the attacks of a Multiattack: `two with its claws`, `one bite`, or so many of any."""
    words = feature.text.casefold()
    for name in names:
        spoken = re.escape(name.casefold())
        count = re.search(rf"\b(one|two|three|four|five)(?: \w+)?(?: with its)? {spoken}", words)
        yield from [name] * (NUMBERS[count[1]] if count else 0)
    if not any(re.search(rf"\b(?:with its|\w+) {re.escape(name.casefold())}", words) for name in names):
        count = re.search(r"\b(two|three|four|five)\b", words)
        yield from ["any"] * (NUMBERS[count[1]] if count else 0)
