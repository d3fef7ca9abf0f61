"""Odds: what an action would do, found by running the very step with every answer its dice can give, the likeliest first.

1. A request whose answers fall into classes is answered once for each class; totals stand for faces where the faces do
not matter.
2. Windows are passed, questions take their default; one without a default leaves its share open.
3. What is open when the time is up is the error that is shown; where it is more than `CLOSE`, the open part is sampled
and the figures are "about" right.
"""

from __future__ import annotations

import heapq
import random
import time
from collections.abc import Callable, Iterator
from itertools import accumulate, count, product

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, Request, Roll, Thrown, Window

__all__ = ["Odds", "Tally", "odds", "words"]

CLOSE = 0.01
MOST_FACES = 400
MOST_OPEN = 4_000
GLANCE = 0.005
"""Seconds of computing after which the figures so far are told, if somebody wants them."""
TRIFLE = 1e-9
"""Makes halves go up, whichever way a version of Python adds up the parts."""


class Tally(Struct, frozen=True):
    """What comes of an action for one combatant it harms or heals.

    Attributes:
        who: whom it concerns.
        results: chances of what is said of the first comparison ("hit", "miss", "critical"), the likeliest first.
        extras: chances of what else the game has to say of it ("Shock", "critical", "2 ticks"), the likeliest first.
        drops: the chance that it does not act any more.
        mean: mean loss of its first pool; below 0 for a gain.
    """

    who: Id
    results: tuple[tuple[str, float], ...] = ()
    extras: tuple[tuple[str, float], ...] = ()
    drops: float = 0.0
    mean: float = 0.0


class Odds(Struct, frozen=True):
    """The figures of an action: one tally for each combatant concerned, and how much of the chances is still open.

    Attributes: tallies: in the order of joining. open: the share nobody has looked at; 0: the figures are exact.
        sampled: the open part was drawn, not counted. error: how far a chance may be off: what is open, or for what was
        drawn twice the standard error where that is widest. runs: how often the step was run. refused: why the step
        cannot be done, or "".
    """

    tallies: tuple[Tally, ...] = ()
    open: float = 0.0
    sampled: bool = False
    runs: int = 0
    refused: str = ""
    error: float = 0.0


class _Sums:
    """Weighted sums over the ends of the step."""

    def __init__(self, ruleset: Ruleset, before: State, actor: Id | None) -> None:
        self.ruleset, self.before, self.actor = ruleset, before, actor
        self.weight = 0.0
        self.results: dict[tuple[Id, str], float] = {}
        self.extras: dict[tuple[Id, str], float] = {}
        self.drops: dict[Id, float] = {}
        self.lost: dict[Id, float] = {}

    def add(self, chance: float, done: Done) -> None:
        """Count one end of the step."""
        self.weight += chance
        told: set[Id] = set()
        for entry in done.entries:
            event = entry.event
            if not isinstance(event, Checked) or event.target is None:
                continue
            defends = event.target == self.actor  # where the other side rolls, the roll is about whoever makes it
            whose, said = (event.who, f"{event.what} {event.result}") if defends else (event.target, event.result)
            if whose is not None and whose not in told:
                told.add(whose)
                self.results[whose, said] = self.results.get((whose, said), 0.0) + chance
        pool = self.ruleset.schema.pools[0] if self.ruleset.schema.pools else ""
        for combatant in done.state.combatants:
            was = self.before.get(combatant.id)
            if was is None or was is combatant:
                continue
            for word in self.ruleset.outcomes(self.before, done.state, done.entries, combatant.id):
                self.extras[combatant.id, word] = self.extras.get((combatant.id, word), 0.0) + chance
            if (
                was.status != combatant.status
                and self.ruleset.status(was.status).acts
                and not self.ruleset.status(combatant.status).acts
            ):
                self.drops[combatant.id] = self.drops.get(combatant.id, 0.0) + chance
            if was.has_pool(pool) and was.pool(pool).now != combatant.pool(pool).now:
                self.lost[combatant.id] = self.lost.get(combatant.id, 0.0) + chance * (
                    was.pool(pool).now - combatant.pool(pool).now
                )

    def tallies(self) -> tuple[Tally, ...]:
        """Return the figures, scaled to what has been looked at."""
        total = self.weight or 1.0
        concerned = {who for who, _ in (*self.results, *self.extras)} | set(self.drops) | set(self.lost)
        found = []
        for combatant in self.before.combatants:
            if (key := combatant.id) in concerned:
                results, extras = _ranked(self.results, key, total), _ranked(self.extras, key, total)
                found.append(
                    Tally(key, results, extras, self.drops.get(key, 0.0) / total, self.lost.get(key, 0.0) / total)
                )
        return tuple(found)


