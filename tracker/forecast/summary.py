"""What many fights say together: who wins, who falls, what is left.

Chances come with Wilson's interval of 95 %. Fights without an end count as undecided, those a ruleset breaks as failed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.forecast.playout import Played

NINETY_FIVE = 1.959964
CLOSE = 0.05
"""Half the width of an interval that is narrow enough for the chance to win."""
CLOSE_FALLS = 0.07
"""Half the width of an interval that is narrow enough for a character's chance to fall."""
LEAST = 20
"""Fewer fights say nothing."""

Why: TypeAlias = Literal["", "close", "time", "all", "cancelled", "broken"]
"""Why a forecast plays no more fights, or "" while it does."""


class CombatantResult(Struct, frozen=True):
    """A combatant at the end of one fight.

    Attributes:
        id, name: as in the fight.
        own: it is on a side of the players.
        status: its status in a word.
        acts: it can act.
        left, full: its points, where it has any.
        gone: it has left the fight alive.
        dead: it takes part no more, and has not left.
        down_before: it could not act when the forecast began.
    """

    id: Id
    name: str
    own: bool
    status: str
    acts: bool
    left: int = 0
    full: int = 0
    gone: bool = False
    dead: bool = False
    down_before: bool = False

    @property
    def falls(self) -> bool:
        """Whether it is there at the end and cannot act."""
        return not self.acts and not self.gone


class End(Struct, frozen=True):
    """How one fight ended.

    Attributes:
        left: the names of the sides that fought on.
        won: a side of the players fought on.
        rounds: how many it took.
        points: the share of their points that the players' side has left.
        fates: of all combatants, in the order of joining; those who had left before the forecast began are not counted.
        undecided: why it has no end, or "".
        failed: what a ruleset did wrong, or "".
        refused_choices: how many choices the game refused.
    """

    left: tuple[str, ...] = ()
    won: bool = False
    rounds: int = 0
    points: float = 0.0
    fates: tuple[CombatantResult, ...] = ()
    undecided: str = ""
    failed: str = ""
    refused_choices: int = 0


class CombatantSummary(Struct, frozen=True):
    """What the fights say of one combatant.

    Attributes:
        id, name, own: as of its fate.
        fights: in how many it took part (one that may join later does not in all).
        falls: at the end of how many it is there and cannot act.
        statuses: each status in a word, and how often it had it at the end, the likeliest first.
        left: the points it has left on average.
        full: those it has when unhurt.
        new_falls: as `falls`, where it could act when the forecast began.
        deaths: at the end of how many it is dead.
    """

    id: Id
    name: str
    own: bool
    fights: int
    falls: int
    statuses: tuple[tuple[str, int], ...]
    left: float = 0.0
    full: int = 0
    new_falls: int = 0
    deaths: int = 0

    @property
    def chance(self) -> float:
        """The share of its fights in which it falls."""
        return self.falls / self.fights

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the chance."""
        return wilson(self.falls, self.fights)


class ForecastSummary(Struct, frozen=True):
    """What the fights say together.

    Attributes:
        fights: how many came to an end or were undecided; the failed are not among them.
        won: how many the players' side won.
        left: each side's name, and how often it fought on at the end.
        rounds: the median, and the range of nine fights in ten.
        points: the mean share of points the players have left.
        people: what becomes of each combatant.
        undecided, failed: how many, and the first reason.
        falls, deaths: in how many at least one of the players' side falls, and dies.
    """

    fights: int
    won: int
    left: tuple[tuple[str, int], ...] = ()
    rounds: tuple[int, int, int] = (0, 0, 0)
    points: float = 0.0
    people: tuple[CombatantSummary, ...] = ()
    undecided: int = 0
    failed: int = 0
    reason: str = ""
    falls: int = 0
    deaths: int = 0

    @property
    def is_known(self) -> bool:
        """Whether the chance to win and each character's chance to fall are known closely enough."""
        falls = [one.falls for one in self.people if one.own]
        return _all_close(self.won, falls, self.fights, CLOSE, CLOSE_FALLS)

    @property
    def error(self) -> float:
        """Half the widest of the 95 % intervals: of the chance to win and of each character's chance to fall."""
        shares = (self.won, *(one.falls for one in self.people if one.own))
        return max(high - low for low, high in (wilson(many, self.fights) for many in shares)) / 2

    @property
    def chance(self) -> float:
        """The share of fights that the players' side won."""
        return self.won / self.fights if self.fights else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the chance."""
        return wilson(self.won, self.fights)


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share."""
    if not tries:
        return 0.0, 1.0
    share, square = hits / tries, NINETY_FIVE**2
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    half = NINETY_FIVE * math.sqrt(share * (1 - share) / tries + square / (4 * tries**2)) / (1 + square / tries)
    return max(0.0, middle - half), min(1.0, middle + half)


