"""`tracker screen` and `tracker serve`: what players may see of a fight, in a terminal or on their phones."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tracker.cli.helpers import all_fights, fight_named, journal_path
from tracker.core.terms.errors import TrackerError
from tracker.session.store.journal import Journal
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.ui.platform.terminal import SignalHandler, need_terminal


def run(asked: argparse.Namespace) -> int:
    return _serve(asked) if asked.command == "serve" else _screen(asked)


def _screen(asked: argparse.Namespace) -> int:
    """Show a fight to the players, the newest unless one is named."""
    need_terminal("the players' screen")
    path = journal_path(asked.db)
    reader = PlayerViewReader(path, "" if asked.fight is None else _named(path, asked.fight))
    os.environ.setdefault("ESCDELAY", "25")  # before the terminal library reads it
    reader.poll()
    with SignalHandler(lambda: False).watched():
        from tracker.ui.players_screen import run as show  # slow, so after the check of the terminal

        show(reader)
    return 0


def _named(path: Path, name: str) -> str:
    if not path.exists():
        return fight_named(name, ())
    with Journal.open(path, read_only=True) as journal:
        return fight_named(name, all_fights(journal))


def _serve(asked: argparse.Namespace) -> int:
    """Serve the page until the process is told to end."""
    try:
        from tracker.serve.server import LOOPBACK, Place, bound, network_address, serve
    except ImportError as error:
        why = f"the players' page needs {error.name}, which is not there: install the program anew"
        raise TrackerError(why, "no_package") from error
    journal, fight = journal_path(asked.db), ""
    if asked.fight is not None:
        with Journal.open(journal, read_only=True) as opened:
            fight = fight_named(asked.fight, opened.fights())
    address = network_address() if asked.lan else LOOPBACK if asked.bind is None else bound(asked.bind)
    serve(
        journal,
        fight,
        Place(address, asked.port),
        dice=asked.rolls,
        until_closed=asked.until_closed,
        new_address=asked.new_address,
    )
    return 0
