"""Many fights from one beginning, in worker processes where there are cores for them.

1. Each fight has a seed counted from 0, so the same beginning gives the same fights however many workers there are.
2. A worker gets the beginning as bytes, and finds its game by key: rulesets are functions, which do not travel.
3. A worker ends itself when its parent is gone. One that a ruleset breaks costs its batch, and is reported.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache

from msgspec import Struct

from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.tactics import Tactics
from tracker.forecast.outlook import End, close_enough, end_of, failed
from tracker.forecast.playing import opened, play
from tracker.library.door.guarded import door
from tracker.library.slips import Slip

__all__ = ["Beginning", "Workers", "cores", "fight"]

BATCH = 8
AHEAD = 2
"""Batches that wait for each worker."""
LONGEST, EACH = 2.0, 0.3
"""Seconds of computing for one fight, and more for each who fights in it."""
HOPELESS = 3
"""After so many failed fights, or one without an end, and none that is sound there is no forecast."""
ENDLESS = "did not end"
FEW = 24
"""So many fights are not worth a process."""

Find = Callable[[str], Ruleset]


class Beginning(Struct, frozen=True):
    """From where fights are played, and with which tactics of which side's name.

    `start` is an encounter, whose set-up is rolled anew for each fight, or a state.
    """

    game: str
    start: Encounter | State
    tactics: tuple[tuple[str, Tactics], ...] = ()
    usual: Tactics = "focused"


def cores() -> int:
    """Return how many worker processes are of use: one core is left to the rest."""
    return max(1, (os.cpu_count() or 1) - 1)


def fight(ruleset: Ruleset, beginning: Beginning, seed: int) -> End:
    """Play one fight, and return how it ended.

    One that a ruleset breaks, or does not end in time, is lost, not the forecast.
    """
    try:
        return door(
            "a fight of the forecast", _fought, ruleset, beginning, seed, seconds=_seconds(beginning.start), lets=()
        )
    except Slip as slip:
        return failed(slip)


def _seconds(start: Encounter | State) -> float:
    """Return how long a fight may compute."""
    if isinstance(start, State):
        return LONGEST + EACH * len(start.combatants)
    members = [member for side in start.sides for member in side.members]
    members += [member for wave in start.waves for member in wave.members]
    return LONGEST + EACH * sum(member.count.maximum for member in members)


def _hopeless(ends: Sequence[End]) -> bool:
    """Tell whether a ruleset breaks every fight."""
    lost = [end.failed for end in ends if end.failed]
    return len(lost) == len(ends) > 0 and (len(lost) >= HOPELESS or ENDLESS in lost[0])


def _fought(ruleset: Ruleset, beginning: Beginning, seed: int) -> End:
    start = beginning.start
    state = start if isinstance(start, State) else opened(ruleset, start, seed)
    return end_of(ruleset, play(ruleset, state, seed, _tactics(state, beginning)))


def _tactics(state: State, beginning: Beginning) -> Mapping[Id, Tactics]:
    named = dict(beginning.tactics)
    return {side.id: named.get(side.name, named.get(side.id, beginning.usual)) for side in state.sides}


class Workers:
    """The processes that play fights, begun when they are first needed.

    `find` must be a function that a process can import; `many` 0 plays in this process.
    """

    def __init__(self, find: Find, many: int | None = None) -> None:
        self.find, self.many = find, cores() if many is None else many
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def fights(
        self,
        beginning: Beginning,
        most: int,
        *,
        exactly: bool = False,
        told: Callable[[int], None] = lambda many: None,
    ) -> Sequence[End]:
        """Play fights until the chance is known closely enough, `most` at the most.

        `exactly` plays them all. `told` hears how many are done.
        """
        ends: list[End] = []
        batches = self._alone(beginning, most) if most <= FEW or not self.many else self._spread(beginning, most)
        for batch in batches:
            ends += batch
            told(len(ends))
            sound = [end for end in ends if not end.failed]
            if _hopeless(ends) or (not exactly and close_enough(sum(end.won for end in sound), len(sound))):
                batches.close()
                break
        return ends

    def _alone(self, beginning: Beginning, most: int) -> Generator[list[End]]:
        ruleset = self.find(beginning.game)
        for first in range(0, most, BATCH):
            yield _several(ruleset, beginning, first, min(most, first + BATCH))

    def _spread(self, beginning: Beginning, most: int) -> Generator[list[End]]:
        """Yield batches in the order of their seeds, as the workers get them done."""
        pool, packed = self._begun(), pickle.dumps(beginning)
        waiting: list[Future[list[End]]] = []
        coming = iter(range(0, most, BATCH))
        try:
            while True:
                while len(waiting) < self.many * AHEAD and (first := next(coming, None)) is not None:
                    waiting.append(pool.submit(_batch, self.find, packed, first, min(most, first + BATCH)))
                if not waiting:
                    return
                try:
                    yield waiting.pop(0).result()
                except BrokenProcessPool as error:
                    self._pool = None
                    yield [failed(error)]
                    return
        finally:
            for one in waiting:
                one.cancel()

    def _begun(self) -> ProcessPoolExecutor:
        if self._pool is None:
            kind = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
            self._pool = ProcessPoolExecutor(self.many, multiprocessing.get_context(kind), _begin)
        return self._pool


# -- in a worker -------------------------------------------------------------------------------------------------------


def _begin() -> None:
    """End the worker when the program that wants its fights is gone."""
    threading.Thread(target=_watch, daemon=True).start()


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _batch(find: Find, packed: bytes, first: int, last: int) -> list[End]:
    beginning = _unpacked(packed)
    return _several(find(beginning.game), beginning, first, last)


def _several(ruleset: Ruleset, beginning: Beginning, first: int, last: int) -> list[End]:
    """Play the fights of a batch, as long as any of them is sound."""
    ends: list[End] = []
    for seed in range(first, last):
        ends.append(fight(ruleset, beginning, seed))
        if _hopeless(ends):
            break
    return ends


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> Beginning:
    found: Beginning = pickle.loads(packed)
    return found
