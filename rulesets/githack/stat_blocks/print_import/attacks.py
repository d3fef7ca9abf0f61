"""Printed attacks: modes, parts, riders and separate damage fields (8.5.3, GH-306, GH-307 to GH-311)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from rulesets.githack.stat_blocks.models import HAZARDS, UNNAMED
from rulesets.githack.stat_blocks.print_import.attack_parts import DIE, AttackPart, read_part
from rulesets.githack.stat_blocks.print_import.reading import Reading, depths, hazard_of, split
from rulesets.githack.stat_blocks.print_import.tidying import alternatives
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain

_NO_BONUS = r"\+(?!\s*\d+\s*(?:$|[,;(\[/]|melee|ranged|missile|to hit))"
_PARTS = rf",|;|{_NO_BONUS}|\s+and\s+|\s+plus\s+"
_NO_DICE = r"gaze|charm"
_LISTED = re.compile(
    rf"(?P<names>[^()\[\]]*?[A-Za-z][^()\[\]]*?)[\s,]*[(\[]?(?P<damage>{DIE}(?:\s*/\s*{DIE})+)[)\]]?", re.IGNORECASE
)
"""Names, then damage for each of them: `2 claws/1 bite, 1d4/1d4/1d6`."""


def attacks(names: str, damage: str, reading: Reading) -> tuple[list[Plain], list[Plain]]:
    """Return the attack modes, and the specials of the monster itself.

    `damage` is a field of its own where the print has one.
    """
    names, damage = names.strip(" \"'`"), damage.strip(" \"'`")
    listed = re.fullmatch(r"\d+\s*\((?P<names>[^\d()]+)\)", names)
    if listed:
        names = listed["names"]
    elif re.fullmatch(r"\d+(\s*(\(.*\)|or more))?", names) and not re.search(DIE, names):
        names = ""
    if not damage and (both := _LISTED.fullmatch(names)) and re.search(r"/|,|\band\b|\d", both["names"]):
        names, damage = both["names"].strip(" ,"), both["damage"]
    if names and damage:
        modes = [_matched(name, dice, reading) for name, dice in _pairs(names, damage)]
    else:
        modes = [_mode(words, reading) for words in _modes(alternatives(names or damage))]
    return _plain([mode for mode in modes if mode], reading)


def _pairs(names: str, damage: str) -> list[tuple[str, str]]:
    """Return names with their damage, one pair for each alternative."""
    ways, dice = split(names, r"\s+or\s+"), split(damage, r"\s+or\s+")
    if len(dice) < 2 or not all(re.search(DIE, each) for each in dice):
        return [(names, damage)]
    if len(ways) == len(dice):
        return list(zip(ways, dice, strict=True))
    return [(names, each) for each in dice]


def _modes(words: str) -> list[str]:
    """Split the ways to attack at "or", and at "/" behind a bracket.

    A piece without dice on its left is part of a name.
    """
    inside, pieces, start = depths(words), [], 0
    for match in re.finditer(r"\s+or\s+|/", words, re.IGNORECASE):
        left = words[start : match.start()]
        closed = left.rstrip().endswith((")", "]"))
        named = "(" in left or "[" in left or (re.search(DIE, left) and match[0] != "/")
        weapon = re.match(r"(by )?weapon", words[match.end() :], re.IGNORECASE)
        if inside[match.start()] or (match[0] == "/" and not closed) or not named or weapon:
            continue
        if match.start() and inside[match.start() - 1] and not closed:
            continue
        pieces.append(left)
        start = match.end()
    return [piece.strip() for piece in (*pieces, words[start:]) if piece.strip()]


def _mode(words: str, reading: Reading) -> list[AttackPart]:
    words = words.strip(" .")
    if words.startswith("[") and words.endswith("]"):
        words = words[1:-1]
    blows: list[AttackPart] = []
    for part in split(words, _PARTS):
        try:
            blow = read_part(part, reading)
        except ValueError as error:
            reading.fail(part, str(error))
        else:
            blows += [replace(blow, more=()), *blow.more]
    return blows


def _matched(names: str, damage: str, reading: Reading) -> list[AttackPart]:
    """Bring names and damage together: by name, else by place."""
    every = re.search(r",?\s*\b(?:all|each)\s*(?:\+|plus|and)\s+(?P<text>.+)$", damage, re.IGNORECASE)
    if every:
        damage = damage[: every.start()]
    if not re.search(DIE, names, re.IGNORECASE):
        names = re.sub(r"\s*/\s*(?=\d+\s+[A-Za-z]|[A-Za-z])", ", ", names)
    blows = _mode(names, reading)
    items = _items(damage, reading)
    blows = _by_place(_by_name(blows, items), items, damage, reading)
    if every:
        rider = _mode(f"x (1d4+{every['text']})", Reading())[0].riders
        blows = [replace(blow, riders=(*blow.riders, *rider)) if blow.dice.terms else blow for blow in blows]
    return blows


def _items(damage: str, reading: Reading) -> list[AttackPart]:
    """Return the entries of a damage field; one without dice goes with the entry before it."""
    items: list[AttackPart] = []
    for part in split(damage, rf"{_PARTS}|/"):
        try:
            blow = read_part(part, reading)
        except ValueError as error:
            reading.fail(part, str(error))
            continue
        if blow.dice.terms:
            items += [replace(blow, more=()), *blow.more]
        elif items and blow.label:
            rider = read_part(f"x (1d4+{blow.label})", Reading()).riders
            items[-1] = replace(items[-1], riders=(*items[-1].riders, *rider))
        elif blow.label:
            reading.keep(blow.label)
    return items


def _by_name(blows: list[AttackPart], items: list[AttackPart]) -> list[AttackPart]:
    """Give each name the damage of the same name, and remove it from the items."""
    for place, blow in enumerate(blows):
        found = next((item for item in items if item.label and _key(item.label) == _key(blow.label)), None)
        if found is not None and not blow.dice.terms:
            items.remove(found)
            blows[place] = replace(blow, dice=found.dice, riders=(*blow.riders, *found.riders), marked=True)
    return blows


def _by_place(blows: list[AttackPart], items: list[AttackPart], damage: str, reading: Reading) -> list[AttackPart]:
    bare = [place for place, blow in enumerate(blows) if not blow.dice.terms]
    if len(items) == sum(blows[place].count for place in bare) > len(bare):
        for place in bare:  # one entry for every single attack
            own, items = items[: blows[place].count], items[blows[place].count :]
            dice = Dice()
            for item in own:
                dice = dice.plus_dice(item.dice)
            blows[place] = replace(
                blows[place],
                count=1,
                dice=dice,
                riders=(*blows[place].riders, *(rider for item in own for rider in item.riders)),
            )
        return blows
    for place in bare:
        if items:
            item = items.pop(0)
            blows[place] = replace(
                blows[place], dice=item.dice, riders=(*blows[place].riders, *item.riders), marked=True
            )
    if items and not blows:
        return items
    if items:
        reading.fail(damage, "there is more damage than attacks")
    return blows


def _key(label: str) -> str:
    return re.sub(r"e?s$", "", label.casefold().strip())


def _plain(modes: Sequence[list[AttackPart]], reading: Reading) -> tuple[list[Plain], list[Plain]]:
    found: list[Plain] = []
    own: list[Plain] = []
    for blows in modes:
        mode, specials = _one(blows, reading)
        if mode is None:
            own += specials
            continue
        mode["specials"] = specials
        taken = [str(other["name"]) for other in found]
        name, number = str(mode["name"]), 2
        while mode["name"] in taken:
            mode["name"], number = f"{name} {number}", number + 1
        found.append(mode)
    if len(found) == 1:
        own, found[0]["specials"] = [*_listed(found[0]), *own], []
    return found, own


def _listed(mode: Plain) -> list[Plain]:
    specials = mode["specials"]
    return list(specials) if isinstance(specials, list) else []


def _one(blows: Sequence[AttackPart], reading: Reading) -> tuple[Plain | None, list[Plain]]:
    specials: list[Plain] = []
    parts: list[Plain] = []
    kept: list[AttackPart] = []
    for blow in blows:
        if blow.dice.terms:
            parts.append(_part(blow, reading))
            kept.append(blow)
            continue
        words = " ".join((blow.label, *(rider.text for rider in blow.riders)))
        if len(blows) == 1 and re.search(r"\bbreath\b", words, re.IGNORECASE):
            reading.doubt(f"{blow.label}: fill in its dice")
            return None, [draft(blow.label, reading, "instead_of_attack")]
        if hazard_of(words) or re.search(_NO_DICE, words, re.IGNORECASE):
            specials.append(_gaze(blow, reading))
            parts.append({"dice": "0", "label": blow.label, "add": 0})
        elif blow.marked:
            reading.fail(blow.label, "an attack without dice")
            kept.append(blow)
        else:
            reading.keep(blow.label)
    if not kept and not parts:
        return None, specials
    rolled = [blow for blow in kept if blow.dice.terms]
    riders = dict.fromkeys((rider.text.casefold(), rider.when) for blow in rolled for rider in blow.riders)
    for key, when in riders:
        carriers = [
            blow for blow in rolled if any((rider.text.casefold(), rider.when) == (key, when) for rider in blow.riders)
        ]
        shown = next(rider.text for blow in carriers for rider in blow.riders if rider.text.casefold() == key)
        part = "" if len(carriers) == len(parts) else ", ".join(dict.fromkeys(blow.label for blow in carriers))
        specials.append(draft(shown, reading, when, part))
    labels = list(dict.fromkeys(label for label in (str(part["label"]) for part in parts) if label)) or [
        blow.label for blow in kept if blow.label
    ]
    reach = next((blow.reach for blow in blows if blow.reach), "close")
    return {"name": " and ".join(labels) or UNNAMED, "parts": parts, "reach": reach}, specials


def _part(blow: AttackPart, reading: Reading) -> Plain:
    terms = tuple((count * blow.count, sides) for count, sides in blow.dice.terms)
    if blow.dice.plus:
        reading.keep(
            f"damage {blow.dice}{' ' + blow.label if blow.label else ''}: the add is no die (switch damage_adds)"
        )
    return {"dice": str(Dice(terms)), "label": blow.label, "add": blow.dice.plus}


def _gaze(blow: AttackPart, reading: Reading) -> Plain:
    """Draft an effect that replaces a part's damage (GH-311)."""
    cause = " ".join(rider.text for rider in blow.riders)
    return draft(f"{blow.label} ({cause})" if cause else blow.label, reading, "instead_of_damage", blow.label)


def draft(name: str, reading: Reading, when: str = "harm", part: str = "") -> Plain:
    """Return the draft of a special, flagged for a look (GH-310)."""
    shown = name if " " in name else name.casefold()
    save = hazard_of(name) or (
        HAZARDS["mind_control"] if re.search("charm", name, re.IGNORECASE) else HAZARDS["default"]
    )
    if when != "instead_of_attack":
        reading.doubt(f"{shown}: drafted from the print, look it over")
    effect = "paralysed" if re.search("paraly", name, re.IGNORECASE) else ""
    return {"name": shown, "when": when, "save": list(save), "effect": effect, "part": part, "review": True}
