"""Worker processes that play fights on idle cores.

1. They start when first needed and are kept for the next forecast. A worker gets its game by key, because the functions
   of a ruleset cannot be pickled.
2. A worker computes only while no other process wants its core, and exits when its program has ended.
3. A fight that ends its worker, or never ends, counts as failed; another worker plays the rest of the batch.

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
"""Numbers of fights. With `many` scenarios, fight `n` is of scenario `n % many` and has the seed `n // many`."""

BATCH = 0.05
"""Seconds for one batch."""
MOST_BATCH = 64
POLL_SECONDS = 0.05
"""Seconds after which control returns to the caller."""
PATIENCE = 4.0
"""A silent worker is lost after this multiple of the time that a fight may compute."""
START_TIMEOUT = 120.0
"""Seconds that a worker may take to start, on a busy system that starts a whole program for it."""
LOST = "a fight ended the process that played it"
STOPPED = -int(getattr(signal, "SIGPROF", 0))
"""The exit code of a process that has computed for too long: SIGPROF ended it."""
GC_THRESHOLD = 200_000
"""Objects a worker creates before a garbage collection: a fight has hardly any cycles."""
FEW_CORES = 2
"""Up to this number of cores, all are used if possible."""


def cores(idle: bool = True) -> int:
    """Return the useful number of worker processes.

    The workers of a screen (`idle`) leave one core to it, but use both of two cores if the system has idle priority,
    which slows no key down. A command line has no screen.
    """
    usable = _usable()
    if idle and not (usable == FEW_CORES and hasattr(os, "SCHED_IDLE")):
        return max(1, usable - 1)
    return usable


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One worker process, seen from the program."""

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
    """Start workers without the program's main module, which each would import anew, unless `find` is part of it."""
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
        find: returns a game by its key; another process must be able to import this function.
        many: the number of processes.
        idle: they compute only when no other process wants the core.
    """

    def __init__(self, find: Find, many: int, idle: bool = True) -> None:
        self.find, self.many, self.idle = find, many, idle
        self._workers: list[_Worker] = []
        self._job = 0
        self._each = BATCH
        self._closed = False

    def close(self) -> None:
        """End the workers, and a forecast of another thread."""
        self._closed = True
        for worker in self._workers:
            worker.end()
        self._workers = []

    def play(
        self, scenarios: Sequence[Scenario], most: int, going: Callable[[], bool]
    ) -> Generator[list[tuple[int, End]]]:
        """Yield the finished fights in the order of their numbers, at least every `POLL_SECONDS`, even if none."""
        self._job += 1
        packed = pickle.dumps(tuple(scenarios))
        patience = PATIENCE * max(longest(scenario.start) for scenario in scenarios)
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
            # multiprocessing needs a stderr with a file descriptor; a screen's own stream has none.
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
        """Count the fight of a lost worker as failed, and put the rest of its batch into `again`."""
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
    """Report the start, then play the batches the program sends."""
    _set_up_worker(idle)
    scenarios: tuple[Scenario, ...] = ()
    broken: Exception | None = None
    rulesets: dict[str, Ruleset] = {}
    try:
        pipe.send((0, None, 0.0))
        while True:
            job, packed, batch = pipe.recv()
            if packed:
                scenarios, broken = _unpacked(packed)
            for number in batch:
                since = time.process_time()
                end = failed(broken) if broken is not None else _played(find, rulesets, scenarios, number)
                pipe.send((job, end, time.process_time() - since))
    except (EOFError, OSError):
        os._exit(0)


def _unpacked(packed: bytes) -> tuple[tuple[Scenario, ...], Exception | None]:
    try:
        return pickle.loads(packed), None
    except Exception as error:  # noqa: BLE001 - a game's own classes may not be found here
        return (), error


def _played(find: Find, rulesets: dict[str, Ruleset], scenarios: tuple[Scenario, ...], number: int) -> End:
    seed, which = divmod(number, len(scenarios))
    scenario = scenarios[which]
    try:
        if scenario.game not in rulesets:
            rulesets[scenario.game] = unwrapped(find(scenario.game))  # `fight` guards the whole fight
        _limit_cpu_time(2 * longest(scenario.start))
        return fight(rulesets[scenario.game], scenario, seed)
    except Exception as error:  # noqa: BLE001 - anything a game's own code raises
        return failed(error)
    finally:
        _limit_cpu_time(0)


def _set_up_worker(idle: bool) -> None:
    """Lower the priority, close the streams, and exit with the program."""
    if idle:
        _lower_priority()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the program's
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    gc.freeze()  # the loaded modules stay
    gc.set_threshold(GC_THRESHOLD)
    _die_with_parent()
    threading.Thread(target=_watch, daemon=True).start()


def _die_with_parent() -> None:
    """Let the system end this worker with its parent process, even in a loop in C code.

    The parent is the fork server, which ends with the program unless a worker keeps its pipe open.
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
        with suppress(OSError):  # in the terminal's session, its computing would count as that of the app
            os.setsid()
            if _usable() <= FEW_CORES:  # sessions share a core equally: if none is free, take a tenth of a share
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
    """Let the system end this worker after this computing time, the only end of a loop in C code; 0: no limit."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _watch() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
