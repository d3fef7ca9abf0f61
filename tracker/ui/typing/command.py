"""The small language of commands: letters are labels, digits are amounts.

They stand in any order; a further word names an option.

`7g`, `g7` and `7 g` are the same; `21abCD` is 21 to four, of whom the capital ones take half; `21ab c*2 d/4 e*0`: c
takes the double, d a quarter,
e nothing; `7g fire` adds a word.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from tracker.core.terms.actions import Option
from tracker.core.terms.labels import folded, read_labels

__all__ = ["WORST", "Typed", "chosen", "matching", "rank", "rank_of", "read", "same_meaning"]

_PIECE = re.compile(r"[+-]?\d+|[^\W\d]+(?:[*×/][0-9]+)?|\S")
_SHARE = re.compile(r"([^\W\d]+)([*×/])([0-9]+)")
MARKS = ",;"
ALIKE = (
    ("fled", "flees", "flee", "gone", "escaped", "away"),
    ("dead", "dies", "killed", "slain"),
    ("down", "out", "out cold", "unconscious", "incapacitated"),
)
"""Words of which each game knows one, and a GM types another."""
SOUGHT = (("save", "saves", "saved", "saving", "half"),)
"""Words that are looked up, and what help and rules say for them."""


class Typed(Struct, frozen=True):
    """What a command line says.

    Attributes:
        labels: every label in the order typed, in lower case.
        capitals: those of them written in capitals: saved, half.
        shares: labels with a multiple of their own, as `("c", "2")` or `("d", "1/4")`.
        numbers: every number.
        words: what is neither.
    """

    labels: tuple[str, ...] = ()
    capitals: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    shares: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> int | None:
        """The first number."""
        return self.numbers[0] if self.numbers else None


def read(text: str, labels: Collection[str], options: Sequence[Option] = ()) -> Typed:
    """Read a command line.

    The first run of letters is labels if it can be, a later one rather an option's name.
    """
    known = tuple(labels)
    found: list[str] = []
    capitals: list[str] = []
    numbers: list[int] = []
    words: list[str] = []
    shares: dict[str, str] = {}
    for piece in _PIECE.findall(text):
        if piece in MARKS:
            continue
        if piece.lstrip("+-").isdigit() and piece.isascii():
            numbers.append(int(piece))
            continue
        named = found and chosen(piece, options) is not None
        share = _SHARE.fullmatch(piece)
        run = piece if share is None else share[1]
        pairs = None if named or not run.isalpha() else read_labels(run, known)
        if pairs is None:
            words.append(piece)
            continue
        for label, capital in pairs:
            if label not in found:
                found.append(label)
            if capital and label not in capitals:
                capitals.append(label)
            if share is not None and int(share[3]) != 1:
                shares[label] = f"1/{int(share[3])}" if share[2] == "/" else str(int(share[3]))
    return Typed(
        tuple(found), tuple(capitals), numbers=tuple(numbers), words=tuple(words), shares=tuple(shares.items())
    )


def matching(word: str, options: Sequence[Option]) -> tuple[Option, ...]:
    """Return the options a word may mean, the likeliest first.

    Those named so come before those that begin so, have a word that begins so, or hold its letters in order.
    """
    ranked = []
    for place, option in enumerate(options):
        worth = rank(word, option)
        if worth < WORST:
            ranked.append((worth, place, option))
    return tuple(option for _, _, option in sorted(ranked, key=lambda entry: entry[:2]))


WORST = 9


def rank(word: str, option: Option) -> int:
    """Return how well a word names an option, `WORST` for not at all.

    0 is the very name, 1 its beginning, 2 the beginning of one of its words.
    """
    wanted, names = folded(word), (folded(option.key), folded(option.shown))
    worth = min(rank_of(wanted, name) for name in names)
    return min(worth, 2) if worth and _means(wanted, names) else worth


def same_meaning(word: str) -> tuple[str, ...]:
    """Return a word and those that mean the same."""
    return (word, *(other for group in (*ALIKE, *SOUGHT) if word in group for other in group if other != word))


def _means(wanted: str, names: Sequence[str]) -> bool:
    """Tell whether a word is what another game calls the same."""
    return any(wanted in group and any(name in group for name in names) for group in ALIKE)


def rank_of(wanted: str, name: str) -> int:
    """Return how well a text names something of one name, both folded."""
    if wanted == name:
        return 0
    if name.startswith(wanted):
        return 1
    if any(word.startswith(wanted) for word in name.split()):
        return 2
    if wanted in name:
        return 3
    letters = iter(name)
    return 4 if all(letter in letters for letter in wanted if letter != " ") else WORST


def chosen(word: str, options: Sequence[Option]) -> Option | None:
    """Return the option a word names.

    It is a key or label, or at least two letters of the beginning of one option only.
    """
    wanted = folded(word)
    named = [(option, (folded(option.key), folded(option.shown))) for option in options]
    exact = [option for option, names in named if wanted in names]
    if exact:
        return exact[0]
    if len(wanted) < 2:
        return None
    begun = [option for option, names in named if any(name.startswith(wanted) for name in names)]
    meant = begun or [option for option, names in named if _means(wanted, names)]
    return meant[0] if len(meant) == 1 or (meant and not begun) else None
