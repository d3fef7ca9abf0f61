"""The commands of the start screen."""

from __future__ import annotations

from tracker.ui.keys.command import Command, under

__all__ = ["START"]

START: tuple[Command, ...] = (
    *under(
        "Start screen",
        Command(
            "s.open",
            "enter",
            "open",
            "resume the fight or begin the encounter; of a broken one show what is wrong",
            action="open",
            shown=("start",),
        ),
        Command("s.number", "1…9", "", "the number of a line goes there"),
        Command("s.other", "tab", "other list", "go to the other list", action="other"),
        Command(
            "s.filter",
            "slash",
            "filter",
            "show only what holds these words, in its title, game or file",
            action="filter",
            shown=("start",),
        ),
        Command(
            "s.edit",
            "e",
            "edit",
            "open the file where it is wrong, in $VISUAL or $EDITOR; copy an example first",
            action="edit",
            shown=("start", "broken"),
        ),
        Command(
            "s.anyway",
            "b",
            "begin all the same",
            "begin an encounter in spite of its problems",
            action="anyway",
            shown=("broken",),
        ),
        Command(
            "s.forecast",
            "F",
            "forecast",
            "how the fight under the cursor will probably end, from where it stands",
            action="forecast",
            shown=("start",),
        ),
        Command("s.reload", "r", "read again", "read every fight and file again", action="reload", shown=("start",)),
        Command(
            "s.away",
            "d",
            "put away",
            "put a fight away, or take it out again; nothing is deleted",
            action="away",
            shown=("start",),
        ),
        Command("s.last", "u", "take out", "take out the fight that was put away last", action="take_out"),
        Command(
            "s.shown",
            "D",
            "those put away",
            "show the fights that were put away, or hide them",
            action="show_away",
            shown=("start",),
        ),
        Command(
            "s.sweep",
            "enter",
            "other numbers",
            "in a forecast: goblin=6..12 and enter has a line for each number of them",
            shown=("foreseen",),
        ),
        Command("s.begin", "enter", "begin", "before a fight: begin it in this way", shown=("party",)),
        Command(
            "s.dead",
            "space",
            "dead come too",
            "before a fight: let the dead come too, as their file has them",
            shown=("party",),
        ),
        Command(
            "s.leave",
            "escape",
            "leave",
            "close what is open; from the lists: leave the program",
            action="back",
            shown=("broken", "party", "foreseen", "foreseen_fight"),
        ),
        screens=("start",),
    ),
)
