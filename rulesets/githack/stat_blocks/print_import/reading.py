"""What the readers of printed and typed stat blocks share.

Plain values, hazards named by words, and what a reading leaves to the GM.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulesets.githack.stat_blocks.models import HAZARDS
from tracker.core.game.schema import Question
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain

DIE_SIZES = (2, 3, 4, 6, 8, 10, 12, 20)
_RANGE = re.compile(r"(\d+)\s*(?:-|–|to)\s*(\d+)")
_HAZARD_WORDS = (
    ("petrification", r"petrif|polymorph|turn(s|ed)? to stone|stone gaze"),
    ("paralysis", r"paraly"),
    ("breath", r"breath|explosi"),
    ("poison", r"poison|venom|toxi|disease|radiation|death"),
    ("mind_control", r"charm|mind|domin|hypno"),
    ("device", r"\brods?\b|\bstaffs?\b|\bstaves\b|\bwands?\b"),
    ("trap", r"\btraps?\b"),
    ("dimensional", r"dimension|illusion|weird"),
)


class Reading:
    """What a reading leaves to the GM: kept words, doubts, what could not be read, and open questions."""

    def __init__(
        self, system: str | Mapping[str, object] = "native", choices: Mapping[str, object] | None = None
    ) -> None:
        self.system = system
        self.choices = dict(choices or {})
        self.kept: list[str] = []
        self.review: list[str] = []
        self.unread: list[str] = []
        self.questions: list[Question] = []
        self.wrong: list[str] = []

    def choose(self, key: str, why: str, options: Sequence[str]) -> str:
        """Return the answer given to a question, else the first one on offer.

        An answer that is not on offer is noted as wrong.
        """
        given = self.choices.get(key)
        if given is not None:
            wanted = "".join(str(given).split())
            for option in options:
                if wanted == "".join(option.split()):
                    return option
            self.wrong.append(f"choices.{key}: {given} is not on offer ({', '.join(options)})")
            return options[0]
        if all(question.key != key for question in self.questions):
            self.questions.append(Question(key, why, tuple(options)))
        return options[0]

    def keep(self, words: str) -> None:
        words = " ".join(words.split()).strip(" ,;.\"'`*")
        if words and words not in self.kept:
            self.kept.append(words)

    def doubt(self, words: str) -> None:
        if words not in self.review:
            self.review.append(words)

    def fail(self, part: str, why: str) -> None:
        """Say which part cannot be read, and why (GH-313)."""
        self.unread.append(f'"{" ".join(part.split())}": {why}')


def depths(words: str) -> list[int]:
    """Return how many brackets each character stands in, a bracket counting as inside."""
    depth, found = 0, []
    for sign in words:
        opening, closing = sign in "([", sign in ")]"
        depth += opening
        found.append(depth)
        depth = max(0, depth - closing)
    return found


def split(words: str, pattern: str) -> list[str]:
    """Return the pieces between matches outside brackets, stripped, without empty ones."""
    inside, pieces, start = depths(words), [], 0
    for match in re.finditer(pattern, words, re.IGNORECASE):
        if match.end() > match.start() and not any(inside[match.start() : match.end()]):
            pieces.append(words[start : match.start()])
            start = match.end()
    return [piece.strip() for piece in (*pieces, words[start:]) if piece.strip()]


def hazard_of(words: str) -> tuple[str, ...] | None:
    """Return the abilities that save against a hazard named by words, or None (8.4)."""
    return next(
        (HAZARDS[hazard] for hazard, pattern in _HAZARD_WORDS if re.search(pattern, words, re.IGNORECASE)), None
    )


def read_dice(words: str) -> Dice:
    """Read dice or a range of numbers as dice (8.5.4, GH-309).

    Raises:
        ValueError: where it is neither, or a die of no known size.
    """
    words = words.strip().replace("−", "-")
    match = _RANGE.fullmatch(words)
    found = _from_range(int(match[1]), int(match[2])) if match else Dice.parse(words)
    if unknown := [size for size in found.sides if size not in DIE_SIZES]:
        raise ValueError(f"there is no d{unknown[0]}")
    if not found.terms:
        raise ValueError("a number is no dice")
    return found


def _from_range(low: int, high: int) -> Dice:
    if low and high > low and high % low == 0 and high // low in DIE_SIZES:
        return Dice.of(low, high // low)
    if low and high - low + 1 in DIE_SIZES:
        return Dice(((1, high - low + 1),), low - 1)
    raise ValueError(f"no dice give {low} to {high}")


@contextmanager
def blamed(path: str, problems: list[str]) -> Iterator[None]:
    """Note what cannot be read inside as a problem of one field."""
    try:
        yield
    except ValueError as error:
        problems.append(f"{path}: {error}")


def text(value: object) -> str:
    if isinstance(value, Mapping | list | tuple):
        raise ValueError("a single value is needed here")
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value).strip()


def number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    written = text(value)
    if isinstance(value, str) and re.fullmatch(r"[+-]?\d{1,6}", written):
        return int(written)
    raise ValueError(f"{written or 'nothing'} is not a whole number")


def plains(value: object) -> list[Plain]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []
