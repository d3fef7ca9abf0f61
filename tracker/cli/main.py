"""The parser of the command line; each command's module is imported at its call, so that the app starts fast."""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, TypeAlias, cast

if TYPE_CHECKING:
    from tracker.forecast.variants import CountRange


WRONG, UNREADABLE, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
APP = "tracker.cli.app"
LAST_PORT, MOST_FIGHTS = 65_535, 100_000

COMMANDS = (
    "play",
    "improvise",
    "screen",
    "run",
    "check",
    "forecast",
    "actions",
    "state",
    "log",
    "report",
    "export",
    "import",
    "fights",
    "serve",
    "doctor",
    "import-statblock",
    "schema",
    "new",
    "examples",
    "keys",
    "docs",
)

ABOUT = (
    "Run a fight at the table: initiative, actions, effects and dice, with every rule applied and every step undoable."
)
TAIL = """\
Without a command the app opens: `tracker` on the start screen, with the fights to resume and the encounters in your
folders; `tracker FIGHT` on that fight, where it was left.
FIGHT is the id or the title of a fight, as `tracker fights` lists them.

examples:
  tracker play ford.yaml                       open a new fight in the app
  tracker                                      choose: go on with a fight, or begin another
  tracker play mill.yaml --party-from "Goblin ambush"
                                               begin as that fight has left the party
  tracker check encounters/                    find every mistake in a folder of files
  tracker run ford.yaml --script ford.script.yaml --seed 7
                                               play a fight without a screen

Results go to standard output, messages to standard error.
Exit status: 0 all is well; 1 the fight did not go as the script says, or there is no such fight; 2 a file could not be
read, or the command line."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the way to help."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNREADABLE, f"{self.prog}: {message} (try {self.prog} --help)\n")


class _Version(argparse.Action):
    """Print the version."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> None:
        from importlib.metadata import PackageNotFoundError, version  # slow, and seldom asked for

        try:
            number = version("encounter-tracker")
        except PackageNotFoundError:
            number = "unknown (not installed)"
        sys.stdout.write(f"tracker {number}\n")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        _open_closed_streams()
        if sys.platform == "win32":
            _write_utf8()
    try:
        words = _with_command(words)
        status = _run(parser(app_only=words[0] == "open").parse_args(words))
        sys.stdout.flush()
        return status
    except SystemExit as stop:  # argparse has printed its message
        return stop.code if isinstance(stop.code, int) else WRONG
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # also from the last line
        if not isinstance(error, BrokenPipeError) and not _is_closed(error):
            raise
        return _pipe_closed()


def _is_closed(error: OSError) -> bool:
    """Tell whether an error is Windows' own for a pipe whose reader has gone."""
    return sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None


def _run(asked: argparse.Namespace) -> int:
    from tracker.core.terms.errors import BadData, TrackerError  # `tracker --help` needs none of them
    from tracker.library.yaml.problems import visible  # nor this

    command = cast("Callable[[argparse.Namespace], int]", import_module(asked.module).run)
    status = WRONG
    try:
        return command(asked)
    except BadData as error:
        for problem in error.problems:
            sys.stderr.write(f"{problem}\n")
        return UNREADABLE
    except TrackerError as error:
        message = error.message
    except OSError as error:
        if isinstance(error, BrokenPipeError) or _is_closed(error):
            raise
        place = f"{error.filename}: " if error.filename else ""
        status, message = UNREADABLE, f"{place}{error.strerror or error}"
    except Exception as error:  # noqa: BLE001 - a ruleset may return values that the program cannot use
        from tracker.library.ruleset_errors import describe  # only now

        message = describe(error)
    sys.stderr.write(f"tracker: {visible(message)}\n")
    return status


