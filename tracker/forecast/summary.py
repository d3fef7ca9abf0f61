"""The summary of many fights: how often each side wins, how often each combatant falls, the points left.

Chances have Wilson's interval of 95 %. Fights without an end count as undecided, fights a ruleset breaks as failed.
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
"""Fewest fights of which figures are shown."""

Why: TypeAlias = Literal["", "close", "time", "all", "cancelled", "broken"]
"""Why a forecast has ended, or "" while it plays fights."""


class CombatantResult(Struct, frozen=True):
    """A combatant at the end of one fight.

    Attributes:
        id, name: as in the fight.
        own: it is on a side of the players.
        status: the word of its status.
        acts: it can act.
        left, full: its points and their maximum, or 0.
        gone: it has left the fight alive.
        dead: it no longer takes part, and has not left.
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
        """Whether it cannot act at the end and has not left."""
        return not self.acts and not self.gone


class End(Struct, frozen=True):
    """How one fight ended.

    Attributes:
        left: the names of the sides that can still fight.
        won: a side of the players is among them.
        rounds: the number of rounds.
        points: the share of points the players' side has left.
        fates: the combatants, in the order of joining, without those that had left before the forecast began.
        undecided: why it has no end, or "".
        failed: the error of the ruleset, or "".
        refused_choices: the number of choices the game refused.
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
    """One combatant in all fights.

    Attributes:
        id, name, own: as in `CombatantResult`.
        fights: the number of fights it took part in (a combatant of a wave may miss some).
        falls: the number of fights in which it falls.
        statuses: the word of each status at the end and its number of fights, the most frequent first.
        left: the mean of the points it has left.
        full: its points when unhurt.
        new_falls: as `falls`, without fights in which it could not act at the start.
        deaths: the number of fights in which it dies.
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
    """The fights together.

    Attributes:
        fights: the number of fights, the undecided among them, the failed not.
        won: the number the players' side won.
        left: the name of each side, and in how many fights it can still fight at the end.
        rounds: the median number of rounds, and the range of nine fights in ten.
        points: the mean share of points the players have left.
        people: the combatants.
        undecided, failed: the number of such fights.
        reason: why the first of them is undecided or failed, or "".
        falls, deaths: the number of fights in which a combatant of the players falls, or dies.
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
        falls = [summary.falls for summary in self.people if summary.own]
        return _all_close(self.won, falls, self.fights, CLOSE, CLOSE_FALLS)

    @property
    def error(self) -> float:
        """Half the widest of the 95 % intervals: of the chance to win and of each character's chance to fall."""
        shares = (self.won, *(summary.falls for summary in self.people if summary.own))
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
    """Tell whether a share is known to within `points`."""
    low, high = wilson(hits, tries)
    return tries >= LEAST and high - low <= 2 * points


def _all_close(won: int, falls: Iterable[int], fights: int, points: float, falls_points: float) -> bool:
    return close_enough(won, fights, points) and all(close_enough(many, fights, falls_points) for many in falls)


def end_of(ruleset: Ruleset, played: Played, before: State) -> End:
    """Return the end of a fight that began with the state `before`."""
    state = played.state
    own = [side.id for side in state.sides if side.control == "players"] or [side.id for side in state.sides[:1]]
    was = {combatant.id: status_of(ruleset, combatant.status) for combatant in before.combatants}
    gone = {who for who, status in was.items() if status.left}
    down = {who for who, status in was.items() if not status.acts}
    fates = [
        _result_of(ruleset, combatant, combatant.side in own, combatant.id in down) for combatant in state.combatants
    ]
    full = sum(fate.full for fate in fates if fate.own)
    return End(
        tuple(side.name for side in state.sides if side.id in played.left),
        not played.undecided and any(side in own for side in played.left),
        state.clock.round,
        sum(fate.left for fate in fates if fate.own) / full if full else 0.0,
        tuple(fate for fate in fates if fate.id not in gone),
        played.undecided,
        refused_choices=len(played.refused_choices),
    )


