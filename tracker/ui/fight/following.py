"""The request behind the windows that stand in its prompt."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.session.model import Model
from tracker.session.settings import Settings
from tracker.session.step.runner import asked_in_a_row, really_asked
from tracker.ui.typing.mode import Following

__all__ = ["following"]


def following(ruleset: Ruleset, settings: Settings, before: State, model: Model) -> Following | None:
    """Return what is asked once the windows in front of it are passed.

    A window behind which no person is asked anything stands for itself.
    """
    pending, step = model.pending, model.pending_step
    if pending is None or step is None:
        return None
    found = really_asked(ruleset, settings, before, pending=pending, step=step)
    row = () if found.windows else asked_in_a_row(ruleset, settings, before, pending=pending, step=step)
    return Following(found.request, found.windows, row)
