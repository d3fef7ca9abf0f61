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

__all__ = ["Ahead", "asked_in_a_row", "really_asked", "unrolled"]

MOST_WINDOWS = 20
MOST_IN_A_ROW = 24


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


def asked_in_a_row(
    ruleset: Ruleset, settings: Settings, before: State, *, pending: Pending, step: Step
) -> tuple[Roll, ...]:
    """Return the dice asked for one after the other, whatever they come to.

    They are of one kind and one roller: `initiative:ava`, `initiative:brin`. Fewer than two are none.
    """
    first = pending.request
    if not isinstance(first, Roll) or not _kind_of(first):
        return ()
    rolls = _row(ruleset, settings, before, pending, step, least=True)
    if len(rolls) > 1:
        most = _row(ruleset, settings, before, pending, step, least=False, limit=len(rolls))
        alike = [one for one, other in zip(rolls, most, strict=False) if one.key == other.key]
        rolls = rolls[: len(alike)]
    return tuple(rolls) if len(rolls) > 1 else ()


def _kind_of(roll: Roll) -> str:
    """Return the path of a key before the combatant in it, "" where there is none."""
    path, _, last = roll.key.rpartition("/")
    name, colon, _ = last.partition(":")
    return f"{path}/{name}" if colon else ""


def _row(
    ruleset: Ruleset,
    settings: Settings,
    before: State,
    pending: Pending,
    step: Step,
    *,
    least: bool,
    limit: int = MOST_IN_A_ROW,
) -> list[Roll]:
    """Return the rolls asked for in a row, each at its least or its most."""
    asked = source_of(unrolled(settings), before, {})
    first, answers = pending.request, pending.answers
    found: list[Roll] = []
    request: Request = first
    while (
        isinstance(request, Roll)
        and isinstance(first, Roll)
        and len(found) < limit
        and (_kind_of(request), request.to) == (_kind_of(first), first.to)
    ):
        found.append(request)
        thrown = Thrown(request.dice.minimum if least else request.dice.maximum)
        if not request.total_ok or len(request.dice.sides) == 1:
            faces = tuple(1 if least else sides for sides in request.dice.sides)
            thrown = Thrown(sum(faces), faces)
        outcome = try_out(ruleset, before, step, (*answers, (request.key, thrown)), asked)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
    return found


def unrolled(settings: Settings) -> Settings:
    """Return settings that answer the same requests, but roll no dice for it."""
    return replace(settings, roller=None if settings.roller is None else _any_dice)


def _any_dice(request: Roll) -> Thrown:
    return Thrown(request.dice.minimum)
