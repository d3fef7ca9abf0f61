"""The panes of a fight, one row each, and the keys that work in them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.ui.keys.command import Command, under

__all__ = ["PANES", "PANE_KEYS", "Pane", "Region", "pane_commands"]

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


_LISTS = tuple(pane.id for pane in PANES if pane.listed)
_CHOSEN = tuple(pane.id for pane in PANES if pane.number)

PANE_KEYS: tuple[Command, ...] = (
    *under(
        "Panes",
        *pane_commands(PANES),
        *(
            replace(row, near=("map",), board=True)
            for row in (
                Command(
                    "template",
                    "t",
                    "area",
                    "on the map: an area and whom it catches, for {damage} to take; again: a wider one",
                    action="template",
                ),
                Command("shape", "T", "shape", "on the map: an area of another form", action="lay", value="shape"),
                Command(
                    "reach",
                    "G",
                    "reach",
                    "on the map: show or hide how far the chosen combatant can go",
                    action="lay",
                    value="reach",
                ),
                Command("threat", "D", "danger", "on the map: what its foes threaten", action="lay", value="threat"),
                Command(
                    "ruler",
                    "L",
                    "ruler",
                    "on the map: measure from here to where the cursor goes; again: no longer",
                    action="lay",
                    value="ruler",
                ),
                Command(
                    "fog",
                    "V",
                    "fog",
                    "on the map: veil it from the players, or lift fog from the area laid",
                    action="fog",
                ),
                Command("bigger", "greater_than_sign", "", "on the map: bigger squares", action="zoom", value=1),
                Command("smaller", "less_than_sign", "", "on the map: smaller squares", action="zoom", value=-1),
                Command("next_target", "tab", "", "on the map: to the next target", action="round", value=1),
                Command("last_target", "shift+tab", "", "on the map: to the target before", action="round", value=-1),
            )
        ),
        Command(
            "block",
            "b",
            "stat block",
            "show or hide the stat block of the combatant under the cursor",
            action="block",
            near=("order", "roster"),
        ),
        Command("up", "up", "", "one line up", action="move", value=-1, near=_CHOSEN, screens=("fight", "start")),
        Command("down", "down", "", "one line down", action="move", value=1, near=_CHOSEN, screens=("fight", "start")),
        Command(
            "left",
            "left",
            "",
            "among the combatants: fold a group or the dead; on the map: one square to the left",
            action="aside",
            value=-1,
            near=("roster", "map"),
        ),
        Command(
            "right",
            "right",
            "",
            "among the combatants: unfold a group or the dead; on the map: one square to the right",
            action="aside",
            value=1,
            near=("roster", "map"),
        ),
        Command(
            "page_up",
            "pageup",
            "",
            "ten lines up; on the map: up and right",
            action="move",
            value=-10,
            near=_CHOSEN,
            screens=("fight", "start"),
        ),
        Command(
            "page_down",
            "pagedown",
            "",
            "ten lines down; on the map: down and right",
            action="move",
            value=10,
            near=_CHOSEN,
            screens=("fight", "start"),
        ),
        Command(
            "top",
            "home",
            "",
            "to the first line; on the map: up and left",
            action="move",
            value=-1000000,
            near=_CHOSEN,
            screens=("fight", "start"),
        ),
        Command(
            "bottom",
            "end",
            "",
            "to the last line; on the map: down and left",
            action="move",
            value=1000000,
            near=_CHOSEN,
            screens=("fight", "start"),
        ),
        *(
            Command(f"edge_{way}", f"ctrl+{way}", "", does, action="pull", value=way)
            for way, does in (
                ("up", "move the edge between the panes above and below up; the mouse can pull any edge"),
                ("down", "move the edge between the panes above and below down"),
                ("left", "move the edge between this pane and the next to the left"),
                ("right", "move the edge between this pane and the next to the right"),
            )
        ),
        Command(
            "edges",
            "",
            "edges",
            "put all panes back to where they were at first",
            action="pull",
            value="back",
            about="panes are as high as what they hold again",
            finds="size height width resize reset layout",
        ),
        Command("odds", "O", "odds", "show the odds of the action in hand, or do without them", action="odds"),
        Command(
            "filter",
            "slash",
            "filter",
            "show only the lines of this pane that hold a word; {back} shows all",
            action="filter",
            near=_LISTS,
        ),
    ),
)