def close_enough(hits: int, tries: int, points: float = CLOSE) -> bool:
    """Tell whether enough fights say a share to within so much."""
    low, high = wilson(hits, tries)
    return tries >= LEAST and high - low <= 2 * points


def _all_close(won: int, falls: Iterable[int], fights: int, points: float, falls_points: float) -> bool:
    return close_enough(won, fights, points) and all(close_enough(one, fights, falls_points) for one in falls)


def end_of(ruleset: Ruleset, played: Played, before: State) -> End:
    """Return how a fight ended that began with the state `before`."""
    state, own = played.state, _players(played.state)
    was = {one.id: status_of(ruleset, one.status) for one in before.combatants}
    gone = {who for who, status in was.items() if status.left}
    down = {who for who, status in was.items() if not status.acts}
    fates = tuple(
        [_result_of(ruleset, one, one.side in own, one.id in down) for one in state.combatants if one.id not in gone]
    )
    names = tuple(side.name for side in state.sides if side.id in played.left)
    won = not played.undecided and any(side in own for side in played.left)
    points = _points(ruleset, state, own)
    return End(
        names, won, state.clock.round, points, fates, played.undecided, refused_choices=len(played.refused_choices)
    )


def _result_of(ruleset: Ruleset, one: Combatant, own: bool, down_before: bool) -> CombatantResult:
    status, key = status_of(ruleset, one.status), _first_pool(ruleset)
    pool = one.pool(key) if one.has_pool(key) else None
    left = max(0, pool.now) if pool is not None and status.takes_part else 0
    full, dead = pool.max if pool is not None else 0, not status.takes_part and not status.left
    return CombatantResult(one.id, one.name, own, status.word, status.acts, left, full, status.left, dead, down_before)


def failed(error: BaseException) -> End:
    """Return the end of a fight that a ruleset has broken."""
    return End(failed=str(error)[:200] or type(error).__name__)


def _players(state: State) -> tuple[Id, ...]:
    """Return the sides of the players, or the first side if they have none."""
    own = tuple(side.id for side in state.sides if side.control == "players")
    return own or tuple(side.id for side in state.sides[:1])


def _first_pool(ruleset: Ruleset) -> str:
    return ruleset.schema.pools[0] if ruleset.schema.pools else ""


def _points(ruleset: Ruleset, state: State, own: Sequence[Id]) -> float:
    """Return the share of points left, none for those out of the fight."""
    key = _first_pool(ruleset)
    pools = [(one, one.pool(key)) for one in state.combatants if one.side in own and one.has_pool(key)]
    full = sum(pool.max for _, pool in pools)
    left = sum(max(0, pool.now) for one, pool in pools if status_of(ruleset, one.status).takes_part)
    return left / full if full else 0.0


def outlook(ends: Iterable[End]) -> ForecastSummary:
    sums = Totals()
    for end in ends:
        sums.add(end)
    return sums.outlook()


