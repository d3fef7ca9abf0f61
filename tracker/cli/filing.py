"""The command line of what makes and reads files: prints, schemas, keys."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["of_files"]

_Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def of_files(add: _Add) -> None:
    """Add the commands."""
    turned = "turn printed stat blocks into YAML for a bestiary"
    _printed(add("import-statblock", "commands.import_statblock", turned, "Exit status 1 if a part cannot be read."))
    _schema(add("schema", "commands.schema", "print a JSON Schema, with which an editor helps to type a game's files"))
    listed = "print the keys as a keymap file, and every mistake in your own"
    add("keys", "commands.keys", listed, "Exit status 2 if there is one.")


def _printed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "text",
        metavar="FILE|TEXT",
        nargs="*",
        default=["-"],
        help="a file, or the stat block itself; - or nothing: standard input",
    )
    command.add_argument(
        "--ruleset", metavar="KEY", default="githack", help="the game to import into (default: githack)"
    )
    command.add_argument(
        "--system", metavar="ID", default="", help="the game the print is from, such as ose, adnd, bfrpg, dcc"
    )
    command.add_argument(
        "--choose",
        metavar="KEY=ANSWER",
        action="append",
        default=[],
        help="the answer to something the print leaves open, such as hd=8",
    )


def _schema(command: argparse.ArgumentParser) -> None:
    kinds = ("any", "encounter", "bestiary", "party", "script", "keys")
    command.add_argument("game", metavar="GAME", nargs="?", help="the key of a game; script and keys need none")
    command.add_argument(
        "--of",
        dest="kind",
        choices=kinds,
        default="any",
        help="which file: encounter, bestiary, party, script, keys (default: any of the first three)",
    )
    written = command.add_mutually_exclusive_group()
    written.add_argument("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
    written.add_argument("--all", metavar="DIR", help="write every schema of every game, or of GAME, into this folder")
