"""Typed dice: the faces or the total that a player read off the table."""

from __future__ import annotations

import re

from tracker.core.terms.requests import Roll, Thrown, problem_with

__all__ = ["dice_typed"]

_NUMBERS = re.compile(r"\d+")


def dice_typed(request: Roll, text: str) -> Thrown:
    """Read typed dice: as many numbers as dice are the faces, one number is the total; raises ValueError with one line for people."""
    if not re.fullmatch(r"[\d\s,+]+", text):
        raise ValueError("dice are numbers: a total, or the faces with blanks between")
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    sides = request.dice.sides
    numbers = [
        100 if number == 0 and most == 100 else number
        for number, most in zip(numbers, [*sides, *[0] * len(numbers)], strict=False)
    ]
    if len(numbers) == len(sides):
        thrown = Thrown(sum(numbers), tuple(numbers), typed=True)
    elif len(numbers) == 1:
        thrown = Thrown(numbers[0], typed=True)
    else:
        raise ValueError(f"{request.dice} is {len(sides)} dice: type one total or {len(sides)} faces")
    problem = problem_with(request, thrown)
    if problem is not None:
        raise ValueError(problem)
    return thrown
