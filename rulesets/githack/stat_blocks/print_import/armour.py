"""Armour class in print: which game it comes from, and what it is here (8.5.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from rulesets.githack.stat_blocks.print_import.reading import Reading, number


class System(Struct, frozen=True):
    """A game that prints stat blocks: direction of AC, unarmoured value, hit die."""

    ascending: bool
    unarmoured: int
    hit_die: int = 8


SYSTEMS: dict[str, System] = {
    "native": System(True, 0),
    "ose": System(False, 9),
    "ll": System(False, 9),
    "sw": System(False, 9),
    "adnd": System(False, 10),
    "bfrpg": System(True, 11),
    "lotfp": System(True, 12),
    "d20": System(True, 10),
    "dcc": System(True, 10),
    "shadowdark": System(True, 10),
    "knave": System(True, 11),
}
_PAIR = re.compile(r"(?P<down>-?\d+)\s*\[(?P<up>-?\d+)\]")
_NUMBER = re.compile(r"-?\d+")


def system_of(value: object) -> System:
    """Return a system by its id, or one described in place.

    For example `{direction: ascending, unarmoured: 11, hit_die: 8}`.

    Raises:
        ValueError: where there is no such system.
    """
    if isinstance(value, Mapping):
        if unknown := [key for key in value if key not in ("direction", "unarmoured", "hit_die")]:
            raise ValueError(f"{unknown[0]} is unknown; there are direction, unarmoured and hit_die")
        if value.get("direction") not in ("ascending", "descending"):
            raise ValueError("direction is ascending or descending")
        return System(
            value["direction"] == "ascending", number(value.get("unarmoured")), number(value.get("hit_die", 8))
        )
    found = SYSTEMS.get(str(value))
    if found is None:
        raise ValueError(f"there is no system {value} ({', '.join(SYSTEMS)})")
    return found


def native(given: int, system: System) -> int:
    """Return a printed AC on this game's scale (GH-051, GH-301)."""
    return max(0, given - system.unarmoured if system.ascending else system.unarmoured - given)


def armour_class(words: str, reading: Reading) -> int | None:
    """Read a printed AC with its variants, the unused ones as notes; None where nothing says which game counts so."""
    words = words.replace("−", "-").replace("–", "-").strip(" \"'`")
    if pairs := list(_PAIR.finditer(words)):
        return _pairs(words, pairs, reading)
    numbers = list(_NUMBER.finditer(words))
    if not numbers:
        reading.keep(f"AC: {words}")
        return 0
    if reading.system == "":
        return _unknown(words, reading)
    system = system_of(reading.system)
    if re.fullmatch(r"-?\d+(\s*/\s*-?\d+)+", words) or re.fullmatch(r"-?\d+(\s+(or|to)\s+-?\d+)+", words):
        chosen = reading.choose("ac", f"AC {words}", [match[0] for match in numbers])
        return native(int(chosen), system)
    first = numbers[0]
    if first.start() and words[: first.start()].strip():
        reading.keep(f"AC: {words[: first.start()]}")
    _variants(words[first.end() :], system, reading)
    return native(int(first[0]), system)


def _unknown(words: str, reading: Reading) -> int | None:
    """Ask which game a single number comes from, and guess none (GH-303)."""
    if "system" not in reading.choices:
        reading.fail(f"AC {words}", f"which game counts so? name the system: {', '.join(SYSTEMS)}")
        return None
    reading.system = reading.choose("system", f"AC {words}", tuple(SYSTEMS))
    return armour_class(words, reading)


def _pairs(words: str, pairs: list[re.Match[str]], reading: Reading) -> int:
    outside = [pair for pair in pairs if words[: pair.start()].count("(") == words[: pair.start()].count(")")]
    if len(outside) > 1 and re.search(r"\b(or|to)\b|/", words[outside[0].end() : outside[1].start()]):
        chosen = reading.choose("ac", f"AC {words}", [pair[0] for pair in outside])
        match = _PAIR.search(chosen)
        return _pair(match if match else outside[0], reading)
    rest = words[pairs[0].end() :].strip(" ,;.")
    if rest:
        shown = _PAIR.sub(
            lambda pair: str(_pair(pair, Reading())),
            rest.strip("()") if rest.startswith("(") and rest.endswith(")") else rest,
        )
        reading.keep(f"AC {shown}" if _PAIR.search(rest) else f"AC: {rest}")
    return _pair(pairs[0], reading)


def _pair(pair: re.Match[str], reading: Reading) -> int:
    """Both scales have to say the same, else the bracket counts (GH-302)."""
    down, up = native(int(pair["down"]), SYSTEMS["ose"]), native(int(pair["up"]), SYSTEMS["d20"])
    if down != up:
        reading.doubt(f"AC {pair[0]}: the two numbers differ ({down} and {up}); the bracket is used")
    return up


def _variants(rest: str, system: System, reading: Reading) -> None:
    """Keep what stands after the first number: another AC converted, or words as they are."""
    rest = rest.strip(" ,;")
    if not rest:
        return
    bare = re.fullmatch(r"\((-?\d+)\)", rest)
    if bare:
        reading.keep(f"AC {native(int(bare[1]), system)} without armour")
        return
    for piece in rest.split(";"):
        match = re.fullmatch(r"\s*(?:or\s+)?(-?\d+)\s*\(?(.*?)\)?\s*", piece)
        if match and match[2]:
            reading.keep(f"AC {native(int(match[1]), system)} {match[2]}")
        elif piece.strip() not in ("", "(overall)"):
            reading.keep(f"AC: {piece.strip()}")
