"""`tracker`, `tracker FIGHT`, `tracker play ENCOUNTER`: the app. The interface is imported last, when it is certain that there is something to show."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.cli.fights import fight_named, journal_path
from tracker.cli.output import complain
from tracker.core.errors import BadData
from tracker.session import registry
from tracker.session.journal import Journal
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller

if TYPE_CHECKING:
    from tracker.library.problems import Problem

__all__ = ["run"]

ESCAPE_DELAY = "25"


def run(asked: argparse.Namespace) -> int:
    """Open the app on a new fight, on an old one, or on the start screen."""
    if asked.command == "play":
        return _play(asked)
    path = journal_path(asked.db)
    if asked.fight is None:
        with Journal.open(path) as journal:
            return _show(journal, None)
    from tracker.cli.main import COMMANDS

    if not path.exists():  # a mistyped word makes no journal
        fight_named(asked.fight, (), COMMANDS)
    with Journal.open(path) as journal:
        fights = (*journal.fights(), *journal.fights(discarded=True))
        return _show(journal, Session.resume(journal, fight_named(asked.fight, fights, COMMANDS), registry.find, _settings()))


def _play(asked: argparse.Namespace) -> int:
    from tracker.cli.loading import load

    loaded = load(asked.encounter, asked.library)
    if loaded.encounter is None or loaded.ruleset is None:
        raise BadData(loaded.problems)
    text = Path(asked.encounter).read_text(encoding="utf-8", errors="replace")
    with Journal.open(journal_path(asked.db)) as journal:
        return _show(journal, Session.start(journal, loaded.ruleset, loaded.encounter, _settings(), text), loaded.problems)


def _settings() -> Settings:
    return Settings(roller=dice_roller())


def _show(journal: Journal, session: Session | None, problems: tuple[Problem, ...] = ()) -> int:
    """Run the app; what was wrong with the files stands above the prompt afterwards as well."""
    os.environ.setdefault("ESCDELAY", ESCAPE_DELAY)  # Textual waits 100 ms for what may follow Escape, unless told otherwise before it is imported

    from tracker.ui.app import TrackerApp

    try:
        app = TrackerApp(journal, session, problems)
        app.run()
    finally:
        if session is not None:
            session.close()
    for problem in problems:
        complain(problem.render())
    return app.return_code or 0
