"""`tracker keys`: the keys as a keymap file, and the mistakes in the user's own."""

from __future__ import annotations

import argparse
import os

from tracker.cli.output import complain, say
from tracker.ui.keys.keymap import keymap_path, read_keymap, template

__all__ = ["run"]


def run(asked: argparse.Namespace) -> int:
    """Print the keys as they are now, to be changed and kept.

    Exit status 2 if there is a mistake in the file.
    """
    path = keymap_path()
    keymap = read_keymap(path)
    for line in template(keymap.table).splitlines():
        say(line)
    for problem in keymap.problems:
        complain(f"{path.parent}{os.sep}{problem}")
    if not path.exists():
        complain(f"there is no keymap file yet; keep what is printed, or a part of it, as {path}")
    return 2 if keymap.problems else 0
