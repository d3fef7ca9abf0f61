"""Hit dice in print (8.5.2, GH-304, GH-305)."""

from __future__ import annotations

import re

from msgspec import Struct

from rulesets.githack.stat_blocks.print_import.reading import Reading, read_dice
from tracker.core.terms.dice import Dice

_EXPLICIT = re.compile(r"\d*\s*[dD]\s*\d+(?:\s*[+-]\s*\d+)?")
_POINTS = re.compile(r"(\d+)\s*(?:hp|hit points?)\b(?!\s*(?:per|/))", re.IGNORECASE)
_FEW = re.compile(r"(\d+\s*-\s*\d+)\s*(?:hp|hit points?)", re.IGNORECASE)
_PER_DIE = re.compile(r"(\d+)\s*hp\s*(?:per|/)\s*(?:hd|hit di[ce]+)", re.IGNORECASE)


class HitDice(Struct, frozen=True):
    """What a print says of hit points: dice, or fixed points.

    Also the printed average, and the number of dice where it was a choice.
    """

    dice: Dice | None = None
    points: int | None = None
    quick: int | None = None
    chosen: int | None = None


def hit_dice(words: str, size: int, reading: Reading) -> HitDice:
    """Read hit dice.

    Raises:
        ValueError: where they are none.
    """
    words = words.replace("−", "-").replace("–", "-").strip(" \"'`,;.")
    plain = re.sub(r"\(.*?\)", " ", words).replace("*", "").strip()
    brackets = re.findall(r"\((.*?)\)", words)
    if found := next((match for source in (plain, *brackets) if (match := _EXPLICIT.search(source))), None):
        return HitDice(read_dice(found[0]), quick=_quick(brackets, reading))
    if match := _FEW.fullmatch(plain):
        return HitDice(read_dice(match[1]))
    if match := _POINTS.fullmatch(plain):
        return HitDice(points=int(match[1]))
    per_die = _PER_DIE.search(words)
    count, add, chosen = _count(plain, reading)
    quick = _quick(brackets, reading)
    if count is None:
        return HitDice(Dice.of(1, 4), quick=quick)
    if per_die:
        return HitDice(points=max(1, int(per_die[1]) * count), chosen=chosen)
    return HitDice(Dice(((count, size),), add), quick=quick, chosen=chosen)


def _count(plain: str, reading: Reading) -> tuple[int | None, int, int | None]:
    """Return the number of dice, what is added, and the number if chosen; None dice: half a die."""
    if re.fullmatch(r"1\s*/\s*[234]|[½¼⅓]|(?:<|less than)\s*1(?:\s*(?:hd|hit die))?", plain, re.IGNORECASE):
        if not re.fullmatch(r"1\s*/\s*2|½", plain):
            reading.doubt(f"HD {plain}: 1d4 are rolled")
        return None, 0, None
    if match := re.fullmatch(r"(\d+)\s*([+-])\s*(\d+)", plain):
        first, second = int(match[1]), int(match[3])
        if match[2] == "+":
            return _sound(first), second, None
        if second <= first:
            return _sound(first), -second, None
        return _chosen([str(each) for each in range(first, min(second, first + 40) + 1)], plain, reading)
    if match := re.fullmatch(r"(\d+)\s+to\s+(\d+)", plain):
        return _chosen(
            [str(each) for each in range(int(match[1]), min(int(match[2]), int(match[1]) + 40) + 1)], plain, reading
        )
    if re.fullmatch(r"\d+(\s*(/|,|or)\s*\d+)+", plain):
        return _chosen(re.findall(r"\d+", plain), plain, reading)
    if re.fullmatch(r"\d+", plain):
        return _sound(int(plain)), 0, None
    raise ValueError("these are no hit dice")


def _chosen(options: list[str], plain: str, reading: Reading) -> tuple[int, int, int]:
    count = int(reading.choose("hd", f"hit dice {plain}: how many?", options))
    return _sound(count), 0, count


def _sound(count: int) -> int:
    if not 1 <= count <= 100:
        raise ValueError(f"{count} hit dice are not possible")
    return count


def _quick(brackets: list[str], reading: Reading) -> int | None:
    quick = None
    for words in brackets:
        if _EXPLICIT.search(words) or _PER_DIE.search(words):
            continue
        if match := _POINTS.search(words):
            quick = int(match[1])
        elif not re.fullmatch(r"\s*[+-]\d+\s*", words):
            reading.keep(f"HD: {words}")
    return quick