def _open_closed_streams() -> None:
    """Open standard streams that were closed (`>&-`) as the null device.

    Otherwise the next file that is opened, perhaps the journal, gets the number of a standard stream.
    """
    if None not in (sys.stdin, sys.stdout, sys.stderr):
        return
    while (free := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(free, True)
    os.close(free)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - open until the program ends


def _write_utf8() -> None:
    """Write and read UTF-8 and plain line ends through pipes and files, as everywhere else."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            stream.reconfigure(encoding="utf-8", newline=None if stream is sys.stdin else "\n")


def _pipe_closed() -> int:
    """Return the status after the reader of the output has gone, which is no error."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(nowhere, stream.fileno())
        except (OSError, ValueError):  # a stream that is no file
            continue
    os.close(nowhere)
    return PIPE_CLOSED


def _with_command(words: list[str]) -> list[str]:
    """Insert the command that `tracker` and `tracker FIGHT` leave out: the app."""
    place = 0
    while place < len(words) and words[place] == "--db":
        place += 2
    while place < len(words) and words[place].startswith("--db="):
        place += 1
    first = words[place] if place < len(words) else None
    if first in COMMANDS:
        return [first, *words[:place], *words[place + 1 :]]
    if first in ("-h", "--help", "--version"):
        return words[place:]
    return ["open", *words]


def parser(app_only: bool = False) -> argparse.ArgumentParser:
    """Return the parser of the command line, or only the app's part of it."""
    top = _Parser(
        prog="tracker",
        usage="tracker [FIGHT] [--db FILE]\n       tracker COMMAND ...",
        description=ABOUT,
        epilog=TAIL,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and go")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(name: str, module: str, short: str, more: str = "") -> argparse.ArgumentParser:
        added = commands.add_parser(
            name,
            help=short,
            description=f"{short[0].upper()}{short[1:]}.{' ' if more else ''}{more}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            prog=f"tracker {name}",
            allow_abbrev=False,
        )
        added.set_defaults(module=f"tracker.cli.{module}", command=name)
        return cast(argparse.ArgumentParser, added)

    for add_commands in () if app_only else (_encounter_commands, _fight_commands, _file_commands):
        add_commands(add)
    opened = commands.add_parser("open", prog="tracker", usage="tracker [FIGHT] [--db FILE]", allow_abbrev=False)
    opened.set_defaults(module=APP, command="open")
    start = "the id or title of a fight; left out: the start screen"
    opened.add_argument("fight", metavar="FIGHT", nargs="?", help=start)
    _library(opened)
    _db(opened, "your own")
    return top


_Add: TypeAlias = Callable[..., argparse.ArgumentParser]
"""Adds a command: its name, its module, its purpose, and further help."""


def _encounter_commands(add: _Add) -> None:
    play = add("play", "app", "open a new fight in the app")
    play.add_argument("encounter", metavar="ENCOUNTER", help="the encounter's YAML file")
    _party(play)
    _library(play)
    _db(play, "kept in your own journal")

    foes = (
        "Asks for one line of foes, such as: 3 goblin, ogre hp 40. The party is that of the last fight, or of a file."
    )
    improvise = add("improvise", "app", "begin a fight without a file", foes)
    improvise.add_argument("game", metavar="GAME", nargs="?", default="", help="the key of a game; left out: any")
    _library(improvise)
    _db(improvise, "kept in your own journal")

    shown = "Follows the newest fight, unless one is named. It only reads: start it in a second terminal or on a TV."
    screen = add("screen", "commands.players", "show the players what they may see of a fight", shown)
    screen.add_argument("fight", metavar="FIGHT", nargs="?", help="the id or title of a fight")
    _db(screen, "your own")

    printed = "Prints one JSON line for each entry, and last the state of the fight."
    run = add("run", "commands.run", "play a fight by a script, without a screen", printed)
    run.add_argument("encounter", metavar="ENCOUNTER", help="the encounter's YAML file")
    run.add_argument("--script", metavar="SCRIPT", help="the script's YAML file; without one the fight is only opened")
    seeded = "roll the dice the script leaves out, always the same for the same N; without it such a roll stops the run"
    run.add_argument("--seed", metavar="N", type=int, help=seeded)
    _party(run)
    run.add_argument("--quiet", action="store_true", help="print only the last state, and what failed")
    _library(run)
    _db(run, "a temporary one")

    found = "find every mistake in encounters, bestiaries and folders of them, or in a ruleset"
    check = add("check", "commands.check", found, "Exit status 2 if there is one.")
    check.add_argument("paths", metavar="PATH", nargs="*", help="a YAML file, or a folder with such files")
    tried = "play this game at random and tell what is wrong in it; PATHs are its encounters"
    check.add_argument("--ruleset", metavar="KEY", help=tried)
    _library(check)

    _forecast(add)

    actions = add("actions", "commands.run", "list what can be done now, with every field, as JSON")
    actions.add_argument("encounter", metavar="ENCOUNTER", help="the encounter's YAML file")
    actions.add_argument("--script", metavar="SCRIPT", help="play this script first")
    mine = "only what this combatant can do: an id, a name or a label; gm: what the game master can"
    actions.add_argument("--by", metavar="WHO", help=mine)
    seeded = "roll the dice the script leaves out from this seed (default: 0)"
    actions.add_argument("--seed", metavar="N", type=int, help=seeded)
    _library(actions)


def _forecast(add: _Add) -> None:
    played = (
        "Plays it many times by the game's own rules and plain choices, and says what that assumes: docs/forecast.md."
    )
    forecast = add("forecast", "forecast", "say how a fight will probably end, before it begins", played)
    forecast.add_argument("encounter", metavar="ENCOUNTER", help="the encounter's YAML file")
    forecast.add_argument("--without", metavar="NAME", action="append", default=[], help="leave out this member")
    counted = "a line for each number of this member, such as goblin=6..12"
    forecast.add_argument("--count", metavar="NAME=N..M", type=_sweep, help=counted)
    many = "play so many fights; otherwise until winning and each fall are known to within seven points"
    number = _number(1, MOST_FIGHTS, ": give a number of fights")
    forecast.add_argument("--fights", metavar="N", type=number, help=many)
    seed = "the seed of an earlier forecast, to play the same fights again; otherwise a new one"
    forecast.add_argument("--seed", metavar="N", type=_number(0, MOST_FIGHTS, ": give a seed"), help=seed)
    forecast.add_argument("--tactics", choices=("focused", "spread", "cautious", "ruthless"), help="only these")
    forecast.add_argument("--json", action="store_true", help="as JSON lines")
    _party(forecast)
    _library(forecast)
    _db(forecast, "your own")


def _number(least: int, most: int, message: str) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}"{message} from {least} to {most}')
        return int(text)

    return read


def _sweep(text: str) -> CountRange:
    from tracker.forecast.variants import read_count_range  # only where one is typed

    try:
        return read_count_range(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _fight_commands(add: _Add) -> None:
    _fight(add("state", "commands.fights", "print the state of a fight as JSON"))
    log = add("log", "commands.fights", "print the log of a fight")
    _fight(log)
    ways = log.add_mutually_exclusive_group()
    ways.add_argument("--markdown", action="store_true", help="as Markdown, to paste into notes")
    ways.add_argument("--story", action="store_true", help="as a story to read aloud: what mattered, no rules")
    log.add_argument("--long", action="store_true", help="in the story: every action, every combatant by name")
    log.add_argument("--players", action="store_true", help="the story as players may know it")
    log.add_argument("--notes", action="store_true", help="in the story: the game master's notes too")
    report = add("report", "commands.fights", "write a fight as one page to read: story, charts, dice")
    _fight(report)
    where = "report.html unless named; - is standard output"
    report.add_argument("-o", "--output", metavar="FILE", default="report.html", help=where)
    report.add_argument("--notes", action="store_true", help="the game master's notes too")
    export = add("export", "commands.fights", "write a fight as JSON lines, to keep it or take it elsewhere")
    _fight(export)
    instead = "write to this file instead of standard output; it must not exist yet"
    export.add_argument("-o", "--output", metavar="FILE", help=instead)
    imported = add("import", "commands.fights", "take up a fight that was exported")
    imported.add_argument("file", metavar="FILE", help="a file that `tracker export` wrote; - is standard input")
    _db(imported, "your own")
    _db(add("fights", "commands.fights", "list the fights in the journal"), "your own")

    _serve(add)

    description = "Changes nothing, unless it is told to restore. Exit status 1 if something is wrong."
    doctor = add("doctor", "commands.doctor", "look whether journal, fights and backups are sound", description)
    back = "put the newest sound backup, or this one, in the journal's place; the journal is set aside"
    doctor.add_argument("--restore", metavar="BACKUP", nargs="?", const="newest", help=back)
    _db(doctor, "your own")


def _serve(add: _Add) -> None:
    page = "Prints its address and a QR code, and runs until Ctrl+C."
    serve = add("serve", "commands.players", "show the players a page of the fight, for phones and a TV", page)
    last = "the id or title of a fight; left out: the one played last"
    serve.add_argument("fight", metavar="FIGHT", nargs="?", help=last)
    where = serve.add_mutually_exclusive_group()
    where.add_argument("--lan", action="store_true", help="for all in this computer's network, not for itself alone")
    where.add_argument("--bind", metavar="ADDR", help="at this address of this computer")
    port, free = _number(0, LAST_PORT, " is no port: give a number"), "or if that is in use any that is free, as for 0"
    serve.add_argument("--port", metavar="N", type=port, help=f"default: 8023, {free}")
    serve.add_argument("--rolls", action="store_true", help="players may send their dice from the page")
    serve.add_argument("--new-address", action="store_true", help="not the address of the last twelve hours")
    serve.add_argument("--until-closed", action="store_true", help="end when standard input ends")
    _db(serve, "your own")


def _party(command: argparse.ArgumentParser) -> None:
    text = "begin with the characters as this fight of the same journal left them: hit points, marks, lasting effects"
    way = command.add_mutually_exclusive_group()
    way.add_argument("--party-from", metavar="FIGHT", help=text)
    rested = "begin as the files have it, though the campaign carries its party on"
    way.add_argument("--rested", action="store_true", help=rested)
    dead = "with --party-from: the dead come too, as their file has them; they stay out otherwise"
    command.add_argument("--with-dead", action="store_true", help=dead)


def _fight(command: argparse.ArgumentParser) -> None:
    command.add_argument("fight", metavar="FIGHT", help="the id or title of a fight, as `tracker fights` lists them")
    _db(command, "your own")


def _db(command: argparse.ArgumentParser, usual: str) -> None:
    command.add_argument("--db", metavar="FILE", help=f"the journal to use (default: {usual})")


def _library(command: argparse.ArgumentParser) -> None:
    text = "a folder with bestiaries and encounters of your own; may be given more than once (also: TRACKER_LIBRARY)"
    command.add_argument("--library", metavar="FOLDER", action="append", default=[], help=text)


def _file_commands(add: _Add) -> None:
    turned = "turn printed stat blocks, and files of other programs, into a bestiary and encounters"
    more = "Reads Foundry actors, Improved Initiative, Fantasy Statblocks and Initiative Tracker. "
    status = "Exit status 1 if a part cannot be read."
    _printed(add("import-statblock", "commands.import_statblock", turned, more + status))

    printed = "print a JSON Schema, with which an editor helps to type a game's files"
    schema = add("schema", "commands.files", printed)
    game = "the key of a game; script, keys and effects need none"
    schema.add_argument("game", metavar="GAME", nargs="?", help=game)
    kinds = ("any", "encounter", "bestiary", "party", "campaign", "vectors", "script", "keys", "effects")
    usual = "the kind of file (default: any encounter, bestiary, party or campaign of the game)"
    schema.add_argument("--of", dest="kind", choices=kinds, default="any", help=usual)
    written = schema.add_mutually_exclusive_group()
    written.add_argument("-o", "--output", metavar="FILE", help="write to this file instead of standard output")
    written.add_argument("--all", metavar="DIR", help="write every schema of every game, or of GAME, into this folder")

    begun = "write a commented campaign, encounter, bestiary or party to begin with, or a game of your own"
    new = add("new", "commands.files", begun, "Nothing that is there already is written over.")
    begins = ("campaign", "encounter", "bestiary", "party", "ruleset")
    new.add_argument("kind", metavar="KIND", choices=begins, help="campaign, encounter, bestiary, party or ruleset")
    keyed = "the key of the game, such as worlds_without_number; for a ruleset a new one, such as my_game"
    new.add_argument("game", metavar="GAME", help=keyed)
    new.add_argument("folder", metavar="DIR", help="the folder to write into; it is made where it is not there")

    sampled = "copy the sample encounters of every game into a folder"
    examples = add("examples", "commands.files", sampled, "Nothing that is there is written over.")
    examples.add_argument("folder", metavar="DIR", help="where to; each game gets a folder in it")
    examples.add_argument("--game", metavar="KEY", help="only the samples of this game")
    listed = "print the keys as a keymap file, and every mistake in your own"
    add("keys", "commands.files", listed, "Exit status 2 if there is one.")
    lain = "They are installed with the program, so no network is needed. Without PAGE it lists them."
    pages = add("docs", "commands.docs", "read the documents in the terminal", lain)
    pages.add_argument("page", metavar="PAGE", nargs="?", help="such as start, yaml, writing-a-ruleset, githack")
    pages.add_argument("--plain", action="store_true", help="print its Markdown instead")


def _printed(command: argparse.ArgumentParser) -> None:
    texts = "files, folders, archives, or the stat block itself; - or nothing: standard input"
    command.add_argument("text", metavar="FILE|TEXT", nargs="*", default=["-"], help=texts)
    usual = "the game to import into (default: worlds_without_number for Foundry's actors, else githack)"
    command.add_argument("--ruleset", metavar="KEY", help=usual)
    system = "the game the numbers are from, such as ose, adnd, bfrpg, d20, dcc"
    command.add_argument("--system", metavar="ID", default="", help=system)
    place = "write a file.yaml, or a folder with bestiary and encounters; none of them may be there yet"
    command.add_argument("-o", "--output", metavar="PLACE", help=place)
    answer = "the answer to something the print leaves open, such as hd=8"
    command.add_argument("--choose", metavar="KEY=ANSWER", action="append", default=[], help=answer)
