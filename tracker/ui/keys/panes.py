"""The panes of a fight, one row each."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.ui.keys.command import Command

Region: TypeAlias = Literal["above", "below"]


class Pane(Struct, frozen=True):
    """A pane of the fight.

    Attributes:
        id: its name: of its command in a keymap file, of its rules of style, of the help that is its own.
        number: its key and the number in its frame; 0: it cannot be chosen.
        title: what stands in its frame.
        widget: module and class in `tracker.ui.panes`.
        region: the row of panes it stands in; there they stand in the order of the table.
        place: panes of one place stand there one at a time, the first of them to begin with.
        look: what the help says of its key.
        listed: whether its lines can be filtered.
        board: whether it needs a fight with a map.
        moves: the pane whose cursor the arrow keys move while this one is chosen; "": its own.
    """

    id: str
    number: int
    title: str
    widget: str
    region: Region
    place: str = ""
    look: str = ""
    listed: bool = False
    board: bool = False
    moves: str = ""


PANES: tuple[Pane, ...] = (
    Pane("order", 1, "Initiative", "sides:OrderPane", region="above", listed=True),
    Pane(
        "roster",
        2,
        "Combatants",
        "roster:RosterPane",
        region="above",
        place="middle",
        listed=True,
        look="look at the combatants; again: enlarge them",
    ),
    Pane(
        "map",
        5,
        "Map",
        "ground:MapPane",
        region="above",
        place="middle",
        board=True,
        look="look at the map, where the fight has one: arrows move, {answer} goes there; again: enlarge it",
    ),
    Pane("block", 0, "Stat block", "block:BlockPane", region="above"),
    Pane("console", 4, "Action", "console:ConsolePane", region="below", moves="roster"),
    Pane("log", 3, "Log", "log:LogPane", region="below", listed=True),
)
"""Every pane of the fight, as they stand on the screen."""


def pane_commands(panes: tuple[Pane, ...]) -> tuple[Command, ...]:
    """Return the commands that choose a pane, by number."""
    return tuple(
        Command(
            pane.id,
            str(pane.number),
            pane.title.lower(),
            pane.look or f"look at the {pane.title.lower()}; again: enlarge it",
            action="pane",
            value=pane.id,
            board=pane.board,
        )
        for pane in sorted(panes, key=lambda pane: pane.number)
        if pane.number
    )