def _result_of(ruleset: Ruleset, combatant: Combatant, own: bool, down_before: bool) -> CombatantResult:
    status = status_of(ruleset, combatant.status)
    key = ruleset.schema.pools[0] if ruleset.schema.pools else ""
    pool = combatant.pool(key) if combatant.has_pool(key) else None
    return CombatantResult(
        combatant.id,
        combatant.name,
        own,
        status.word,
        status.acts,
        left=max(0, pool.now) if pool is not None and status.takes_part else 0,
        full=pool.max if pool is not None else 0,
        gone=status.left,
        dead=not status.takes_part and not status.left,
        down_before=down_before,
    )


def failed(error: BaseException) -> End:
    """Return the end of a fight that a ruleset has broken."""
    return End(failed=str(error)[:200] or type(error).__name__)


def outlook(ends: Iterable[End]) -> ForecastSummary:
    sums = Totals()
    for end in ends:
        sums.add(end)
    return sums.outlook()


class Totals:
    """The totals of the fights so far; each fight is added once, because an app receives a hundred a second."""

    def __init__(self) -> None:
        self._names: Counter[str] = Counter()
        self._rounds: Counter[int] = Counter()
        self._people: dict[Id, _CombatantTotals] = {}
        self._fights = self._won = self._undecided = self._failed = self._falls = self._deaths = 0
        self._points, self._reason = 0.0, ""

    def add(self, end: End) -> None:
        """Add one fight."""
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
            totals = people.get(fate.id)
            if totals is None:
                totals = people[fate.id] = _CombatantTotals(fate)
            totals.fights += 1
            if fate.falls:
                new = not fate.down_before
                totals.falls += 1
                totals.new_falls += new
                totals.deaths += fate.dead
                falls |= fate.own and new
                deaths |= fate.own and fate.dead
            totals.left += fate.left
            totals.full = max(totals.full, fate.full)
            totals.statuses[fate.status] = totals.statuses.get(fate.status, 0) + 1
        self._falls += falls
        self._deaths += deaths

    def known_to(self, points: float, falls: float) -> bool:
        """Tell whether the chance to win is known to within `points`, each character's chance to fall to `falls`."""
        fallen = [totals.falls for totals in self._people.values() if totals.result.own]
        return _all_close(self._won, fallen, self._fights, points, falls)

    def outlook(self) -> ForecastSummary:
        many = self._fights
        return ForecastSummary(
            many,
            self._won,
            tuple(sorted(self._names.items(), key=lambda pair: -pair[1])),
            (self._round(many // 2), self._round(many // 20), self._round(many - 1 - many // 20)),
            self._points / many if many else 0.0,
            tuple([totals.summary() for totals in self._people.values()]),
            self._undecided,
            self._failed,
            self._reason,
            self._falls,
            self._deaths,
        )

    def _round(self, place: int) -> int:
        """Return the number of rounds of the fight at a place, the shortest fight first."""
        for number in sorted(self._rounds):
            place -= self._rounds[number]
            if place < 0:
                return number
        return 0


class _CombatantTotals:
    """The totals of one combatant so far."""

    __slots__ = ("deaths", "falls", "fights", "full", "left", "new_falls", "result", "statuses")

    def __init__(self, result: CombatantResult) -> None:
        self.result = result
        self.fights = self.falls = self.left = self.full = self.new_falls = self.deaths = 0
        self.statuses: dict[str, int] = {}

    def summary(self) -> CombatantSummary:
        return CombatantSummary(
            self.result.id,
            self.result.name,
            self.result.own,
            self.fights,
            self.falls,
            tuple(sorted(self.statuses.items(), key=lambda pair: -pair[1])),
            self.left / self.fights,
            self.full,
            self.new_falls,
            self.deaths,
        )


class Difference(Struct, frozen=True):
    """How much more often the players win in one scenario than in another.

    Attributes:
        fights: the number of pairs of fights with the same seed.
        mean: the difference of the chances to win.
        low, high: its 95 % interval.
    """

    fights: int = 0
    mean: float = 0.0
    low: float = -1.0
    high: float = 1.0


def difference(one: Sequence[End], other: Sequence[End]) -> Difference:
    """Return the difference of the chances to win, from pairs of fights with the same seed.

    The interval is Agresti and Min's for pairs: half a pair is added to each of the four outcomes.
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
