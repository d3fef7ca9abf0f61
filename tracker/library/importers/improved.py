"""Files of Improved Initiative: stat blocks, characters and saved encounters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from tracker.core.game.foreign import Creature, Feature, ForeignAttack
from tracker.kit.printed import listed
from tracker.library.importers.results import (
    Group,
    ImportedEncounter,
    ImportedItem,
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

LISTS = ("Creatures.", "PersistentCharacters.", "PlayerCharacters.", "SavedEncounters.")
NAMED = ("Traits", "Actions", "BonusActions", "Reactions", "LegendaryActions", "MythicActions")
SIZES = ("tiny", "small", "medium", "large", "huge", "gargantuan")
GROUPS = {
    "Traits": "trait",
    "Actions": "action",
    "BonusActions": "bonus",
    "Reactions": "reaction",
    "LegendaryActions": "legendary",
}
LISTED = (
    *("DamageVulnerabilities", "DamageResistances", "DamageImmunities", "ConditionImmunities", "Senses"),
    "Languages",
)
ABILITIES = ("Str", "Dex", "Con", "Int", "Wis", "Cha")
NUMBERS = ("HP.Value", "AC.Value", "InitiativeModifier", *(f"Abilities.{name}" for name in ABILITIES))
_HIT = re.compile(r"([+−-]\d{1,3})\s*(?:to hit|bonus)", re.IGNORECASE)
_DICE = re.compile(r"\b\d{0,3}d\d{1,3}(?:\s*[+−-]\s*\d{1,3})?\b", re.IGNORECASE)
_RANGED = re.compile(r"\branged\b", re.IGNORECASE)
_REACH = re.compile(r"\brange\s+(\d{1,4})\s*(?:/\s*(\d{1,4}))?", re.IGNORECASE)


def is_improved(value: Plain) -> bool:
    """Tell whether a block is of this program: a stat block, an encounter, or an export of everything."""
    if any(key.startswith(LISTS) for key in value):
        return True
    whole = isinstance(value.get("HP"), dict) and "Name" in value
    return whole or isinstance(value.get("Combatants"), list) or isinstance(value.get("StatBlock"), dict)


def found_in(value: Plain) -> Iterator[ImportedItem]:
    if isinstance(value.get("Combatants"), list):
        yield _encounter(value)
    elif isinstance(value.get("StatBlock"), dict):
        yield _combatant(value)
    elif isinstance(value.get("HP"), dict):
        yield creature(value)
    else:
        if spells := [key for key in value if key.startswith("Spells.")]:
            yield Unreadable("Spells", f"{len(spells)} of them, which no file of this program holds")
        for key, part in value.items():
            if not key.startswith(LISTS):
                continue
            if isinstance(part, dict) and is_improved(part):
                yield from found_in(part)
            else:
                yield Unreadable(plain_text(key)[:60], "nothing of a stat block or an encounter in it")


def creature(value: Plain) -> Creature:
    attacks = (attack_in(text_at(part, "Name"), text_at(part, "Content")) for part in blocks(value.get("Actions")))
    blows = [attack for attack in attacks if attack is not None]
    hit_dice = _DICE.search(text_at(value, "HP", "Notes"))
    is_pc = bool(text_at(value, "Player"))
    scores = [(name.casefold(), whole_at(value, "Abilities", name)) for name in ABILITIES]
    return Creature(
        name=text_at(value, "Name") or "Unnamed",
        kind="pc" if is_pc else "monster",
        hd=(dice_in(hit_dice[0]) or "") if hit_dice else "",
        hp=whole_at(value, "HP", "Value"),
        ac=whole_at(value, "AC", "Value"),
        attack=next((blow.hit for blow in blows if blow.hit is not None), None),
        blows=tuple(blows),
        move=", ".join(_texts(value.get("Speed"))),
        initiative=whole_at(value, "InitiativeModifier") or 0,
        scores=tuple((name, score) for name, score in scores if score is not None),
        features=tuple(
            Feature(group, text_at(part, "Name"), text_at(part, "Content"))
            for key, group in GROUPS.items()
            for part in blocks(value.get(key))
        ),
        size=next((size for size in SIZES if text_at(value, "Type").casefold().startswith(size)), ""),
        challenge=text_at(value, "Challenge"),
        saves=tuple(_modifiers(value, "Saves", 3)),
        skills=tuple(_modifiers(value, "Skills", 40)) if not is_pc else (),
        resist=listed(", ".join(_texts(value.get("DamageResistances")))),
        vulnerable=listed(", ".join(_texts(value.get("DamageVulnerabilities")))),
        immune=listed(", ".join(_texts(value.get("DamageImmunities")))),
        unaffected=listed(", ".join(_texts(value.get("ConditionImmunities")))),
        notes=tuple(_notes(value)),
        lost=tuple(_left(value)),
    )


def _modifiers(value: Plain, key: str, letters: int) -> Iterator[tuple[str, int]]:
    for part in blocks(value.get(key)):
        name, number = text_at(part, "Name").casefold()[:letters], whole_at(part, "Modifier")
        if name and number is not None:
            yield name, number


def attack_in(name: str, words: str) -> ForeignAttack | None:
    """Return the attack in a sentence, None if there is none."""
    hit, typed = _HIT.search(words), _DICE.search(words)
    if typed is None or (dice := dice_in(typed[0])) is None:
        return None
    ranged, melee = _RANGED.search(words), re.search(r"\bmelee\b", words, re.IGNORECASE)
    if not (hit or ranged or melee):
        return None
    far = _REACH.search(words)
    return ForeignAttack(
        name=name or "attack",
        dice=dice,
        hit=int(hit[1].replace("−", "-")) if hit else None,
        kinds=("melee",) if not ranged else ("melee", "thrown") if melee else ("ranged",),
        reach=(int(far[1]), int(far[2] or far[1])) if far else None,
    )


def _texts(value: object) -> list[str]:
    parts = value if isinstance(value, list) else [value]
    return [text for part in parts if (text := plain_text(part))]


def _notes(value: Plain) -> Iterator[str]:
    for key in ("Type", "Challenge", "Source", "Description"):
        if text := text_at(value, key):
            yield shortened(text if key in ("Type", "Description") else f"{key} {text}")
    if text := text_at(value, "AC", "Notes"):
        yield f"AC: {text}"
    for key in ("Saves", "Skills"):
        texts = [f"{text_at(part, 'Name')} {_signed(part.get('Modifier'))}" for part in blocks(value.get(key))]
        if texts:
            yield f"{key}: {', '.join(texts)}"
    for key in LISTED:
        if texts := _texts(value.get(key)):
            yield f"{re.sub(r'(?<=[a-z])(?=[A-Z])', ' ', key)}: {', '.join(texts)}"
    for key in NAMED:
        for part in blocks(value.get(key)):
            yield shortened(f"{text_at(part, 'Name')}: {text_at(part, 'Content')}")


def _signed(value: object) -> str:
    number = whole(value)
    return plain_text(value) if number is None else f"{number:+d}"


def _left(value: Plain) -> Iterator[str]:
    yield from unreadable_numbers(value, NUMBERS)
    if (text := text_at(value, "HP", "Notes")) and _DICE.search(text) is None:
        yield f'HP.Notes "{shortened(text)}"'
    yield from unreadable_blocks(value, (*NAMED, "Saves", "Skills"))
    yield from (key for key in (*LISTED, "Speed") if value.get(key) and not _texts(value.get(key)))
    if at(value, "InitiativeAdvantage") is True or text_at(value, "InitiativeSpecialRoll"):
        yield "how initiative is rolled"
    if text_at(value, "ImageURL"):
        yield "the picture"


def _encounter(value: Plain) -> ImportedEncounter:
    name = text_at(value, "Name") or "Encounter"
    counts: Counter[Group] = Counter()
    lost = list(unreadable_blocks(value, ("Combatants",)))
    for part in blocks(value.get("Combatants")):
        stat_block, alias = part.get("StatBlock"), text_at(part, "Alias")
        if not isinstance(stat_block, Mapping):
            words = f' but "{plain_text(stat_block)[:60]}"' if plain_text(stat_block) else ""
            lost.append(f"{alias or 'a combatant'}: it has no stat block{words}")
            continue
        combatant = _combatant(part)
        called = alias or combatant.name
        if combatant.hp_now is None and (now := whole_at(part, "CurrentHP")) not in (None, combatant.hp):
            lost.append(f"{called}: {now} hit points are left")
        lost += unreadable_numbers(part, ("MaxHP", "CurrentHP"), called)
        lost += [f"{called}: tag {tag}" for tag in _tags(part.get("Tags"))]
        side = "players" if combatant.kind == "pc" or text_at(part, "PersistentCharacterId") else "foes"
        counts[Group(combatant, name=alias, side=side, hidden=at(part, "Hidden") is True)] += 1
    lost += unreadable_numbers(value, ("RoundCounter",))
    if whole_at(value, "RoundCounter"):
        lost.append(f"how far the fight was: round {whole_at(value, 'RoundCounter')}")
    groups = tuple(replace(group, count=str(count)) for group, count in counts.items())
    return ImportedEncounter(name, groups, lost=tuple(lost))


def _combatant(value: Plain) -> Creature:
    """Return a combatant with its own maximum of hit points; a character also has those it has left."""
    stat_block = value.get("StatBlock")
    combatant = creature(stat_block if isinstance(stat_block, Mapping) else {})
    most, now = whole_at(value, "MaxHP"), whole_at(value, "CurrentHP")
    if most is not None:
        combatant = replace(combatant, hp=most)
    return replace(combatant, hp_now=now) if combatant.kind == "pc" and now != combatant.hp else combatant


def _tags(value: object) -> list[str]:
    listed = value if isinstance(value, list) else [value]
    return [text for tag in listed if (text := plain_text(tag) or text_at(tag, "Text"))]
