"""Durations: the ends of effects, read and said for one fight."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At, OnUse, Until, ends, side_anchor, who_anchor
from tracker.core.terms.moments.ends import Moment, RoundEdge, named_round, read_offered

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
"""The ends every game offers unless it has its own; `{n}` takes a count."""


def moments_of(game: Ruleset) -> Sequence[Moment]:
    """Return the ends a game offers."""
    return game.moments or MOMENTS


def read(words: str, game: Ruleset, state: State) -> tuple[Until, ...]:
    """Return the ends that typed words mean.

    Words the game offers, a named round, or whatever `until_words` prints.

    Raises:
        ValueError: with the ends on offer, where the words fit none; where that round has passed.
    """
    return _read(words, game, state).until


def read_for(words: str, game: Ruleset, state: State, bearer: str) -> tuple[Until, ...]:
    """Return the ends that typed words mean for a bearer.

    One who acts later in this round keeps what lasts whole rounds through that turn.

    Raises what `read` raises.
    """
    moment = _read(words, game, state)
    if bearer not in state:
        return moment.until
    telling = Fight(state, game)
    return tuple(
        replace(end, count=end.count + 1) if moment.whole and telling.comes_this_round(end, bearer) else end
        for end in moment.until
    )


def _read(words: str, game: Ruleset, state: State) -> Moment:
    if not words.strip():
        return Moment(words, ())
    telling = Fight(state, game)
    named = named_round(words)
    if named is not None:
        count = ends.next_count(named, telling)
        if not 1 <= count <= ends.MOST_TIMES:
            gone = "past" if count < 1 else "too far off"
            raise ValueError(f"the {named.words} is {gone}: it is round {state.clock.round}")
        return Moment(words, (At("round_start" if named.edge == "start" else "round_end", count=count),))
    moments = moments_of(game)
    if (meant := game.meant) is not None:
        moments = [replace(moment, until=meant(state, moment)) for moment in moments]
    exact = next((moment for moment in moments if moment.words.casefold() == words.strip().casefold()), None)
    printed = ends.read_ends(words, telling) if exact is None else exact.until
    return read_offered(words, moments, game.schema.round_seconds) if printed is None else Moment(words, printed)


def until_words(state: State, effect: Effect) -> str:
    """Return when an effect ends, in full: "start of Wolf's next turn", "end of round 3"."""
    return ends.until_words(effect.until, Fight(state))


def short_until(state: State, effect: Effect) -> str:
    """Return when an effect ends in a few words, "" if it lasts until removed."""
    telling = Fight(state)
    return " or ".join([ends.short_words(end, effect.bearer, telling) for end in effect.until])


class Fight(Struct, frozen=True):
    """A fight as the words of ends need it; the game says which phases and uses there are."""

    state: State
    game: Ruleset | None = None

    @property
    def this_round(self) -> int | None:
        """The round that is running, None between two."""
        clock = self.state.clock
        return clock.round if clock.in_round else None

    def next_round(self, edge: RoundEdge) -> int:
        """Return the round whose start or end comes next."""
        clock = self.state.clock
        # Round 0 may be fought too: then its own edges are still to come while the opening slots last.
        unfought = not clock.in_round and not clock.round and any(slot.stage == "round" for slot in clock.upcoming)
        return clock.round + (0 if unfought or (edge == "end" and clock.in_round) else 1)

    def round_of(self, end: At) -> int:
        """Return the round in which the next edge of this kind falls."""
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
        return clock.round + (0 if any(self._falls(end, owner, slot) for slot in ahead) else 1)

    def comes_this_round(self, end: Until, bearer: str) -> bool:
        """Tell whether an edge of a bearer's is still to come in this round."""
        if not isinstance(end, At) or end.anchor not in ("bearer", "bearer_side") or not self.state.clock.in_round:
            return False
        own = bearer if end.anchor == "bearer" else self.state[bearer].side
        mine = replace(end, anchor=who_anchor(own) if end.anchor == "bearer" else side_anchor(own))
        return self.round_of(mine) == self.state.clock.round

    def _falls(self, end: At, owner: str, slot: Slot) -> bool:
        """Tell whether an edge is one of a slot's."""
        members = slot.members or tuple(one.id for one in self.state.combatants if one.side == slot.side)
        mine = not owner or owner == slot.side or owner in members
        return mine and end.segment in (None, slot.segment) and (not end.phase or end.phase == slot.phase)

    def name(self, owner: str) -> str:
        """Return the name of a combatant or a side."""
        return self.state.name(owner)

    def people(self) -> Iterable[tuple[str, str]]:
        """Yield the id and the name of every combatant."""
        return ((combatant.id, combatant.name) for combatant in self.state.combatants)

    def sides(self) -> Iterable[tuple[str, str]]:
        """Yield the id and the name of every side."""
        return ((side.id, side.name) for side in self.state.sides)

    @property
    def phases(self) -> Collection[str]:
        """The phases of this round's slots, and those the game's ends name."""
        named = [end.phase for end in self._ends() if isinstance(end, At) and end.phase]
        return dict.fromkeys([*(slot.phase for slot in self.state.clock.slots if slot.phase), *named])

    @property
    def uses(self) -> Collection[str]:
        """The uses the game's ends name."""
        return dict.fromkeys(end.key for end in self._ends() if isinstance(end, OnUse))

    def _ends(self) -> Iterable[Until]:
        if self.game is None:
            return ()
        offered = [moment.until for moment in moments_of(self.game)] + [effect.until for effect in self.game.effects]
        return (end for until in offered for end in until)
