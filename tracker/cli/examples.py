"""`tracker examples`: the sample encounters, copied into a folder of one's own."""

from __future__ import annotations

import argparse
from pathlib import Path

from tracker.cli.output import complain, say
from tracker.core.terms.errors import TrackerError
from tracker.library.shelves import examples

__all__ = ["run"]


def run(asked: argparse.Namespace) -> int:
    """Copy the samples and name each file.

    What is there already stays as it is.
    """
    games = examples.games()
    if not games:
        raise TrackerError("this installation has no sample encounters; install it anew", "no_examples")
    if asked.game not in (None, *games):
        raise TrackerError(f'there are no samples for "{asked.game}"; there are: {", ".join(games)}', "no_examples")
    target = Path(asked.folder)
    if target.exists() and not target.is_dir():
        raise TrackerError(f"{target} is not a folder", "no_folder")
    done = examples.copied(target, asked.game or "")
    for path in done.written:
        say(str(path))
    if done.kept:
        complain(f"{len(done.kept)} files were there already and are left as they are")
    complain(f'{len(done.written)} files copied; play one with "tracker --library {target}"')
    return 0
