"""Looking ahead: performing a step on the side to see what it asks."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Pending, Step
from tracker.core.terms.requests import Passed, Request, Roll, Thrown, Window
from tracker.session.settings import Settings, source_of
from tracker.session.step.attempt import try_out

__all__ = ["Ahead", "really_asked", "unrolled"]

MOST_WINDOWS = 20


class Ahead(Struct, frozen=True):
    """What is really asked: the request behind the windows that wait in front of it."""

    request: Request
    windows: tuple[Window, ...] = ()


_latest: tuple[Pending | None, Settings | None, Ahead | None] = (None, None, None)


def really_asked(ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step) -> Ahead:
    """Return what is asked once the windows in front of it are passed.

    A window behind which no person is asked anything stands for itself. The last answer is remembered.
    """
    global _latest
    known, under, found = _latest
    if known is not pending or under is not settings or found is None:
        found = _found(ruleset, settings, before, pending, step)
        _latest = (pending, settings, found)
    return found


def _found(ruleset: Ruleset, settings: Settings, before: State, pending: Pending, step: Step) -> Ahead:
    request = pending.request
    if not isinstance(request, Window):
        return Ahead(request)
    # What the program would answer by itself is not asked; its dice are not rolled for looking ahead.
    asked = source_of(unrolled(settings), before, {})
    windows: list[Window] = []
    answers: Answers = pending.answers
    for _ in range(MOST_WINDOWS):
        if not isinstance(request, Window):
            break
        if not windows or asked(request) is None:  # the program passes the others by itself
            windows.append(request)
        answers = (*answers, (request.key, Passed()))
        outcome = try_out(ruleset, before, step, answers)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
        if not isinstance(request, Window) and asked(request) is None:
            return Ahead(request, tuple(windows))
    return Ahead(pending.request)


def unrolled(settings: Settings) -> Settings:
    """Return settings that answer the same requests, but roll no dice for it."""
    return replace(settings, roller=None if settings.roller is None else _any_dice)


def _any_dice(request: Roll) -> Thrown:
    return Thrown(request.dice.minimum)
