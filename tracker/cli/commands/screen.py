"""`tracker screen`: what players may see of a fight, on a screen of their own."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tracker.session.store.watching import Watch
from tracker.ui.desk.terminal import Ending, need_terminal

__all__ = ["run"]


def run(asked: argparse.Namespace) -> int:
    """Show a fight to the players, the newest unless one is named."""
    need_terminal("the players' screen")
    path = _journal(asked.db)
    watch = Watch(path, "" if asked.fight is None else _named(path, asked.fight))
    os.environ.setdefault("ESCDELAY", "25")  # before the terminal library reads it
    watch.look()
    with Ending(lambda: False).watched():
        from tracker.screen.app import run as show  # slow, so after the terminal was looked at

        show(watch)
    return 0


def _journal(given: str | None) -> Path:
    """Return the journal named on the command line, or the user's own."""
    if given is not None:
        return Path(given)
    import platformdirs  # not needed when a path is given

    return platformdirs.user_data_path("encounter-tracker", appauthor=False) / "fights.db"


def _named(path: Path, name: str) -> str:
    from tracker.cli.choosing import fight_named  # the newest fight needs no name
    from tracker.session.store.journal import Journal

    if not path.exists():
        return fight_named(name, ())
    with Journal.open(path, read_only=True) as journal:
        return fight_named(name, (*journal.fights(), *journal.fights(discarded=True)))
