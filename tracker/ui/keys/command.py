"""The records of the tables: commands and panes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

# fmt: off
Footer: TypeAlias = Literal[
    "fight", "waiting", "prompt", "verb", "picker", "sheet", "acts", "form", "missed", "line", "palette", "reader",
    "report", "past", "start", "broken", "party", "improvise", "forecast", "foreseen", "foreseen_fight", "ended",
    "told", "area", "map", "trial", "branches",
]
# fmt: on
"""The places (modes, pages, screens) that have a footer of their own."""
On: TypeAlias = Literal["fight", "start"]


class Call(Struct, frozen=True):
    """The call of a key: an action of the screen, and its argument."""

    action: str
    value: object = None


class Line(Struct, frozen=True):
    """The typed line of a GM command.

    Attributes:
        title: the title of the pane while the line is open.
        does: the key of the GM action; "": the action is given when the line opens.
        hint: the text shown in an empty line.
    """

    title: str
    does: str
    hint: str


class Command(Struct, frozen=True):
    """One command and its key.

    Attributes:
        id: its name in a keymap file.
        key: its keys as Textual spells them, separated by commas; "": the command is only in the palette.
        word: its name in footer and palette.
        description: one line for the help; an id of another command in braces is replaced by its key.
        call: its call; None: the open mode reads the key itself.
        line: its typed line, for a GM command.
        footers: the footers that show it, each with its word there.
        help_for: the panes and places whose help lists it first.
        screens: the screens that have it.
        group: its heading in the help.
        board: whether it needs a fight with a map.
        detail: a second line in the palette, for commands without a key.
        synonyms: further words that find it in help and palette.
        text: the text that may follow it in the command line, as the value of its call; "": none.
    """

    id: str
    key: str
    word: str
    description: str
    call: Call | None = None
    line: Line | None = None
    footers: tuple[tuple[Footer, str], ...] = ()
    help_for: tuple[str, ...] = ()
    screens: tuple[On, ...] = ("fight",)
    group: str = ""
    board: bool = False
    detail: str = ""
    synonyms: str = ""
    text: str = ""


Region: TypeAlias = Literal["above", "below"]


class Pane(Struct, frozen=True):
    """A pane of the fight.

    Attributes:
        id: the id of its command in a keymap file, of its CSS rules and of its help.
        number: its key and the number in its frame; 0: it cannot be chosen.
        title: the title in its frame.
        widget: module and class in `tracker.ui.panes`.
        region: the upper or lower row of panes; the panes of a row are in the order of the table.
        place: panes with the same place share it and are shown one at a time, at first the first one.
        look: the description of its key in the help.
        listed: whether its lines can be filtered.
        board: whether it needs a fight with a map.
        moves: the pane whose cursor the arrow keys move while this pane is chosen; "": its own.
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
    Pane("order", 1, "Initiative", "pane:OrderPane", region="above", listed=True),
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
        "map_pane:MapPane",
        region="above",
        place="middle",
        board=True,
        look="look at the map, where the fight has one: arrows move, {answer} goes there; again: enlarge it",
    ),
    Pane("block", 0, "Stat block", "pane:BlockPane", region="above"),
    Pane("console", 4, "Action", "console:ConsolePane", region="below", moves="roster"),
    Pane("log", 3, "Log", "log:LogPane", region="below", listed=True),
)
"""Every pane of the fight, in the order of the screen."""


def pane_commands(panes: tuple[Pane, ...]) -> tuple[Command, ...]:
    return tuple(
        Command(
            pane.id,
            str(pane.number),
            pane.title.lower(),
            pane.look or f"look at the {pane.title.lower()}; again: enlarge it",
            Call("pane", pane.id),
            board=pane.board,
        )
        for pane in sorted(panes, key=lambda pane: pane.number)
        if pane.number
    )
