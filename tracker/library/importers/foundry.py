"""Actors of Foundry VTT, of the systems for Worlds and Stars Without Number; `foundry_fifth` reads fifth edition's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec.structs import replace

from tracker.core.game.foreign import Creature, ForeignAttack
from tracker.library.importers.foundry_fifth import creature as fifth_creature
from tracker.library.importers.foundry_fifth import is_fifth
from tracker.library.importers.results import (
    Plain,
    Unreadable,
    at,
    blocks,
    dice_in,
    plain_text,
    shortened,
    text_at,
    unreadable_blocks,
    unreadable_numbers,
    whole,
    whole_at,
)

MONSTERS = ("npc", "monster")
CHARACTERS = ("character", "pc")
ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
SCORES, SCORE = ("scores", "abilities", "stats"), ("value", "base")
NUMBERS = (
    *("hp.max", "hp.value", "health.max", "health.value", "combat.acManual.melee", "combat.acManual.ranged"),
    *("aac.value", "baseAc", "meleeAc", "combat.ab", "thac0.bba", "ab", "attacks.number", "attacks.bonusDamage"),
    *("combat.damageBonus", "damageBonus", "movement.base", "movement.base.value", "speed", "details.morale"),
    *("meleeAb", "rangedAb", "moralScore", "details.instinct", "skill", "details.skill", "skillBonus", "saves"),
    *("saves.baseSave.value", "saves.physical.value", "combat.initMod", "initiative.mod", "details.level"),
    "level.value",
    *(f"{place}.{ability}.{key}" for place in SCORES for ability in ABILITIES for key in SCORE),
)
"""Paths of the numbers that are read, of all systems."""
Numbers: TypeAlias = dict[str, int | None]
WWN: dict[str, tuple[str, ...]] = {
    "hp": ("hp.max",),
    "hp_now": ("hp.value",),
    "ac": ("combat.acManual.ranged", "combat.acManual.melee", "aac.value"),
    "ac_melee": ("combat.acManual.melee",),
    "attack": ("combat.ab", "thac0.bba"),
    "bonus": ("combat.damageBonus", "damageBonus"),
    "move": ("movement.base.value", "movement.base"),
    "morale": ("details.morale",),
    "instinct": ("details.instinct",),
    "skill": ("skill", "details.skill"),
    "save": ("saves.baseSave.value", "saves.physical.value"),
    "initiative": ("combat.initMod", "initiative.mod"),
}
"""Paths of numbers in the system for Worlds Without Number, also of older files: the first one counts."""
SWN: dict[str, tuple[str, ...]] = {
    "hp": ("health.max",),
    "hp_now": ("health.value",),
    "ac": ("baseAc",),
    "ac_melee": ("meleeAc",),
    "attack": ("ab",),
    "attacks": ("attacks.number",),
    "bonus": ("attacks.bonusDamage",),
    "metres": ("speed",),
    "morale": ("moralScore",),
    "skill": ("skillBonus",),
    "save": ("saves",),
}
"""Paths of numbers in the system for Stars Without Number and its sisters."""
OF_WEAPONS = (
    *("bonus", "ab", "shock.ac", "trauma.rating", "range.normal", "range.short", "range.medium", "range.max"),
    *("range.long",),
)
OF_SKILLS = ("rank", "ownedLevel")
OF_ARMOUR = ("ac", "meleeAc", "soak.max", "soak.value", "soak")
FEET_A_METRE = 3
"""A usual move is 10 metres in one system and 30 feet in the other."""


def is_actor(value: Plain) -> bool:
    return isinstance(_system(value), dict) and isinstance(value.get("type"), str) and "name" in value


def actor(value: Plain) -> Creature | Unreadable:
    name = text_at(value, "name") or "Unnamed"
    kind = str(value.get("type"))
    system = _system(value)
    if kind not in (*MONSTERS, *CHARACTERS):
        return Unreadable(name, f'a "{kind}" is no combatant of this program; monsters, NPCs and characters are read')
    if at(system, "hp") is not None:
        numbers = _numbers(system, WWN)
        hit_dice = at(system, "hd") or at(system, "hp", "hd")
    elif at(system, "health") or at(system, "baseAc") is not None or at(system, "hitDice") is not None:
        numbers = _numbers(system, SWN)
        if numbers["ac_melee"] == 10:
            numbers["ac_melee"] = None
        hit_dice = at(system, "hitDice")
    elif is_fifth(system):
        return fifth_creature(value, system, "pc" if kind in CHARACTERS else "monster")
    else:
        why = "an actor of another system; those for Worlds and Stars Without Number and for fifth edition are read"
        return Unreadable(name, why)
    lost: list[str] = []
    items = list(blocks(value.get("items")))
    metres = numbers.get("metres")
    move = numbers.get("move") if metres is None else metres * FEET_A_METRE
    creature = Creature(
        name=name,
        kind="monster",
        system="wwn",
        hd=_hit_dice(hit_dice),
        hp=numbers["hp"],
        ac=numbers["ac"],
        ac_melee=numbers["ac_melee"],
        attack=numbers["attack"],
        attacks=max(0, _first(numbers.get("attacks"), 1) or 0),
        blows=tuple(_attacks(system, items, numbers, lost)),
        move="" if move is None else str(move),
        morale=numbers["morale"],
        instinct=numbers.get("instinct"),
        skill=numbers["skill"],
        save=numbers["save"],
        level=whole_at(system, "details", "level") or whole_at(system, "level", "value"),
        initiative=numbers.get("initiative") or 0,
        notes=(*_notes(system, items), *(() if metres is None else (f"speed {metres} m",))),
    )
    armour = _armour(items)
    if kind in CHARACTERS:
        own = {"kind": "pc", "hp_now": numbers["hp_now"], "scores": _scores(system), "skills": tuple(_skills(items))}
        creature, armour = replace(creature, **own, hd="", ac=None, ac_melee=None), _worn(items)
    return replace(creature, lost=(*lost, *armour, *_missing(value), *_left(system, items)))


def _numbers(system: object, places: dict[str, tuple[str, ...]]) -> Numbers:
    return {key: _first(*(whole_at(system, *path.split(".")) for path in paths)) for key, paths in places.items()}


def _attacks(system: object, items: Iterable[Plain], numbers: Numbers, lost: list[str]) -> list[ForeignAttack]:
    """Return the attacks of a creature's weapons, or its own if it has none."""
    weapons = [item for item in items if item.get("type") == "weapon"]
    attacks = [_weapon(item, numbers, lost) for item in weapons] or [_own_attack(system, numbers, lost)]
    return [attack for attack in attacks if attack is not None]


