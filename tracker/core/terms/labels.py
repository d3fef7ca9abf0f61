"""Labels: the letters that name a combatant on the keyboard, for the whole fight.

At most `SINGLES` labels have one letter; the other letters begin the longer labels, so that a sequence of labels can be
split in one way only.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from string import ascii_lowercase
from typing import Literal

from msgspec import Struct

SINGLES = 20
MOST_FOLDED = 4096


def next_label(used: Sequence[str], name: str) -> str:
    """Return a new label of this fight: a free letter of the name, of its other words, or of the alphabet."""
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
    """Yield labels of two letters, then of three and more; no label begins another."""
    *short, deep = prefixes
    while True:
        for prefix in short:
            for letter in ascii_lowercase:
                yield prefix + letter
        short = [deep + letter for letter in ascii_lowercase[:-1]]
        deep += ascii_lowercase[-1]


@lru_cache(maxsize=MOST_FOLDED)
def folded(text: str) -> str:
    """Return a text for comparison with typed words: without case, accents and underscores."""
    plain = text.casefold().replace("_", " ").strip()
    if plain.isascii():
        return plain
    return "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))


def read_labels(text: str, labels: Sequence[str]) -> tuple[tuple[str, bool], ...] | None:
    """Split typed letters into labels, each with whether it is a capital (saved: half); None if that is impossible."""
    known = set(labels)
    split: list[tuple[str, bool]] = []
    at = 0
    while at < len(text):
        length = next((size for size in range(1, len(text) - at + 1) if text[at : at + size].lower() in known), 0)
        if not length:
            return None
        piece = text[at : at + length]
        split.append((piece.lower(), piece[0].isupper()))
        at += length
    return tuple(split)


Kind = Literal["auto", "ask", "option", "manual", "reference", "ruling"]


class Rule(Struct, frozen=True):
    """One rule: `kind` says who applies it, `switch` is the house rule that changes a ruling, `chapter` its heading."""

    id: str
    title: str
    text: str
    kind: Kind = "auto"
    switch: str = ""
    chapter: str = ""


class RuleBook(Struct, frozen=True, dict=True):
    """The rules in the order of the book, given or loaded from `source` at the first use."""

    given: tuple[Rule, ...] = ()
    source: Callable[[], tuple[Rule, ...]] | None = None

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules (a memo)."""
        return self.given if self.source is None else self.source()

    @cached_property
    def by_id(self) -> dict[str, Rule]:
        """The rules by id (a memo)."""
        return {rule.id: rule for rule in self.rules}

    def find(self, key: str) -> Rule | None:
        """Return a rule by id."""
        return self.by_id.get(key)

    def search(self, words: str) -> tuple[Rule, ...]:
        """Return the rules that contain every word, those with all of them in id or title first."""
        wanted = folded(words).split()

        def contains(text: str) -> bool:
            return all(word in text.casefold() for word in wanted)

        matching = [rule for rule in self.rules if contains(f"{rule.id} {rule.title} {rule.text}")]
        return tuple(sorted(matching, key=lambda rule: not contains(f"{rule.id} {rule.title}")))
