"""Dice as values, without rolling."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

_TERM = re.compile(r"(?P<sign>[+-]?)(?:(?P<count>\d*)[dD](?P<sides>\d*)|(?P<plus>\d+))")
MOST_DICE = 200
MOST_SIDES = 1000


class Dice:
    """A sum of dice and a fixed number, such as `2d6+3` or `1d8+1d6`, compared and hashed by value.

    It is no Struct, so that files and journals contain it as text.
    """

    __slots__ = ("plus", "terms")

    terms: tuple[tuple[int, int], ...]
    plus: int

    def __init__(self, terms: Sequence[tuple[int, int]] = (), plus: int = 0) -> None:
        object.__setattr__(self, "terms", tuple(terms))
        object.__setattr__(self, "plus", plus)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("dice are immutable")

    def __reduce__(self) -> tuple[type[Dice], tuple[tuple[tuple[int, int], ...], int]]:
        return Dice, (self.terms, self.plus)

    @staticmethod
    def of(count: int, sides: int) -> Dice:
        """Return `count` dice of `sides` sides."""
        return Dice(((count, sides),))

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(text: str) -> Dice:
        """Parse `d100`, `2d6+3`, `1d6+1d4`, `7`; raises ValueError, if possible with a hint."""
        compact = re.sub(r"\s*([-+dD])\s*", r"\1", text.strip())
        terms: list[tuple[int, int]] = []
        plus = at = 0
        while at < len(compact):
            match = _TERM.match(compact, at)
            if match is None or (at > 0 and not match["sign"]):
                meant = re.sub(r"(?<=\d)[wW](?=\d)", "d", compact)  # the German notation
                raise ValueError(f'"{text}" is not dice' + (f" (did you mean {meant}?)" if meant != compact else ""))
            sign = -1 if match["sign"] == "-" else 1
            if match["plus"] is not None:
                plus += sign * int(match["plus"])
            else:
                if not match["sides"]:
                    raise ValueError(f'"{text}" is not dice (did you mean {match["count"]}d6?)')
                count, sides = int(match["count"] or 1), int(match["sides"])
                if sign < 0:
                    raise ValueError(f'"{text}" subtracts dice')
                if not (1 <= count <= MOST_DICE and 1 <= sides <= MOST_SIDES):
                    raise ValueError(f'"{text}" has impossible dice')
                terms.append((count, sides))
            at = match.end()
        if not compact:
            raise ValueError("empty dice")
        return Dice(terms, plus)

    @property
    def natural(self) -> Dice:
        """The same dice without the fixed number."""
        return _natural(self.terms) if self.plus else self

    @property
    def sides(self) -> tuple[int, ...]:
        """Sides of every single die, in written order."""
        return _sides(self.terms)

    @property
    def minimum(self) -> int:
        """The least total."""
        return sum(count for count, _ in self.terms) + self.plus

    @property
    def maximum(self) -> int:
        """The greatest total."""
        return sum(count * sides for count, sides in self.terms) + self.plus

    def plus_dice(self, other: Dice) -> Dice:
        """Return both rolled together."""
        return Dice(self.terms + other.terms, self.plus + other.plus)

    def chances(self) -> tuple[tuple[int, float], ...]:
        """Return every total with its probability, in rising order."""
        return _chances(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dice) and self.terms == other.terms and self.plus == other.plus

    def __hash__(self) -> int:
        return hash((self.terms, self.plus))

    def __str__(self) -> str:
        dice = "+".join(f"{count}d{sides}" for count, sides in self.terms)
        if not dice:
            return str(self.plus)
        return f"{dice}{self.plus:+d}" if self.plus else dice

    def __repr__(self) -> str:
        return f"Dice({str(self)!r})"


def dice_between(low: int, high: int, sides: Collection[int] = (2, 3, 4, 6, 8, 10, 12, 20, 100)) -> Dice:
    """Return the dice for a range: several dice of one of these numbers of sides if possible, else one die."""
    if high <= low:
        raise ValueError(f"{low} to {high} is no range")
    if high % low == 0 and high // low in sides:
        return Dice.of(low, high // low)
    return Dice(((1, high - low + 1),), low - 1)


@lru_cache(maxsize=4096)
def _natural(terms: tuple[tuple[int, int], ...]) -> Dice:
    return Dice(terms)


@lru_cache(maxsize=4096)
def _sides(terms: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    return tuple(sides for count, sides in terms for _ in range(count))


@lru_cache(maxsize=1024)
def _chances(dice: Dice) -> tuple[tuple[int, float], ...]:
    ways = {dice.plus: 1.0}
    for sides in dice.sides:
        step: dict[int, float] = {}
        for total, chance in ways.items():
            for face in range(1, sides + 1):
                step[total + face] = step.get(total + face, 0.0) + chance / sides
        ways = step
    return tuple(sorted(ways.items()))
