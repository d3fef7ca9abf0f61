"""The command line of what makes and reads files: prints, schemas, keys."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["of_files"]

_Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def of_files(add: _Add) -> None:
    """Add the commands."""
    turned = "turn printed stat blocks, and files of other programs, into a bestiary and encounters"
    more = "Reads Foundry actors, Improved Initiative, Fantasy Statblocks and Initiative Tracker. "
    status = "Exit status 1 if a part cannot be read."
    _printed(add("import-statblock", "commands.import_statblock", turned, more + status))
    _schema(add("schema", "commands.schema", "print a JSON Schema, with which an editor helps to type a game's files"))
    begun = "write a commented campaign, encounter, bestiary or party to begin with"
    _new(add("new", "commands.new", begun, "Nothing that is there already is written over."))
    sampled = "copy the sample encounters of every game into a folder"
    examples = add("examples", "examples", sampled, "Nothing that is there is written over.")
    examples.add_argument("folder", metavar="DIR", help="where to; each game gets a folder in it")
    examples.add_argument("--game", metavar="KEY", help="only the samples of this game")
    listed = "print the keys as a keymap file, and every mistake in your own"
    add("keys", "commands.keys", listed, "Exit status 2 if there is one.")


def _printed(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "text",
        metavar="FILE|TEXT",
        nargs="*",
        default=["-"],
        help="files, folders, archives, or the stat block itself; - or nothing: standard input",
    )
    usual = "the game to import into (default: worlds_without_number for Foundry's actors, else githack)"
    command.add_argument("--ruleset", metavar="KEY", help=usual)
    command.add_argument(
        "--system", metavar="ID", default="", help="the game the numbers are from, such as ose, adnd, bfrpg, d20, dcc"
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="PLACE",
        help="write a file.yaml, or a folder with bestiary and encounters; none of them may be there yet",
    )
    command.add_argument(
        "--choose",
        metavar="KEY=ANSWER",
        action="append",
        default=[],
        help="the answer to something the print leaves open, such as hd=8",
    )


def _new(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "kind",
        metavar="KIND",
        choices=("campaign", "encounter", "bestiary", "party"),
        help="campaign, encounter, bestiary or party",
    )
    command.add_argument("game", metavar="GAME", help="the key of the game, such as worlds_without_number")
    command.add_argument("folder", metavar="DIR", help="the folder to write into; it is made where it is not there")


def _schema(command: argparse.ArgumentParser) -> None:
    kinds = ("any", "encounter", "bestiary", "party", "campaign", "vectors", "script", "keys", "effects")
    command.add_argument(
        "game", metavar="GAME", nargs="?", help="the key of a game; script, keys and effects need none"
    )
    command.add_argument(
        "--of",
        dest="kind",
        choices=kinds,
        default="any",
        help="the kind of file (default: any encounter, bestiary, party or campaign of the game)",
    )
    written = command.add_mutually_exclusive_group()
    written.add_argument("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
    written.add_argument("--all", metavar="DIR", help="write every schema of every game, or of GAME, into this folder")
