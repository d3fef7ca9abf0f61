"""Durations: the ends of effects, printed for one fight and parsed again.

The words are long for logs and forms, short for columns. Parsed short words give an end with the same words: a column
calls a side's phase its turn.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from operator import itemgetter

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import (
    ANY,
    At,
    Edge,
    Moment,
    NamedRound,
    OnSave,
    OnUse,
    RoundEdge,
    Until,
    named_round,
    side_anchor,
    who_anchor,
)
from tracker.core.terms.words import possessive

FOREVER = "until removed"
MOST_TIMES = 1000

_TIMES = r"(?:, (?P<times>\d{1,4}) times| ×(?P<times_short>\d{1,4})| in round (?P<round>\d{1,6}))?"
# Compiled at the first use: start-up needs none of them.
_OWNED = (
    rf"(?:(?P<moment>start|end) of )?(?P<owner>.+?)(?: next)? "
    rf"(?P<kind>turn|phase|segment(?: (?P<segment>-?\d+))?){_TIMES}"
)
_SEGMENT = rf"(?:(?P<moment>start|end) of )?segment (?P<segment>-?\d+){_TIMES}"
_MORE = r"(?P<times>\d{1,4}) (?:more (?P<uses>.+)s|× (?P<use>.+))"
_SAVE = r"save (?P<save>.+) (?P<against>\d{1,3})|an? (?P<named>.+) save of (?P<number>\d{1,3})"
_FIGHT_ENDS = ("end of the fight", "fight end", "end of the combat", "combat end")
_ROUND_ENDS = ("end of the round", "round end")

_TIME = re.compile(r"\s*(?:for )?(\d{1,6}) ?(s|sec|second|seconds|m|min|minute|minutes|h|hour|hours)\s*", re.IGNORECASE)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_WORD = re.compile(r"[a-z0-9{}]+")
_FILLERS = {"the", "of", "s", "for", "a", "until", "its", "his", "her", "their", "at"}

MOMENTS = (
    Moment("until removed", ()),
    Moment("{n} rounds", (At("turn_start", "bearer", 1),), whole=True),
    Moment("start of the bearer's next turn", (At("turn_start", "bearer"),)),
    Moment("end of the bearer's turn", (At("turn_end", "bearer"),)),
    Moment("start of the source's next turn", (At("turn_start", "source"),)),
    Moment("end of the round", (At("round_end"),)),
    Moment("end of the next round", (At("round_end", count=2),)),
    Moment("end of the fight", (At("combat_end"),)),
)
"""The ends of games that have none of their own; `{n}` takes a count."""


def moments_of(game: Ruleset) -> Sequence[Moment]:
    """Return the ends a game offers."""
    return game.moments or MOMENTS


def read(words: str, game: Ruleset, state: State) -> tuple[Until, ...]:
    """Parse typed words: an end of the game, a named round, or words of `until_words` and `short_until`.

    Raises:
        ValueError: the words mean no end (the message lists the game's ends), or the round has passed.
    """
    return _read(words, game, state).until


def read_for(words: str, game: Ruleset, state: State, bearer: str) -> tuple[Until, ...]:
    """Parse typed words for a bearer; raises what `read` raises.

    If the bearer still acts in this round, an effect of whole rounds lasts through that turn.
    """
    moment = _read(words, game, state)
    if bearer not in state:
        return moment.until
    fight = Fight(state, game)
    return tuple(
        replace(end, count=end.count + 1) if moment.whole and fight.comes_this_round(end, bearer) else end
        for end in moment.until
    )


def _read(words: str, game: Ruleset, state: State) -> Moment:
    if not words.strip():
        return Moment(words, ())
    fight = Fight(state, game)
    named = named_round(words)
    if named is not None:
        count = _next_count(named, fight)
        if not 1 <= count <= MOST_TIMES:
            gone = "past" if count < 1 else "too far off"
            raise ValueError(f"the {named.words} is {gone}: it is round {state.clock.round}")
        return Moment(words, (At("round_start" if named.edge == "start" else "round_end", count=count),))
    moments = moments_of(game)
    if (meant := game.meant) is not None:
        moments = [replace(moment, until=meant(state, moment)) for moment in moments]
    exact = next((moment for moment in moments if moment.words.casefold() == words.strip().casefold()), None)
    printed = _read_ends(words, fight) if exact is None else exact.until
    return read_offered(words, moments, game.schema.round_seconds) if printed is None else Moment(words, printed)


def until_words(state: State, effect: Effect) -> str:
    """Return the ends of an effect in long words: "start of Wolf's next turn", "end of round 3"."""
    fight = Fight(state)
    return " or ".join([_end_words(end, fight) for end in effect.until]) if effect.until else FOREVER


def short_until(state: State, effect: Effect) -> str:
    """Return the ends of an effect in short words, "" if it lasts until removed."""
    fight = Fight(state)
    return " or ".join([_short_words(end, effect.bearer, fight) for end in effect.until])


class Fight(Struct, frozen=True):
    """A fight, and the game whose ends name phases, uses and saves."""

    state: State
    game: Ruleset | None = None

    @property
    def this_round(self) -> int | None:
        """The current round, or None between two rounds."""
        clock = self.state.clock
        return clock.round if clock.in_round else None

    def next_round(self, edge: RoundEdge) -> int:
        """Return the round of the next start or end."""
        clock = self.state.clock
        # A game may fight round 0: its edges follow the opening slots.
        unfought = not clock.in_round and not clock.round and any(slot.stage == "round" for slot in clock.upcoming)
        return clock.round + (0 if unfought or (edge == "end" and clock.in_round) else 1)

    def round_of(self, end: At) -> int:
        """Return the round of the next edge of this kind."""
        clock = self.state.clock
        if not clock.in_round:
            return self.next_round("start")
        ahead = [slot for slot in clock.upcoming if slot.stage == "round"]
        current = clock.current
        if current is not None and end.edge.endswith("_end"):
            ahead.append(current)
        owner = end.anchor.partition(":")[2]
        if current is not None and current.turns == "opened" and end.edge == "turn_start" and clock.acting != owner:
            ahead.append(current)
        if end.edge.startswith("turn") and owner in clock.acted:
            ahead = []
        return clock.round + (0 if any(self._has_edge(slot, end, owner) for slot in ahead) else 1)

    def comes_this_round(self, end: Until, bearer: str) -> bool:
        """Tell whether an edge of a bearer is still ahead in this round."""
        if not isinstance(end, At) or end.anchor not in ("bearer", "bearer_side") or not self.state.clock.in_round:
            return False
        own = bearer if end.anchor == "bearer" else self.state[bearer].side
        mine = replace(end, anchor=who_anchor(own) if end.anchor == "bearer" else side_anchor(own))
        return self.round_of(mine) == self.state.clock.round

    def _has_edge(self, slot: Slot, end: At, owner: str) -> bool:
        members = slot.members or tuple(one.id for one in self.state.combatants if one.side == slot.side)
        mine = not owner or owner == slot.side or owner in members
        return mine and end.segment in (None, slot.segment) and (not end.phase or end.phase == slot.phase)

    @property
    def phases(self) -> Collection[str]:
        """The phases of this round's slots, and those the game's ends name."""
        named = [end.phase for end in self._ends() if isinstance(end, At) and end.phase]
        return dict.fromkeys([*(slot.phase for slot in self.state.clock.slots if slot.phase), *named])

    @property
    def uses(self) -> Collection[str]:
        """The uses the game's ends name."""
        return dict.fromkeys(end.key for end in self._ends() if isinstance(end, OnUse) and not isinstance(end, OnSave))

    @property
    def saves(self) -> Collection[str]:
        """The saves the game's ends name."""
        return dict.fromkeys(end.key for end in self._ends() if isinstance(end, OnSave))

    def _ends(self) -> Iterable[Until]:
        if self.game is None:
            return ()
        offered = [moment.until for moment in moments_of(self.game)] + [effect.until for effect in self.game.effects]
        return (end for until in offered for end in until)


# -- printing ----------------------------------------------------------------------------------------------------------


def _end_words(end: Until, fight: Fight) -> str:
    if isinstance(end, OnSave):
        return f"a {end.key.replace('_', ' ')} save of {end.against}"
    if isinstance(end, OnUse):
        use = end.key.replace("_", " ")
        return f"next {use}" if end.count == 1 else f"{end.count} more {use}s"
    kind, edge = _parts(end.edge)
    if kind == "combat":
        return "end of the fight"
    if kind == "round":
        return _round(end, edge, fight).words
    owner = end.anchor.partition(":")[2]
    whose = f"{possessive(fight.state.name(owner))} " if owner else ""
    if end.segment is not None:
        what = f"segment {end.segment}"
    elif kind == "turn":
        what = "next turn" if edge == "start" and end.count <= 1 else "turn"
    else:
        what = f"{end.phase.replace('_', ' ')} phase" if end.phase and not owner else kind
    last = "" if end.count <= 1 else f" in round {fight.round_of(end) + end.count - 1}"
    return f"{edge} of {whose}{what}{last}"


def _short_words(end: Until, bearer: str, fight: Fight) -> str:
    """Return one end in short words, seen from its bearer: "own turn", "end of Ava's turn"."""
    if isinstance(end, OnSave):
        return f"save {end.key.replace('_', ' ')} {end.against}"
    if isinstance(end, OnUse):
        use = end.key.replace("_", " ")
        return f"next {use}" if end.count <= 1 else f"{end.count} × {use}"
    kind, edge = _parts(end.edge)
    if kind == "combat":
        return "fight end"
    if kind == "round":
        named = _round(end, edge, fight)
        return "round end" if edge == "end" and named.number == fight.this_round else named.short
    times = f" ×{end.count}" if end.count > 1 else ""
    if end.segment is not None:
        return f"segment {end.segment}{times}"
    owner = end.anchor.partition(":")[2]
    whose = "own " if end.anchor == who_anchor(bearer) else f"{possessive(fight.state.name(owner))} " if owner else ""
    what = "turn" if kind == "turn" or owner else f"{end.phase.replace('_', ' ')} phase" if end.phase else kind
    return f"{whose}{what}{times}" if edge == "start" else f"end of {whose}{what}{times}"


def _parts(edge: Edge) -> tuple[str, RoundEdge]:
    kind, _, moment = edge.partition("_")
    return kind, "start" if moment == "start" else "end"


def _round(end: At, edge: RoundEdge, fight: Fight) -> NamedRound:
    return NamedRound(fight.next_round(edge) + end.count - 1, edge)


# -- reading -----------------------------------------------------------------------------------------------------------


def _next_count(named: NamedRound, fight: Fight) -> int:
    """Return the number of such edges up to a named round; below 1 it has passed."""
    return named.number - fight.next_round(named.edge) + 1


def _read_ends(text: str, fight: Fight) -> tuple[Until, ...] | None:
    words = " ".join(text.split())
    if words.casefold() == FOREVER:
        return ()
    whole = _read_end(words, fight)
    if whole is not None:
        return (whole,)
    for match in re.finditer(" or ", words):
        first, rest = _read_end(words[: match.start()], fight), _read_ends(words[match.end() :], fight)
        if first is not None and rest:
            return (first, *rest)
    return None


def _read_end(words: str, fight: Fight) -> Until | None:
    plain = words.casefold()
    if plain in _FIGHT_ENDS:
        return At("combat_end")
    if plain in _ROUND_ENDS:
        return At("round_end") if fight.this_round is not None else None
    if (named := named_round(words)) is not None:
        count = _next_count(named, fight)
        edge: Edge = "round_start" if named.edge == "start" else "round_end"
        return At(edge, count=count) if 1 <= count <= MOST_TIMES else None
    return (
        _read_save(plain, fight) or _read_use(plain, fight) or _read_segment(words, fight) or _read_owned(words, fight)
    )


def _read_save(plain: str, fight: Fight) -> OnSave | None:
    keys = {key.replace("_", " ").casefold(): key for key in fight.saves}
    match = re.fullmatch(_SAVE, plain)
    key = None if match is None else keys.get(match["save"] or match["named"])
    return None if match is None or key is None else OnSave(key, against=int(match["against"] or match["number"]))


def _read_use(plain: str, fight: Fight) -> OnUse | None:
    keys = {key.replace("_", " ").casefold(): key for key in fight.uses}
    if plain.startswith("next ") and plain[5:] in keys:
        return OnUse(keys[plain[5:]])
    match = re.fullmatch(_MORE, plain, re.IGNORECASE)
    key = None if match is None else keys.get(match["uses"] or match["use"])
    return None if match is None or key is None else OnUse(key, int(match["times"]))


def _read_segment(words: str, fight: Fight) -> At | None:
    match = re.fullmatch(_SEGMENT, words, re.IGNORECASE)
    if match is None:
        return None
    return _counted(At(_edge("segment", match), segment=int(match["segment"])), match, fight)


def _read_owned(words: str, fight: Fight) -> At | None:
    match = re.fullmatch(_OWNED, words, re.IGNORECASE)
    if match is None:
        return None
    kind = match["kind"].partition(" ")[0].casefold()
    edge = _edge(kind, match)
    for owner in dict.fromkeys((match["owner"], match["owner"].removeprefix("the "))):
        if (anchor := _anchor(owner, fight)) is not None:
            segment = None if match["segment"] is None else int(match["segment"])
            return _counted(At(edge, anchor, segment=segment), match, fight)
        named = (owner.casefold(), owner.casefold().replace(" ", "_"))
        phase = next((phase for phase in fight.phases if phase.casefold() in named), None)
        if kind == "phase" and phase is not None:
            return _counted(At(edge, ANY, phase=phase), match, fight)
    return None


def _edge(kind: str, match: re.Match[str]) -> Edge:
    ending = (match["moment"] or "").casefold() == "end"
    edges: dict[str, tuple[Edge, Edge]] = {
        "turn": ("turn_start", "turn_end"),
        "phase": ("phase_start", "phase_end"),
        "segment": ("segment_start", "segment_end"),
    }
    return edges[kind][ending]


def _anchor(owner: str, fight: Fight) -> str | None:
    """Return the anchor that a possessive means: the bearer's, a combatant's or a side's."""
    wanted = owner.casefold()
    if wanted == "own":
        return "bearer"
    for combatant in fight.state.combatants:
        if possessive(combatant.name).casefold() == wanted:
            return who_anchor(combatant.id)
    sides = fight.state.sides
    return next((side_anchor(side.id) for side in sides if possessive(side.name).casefold() == wanted), None)


def _counted(end: At, match: re.Match[str], fight: Fight) -> At | None:
    """Return an end with its count, from a number of times or a round."""
    if match["round"] is None:
        return replace(end, count=int(match["times"] or match["times_short"] or 1))
    count = int(match["round"]) - fight.round_of(end) + 1
    return replace(end, count=count) if 1 <= count <= MOST_TIMES else None


def offered_words(moments: Sequence[Moment]) -> str:
    """Return the words of the offered ends, with 3 as an example of a count."""
    return ", ".join(moment.words.replace("{n}", "3") for moment in moments)


def read_offered(text: str, moments: Sequence[Moment], round_seconds: int = 0) -> Moment:
    """Return the offered end that words or their beginnings name, with its count: "3 rounds", "round end".

    A time ("10 minutes") is the number of rounds that begin in it, if the length of a round in seconds is given.

    Raises:
        ValueError: the words name no end; the message lists the offered ones.
    """
    words = text
    if round_seconds and (time := _TIME.fullmatch(words)) is not None:
        words = f"{-(-int(time[1]) * _SECONDS[time[2][0].casefold()] // round_seconds)} rounds"
    numbers = [int(number) for number in re.findall(r"\d+", words)]
    typed = _bare(re.sub(r"\d+", "{n}", words))
    matching = []
    for moment in moments:
        offered = _bare(moment.words)
        if ("{n}" in offered) == bool(numbers) and all(_begins(word, offered) for word in typed):
            matching.append((len(offered), moment))
    if not matching:
        raise ValueError(f'"{words}" is no duration here (try: {offered_words(moments)})')
    moment = min(matching, key=itemgetter(0))[1]
    if not numbers:
        return moment
    if not 1 <= numbers[0] <= MOST_TIMES:
        raise ValueError(f"{numbers[0]} is no count for a duration: 1 to {MOST_TIMES}")
    return replace(moment, until=tuple(replace(end, count=end.count * numbers[0]) for end in moment.until))


def _begins(word: str, offered: Sequence[str]) -> bool:
    return any(part.startswith(word) for part in offered)


def _bare(words: str) -> list[str]:
    """Return the words of a text without fillers, unless it has no others."""
    every = ["combat" if word == "fight" else word for word in _WORD.findall(words.casefold())]
    return [word.rstrip("s") if word == "rounds" else word for word in every if word not in _FILLERS] or every
