"""Commands of the panes: choose and enlarge a pane, move in it, pull its edges, close the open mode or page."""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.session.intents import LookAt
from tracker.ui.fight.controller import FightController
from tracker.ui.modes.search.lookups import Filter
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.panes.pane import BlockPane, FightPane
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Result
from tracker.ui.widgets.layout import Overrides


def choose_pane(controller: FightController, name: str) -> None:
    pane = controller.panes.named(name)
    if pane.row.board and not _has_board(controller):
        controller.say(problem=f"this fight has no {pane.row.title.lower()}")
    elif pane is controller.panes.chosen:
        controller.panes.grow()
    else:
        controller.panes.choose(pane)
        controller.panes.focus(controller.mode is not None)
        controller.aim()
        controller.foot()


def _has_board(controller: FightController) -> bool:
    return controller.session.ruleset.map.board(controller.model.state) is not None


def move(controller: FightController, by: int) -> None:
    who = controller.panes.moved.go(by)
    controller.aim()
    if who is not None:
        controller.select(who)


def move_aside(controller: FightController, by: int) -> None:
    controller.panes.moved.go_aside(by)
    controller.aim()


def _map(controller: FightController, squares: bool = True) -> MapPane | None:
    """Return the map if it is chosen; if `squares` are needed and it is a line of distances, say so and return None."""
    pane = controller.panes.chosen
    if not isinstance(pane, MapPane):
        return None
    if squares and pane.board is not None and pane.board.kind == "line":
        controller.say(problem="this fight has no map of squares")
        return None
    return pane


def widen(controller: FightController) -> None:
    """Show an area around the cursor; each further call widens it, the last removes it."""
    if (pane := _map(controller)) is not None:
        pane.widen()
        _type_size(controller, pane)


def resize(controller: FightController, size: int) -> None:
    if (pane := _map(controller)) is not None:
        pane.resize(size)


def _type_size(controller: FightController, pane: MapPane) -> None:
    """Open the line for the area's size, or close it if there is no area."""
    line = pane.laid()
    if line is not None or (controller.mode is not None and controller.mode.where == "beside"):
        controller.renew(line)


def lay(controller: FightController, what: str) -> None:
    if (pane := _map(controller, squares=what != "reach")) is not None:
        pane.lay(what)
        if what == "shape":
            _type_size(controller, pane)


def zoom(controller: FightController, by: int) -> None:
    if (pane := _map(controller)) is not None:
        pane.zoom(by)
        controller.panes.console.update()  # the stat block may have moved


def go_round(controller: FightController, by: int) -> None:
    if (pane := _map(controller, squares=False)) is not None:
        pane.go_round(by)
        controller.aim()


def show_block(controller: FightController) -> None:
    """Show the stat block instead of the log; if it has a pane of its own, fix the combatant that it shows."""
    block, log = controller.panes.of(BlockPane), controller.panes.of(LogPane)
    if block.display:
        block.pin()
    else:
        log.show_guest(None if log.guest is not None else block)
        controller.panes.share_block()
        controller.refresh()


def show_odds(controller: FightController) -> None:
    controller.odds.turn()
    controller.refresh()


def filter_pane(controller: FightController) -> None:
    pane, title = controller.panes.chosen, controller.panes.chosen.title.lower()
    controller.clear()
    if pane.row.listed:
        controller.open(Filter(title, entry=Entry.of(pane.narrowed)))
    else:
        controller.say(problem=f"the {title} cannot be filtered")


def narrow(controller: FightController, text: str) -> None:
    controller.panes.chosen.narrow(text)
    select(controller, controller.panes.chosen.seen(controller.selected))


def select(controller: FightController, combatant: Id | None) -> None:
    controller.select(combatant)
    controller.refresh()


def back(controller: FightController) -> None:
    if controller.refused is not None or controller.problem:
        controller.clear()
        controller.refresh()
    elif controller.model.looking_at is not None:
        controller.apply(Result(None, (LookAt(None),)))
    elif not controller.panes.chosen.step_back():
        controller.panes.shrink()


STEP = 2
"""Columns by which a key moves a vertical edge."""


def pull(controller: FightController, way: str) -> None:
    panes = controller.panes
    if way == "back":
        panes.sizes = Overrides()
        panes.apply_layout(controller.model)
        controller.say(note="the panes are as high as what they hold")
    elif way in ("up", "down"):
        panes.pull("above", -1 if way == "up" else 1)
    else:
        panes.pull(panes.edge_of(panes.chosen), -STEP if way == "left" else STEP)


def pull_to(controller: FightController, event: FightPane.Pulled) -> None:
    """Move the dragged edge to the position of the mouse."""
    panes, pane, region = controller.panes, event.pane, event.pane.region
    if event.edge in ("top", "bottom"):
        if (event.edge == "bottom") == panes.is_above(pane):
            panes.pull("above", event.row - (region.bottom - 1 if event.edge == "bottom" else region.y))
        return
    before = panes.before(pane)
    if event.edge == "right" and pane is not panes.last_of(pane):
        panes.pull(panes.edge_of(pane), event.column - (region.right - 1))
    elif event.edge == "left" and before is not None:
        panes.pull(panes.edge_of(before), event.column - region.x)
