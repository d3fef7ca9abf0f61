"""Odds: what an action would do, found by running the very step with every answer its dice can give, the likeliest first.

1. A request whose answers fall into classes is answered once for each class; totals stand for faces where the faces do not matter.
2. Windows are passed, questions take their default; one without a default leaves its share open.
3. What is open when the time is up is the error that is shown; where it is more than `CLOSE`, the open part is sampled and the figures are "about" right.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Iterator
from itertools import count, product

from msgspec import Struct

from tracker.core.actions import Action
from tracker.core.dice import Dice
from tracker.core.events import Checked
from tracker.core.requests import Answer, Choice, Chosen, Number, Passed, Pick, Picked, Request, Roll, Stated, Thrown, Window
from tracker.core.ruleset import Ruleset
from tracker.core.state import Id, State
from tracker.core.step import Answers, Done, Pending, Step, run

__all__ = ["Odds", "Tally", "odds", "words"]

CLOSE = 0.01
MOST_FACES = 400
MOST_OPEN = 4_000


class Tally(Struct, frozen=True):
    """What comes of an action for one combatant it harms or heals.

    Attributes:
        who: whom it concerns.
        results: chances of what is said of the first comparison ("hit", "miss", "critical"), the likeliest first.
        drops: the chance that it does not act any more.
        mean: mean loss of its first pool; below 0 for a gain.
    """

    who: Id
    results: tuple[tuple[str, float], ...] = ()
    drops: float = 0.0
    mean: float = 0.0


class Odds(Struct, frozen=True):
    """The figures of an action: one tally for each combatant concerned, and how much of the chances is still open.

    Attributes:
        tallies: in the order of joining.
        open: the share nobody has looked at; 0: the figures are exact.
        sampled: the open part was drawn, not counted.
        runs: how often the step was run.
        refused: why the step cannot be done, or "".
    """

    tallies: tuple[Tally, ...] = ()
    open: float = 0.0
    sampled: bool = False
    runs: int = 0
    refused: str = ""


class _Sums:
    """Weighted sums over the ends of the step."""

    def __init__(self, ruleset: Ruleset, before: State) -> None:
        self.ruleset, self.before = ruleset, before
        self.weight = 0.0
        self.results: dict[tuple[Id, str], float] = {}
        self.drops: dict[Id, float] = {}
        self.lost: dict[Id, float] = {}

    def add(self, chance: float, done: Done) -> None:
        """Count one end of the step."""
        self.weight += chance
        told: set[Id] = set()
        for entry in done.entries:
            event = entry.event
            if isinstance(event, Checked) and event.target is not None and event.target not in told:
                told.add(event.target)
                key = (event.target, event.result)
                self.results[key] = self.results.get(key, 0.0) + chance
        pool = self.ruleset.schema.pools[0] if self.ruleset.schema.pools else ""
        for combatant in done.state.combatants:
            was = self.before.get(combatant.id)
            if was is None or was is combatant:
                continue
            if was.status != combatant.status and self.ruleset.status(was.status).acts and not self.ruleset.status(combatant.status).acts:
                self.drops[combatant.id] = self.drops.get(combatant.id, 0.0) + chance
            if was.has_pool(pool) and was.pool(pool).now != combatant.pool(pool).now:
                self.lost[combatant.id] = self.lost.get(combatant.id, 0.0) + chance * (was.pool(pool).now - combatant.pool(pool).now)

    def tallies(self) -> tuple[Tally, ...]:
        """Return the figures, scaled to what has been looked at."""
        total = self.weight or 1.0
        concerned = {who for who, _ in self.results} | set(self.drops) | set(self.lost)
        found = []
        for combatant in self.before.combatants:
            if combatant.id in concerned:
                results = [(result, chance / total) for (who, result), chance in self.results.items() if who == combatant.id]
                results.sort(key=lambda item: (-item[1], item[0]))
                found.append(Tally(combatant.id, tuple(results), self.drops.get(combatant.id, 0.0) / total, self.lost.get(combatant.id, 0.0) / total))
        return tuple(found)


def odds(
    ruleset: Ruleset,
    state: State,
    action: Action,
    seconds: float = 0.005,
    sample_seconds: float = 0.0,
    cancelled: Callable[[], bool] = lambda: False,
    forced: bool = False,
    clock: Callable[[], float] = time.thread_time,
    seed: int = 0,
) -> Odds:
    """Return the figures of an action: counted for at most `seconds`, then, if more than `CLOSE` is open, drawn for `sample_seconds`.

    Both are seconds of computing: on a busy machine the figures come later and are as good.
    """
    step, sums = Step("do", (action,), forced=forced), _Sums(ruleset, state)
    order, end, runs = count(), clock() + seconds, 0
    waiting: list[tuple[float, int, Answers]] = [(-1.0, next(order), ())]
    stuck = 0.0
    while waiting and (runs == 0 or clock() < end) and len(waiting) < MOST_OPEN:
        negative, _, answers = heapq.heappop(waiting)
        outcome = run(ruleset, state, step, answers)
        runs += 1
        if isinstance(outcome, Done):
            sums.add(-negative, outcome)
        elif isinstance(outcome, Pending):
            offered = list(_answers(outcome.request))
            stuck += -negative * (1.0 - sum(chance for _, chance in offered))
            for answer, chance in offered:
                heapq.heappush(waiting, (negative * chance, next(order), (*answers, (outcome.request.key, answer))))
        elif runs == 1:
            return Odds(refused=outcome.text, runs=1)
        else:
            stuck += -negative
        if cancelled():
            break
    left = sum(-item[0] for item in waiting)
    if left > CLOSE and sample_seconds > 0 and not cancelled():
        runs += _sample(ruleset, state, step, waiting, left, sums, clock() + sample_seconds, cancelled, clock, random.Random(seed))
        return Odds(sums.tallies(), max(0.0, stuck) + left, True, runs)
    return Odds(sums.tallies(), max(0.0, left + stuck) if left + stuck > 1e-9 else 0.0, False, runs)


def _sample(
    ruleset: Ruleset,
    state: State,
    step: Step,
    waiting: list[tuple[float, int, Answers]],
    left: float,
    sums: _Sums,
    end: float,
    cancelled: Callable[[], bool],
    clock: Callable[[], float],
    rng: random.Random,
) -> int:
    """Draw ends of the open part until the time is up, and give them its weight."""

    def draw(request: Request) -> Answer | None:
        offered = list(_answers(request))
        return rng.choices([answer for answer, _ in offered], [chance for _, chance in offered])[0] if offered else None

    ends: list[Done] = []
    weights = [-item[0] for item in waiting]
    tries = 0
    while clock() < end and not cancelled():
        outcome = run(ruleset, state, step, rng.choices(waiting, weights)[0][2], draw)
        tries += 1
        if isinstance(outcome, Done):
            ends.append(outcome)
    for done in ends:
        sums.add(left / len(ends), done)
    return tries


def _answers(request: Request) -> Iterator[tuple[Answer, float]]:
    """Yield the answers to try, each with its chance; none where nobody but a person can say."""
    match request:
        case Roll(dice=dice, classes=classes) if classes and not request.faces:
            yield from _by_class(dice, classes)
        case Roll(dice=dice):
            yield from _by_face(dice) if request.faces else ((Thrown(total), chance) for total, chance in dice.chances())
        case Choice(default=str() as default):
            yield Chosen(default), 1.0
        case Pick(default=tuple() as default):
            yield Picked(default), 1.0
        case Number(default=int() as default):
            yield Stated(default), 1.0
        case Window():
            yield Passed(), 1.0


def _by_class(dice: Dice, classes: tuple[int, ...]) -> Iterator[tuple[Answer, float]]:
    """Yield one answer for each class of totals."""
    bounds = (*classes[1:], dice.maximum + 1)
    for least, above in zip(classes, bounds, strict=True):
        members = [(total, chance) for total, chance in dice.chances() if least <= total < above]
        if members:
            yield Thrown(members[0][0]), sum(chance for _, chance in members)


def _by_face(dice: Dice) -> Iterator[tuple[Answer, float]]:
    """Yield every throw by its faces, or a fixed selection of throws where there are too many."""
    sides = dice.sides
    ways = 1
    for side in sides:
        ways *= side
    if ways <= MOST_FACES:
        for faces in product(*(range(1, side + 1) for side in sides)):
            yield Thrown(sum(faces), faces), 1.0 / ways
        return
    rng = random.Random(f"{dice}")
    for _ in range(MOST_FACES):
        faces = tuple(rng.randint(1, side) for side in sides)
        yield Thrown(sum(faces), faces), 1.0 / MOST_FACES


def words(state: State, found: Odds) -> str:
    """Say the odds in one line: `65 % hit, 35 % miss · 41 % drops · mean 3.4`, with "about" and the error where they are not exact."""
    if found.refused:
        return ""
    several = len(found.tallies) > 1
    parts = []
    for tally in found.tallies:
        figures = [", ".join(f"{_percent(chance)} {result}" for result, chance in tally.results if chance >= 0.005)]
        figures += [f"{_percent(tally.drops)} drops"] if tally.drops else []
        figures += [f"mean {tally.mean:.1f}"] if tally.mean else []
        text = " · ".join(part for part in figures if part)
        parts.append(f"{state.name(tally.who)}: {text}" if several else text)
    line = "   ".join(part for part in parts if part)
    if not line:
        return ""
    if found.sampled:
        return f"about {line}"
    return f"{line} (±{_percent(found.open)})" if found.open >= 0.005 else line


def _percent(chance: float) -> str:
    return f"{chance * 100:.0f}%"
