"""The statistics of a fight: defeats, damage, luck of the dice, and the impact of effects."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight import events as ev
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.fight.update import replace_combatant
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.errors import TrackerError
from tracker.core.terms.words import listed
from tracker.views.report.recorder import Defeat, EffectSpan, FightRecord
from tracker.views.words.text import clean, key_words


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


class Hit(Struct, frozen=True):
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
        return self.count * (self.sides + 1) / 2


class FightStats(Struct, frozen=True):
    """The numbers of a fight.

    Attributes:
        defeats: who fell, in order.
        shares: everybody's part, the greatest dealers first.
        biggest: the biggest blow, None where nobody was struck.
        luck: the dice of the players' combatants.
    """

    defeats: tuple[Defeat, ...] = ()
    shares: tuple[Share, ...] = ()
    biggest: Hit | None = None
    luck: tuple[Luck, ...] = ()


def statistics_of(told: FightRecord) -> FightStats:
    """Return the numbers of a fight."""
    dealt, taken, healed, felled = (Counter[Id]() for _ in range(4))
    means: dict[Id, Counter[str]] = defaultdict(Counter)
    blows: list[Hit] = []
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
            Hit(by, who, points, deed.means or deed.label, deed.round) for (by, who), points in struck.items() if points
        ]
    for fall in told.defeats:
        if fall.by is not None:
            felled[fall.by] += 1
    shares = [
        Share(who, dealt[who], taken[who], healed[who], felled[who], tuple(means[who].most_common()))
        for who in (person.id for person in told.people)
    ]
    return FightStats(
        told.defeats,
        tuple(sorted(shares, key=lambda share: -share.dealt)),
        max(blows, key=lambda blow: blow.points, default=None),
        _luck(told),
    )


def _luck(told: FightRecord) -> tuple[Luck, ...]:
    mine = {person.id for person in told.people if person.players}
    counts, totals = Counter[tuple[Id, int]](), Counter[tuple[Id, int]]()
    for throw in told.dice:
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


def left_of(told: FightRecord) -> list[tuple[str, str]]:
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


LATER_AT_MOST = 60
"""Steps that one effect is tried over, so that one that never ends is weighed in bounded time."""


class Played(Struct, frozen=True):
    """A step as it was played: the state before it, the answers, what came."""

    before: State
    step: Step
    answers: Answers
    entries: tuple[ev.Entry, ...]


class Impact(Struct, frozen=True):
    """The impact of one effect.

    Attributes:
        effect, bearer: the effect, and its bearer.
        results: comparisons without it and with it, each with how often.
        points: how many more points were lost with it; negative: fewer.
    """

    effect: str
    bearer: Id
    results: tuple[tuple[tuple[str, str], int], ...] = ()
    points: int = 0


def measure_impact(ruleset: Ruleset, told: FightRecord, hold: EffectSpan, played: Callable[[int], Played]) -> Impact:
    """Return the impact of an effect in the steps while it lasted.

    Each step is played again from its beginning, without the effect, with the same dice. Points that would need other
    dice are left out.
    """
    last = hold.until[0] if hold.until is not None else told.steps - 1
    results, points = Counter[tuple[str, str]](), 0
    for number in range(hold.since[0] + 1, min(last, hold.since[0] + LATER_AT_MOST) + 1):
        step = played(number)
        state = _without(step.before, hold)
        if state is None:
            continue
        try:
            other = run(ruleset, state, step.step, step.answers)
        except TrackerError:
            continue
        if isinstance(other, Done | Pending):
            results += _differing(other.entries, step.entries)
        if isinstance(other, Done):
            points += _lost(step.entries, told.pool) - _lost(other.entries, told.pool)
    return Impact(hold.effect, hold.bearer, tuple(results.most_common()), points)


def _without(state: State, hold: EffectSpan) -> State | None:
    """Return a state without an effect; None if it does not have it."""
    bearer = state.get(hold.bearer)
    if bearer is None or all(effect.id != hold.id for effect in bearer.effects):
        return None
    return replace_combatant(state, replace(bearer, effects=tuple(one for one in bearer.effects if one.id != hold.id)))


def _differing(without: Sequence[ev.Entry], real: Sequence[ev.Entry]) -> Counter[tuple[str, str]]:
    """Return the comparisons that came out otherwise."""
    found = Counter[tuple[str, str]]()
    others = _checks(without)
    for key, results in _checks(real).items():
        for was, now in zip(others.get(key, ()), results, strict=False):
            if was != now:
                found[was, now] += 1
    return found


def _checks(entries: Sequence[ev.Entry]) -> dict[tuple[str, Id | None, Id | None], list[str]]:
    found: dict[tuple[str, Id | None, Id | None], list[str]] = {}
    for entry in entries:
        one = entry.event
        if isinstance(one, ev.Checked) and one.result and not one.result.lstrip("-−").isdigit():
            found.setdefault((one.what, one.who, one.target), []).append(one.result)
    return found


def _lost(entries: Sequence[ev.Entry], pool: str) -> int:
    changes = (entry.event for entry in entries)
    return sum(max(0, one.was - one.now) for one in changes if isinstance(one, ev.PoolChanged) and one.pool == pool)


def impact_words(told: FightRecord, found: Sequence[Impact]) -> Iterator[str]:
    """Yield a line for each effect that has turned something, those of one name together."""
    names = dict.fromkeys(one.effect for one in found if one.results or one.points)
    for name in names:
        mine = [one for one in found if one.effect == name and (one.results or one.points)]
        results = sum((Counter(dict(one.results)) for one in mine), Counter[tuple[str, str]]())
        points = sum(one.points for one in mine)
        words = [
            f"turned {clean(was)} into {clean(now)}{'' if times == 1 else f' {times} times'}"
            for (was, now), times in results.most_common()
        ]
        if points:
            words.append(
                f"{abs(points)} point{'' if abs(points) == 1 else 's'} {'more' if points > 0 else 'fewer'} lost"
            )
        who = listed(list(dict.fromkeys(clean(told.name(one.bearer)) for one in mine)))
        yield f"{clean(name)} on {who}: {', '.join(words)}"


def forced(told: FightRecord, steps: Sequence[Sequence[ev.Entry]]) -> Iterator[str]:
    """Yield a line for each time the GM overruled the rules, with what came."""
    for number, entries in enumerate(steps):
        for entry in entries:
            if isinstance(entry.event, ev.Forced):
                deeds = [deed for deed in told.deeds if deed.step == number]
                lost = sum(max(0, loss.points) for deed in deeds for loss in deed.losses if loss.pool == told.pool)
                falls = [clean(told.name(fall.who)) for deed in deeds for fall in deed.defeats]
                came = [f"{lost} point{'' if lost == 1 else 's'} lost"] if lost else []
                came += [f"{listed(falls)} fell"] if falls else []
                who = f"{clean(told.name(entry.event.by))}: " if told.name(entry.event.by) else ""
                why = clean(entry.event.text)
                yield f"forced, {who}{clean(entry.event.label)} ({why}): {', '.join(came) or 'no points lost'}"


def corrected(ruleset: Ruleset, label: str, without: State, now: State) -> str:
    """Return what would be different without a correction, "" for nothing that counts."""
    found = []
    for one in now.combatants:
        other = without.get(one.id)
        if other is None or (other.status, other.pools) == (one.status, one.pools):
            continue
        pools = [
            f"{key_words(pool.key)} {was.now} and not {pool.now}"
            for was, pool in zip(other.pools, one.pools, strict=False)
            if was.now != pool.now
        ]
        if other.status != one.status:
            pools.append(f"{clean(ruleset.status(other.status).word)} and not {clean(ruleset.status(one.status).word)}")
        found.append(f"{clean(one.name)} {', '.join(pools)}")
    return f"without {clean(label)}: {'; '.join(found)}" if found else ""


def impact_of_effects(
    ruleset: Ruleset, told: FightRecord, played: Callable[[int], Played], corrections: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return every line on what mattered: effects, forced moments, corrections."""
    found = [measure_impact(ruleset, told, hold, played) for hold in told.effects]
    steps = [played(number).entries for number in range(told.steps)]
    return (*impact_words(told, found), *forced(told, steps), *filter(None, corrections))
