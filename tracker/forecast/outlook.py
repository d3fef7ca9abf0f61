"""What many fights say together: who wins, who falls, what is left.

Chances come with Wilson's interval of 95 %. Fights without an end count as undecided, those a ruleset breaks as failed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.forecast.playing import Played

__all__ = [
    "CLOSE",
    "LEAST",
    "Difference",
    "End",
    "Fate",
    "Outlook",
    "Person",
    "close_enough",
    "difference",
    "end_of",
    "failed",
    "outlook",
    "wilson",
]

NINETY_FIVE = 1.959964
CLOSE = 0.05
"""Half the width of an interval that is narrow enough."""
LEAST = 20
"""Fewer fights say nothing."""


class Fate(Struct, frozen=True):
    """A combatant at the end of one fight.

    Attributes:
        id, name: as in the fight.
        own: it is on a side of the players.
        status: its status in a word.
        acts: it can act.
        left, full: its points, where it has any.
    """

    id: Id
    name: str
    own: bool
    status: str
    acts: bool
    left: int = 0
    full: int = 0


class End(Struct, frozen=True):
    """How one fight ended.

    Attributes:
        left: the names of the sides that fought on.
        won: a side of the players fought on.
        rounds: how many it took.
        points: the share of their points that the players' side has left.
        fates: of all combatants, in the order of joining.
        undecided: why it has no end, or "".
        failed: what a ruleset did wrong, or "".
        slips: how many choices the game refused.
    """

    left: tuple[str, ...] = ()
    won: bool = False
    rounds: int = 0
    points: float = 0.0
    fates: tuple[Fate, ...] = ()
    undecided: str = ""
    failed: str = ""
    slips: int = 0


class Person(Struct, frozen=True):
    """What the fights say of one combatant.

    Attributes:
        id, name, own: as of its fate.
        fights: in how many it took part (one that may join later does not in all).
        falls: at the end of how many it cannot act.
        statuses: each status in a word, and how often it had it at the end, the likeliest first.
        left: the points it has left on average.
        full: those it has when unhurt.
    """

    id: Id
    name: str
    own: bool
    fights: int
    falls: int
    statuses: tuple[tuple[str, int], ...]
    left: float = 0.0
    full: int = 0

    @property
    def chance(self) -> float:
        """The share of its fights in which it falls."""
        return self.falls / self.fights

    @property
    def interval(self) -> tuple[float, float]:
        """Between what that chance lies, 95 times in 100."""
        return wilson(self.falls, self.fights)


class Outlook(Struct, frozen=True):
    """What the fights say together.

    Attributes:
        fights: how many came to an end or were undecided; the failed are not among them.
        won: how many the players' side won.
        left: each side's name, and how often it fought on at the end.
        rounds: the median, and the range of nine fights in ten.
        points: the mean share of points the players have left.
        people: what becomes of each combatant.
        undecided, failed: how many, and the first reason.
    """

    fights: int
    won: int
    left: tuple[tuple[str, int], ...] = ()
    rounds: tuple[int, int, int] = (0, 0, 0)
    points: float = 0.0
    people: tuple[Person, ...] = ()
    undecided: int = 0
    failed: int = 0
    reason: str = ""

    @property
    def chance(self) -> float:
        """The share of fights that the players' side won."""
        return self.won / self.fights if self.fights else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the chance lies, 95 times in 100."""
        return wilson(self.won, self.fights)


def wilson(hits: int, tries: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % for a share."""
    if not tries:
        return 0.0, 1.0
    share, square = hits / tries, NINETY_FIVE**2
    middle = (share + square / (2 * tries)) / (1 + square / tries)
    half = NINETY_FIVE * math.sqrt(share * (1 - share) / tries + square / (4 * tries**2)) / (1 + square / tries)
    return max(0.0, middle - half), min(1.0, middle + half)


def close_enough(hits: int, tries: int) -> bool:
    """Tell whether a share is known to within `CLOSE`, by enough fights to say anything."""
    low, high = wilson(hits, tries)
    return tries >= LEAST and high - low <= 2 * CLOSE


def end_of(ruleset: Ruleset, played: Played) -> End:
    """Return the end of a fight that has been played."""
    state, own = played.state, _players(played.state)
    fates = tuple([_fate(ruleset, one, one.side in own) for one in state.combatants])
    names = tuple(side.name for side in state.sides if side.id in played.left)
    won = not played.undecided and any(side in own for side in played.left)
    points = _points(ruleset, state, own)
    return End(names, won, state.clock.round, points, fates, played.undecided, slips=len(played.slips))


def _fate(ruleset: Ruleset, one: Combatant, own: bool) -> Fate:
    status, key = ruleset.status(one.status), _first_pool(ruleset)
    pool = one.pool(key) if one.has_pool(key) else None
    left = max(0, pool.now) if pool is not None and status.takes_part else 0
    return Fate(one.id, one.name, own, status.word, status.acts, left, pool.max if pool is not None else 0)


def failed(error: BaseException) -> End:
    """Return the end of a fight that a ruleset has broken."""
    return End(failed=str(error)[:200] or type(error).__name__)


def _players(state: State) -> tuple[Id, ...]:
    """Return the sides of the players, the first side where there are none."""
    own = tuple(side.id for side in state.sides if side.control == "players")
    return own or tuple(side.id for side in state.sides[:1])


def _first_pool(ruleset: Ruleset) -> str:
    return ruleset.schema.pools[0] if ruleset.schema.pools else ""


def _points(ruleset: Ruleset, state: State, own: Sequence[Id]) -> float:
    """Return the share of points left, none for those out of the fight."""
    key = _first_pool(ruleset)
    pools = [(one, one.pool(key)) for one in state.combatants if one.side in own and one.has_pool(key)]
    full = sum(pool.max for _, pool in pools)
    left = sum(max(0, pool.now) for one, pool in pools if ruleset.status(one.status).takes_part)
    return left / full if full else 0.0


def outlook(ends: Iterable[End]) -> Outlook:
    """Return what many fights say together."""
    found = list(ends)
    broken = [one for one in found if one.failed]
    told = [one for one in found if not one.failed]
    names: Counter[str] = Counter()
    fates: dict[Id, list[Fate]] = {}
    for end in told:
        names.update(end.left if not end.undecided else ())
        for fate in end.fates:
            fates.setdefault(fate.id, []).append(fate)
    rounds = sorted(one.rounds for one in told) or [0]
    reasons = [one.failed or one.undecided for one in found if one.failed or one.undecided]
    return Outlook(
        len(told),
        sum(one.won for one in told),
        tuple(sorted(names.items(), key=lambda pair: -pair[1])),
        (rounds[len(rounds) // 2], rounds[len(rounds) // 20], rounds[-1 - len(rounds) // 20]),
        sum(one.points for one in told) / len(told) if told else 0.0,
        tuple(_person(seen) for seen in fates.values()),
        sum(bool(one.undecided) for one in told),
        len(broken),
        reasons[0] if reasons else "",
    )


def _person(fates: Sequence[Fate]) -> Person:
    one, many = fates[0], len(fates)
    statuses = tuple(Counter(fate.status for fate in fates).most_common())
    falls = sum(not fate.acts for fate in fates)
    return Person(
        one.id,
        one.name,
        one.own,
        many,
        falls,
        statuses,
        sum(fate.left for fate in fates) / many,
        max(f.full for f in fates),
    )


class Difference(Struct, frozen=True):
    """How much more often the players win the one way than the other.

    Attributes:
        fights: pairs of fights with the same seeds.
        mean: the difference of the chances to win.
        low, high: between what it lies, 95 times in 100.
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
