"""Attempts: a pass of a step in which a ruleset may fail without harm.

Whatever a ruleset raises, or if it never ends, comes back as `Broken`; the caller's state is untouched.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable
from types import FrameType

from msgspec import Struct

from tracker.core import run as steps
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Outcome, Source, Step
from tracker.core.terms.errors import RulesBug
from tracker.library.slips import place_of, slip_line

__all__ = ["Broken", "attempt"]


class Broken(Struct, frozen=True):
    """A ruleset failed: one line for people, and where it happened."""

    line: str
    details: str = ""


class _Endless(BaseException):
    """The time for a step is over.

    No handler of errors in a ruleset may swallow this.
    """


def attempt(
    ruleset: Ruleset, state: State, step: Step, answers: Answers, *, source: Source | None, seconds: float
) -> Outcome | Broken:
    """Perform a step as `tracker.core.run.run` does, and contain what goes wrong inside the ruleset."""
    timer = _Timer(seconds)
    try:
        try:
            timer.start()
            return steps.run(ruleset, state, step, answers, source)
        finally:
            timer.stop()
    except RulesBug as bug:
        return Broken(f"{ruleset.title}: {bug.message}{_at(bug)}", traceback.format_exc())
    except _Endless as endless:
        words = f"the step did not end within {seconds:g} seconds{_at(endless)}"
        return Broken(f"{ruleset.title}: {words}", traceback.format_exc())
    except Exception as error:  # noqa: BLE001 - the one border at which whatever a ruleset does wrong is contained
        return Broken(f"{ruleset.title}: {slip_line(error)}", traceback.format_exc())
    finally:
        timer.stop()  # again: it may have rung inside the first stop


def _at(error: BaseException) -> str:
    place = place_of(error)
    return f" ({place})" if place else ""


class _Timer:
    """Stops what runs longer.

    Where there is no timer (another thread, another system) nothing is stopped.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._armed, self._set = seconds, False, False
        self._other = (0.0, 0.0)
        self._before: signal.Handlers | int | Callable[[int, FrameType | None], object] | None = None

    def start(self) -> None:
        if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
            return
        self._before = signal.signal(signal.SIGALRM, self._ring)
        self._armed = self._set = True
        # It rings again until it is heard: an exception can be lost inside a callback of C code.
        self._other = signal.setitimer(signal.ITIMER_REAL, self._seconds, 0.1)

    def stop(self) -> None:
        self._armed = False
        if self._set:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._before)
            signal.setitimer(signal.ITIMER_REAL, *self._other)  # another alarm rings late rather than never
            self._set = False

    def _ring(self, number: int, frame: FrameType | None) -> None:
        if self._armed:
            raise _Endless
