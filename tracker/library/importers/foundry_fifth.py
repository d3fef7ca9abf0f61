"""Actors of Foundry's system for fifth edition, in the words of printed stat blocks.

Actions are features in words, which `tracker.kit.printed` reads; for an item without such words they are made from its
numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from tracker.core.game.foreign import Creature, Feature
from tracker.library.importers.improved import attack_in
from tracker.library.importers.results import Plain, at, blocks, plain_text, shortened, text_at, whole_at

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
SIZES = {"tiny": "tiny", "sm": "small", "med": "medium", "lg": "large", "huge": "huge", "grg": "gargantuan"}
GROUPS = {"action": "action", "bonus": "bonus", "reaction": "reaction", "legendary": "legendary"}
MELEE, RANGED = ("mwak", "msak", "melee"), ("rwak", "rsak", "ranged")
"""What attacks are called, in the older form and in that of activities."""


def is_fifth(system: object) -> bool:
    """Tell whether an actor's data is of this system."""
    return isinstance(at(system, "attributes", "hp"), Mapping) and isinstance(at(system, "abilities", "str"), Mapping)


def creature(value: Plain, system: object, kind: str) -> Creature:
    items = list(blocks(value.get("items")))
    features = tuple(_features(system, items))
    attacks = (attack_in(feature.name, feature.text) for feature in features if feature.group != "trait")
    blows = tuple(attack for attack in attacks if attack is not None)
    feet = [whole_at(system, "attributes", "movement", way) or 0 for way in ("walk", "fly", "swim", "climb", "burrow")]
    scores = [(name, whole_at(system, "abilities", name, "value")) for name in ABILITIES]
    rating = at(system, "details", "cr")
    return Creature(
        name=text_at(value, "name") or "Unnamed",
        kind=kind,
        system="d20",
        hd=re.sub(r"\s", "", text_at(system, "attributes", "hp", "formula")),
        hp=whole_at(system, "attributes", "hp", "max") or whole_at(system, "attributes", "hp", "value"),
        ac=whole_at(system, "attributes", "ac", "flat") or whole_at(system, "attributes", "ac", "value"),
        attack=next((blow.hit for blow in blows if blow.hit is not None), None),
        blows=blows,
        move=str(max(feet)) if any(feet) else "",
        scores=tuple((name, score) for name, score in scores if score is not None),
        features=features,
        size=SIZES.get(text_at(system, "traits", "size"), ""),
        challenge=plain_text(rating if not isinstance(rating, Mapping) else ""),
        saves=tuple((name, _bonus(system, name)) for name in ABILITIES if at(system, "abilities", name, "proficient")),
        resist=_traits(system, "dr"),
        vulnerable=_traits(system, "dv"),
        immune=_traits(system, "di"),
        unaffected=_traits(system, "ci"),
        notes=tuple(shortened(f"{feature.name}: {feature.text}") for feature in features),
        lost=tuple(_lost(items)),
    )


def _traits(system: object, key: str) -> tuple[str, ...]:
    listed = at(system, "traits", key, "value")
    return tuple(text for part in (listed if isinstance(listed, list) else ()) if (text := plain_text(part)))


def _modifier(system: object, ability: str) -> int:
    score = whole_at(system, "abilities", ability, "value")
    return (10 if score is None else score) // 2 - 5


def _proficiency(system: object) -> int:
    given, rating = whole_at(system, "attributes", "prof"), at(system, "details", "cr")
    level = float(rating) if isinstance(rating, int | float) else float(whole_at(system, "details", "level") or 1)
    return given if given is not None else 2 + max(0, math.ceil(level) - 1) // 4


def _bonus(system: object, ability: str) -> int:
    return _modifier(system, ability) + _proficiency(system)


def _features(system: object, items: list[Plain]) -> Iterator[Feature]:
    for item in items:
        held = at(item, "system") if "system" in item else at(item, "data")
        words = re.sub(r"&Reference\[.*?\]|\[\[.*?\]\]", "", text_at(held, "description", "value"))
        activities = at(held, "activities")
        active = next(iter(activities.values()), None) if isinstance(activities, Mapping) else None
        kind = text_at(held, "activation", "type") or text_at(active, "activation", "type")
        group = GROUPS.get(kind, "action" if item.get("type") in ("weapon", "spell") else "trait")
        back = whole_at(held, "recharge", "value") or _recharge(held)
        name = text_at(item, "name") or "Unnamed"
        if group != "trait" and not re.search(r"to hit|saving throw", words):
            words = " ".join(part for part in (_sentence(system, item, held, active), words) if part)
        yield Feature(group, f"{name} (Recharge {back})" if back else name, words)


