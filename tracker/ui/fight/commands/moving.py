"""Commands of the panes: choosing and enlarging one, moving in it, closing what is open."""

from __future__ import annotations

from tracker.session.intents import LookAt
from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.modes.looking.search import Filter
from tracker.ui.panes.block import BlockPane
from tracker.ui.panes.log import LogPane
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Result

__all__ = [
    *(
        "back",
        "choose_pane",
        "filter_pane",
        "go_round",
        "lay",
        "move",
        "move_aside",
        "resize",
        "show_block",
        "show_odds",
        "widen",
    ),
    "zoom",
]


def choose_pane(cockpit: Cockpit, name: str) -> None:
    """Give a pane the arrow keys, and the second time the screen."""
    pane = cockpit.panes.named(name)
    if pane.row.board and not _has_board(cockpit):
        cockpit.showing.say(problem=f"this fight has no {pane.row.title.lower()}")
    elif pane is cockpit.panes.chosen:
        cockpit.panes.grow()
    else:
        cockpit.panes.choose(pane)
        cockpit.panes.light(cockpit.showing.mode is not None)
        cockpit.showing.aim()


def _has_board(cockpit: Cockpit) -> bool:
    model = cockpit.showing.model
    return model is not None and cockpit.session.ruleset.board(model.state) is not None


def move(cockpit: Cockpit, by: int) -> None:
    """Move the cursor of the chosen pane."""
    who = cockpit.panes.moved.go(by)
    cockpit.showing.aim()
    if who is not None and who != cockpit.showing.selected:
        cockpit.showing.select(who)
        if cockpit.showing.mode is None:
            cockpit.showing.open(None)


def move_aside(cockpit: Cockpit, by: int) -> None:
    """Move the cursor of the chosen pane to the side."""
    cockpit.panes.moved.go_aside(by)
    cockpit.showing.aim()


def widen(cockpit: Cockpit) -> None:
    """Show an area around the cursor, a wider one each time, at last none."""
    if not _on_a_line(cockpit):
        cockpit.panes.chosen.widen()
        _size(cockpit)


def _on_a_line(cockpit: Cockpit) -> bool:
    """Tell whether the chosen map is a line of distances, and say so."""
    model, chosen = cockpit.showing.model, cockpit.panes.chosen
    board = cockpit.session.ruleset.board(model.state) if model is not None and chosen.row.board else None
    if board is None or board.kind != "line":
        return False
    cockpit.showing.say(problem="this fight has no map of squares")
    return True


def resize(cockpit: Cockpit, size: int) -> None:
    """Make the area on the map as large as was typed, 0 for none."""
    cockpit.panes.chosen.resize(size)


def _size(cockpit: Cockpit) -> None:
    """Open the line for the area's size, or close it where there is none."""
    showing, line = cockpit.showing, cockpit.panes.chosen.laid()
    if line is not None or (showing.mode is not None and showing.mode.beside):
        showing.renew(line)


def lay(cockpit: Cockpit, what: str) -> None:
    """Show or hide what lies over the map."""
    if what != "reach" and _on_a_line(cockpit):
        return
    cockpit.panes.chosen.lay(what)
    if what == "shape":
        _size(cockpit)


def zoom(cockpit: Cockpit, by: int) -> None:
    """Make the squares of the map bigger or smaller."""
    if not _on_a_line(cockpit):
        cockpit.panes.chosen.zoom(by)


def go_round(cockpit: Cockpit, by: int) -> None:
    """Move the cursor to the next target."""
    cockpit.panes.chosen.go_round(by)
    cockpit.showing.aim()


def show_block(cockpit: Cockpit) -> None:
    """Show the stat block instead of the log, or the log again.

    Where the stat block has a place of its own, hold it fast or let it follow the cursor.
    """
    block, log = cockpit.panes.of(BlockPane), cockpit.panes.of(LogPane)
    if block.display:
        block.pin()
    else:
        log.show_guest(None if log.guest is not None else block)


def show_odds(cockpit: Cockpit) -> None:
    """Show the odds, or do without them."""
    cockpit.showing.odds.turn()
    cockpit.showing.refresh()


def filter_pane(cockpit: Cockpit) -> None:
    """Narrow the chosen pane, if it is a list."""
    pane, title = cockpit.panes.chosen, cockpit.panes.chosen.title.lower()
    cockpit.showing.clear()
    if pane.row.listed:
        cockpit.showing.open(Filter(title, entry=Entry.of(pane.narrowed)))
    else:
        cockpit.showing.say(problem=f"the {title} cannot be filtered")


def back(cockpit: Cockpit) -> None:
    """Close what is open, without changing the fight."""
    showing = cockpit.showing
    if showing.refused is not None or showing.problem:
        showing.clear()
        showing.refresh()
    elif showing.model is not None and showing.model.looking_at is not None:
        showing.apply(Result(None, (LookAt(None),)))
    elif not cockpit.panes.chosen.step_back():
        cockpit.panes.shrink()
