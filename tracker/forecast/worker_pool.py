"""Worker processes that play fights on idle cores.

1. They start when first needed and are kept for the next forecast. A worker finds its game by key, because a ruleset
   holds functions and cannot be pickled.
2. A worker computes only while no other process wants its core, and ends itself when its program is gone.
3. A fight that ends its worker, or never ends, counts as failed; another worker goes on behind it.

The pools of the standard library and of pebble have no idle priority, lose a whole batch with a worker, and cannot end
a loop in C code when the program is killed.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from types import ModuleType
from typing import TypeAlias

from tracker.core.game.ruleset import Ruleset
from tracker.forecast.scenario import ENDLESS, Scenario, fight, longest
from tracker.forecast.summary import End, failed
from tracker.library.guard import unwrapped

Find: TypeAlias = Callable[[str], Ruleset]
Batch: TypeAlias = range
"""Numbers of fights. Of several beginnings number `n` is of beginning `n % many`, with the seed `n // many`."""

BATCH = 0.05
"""Seconds that a batch takes."""
MOST_BATCH = 64
POLL_SECONDS = 0.05
"""Seconds after which the one who asks is heard again."""
PATIENCE = 4.0
"""A worker that says nothing for so many times as long as a fight may compute is lost."""
START_TIMEOUT = 120.0
"""Seconds that a worker may take to begin, on a system that starts a whole program for it and is busy."""
LOST = "a fight ended the process that played it"
STOPPED = -int(getattr(signal, "SIGPROF", 0))
"""How a process ends that computes for too long: by SIGPROF."""
GC_THRESHOLD = 200_000
"""Objects a worker makes before it looks for cycles: a fight makes hardly any."""
FEW_CORES = 2
"""Of so few cores one alone is too slow."""


def cores(idle: bool = True) -> int:
    """Return how many worker processes are useful.

    Workers beside a screen leave one core to it. Of two cores they use both if the system lets them compute in idle
    time only, since no key is slower for it. A command line has no screen to slow down.
    """
    usable = _usable()
    if idle and not (usable == FEW_CORES and hasattr(os, "SCHED_IDLE")):
        return max(1, usable - 1)
    return usable


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One worker, as its program sees it."""

    def __init__(self, context: BaseContext, find: Find, idle: bool) -> None:
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other, find, idle), daemon=True)  # type: ignore[attr-defined]
        self.process.start()
        other.close()
        self.job = 0
        self.left: deque[int] = deque()
        self.last_message = time.monotonic()
        self.started = False

    @property
    def free(self) -> bool:
        return not self.left

    def begin(self, job: int, packed: bytes, batch: Batch) -> None:
        """Send a batch, and the scenario if the worker does not have it."""
        self.pipe.send((job, b"" if job == self.job else packed, batch))
        self.job, self.last_message = job, time.monotonic()
        self.left.extend(batch)

    def end(self) -> None:
        self.process.kill()
        self.pipe.close()


@contextmanager
def _without_main(find: Find) -> Iterator[None]:
    """Let workers begin without the program's main module, which each would import anew.

    They need nothing of it, unless `find` is there.
    """
    main = sys.modules["__main__"]
    if find.__module__ != "__main__":
        multiprocessing.set_forkserver_preload([__name__, find.__module__])
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class WorkerPool:
    """The workers of one program.

    Attributes:
        find: returns a game by its key; a function that a process can import.
        many: how many processes.
        idle: they compute only when nothing else does.
    """

    def __init__(self, find: Find, many: int, idle: bool = True) -> None:
        self.find, self.many, self.idle = find, many, idle
        self._workers: list[_Worker] = []
        self._job = 0
        self._each = BATCH
        self._closed = False

    def close(self) -> None:
        """End the workers, and what another thread is asking them for."""
        self._closed = True
        for worker in self._workers:
            worker.end()
        self._workers = []

    def play(
        self, beginnings: Sequence[Scenario], most: int, going: Callable[[], bool]
    ) -> Generator[list[tuple[int, End]]]:
        """Yield fights in the order of their numbers, as they are done.

        At least every `POLL_SECONDS` seconds what is done by then is yielded, nothing too.
        """
        self._job += 1
        packed = pickle.dumps(tuple(beginnings))
        patience = PATIENCE * max(longest(one.start) for one in beginnings)
        done: dict[int, End] = {}
        again: deque[Batch] = deque()
        given = reported = 0
        while reported < most and going() and not self._closed:
            for worker in self._running_workers():
                if worker.free and (again or given < most):
                    if again:
                        batch = again.popleft()
                    else:
                        batch = range(given, min(most, given + self._size()))
                        given = batch.stop
                    worker.begin(self._job, packed, batch)
                elif not worker.free and time.monotonic() - worker.last_message > (
                    patience if worker.started else START_TIMEOUT
                ):
                    self._replace_lost(worker, done, again)
            self._receive(done, again)
            ready: list[tuple[int, End]] = []
            while reported in done:
                ready.append((reported, done.pop(reported)))
                reported += 1
            yield ready

    def _size(self) -> int:
        return max(1, min(MOST_BATCH, round(BATCH / self._each)))

    def _running_workers(self) -> list[_Worker]:
        if len(self._workers) < self.many:
            kind = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
            context = multiprocessing.get_context(kind)
            # A screen's own stream has no number, which the library wants.
            with redirect_stderr(sys.__stderr__), _without_main(self.find):
                while len(self._workers) < self.many:
                    self._workers.append(_Worker(context, self.find, self.idle))
        return self._workers

    def _receive(self, done: dict[int, End], again: deque[Batch]) -> None:
        workers = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(workers), POLL_SECONDS):
            worker = workers[pipe]  # type: ignore[index]
            try:
                job, end, seconds = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace_lost(worker, done, again)
                continue
            worker.last_message = time.monotonic()
            if end is None:
                worker.started = True
                continue
            number = worker.left.popleft()
            if job == self._job:
                done[number] = end
                self._each += (seconds - self._each) / 4

    def _replace_lost(self, worker: _Worker, done: dict[int, End], again: deque[Batch]) -> None:
        """Count the fight as failed that a worker was at.

        Another one goes on behind it.
        """
        self._workers = [other for other in self._workers if other is not worker]
        worker.process.join(POLL_SECONDS)
        why = LOST if worker.process.exitcode not in (None, STOPPED) else f"a fight {ENDLESS}, so its process was ended"
        worker.end()
        if worker.job == self._job and worker.left:
            number = worker.left.popleft()
            done[number] = failed(RuntimeError(why))
            if worker.left:
                again.append(range(number + 1, number + 1 + len(worker.left)))


