"""The request behind the windows that stand in its prompt."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Pending
from tracker.core.terms.requests import Passed, Window
from tracker.session.model import Model
from tracker.session.settings import Settings, source_of
from tracker.session.step.attempt import attempt
from tracker.ui.typing.ahead import SECONDS, unrolled
from tracker.ui.typing.mode import Following

__all__ = ["following"]

MOST_WINDOWS = 20


def following(ruleset: Ruleset, settings: Settings, before: State, model: Model) -> Following | None:
    """Return what is asked once the windows in front of it are passed.

    A window behind which no person is asked anything stands for itself.
    """
    pending, step = model.pending, model.pending_step
    if pending is None or step is None:
        return None
    request = pending.request
    if not isinstance(request, Window):
        return Following(request)
    # What the program would answer by itself is not asked; its dice are not rolled for looking ahead.
    asked = source_of(unrolled(settings), before, {})
    windows: list[Window] = []
    answers: Answers = pending.answers
    while isinstance(request, Window) and len(windows) < MOST_WINDOWS:
        if windows and asked(request) is not None:
            break
        windows.append(request)
        answers = (*answers, (request.key, Passed()))
        outcome = attempt(ruleset, before, step, answers, source=None, seconds=SECONDS)
        if not isinstance(outcome, Pending):
            break
        request, answers = outcome.request, outcome.answers
        if not isinstance(request, Window) and asked(request) is None:
            return Following(request, tuple(windows))
    return Following(pending.request)
