"""Durations in words: reading what the GM types, and saying when something ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from tracker.core.fight.state import Clock, State
from tracker.core.game.schema import Moment
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.words import possessive

__all__ = ["MOMENTS", "read", "until_words"]

MOMENTS = (
    Moment("until removed", ()),
    Moment("{n} rounds", (At("turn_start", "bearer", 1),)),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
    Moment("start of the source's next turn", (At("turn_start", "source"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("end of the fight", (At("combat_end"),)),
)
"""The ends every game offers unless it has its own; `{n}` takes a count."""

_ROUND = re.compile(r"\s*(?:until )?(?:the )?(start|end) of round (\d+)\s*", re.IGNORECASE)
_TIME = re.compile(r"\s*(?:for )?(\d{1,6}) ?(s|sec|second|seconds|m|min|minute|minutes|h|hour|hours)\s*", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_WORD = re.compile(r"[a-z0-9{}]+")
_FILLERS = {"the", "of", "s", "for", "a", "until", "its", "his", "her", "their", "at"}


def read(words: str, moments: Sequence[Moment], clock: Clock, round_seconds: int = 0) -> tuple[At | OnUse, ...]:
    """Read a typed duration: one of the moments' words, enough of them to name one ("3 rounds", "round end", "next turn"), or "end of round 6".

    A time ("10 minutes") is as many rounds as begin in it, where the length of a round in seconds is given.

    Raises:
        ValueError: with the ends on offer, where the words fit none; where that round has passed.
    """
    if not words.strip():
        return ()
    if (named := _ROUND.fullmatch(words)) is not None:
        moment, number = named[1].casefold(), int(named[2])
        count = number - _next_round(clock, moment) + 1
        if not 1 <= count <= 1000:
            raise ValueError(
                f"the {moment} of round {number} is {'past' if count < 1 else 'too far off'}: it is round {clock.round}"
            )
        return (At("round_start" if moment == "start" else "round_end", count=count),)
    if round_seconds and (time := _TIME.fullmatch(words)) is not None:
        words = f"{-(-int(time[1]) * _SECONDS[time[2][0].casefold()] // round_seconds)} rounds"
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    wanted = _bare(re.sub(r"\d+", "{n}", words))
    fitting = []
    for place, moment in enumerate(moments):
        offered = _bare(moment.words)
        counted = "{n}" in offered
        if counted != bool(numbers) or not all(any(part.startswith(word) for part in offered) for word in wanted):
            continue
        fitting.append((len(offered) - len(wanted), place, moment))
    if not fitting:
        raise ValueError(
            f'"{words}" is no duration here (try: {", ".join(moment.words.replace("{n}", "3") for moment in moments)})'
        )
    moment = min(fitting, key=lambda fit: fit[:2])[2]
    if not numbers:
        return moment.until
    if not 1 <= numbers[0] <= 1000:
        raise ValueError(f"{numbers[0]} is no count for a duration: 1 to 1000")
    return tuple(replace(end, count=end.count * numbers[0]) for end in moment.until)


def _bare(words: str) -> list[str]:
    found = ["combat" if word == "fight" else word for word in _WORD.findall(words.casefold())]
    return [word.rstrip("s") if word == "rounds" else word for word in found if word not in _FILLERS] or found


def until_words(state: State, effect: Effect) -> str:
    """Say when an effect ends, from here on: "start of Wolf's next turn", "end of round 3"."""
    if not effect.until:
        return "until removed"
    return " or ".join(_end_words(state, end) for end in effect.until)


def _end_words(state: State, end: At | OnUse) -> str:
    if isinstance(end, OnUse):
        return (
            f"next {end.key.replace('_', ' ')}" if end.count == 1 else f"{end.count} more {end.key.replace('_', ' ')}s"
        )
    kind, _, moment = end.edge.partition("_")
    if end.edge == "combat_end":
        return "end of the fight"
    if kind == "round":
        return f"{moment} of round {_next_round(state.clock, moment) + end.count - 1}"
    owner = end.anchor.partition(":")[2]
    whose = f"{possessive(state.name(owner))} " if owner else ""
    what = (
        "next turn"
        if kind == "turn" and moment == "start"
        else "turn"
        if kind == "turn"
        else f"{end.phase} phase"
        if end.phase and not owner
        else kind
    )
    if end.segment is not None:
        what = f"segment {end.segment}"
    times = "" if end.count <= 1 else f", {end.count} times"
    return f"{moment} of {whose}{what}{times}"


def _next_round(clock: Clock, moment: str) -> int:
    """Return the round whose start or end comes next."""
    # Round 0 may be fought too: then its own edges are still to come while the opening slots last.
    unfought = not clock.in_round and any(slot.stage == "round" for slot in clock.upcoming) and not clock.round
    return clock.round + (0 if unfought or (moment == "end" and clock.in_round) else 1)
