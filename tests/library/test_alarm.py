"""What a call into a ruleset may take, and what is not its own."""

from __future__ import annotations

import gc
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from traceback import walk_tb

import pytest
from msgspec.structs import replace

from tests.ui.skirmish import SKIRMISH
from tracker.library.door import alarm
from tracker.library.door.alarm import TICK, Call, Endless, within
from tracker.library.door.guarded import DRAWING, door, guarded
from tracker.library.door.ticks import SIGNAL, ByThread, wake_no_loop
from tracker.library.slips import Slip

SECONDS = 0.1


def compute(seconds: float) -> None:
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass


@pytest.fixture
def busy() -> Iterator[None]:
    """Every collection takes three times as long as a call may."""

    def work(phase: str, _: object) -> None:
        if phase == "stop":
            compute(3 * SECONDS)

    gc.callbacks.insert(0, work)
    yield
    gc.callbacks.remove(work)


def collect() -> str:
    compute(SECONDS / 2)
    gc.collect(0)
    return "done"


@pytest.fixture
def full() -> Iterator[None]:
    """An event loop has as many calls to wake up as it can hold."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                ours.send(b"\0" * 65_536)
        before = signal.set_wakeup_fd(ours.fileno())
        yield
        signal.set_wakeup_fd(before)


def test_a_call_that_computes_too_long_is_ended() -> None:
    with pytest.raises(Endless):
        within(Call(SECONDS), compute, 5 * SECONDS)


def test_what_the_collector_takes_is_not_the_call_s_own(busy: None) -> None:
    """No error is lost inside of it either."""
    within(Call(SECONDS), compute, 0.0)

    assert within(Call(SECONDS), collect) == "done"


@pytest.mark.parametrize(
    ("seconds", "computes", "queues", "after"),
    [
        (DRAWING, 1.0, 0.0, 3),
        (DRAWING, 0.04, 0.96, 51),
        (DRAWING, 0.01, 0.99, 201),
        (DRAWING, 0.0, 0.0, 24),
        (DRAWING, 0.0, None, 24),
        (1.0, 0.0, 0.0, 40),
        (1.0, 0.0, None, 160),
        (1.0, 0.5, 0.5, 81),
    ],
)
def test_a_call_may_compute_or_sleep_so_long(seconds: float, computes: float, queues: float | None, after: int) -> None:
    """Given what share of the time between ticks it computes, and waits for a processor.

    On a busy machine it computes hardly anything and is not ended; one that sleeps is.
    """
    call = Call(seconds)

    def late(tick: int) -> bool:
        clock = tick * TICK
        return call.late(clock * computes, lambda: None if queues is None else clock * queues)

    assert next(tick for tick in range(1, 300) if late(tick)) == after


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows the ticks of a thread end no sleep")
def test_a_call_that_sleeps_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alarm, "PATIENCE", SECONDS)

    with pytest.raises(Endless):
        within(Call(SECONDS), lambda: time.sleep(60.0))


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="on Windows every test of the alarm is one of these ticks")
def test_a_thread_ticks_where_the_system_has_no_timer(monkeypatch: pytest.MonkeyPatch, full: None) -> None:
    """It ends what computes in Python, and ticks no more once the calls are over.

    Python says nothing of an event loop that a tick cannot wake: there is nothing to wake it for.
    """
    monkeypatch.setattr(alarm, "SIGNAL", signal.SIGUSR1)
    monkeypatch.setattr(alarm, "timer", alarm.Timer())
    ticks = alarm.timer.ticks = ByThread(signal.SIGUSR1)  # type: ignore[assignment]  # stands for another system's

    with pytest.raises(Endless):
        within(Call(SECONDS), compute, 5 * SECONDS)
    before = signal.getsignal(signal.SIGUSR1)
    compute(4 * alarm.TICK)

    assert before is alarm._tick
    assert (alarm.timer.runs, ticks._runs, signal.getsignal(signal.SIGUSR1)) == (False, False, signal.SIG_DFL)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no timer that sends a signal")
def test_a_tick_that_comes_late_does_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread may hold it when the timer stops."""
    alarm.timer.end()
    before = signal.signal(SIGNAL, signal.SIG_DFL)
    monkeypatch.setattr(alarm, "timer", alarm.Timer())
    try:
        alarm.timer.start()
        alarm.timer.stop()
        assert signal.getsignal(SIGNAL) is alarm._tick
        signal.raise_signal(SIGNAL)
        assert not alarm.timer.runs

        signal.setitimer(signal.ITIMER_REAL, 60)  # an alarm of another part of the program that is to end it
        signal.signal(SIGNAL, signal.SIG_DFL)
        alarm.timer.start()
        alarm.timer.stop()
        assert signal.getsignal(SIGNAL) is signal.SIG_DFL
        assert signal.setitimer(signal.ITIMER_REAL, 0)[0] > 50
    finally:
        signal.signal(SIGNAL, before)


def test_an_error_raised_again_and_again_keeps_its_last_way_only() -> None:
    """A ruleset may keep one error and raise it at each call."""
    kept = LookupError("a slip")

    def slips(*arguments: object) -> None:
        raise kept

    ruleset = guarded(replace(SKIRMISH, badges=slips, printed=slips))
    calls: tuple[Callable[..., object], ...] = (ruleset.badges, ruleset.printed, partial(door, "it", slips))
    for number in range(20):
        for function in calls:
            with pytest.raises(Slip, match="a slip"):
                function(number, "x")

    assert len([*walk_tb(kept.__traceback__)]) < 12


def test_a_loop_that_is_gone_is_no_error() -> None:
    """It may have closed its socket and left it to be written to."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        before = signal.set_wakeup_fd(ours.fileno())

    wake_no_loop()

    assert signal.set_wakeup_fd(before) == -1


def test_ticks_are_stopped_amid_a_start_or_a_stop() -> None:
    """A tick that comes there may stop them itself, and nothing waits."""
    ticks, ended = ByThread(SIGNAL), threading.Event()

    def interrupt(frame: object, event: str, what: object) -> None:
        if event == "c_return":
            ticks.stop()

    def play() -> None:
        sys.setprofile(interrupt)
        ticks.stop()
        ticks.start(60)
        ticks.stop()
        sys.setprofile(None)
        ended.set()

    threading.Thread(target=play, daemon=True).start()

    assert ended.wait(5)
    assert not ticks._runs
