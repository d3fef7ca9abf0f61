"""Moments in words: ends of effects for a column, and edges of the clock."""

from __future__ import annotations

import re

from msgspec import Struct

from tracker.core.fight.state import State
from tracker.core.game.durations import short_until
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.moments import Boundary, NamedRound
from tracker.core.terms.words import listed, minus, possessive
from tracker.views.words.text import clean, key_words

_NUMBERED = re.compile(r"(?:end of |start of )?(round|segment) (−?\d+)")


def stat_words(stat: str) -> str:
    """Return the name of a number as shown: a short one in capitals, like `AC`."""
    return stat.upper() if len(stat) <= 3 else key_words(stat)


def modifier_words(modifiers: tuple[Modifier, ...]) -> str:
    """Return modifiers in words: `−2 AC, +1 attack against undead`; `ac_melee` and `ac_ranged` are `AC`."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for modifier in modifiers:
        kind = f"{modifier.kind} " if isinstance(modifier.kind, str) and modifier.kind else ""
        when = f" {key_words(modifier.when)}" if modifier.when else ""
        alike.setdefault((minus(modifier.worded), kind, when), []).append(modifier.stat)
    return ", ".join(
        f"{amount} {kind}{stat_words(stat)}{when}"
        for (amount, kind, when), stats in alike.items()
        for stat in _families(stats)
    )


def _families(stats: list[str]) -> list[str]:
    """Return the names of numbers, a whole family under its own name."""
    family = {stat.partition("_")[0] for stat in stats}
    return list(family) if len(family) == 1 < len(stats) else stats


def effect_words(state: State, effect: Effect) -> str:
    """Return an effect in words for a column: `charging −2 AC → round end`."""
    words = effect.shown
    if effect.modifiers:
        words = f"{words} {modifier_words(effect.modifiers)}"
    if effect.until:
        words = f"{words} → {short_until(state, effect)}"
    return clean(f"({words}, secret)" if effect.secret else words)


class Worded(Struct, frozen=True, gc=False):
    """An effect in words: its name, and its end in a long and a short form."""

    what: str
    end: str = ""
    short: str = ""

    @property
    def text(self) -> str:
        return f"{self.what}{self.end}"


def worded(state: State, effect: Effect) -> Worded:
    """Return an effect and its end apart: `blessed +1` and ` → r4`."""
    words = effect.shown
    if effect.modifiers:
        words = f"{words} {modifier_words(effect.modifiers)}"
    close = ", secret)" if effect.secret else ""
    what = clean(f"({words}" if effect.secret else words)
    if not effect.until:
        return Worded(what + close)
    end = short_until(state, effect)
    least = "/".join(_fewest(part, state.clock.round) for part in end.split(" or "))
    return Worded(what, clean(f" → {end}{close}"), clean(f" → {least}{')' if close else ''}"))


def _fewest(end: str, now: int) -> str:
    """Return an end in the fewest signs: `r4` for `end of round 4`."""
    if end == "round end":
        return f"r{now}"
    match = _NUMBERED.fullmatch(end)
    if match is not None:
        return f"{match[1][0]}{match[2]}"
    return "end" if end == "fight end" else end.removeprefix("end of ").replace("own turn", "turn").replace(" ×", "×")


def boundary_words(state: State, boundary: Boundary) -> str:
    """Return an edge of the clock in words: `end of round 2`, `start of Wolf's turn`."""
    kind, _, moment = boundary.edge.partition("_")
    if kind == "combat":
        return "end of the fight"
    if kind == "round":
        return NamedRound(boundary.round, "start" if moment == "start" else "end").words
    if kind == "segment":
        return f"{moment} of segment {boundary.segment}"
    whom = boundary.sides if len(boundary.actors) != 1 and boundary.sides else boundary.actors
    whose = f"{possessive(listed([state.name(who) for who in whom], 3))} " if whom else ""
    named = boundary.phase and ":" not in boundary.phase  # not an anchor, such as `side:party`
    phase = f"{key_words(boundary.phase)} phase" if named else "phase"
    what = "turn" if kind == "turn" or not boundary.phase else phase
    return clean(f"{moment} of {whose}{what}" if whose else f"{moment} of the {what}")


def time_words(seconds: int) -> str:
    """Return game time: `0:12`, `1:02:00`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
