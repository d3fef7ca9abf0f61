"""`tracker serve`: the players' page, for phones and a TV."""

from __future__ import annotations

import argparse

from tracker.cli.choosing import fight_named, journal_path
from tracker.core.terms.errors import TrackerError
from tracker.session.store.journal import Journal

__all__ = ["run"]


def run(asked: argparse.Namespace) -> int:
    """Serve the page until the process is told to end."""
    try:
        from tracker.serve.addresses import LOOPBACK, bound, network_address
        from tracker.serve.server import Place, serve
    except ImportError as error:
        raise TrackerError(
            f"the players' page needs {error.name}: pip install 'encounter-tracker[serve]'", "no_extra"
        ) from error
    journal, fight = journal_path(asked.db), ""
    if asked.fight is not None:
        with Journal.open(journal, read_only=True) as opened:
            fight = fight_named(asked.fight, opened.fights())
    address = network_address() if asked.lan else LOOPBACK if asked.bind is None else bound(asked.bind)
    serve(journal, fight, Place(address, asked.port), dice=asked.rolls, until_closed=asked.until_closed)
    return 0
