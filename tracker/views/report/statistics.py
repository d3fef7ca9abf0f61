"""The numbers of a fight: defeats, damage dealt and taken, and the luck of the dice."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct

from tracker.core.fight.slots import Id
from tracker.core.terms.words import minus, possessive
from tracker.views.report.names import enumerated, in_round
from tracker.views.report.record import Ending, FightRecord, Harm, Ref, StatusChange
from tracker.views.words.text import clean, key_words

FEWEST_DICE = 5
"""Fewer dice of a kind say nothing about luck."""
SIGNS: dict[Ending, str] = {"dead": "†", "down": "▼", "fled": "→", "broken": "⚑", "standing": " "}
"""Signs for the end of a combatant; only a dead one has a dagger."""


class Share(Struct, frozen=True):
    """The part of one combatant: points dealt, taken and regained, marks dealt and taken, combatants it brought down.

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
        return any(getattr(self, name) for name in TITLES)


TITLES = {
    "dealt": "dealt", "taken": "taken", "marked": "marks dealt", "marks": "marks taken", "healed": "got back",
    "felled": "felled",
}  # fmt: skip # a plain list of words
"""The numbers of a share with their titles."""


class Hit(Struct, frozen=True):
    """The greatest loss of one combatant by one action; `marks`: it is counted in marks."""

    by: Id
    target: Id
    points: int
    label: str
    round: int
    marks: bool = False

    def words(self, record: FightRecord) -> str:
        """Return the hit in words: `Snag's great club took 9 from Ordwen in round 3`."""
        weapon = f"{possessive(record.name(self.by))} {clean(key_words(self.label))}"
        unit = " marks" if self.marks else ""
        return f"{weapon} took {self.points}{unit} from {record.name(self.target)} {in_round(self.round)}"


class Defeat(Struct, frozen=True):
    """A combatant that does not stand at the end, and the change that brought it down; `saved`: it was saved since."""

    who: Id
    ending: Ending
    status: str
    change: StatusChange | None
    saved: bool = False

    @property
    def sign(self) -> str:
        return " " if self.saved else SIGNS[self.ending]


class Luck(Struct, frozen=True):
    """The dice of one kind of a combatant.

    `better`: the chance that as many dice give a worse sum; worse is lower, or higher if `low` numbers are good.
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
        """The luck in words: `luckier than 63 of 100 such rolls`."""
        return f"luckier than {round(self.better * 100)} of 100 such rolls"


class FightStats(Struct, frozen=True):
    """The numbers of a fight.

    Attributes:
        defeats: the combatants that do not stand at the end, in order.
        shares: the part of each combatant, the greatest damage first.
        nobodys: points and marks that no combatant dealt, by reason; "": without a reason.
        biggest: the biggest hit, None if there was none.
        luck: the dice of player characters, of each kind at least `FEWEST_DICE`.
    """

    defeats: tuple[Defeat, ...] = ()
    shares: tuple[Share, ...] = ()
    nobodys: tuple[tuple[str, int], ...] = ()
    biggest: Hit | None = None
    luck: tuple[Luck, ...] = ()


def marks_of(harm: Harm) -> int:
    """Return the number of marks of harm; a mark that becomes a graver one counts as one."""
    return sum(max(0, mark) for mark in harm.marks)


def statistics_of(record: FightRecord) -> FightStats:
    dealt, taken, healed, marked, marks, felled = (Counter[Id]() for _ in range(6))
    means: dict[Id, Counter[str]] = defaultdict(Counter)
    nobodys = Counter[str]()
    hits = Counter[tuple[Ref, Id, Id, str, int, bool]]()
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
            hits[act.ref, harm.by, harm.who, label, act.round, not points] += points or boxes
    for change in record.changes:
        if change.falls and change.by is not None:
            felled[change.by] += 1
    shares = []
    for who in (person.id for person in record.people):
        by = tuple(means[who].most_common())
        shares.append(Share(who, dealt[who], taken[who], healed[who], marked[who], marks[who], felled[who], by))
    biggest = [
        Hit(by, target, points, label, at, in_marks)
        for (_, by, target, label, at, in_marks), points in hits.most_common(1)
    ]
    return FightStats(
        _defeats(record),
        tuple(sorted(shares, key=lambda share: -(share.dealt + share.marked))),
        tuple(nobodys.most_common()),
        next(iter(biggest), None),
        _luck(record),
    )


def _defeats(record: FightRecord) -> tuple[Defeat, ...]:
    last = {change.who: change for change in record.changes}
    falls = {change.who: change for change in record.changes if change.falls}
    defeats = [
        Defeat(
            person.id,
            person.ending,
            person.status,
            falls.get(person.id),
            saved=person.id in last and not last[person.id].falls,
        )
        for person in record.people
        if person.ending != "standing"
    ]
    return tuple(sorted(defeats, key=lambda defeat: defeat.change.ref if defeat.change else (record.steps, 0)))


def _luck(record: FightRecord) -> tuple[Luck, ...]:
    order = {person.id: place for place, person in enumerate(record.people) if person.players}
    counts, totals = Counter[tuple[Id, int]](), Counter[tuple[Id, int]]()
    for roll in record.dice:
        if roll.who in order and roll.sides > 1:
            counts[roll.who, roll.sides] += roll.count
            totals[roll.who, roll.sides] += roll.total
    luck = []
    for who, sides in sorted(counts, key=lambda kind: (order[kind[0]], -kind[1])):
        count, total, low = counts[who, sides], totals[who, sides], sides in record.telling.low_dice
        if count >= FEWEST_DICE:
            luck.append(Luck(who, sides, count, total, chance_worse(count, sides, total, low), low))
    return tuple(luck)


def chance_worse(count: int, sides: int, total: int, low: bool = False) -> float:
    """Return the chance that so many dice give less than a total, or more if low numbers are good."""
    sums = _sums(count, sides)
    place = max(0, total - count)
    return sum(sums[place + 1 :]) if low else sum(sums[:place])


@lru_cache(maxsize=64)
def _sums(count: int, sides: int) -> tuple[float, ...]:
    """Return the chance of every sum of dice, the lowest sum first."""
    sums = [1.0]
    for _ in range(count):
        upto = [0.0, *accumulate(sums)]
        size = len(sums) + sides - 1
        sums = [(upto[min(len(sums), place + 1)] - upto[max(0, place + 1 - sides)]) / sides for place in range(size)]
    return tuple(sums)


def left_of(record: FightRecord) -> list[tuple[str, str]]:
    """Return each player character with its points, and other effects of the fight on it in the game's words."""
    rows = []
    for person in record.people:
        points = [minus(f"{person.now}/{person.max}")] if person.max else []
        if person.players and (points or person.left is not None):
            rows.append((clean(person.name), ", ".join([*points, *map(clean, person.left or ())]) or "unharmed"))
    return rows


def cause(record: FightRecord, change: StatusChange | None) -> tuple[str, str]:
    """Return the combatant that caused a change, and its weapon; "" if no other combatant did."""
    if change is None or change.by in (None, change.who):
        return "", ""
    return record.name(change.by), clean(change.means)


def nobodys_words(numbers: FightStats) -> str:
    """Return the harm that no combatant did: `dealt by no combatant: bleeding 3 and otherwise 31`."""
    reasons_first = sorted(numbers.nobodys, key=lambda harm: not harm[0])
    words = enumerated([f"{clean(why) or 'otherwise'} {points}" for why, points in reasons_first])
    return f"dealt by no combatant: {words.removeprefix('otherwise ')}" if words else ""
