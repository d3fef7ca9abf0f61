"""The start or the end of a round, by its number."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec import Struct

RoundEdge = Literal["start", "end"]

# Compiled when first read.
_NAMED = r"(?:until |at )?(?:the )?(?:(start|beginning|end) of )?(?:the )?round (\d{1,6})"


class NamedRound(Struct, frozen=True):
    """The start or the end of a round."""

    number: int
    edge: RoundEdge = "start"

    @property
    def words(self) -> str:
        """The moment in full: "start of round 3", "end of round 2"."""
        return f"{self.edge} of round {self.number}"

    @property
    def short(self) -> str:
        """The moment as encounters write it: "round 3", "end of round 2"."""
        return f"round {self.number}" if self.edge == "start" else self.words

    def ahead(self, number: int, in_round: bool) -> bool:
        """Tell whether a clock has yet to come to this moment."""
        return self.number > number or (self.number == number and self.edge == "end" and in_round)

    def reached(self, number: int, in_round: bool) -> bool | None:
        """Tell whether a clock has just come to this moment.

        None where it has passed.

        It stands for the round that begins with it: the start until the round is over, the end until the next one is.
        """
        if self.edge == "start":
            now = number == self.number and in_round
            passed = number > self.number or (number == self.number and not in_round)
        else:
            now = number == self.number + 1 if in_round else number == self.number
            passed = number > self.number
        return True if now else None if passed else False


@lru_cache(maxsize=256)
def named_round(text: str) -> NamedRound | None:
    """Return the round a text names, or None.

    "round 3", "until the end of round 2".
    """
    found = re.fullmatch(_NAMED, " ".join(text.split()), re.IGNORECASE | re.ASCII)
    if found is None:
        return None
    return NamedRound(int(found[2]), "end" if (found[1] or "").casefold() == "end" else "start")
