"""Commands of the forecast: how the fight will end, and what an action changes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.typing.mode import Mode

if TYPE_CHECKING:
    from tracker.ui.modes.forecast.asking import Foresight, Staff

__all__ = ["compare", "forecast", "keep"]


def forecast(cockpit: Cockpit) -> None:
    """Open the forecast of the fight as it is shown, and ask for it."""
    from tracker.ui.modes.forecast.sheet import (
        Foreseen,
        of_fight,  # the first picture does without
    )

    foresight, ask = _foresight(cockpit), partial(of_fight, cockpit.session)
    foresight.ask(ask())
    cockpit.showing.renew(Foreseen(foresight, ask))


def compare(cockpit: Cockpit) -> None:
    """Ask for the action in hand against the usual one."""
    from tracker.ui.modes.forecast.sheet import Foreseen, of_action, told_of  # the first picture does without

    showing = cockpit.showing
    mode, scene = showing.mode, showing.scene
    action = mode.aim(scene) if mode is not None and scene.model.pending is None else None
    if action is None:
        showing.say(problem="a forecast of an action needs its form, filled in")
        return
    foresight, ask = _foresight(cockpit), partial(of_action, cockpit.session, action)
    foresight.ask(ask())
    showing.renew(Foreseen(foresight, ask, told_of(scene, action), back=mode))


def keep(cockpit: Cockpit, mode: Mode | None) -> None:
    """Let a sheet lie over the panes again that a step beneath it has closed."""
    showing = cockpit.showing
    if showing.mode is None and showing.model is not None and showing.model.pending is None:
        showing.open(mode)


def _foresight(cockpit: Cockpit) -> Foresight:
    """Return the forecasts of the screen, from the first of them on."""
    if cockpit.foresight is None:
        from tracker.ui.modes.forecast.asking import Foresight  # most fights have none

        cockpit.foresight = Foresight(cockpit.screen, cast("Staff", cockpit.screen.app), partial(_show, cockpit))
    return cockpit.foresight


def _show(cockpit: Cockpit) -> bool:
    """Draw what has changed of the sheet, and tell whether it is still looked at."""
    from tracker.ui.modes.forecast.sheet import Foreseen

    mode = cockpit.showing.mode
    if not isinstance(mode, Foreseen) or mode.foresight is not cockpit.foresight:
        return False
    cockpit.panes.over.update()
    return True
