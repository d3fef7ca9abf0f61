"""Odds: what an action would do, found by running the very step.

It is run with every answer its dice can give, the likeliest first.

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
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Roll, Window

CLOSE = 0.01
MOST_FACES = 400
MOST_OPEN = 4_000
FIRST_LOOK_SECONDS = 0.005
"""Seconds of computing after which the figures so far are shown, if they are wanted."""
BARE = ("succeeds", "fails")
"""Results that say nothing without the roll they are of."""
FAILING = ("miss", "misses", "fails", "failure", "fumble", "evaded", "avoided")
"""How results end that come to nothing."""
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
    """The figures of an action: one tally for each combatant concerned, and what is open.

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
            defends = event.target == self.actor  # where the other side rolls, the roll is about the one who makes it
            said = f"{event.what} {event.result}" if defends and event.result in BARE else event.result
            whose = event.who if defends else event.target
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
                drops, mean = self.drops.get(key, 0.0) / total, self.lost.get(key, 0.0) / total
                found.append(Tally(key, results, extras, drops=drops, mean=mean))
        return tuple(found)


def _ranked(chances: dict[tuple[Id, str], float], whose: Id, total: float) -> tuple[tuple[str, float], ...]:
    listed = [(word, chance / total) for (who, word), chance in chances.items() if who == whose]
    return tuple(sorted(listed, key=lambda item: (-item[1], item[0])))


def odds(
    ruleset: Ruleset,
    state: State,
    action: Action,
    *,
    seconds: float = 0.005,
    sample_seconds: float = 0.0,
    cancelled: Callable[[], bool] = lambda: False,
    forced: bool = False,
    clock: Callable[[], float] = time.thread_time,
    seed: int = 0,
    glance: Callable[[Odds], None] | None = None,
) -> Odds:
    """Return the figures of an action.

    They are counted for at most `seconds`; then, if more than `CLOSE` is open, they are drawn for `sample_seconds`.
    Where it takes longer than a glance, `glance` gets what is known by then. Both are seconds of computing: on a busy
    machine the figures come later and are as good.
    """
    search = _Search(ruleset, state, action, forced=forced)
    end, early = clock() + seconds, clock() + FIRST_LOOK_SECONDS
    while search.waiting and (search.runs == 0 or clock() < end) and len(search.waiting) < MOST_OPEN:
        search.count_next()
        if search.refused:
            return Odds(refused=search.refused, runs=1)
        if cancelled():
            break
        if glance is not None and search.waiting and clock() >= early:
            glance(search.counted())
            glance = None
    if search.left > CLOSE and sample_seconds > 0 and not cancelled():
        end = clock() + sample_seconds
        return search.drawn(random.Random(seed), lambda: clock() < end and not cancelled())
    return search.counted()


class _Waiting(NamedTuple):
    """Answers to try.

    Minus their chance comes first, so that the likeliest are tried first; then when they were found.
    """

    negative: float
    order: int
    answers: Answers


