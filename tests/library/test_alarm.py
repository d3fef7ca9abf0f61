"""What a call into a ruleset may take, and what is not its own."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest

from tracker.library.door.alarm import Call, Endless, within

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


def test_a_call_that_computes_too_long_is_ended() -> None:
    with pytest.raises(Endless):
        within(Call(SECONDS), compute, 5 * SECONDS)


def test_what_the_collector_takes_is_not_the_call_s_own(busy: None) -> None:
    """No error is lost inside of it either."""
    within(Call(SECONDS), compute, 0.0)

    assert within(Call(SECONDS), collect) == "done"
