"""The ends a game offers in words of its own.

They are read from enough of these words to name one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.moments.edges import Until
from tracker.core.terms.moments.ends import MOST_TIMES

_TIME = re.compile(r"\s*(?:for )?(\d{1,6}) ?(s|sec|second|seconds|m|min|minute|minutes|h|hour|hours)\s*", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_WORD = re.compile(r"[a-z0-9{}]+")
_FILLERS = {"the", "of", "s", "for", "a", "until", "its", "his", "her", "their", "at"}


class Moment(Struct, frozen=True):
    """An end the duration picker offers, in the game's words.

    `{n}` in the words stands for a count that is typed.
    `whole`: it counts whole rounds. One whose turn is still to come in this round keeps the effect through that turn.
    """

    words: str
    until: tuple[Until, ...]
    whole: bool = False


def offered_words(moments: Sequence[Moment]) -> str:
    """Return the words of the ends on offer, with 3 for a count."""
    return ", ".join(moment.words.replace("{n}", "3") for moment in moments)


def read_offered(text: str, moments: Sequence[Moment], round_seconds: int = 0) -> Moment:
    """Return the moment that enough words name, with its count.

    "3 rounds", "round end", "next turn".

    A time ("10 minutes") is as many rounds as begin in it, where the length of a round in seconds is given.

    Raises:
        ValueError: with the ends on offer, where the words fit none.
    """
    words = text
    if round_seconds and (time := _TIME.fullmatch(words)) is not None:
        words = f"{-(-int(time[1]) * _SECONDS[time[2][0].casefold()] // round_seconds)} rounds"
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    wanted = _bare(re.sub(r"\d+", "{n}", words))
    fitting = []
    for place, moment in enumerate(moments):
        offered = _bare(moment.words)
        if ("{n}" in offered) != bool(numbers) or not all(_begins(word, offered) for word in wanted):
            continue
        fitting.append((len(offered) - len(wanted), place, moment))
    if not fitting:
        raise ValueError(f'"{words}" is no duration here (try: {offered_words(moments)})')
    moment = min(fitting, key=lambda fit: fit[:2])[2]
    if not numbers:
        return moment
    if not 1 <= numbers[0] <= MOST_TIMES:
        raise ValueError(f"{numbers[0]} is no count for a duration: 1 to {MOST_TIMES}")
    return replace(moment, until=tuple(replace(end, count=end.count * numbers[0]) for end in moment.until))


def _begins(word: str, offered: Sequence[str]) -> bool:
    return any(part.startswith(word) for part in offered)


def _bare(words: str) -> list[str]:
    found = ["combat" if word == "fight" else word for word in _WORD.findall(words.casefold())]
    return [word.rstrip("s") if word == "rounds" else word for word in found if word not in _FILLERS] or found