class _Search:
    """The ends of one step, as far as they have been found."""

    def __init__(self, ruleset: Ruleset, state: State, action: Action, *, forced: bool) -> None:
        self.ruleset = replace(ruleset, windows=_no_answer)  # what is passed anyway need not be worked out
        self.state, self.step = state, Step("do", (action,), forced=forced)
        self.sums = _Sums(self.ruleset, state, action.by)
        self.order, self.runs, self.refused = count(1), 0, ""
        self.waiting = [_Waiting(-1.0, 0, ())]
        self.stuck = 0.0

    @property
    def left(self) -> float:
        """How much of the chances waits to be looked at."""
        return sum(-item.negative for item in self.waiting)

    def count_next(self) -> None:
        """Run the step with the likeliest answers that wait."""
        likeliest = heapq.heappop(self.waiting)
        chance, answers = -likeliest.negative, likeliest.answers
        outcome = run(self.ruleset, self.state, self.step, answers)
        self.runs += 1
        if isinstance(outcome, Done):
            self.sums.add(chance, outcome)
        elif isinstance(outcome, Pending):
            offered = list(_answers(outcome.request))
            self.stuck += chance * (1.0 - sum(share for _, share in offered))
            for answer, share in offered:
                longer = (*answers, (outcome.request.key, answer))
                heapq.heappush(self.waiting, _Waiting(-chance * share, next(self.order), longer))
        elif self.runs == 1:
            self.refused = outcome.text
        else:
            self.stuck += chance

    def counted(self) -> Odds:
        """Return the figures so far.

        What waits, or no answer is known for, is open.
        """
        left = self.left + self.stuck
        left = left if left > 1e-9 else 0.0
        return Odds(self.sums.tallies(), left, runs=self.runs, error=left)

    def drawn(self, chance: random.Random, go_on: Callable[[], bool]) -> Odds:
        """Draw ends of what waits while there is time, and return the figures."""

        def draw(request: Request) -> Answer | None:
            offered = list(_answers(request))
            if not offered:
                return None
            return chance.choices([answer for answer, _ in offered], [share for _, share in offered])[0]

        left, ends, tries = self.left, list[Done](), 0
        weights = list(accumulate(-item.negative for item in self.waiting))
        while go_on():
            begun = chance.choices(self.waiting, cum_weights=weights)[0]
            outcome = run(self.ruleset, self.state, self.step, begun.answers, draw)
            tries += 1
            if isinstance(outcome, Done):
                ends.append(outcome)
        for done in ends:
            self.sums.add(left / len(ends), done)
        stuck = max(0.0, self.stuck)
        error = stuck + left / max(1.0, len(ends)) ** 0.5
        return Odds(self.sums.tallies(), stuck + left, sampled=True, runs=self.runs + tries, error=error)


def _no_answer(state: State, window: Window) -> tuple[ActionSpec, ...]:
    return ()


def _answers(request: Request) -> Iterator[tuple[Answer, float]]:
    """Yield the answers to try, each with its chance.

    None where only a person can answer.
    """
    if not isinstance(request, Roll):
        if request.default_answer is not None:
            yield request.default_answer, 1.0
    elif request.faces:
        yield from _by_face(request.dice)
    elif request.classes:
        yield from _by_class(request.dice, request.classes)
    else:
        yield from ((DiceAnswer(total), chance) for total, chance in request.dice.chances())


def _by_class(dice: Dice, classes: tuple[int, ...]) -> Iterator[tuple[Answer, float]]:
    bounds = (*classes[1:], dice.maximum + 1)
    for least, above in zip(classes, bounds, strict=True):
        members = [(total, chance) for total, chance in dice.chances() if least <= total < above]
        if members:
            yield DiceAnswer(members[0][0]), sum(chance for _, chance in members)


def _by_face(dice: Dice) -> Iterator[tuple[Answer, float]]:
    """Yield every roll by its faces, or a fixed selection of too many."""
    sides = dice.sides
    ways = 1
    for side in sides:
        ways *= side
    if ways <= MOST_FACES:
        for faces in product(*(range(1, side + 1) for side in sides)):
            yield DiceAnswer(sum(faces), faces), 1.0 / ways
        return
    rng = random.Random(f"{dice}")
    for _ in range(MOST_FACES):
        faces = tuple(rng.randint(1, side) for side in sides)
        yield DiceAnswer(sum(faces), faces), 1.0 / MOST_FACES


def words(state: State, found: Odds) -> str:
    """Say the odds in one line: `65 % hit, 35 % miss · mean 3.4`.

    Where they are not exact, "about" and the error say so.
    """
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


def chance(found: Odds) -> str:
    """Return the chance that an action comes to anything for the first it concerns: `55%`."""
    if found.refused or not found.tallies:
        return ""
    tally = found.tallies[0]
    if not tally.results:
        return f"mean {tally.mean + TRIFLE:.1f}" if tally.mean else ""
    return _percent(sum(share for word, share in tally.results if not word.endswith(FAILING)))


def _percent(chance: float) -> str:
    return f"{chance * 100 + TRIFLE:.0f}%"
