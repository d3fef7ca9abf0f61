"""Labels: the letters that name a combatant on the keyboard, for the whole fight.

At most `SINGLES` one-letter labels are given out; the letters left over begin the longer ones, so that a run of letters
can be read in one way only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_lowercase

SINGLES = 20
MOST_FOLDED = 4096


def next_label(used: Sequence[str], name: str) -> str:
    """Return a label that nobody has had in this fight.

    The name's first letter if it is free, then its other words', then the next in the alphabet.
    """
    singles: list[str] = [label for label in used if len(label) == 1]
    if len(singles) < SINGLES:
        first = [letter for letter in name.lower() if letter in ascii_lowercase][:1]
        initials = [word[0] for word in name.lower().split()[1:] if word[0] in ascii_lowercase]
        start = ascii_lowercase.index(first[0]) if first else 0
        following = ascii_lowercase[start:] + ascii_lowercase[:start]
        free: str = next(letter for letter in [*first, *initials, *following] if letter not in singles)
        return free
    taken = set(used)
    prefixes = [letter for letter in ascii_lowercase if letter not in singles]
    return next(label for label in _longer(prefixes) if label not in taken)


def _longer(prefixes: Sequence[str]) -> Iterator[str]:
    """Yield labels of two letters, then three and more behind the last prefix.

    No label begins another.
    """
    *short, deep = prefixes
    while True:
        for prefix in short:
            for letter in ascii_lowercase:
                yield prefix + letter
        short = [deep + letter for letter in ascii_lowercase[:-1]]
        deep += ascii_lowercase[-1]


@lru_cache(maxsize=MOST_FOLDED)
def folded(text: str) -> str:
    """Return a text as typed words are compared with it: without case, accents and underscores."""
    plain = text.casefold().replace("_", " ").strip()
    if plain.isascii():
        return plain
    return "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))


def read_labels(text: str, labels: Sequence[str]) -> tuple[tuple[str, bool], ...] | None:
    """Split a run of letters into labels, each with its capitals.

    Capitals mean saved, half; None if it cannot be read.
    """
    known = set(labels)
    found: list[tuple[str, bool]] = []
    at = 0
    while at < len(text):
        length = next((size for size in range(1, len(text) - at + 1) if text[at : at + size].lower() in known), 0)
        if not length:
            return None
        piece = text[at : at + length]
        found.append((piece.lower(), piece[0].isupper()))
        at += length
    return tuple(found)
