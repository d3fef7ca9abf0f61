"""`tracker`, `tracker FIGHT`, `tracker play ENCOUNTER`: the app.

The interface is imported last, when it is certain that there is something to show.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tracker.cli.choosing import fight_named, journal_path
from tracker.cli.main import COMMANDS
from tracker.cli.repertoire import Repertoire
from tracker.ui.desk.terminal import need_terminal

__all__ = ["run"]

APP = "the app"


def run(asked: argparse.Namespace) -> int:
    """Open the app: on a new fight, an old one, or the start screen.

    Whatever is wrong with what was typed is said first, then that there is no terminal; no fight has begun by then.
    """
    with Repertoire(journal_path(asked.db), asked.library) as repertoire:
        if asked.command == "play":
            _play(repertoire, asked)
        elif asked.fight is not None:
            _resume(repertoire, asked.fight)
        else:
            repertoire.fights()  # says now what is wrong with the journal
            need_terminal(APP)
        from tracker.ui import app  # slow: only now is it certain that there is something to show

        app.run(repertoire)
    return 0


def _play(repertoire: Repertoire, asked: argparse.Namespace) -> None:
    prepared = repertoire.prepare(Path(asked.encounter))
    encounter = prepared.encounter
    carries = prepared.carries and bool(repertoire.fights())
    if asked.party_from is not None or asked.with_dead or carries:
        from tracker.cli.party import begun  # few fights begin so

        encounter = begun(asked, repertoire.journal, prepared.ruleset, encounter, carries=carries)
    need_terminal(APP)
    repertoire.begin(prepared, encounter)


def _resume(repertoire: Repertoire, name: str) -> None:
    found = fight_named(name, repertoire.fights(), COMMANDS)  # a mistyped word makes no journal
    need_terminal(APP)
    repertoire.resume(found)
