"""One part of a printed attack, such as `2 × claw (1d3 + paralysis)` (8.5.3).

Others are `2d6 (claws)` and `beak +2 (1d4)`.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from rulesets.githack.stat_blocks.models import When
from rulesets.githack.stat_blocks.print_import.reading import Reading, read_dice
from tracker.core.terms.dice import Dice

DIE = r"(?:\d*d\d+(?:\s*[+-]\s*\d+(?![\dd]))?|\d+\s*[-–]\s*\d+)"
_DICE_FIRST = re.compile(rf"(?P<dice>{DIE}(?:/{DIE})*)(?![\dd])\s*(?P<rest>.*)", re.IGNORECASE)
_RANGE_COUNT = re.compile(r"(?P<low>\d+)\s*(?:to|-|–)\s*(?P<high>\d+)\s*[x×]?\s+(?P<rest>[^\d\s].*)", re.IGNORECASE)
_COUNT = re.compile(r"(?P<count>\d+)(?:\s*[x×]\s*|\s+)(?P<rest>[^\d\s].*)", re.IGNORECASE)
_NAMED = re.compile(
    r"(?P<name>[^(\[]*?)\s*(?P<bonus>[+-]\d+(?:/[+-]?\d+)*)?\s*(?:to hit)?\s*"
    r"(?P<reach>\b(?:melee|ranged|missile)\b(?:\s+fire)?)?\s*(?:[(\[](?P<inner>.*)[)\]])?\s*"
)
_BY_WEAPON = re.compile(r"\s*\bor (?:by )?weapon(?: type)?\b", re.IGNORECASE)
_REACH = re.compile(
    r"\(?\s*(?:(?P<both>ranged or close|close or ranged)|(?P<ranged>ranged|missile|thrown)|"
    r"(?P<close>close|melee))\s*\)?",
    re.IGNORECASE,
)


_NEAR = re.compile(r"\((close|near|far|double near|(?:close|near|far)(?:/(?:close|near|far))+)\)", re.IGNORECASE)


class Rider(Struct, frozen=True):
    """Text that goes with dice: after `+` it needs harm, after `*` a wound (GH-310)."""

    text: str
    when: When = "harm"


class AttackPart(Struct, frozen=True, kw_only=True):
    """What has been read of a part; `marked`: it has a count or brackets, so it means to be an attack."""

    label: str = ""
    count: int = 1
    dice: Dice = Dice()
    riders: tuple[Rider, ...] = ()
    more: tuple[AttackPart, ...] = ()
    reach: str = ""
    marked: bool = False


def read_part(words: str, reading: Reading) -> AttackPart:
    """Read one part.

    Raises:
        ValueError: where something in it looks like dice but is none.
    """
    words = words.replace("−", "-").strip(" .")
    near = _NEAR.search(words)
    if near is not None:
        words = f"{words[: near.start()].rstrip()} {words[near.end() :].lstrip()}".strip()
        reach = "close" if near[1].casefold() == "close" else "both" if "close" in near[1].casefold() else "ranged"
        blow = read_part(words, reading)
        return replace(blow, reach=blow.reach or reach)
    if _BY_WEAPON.search(words):
        words = _BY_WEAPON.sub("", words).strip()
        reading.keep("or by weapon")
    if re.search(rf"{DIE}\s*[x×]\s*\d", words, re.IGNORECASE):
        raise ValueError("dice cannot be multiplied")
    if match := _DICE_FIRST.fullmatch(words):
        return _dice_first(match, reading)
    count, marked = 1, False
    if match := _RANGE_COUNT.fullmatch(words):
        low, high = int(match["low"]), int(match["high"])
        options = [str(each) for each in range(low, min(max(low, high), low + 40) + 1)]
        count, marked, words = (
            int(reading.choose("hd", f"{low} to {high} {match['rest']}: how many?", options)),
            True,
            match["rest"],
        )
    elif match := _COUNT.fullmatch(words):
        count, marked, words = int(match["count"]), True, match["rest"]
    if count > 100:
        raise ValueError(f"{count} attacks are too many")
    match = _NAMED.fullmatch(words)
    if match is None:
        return AttackPart(label=words, count=count, marked=marked)
    reach = "" if not match["reach"] else "close" if match["reach"].casefold() == "melee" else "ranged"
    if match["inner"] is None:
        return AttackPart(label=match["name"].strip(), count=count, marked=marked, reach=reach)
    return _inner(match["inner"], match["name"].strip(), count, reach, reading)


def _dice_first(match: re.Match[str], reading: Reading) -> AttackPart:
    dice = _sum([read_dice(each) for each in re.findall(DIE, match["dice"], re.IGNORECASE)])
    rest = match["rest"].strip()
    reach = _REACH.fullmatch(rest)
    if reach:
        return AttackPart(dice=dice, reach=reach.lastgroup or "", marked=True)
    further = re.fullmatch(rf"\(\s*\+\s*(?P<dice>{DIE})\s*(?P<label>.*)\)", rest, re.IGNORECASE)
    if further:
        extra = AttackPart(label=further["label"].strip(), dice=read_dice(further["dice"]), marked=True)
        return AttackPart(dice=dice, more=(extra,), marked=True)
    if named := re.fullmatch(r"\((?P<label>[^()]*)\)(?P<after>.*)", rest):
        reading.keep(named["after"])
        return AttackPart(label=named["label"].strip(), dice=dice, marked=True)
    return AttackPart(label=re.sub(r"^(?:damage|dmg)\b\s*", "", rest), dice=dice, marked=True)


def _inner(inner: str, name: str, count: int, reach: str, reading: Reading) -> AttackPart:
    """Read the brackets behind a name: dice, then adds, further dice and riders."""
    dice: list[Dice] = []
    riders: list[Rider] = []
    more: list[AttackPart] = []
    add, sign = 0, ""
    for token in re.split(r"\s*([+*/,;]|\bplus\b|\band\b)\s*", inner.strip()):
        token = token.strip()
        if token in ("+", "*", "/", ",", ";", "plus", "and") or not token:
            sign = token or sign
            continue
        first = _DICE_FIRST.fullmatch(token)
        if first and not first["rest"]:
            dice += [read_dice(each) for each in re.findall(DIE, token, re.IGNORECASE)]
        elif first:
            more.append(
                AttackPart(label=first["rest"].strip(), count=count, dice=read_dice(first["dice"]), marked=True)
            )
        elif re.fullmatch(r"\d+", token) and sign == "+" and dice:
            add += int(token)
        elif re.match(r"\d*d\d|\d+d\b", token, re.IGNORECASE):
            read_dice(token)  # says what is wrong with it
        elif re.match(r"see\b", token, re.IGNORECASE):
            reading.keep(token)
        else:
            riders.append(Rider(token, "wound" if sign == "*" else "harm"))
    total = _sum(dice)
    return AttackPart(
        label=name,
        count=count,
        dice=Dice(total.terms, total.plus + add),
        riders=tuple(riders),
        more=tuple(more),
        reach=reach,
        marked=True,
    )


def _sum(dice: list[Dice]) -> Dice:
    total = Dice()
    for each in dice:
        total = total.plus_dice(each)
    counts: list[tuple[int, int]] = []
    for count, sides in total.terms:
        if counts and counts[-1][1] == sides:
            counts[-1] = (counts[-1][0] + count, sides)
        else:
            counts.append((count, sides))
    return Dice(counts, total.plus)
