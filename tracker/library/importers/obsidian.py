"""Notes of Obsidian: Fantasy Statblocks' creatures and Initiative Tracker's encounters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tracker.core.game.foreign import Creature
from tracker.core.terms.dice import Dice
from tracker.library.importers.improved import attack_in
from tracker.library.importers.results import (
    Group,
    ImportedEncounter,
    ImportedItem,
    Plain,
    Unreadable,
    dice_in,
    plain_text,
    shortened,
    text_at,
    unreadable_numbers,
    whole,
    whole_at,
)
from tracker.library.yaml.tree import parse

TEXTS = (
    *("size", "type", "subtype", "alignment", "cr", "level", "senses", "languages", "damage_vulnerabilities"),
    *("damage_resistances", "damage_immunities", "condition_immunities", "description", "source", "ac_class"),
)
NAMED = (
    *("traits", "actions", "bonus_actions", "reactions", "legendary_actions", "mythic_actions", "lair_actions"),
    "spells",
)
MODIFIERS = ("saves", "skillsaves")
READ = ("name", "hp", "ac", "hit_dice", "speed", "stats", "modifier", "statblock", "note", *TEXTS, *NAMED, *MODIFIERS)
IDLE = (
    *("layout", "columns", "columnwidth", "columnheight", "forcecolumns", "dice", "render", "tags", "aliases"),
    "cssclass",
)
_FENCE = re.compile(r"^(?P<mark>`{3,}|~{3,})[ \t]*(?P<kind>[\w-]*)[^\n]*\n(?P<body>.*?)^(?P=mark)[ \t]*$", re.S | re.M)
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$", re.S | re.M)
_COUNTED = re.compile(r"\s*(?:(\d{1,4}|\d{0,2}d\d{1,3}(?:\s*[+-]\s*\d{1,3})?)\s*:\s*)?(.+)", re.S)
SIGNS = {"hidden": "hidden", "friendly": "friends", "friend": "friends", "ally": "friends", "allied": "friends"}


def is_creature(value: Plain) -> bool:
    """Tell whether a block is a creature of Fantasy Statblocks, or of its bestiary."""
    return "name" in value and bool({"hp", "ac", "hit_dice", "stats", "actions", "traits"} & set(value))


def found_in(text: str, name: str) -> Iterator[ImportedItem]:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT.match(text)
    if front is not None and re.search(r"^statblock\s*:", front[1], re.M):
        yield from _creatures(front[1], name)
    for place, fence in enumerate(_FENCE.finditer(text), 1):
        where = f"{name}, block {place}"
        if fence["kind"] == "statblock":
            yield from _creatures(fence["body"], where)
        elif fence["kind"] in ("encounter", "encounter-table"):
            for part in re.split(r"^---[ \t]*$", fence["body"], flags=re.M):
                if part.strip():
                    yield _encounter(part, where)


def _creatures(text: str, where: str) -> Iterator[ImportedItem]:
    value = _block(text, where)
    if isinstance(value, Unreadable):
        yield value
    elif not (value.get("name") or value.get("monster")):
        yield Unreadable(where, "a creature without a name")
    else:
        yield creature(value)


def _block(text: str, where: str) -> Plain | Unreadable:
    tree = parse(text.encode(), where)
    if tree.problems:
        return Unreadable(where, f"its YAML breaks off: {tree.problems[0].message}")
    return tree.value if isinstance(tree.value, dict) else {}


def creature(value: Plain) -> Creature:
    lost = [f'what "{text_at(value, "monster")}" of its bestiary has'] if value.get("monster") else []
    lost += [str(key) for key in value if key not in (*READ, "monster") and str(key).casefold() not in IDLE]
    lost += _unread(value)
    armour, note = _numbered(value.get("ac"))
    points, more = _numbered(value.get("hp"))
    notes = [f"AC: {note}"] if note else []
    notes += [f"hp: {more}"] if more else []
    named = [entry for key in ("actions", "bonus_actions") for entry in _entries(value.get(key))]
    blows = [blow for entry in named if (blow := attack_in(*entry)) is not None]
    stats = value.get("stats")
    scores = zip(("str", "dex", "con", "int", "wis", "cha"), stats if isinstance(stats, list) else (), strict=False)
    return Creature(
        name=text_at(value, "name") or text_at(value, "monster") or "Unnamed",
        hd=dice_in(value.get("hit_dice")) or "",
        hp=points,
        ac=armour,
        attack=next((blow.hit for blow in blows if blow.hit is not None), None),
        blows=tuple(blows),
        move=text_at(value, "speed"),
        initiative=whole_at(value, "modifier") or 0,
        scores=tuple((name, score) for name, value in scores if (score := whole(value)) is not None),
        notes=(*notes, *_notes(value)),
        lost=tuple(lost),
    )


def _unread(value: Plain) -> Iterator[str]:
    """Yield parts in an unknown form."""
    yield from unreadable_numbers(value, ("modifier",))
    if (typed := text_at(value, "hit_dice")) and dice_in(typed) is None:
        yield f'hit_dice "{shortened(typed)}"'
    yield from (key for key in (*TEXTS, "speed") if value.get(key) and not text_at(value, key))
    for key in (*NAMED, *MODIFIERS):
        if value.get(key) and not any(_entries(value.get(key))):
            yield f'{key} "{(plain_text(value.get(key)) or plain_text(str(value.get(key))))[:60]}"'
    stats = value.get("stats")
    listed = stats if isinstance(stats, list) else [] if stats is None else [stats]
    if wrong := [text for part in listed if whole(part) is None and (text := plain_text(part))]:
        yield f"stats {', '.join(wrong)[:60]}"


def _numbered(value: object) -> tuple[int | None, str]:
    """Return the number a text begins with, and the rest: `15 (natural armor)`."""
    written = plain_text(value)
    match = re.match(r"([+-]?\d{1,6})\b\s*(.*)", written)
    return (int(match[1]), match[2].strip("() ")) if match else (None, written)


def _entries(value: object) -> Iterator[tuple[str, str]]:
    """Yield names and texts, in any of their forms."""
    for part in value if isinstance(value, list) else ():
        if isinstance(part, Mapping) and "name" in part:
            yield text_at(part, "name"), _joined_text(part.get("desc")) or _joined_text(part.get("description"))
        elif isinstance(part, Mapping):
            yield from ((plain_text(key), _joined_text(text)) for key, text in part.items())
        elif isinstance(part, list) and part:
            yield plain_text(part[0]), _joined_text(part[1:])
        elif text := plain_text(part):
            yield "", text


def _joined_text(value: object) -> str:
    """Return a text, or the texts of a list between commas."""
    if isinstance(value, list):
        return ", ".join(text for part in value if (text := _joined_text(part)))
    return plain_text(str(value)) if isinstance(value, Mapping) else plain_text(value)


def _notes(value: Plain) -> Iterator[str]:
    for key in TEXTS:
        if text := text_at(value, key):
            yield shortened(f"{key.replace('_', ' ')} {text}")
    for key in MODIFIERS:
        if listed := [f"{name} {text}" for name, text in _entries(value.get(key))]:
            yield f"{'saves' if key == 'saves' else 'skills'}: {', '.join(listed)}"
    for key in NAMED:
        yield from (shortened(f"{name}: {text}" if name else text) for name, text in _entries(value.get(key)))


def _encounter(text: str, where: str) -> ImportedItem:
    value = _block(text, where)
    if isinstance(value, Unreadable):
        return value
    listed = value.get("creatures")
    if not isinstance(listed, list):
        return Unreadable(where, "an encounter without a list of creatures")
    lost = [str(key) for key in value if key not in ("name", "creatures", "hide", "xp", "party", "players")]
    lost += [f'the party "{text_at(value, "party")}", which lies in the plugin'] if value.get("party") else []
    if value.get("players") not in (None, False, "none"):
        lost.append("the players, who lie in the plugin")
    hidden = "creatures" in str(value.get("hide", ""))
    groups = []
    for part in listed:
        group = _group(part, hidden, lost)
        if group is None:
            lost.append(f"a creature: {plain_text(str(part))[:60]}")
        else:
            groups.append(group)
    notes = (f"xp {text_at(value, 'xp')}",) if text_at(value, "xp") else ()
    return ImportedEncounter(text_at(value, "name") or "Encounter", tuple(groups), notes, tuple(lost))


def _group(part: object, hidden: bool, lost: list[str]) -> Group | None:
    """Return one line: `3: Goblin, 7, 13`, `Goblin`, `2: [Goblin, Snag]`, or a block of keys."""
    count, value = "", part
    if isinstance(part, Mapping) and len(part) == 1:
        ((key, value),) = part.items()
        count = str(key)
    if isinstance(value, Mapping):
        return _group_of_keys(value, count, hidden, lost)
    shown = ""
    if isinstance(value, list):
        value, shown = [*map(plain_text, value), "", ""][:2]
    match = _COUNTED.fullmatch(plain_text(value))
    if match is None or not match[2].split(",")[0].strip():
        return None
    written = count or match[1] or "1"
    name, *rest = (piece.strip() for piece in match[2].split(","))
    signs = [SIGNS[piece.casefold()] for piece in rest if piece.casefold() in SIGNS]
    numbers = [piece for piece in rest if piece.casefold() not in SIGNS]
    points, armour, initiative = [*(whole(piece) for piece in numbers[:3]), None, None, None][:3]
    lost += [f"{name}: xp {piece}" for piece in numbers[3:]]
    side = "friends" if "friends" in signs else "foes"
    creature = Creature(name=name, hp=points, ac=armour, initiative=initiative or 0)
    return Group(creature, _count(written, name, lost), shown, side, hidden or "hidden" in signs)


def _group_of_keys(keys: Plain, count: str, hidden: bool, lost: list[str]) -> Group | None:
    name = text_at(keys, "creature") or text_at(keys, "name")
    if not name:
        return None
    points, armour, initiative = (whole_at(keys, key) for key in ("hp", "ac", "mod"))
    creature = Creature(name=name, hp=points, ac=armour, initiative=initiative or 0)
    shown = text_at(keys, "name") if keys.get("creature") else ""
    side = "friends" if keys.get("friendly") or keys.get("friend") or keys.get("ally") else "foes"
    return Group(creature, _count(count or "1", name, lost), shown, side, hidden or keys.get("hidden") is True)


def _count(written: str, name: str, lost: list[str]) -> str:
    try:
        return str(Dice.parse(written))
    except ValueError:
        lost.append(f'{name}: "{shortened(written)}", which is no count')
        return "1"
