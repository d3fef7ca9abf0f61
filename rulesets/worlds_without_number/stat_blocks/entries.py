"""Weapons and Instant powers as a GM types them: complete entries out of short ones."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping

from msgspec import to_builtins

from rulesets.without_number import stat_blocks as shared
from rulesets.without_number.stat_blocks import Attribute, Shock
from rulesets.worlds_without_number.stat_blocks import readers
from rulesets.worlds_without_number.stat_blocks.models import UNARMED, Use, Weapon
from rulesets.worlds_without_number.stat_blocks.readers import Wpn
from tracker.core.terms.dice import Dice
from tracker.kit import readers as typed_as
from tracker.kit.readers import Plain, Typed

STR: tuple[Attribute, ...] = ("str",)
DEX: tuple[Attribute, ...] = ("dex",)
EITHER: tuple[Attribute, ...] = ("str", "dex")
MELEE: tuple[Use, ...] = ("melee",)
MELEE_OR_THROWN: tuple[Use, ...] = ("melee", "thrown")


def _blade(
    name: str,
    die: int,
    shock: tuple[int, int] | None = None,
    *,
    attr: tuple[Attribute, ...] = STR,
    both_hands: bool = False,
    kind: tuple[Use, ...] = MELEE,
    reach: tuple[int, int] | None = None,
    stuns: bool = False,
) -> Weapon:
    """Return a weapon for melee or throwing."""
    return Weapon(
        name,
        Dice.of(1, die),
        kind=kind,
        attr=attr,
        shock=Shock(*shock) if shock else None,
        hands=2 if both_hands else 1,
        range=reach,
        nonlethal=stuns,
    )


PRESETS: tuple[Weapon, ...] = (
    UNARMED,
    _blade("blackjack", 4, stuns=True),
    _blade("club", 4, kind=MELEE_OR_THROWN, stuns=True),
    _blade("great club", 10, (2, 15), both_hands=True),
    _blade("claw blades", 6, (2, 13)),
    _blade("dagger", 4, (1, 15), attr=EITHER, kind=MELEE_OR_THROWN, reach=(30, 60)),
    _blade("halberd", 10, (2, 15), both_hands=True),
    _blade("great hammer", 10, (2, 18), both_hands=True),
    _blade("war hammer", 8, (1, 18)),
    _blade("hand axe", 6, (1, 15), kind=MELEE_OR_THROWN, reach=(10, 30)),
    _blade("war axe", 10, (3, 15), both_hands=True),
    _blade("mace", 6, (1, 18), stuns=True),
    _blade("pike", 8, (1, 15), both_hands=True),
    _blade("large shield bash", 6, (1, 13), stuns=True),
    _blade("small shield bash", 4, stuns=True),
    _blade("heavy spear", 10, (2, 15), both_hands=True),
    _blade("light spear", 6, (2, 13), attr=EITHER, kind=MELEE_OR_THROWN, reach=(30, 60)),
    _blade("staff", 6, (1, 13), both_hands=True, stuns=True),
    _blade("stiletto", 4, (1, 18), attr=DEX),
    _blade("great sword", 12, (2, 15), both_hands=True),
    _blade("long sword", 8, (2, 13)),
    _blade("short sword", 6, (2, 15)),
    _blade("throwing blade", 4, attr=DEX, kind=("thrown",), reach=(30, 60)),
    Weapon("large bow", Dice.of(1, 8), kind=("ranged",), attr=DEX, hands=2, range=(100, 600), reload="bow"),
    Weapon("small bow", Dice.of(1, 6), kind=("ranged",), attr=DEX, hands=2, range=(50, 300), reload="bow"),
    Weapon("crossbow", Dice.of(1, 10), kind=("ranged",), attr=DEX, hands=2, range=(100, 300), reload="crossbow"),
)

_BY_NAME = {weapon.name.replace(" ", ""): weapon for weapon in PRESETS}


def _bare(name: str) -> str:
    return name.casefold().replace(" ", "").replace("-", "").replace("_", "")


def preset(name: str) -> Weapon | None:
    """Return a preset by name, whatever its capitals, spaces and hyphens."""
    return _BY_NAME.get(_bare(name))


def likely(name: str) -> str:
    """Return the preset that is likely meant, or an empty text."""
    close = difflib.get_close_matches(_bare(name), _BY_NAME, n=1, cutoff=0.75)
    return _BY_NAME[close[0]].name if close else ""


def numbers(
    value: object, typed: Typed, name: str, keys: tuple[str, ...], read: Callable[[object], int] = typed_as.number
) -> dict[str, int]:
    """Return a mapping of known keys to numbers."""
    return shared.numbers(typed_as.mapping(value), typed, name, keys, read)


def word(value: object) -> str:
    """Read one word, in small letters."""
    return typed_as.text(value).casefold()


def instants(value: object, typed: Typed) -> list[Plain]:
    """Read Instant powers, under different names (WN-036 to WN-038)."""
    found: list[Plain] = []
    for place, part in enumerate(typed_as.listed(value)):
        inner = Typed(typed_as.mapping(part), typed.problems, f"instants[{place}].")
        power: Plain = {"name": inner.take("name", typed_as.text, ""), "does": inner.take("does", word, "")}
        inner.copy(power, ("uses",), typed_as.number)
        for key in ("name", "does"):
            if not power[key]:
                inner.problem(key, "is missing" if key == "name" else "is missing: miss_to_hit, hit_to_miss or note")
        inner.refuse_rest("name, does and uses")
        found.append(power)
    shared.name_apart(found)
    return found


def weapons(typed: Typed) -> list[Plain]:
    """Return the typed weapons, complete and under different names."""
    entries = typed.take("weapons", typed_as.listed, [])
    weapons = [_weapon(part, typed.problems, f"weapons[{place}].") for place, part in enumerate(entries)]
    shared.name_apart(weapons)
    return weapons


def unarmed(typed: Typed) -> Plain:
    """Return what bare hands do (WN-C30).

    Dice or a weapon entry may be typed.
    """
    value = typed.keys.pop("unarmed", None)
    if value is None:
        return plain_weapon(UNARMED)
    entry = dict(value) if isinstance(value, Mapping) else {"dmg": value}
    return _weapon({**plain_weapon(UNARMED), **entry}, typed.problems, "unarmed.")


def _weapon(value: object, problems: list[str], path: str) -> Plain:
    """Return a weapon entry with everything that its preset and the defaults add (3.3)."""
    entry = shared.named_entry(value, typed_as.mapping, problems, path)
    if entry is None:
        return {}
    name = str(entry["name"])
    known = preset(name)
    # an empty value takes something away from a preset where that is possible
    typed = Typed(
        {
            **(plain_weapon(known) if known else {}),
            **{k: v for k, v in entry.items() if v is not None or k in _REMOVABLE},
        },
        problems,
        path,
    )
    weapon: Plain = {"name": name}
    typed.keys.pop("name", None)
    shared.known_weapon(typed, name, "dmg", likely)
    typed.copy(weapon, ("dmg",), readers.weapon_damage)
    typed.copy(weapon, ("kind", "attr"), typed_as.words)
    for key, read in _REMOVABLE.items():
        weapon[key] = typed.take(key, read, None)
    typed.copy(weapon, ("hands", "attacks"), typed_as.number)
    typed.copy(weapon, ("natural", "nonlethal"), typed_as.flag)
    weapon["trauma"] = typed.take("trauma", lambda part: trauma(part, typed), None)
    bonus = typed.take(
        "bonus", lambda part: numbers(part, typed, "bonus", ("hit", "damage", "shock", "trauma_die")), {}
    )
    if bonus.get("trauma_die"):
        typed.problem("bonus.trauma_die", "belongs to the wielder's bonus")
    weapon["bonus"] = bonus
    for key in ("kind", "attr"):
        if weapon.get(key) == []:
            typed.problem(key, "is empty")
    typed.refuse_rest(
        "name, dmg, kind, attr, skill, shock, hands, attacks, range, reload, natural, nonlethal, trauma and bonus"
    )
    return weapon


def _own_shock(value: object) -> Plain | None:
    found = readers.shock(value)
    if isinstance(found, Wpn):
        raise ValueError("Wpn is for printed monsters; a weapon has its own Shock")
    return found


def _word_or_nothing(value: object) -> str | None:
    found = word(value)
    return None if found in ("none", "-", "") else found


_REMOVABLE: dict[str, Callable[[object], object]] = {
    "skill": _word_or_nothing,
    "shock": _own_shock,
    "range": readers.ranges,
    "reload": _word_or_nothing,
}


def trauma(value: object, typed: Typed) -> Plain | None:
    """Read `{die, rating}` or `1d6/x2`."""
    if isinstance(value, Mapping):
        inner = Typed(typed_as.mapping(value), typed.problems, f"{typed.path}trauma.")
        die = inner.take("die", typed_as.dice, "")
        rating = inner.take("rating", lambda part: typed_as.number(str(part).strip().removeprefix("x")), 0)
        inner.refuse_rest("die and rating")
    else:
        written, _, times = typed_as.text(value).partition("/")
        if _word_or_nothing(written) is None and not times:
            return None
        die, rating = typed_as.dice(written), typed_as.number(times.strip().removeprefix("x") or "0")
    if not die or rating < 1:
        raise ValueError("a Trauma Die and a Rating are needed, such as {die: 1d6, rating: 2}")
    return {"die": die, "rating": rating}


def plain_weapon(weapon: Weapon) -> Plain:
    """Return a weapon as typed keys."""
    plain: Plain = to_builtins(weapon, enc_hook=str)
    return plain


def armed(weapon: Plain, dmg: Wpn, shock: Plain | Wpn | None, said_shock: bool) -> Plain:
    """Return a weapon in the hand of a monster printed with `Wpn` (8.8).

    The pluses are added, and a printed Shock replaces its own.
    """
    bonus = {"hit": 0, "damage": 0, "shock": 0, **weapon.get("bonus", {})}  # type: ignore[dict-item]  # numbers
    bonus["damage"] += dmg.plus
    changed = {**weapon, "bonus": bonus}
    if isinstance(shock, Wpn):
        bonus["shock"] += shock.plus
    elif said_shock and "melee" in weapon.get("kind", ["melee"]):  # type: ignore[operator]  # a list of words
        changed["shock"] = shock
    return changed


def dual_wield(value: object, weapons: list[Plain]) -> list[str] | None:
    """Read two names of weapons (R29).

    `true` stands for the first two that need one hand.
    """
    one_handed = [weapon for weapon in weapons if weapon.get("hands", 1) == 1 and not weapon.get("natural")]
    if not isinstance(value, list | tuple):
        if not typed_as.flag(value):
            return None
        if len(one_handed) < 2:
            raise ValueError("there are no two one-handed weapons")
        return [str(weapon["name"]) for weapon in one_handed[:2]]
    if len(value) != 2:
        raise ValueError("two names are needed")
    named = {str(weapon["name"]).casefold(): str(weapon["name"]) for weapon in one_handed}
    parts = [typed_as.text(part) for part in value]
    for part in parts:
        if part.casefold() not in named:
            raise ValueError(f'"{part}" is none of its one-handed weapons')
    return [named[part.casefold()] for part in parts]
