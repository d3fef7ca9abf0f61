"""What a call into a ruleset may take, and what is not its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest

from tracker.library.time_limit import Call, TimeOver, under_way, within

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
        within(Call(SECONDS), work)
    assert not under_way()


def test_it_is_ended_in_any_thread() -> None:
    ended: list[bool] = []

    def work() -> None:
        with suppress(TimeOver):
            within(Call(SECONDS), compute, 60)
        ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert ended == [True]


def test_what_ends_in_time_is_left_alone() -> None:
    """Also just before its end, a hundred times."""
    for _ in range(100):
        with suppress(TimeOver):
            assert within(Call(0.001), compute, 0.001) == "done"
        compute(0.001)
    assert not under_way()
