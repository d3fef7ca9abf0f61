"""Commands of the players' screen: seeing it, holding it."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.ui.fight.cockpit import Cockpit
from tracker.views.words.spans import Row

__all__ = ["hold_screen", "players_view"]

LINES = 60


def players_view(cockpit: Cockpit) -> None:
    """Open what players see, as their screen shows it."""
    from tracker.views.public.making import public_view  # the first picture does without
    from tracker.views.public.rows import screen_rows

    session = cockpit.session
    view = public_view(session.ruleset, session.real_state(), session.shown.salt)

    def page(width: int) -> Sequence[Row]:
        return screen_rows(view, width, LINES)

    held = " (held: they see an earlier moment)" if session.model.screen_held else ""
    cockpit.showing.read(f"What the players see{held}", page)


def hold_screen(cockpit: Cockpit) -> None:
    """Hold the players' screen, or let it go on."""
    showing, session = cockpit.showing, cockpit.session
    on = not session.model.screen_held
    model = session.hold_screen(on)
    showing.clear()
    showing.show(model, showing.mode)
    showing.say(
        problem=model.problem, note="" if model.problem else "the players' screen " + ("is held" if on else "goes on")
    )
