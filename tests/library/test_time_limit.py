"""What a call into a ruleset may take, and what is not its own."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from tracker.library.time_limit import TimedCall, TimeOver, call_within, under_way

SECONDS = 0.1


def compute(seconds: float) -> str:
    begun = time.thread_time()
    while time.thread_time() - begun < seconds:
        pass
    return "done"


def swallow(times: int) -> None:
    for _ in range(times):
        with suppress(BaseException):
            compute(60)
    compute(60)


@pytest.mark.parametrize("work", [lambda: compute(60), lambda: swallow(1), lambda: swallow(3)])
def test_a_call_that_computes_too_long_is_ended(work: Callable[[], None]) -> None:
    """However often it swallows the error."""
    with pytest.raises(TimeOver):
        call_within(TimedCall(SECONDS), work)
    assert not under_way()


def test_it_is_ended_in_any_thread() -> None:
    ended: list[bool] = []

    def work() -> None:
        with suppress(TimeOver):
            call_within(TimedCall(SECONDS), compute, 60)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert ended == [True]


def test_what_ends_in_time_is_left_alone() -> None:
    """Also just before its end, a hundred times."""
    for _ in range(100):
        with suppress(TimeOver):
            assert call_within(TimedCall(0.001), compute, 0.001) == "done"
        compute(0.001)
    assert not under_way()


def test_a_function_can_be_profiled_after_calls_that_were_ended() -> None:
    """In a process of its own, since a profiler that never begins would hang this one."""
    program = (
        "import sys\n"
        "from tracker.library.time_limit import TimedCall, TimeOver, call_within\n"
        "def loop():\n    while True: pass\n"
        "for _ in range(3):\n"
        "    try: call_within(TimedCall(0.1), loop)\n"
        "    except TimeOver: pass\n"
        "seen = []\n"
        "def work(): return 1\n"
        "sys.setprofile(lambda frame, event, about: seen.append(event))\n"
        "work()\n"
        "sys.setprofile(None)\n"
        "assert 'call' in seen\n"
    )

    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0
