"""The teller: where the telling of a step has come to.

Dice lie on its table until a sum accounts for them; newcomers, their points and their places are gathered, so that one
line tells of all of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.state import FIGHT, Id, State
from tracker.core.game.durations import until_words
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import Boundary
from tracker.views.story.past import Past
from tracker.views.words.spans import Span
from tracker.views.words.sums import TableRoll, dice_spans
from tracker.views.words.text import clean, key_words, listed
from tracker.views.words.values import plain_words

__all__ = ["Line", "Teller"]


class Line(Struct, frozen=True, gc=False):
    """One line of the story, however long.

    Attributes:
        spans: what it says.
        depth: how deep it stands.
        rules: ids of the rules behind it.
        round: the round it happens in.
        kind: "" an action or what follows from it, `round` and `turn` where the clock moves on, `gm` where the game
            master overrules.
        asked: the key of the last answer it tells of.
    """

    spans: tuple[Span, ...]
    depth: int
    rules: tuple[str, ...]
    round: int
    kind: str = ""
    asked: str = ""

    @property
    def text(self) -> str:
        """The line without its styles."""
        return "".join(span.text for span in self.spans)


class Teller:
    """One telling of one step."""

    def __init__(self, ruleset: Ruleset, state: State, past: Past, *, full: bool) -> None:
        self.ruleset, self.state, self.past, self.full = ruleset, state, past, full
        self.lines: list[Line] = []
        self.table: list[TableRoll] = []
        self.action: Action | None = None
        self.targets: tuple[Id, ...] = ()
        self.edge: Boundary | None = None
        self.asked = False
        self.joining: list[Id] = []
        self.filling: list[ev.Entry] = []
        self.placing: list[ev.Entry] = []
        self.round, self.in_round = _begins_in(state, past.entries)
        self._names: dict[str, str] = {}

    # -- lines ---------------------------------------------------------------------------------------------------------

    def say(
        self,
        spans: Sequence[Span],
        rules: tuple[str, ...] = (),
        *,
        depth: int = 1,
        kind: str = "",
        secret: bool = False,
        asked: str = "",
    ) -> None:
        """Add a line.

        One that players do not see says so.
        """
        shown = (Span("secret: ", "dim"), *spans) if secret else tuple(spans)
        deep = depth if self.action is not None or depth == 0 else 0
        self.lines.append(Line(shown, deep, rules, self.round, kind=kind, asked=asked))

    def words(
        self, text: str, entry: ev.Entry, style: str = "", *, depth: int = 1, kind: str = "", secret: bool = False
    ) -> None:
        """Add a line of one span, after whatever dice are still untold."""
        self.clear_table()
        self.say((Span(text, style),), entry.rules, depth=depth, kind=kind, secret=secret)

    def name(self, key: str | None) -> str:
        """Return what a combatant or side is called.

        "GM" without a key.
        """
        if key is None:
            return "GM"
        if key == FIGHT:
            return "the fight"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = clean(self.state.name(key))
        return name

    def until(self, effect: Effect) -> str:
        """Return the end in words as it was when the effect began.

        The clock may have gone on since.
        """
        clock = self.state.clock
        if (clock.round, clock.in_round) == (self.round, self.in_round):
            return until_words(self.state, effect)
        return until_words(replace(self.state, clock=replace(clock, round=self.round, in_round=self.in_round)), effect)

    # -- what is gathered ----------------------------------------------------------------------------------------------

    def account(self, used: list[TableRoll], entry: ev.Entry, parts: Sequence[Part]) -> tuple[str, ...]:
        """Return the rules behind a line with these dice and parts.

        Other dice on the table are told first.
        """
        rules = dict.fromkeys(entry.rules)
        for roll in used:
            roll.told = True
            rules.update(dict.fromkeys(roll.entry.rules))
        rules.update(dict.fromkeys(part.rule for part in parts if part.rule))
        self.clear_table(next((roll for roll in self.table if roll in used), None))
        return tuple(rules)

    def clear_table(self, before: TableRoll | None = None) -> None:
        """Tell of newcomers, points, places and untold dice.

        Of dice only those rolled before `before`, or all.
        """
        if self.joining:
            self._joined()
        if self.filling:
            self._filled()
        if self.placing:
            self._placed()
        for roll in self.table:
            if roll is before:
                break
            if not roll.told:
                roll.told = True
                self._rolled(roll)

    def _rolled(self, roll: TableRoll) -> None:
        rolled = roll.rolled
        own = rolled.who is None or (self.action is not None and self.action.by == rolled.who)
        whose = "" if own else f"{self.name(rolled.who)} "
        why = clean(rolled.why)
        lead = f"{whose}{why}: " if why else f"{whose.rstrip()}: " if whose else ""
        spans = (Span(lead), *dice_spans(rolled)) if lead else dice_spans(rolled)
        self.say(spans, roll.entry.rules, secret=rolled.secret, asked=rolled.key)

    def _filled(self) -> None:
        pools: dict[str, list[str]] = {}
        rules: dict[str, None] = {}
        for entry in self.filling:
            if isinstance(entry.event, ev.PoolSet):
                pool = entry.event.now
                points = str(pool.now) if pool.now == pool.max else f"{pool.now}/{pool.max}"
                pools.setdefault(pool.key, []).append(f"{self.name(entry.event.who)} {points}")
            rules.update(dict.fromkeys(entry.rules))
        self.filling = []
        for key, people in pools.items():
            self.say((Span(f"{clean(key_words(key))}: {', '.join(people)}"),), tuple(rules))

    def _placed(self) -> None:
        rules = tuple(dict.fromkeys(rule for entry in self.placing for rule in entry.rules))
        places = [
            (self.name(event.who), plain_words(event.now))
            for event in (entry.event for entry in self.placing)
            if isinstance(event, ev.Moved)
        ]
        self.placing = []
        told = [f"{name} {'at' if number else 'stands at'} {place}" for number, (name, place) in enumerate(places)]
        self.say((Span(listed(told, len(told))),), rules)

    def _joined(self) -> None:
        sides: dict[str, list[str]] = {}
        for who in self.joining:
            combatant = self.state.get(who)
            side = combatant.side if combatant else ""
            sides.setdefault(side, []).append(f"{self.name(who)} ({combatant.label})" if combatant else self.name(who))
        self.joining = []
        for side, names in sides.items():
            verb = "join" if len(names) > 1 else "joins"
            self.say((Span(f"{listed(names, len(names))} {verb} {self.name(side) if side else 'the fight'}"),), depth=0)


def _begins_in(state: State, entries: Sequence[ev.Entry]) -> tuple[int, bool]:
    """Return the round a step begins in, and whether that has begun."""
    for entry in entries:
        if isinstance(entry.event, ev.BoundaryCrossed):
            boundary = entry.event.boundary
            if boundary.edge == "round_start":
                return max(0, boundary.round - 1), False
            return boundary.round, boundary.edge != "combat_end"
    return state.clock.round, state.clock.in_round
