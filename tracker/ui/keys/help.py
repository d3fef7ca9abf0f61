"""The commands that find something, and those that leave."""

from __future__ import annotations

from tracker.ui.keys.command import Command, Place, under
from tracker.ui.keys.modes import TYPED

__all__ = ["HELP"]

_QUITTING: tuple[Place, ...] = (
    *("fight", "waiting", "prompt", "missed", "report", "ended", "told", "past", "start"),
    *TYPED,
    *("broken", "party"),
)

HELP: tuple[Command, ...] = (
    *under(
        "Help",
        Command(
            "put_away",
            "",
            "put this fight away",
            "or take it out again",
            action="put_away",
            about="out of the lists, not out of the journal; choosing this again brings it back",
        ),
        Command(
            "numbers",
            "",
            "numbers of the fight",
            "who fell, damage, dice against expectation",
            action="numbers",
            about="opens by itself when the fight ends",
            finds="end summary statistics luck",
        ),
        Command(
            "weigh",
            "",
            "what mattered",
            "what each effect, force and correction turned, by the same dice without it",
            action="weigh",
            about="above the numbers of the fight; in the page too",
            finds="without would have been",
        ),
        Command(
            "story",
            "",
            "story of the fight",
            "one sentence a deed, to read aloud",
            action="story",
            about="also: tracker log FIGHT --story",
            finds="tale log",
        ),
        Command(
            "page",
            "",
            "page of the fight",
            "a web page to keep: story, charts, dice",
            action="page",
            about="written into the folder the program was started in; also: tracker report FIGHT",
            finds="report html chart",
        ),
        Command("another", "", "another fight", "this one stays in the journal as it is", action="another"),
        Command(
            "line",
            "colon",
            "command",
            "one line for everything, with history: w att g 14 5",
            action="line",
            shown=("fight", "waiting"),
            near=("console",),
        ),
        Command(
            "palette",
            "ctrl+p",
            "palette",
            "everything there is, by name",
            action="palette",
            shown=("fight", "waiting"),
            near=("console",),
        ),
        Command(
            "rule",
            "r",
            "rule",
            "the rule behind the line under the cursor; look rules up",
            action="rule",
            near=("log",),
        ),
        Command(
            "help",
            "question_mark,f1",
            "keys",
            "this list; f1 anywhere",
            action="help",
            shown=("fight", "waiting", "start"),
            screens=("fight", "start"),
        ),
        Command(
            "back",
            "escape",
            "",
            "close what is open; changes nothing in the fight",
            action="back",
            shown=("past",),
            instead=(("past", "now"),),
        ),
        Command(
            "quit",
            "ctrl+q",
            "quit",
            "leave; nothing is lost",
            action="quit",
            shown=_QUITTING,
            screens=("fight", "start"),
        ),
    ),
)