def _system(value: Plain) -> object:
    return at(value, "system") if "system" in value else at(value, "data")


def _first(*found: int | None) -> int | None:
    return next((number for number in found if number is not None), None)


def _hit_dice(value: object) -> str:
    written = plain_text(value).replace(" ", "").casefold()
    return written.removesuffix("d8") if written.removesuffix("d8").isdigit() else written


def _weapon(item: Plain, numbers: Numbers, lost: list[str]) -> ForeignAttack | None:
    system = _system(item)
    name = text_at(item, "name") or "attack"
    written = text_at(system, "damage")
    dice = dice_in(written) or ("0" if written in ("", "0") else None)
    if dice is None:
        lost.append(f'{name}: damage "{written}"')
        return None
    ranged, thrown = _ways(system)
    normal = _first(whole_at(system, "range", "normal"), whole_at(system, "range", "short")) or 0
    most = max(normal, _first(whole_at(system, "range", "max"), whole_at(system, "range", "long")) or 0)
    feet = FEET_A_METRE if "metres" in numbers else 1
    score, attack = text_at(system, "score") or text_at(system, "stat"), numbers["attack"]
    bonus = _first(whole_at(system, "ab"), whole_at(system, "bonus")) or 0
    return ForeignAttack(
        name=name,
        dice=dice,
        hit=None if attack is None else attack + bonus,
        bonus=(numbers["bonus"] or 0) + (whole_at(system, "bonus") or 0),
        kinds=("ranged",) if ranged else ("melee", "thrown") if thrown else ("melee",),
        shock=_shock(system, name, lost),
        reach=(normal * feet, most * feet) if (ranged or thrown) and normal > 0 else None,
        trauma=_trauma(system),
        attributes=(score,) if score in ABILITIES else (),
        skill=text_at(system, "skill") or text_at(system, "skillFallback"),
        hands=2 if at(system, "isTwoHanded") is True else 1,
    )


def _ways(system: object) -> tuple[bool, bool]:
    """Tell whether a weapon is ranged, and whether it is for melee and thrown too."""
    missile, melee = at(system, "missile"), at(system, "melee")
    if isinstance(missile, bool) or isinstance(melee, bool):
        return missile is True and melee is not True, missile is True and melee is True
    skill, far = text_at(system, "skill").casefold(), whole_at(system, "range", "max") or 0
    if at(system, "isMelee") is True or skill in ("stab", "punch"):
        return False, far > 10
    return skill == "shoot" or far > 10, False


def _shock(system: object, name: str, lost: list[str]) -> tuple[int, int | None] | None:
    """Return the points of Shock and the highest Armour Class it harms, None for `-` and 0."""
    raw = at(system, "shock", "damage") if at(system, "shock", "damage") is not None else at(system, "shock", "dmg")
    points = whole(raw)
    written = plain_text(raw)
    if points is None and written not in ("", "-", "none"):
        lost.append(f'{name}: Shock "{written}"')
    limit = whole_at(system, "shock", "ac")
    return (points, limit) if points and points > 0 and limit is not None else None


def _trauma(system: object) -> tuple[str, int] | None:
    die, rating = dice_in(at(system, "trauma", "die")), whole_at(system, "trauma", "rating")
    return (die, rating) if die and rating and rating > 0 else None


