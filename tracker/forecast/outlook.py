"""What many fights say together: who wins, who falls, what is left.

Chances come with Wilson's interval of 95 %. Fights without an end count as undecided, those a ruleset breaks as failed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.forecast.playing import Played

__all__ = ["CLOSE", "LEAST", "End", "Fate", "Outlook", "close_enough", "end_of", "failed", "outlook", "wilson"]

NINETY_FIVE = 1.959964
CLOSE = 0.05
"""Half the width of an interval that is narrow enough."""
LEAST = 20
"""Fewer fights say nothing."""


class Fate(Struct, frozen=True):
    """A player's combatant at the end: its status, and whether it can act."""

    name: str
    status: str
    acts: bool


class End(Struct, frozen=True):
    """How one fight ended.

    Attributes:
        left: the names of the sides that fought on.
        won: a side of the players fought on.
        rounds: how many it took.
        points: the share of their points that the players' side has left.
        fates: of the players' combatants.
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


class Outlook(Struct, frozen=True):
    """What the fights say together.

    Attributes:
        fights: how many came to an end or were undecided; the failed are not among them.
        won: how many the players' side won.
        left: each side's name, and how often it fought on at the end.
        rounds: the median, and the range of nine fights in ten.
        points: the mean share of points the players have left.
        fates: each combatant of the players, how often it could act at the end, and how often it had each status.
        undecided, failed: how many, and the first reason.
    """

    fights: int
    won: int
    left: tuple[tuple[str, int], ...] = ()
    rounds: tuple[int, int, int] = (0, 0, 0)
    points: float = 0.0
    fates: tuple[tuple[str, int, tuple[tuple[str, int], ...]], ...] = ()
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
    people = [one for one in state.combatants if one.side in own]
    fates = tuple(Fate(one.name, status.word, status.acts) for one in people for status in [ruleset.status(one.status)])
    names = tuple(side.name for side in state.sides if side.id in played.left)
    won = not played.undecided and any(side in own for side in played.left)
    points = _points(ruleset, state, own)
    return End(names, won, state.clock.round, points, fates, played.undecided, slips=len(played.slips))


def failed(error: BaseException) -> End:
    """Return the end of a fight that a ruleset has broken."""
    return End(failed=str(error)[:200] or type(error).__name__)


def _players(state: State) -> tuple[Id, ...]:
    """Return the sides of the players, the first side where there are none."""
    own = tuple(side.id for side in state.sides if side.control == "players")
    return own or tuple(side.id for side in state.sides[:1])


def _points(ruleset: Ruleset, state: State, own: Sequence[Id]) -> float:
    """Return the share of points left, none for those out of the fight."""
    key = ruleset.schema.pools[0] if ruleset.schema.pools else ""
    pools = [(one, one.pool(key)) for one in state.combatants if one.side in own and one.has_pool(key)]
    full = sum(pool.max for _, pool in pools)
    left = sum(max(0, pool.now) for one, pool in pools if ruleset.status(one.status).takes_part)
    return left / full if full else 0.0


def outlook(ends: Iterable[End]) -> Outlook:
    """Return what many fights say together."""
    found = list(ends)
    broken = [one for one in found if one.failed]
    told = [one for one in found if not one.failed]
    names: dict[str, int] = {}
    fates: dict[str, Counter[str]] = {}
    acting: Counter[str] = Counter()
    for end in told:
        for name in end.left if not end.undecided else ():
            names[name] = names.get(name, 0) + 1
        for fate in end.fates:
            fates.setdefault(fate.name, Counter())[fate.status] += 1
            acting[fate.name] += fate.acts
    rounds = sorted(one.rounds for one in told) or [0]
    reasons = [one.failed or one.undecided for one in found if one.failed or one.undecided]
    return Outlook(
        len(told),
        sum(one.won for one in told),
        tuple(sorted(names.items(), key=lambda pair: -pair[1])),
        (rounds[len(rounds) // 2], rounds[len(rounds) // 20], rounds[-1 - len(rounds) // 20]),
        sum(one.points for one in told) / len(told) if told else 0.0,
        tuple((name, acting[name], tuple(counted.most_common())) for name, counted in fates.items()),
        sum(bool(one.undecided) for one in told),
        len(broken),
        reasons[0] if reasons else "",
    )
