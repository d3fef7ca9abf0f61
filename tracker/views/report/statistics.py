"""The numbers of a fight: who fell, who dealt and took how much, and the luck of the dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.terms.words import minus
from tracker.views.report.names import enumerated
from tracker.views.report.record import Ending, FightRecord, Harm, StatusChange
from tracker.views.words.text import clean

FEWEST_DICE = 5
"""Fewer dice of a kind say nothing about luck."""
SIGNS: dict[Ending, str] = {"dead": "†", "down": "▼", "fled": "→", "broken": "⚑", "standing": " "}
"""How a combatant has ended; a dagger is for the dead alone."""


class Share(Struct, frozen=True):
    """One combatant's part: points dealt, taken and given back, marks dealt and taken, how many it brought down.

    `by` are the points or marks dealt by each weapon or power.
    """

    who: Id
    dealt: int = 0
    taken: int = 0
    healed: int = 0
    marked: int = 0
    marks: int = 0
    felled: int = 0
    by: tuple[tuple[str, int], ...] = ()

    @property
    def counts(self) -> bool:
        return any((self.dealt, self.taken, self.healed, self.marked, self.marks, self.felled))


class Hit(Struct, frozen=True):
    """The greatest loss that one action brought to one combatant; `marks`: it is counted in marks."""

    by: Id
    target: Id
    points: int
    label: str
    round: int
    marks: bool = False


class Defeat(Struct, frozen=True):
    """A combatant that does not stand at the end: how it has ended, and what brought it down; `saved` since."""

    who: Id
    ending: Ending
    status: str
    change: StatusChange | None
    saved: bool = False

    @property
    def sign(self) -> str:
        return " " if self.saved else SIGNS[self.ending]


class Luck(Struct, frozen=True):
    """A combatant's dice of one kind.

    `better`: the chance that as many dice show a worse sum; worse is lower, or higher if `low` numbers are good.
    """

    who: Id
    sides: int
    count: int
    total: int
    better: float
    low: bool = False

    @property
    def expected(self) -> float:
        return self.count * (self.sides + 1) / 2

    @property
    def words(self) -> str:
        """Its luck: `luckier than 63 of 100 such rolls`."""
        return f"luckier than {round(self.better * 100)} of 100 such rolls"


class FightStats(Struct, frozen=True):
    """The numbers of a fight.

    Attributes:
        defeats: who does not stand at the end, in order.
        shares: everybody's part, the greatest dealers first.
        nobodys: points and marks that no combatant dealt, by reason, "" without one.
        biggest: the biggest hit, None if there was none.
        luck: the dice of the players' characters, of each kind at least `FEWEST_DICE`.
    """

    defeats: tuple[Defeat, ...] = ()
    shares: tuple[Share, ...] = ()
    nobodys: tuple[tuple[str, int], ...] = ()
    biggest: Hit | None = None
    luck: tuple[Luck, ...] = ()


def marks_of(harm: Harm) -> int:
    """Return how many marks harm is; a mark that becomes a graver one counts as one."""
    return sum(max(0, mark) for mark in harm.marks)


def statistics_of(record: FightRecord) -> FightStats:
    dealt, taken, healed, marked, marks, felled = (Counter[Id]() for _ in range(6))
    means: dict[Id, Counter[str]] = defaultdict(Counter)
    nobodys = Counter[str]()
    struck = Counter[tuple[tuple[int, int], Id, Id, str, int, bool]]()
    for harm, act in record.harms:
        points, boxes = max(0, harm.points), marks_of(harm)
        healed[harm.who] += max(0, -harm.points)
        taken[harm.who] += points
        marks[harm.who] += boxes
        if not points and not boxes:
            continue
        if harm.by is None:
            nobodys[harm.why] += points or boxes
            continue
        label = harm.why if act is None else act.means or act.label
        dealt[harm.by] += points
        marked[harm.by] += boxes
        means[harm.by][label] += points or boxes
        if act is not None:
            struck[act.ref, harm.by, harm.who, label, act.round, not points] += points or boxes
    for change in record.changes:
        if change.falls and change.by is not None:
            felled[change.by] += 1
    shares = [
        Share(who, dealt[who], taken[who], healed[who], marked[who], marks[who], felled[who], _by(means[who]))
        for who in (person.id for person in record.people)
    ]
    hits = [Hit(by, who, points, label, at, box) for (_, by, who, label, at, box), points in struck.items()]
    return FightStats(
        _defeats(record),
        tuple(sorted(shares, key=lambda share: -(share.dealt + share.marked))),
        tuple(nobodys.most_common()),
        max((hit for hit in hits if hit.points), key=lambda hit: hit.points, default=None),
        _luck(record),
    )


def _by(means: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(means.most_common())


def _defeats(record: FightRecord) -> tuple[Defeat, ...]:
    last = {change.who: change for change in record.changes}
    fell = {change.who: change for change in record.changes if change.falls}
    found = []
    for person in record.people:
        if person.ending != "standing":
            saved = person.id in last and not last[person.id].falls
            found.append(Defeat(person.id, person.ending, person.status, fell.get(person.id), saved))
    return tuple(sorted(found, key=lambda fall: fall.change.ref if fall.change else (record.steps, 0)))


def _luck(record: FightRecord) -> tuple[Luck, ...]:
    mine = {person.id for person in record.people if person.players}
    counts, totals = Counter[tuple[Id, int]](), Counter[tuple[Id, int]]()
    for roll in record.dice:
        if roll.who in mine and roll.sides > 1:
            counts[roll.who, roll.sides] += roll.count
            totals[roll.who, roll.sides] += roll.total
    order = {person.id: place for place, person in enumerate(record.people)}
    found = []
    for (who, sides), count in sorted(counts.items(), key=lambda each: (order[each[0][0]], -each[0][1])):
        if count >= FEWEST_DICE:
            total, low = totals[who, sides], sides in record.telling.low_dice
            found.append(Luck(who, sides, count, total, chance_worse(count, sides, total, low), low))
    return tuple(found)


def chance_worse(count: int, sides: int, total: int, low: bool = False) -> float:
    """Return the chance that so many dice show less than a total, or more if low numbers are good."""
    sums = _sums(count, sides)
    place = max(0, total - count)
    return sum(sums[place + 1 :]) if low else sum(sums[:place])


@lru_cache(maxsize=64)
def _sums(count: int, sides: int) -> tuple[float, ...]:
    """Return the chance of every sum of dice, from the least on."""
    sums = [1.0]
    for _ in range(count):
        upto = [0.0, *accumulate(sums)]
        size = len(sums) + sides - 1
        sums = [(upto[min(len(sums), place + 1)] - upto[max(0, place + 1 - sides)]) / sides for place in range(size)]
    return tuple(sums)


def left_of(record: FightRecord) -> list[tuple[str, str]]:
    """Return what each player's character has left: its points, and in the game's words what else is left on it."""
    found = []
    for one in record.people:
        points = [minus(f"{one.now}/{one.max}")] if one.max else []
        if one.players and (points or one.left is not None):
            found.append((clean(one.name), ", ".join([*points, *map(clean, one.left or ())]) or "unharmed"))
    return found


def cause(record: FightRecord, change: StatusChange | None) -> tuple[str, str]:
    """Return who brought a change about, and with what; "" where nobody did."""
    if change is None or change.by in (None, change.who):
        return "", ""
    return clean(record.name(change.by)), clean(change.means)


def nobodys_words(numbers: FightStats) -> str:
    """Return the harm that no combatant did: `dealt by no combatant: bleeding 3 and otherwise 31`."""
    known_first = sorted(numbers.nobodys, key=lambda harm: not harm[0])
    found = enumerated([f"{clean(why) or 'otherwise'} {points}" for why, points in known_first])
    return f"dealt by no combatant: {found.removeprefix('otherwise ')}" if found else ""
