"""A command and a pane, each as one record."""

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
"""A place with a footer of its own."""
On: TypeAlias = Literal["fight", "start"]


class Call(Struct, frozen=True):
    """What a key calls: an action of the screen, and a value for it."""

    action: str
    value: object = None


class Line(Struct, frozen=True):
    """How a command of the GM is typed.

    Attributes:
        title: what the pane is called meanwhile.
        does: the generic action it does; "" where that comes with it.
        hint: what an empty line says.
    """

    title: str
    does: str
    hint: str


class Command(Struct, frozen=True):
    """One command and its key.

    Attributes:
        id: its name in a keymap file.
        key: its keys with commas between, as the terminal library spells them; "": only the palette has it.
        word: its name in footer and palette.
        description: one line for the help; ids of other commands in braces stand for their keys.
        call: what it calls; None: the open mode reads the key itself.
        line: how it is typed, for a command of the GM.
        footers: the footers that name it, each with its word there.
        help_for: the panes and places whose help names it first.
        screens: on which screens it is.
        group: its heading.
        board: whether it needs a fight with a map.
        detail: a second line in the palette, for commands without a key.
        synonyms: further words that find it in help and palette.
        text: what may be typed behind it in the command line, which becomes the value of its call; "": nothing.
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
"""Every pane of the fight, as they stand on the screen."""


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
