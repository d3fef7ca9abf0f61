"""The numbers of a fight: falls, damage, and how the dice fell."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from tracker.core.fight.state import Id
from tracker.views.tale.chronicle import Chronicle, Fall
from tracker.views.words.text import clean


class Share(Struct, frozen=True):
    """One combatant's part: points dealt, taken and given back, how many it felled.

    `by` are the points dealt by each weapon or power.
    """

    who: Id
    dealt: int = 0
    taken: int = 0
    healed: int = 0
    felled: int = 0
    by: tuple[tuple[str, int], ...] = ()


class Blow(Struct, frozen=True):
    """The greatest loss that one deed brought to one combatant."""

    by: Id
    target: Id
    points: int
    label: str
    round: int


class Luck(Struct, frozen=True):
    """A combatant's dice of one kind against what is to be expected.

    `below`: the chance of a smaller sum, half of an equal one counted.
    """

    who: Id
    sides: int
    count: int
    total: int
    below: float

    @property
    def expected(self) -> float:
        """The sum that is to be expected."""
        return self.count * (self.sides + 1) / 2


class Reckoning(Struct, frozen=True):
    """The numbers of a fight.

    Attributes:
        falls: who fell, in order.
        shares: everybody's part, the greatest dealers first.
        biggest: the biggest blow, None where nobody was struck.
        luck: the dice of the players' combatants.
    """

    falls: tuple[Fall, ...] = ()
    shares: tuple[Share, ...] = ()
    biggest: Blow | None = None
    luck: tuple[Luck, ...] = ()


def reckon(told: Chronicle) -> Reckoning:
    """Return the numbers of a fight."""
    dealt, taken, healed, felled = (Counter[Id]() for _ in range(4))
    means: dict[Id, Counter[str]] = defaultdict(Counter)
    blows: list[Blow] = []
    for deed in told.deeds:
        struck = Counter[tuple[Id, Id]]()
        for loss in deed.losses:
            if loss.pool != told.pool:
                continue
            if loss.points < 0:
                healed[loss.who] -= loss.points
                continue
            taken[loss.who] += loss.points
            if loss.source is not None:
                dealt[loss.source] += loss.points
                means[loss.source][deed.means or deed.label] += loss.points
                struck[loss.source, loss.who] += loss.points
        blows += [
            Blow(by, who, points, deed.means or deed.label, deed.round)
            for (by, who), points in struck.items()
            if points
        ]
    for fall in told.falls:
        if fall.by is not None:
            felled[fall.by] += 1
    shares = [
        Share(who, dealt[who], taken[who], healed[who], felled[who], tuple(means[who].most_common()))
        for who in (person.id for person in told.people)
    ]
    return Reckoning(
        told.falls,
        tuple(sorted(shares, key=lambda share: -share.dealt)),
        max(blows, key=lambda blow: blow.points, default=None),
        _luck(told),
    )


def _luck(told: Chronicle) -> tuple[Luck, ...]:
    mine = {person.id for person in told.people if person.players}
    counts, totals = Counter[tuple[Id, int]](), Counter[tuple[Id, int]]()
    for throw in told.throws:
        if throw.who in mine and throw.sides > 1:
            counts[throw.who, throw.sides] += throw.count
            totals[throw.who, throw.sides] += throw.total
    order = {person.id: place for place, person in enumerate(told.people)}
    return tuple(
        Luck(who, sides, count, totals[who, sides], chance_below(count, sides, totals[who, sides]))
        for (who, sides), count in sorted(counts.items(), key=lambda each: (order[each[0][0]], -each[0][1]))
    )


def chance_below(count: int, sides: int, total: int) -> float:
    """Return the chance that so many dice show less, half of an equal sum counted."""
    sums = _sums(count, sides)
    place = total - count
    return sum(sums[: max(0, place)]) + (sums[place] / 2 if 0 <= place < len(sums) else 0.0)


@lru_cache(maxsize=64)
def _sums(count: int, sides: int) -> tuple[float, ...]:
    """Return the chance of every sum of dice, from the least on."""
    sums = [1.0]
    for _ in range(count):
        upto = [0.0, *accumulate(sums)]
        size = len(sums) + sides - 1
        sums = [(upto[min(len(sums), place + 1)] - upto[max(0, place + 1 - sides)]) / sides for place in range(size)]
    return tuple(sums)


def left_of(told: Chronicle) -> list[tuple[str, str]]:
    """Return what each player's character has left.

    That is its points, and in the game's words what else the fight has left on it.
    """
    last = {point.who: point.now for point in told.points}
    found = []
    for one in told.people:
        points = [f"{last[one.id]}/{one.max}".replace("-", "−")] if one.max and one.id in last else []
        if one.players and (points or one.left is not None):
            found.append((clean(one.name), ", ".join([*points, *map(clean, one.left or ())]) or "unharmed"))
    return found
