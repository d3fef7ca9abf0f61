"""The words of ends: printed and read back.

In full for logs and forms, short for columns.

Read back from short words is an end with the same words: a column calls a side's phase its turn.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.terms.words import possessive

Edge: TypeAlias = Literal[
    "turn_start",
    "turn_end",
    "segment_start",
    "segment_end",
    "phase_start",
    "phase_end",
    "round_start",
    "round_end",
    "combat_end",
]

ANY = "any"


def who_anchor(combatant: str) -> str:
    """Return the anchor that means this combatant's edges."""
    return "who:" + combatant


def side_anchor(side: str) -> str:
    """Return the anchor that means this side's edges."""
    return "side:" + side


class At(Struct, frozen=True, tag=True, gc=False):
    """The `count`-th passing of an edge after birth.

    Attributes:
        edge: the kind of boundary.
        anchor: whose edge. Authors write `bearer`, `source`, `bearer_side`, `source_side`, `acting_side`, `any`, or a
            resolved anchor (`who_anchor`, `side_anchor`); in state it is always resolved, so that a later change of
            side moves nothing.
        count: how many are still to pass; 0 means it is due.
        phase: only edges of this phase of the round (GitHack's `rounds: N`).
        segment: only edges of this segment.
    """

    edge: Edge
    anchor: str = ANY
    count: int = 1
    phase: str | None = None
    segment: int | None = None


class OnUse(Struct, frozen=True, tag=True, gc=False):
    """The `count`-th use of what the ruleset calls `key` ("the next attack")."""

    key: str
    count: int = 1


Until: TypeAlias = At | OnUse


class Boundary(Struct, frozen=True, gc=False):
    """One passing of an edge.

    Attributes:
        edge: its kind.
        round: the round it belongs to; the new one for `round_start`.
        phase: the phase of the slot it belongs to, or "".
        segment: the segment of that slot, or None.
        slot: the slot's id, or "".
        actors: the combatants whose edge this is: at phase and turn edges the members concerned.
        sides: the sides whose edge this is: those that begin (end) their first (last) slot of this phase kind in the
            round.
        seconds: game time that passes with it.
    """

    edge: Edge
    round: int
    phase: str = ""
    segment: int | None = None
    slot: str = ""
    actors: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    seconds: int = 0


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
    """Return the round a text names ("round 3", "until the end of round 2"), or None."""
    found = re.fullmatch(_NAMED, " ".join(text.split()), re.IGNORECASE | re.ASCII)
    if found is None:
        return None
    return NamedRound(int(found[2]), "end" if (found[1] or "").casefold() == "end" else "start")


FOREVER = "until removed"
MOST_TIMES = 1000

_TIMES = r"(?:, (?P<times>\d{1,4}) times| ×(?P<times_short>\d{1,4})| in round (?P<round>\d{1,6}))?"
# Compiled when first read: start-up needs none of them.
_OWNED = (
    rf"(?:(?P<moment>start|end) of )?(?P<owner>.+?)(?: next)? "
    rf"(?P<kind>turn|phase|segment(?: (?P<segment>-?\d+))?){_TIMES}"
)
_SEGMENT = rf"(?:(?P<moment>start|end) of )?segment (?P<segment>-?\d+){_TIMES}"
_MORE = r"(?P<times>\d{1,4}) (?:more (?P<uses>.+)s|× (?P<use>.+))"
_FIGHT_ENDS = ("end of the fight", "fight end", "end of the combat", "combat end")
_ROUND_ENDS = ("end of the round", "round end")


class Telling(Protocol):
    """What the words of an end need to know of a fight."""

    @property
    def this_round(self) -> int | None:
        """The round that is running, None between two."""

    def next_round(self, edge: RoundEdge) -> int:
        """Return the round whose start or end comes next."""

    def round_of(self, end: At) -> int:
        """Return the round in which the next edge of this kind falls."""

    def name(self, owner: str) -> str:
        """Return the name of a combatant or a side."""

    def people(self) -> Iterable[tuple[str, str]]:
        """Yield the id and the name of every combatant."""

    def sides(self) -> Iterable[tuple[str, str]]:
        """Yield the id and the name of every side."""

    @property
    def phases(self) -> Collection[str]:
        """The phases a round has here."""

    @property
    def uses(self) -> Collection[str]:
        """What the game ends effects on."""


# -- printing ----------------------------------------------------------------------------------------------------------


def until_words(until: Collection[Until], telling: Telling) -> str:
    """Return when something ends, in full: "start of Wolf's next turn or end of round 3"."""
    return " or ".join([end_words(end, telling) for end in until]) if until else FOREVER


def end_words(end: Until, telling: Telling) -> str:
    """Return one end in full."""
    if isinstance(end, OnUse):
        use = end.key.replace("_", " ")
        return f"next {use}" if end.count == 1 else f"{end.count} more {use}s"
    kind, edge = _parts(end.edge)
    if kind == "combat":
        return "end of the fight"
    if kind == "round":
        return _round(end, edge, telling).words
    owner = end.anchor.partition(":")[2]
    whose = f"{possessive(telling.name(owner))} " if owner else ""
    if end.segment is not None:
        what = f"segment {end.segment}"
    elif kind == "turn":
        what = "next turn" if edge == "start" and end.count <= 1 else "turn"
    else:
        what = f"{end.phase.replace('_', ' ')} phase" if end.phase and not owner else kind
    last = "" if end.count <= 1 else f" in round {telling.round_of(end) + end.count - 1}"
    return f"{edge} of {whose}{what}{last}"


