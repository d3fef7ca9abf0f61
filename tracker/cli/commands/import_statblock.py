"""`tracker import-statblock`: converts prints and files of other programs to bestiaries and encounters.

It reads files, folders and archives, the command line or standard input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from itertools import chain, count
from pathlib import Path

from msgspec import Struct

from tracker.cli.helpers import print_error, print_text
from tracker.core.clock.joining import slug
from tracker.core.game.foreign import Creature
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Imported
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.content import printed
from tracker.library.importers.convert import encounter_text, stat_block_of
from tracker.library.importers.detect import found_in
from tracker.library.importers.results import ImportedEncounter, ImportedItem, PrintedText, Unreadable
from tracker.library.importers.sources import Content, contents
from tracker.library.yaml.problems import Problem
from tracker.session.rulesets import registry

LONGEST = 20 * 1024 * 1024
MOST_SAID = 200
ENDINGS = (".txt", ".md", ".text", ".json", ".yaml", ".yml", ".db", ".zip", ".tar", ".gz", ".tgz")


class _Result(Struct):
    """The stat blocks and encounters of an import, its messages, and those of them about unread parts."""

    blocks: list[Imported]
    encounters: list[tuple[str, str]]
    lines: list[str]
    left: list[str]
    lost: bool = False


def run(asked: argparse.Namespace) -> int:
    """Print or write the import, and on standard error the parts that could not be read.

    Exit status 1 if there is such a part, 2 if nothing could be read.
    """
    choices = dict(_choice(words) for words in asked.choose)
    items = list(_items(asked.text))
    ruleset = registry.find(asked.ruleset or _usual_game(items))
    result = _Result([], [], [], [])
    for item in items:
        _take(result, ruleset, item, asked.system, choices)
    for line in result.lines[:MOST_SAID]:
        print_error(line)
    if len(result.lines) > MOST_SAID:
        print_error(f"and {len(result.lines) - MOST_SAID} more lines like these")
    if not result.blocks and not result.encounters:
        if not result.lines:
            print_error("there is no stat block in it")
        return 2
    _write(result, ruleset, asked.output)
    return 1 if result.lost else 0


def _usual_game(items: list[ImportedItem]) -> str:
    """Return the game if none is named: that of the creatures, else of prints."""
    wwn = any(isinstance(item, Creature) and item.system == "wwn" for item in items)
    return "worlds_without_number" if wwn else "githack"


def _take(result: _Result, ruleset: Ruleset, item: ImportedItem, system: str, choices: Mapping[str, str]) -> None:
    match item:
        case Unreadable():
            _leave(result, f"{item.what}: {item.why}")
        case Creature():
            _keep(result, stat_block_of(ruleset, item, system))
        case ImportedEncounter():
            text, lost = encounter_text(ruleset, item, system)
            result.encounters.append((item.name, text))
            result.lines += [f"{item.name}: not read: {part}" for part in lost]
            result.lost = result.lost or bool(lost)
        case PrintedText():
            for block in printed.import_text(ruleset, item.text, system, choices):
                if isinstance(block, Imported):
                    _keep(result, block)
                else:
                    _leave(result, f'"{block.text}": {block.why}')


def _leave(result: _Result, message: str) -> None:
    """Add a message about an unread part, for the screen and the bestiary."""
    result.lines.append(message)
    result.left.append(message)
    result.lost = True


def _keep(result: _Result, block: Imported) -> None:
    result.blocks.append(block)
    name = block.block.get("name")
    result.lines += [f"{name}: not read: {part}" for part in block.unread]
    result.lost = result.lost or bool(block.unread)
    for question in block.questions:
        choice = f"--choose {question.key}={'|'.join(question.options)}"
        result.lines.append(f"{name}: {question.why} {choice}; {question.options[0]} is taken")


def _write(result: _Result, ruleset: Ruleset, output: str | None) -> None:
    """Print the stat blocks or the first encounter, or write all files."""
    files = [("bestiary", printed.bestiary(ruleset, result.blocks, result.left[:MOST_SAID]))] if result.blocks else []
    files += result.encounters
    left = len(files) - 1
    if output is None:
        for line in files[0][1].splitlines():
            print_text(line)
        if left:
            many = f"{left} encounter{'' if left == 1 else 's'}"
            print_error(f"{many} not printed: write all into a folder with -o FOLDER")
            result.lost = True
    elif output.endswith((".yaml", ".yml")):
        if left:
            raise BadData([Problem(output, message=f"{len(files)} files come of it: name a folder")])
        _new(Path(output), files[0][1])
    else:
        used: set[str] = set()
        for name, text in files:
            stem = slug(name)[:60] or "encounter"
            names = chain([stem], (f"{stem}-{number}" for number in count(2)))
            free = next(name for name in names if name not in used)
            used.add(free)
            _new(Path(output) / f"{free}.yaml", text)


def _new(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise BadData([Problem(str(path), message="is there already", hint="name another one")]) from None
    print_error(f"written: {path}")


def _choice(words: str) -> tuple[str, str]:
    key, equals, answer = words.partition("=")
    if not (key and equals and answer):
        raise TrackerError(f'"{words}" is no choice; write it as key=answer', "bad_choice")
    return key, answer


def _items(words: list[str]) -> Iterator[ImportedItem]:
    """Yield the items of standard input, of files, or of the words themselves."""
    if words == ["-"]:
        yield from found_in(Content("standard input", sys.stdin.read(LONGEST).encode()))
        return
    paths = [Path(word) for word in words if len(word) < 4096 and "\n" not in word and "\0" not in word]
    if len(paths) == len(words) and all(path.exists() for path in paths):
        for path in paths:
            for content in contents(path):
                yield from [content] if isinstance(content, Unreadable) else found_in(content)
    elif len(words) == 1 and paths and paths[0].suffix.casefold() in ENDINGS:
        raise BadData([Problem(str(paths[0]), message="there is no such file")])
    else:
        yield from found_in(Content("the text", " ".join(words).encode()))
