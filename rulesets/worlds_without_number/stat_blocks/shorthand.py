"""From what a GM types to the canonical stat blocks of `blocks`.

`shorthand` gets the keys of one typed block and returns those of its Struct, as plain values. It leaves keys it does
not know (and
`count`, which is the file's business) as they are. What it returns may be given to it again and comes back the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.without_number import stat_blocks as shared
from rulesets.without_number.stat_blocks import ATTRIBUTES
from rulesets.worlds_without_number.stat_blocks import entries, readers
from rulesets.worlds_without_number.stat_blocks.entries import PRESETS
from rulesets.worlds_without_number.stat_blocks.models import UNARMED
from rulesets.worlds_without_number.stat_blocks.readers import Wpn
from rulesets.worlds_without_number.stat_blocks.stat_line import COLUMNS, read_line
from tracker.kit import readers as typed_as
from tracker.kit.readers import Plain, Typed

_TEXTS = ("id", "name", "notes", "move_text")
_FLAGS = ("shield", "auto_initiative", "immune_to_surprise", "shock_immune", "trauma_immune")
_PRINTED = {heading.casefold(): key for key, heading, _, _ in COLUMNS}
_WORDS = {word: key for key, _, words, _ in COLUMNS for word in words}


def shorthand(kind: str, plain: Plain) -> Plain:
    """Turn the typed keys of a `pc` or a `monster` into those of its Struct.

    Raises:
        ValueError: with a line `field: message` for each problem.
    """
    problems: list[str] = []
    keys, called = _printed_keys(plain, _PRINTED if kind == "pc" else {**_PRINTED, **_WORDS})
    typed = Typed(keys, problems, called=called)
    canonical = _pc(typed) if kind == "pc" else _monster(typed)
    if problems:
        raise ValueError("\n".join(problems))
    return {**typed.keys, **canonical}


def attribute_modifier(score: int) -> int:
    """Return the modifier of an attribute score (WN-C08, table 8.6)."""
    if score <= 7:
        return -2 if score <= 3 else -1
    if score <= 13:
        return 0
    return 1 if score <= 17 else 2


def _pc(typed: Typed) -> Plain:
    if isinstance(typed.keys.get("kind"), list | tuple):
        typed.problem("kind", "a list of attack kinds belongs to a monster or to a weapon")
    typed.keys.pop("kind", None)
    block = _shared(typed)
    typed.copy(block, ("hp", "hp_now", "ab", "level"), typed_as.number)
    typed.copy(block, ("frail",), typed_as.flag)
    most, now = block.get("hp"), block.setdefault("hp_now", block.get("hp", 1))
    if isinstance(most, int) and isinstance(now, int) and now > most:
        typed.problem("hp_now", f"{now} is more than hp {most}")
    armor = typed.take("ac", readers.armor_class, None)
    if armor is not None:
        block["ac"] = armor[0]
    block["mods"] = _mods(typed)
    block["skills"] = typed.take("skills", lambda value: _skills(value, typed), [])
    block["saves"] = typed.take(
        "saves",
        lambda value: entries.numbers(value, typed, "saves", ("physical", "evasion", "mental"), readers.save),
        {},
    )
    weapons = entries.weapons(typed)
    block["weapons"] = weapons
    block["unarmed"] = entries.unarmed(typed)
    block["dual_wield"] = typed.take("dual_wield", lambda value: entries.dual_wield(value, weapons), None)
    return block


def _monster(typed: Typed) -> Plain:
    _kind_word(typed)
    block: Plain = {
        "unread": typed.take("unread", _texts, []),
        "any_weapon": typed.take("any_weapon", typed_as.flag, False),
    }
    line = typed.take("stat_line", lambda value: read_line(str(value)), None)
    if line is not None:
        block["unread"] = list(line.unread)
        for key, value in line.typed:
            if typed.keys.get(key) is None:
                typed.keys[key] = value
    block |= _shared(typed)
    typed.copy(block, ("hp", "ml", "inst", "skill", "init_mod", "attacks"), typed_as.number)
    typed.copy(block, ("save",), readers.save)
    typed.copy(block, ("disciplined", "leader", "expects_trouble", "npc", "worn_armor"), typed_as.flag)
    typed.copy(block, ("fate",), entries.word)
    armor = typed.take("ac", readers.armor_class, None)
    if armor is not None:
        block["ac"] = armor[0]
        block["worn_armor"] = bool(block.get("worn_armor")) or armor[1]
    count, rolled, points = typed.take("hd", readers.hit_dice, (None, None, None))
    count = 1 if count is None else count
    block["hd"] = count
    block["hit_dice"] = typed.take("hit_dice", shared.hit_dice, rolled or "1d8")
    if points is not None:
        block.setdefault("hp", points)
    # WN-106: the attack bonus is the hit dice; R33: `x2` is two attacks
    bonus, times = typed.take("atk", readers.attack, (count, 1))
    block["atk"] = bonus
    block.setdefault("attacks", times)
    _monster_weapons(block, typed)
    return block


def _monster_weapons(block: Plain, typed: Typed) -> None:
    """Fill `weapons` and `unarmed`.

    The typed ones, the default attack, or whatever stands in for a printed `Wpn`.
    """
    listed = typed.keys.get("weapons") is not None
    weapons = entries.weapons(typed)
    is_natural = typed.take("natural", typed_as.flag, False)
    kind = typed.take("kind", typed_as.words, None)
    said_dmg = typed.keys.get("dmg") is not None
    dmg = typed.take("dmg", readers.damage, None)
    said_shock = typed.keys.get("shock") is not None
    shock = typed.take("shock", readers.shock, None)
    trauma = typed.take("trauma", lambda value: entries.trauma(value, typed), None)
    default: Plain | None = None
    if isinstance(dmg, Wpn):
        if not listed:
            weapons = [entries.plain_weapon(weapon) for weapon in PRESETS if weapon is not UNARMED]
            block["any_weapon"] = True
        weapons = [entries.armed(weapon, dmg, shock, said_shock) for weapon in weapons]
    elif isinstance(shock, Wpn):
        typed.problem("shock", "Wpn is for a monster whose damage is Wpn")
    elif block["attacks"] != 0 and (dmg is not None or (not said_dmg and (not listed or is_natural or kind or shock))):
        default = {
            "name": "attack",
            "dmg": dmg or "1d6",
            "kind": kind or ["melee"],
            "shock": shock,
            "natural": is_natural,
            "trauma": trauma,
        }
        weapons = [default, *weapons]
    shared.name_apart(weapons)
    block["weapons"] = weapons
    if typed.keys.get("unarmed") is not None:
        block["unarmed"] = entries.unarmed(typed)
    else:
        typed.keys.pop("unarmed", None)
        body = next((weapon for weapon in weapons if weapon.get("natural") and _for_melee(weapon)), None)
        block["unarmed"] = body or entries.plain_weapon(UNARMED)


def _for_melee(weapon: Plain) -> bool:
    kind = weapon.get("kind", ["melee"])
    return isinstance(kind, list | tuple) and "melee" in kind


def _shared(typed: Typed) -> Plain:
    """Return what both kinds of block have."""
    block: Plain = {}
    typed.copy(block, _TEXTS, typed_as.text)
    typed.copy(block, _FLAGS, typed_as.flag)
    typed.copy(block, ("trauma_target",), typed_as.number)
    typed.copy(block, ("size",), entries.word)
    moves = typed.take("move", readers.feet, None)
    if moves is not None:
        block["move"] = moves[0]
        block["move_text"] = moves[1] or block.get("move_text", "")
    block["bonus"] = typed.take(
        "bonus", lambda value: entries.numbers(value, typed, "bonus", ("hit", "damage", "shock", "trauma_die")), {}
    )
    block["instants"] = typed.take("instants", lambda value: entries.instants(value, typed), [])
    return block


def _printed_keys(plain: Plain, printed_as: Mapping[str, str]) -> tuple[Plain, dict[str, str]]:
    """Return the keys with `HD`, `Atk.`, `morale` and the like as they are called here.

    Also what each of them is called in the file.
    """
    known: Plain = {}
    called: dict[str, str] = {}
    for key, value in plain.items():
        printed = printed_as.get(str(key).casefold().rstrip(".").replace("_", " "), str(key))
        name = str(key) if printed in plain else printed
        known[name], called[name] = value, str(key)
    return known, called


def _kind_word(typed: Typed) -> None:
    """Take away a `kind` that is no list of attack kinds."""
    kind = typed.keys.get("kind")
    if isinstance(kind, list | tuple):
        return
    typed.keys.pop("kind", None)
    if kind is not None and str(kind) not in ("pc", "monster"):
        typed.problem(
            "kind", f'"{kind}" is neither pc nor monster; the kinds of an attack are a list, such as [ranged]'
        )


def _mods(typed: Typed) -> Plain:
    """Return modifiers, typed or else made from scores (table 8.6)."""
    scores = typed.take("attributes", lambda value: entries.numbers(value, typed, "attributes", ATTRIBUTES), {})
    for key, score in scores.items():
        if not 3 <= score <= 18:
            typed.problem(f"attributes.{key}", f"{score} is not between 3 and 18")
    mods = {key: attribute_modifier(score) for key, score in scores.items()}
    return {**mods, **typed.take("mods", lambda value: entries.numbers(value, typed, "mods", ATTRIBUTES), {})}


def _skills(value: object, typed: Typed) -> list[list[object]]:
    """Return skill levels above -1 as sorted pairs."""
    plain = dict(_pair(part) for part in value) if isinstance(value, list | tuple) else typed_as.mapping(value)
    levels = Typed(plain, typed.problems, "skills.")
    found = [(key.strip(), levels.take(key, typed_as.number, -1)) for key in tuple(levels.keys)]
    return [[key, level] for key, level in sorted(found) if level != -1]


def _pair(value: object) -> tuple[str, object]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError("a skill has a name and a level")
    return str(value[0]).casefold(), value[1]


def _texts(value: object) -> list[str]:
    return [typed_as.text(part) for part in typed_as.listed(value)]