def _ranked(chances: dict[tuple[Id, str], float], whose: Id, total: float) -> tuple[tuple[str, float], ...]:
    listed = [(word, chance / total) for (who, word), chance in chances.items() if who == whose]
    return tuple(sorted(listed, key=lambda item: (-item[1], item[0])))


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
    glance: Callable[[Odds], None] | None = None,
) -> Odds:
    """Return the figures of an action: counted for at most `seconds`, then, if more than `CLOSE` is open, drawn for `sample_seconds`.

    Where it takes longer than a glance, `glance` gets what is known by then.
    Both are seconds of computing: on a busy machine the figures come later and are as good.
    """
    ruleset = replace(ruleset, windows=_nobody)  # what is passed anyway need not be worked out
    step, sums = Step("do", (action,), forced=forced), _Sums(ruleset, state, action.by)
    order, end, runs = count(), clock() + seconds, 0
    waiting: list[tuple[float, int, Answers]] = [(-1.0, next(order), ())]
    stuck, early = 0.0, clock() + GLANCE
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
        if glance is not None and waiting and clock() >= early:
            glance(_counted(sums, runs, stuck - sum(item[0] for item in waiting)))
            glance = None
    left = sum(-item[0] for item in waiting)
    if left > CLOSE and sample_seconds > 0 and not cancelled():
        drawn, ends = _sample(
            ruleset, state, step, waiting, left, sums, clock() + sample_seconds, cancelled, clock, random.Random(seed)
        )
        error = max(0.0, stuck) + left / max(1.0, ends) ** 0.5
        return Odds(sums.tallies(), max(0.0, stuck) + left, True, runs + drawn, error=error)
    return _counted(sums, runs, left + stuck)


def _nobody(state: State, window: Window) -> tuple[ActionSpec, ...]:
    return ()


def _counted(sums: _Sums, runs: int, left: float) -> Odds:
    left = max(0.0, left) if left > 1e-9 else 0.0
    return Odds(sums.tallies(), left, False, runs, error=left)


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
) -> tuple[int, int]:
    """Draw ends of the open part until the time is up, and give them its weight; return how often was drawn, and how many ends there were."""

    def draw(request: Request) -> Answer | None:
        offered = list(_answers(request))
        return rng.choices([answer for answer, _ in offered], [chance for _, chance in offered])[0] if offered else None

    ends: list[Done] = []
    weights = list(accumulate(-item[0] for item in waiting))
    tries = 0
    while clock() < end and not cancelled():
        outcome = run(ruleset, state, step, rng.choices(waiting, cum_weights=weights)[0][2], draw)
        tries += 1
        if isinstance(outcome, Done):
            ends.append(outcome)
    for done in ends:
        sums.add(left / len(ends), done)
    return tries, len(ends)


def _answers(request: Request) -> Iterator[tuple[Answer, float]]:
    """Yield the answers to try, each with its chance; none where only a person can answer."""
    if not isinstance(request, Roll):
        if request.usual is not None:
            yield request.usual, 1.0
    elif request.faces:
        yield from _by_face(request.dice)
    elif request.classes:
        yield from _by_class(request.dice, request.classes)
    else:
        yield from ((Thrown(total), chance) for total, chance in request.dice.chances())


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


def _percent(chance: float) -> str:
    return f"{chance * 100 + TRIFLE:.0f}%"