def _recharge(held: object) -> int | None:
    for recovery in blocks(at(held, "uses", "recovery")):
        if recovery.get("period") == "recharge":
            return whole_at(recovery, "formula") or 6
    return None


def _sentence(system: object, item: Plain, held: object, active: object) -> str:
    """Return the action of an item in the words of a print, from its numbers."""
    kind = text_at(held, "actionType") or text_at(active, "attack", "type", "value")
    ability = text_at(held, "ability") or text_at(active, "attack", "ability")
    is_ranged = kind in RANGED
    if ability not in ABILITIES:
        ability = _usual_ability(system, held, is_ranged)
    plus, parts = _modifier(system, ability), []
    if is_ranged or kind in MELEE or item.get("type") == "weapon":
        extra = whole_at(held, "attackBonus") or whole_at(active, "attack", "bonus") or 0
        far = whole_at(held, "range", "value")
        place = f"range {far}/{whole_at(held, 'range', 'long') or far}" if is_ranged and far else "reach 5"
        parts.append(f"{_proficiency(system) + plus + extra:+d} to hit, {place} ft. Hit:")
    parts += _saving_throw(system, held, active)
    hurts = [f"({dice}) {kind} damage" for dice, kind in _damage(held, active, plus)]
    return " ".join([*parts, " plus ".join(hurts), *_area(held)]) if parts or hurts else ""


def _usual_ability(system: object, held: object, is_ranged: bool) -> str:
    properties = at(held, "properties") or ()
    is_finesse = at(properties, "fin") is True or "fin" in properties  # type: ignore[operator]  # a mapping or a list
    return "dex" if is_ranged or (is_finesse and _modifier(system, "dex") > _modifier(system, "str")) else "str"


def _saving_throw(system: object, held: object, active: object) -> Iterator[str]:
    """Yield what saves from an item, if something does."""
    save = at(held, "save") if at(held, "save", "ability") else at(active, "save")
    if names := at(save, "ability"):
        name = plain_text(names[0] if isinstance(names, list) else names)
        dc = whole_at(save, "dc") or whole_at(save, "dc", "formula") or 8 + _bonus(system, name or "con")
        yield f"DC {dc} {name} saving throw, half on a success:"


def _area(held: object) -> Iterator[str]:
    """Yield the shape and size of what an item affects, if that is an area."""
    shape = text_at(held, "target", "type") or text_at(held, "target", "template", "type")
    size = whole_at(held, "target", "value") or whole_at(held, "target", "template", "size")
    if shape in ("cone", "line", "sphere", "cube", "radius") and size:
        yield f"{size}-foot {shape}"


def _damage(held: object, active: object, plus: int) -> Iterator[tuple[str, str]]:
    """Yield dice with the value of `@mod`, and kind, from the older form and from that of activities."""
    old = at(held, "damage", "parts")
    for part in old if isinstance(old, list) else ():
        if isinstance(part, list) and len(part) == 2:
            dice = re.sub(r"\s", "", plain_text(part[0]).replace("@mod", str(plus))).replace("+-", "-")
            yield dice, plain_text(part[1])
    new = [at(held, "damage", "base"), *blocks(at(active, "damage", "parts"))]
    for number, damage in enumerate(new):
        count, sides, kinds = whole_at(damage, "number"), whole_at(damage, "denomination"), at(damage, "types")
        if count and sides and isinstance(kinds, list) and kinds:
            more = (whole_at(damage, "bonus") or 0) + (plus if number == 0 else 0)
            yield f"{count}d{sides}{f'{more:+d}' if more else ''}", plain_text(kinds[0])


def _lost(items: list[Plain]) -> Iterator[str]:
    for item in items:
        for effect in blocks(item.get("effects")):
            yield f"{text_at(item, 'name')}: effect {text_at(effect, 'name') or text_at(effect, 'label')}"
