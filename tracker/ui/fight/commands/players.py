"""Commands of the players' screen: seeing it, holding it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from tracker.core.terms.actions import Action
from tracker.ui.fight.controller import FightController
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.panes.map_pane import MapPane
from tracker.views.words.spans import Row

if TYPE_CHECKING:
    from tracker.ui.platform.phones import HasServer, Phones

LINES = 60
EVERY = 0.1
"""Seconds between two looks at what phones have sent."""


def serve(controller: FightController) -> None:
    from tracker.ui.modes.search.players_page import PlayersPageMode  # the first picture does without

    controller.renew(PlayersPageMode(_phones(controller)))


def open_fog(controller: FightController) -> None:
    scene, pane = controller.context, controller.panes.of(MapPane)
    board = pane.board
    if board is None or board.kind != "square":
        controller.say(problem="this fight has no map of squares")
        return
    area = pane.area()
    action = Action("fog").put(squares=area) if area else Action("fog")
    controller.renew(Form.open(scene.spec(action), action))


def find_phones(controller: FightController) -> None:
    """Follow the phones from now on, where there are any; they have sent something, or the page is served already."""
    if controller.phones is not None:
        return
    path = controller.session.journal.path
    if getattr(controller.screen.app, "server", None) is not None or path.with_name(f"{path.name}.dice").exists():
        _phones(controller)


def _phones(controller: FightController) -> Phones:
    if controller.phones is None:
        from tracker.ui.platform.phones import Phones  # most fights have none

        phones = controller.phones = Phones(controller.session, cast("HasServer", controller.screen.app))
        controller.handed = phones.handed

        def look() -> None:
            if phones.look():
                with controller.contained():
                    controller.refresh()

        controller.screen.set_interval(EVERY, look)
        look()
    return controller.phones


def players_view(controller: FightController) -> None:
    from tracker.views.public.build import public_view  # the first picture does without
    from tracker.views.public.rows import screen_rows

    session = controller.session
    view = public_view(session.ruleset, session.real_state(), session.player_view.salt)

    def page(width: int) -> Sequence[Row]:
        return screen_rows(view, width, LINES)

    held = " (held: they see an earlier moment)" if session.model.screen_held else ""
    controller.read(f"What the players see{held}", page)


def hold_screen(controller: FightController) -> None:
    session = controller.session
    on = not session.model.screen_held
    model = session.freeze_player_view(on)
    controller.clear()
    controller.show(model, controller.mode)
    controller.say(
        problem=model.problem, note="" if model.problem else "the players' screen " + ("is held" if on else "goes on")
    )