# -- in a worker -------------------------------------------------------------------------------------------------------


def _work(pipe: Connection, find: Find, idle: bool) -> None:
    """Report the start, then play the batches that are sent."""
    _set_up_worker(idle)
    beginnings: tuple[Scenario, ...] = ()
    broken: Exception | None = None
    rulesets: dict[str, Ruleset] = {}
    try:
        pipe.send((0, None, 0.0))
        while True:
            job, packed, batch = pipe.recv()
            if packed:
                beginnings, broken = _unpacked(packed)
            for number in batch:
                since = time.process_time()
                end = failed(broken) if broken is not None else _one(find, rulesets, beginnings, number)
                pipe.send((job, end, time.process_time() - since))
    except (EOFError, OSError):
        os._exit(0)


def _unpacked(packed: bytes) -> tuple[tuple[Scenario, ...], Exception | None]:
    try:
        return pickle.loads(packed), None
    except Exception as error:  # noqa: BLE001 - a game's own classes may not be found here
        return (), error


def _one(find: Find, rulesets: dict[str, Ruleset], beginnings: tuple[Scenario, ...], number: int) -> End:
    seed, which = divmod(number, len(beginnings))
    beginning = beginnings[which]
    try:
        if beginning.game not in rulesets:
            rulesets[beginning.game] = unwrapped(find(beginning.game))  # the whole fight is behind the door
        ruleset = rulesets[beginning.game]
        _limit_cpu_time(2 * longest(beginning.start))
        return fight(ruleset, beginning, seed)
    except Exception as error:  # noqa: BLE001 - anything a game's own code raises
        return failed(error)
    finally:
        _limit_cpu_time(0)


def _set_up_worker(idle: bool) -> None:
    """Give way to everything else, keep silent, and end with the program."""
    if idle:
        _lower_priority()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the program's
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    gc.freeze()  # what is loaded stays
    gc.set_threshold(GC_THRESHOLD)
    _die_with_parent()
    threading.Thread(target=_watch, daemon=True).start()


def _die_with_parent() -> None:
    """Let the system end this worker with the process that started it, even in a loop in C code.

    The fork server itself ends with the program, unless a worker holds its pipe open.
    """
    server = getattr(sys.modules.get("multiprocessing.forkserver"), "_forkserver", None)
    if server is not None and server._forkserver_alive_fd is not None:
        os.close(server._forkserver_alive_fd)
        server._forkserver_alive_fd = None
    if sys.platform == "linux":
        import ctypes  # only here

        death_signal = 1
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(death_signal, signal.SIGKILL)


def _lower_priority() -> None:
    if sys.platform == "linux":
        with suppress(OSError):  # else its computing counts as that of all who share the terminal, the app among them
            os.setsid()
            if (
                _usable() <= FEW_CORES
            ):  # groups share a core alike: where no core is left free, take a tenth of what others do
                group = os.open("/proc/self/autogroup", os.O_WRONLY)
                os.write(group, b"10")
                os.close(group)
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            return
    if sys.platform == "win32":
        import ctypes  # only here

        idle_class = 0x40
        ctypes.windll.kernel32.SetPriorityClass(ctypes.windll.kernel32.GetCurrentProcess(), idle_class)
    else:
        with suppress(OSError):
            os.nice(19)


def _limit_cpu_time(seconds: float) -> None:
    """Let the system end this worker when it computes for so long.

    A loop in C code is ended by nothing else. 0: not any more.
    """
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