def short_words(end: Until, bearer: str, telling: Telling) -> str:
    """Return one end in a few words, as its bearer has it: "own turn", "end of Ava's turn"."""
    if isinstance(end, OnUse):
        use = end.key.replace("_", " ")
        return f"next {use}" if end.count <= 1 else f"{end.count} × {use}"
    kind, edge = _parts(end.edge)
    if kind == "combat":
        return "fight end"
    if kind == "round":
        named = _round(end, edge, telling)
        return "round end" if edge == "end" and named.number == telling.this_round else named.short
    times = f" ×{end.count}" if end.count > 1 else ""
    if end.segment is not None:
        return f"segment {end.segment}{times}"
    owner = end.anchor.partition(":")[2]
    whose = "own " if end.anchor == who_anchor(bearer) else f"{possessive(telling.name(owner))} " if owner else ""
    what = "turn" if kind == "turn" or owner else f"{end.phase.replace('_', ' ')} phase" if end.phase else kind
    return f"{whose}{what}{times}" if edge == "start" else f"end of {whose}{what}{times}"


def _parts(edge: Edge) -> tuple[str, RoundEdge]:
    kind, _, moment = edge.partition("_")
    return kind, "start" if moment == "start" else "end"


def _round(end: At, edge: RoundEdge, telling: Telling) -> NamedRound:
    return NamedRound(telling.next_round(edge) + end.count - 1, edge)


# -- reading -----------------------------------------------------------------------------------------------------------


def next_count(named: NamedRound, telling: Telling) -> int:
    """Return how many such edges there are to a named round; below 1 it has passed."""
    return named.number - telling.next_round(named.edge) + 1


def read_ends(text: str, telling: Telling) -> tuple[Until, ...] | None:
    """Return the ends that printed words mean, or None."""
    words = " ".join(text.split())
    if words.casefold() == FOREVER:
        return ()
    whole = _read(words, telling)
    if whole is not None:
        return (whole,)
    for found in re.finditer(" or ", words):
        first, rest = _read(words[: found.start()], telling), read_ends(words[found.end() :], telling)
        if first is not None and rest:
            return (first, *rest)
    return None


def _read(words: str, telling: Telling) -> Until | None:
    plain = words.casefold()
    if plain in _FIGHT_ENDS:
        return At("combat_end")
    if plain in _ROUND_ENDS:
        return At("round_end") if telling.this_round is not None else None
    if (named := named_round(words)) is not None:
        count = next_count(named, telling)
        edge: Edge = "round_start" if named.edge == "start" else "round_end"
        return At(edge, count=count) if 1 <= count <= MOST_TIMES else None
    return _read_use(plain, telling) or _read_segment(words, telling) or _read_owned(words, telling)


def _read_use(plain: str, telling: Telling) -> OnUse | None:
    keys = {key.replace("_", " ").casefold(): key for key in telling.uses}
    if plain.startswith("next ") and plain[5:] in keys:
        return OnUse(keys[plain[5:]])
    found = re.fullmatch(_MORE, plain, re.IGNORECASE)
    key = None if found is None else keys.get(found["uses"] or found["use"])
    return None if found is None or key is None else OnUse(key, int(found["times"]))


def _read_segment(words: str, telling: Telling) -> At | None:
    found = re.fullmatch(_SEGMENT, words, re.IGNORECASE)
    if found is None:
        return None
    edge: Edge = "segment_end" if (found["moment"] or "").casefold() == "end" else "segment_start"
    return _counted(At(edge, segment=int(found["segment"])), found, telling)


def _read_owned(words: str, telling: Telling) -> At | None:
    found = re.fullmatch(_OWNED, words, re.IGNORECASE)
    if found is None:
        return None
    kind, ending = found["kind"].partition(" ")[0].casefold(), (found["moment"] or "").casefold() == "end"
    edge = _edge(kind, ending)
    for owner in dict.fromkeys((found["owner"], found["owner"].removeprefix("the "))):
        if (anchor := _anchor(owner, telling)) is not None:
            segment = None if found["segment"] is None else int(found["segment"])
            return _counted(At(edge, anchor, segment=segment), found, telling)
        named = (owner.casefold(), owner.casefold().replace(" ", "_"))
        phase = next((phase for phase in telling.phases if phase.casefold() in named), None)
        if kind == "phase" and phase is not None:
            return _counted(At(edge, ANY, phase=phase), found, telling)
    return None


def _edge(kind: str, ending: bool) -> Edge:
    if kind == "turn":
        return "turn_end" if ending else "turn_start"
    if kind == "phase":
        return "phase_end" if ending else "phase_start"
    return "segment_end" if ending else "segment_start"


def _anchor(owner: str, telling: Telling) -> str | None:
    """Return whose edge a possessive means: the bearer's, a combatant's or a side's."""
    wanted = owner.casefold()
    if wanted == "own":
        return "bearer"
    for key, name in telling.people():
        if possessive(name).casefold() == wanted:
            return who_anchor(key)
    return next((side_anchor(key) for key, name in telling.sides() if possessive(name).casefold() == wanted), None)


def _counted(end: At, found: re.Match[str], telling: Telling) -> At | None:
    """Return an end with its count, from a number of times or a round."""
    if found["round"] is None:
        return replace(end, count=int(found["times"] or found["times_short"] or 1))
    count = int(found["round"]) - telling.round_of(end) + 1
    return replace(end, count=count) if 1 <= count <= MOST_TIMES else None


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