class Totals:
    """The totals of the fights so far.

    An app receives a hundred fights a second while keys are pressed, so each is counted once.
    """

    def __init__(self) -> None:
        self._names: Counter[str] = Counter()
        self._rounds: Counter[int] = Counter()
        self._people: dict[Id, _CombatantTotals] = {}
        self._fights = self._won = self._undecided = self._failed = self._falls = self._deaths = 0
        self._points, self._reason = 0.0, ""

    def add(self, end: End) -> None:
        """Take in one fight."""
        self._reason = self._reason or end.failed or end.undecided
        if end.failed:
            self._failed += 1
            return
        self._fights += 1
        self._won += end.won
        self._points += end.points
        self._rounds[end.rounds] += 1
        if end.undecided:
            self._undecided += 1
        else:
            self._names.update(end.left)
        people = self._people
        falls = deaths = False
        for fate in end.fates:
            seen = people.get(fate.id)
            if seen is None:
                seen = people[fate.id] = _CombatantTotals(fate)
            seen.fights += 1
            if fate.falls:
                new = not fate.down_before
                seen.falls += 1
                seen.new_falls += new
                seen.deaths += fate.dead
                falls |= fate.own and new
                deaths |= fate.own and fate.dead
            seen.left += fate.left
            seen.full = max(seen.full, fate.full)
            seen.statuses[fate.status] = seen.statuses.get(fate.status, 0) + 1
        self._falls += falls
        self._deaths += deaths

    def known_to(self, points: float, falls: float) -> bool:
        """Tell whether the chance to win is known to within `points`, each character's chance to fall to `falls`."""
        fallen = [seen.falls for seen in self._people.values() if seen.one.own]
        return _all_close(self._won, fallen, self._fights, points, falls)

    def outlook(self) -> ForecastSummary:
        many = self._fights
        return ForecastSummary(
            many,
            self._won,
            tuple(sorted(self._names.items(), key=lambda pair: -pair[1])),
            (self._round(many // 2), self._round(many // 20), self._round(many - 1 - many // 20)),
            self._points / many if many else 0.0,
            tuple([seen.person() for seen in self._people.values()]),
            self._undecided,
            self._failed,
            self._reason,
            self._falls,
            self._deaths,
        )

    def _round(self, place: int) -> int:
        """Return the round at a place among those of all fights, the shortest first."""
        for number in sorted(self._rounds):
            place -= self._rounds[number]
            if place < 0:
                return number
        return 0


class _CombatantTotals:
    """What was seen of one combatant so far."""

    __slots__ = ("deaths", "falls", "fights", "full", "left", "new_falls", "one", "statuses")

    def __init__(self, one: CombatantResult) -> None:
        self.one, self.fights, self.falls, self.left, self.full = one, 0, 0, 0, 0
        self.new_falls = self.deaths = 0
        self.statuses: dict[str, int] = {}

    def person(self) -> CombatantSummary:
        one, many = self.one, self.fights
        statuses = tuple(sorted(self.statuses.items(), key=lambda pair: -pair[1]))
        left, full = self.left / many, self.full
        return CombatantSummary(
            one.id, one.name, one.own, many, self.falls, statuses, left, full, self.new_falls, self.deaths
        )


class Difference(Struct, frozen=True):
    """How much more often the players win the one way than the other.

    Attributes:
        fights: pairs of fights with the same seeds.
        mean: the difference of the chances to win.
        low, high: its bounds, 95 times in 100.
    """

    fights: int = 0
    mean: float = 0.0
    low: float = -1.0
    high: float = 1.0


def difference(one: Sequence[End], other: Sequence[End]) -> Difference:
    """Return how the chance to win differs between fights with the same seeds.

    The interval is Agresti's and Min's for pairs: half a pair more of each kind.
    """
    pairs = [(a.won, b.won) for a, b in zip(one, other, strict=False) if not a.failed and not b.failed]
    many = len(pairs)
    if not many:
        return Difference()
    more, less = pairs.count((True, False)), pairs.count((False, True))
    tries, gain, swing = many + 2, more - less, more + less + 1
    middle = gain / tries
    half = NINETY_FIVE * math.sqrt(max(0.0, swing - gain * gain / tries)) / tries
    return Difference(many, gain / many, max(-1.0, middle - half), min(1.0, middle + half))
