"""Make the completions and the manual page from the command line's own parser: `make pages`.

They are not kept: `make package` makes them and puts them into what is published. A program that is installed from the
sources without them has none.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from tracker.cli.main import parser

FOLDER = Path(__file__).parent / "made"
SHELLS = {"bash": "bash/tracker", "zsh": "zsh/_tracker", "fish": "fish/tracker.fish"}
FILES = ("ENCOUNTER", "SCRIPT", "FILE", "PATH", "PLACE", "FILE|TEXT", "BACKUP")
FOLDERS = ("FOLDER", "DIR")
HIDDEN = "open"
"""The command that `tracker` and `tracker FIGHT` stand for; it is not typed."""


def main() -> int:
    """Write every file into `made` beside this module."""
    write(FOLDER)
    return 0


def write(folder: Path) -> None:
    """Write every file into a folder."""
    for name, text in _texts().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def _texts() -> dict[str, str]:
    """Return the text of each file by its place in the folder."""
    found = {place: shtab.complete(_parser(), shell=shell).rstrip() + "\n" for shell, place in SHELLS.items()}
    os.environ["COLUMNS"] = "80"  # as wide as usage is laid out
    top = _parser()
    top._manpage = [{"heading": "files", "content": PLACES}]  # type: ignore[attr-defined]  # argparse-manpage reads it
    top.man_short_description = "run a fight at the table"  # type: ignore[attr-defined]  # as above
    top.prog, top.usage = "tracker", None
    page = Manpage(top)
    page.source, page.manual, page.date = "encounter-tracker", "User Commands", ""
    return found | {"man/tracker.1": str(page).rstrip() + "\n"}


PLACES = """Fights are kept in fights.db in the user's data folder; copies of it lie in backups beside it.
TRACKER_LIBRARY names folders with encounters and bestiaries of your own."""


def _parser() -> argparse.ArgumentParser:
    """Return the parser, with what completes each argument."""
    top = parser()
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            action.choices.pop(HIDDEN, None)
            for command in action.choices.values():
                for argument in command._actions:
                    _complete(argument)
    return top


def _complete(argument: argparse.Action) -> None:
    if argument.metavar in FILES:
        argument.complete = shtab.FILE  # type: ignore[attr-defined]  # shtab reads it
    elif argument.metavar in FOLDERS:
        argument.complete = shtab.DIRECTORY  # type: ignore[attr-defined]  # as above


if __name__ == "__main__":
    sys.exit(main())
