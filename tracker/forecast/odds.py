"""Odds: the results of an action, found by running its step with every answer of its dice, the likeliest first.

1. Dice are watched (`core.step.watched`): totals that make no difference to a run are counted with it, and pairs of
totals if two rolls are compared; all others are run. If rules need each face, each face is run.
2. Windows are passed, and questions take their default; what follows a question without a default stays open.
3. The part that is open when the time is up is shown as the error. If it is more than `CLOSE`, it is sampled, and the
figures are "about" right.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate, count, product
from math import prod
from typing import NamedTuple, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Done, Pending, Step, run
from tracker.core.step.watched import WatchedRoll, as_watched
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll

CLOSE = 0.01
MOST_FACES = 400
MOST_OPEN = 4_000
MOST_FIRST, UNSEEN = 100, 0.0005
"""Most runs of the search up to the first comparison, and the largest open part with which its chances are used."""
FIRST_LOOK_SECONDS = 0.005
"""Seconds of computing after which `glance` gets the figures so far."""
BARE = ("succeeds", "fails")
"""Results that mean nothing without the name of their roll."""
TRIFLE = 1e-9
"""Rounds halves up in every version of Python, in whatever order it adds."""


class Tally(Struct, frozen=True):
    """The results of an action for one combatant it harms or heals.

    Attributes:
        who: the combatant.
        results: chances of the results of the first comparison ("hit", "miss", "critical"), the likeliest first.
        success: the chance that the first comparison is a success for the actor; None if it is neither.
        extras: chances of the game's other outcomes ("Shock", "critical", "2 ticks"), the likeliest first.
        drops: the chance that it can no longer act.
        mean: mean loss of its first pool; below 0 for a gain.
    """

    who: Id
    results: tuple[tuple[str, float], ...] = ()
    extras: tuple[tuple[str, float], ...] = ()
    drops: float = 0.0
    mean: float = 0.0
    success: float | None = None


class Odds(Struct, frozen=True):
    """The figures of an action: one tally for each combatant concerned, and the open part.

    Attributes:
        tallies: in the order of joining.
        open: the share whose end is unknown; 0: the figures are exact.
        sampled: the open part was drawn, not counted.
        runs: the number of runs of the step.
        refused: why the step is refused, or "".
        error: how far a chance may be off: the open part; if that was drawn, at most twice the standard error.
        asks: the part of `open` in which a success is known and a question without a default follows.
    """

    tallies: tuple[Tally, ...] = ()
    open: float = 0.0
    sampled: bool = False
    runs: int = 0
    refused: str = ""
    error: float = 0.0
    asks: float = 0.0


class End(NamedTuple):
    """The counted facts of one end of the step."""

    results: tuple[tuple[Id, str], ...]
    successes: tuple[tuple[Id, bool], ...]
    extras: tuple[tuple[Id, str], ...]
    drops: tuple[Id, ...]
    lost: tuple[tuple[Id, float], ...]


class _Sums:
    """Weighted sums over the ends of the step."""

    def __init__(self, ruleset: Ruleset, before: State, actor: Id | None) -> None:
        self.ruleset, self.before, self.actor = ruleset, before, actor
        self.weight = 0.0
        self.results: dict[tuple[Id, str], float] = {}
        self.successes: dict[Id, float] = {}
        self.extras: dict[tuple[Id, str], float] = {}
        self.drops: dict[Id, float] = {}
        self.lost: dict[Id, float] = {}

    def end(self, done: Done | Pending) -> End:
        """Return the counted facts of an end of the step, or those known before a question."""
        results, successes = dict[Id, str](), dict[Id, bool]()
        for entry in done.entries:
            event = entry.event
            if not isinstance(event, Checked) or (event.target is None and event.who != self.actor):
                continue
            defends = event.target == self.actor  # the other side rolls: the result is that of the combatant who rolls
            result = f"{event.what} {event.result}" if defends and event.result in BARE else event.result
            whose = event.who if defends else event.target or event.who
            if whose is not None and whose not in results:
                results[whose] = result
                if event.success is not UNSET:
                    successes[whose] = event.success is not defends
        pool = self.ruleset.schema.pools[0] if self.ruleset.schema.pools else ""
        extras, drops, lost = list[tuple[Id, str]](), list[Id](), list[tuple[Id, float]]()
        for combatant in done.state.combatants:
            was = self.before.get(combatant.id)
            if was is None or was is combatant:
                continue
            words = self.ruleset.outcomes(self.before, done.state, done.entries, combatant.id)
            extras += [(combatant.id, word) for word in words]
            if status_of(self.ruleset, was.status).acts and not status_of(self.ruleset, combatant.status).acts:
                drops.append(combatant.id)
            if was.has_pool(pool):
                lost.append((combatant.id, was.pool(pool).now - combatant.pool(pool).now))
        return End(tuple(results.items()), tuple(successes.items()), tuple(extras), tuple(drops), tuple(lost))

    def add(self, chance: float, end: End) -> None:
        """Count an end of the step, or several equal ones."""
        self.weight += chance
        for result in end.results:
            self.results[result] = self.results.get(result, 0.0) + chance
        for who, success in end.successes:
            self.successes[who] = self.successes.get(who, 0.0) + (chance if success else 0.0)
        for extra in end.extras:
            self.extras[extra] = self.extras.get(extra, 0.0) + chance
        for who in end.drops:
            self.drops[who] = self.drops.get(who, 0.0) + chance
        for who, loss in end.lost:
            if loss:
                self.lost[who] = self.lost.get(who, 0.0) + chance * loss

    def tallies(self) -> tuple[Tally, ...]:
        """Return the figures, scaled to the share that was computed."""
        total = self.weight or 1.0
        concerned = {who for who, _ in (*self.results, *self.extras)} | set(self.drops) | set(self.lost)
        return tuple(
            Tally(
                who,
                _ranked(self.results, who, total),
                _ranked(self.extras, who, total),
                self.drops.get(who, 0.0) / total,
                self.lost.get(who, 0.0) / total,
                self.successes[who] / total if who in self.successes else None,
            )
            for who in self.before.places
            if who in concerned
        )


def _ranked(chances: dict[tuple[Id, str], float], whose: Id, total: float) -> tuple[tuple[str, float], ...]:
    listed = [(word, chance / total) for (who, word), chance in chances.items() if who == whose]
    return tuple(sorted(listed, key=lambda item: (-item[1], item[0])))


def odds(
    ruleset: Ruleset,
    state: State,
    action: Action,
    *,
    seconds: float = 0.005,
    enough: float = 0.0,
    sample_seconds: float = 0.0,
    cancelled: Callable[[], bool] = lambda: False,
    forced: bool = False,
    clock: Callable[[], float] = time.thread_time,
    seed: int = 0,
    glance: Callable[[Odds], None] | None = None,
) -> Odds:
    """Return the figures of an action.

    They are counted until no more than `enough` is open, for at most `seconds`; if more than `CLOSE` is open then, that
    part is drawn for `sample_seconds`. After `FIRST_LOOK_SECONDS`, `glance` gets the figures so far. All are seconds of
    computing: on a busy machine the figures come later and are as exact.
    """
    search = _Search(ruleset, state, action, forced=forced)
    end, early = clock() + seconds, clock() + FIRST_LOOK_SECONDS
    while search.left > enough and (search.runs == 0 or clock() < end) and len(search.waiting) < MOST_OPEN:
        search.count_next()
        if search.refused:
            return Odds(refused=search.refused, runs=1)
        if cancelled():
            break
        if glance is not None and search.waiting and clock() >= early:
            glance(search.counted())
            glance = None
    figures = search.counted()
    if search.left > CLOSE and sample_seconds > 0 and not cancelled():
        end = clock() + sample_seconds
        figures = search.drawn(random.Random(seed), lambda: clock() < end and not cancelled())
    with_success = [tally for tally in figures.tallies if tally.success is not None]
    if len(with_success) == 1 and figures.open - figures.asks > enough:
        first = _Search(ruleset, state, action, forced=forced, first=True)
        while first.left > UNSEEN and first.runs < MOST_FIRST and not cancelled():
            first.count_next()
        figures = _with_comparison(figures, with_success[0], first.counted())
    return figures


def _with_comparison(found: Odds, judged: Tally, first: Odds) -> Odds:
    """Return figures with the exact chances of the first comparison, if it concerns this one combatant alone."""
    compared = [tally for tally in first.tallies if tally.success is not None]
    if first.open - first.asks > UNSEEN or [tally.who for tally in compared] != [judged.who]:
        return found
    exact = replace(judged, results=compared[0].results, success=compared[0].success)
    tallies = tuple(exact if tally is judged else tally for tally in found.tallies)
    return replace(found, tallies=tallies, asks=found.open)


class _Fall(NamedTuple):
    """One result of a roll, and its chance."""

    answer: DiceAnswer
    chance: float


_Pairs: TypeAlias = dict[tuple[str, str], tuple[tuple[_Fall, _Fall], ...]]
"""Pairs of results that two compared rolls may have, by the keys of the rolls."""


class _Box(NamedTuple):
    """Ends of the step that are still to be run: those with these results of the first rolls and these pairs.

    Boxes are ordered by their negative chance, so that the likeliest is run first, then by their number.
    """

    negative: float
    order: int
    rolls: dict[str, tuple[_Fall, ...]]
    pairs: _Pairs

    def likeliest(self) -> dict[str, _Fall]:
        """Return the likeliest results of the rolls that are compared with each other."""
        falls = dict[str, _Fall]()
        for keys, ways in self.pairs.items():
            best = max(ways, key=_together)
            falls |= zip(keys, best, strict=True)
        return falls

    def drawn(self, chance: random.Random) -> dict[str, _Fall]:
        """Draw a result of each roll."""
        falls = {key: _drawn(chance, ways) for key, ways in self.rolls.items()}
        for keys, ways in self.pairs.items():
            falls |= zip(keys, chance.choices(ways, [_together(way) for way in ways])[0], strict=True)
        return falls


def _together(pair: tuple[_Fall, _Fall]) -> float:
    return pair[0].chance * pair[1].chance


def _drawn(chance: random.Random, ways: Sequence[_Fall]) -> _Fall:
    return chance.choices(ways, [way.chance for way in ways])[0]


class _Asked(NamedTuple):
    """A roll of a run: its possible results, and the result that was tried."""

    key: str
    ways: tuple[_Fall, ...]
    tried: _Fall
    watched: WatchedRoll | None

    def split(self) -> tuple[tuple[_Fall, ...], tuple[_Fall, ...]]:
        """Return the results that give the same run, and the other results."""
        if self.watched is None:
            return (self.tried,), tuple([way for way in self.ways if way is not self.tried])
        left = set(self.watched.left())
        alike = tuple([way for way in self.ways if way.answer.total in left])
        return alike, tuple([way for way in self.ways if way.answer.total not in left])


class _Search:
    """The search for all ends of one step."""

    def __init__(self, ruleset: Ruleset, state: State, action: Action, *, forced: bool, first: bool = False) -> None:
        """Begin a search; `first`: only up to the first comparison, as if a question followed it."""
        self.rolled = 1 if first else MOST_OPEN
        self.ruleset, self.state, self.step = ruleset, state, Step("do", (action,), forced=forced)
        self.sums = _Sums(self.ruleset, state, action.by)
        self.order, self.runs, self.refused = count(1), 0, ""
        self.waiting = [_Box(-1.0, 0, {}, {})]
        self.left, self.stuck, self.asks = 1.0, 0.0, 0.0
        """The chance of the ends that wait, of those that stay unknown, and of those unknown after a known success."""

    def count_next(self) -> None:
        """Run the step for the likeliest box; its part with other ends is split into smaller boxes."""
        box, asked = heapq.heappop(self.waiting), dict[str, _Asked]()
        chosen = box.likeliest()
        self.left = self.left + box.negative if self.waiting else 0.0

        def answer(request: Request) -> Answer | None:
            if not isinstance(request, Roll):
                return request.default_answer
            if request.key not in asked and len(asked) >= self.rolled:
                return None
            ways = box.rolls.get(request.key) or _falls(request)
            tried = chosen.get(request.key, ways[0])
            if tried.answer.faces:
                asked[request.key] = _Asked(request.key, ways, tried, None)
                return tried.answer
            watched = WatchedRoll(range(request.dice.minimum, request.dice.maximum + 1), tried.answer.total)
            asked[request.key] = _Asked(request.key, ways, tried, watched)
            return DiceAnswer(watched.total())

        while True:
            outcome = run(self.ruleset, self.state, self.step, (), answer, watched=True)
            self.runs += 1
            if isinstance(outcome, Refusal) and self.runs == 1:
                self.refused = outcome.text
                return
            end = None if isinstance(outcome, Refusal) else self.sums.end(outcome)  # it looks at totals as well
            waits = isinstance(outcome, Pending) and isinstance(outcome.request, Roll)
            if not waits or end is None or end.successes:
                break
            self.rolled, asked = len(asked) + 1, {}
        if end is not None:
            result = " ".join(words for _, words in (*end.results, *end.extras))
            for roll in asked.values():
                if roll.watched is not None:
                    roll.watched.read_in(result)
        rolls, pairs, chance = self._split(box, asked)
        known = end is not None and (isinstance(outcome, Done) or bool(end.successes))
        if not isinstance(outcome, Done):
            self.stuck += chance
            self.asks += chance if known else 0.0
        if end is not None and known:
            keys = {roll.watched: key for key, roll in asked.items()}
            lost = tuple([(who, _mean(loss, keys, rolls, pairs)) for who, loss in end.lost])
            self.sums.add(chance, end._replace(lost=lost))

    def _split(self, box: _Box, asked: dict[str, _Asked]) -> tuple[dict[str, tuple[_Fall, ...]], _Pairs, float]:
        """Put the ends that a run does not represent into boxes; return rolls, pairs and chance of those it does."""
        rolls, pairs = dict(box.rolls), dict(box.pairs)
        keys = {roll.watched: key for key, roll in asked.items()}
        done = set[WatchedRoll]()
        for key, roll in asked.items():
            alike, others = roll.split()
            if others:  # the box itself may limit later rolls
                self._wait(rolls | {key: others}, pairs)
            rolls[key] = alike
            if roll.watched is None or (pair := roll.watched.pair) is None:
                continue
            done.add(roll.watched)
            if not done.issuperset((pair.first, pair.second)):
                continue  # until the other roll's results are known
            left = pair.left()
            both = keys[pair.first], keys[pair.second]
            if turned := both[::-1] in pairs:
                both = both[::-1]
            same, different = list[tuple[_Fall, _Fall]](), list[tuple[_Fall, _Fall]]()
            for ways in pairs.get(both) or product(rolls[both[0]], rolls[both[1]]):
                totals = (ways[0].answer.total, ways[1].answer.total)
                (same if (totals[::-1] if turned else totals) in left else different).append(ways)
            self._wait(dict(rolls), pairs | {both: tuple(different)})
            pairs[both] = tuple(same)
        pairs = _within(rolls, pairs)
        return rolls, pairs, _chance(rolls, pairs, asked)

    def _wait(self, rolls: dict[str, tuple[_Fall, ...]], pairs: _Pairs) -> None:
        """Put the ends with these results of the rolls into a box."""
        pairs = _within(rolls, pairs)
        chance = _chance(rolls, pairs, rolls)
        if chance > 0:
            self.left += chance
            heapq.heappush(self.waiting, _Box(-chance, next(self.order), rolls, pairs))

    def counted(self) -> Odds:
        """Return the figures so far; ends that wait or have a question without an answer are open."""
        left = self.left + self.stuck
        left = left if left > TRIFLE else 0.0
        return Odds(self.sums.tallies(), left, runs=self.runs, error=left, asks=self.asks)

    def drawn(self, chance: random.Random, go_on: Callable[[], bool]) -> Odds:
        """Draw ends from the boxes while `go_on` says so, and return the figures."""
        left, ends, tries = self.left, list[End](), 0
        weights = list(accumulate(-box.negative for box in self.waiting))
        while go_on():
            fallen = chance.choices(self.waiting, cum_weights=weights)[0].drawn(chance)

            def draw(request: Request, fallen: dict[str, _Fall] = fallen) -> Answer | None:
                if not isinstance(request, Roll):
                    return request.default_answer
                return (fallen.get(request.key) or _drawn(chance, _falls(request))).answer

            outcome = run(self.ruleset, self.state, self.step, (), draw, watched=True)
            tries += 1
            if isinstance(outcome, Done):
                ends.append(self.sums.end(outcome))
        for end in ends:
            self.sums.add(left / len(ends), end)
        stuck = max(0.0, self.stuck)
        error = stuck + left / max(1.0, len(ends)) ** 0.5
        return Odds(self.sums.tallies(), stuck + left, sampled=True, runs=self.runs + tries, error=error)


def _within(rolls: dict[str, tuple[_Fall, ...]], pairs: _Pairs) -> _Pairs:
    """Return the pairs whose results are possible for both rolls."""
    possible = _Pairs()
    for keys, ways in pairs.items():
        first, second = ({way.answer.total for way in rolls[key]} for key in keys)
        possible[keys] = tuple([way for way in ways if way[0].answer.total in first and way[1].answer.total in second])
    return possible


def _chance(rolls: dict[str, tuple[_Fall, ...]], pairs: _Pairs, of: Iterable[str]) -> float:
    """Return the chance that some rolls have these results, those of a pair together."""
    paired = {key for keys in pairs for key in keys}
    alone = prod(sum(way.chance for way in rolls[key]) for key in of if key not in paired)
    return alone * prod(sum(map(_together, ways)) for ways in pairs.values())


def _mean(
    loss: float, keys: Mapping[WatchedRoll | None, str], rolls: Mapping[str, tuple[_Fall, ...]], pairs: _Pairs
) -> float:
    """Return a loss; if a watched roll gives it, the mean over the totals of that roll."""
    watched = as_watched(loss)
    if watched is None:
        return loss
    key, values = keys[watched.roll], dict(zip(watched.roll.totals, watched.values, strict=True))
    ways = [(way.answer.total, way.chance) for way in rolls[key]]
    for both, together in pairs.items():
        if key in both:
            place = both.index(key)
            ways = [(pair[place].answer.total, _together(pair)) for pair in together]
    return sum(values[total] * chance for total, chance in ways) / sum(chance for _, chance in ways)


def _falls(roll: Roll) -> tuple[_Fall, ...]:
    """Return every result of a roll; if each face counts and too many exist, a fixed selection."""
    if not roll.faces:
        return tuple([_Fall(DiceAnswer(total), chance) for total, chance in roll.dice.chances()])
    sides = roll.dice.sides
    if prod(sides) <= MOST_FACES:
        ways = list(product(*(range(1, side + 1) for side in sides)))
    else:
        rng = random.Random(f"{roll.dice}")
        ways = [tuple(rng.randint(1, side) for side in sides) for _ in range(MOST_FACES)]
    return tuple([_Fall(DiceAnswer(sum(faces), faces), 1.0 / len(ways)) for faces in ways])


def words(state: State, found: Odds) -> str:
    """Return the odds as one line: `65% hit, 35% miss · 41% drops · mean 3.4`; "about" and the error if not exact."""
    if found.refused:
        return ""
    several = len(found.tallies) > 1
    parts = []
    for tally in found.tallies:
        figures = [
            ", ".join(f"{_percent(chance)} {word}" for word, chance in listed if chance >= 0.005)
            for listed in (tally.results, tally.extras)
        ]
        figures += [f"{_percent(tally.drops)} drops"] if tally.drops else []
        figures += [f"mean {tally.mean + TRIFLE:.1f}"] if tally.mean else []
        text = " · ".join(part for part in figures if part)
        parts.append(f"{state.name(tally.who)}: {text}" if several else text)
    line = "   ".join(part for part in parts if part)
    if not line:
        return ""
    error = f" (±{_percent(found.error)})" if found.error >= 0.005 else ""
    return f"about {line}{error}" if found.sampled else line + error


def chance(found: Odds, by: Id | None = None) -> str:
    """Return the odds for the first combatant concerned, short enough for the end of a row: `hits 55%`."""
    if found.refused or not found.tallies:
        return ""
    tally = next((tally for tally in found.tallies if tally.success is not None), found.tallies[0])
    if tally.success is not None:
        harms = tally.mean > 0 or any("hit" in word for word, _ in tally.results)
        about = "about " if found.error - found.asks > CLOSE else ""
        return f"{'hits' if harms else 'succeeds'} {about}{_percent(tally.success)}"
    if not tally.mean:
        return ""
    verb = "heals" if tally.mean < 0 else "risks" if tally.who == by else "takes"
    about, noun = "about " if found.error > CLOSE else "", " of its points" if verb == "risks" else ""
    return f"{verb} {about}{abs(tally.mean) + TRIFLE:.1f}{noun}"


def _percent(chance: float) -> str:
    return f"{chance * 100 + TRIFLE:.0f}%"