def _own_attack(system: object, numbers: Numbers, lost: list[str]) -> ForeignAttack | None:
    """Return the attack of a creature without weapons."""
    attacks = at(system, "attacks")
    written = text_at(attacks, "damage")
    if not written or numbers.get("attacks") == 0:
        return None
    dice = dice_in(written)
    if dice is None:
        lost.append(f'attack: damage "{written}"')
        return None
    name, bonus = text_at(attacks, "name") or "attack", numbers["bonus"] or 0
    shock, trauma = _shock(attacks, name, lost), _trauma(attacks)
    return ForeignAttack(name=name, dice=dice, hit=numbers["attack"], bonus=bonus, shock=shock, trauma=trauma)


def _scores(system: object) -> tuple[tuple[str, int], ...]:
    scores = {
        ability: _first(*(whole_at(system, place, ability, key) for place in SCORES for key in SCORE))
        for ability in ABILITIES
    }
    return tuple((ability, score) for ability, score in scores.items() if score is not None)


def _skills(items: Iterable[Plain]) -> Iterable[tuple[str, int]]:
    for item in items:
        if item.get("type") == "skill":
            level = _first(whole_at(item, "system", "rank"), whole_at(item, "system", "ownedLevel"))
            if level is not None and level > -1:
                yield text_at(item, "name").casefold(), level


def _worn(items: Iterable[Plain]) -> Iterable[str]:
    """Yield a line with the armour of a character, whose Armour Class is not computed here."""
    yield f"Armour Class: worked out from what is worn ({'; '.join(_armour(items)) or 'nothing'}); type it as ac"


def _armour(items: Iterable[Plain]) -> Iterable[str]:
    """Yield each armour with its numbers."""
    for item in items:
        if item.get("type") != "armor":
            continue
        system = _system(item)
        soak = _first(whole_at(system, "soak", "max"), whole_at(system, "soak", "value"), whole_at(system, "soak"))
        numbers = (("AC", whole_at(system, "ac")), ("AC in melee", whole_at(system, "meleeAc")), ("soak", soak))
        text = [f"{name} {number}" for name, number in numbers if number]
        yield ", ".join((text_at(item, "name") or "armour", *text))


def _notes(system: object, items: Iterable[Plain]) -> Iterable[str]:
    """Yield descriptions of a creature, its powers and possessions."""
    for place in (("biography",), ("details", "biography"), ("notes",), ("details", "notes")):
        if text := text_at(system, *place):
            yield shortened(text)
    if morals := text_at(system, "details", "alignment"):
        yield f"alignment {morals}"
    for key in ("species", "homeworld", "faction"):
        if text := text_at(system, key):
            yield f"{key} {text}"
    for item in items:
        kind = str(item.get("type"))
        save = text_at(item, "system", "save") or text_at(item, "data", "save")
        text = shortened(text_at(item, "system", "description") or text_at(item, "data", "description"))
        name = text_at(item, "name")
        if name and kind not in ("skill", "folder") and (kind != "weapon" or text or save):
            yield f"{name}{f' (save: {save})' if save else ''}{f': {text}' if text else ''}"


def _missing(value: Plain) -> Iterable[str]:
    """Yield items and effects of which only an id is known, and effects, since their changes are not computed here."""
    yield from unreadable_blocks(value, ("items", "effects"))
    for effect in blocks(value.get("effects")):
        yield f"effect {_called(effect)}"
    for item in blocks(value.get("items")):
        yield from unreadable_blocks(item, ("effects",), _called(item))
        for effect in blocks(item.get("effects")):
            yield f"{_called(item)}: effect {_called(effect)}"


def _called(value: Plain) -> str:
    return text_at(value, "name") or text_at(value, "label") or "Unnamed"


def _left(system: object, items: Iterable[Plain]) -> Iterable[str]:
    """Yield the values that a stat block has no key for."""
    yield from unreadable_numbers(system, NUMBERS)
    soak = whole_at(system, "baseSoakTotal", "max")
    if soak:
        yield f"damage soak {soak}"
    for key, place in (("meleeAb", "melee"), ("rangedAb", "ranged attacks")):
        special, general = whole_at(system, key), whole_at(system, "ab")
        if special and special != general:
            yield f"attack bonus {special:+d} in {place}; {'none' if general is None else f'{general:+d}'} is taken"
    for item in items:
        paths = {"weapon": OF_WEAPONS, "skill": OF_SKILLS, "armor": OF_ARMOUR}.get(str(item.get("type")), ())
        own = item.get("system", item.get("data"))
        if plain_text(own):
            yield f'{_called(item)}: system "{plain_text(own)[:60]}"'
        yield from unreadable_numbers(own, paths, text_at(item, "name"))
        die = text_at(item, "system", "trauma", "die")
        if die not in ("", "none") and dice_in(die) is None:
            yield f'{text_at(item, "name")}: trauma.die "{die}"'
        if at(item, "system", "ammo", "burst") is True:
            yield f"{text_at(item, 'name')}: burst fire"
