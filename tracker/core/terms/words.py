"""Words: enumerations, possessives, and the numbers that dice need."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from tracker.core.terms.dice import Dice

FEWEST_IN_A_ROW = 3
_HYPHEN = re.compile(r"(^|[\s(,;:/=+→]|(?:\d|\b)d\d*)-(?=\d)")


def minus(text: object) -> str:
    """Return a number, or words with numbers, with a true minus sign: `-1` and `1d6-1` are `−1` and `1d6−1`."""
    words = str(text)
    return _HYPHEN.sub(r"\1−", words) if "-" in words else words


def listed(words: Sequence[str], most: int = 8) -> str:
    """Return words as an enumeration, `a, b and c`; only the first `most`, with the number of the others."""
    if len(words) > most:
        return ", ".join(words[:most]) + f" and {len(words) - most} more"
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def named(names: Sequence[str]) -> str:
    """Return names as an enumeration, with consecutive numbers as a range: `Goblin 1-3 and Wolf`."""
    words: list[str] = []
    at = 0
    while at < len(names):
        kind, _, number = names[at].rpartition(" ")
        end = at + 1
        if kind and number.isdecimal():
            while end < len(names) and names[end] == f"{kind} {int(number) + end - at}":
                end += 1
        many = end - at >= FEWEST_IN_A_ROW
        words += [f"{names[at]}-{int(number) + end - at - 1}"] if many else names[at:end]
        at = end
    return listed(words, len(words))


def possessive(name: str) -> str:
    """Return the possessive of a name: `Wolf's`, `Goblins'`."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


@lru_cache(maxsize=1024)
def needs(
    added: int,
    against: int,
    word: str = "",
    least: int = 1,
    most: int = 20,
    made: str = "",
    above: int = 0,
    sure: bool = True,
) -> str:
    """Return the number a roll needs: `+6 vs AC 12 · 6 or more hits`.

    `least`, `most`: the least and the greatest natural number that can be needed, because lower ones always fail and
    this greatest one always succeeds; not `sure`: they are only the range of the dice. `made`: the verb of a success;
    `above`: by how much the number must be exceeded.
    """
    start = minus(f"{added:+d} vs {word} {against}" if added else f"vs {word} {against}")
    wanted = against + above - added
    if wanted <= least:
        shown = f"{least} or more" if least > 1 and sure else "any roll"
    elif wanted > most and not sure:
        shown = "no roll"
    else:
        shown = str(most) if wanted >= most else f"{wanted} or more"
    return f"{' '.join(start.split())} · {shown} {made}".rstrip()


def up_to(number: int, most: int, made: str = "") -> str:
    """Return the number a roll needs that must not exceed a number: `95 or less hits`."""
    shown = "no roll" if number < 1 else "any roll" if number >= most else f"{number} or less"
    return f"{shown} {made}".rstrip()


def felling(dice: Dice, loss: Callable[[int], int], left: int, made: str = "drops", below: bool = False) -> str:
    """Return the roll from which damage fells a target, `4 or more kills`, or that all rolls do the same.

    `loss`: the points that a roll takes, which must not fall with a higher roll; `left`: the points that fell the
    target; `below`: points beyond them count too.
    """
    rolls = range(dice.minimum, dice.maximum + 1)
    losses = {loss(roll) if below else min(left, loss(roll)) for roll in (rolls[0], rolls[-1])}
    least = next((roll for roll in rolls if loss(roll) >= left), None)
    if len(losses) == 1:
        does = made if least is not None else f"takes {min(losses)}" if losses != {0} else "does no harm"
        return f"any roll {does}: Enter"
    if least is None:
        return ""
    return f"{'any roll' if least == rolls[0] else str(least) if least == rolls[-1] else f'{least} or more'} {made}"


def last_part(key: str) -> str:
    """Return the end of a request's path as words."""
    return key.rpartition("/")[2].replace("_", " ").replace(":", " ")
