"""The alarm: a call into a ruleset that takes too long is ended.

1. A timer ticks while calls are under way, and once more after the last; a call costs no look at a clock.
2. A call is measured by the computing it does, and by how long it sleeps: what it waits for a processor is neither,
   where the system tells it, so a busy machine ends nothing. What the garbage collector takes is not its own either.
3. The alarm is an exception. Where a handler swallows it, it rings again as soon as that handler has ended, outside of
   it; so whatever can be written in Python is left in the end. Only a loop inside of C code goes on for ever.
"""

from __future__ import annotations

import atexit
import gc
import signal
import sys
import threading
import time
from collections.abc import Callable
from threading import get_ident
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from msgspec import Struct

from tracker.library.door.ticks import SIGNAL, Ticks, wake_no_loop

if TYPE_CHECKING:
    from _typeshed import TraceFunction

__all__ = ["TICK", "Call", "Endless", "calls", "expect", "leave", "mark_door", "timer", "told_to_stop", "within"]

TICK = 0.025
PATIENCE, WAITING = 0.6, 4
"""A call may sleep as long as it may compute, and so many seconds: who waits for another thread seems to sleep. Where
a busy machine looks like a sleep, it is so many times as long."""
QUEUE = "/proc/thread-self/schedstat"
"""Where Linux tells the nanoseconds that a thread has run, and that it has waited for a processor."""
EACH = 0.0005
"""Seconds more for each combatant."""
HEADROOM = 200
"""Calls by which the alarm may go deeper than a ruleset that recurses."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


class Call(Struct):
    """A call under way.

    Attributes:
        seconds: how long it may compute.
        about: the state it is about, if any; it may take longer where many fight.
        since: the clock of its thread at the first tick; None: no tick has come yet.
        queued: the seconds that its thread had waited for a processor by then; None: the system does not say.
        ticks: how many have come.
        rung: how often it was told to end.
    """

    seconds: float
    about: object = None
    since: float | None = None
    queued: float | None = None
    ticks: int = 0
    rung: int = 0
    recursion: int = 0
    traced: bool = False

    def late(self, clock: float, queued: Callable[[], float | None]) -> bool:
        """Take note of a tick, and tell whether the time is over."""
        self.ticks += 1
        if self.since is None:
            self.since, self.queued = clock, queued()
            return False
        seconds = self.seconds + EACH * len(getattr(self.about, "combatants", ()))
        computed, passed = clock - self.since, self.ticks * TICK
        if computed >= seconds or passed < PATIENCE:
            return computed >= seconds
        waited = None if self.queued is None else queued()
        if waited is None or self.queued is None:
            return passed >= seconds * WAITING
        return passed - computed - (waited - self.queued) >= max(seconds, PATIENCE)


class Endless(BaseException):
    """The time for a call is over.

    No handler of errors in a ruleset may swallow this. One that does lets it ring again.
    """

    def __init__(self) -> None:
        super().__init__()
        call = calls.get(get_ident())
        self.call = call
        if call is not None and call.rung > 1:
            _insist(call, sys._getframe(1))

    def __del__(self) -> None:
        call: Call | None = getattr(self, "call", None)
        if call is not None and calls.get(get_ident()) is call:
            _insist(call, sys._getframe(1))


calls: dict[int, Call] = {}
"""The call under way in each thread; one inside of it belongs to it."""


class _Collector:
    """The garbage collector: since when it works, by the clock of its thread."""

    def __init__(self) -> None:
        self.since: float | None = None

    def __call__(self, phase: str, _: object) -> None:
        if phase == "start":
            self.since = time.thread_time() if get_ident() in calls else None
            return
        begun, self.since = self.since, None
        call = calls.get(get_ident())
        if call is not None and call.since is not None and begun is not None:
            call.since += time.thread_time() - begun


_collector = _Collector()


class Timer:
    """The timer of the program.

    It is started in the main thread; another thread's calls are watched as long as it runs, and it runs as long as
    there are any.
    """

    def __init__(self) -> None:
        self.runs = self.known = False
        self.until = 0.0
        self.ticks = Ticks()
        self.before: signal.Handlers | int | Callable[[int, FrameType | None], object] | None = None

    def start(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self.before = signal.signal(SIGNAL, _tick)
        if not self.known:
            self.known = True
            atexit.register(self.end)
            gc.callbacks.append(_collector)
        wake_no_loop()
        self.ticks.start(TICK)
        self.runs = True

    def end(self) -> None:
        """Stop with the program.

        A signal that comes when its handler is gone would kill it.
        """
        if self.runs:
            self.stop()

    def stop(self) -> None:
        """Tick no more, and give the signal back to who heeded it.

        Where nobody did, the handler stays: another thread may still be about to hand over a tick.
        """
        self.runs = False
        self.ticks.stop()
        if callable(self.before) or not self.ticks.alone:
            signal.signal(SIGNAL, self.before)
        self.ticks.restore()


timer = Timer()


def expect(seconds: float = 1.0) -> None:
    """Let the timer run so long even without a call.

    For one that begins soon in another thread, which cannot start it.
    """
    timer.until = time.monotonic() + seconds
    if not timer.runs:
        timer.start()


def within(call: Call, function: Callable[_P, _T], *arguments: _P.args, **names: _P.kwargs) -> _T:
    """Call a function, and end it where it takes longer.

    Raises:
        Endless: where it does.
    """
    thread = get_ident()
    if thread in calls:
        return function(*arguments, **names)
    calls[thread] = call
    if not timer.runs:
        timer.start()
    try:
        return function(*arguments, **names)
    finally:
        leave(thread, call)


def leave(thread: int, call: Call) -> None:
    """Take note that a call has ended."""
    calls.pop(thread, None)
    if call.traced:
        sys.settrace(None)
    if call.recursion:
        sys.setrecursionlimit(call.recursion)


def _tick(number: int, frame: FrameType | None) -> None:
    wake_no_loop()  # it may have begun after the timer
    if not calls:
        if timer.runs and time.monotonic() >= timer.until:
            timer.stop()
        return
    if _collector.since is not None:
        return  # an error would be lost in there
    here = get_ident()
    for thread, call in tuple(calls.items()):
        late = call.late(time.thread_time(), _queued) if thread == here else call.late(_computed(thread), _nobody_says)
        if not late:
            continue
        if thread == here:
            if frame is None or frame.f_code in _OWN:
                continue  # at the door itself: the call begins or has ended
            _ring(call)
            raise Endless
        _ring(call)
        _ring_in(thread)


def _ring(call: Call) -> None:
    call.rung += 1
    if not call.recursion:
        call.recursion = sys.getrecursionlimit()
        sys.setrecursionlimit(call.recursion + HEADROOM)


def _computed(thread: int) -> float:
    if sys.platform != "linux":  # elsewhere nothing says it of one thread
        return time.process_time()
    else:
        try:
            return time.clock_gettime(time.pthread_getcpuclockid(thread))
        except OSError:  # it has ended
            return 0.0


def _queued() -> float | None:
    """Return the seconds that this thread has waited for a processor."""
    try:
        with open(QUEUE, "rb", buffering=0) as said:
            ran, waited, _ = said.read(100).split()
    except (OSError, ValueError):
        return None
    return int(waited) / 1e9 if int(ran) else None


def _nobody_says() -> None:
    """Stand for `_queued` of another thread."""


def _ring_in(thread: int) -> None:
    import ctypes  # slow; only for a call off the screen's thread that does not end

    if not hasattr(ctypes, "pythonapi"):
        return  # the tick came while it was being loaded: the next one rings
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Endless))


def _insist(call: Call, frame: FrameType | None) -> None:
    """Let the alarm ring again at the next instruction of this thread.

    That lies outside of what has swallowed it.
    """
    while frame is not None and frame.f_code not in _DOORS:
        if frame.f_code not in _OWN:
            frame.f_trace, frame.f_trace_opcodes = _again, True
        frame = frame.f_back
    call.traced = True
    sys.settrace(_again)


def _again(frame: FrameType, what: str, _: object) -> TraceFunction | None:
    if get_ident() not in calls:
        return None
    if frame.f_code in _OWN or what in ("exception", "return"):
        return _again
    raise Endless


def _codes(*functions: Callable[..., object]) -> set[object]:
    return {function.__code__ for function in functions}


_DOORS = _codes(within)
"""Code that calls a ruleset: what lies outside of it is not the ruleset's."""
_OWN = _DOORS | _codes(
    leave, _tick, _ring, _ring_in, _computed, _queued, _nobody_says, _insist, _again, Call.late, Endless.__init__
)
_OWN |= _codes(wake_no_loop)


def mark_door(function: Callable[..., object]) -> None:
    """Take note of another function that calls a ruleset as `within` does."""
    codes = _codes(function)
    _DOORS.update(codes)
    _OWN.update(codes)


def told_to_stop(error: BaseException) -> bool:
    """Tell whether an error is the user's Ctrl+C.

    Code of a ruleset may raise the same by itself.
    """
    if not isinstance(error, KeyboardInterrupt):
        return False
    from opcode import opmap  # only for this

    place: TracebackType | None = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is None or place.tb_frame.f_code.co_code[place.tb_lasti] != opmap["RAISE_VARARGS"]
