"""A time limit for calls into a ruleset.

A watcher thread looks at the running calls every `TICK` seconds and raises `TimeOver` in the thread of a late one,
again and again until that ends. On Linux only the thread's own time of computing counts. A loop or a sleep inside of C
code cannot be ended.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from threading import get_ident
from typing import ParamSpec, TypeVar

from msgspec import Struct

TICK = 0.025
SECONDS_PER_COMBATANT = 0.0005
"""Further seconds for each combatant."""
IDLE_SECONDS = 1.0
"""Seconds without a call after which the watcher waits for one."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class TimeOver(BaseException):
    """The time for a call is over; no handler of errors in a ruleset should catch it."""


class TimedCall(Struct, eq=False):
    """A running call.

    Attributes:
        seconds: how long it may compute.
        state: the state it is about, if any: with many combatants it may take longer.
        since: the clock of its thread when the watcher saw it first.
        over: `TimeOver` was raised in it.
    """

    seconds: float
    state: object = None
    since: float | None = None
    over: bool = False

    def late(self, clock: float) -> bool:
        if self.since is None:
            self.since = clock
        return clock - self.since >= self.seconds + SECONDS_PER_COMBATANT * len(getattr(self.state, "combatants", ()))


_calls: dict[int, TimedCall] = {}
_lock = threading.Lock()
_active = threading.Event()


def under_way() -> bool:
    return get_ident() in _calls


def call_within(call: TimedCall, function: Callable[_P, _T], *arguments: _P.args, **names: _P.kwargs) -> _T:
    """Call a function, with TimeOver if it computes too long; a call inside of another one has no limit of its own."""
    thread = get_ident()
    if thread in _calls:
        return function(*arguments, **names)
    try:
        _calls[thread] = call
        if not _active.is_set():
            _start()
        return function(*arguments, **names)
    finally:
        left = False
        while not left:
            try:
                with _lock:
                    _calls.pop(thread, None)
                if call.over:
                    _await_time_over(thread)
                left = True
            except TimeOver:  # it was raised at the very end
                continue


def _await_time_over(thread: int) -> None:
    """Catch the last `TimeOver` here.

    To clear it would leave Python 3.11's evaluation breaker set: code that is profiled or traced later would never
    begin.
    """
    try:
        _raise_in(thread, TimeOver)
        while True:
            pass
    except TimeOver:
        return


def _start() -> None:
    _active.set()
    if not any(thread.name == __name__ for thread in threading.enumerate()):
        threading.Thread(target=_watch, name=__name__, daemon=True).start()


def _watch() -> None:
    since = time.monotonic()
    while True:
        time.sleep(TICK)
        with _lock:
            for thread, call in tuple(_calls.items()):
                since = time.monotonic()
                if call.late(_computed(thread)):
                    call.over = True
                    _raise_in(thread, TimeOver)
        if time.monotonic() - since > IDLE_SECONDS:
            _active.clear()
            _active.wait()
            since = time.monotonic()


def _computed(thread: int) -> float:
    """Return the seconds that a thread has computed, of other systems than Linux those of the whole program."""
    if sys.platform != "linux":
        return time.process_time()
    else:
        return time.clock_gettime(time.pthread_getcpuclockid(thread))


def _raise_in(thread: int, error: type[BaseException]) -> None:
    import ctypes  # slow, and needed only for a call that does not end

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
