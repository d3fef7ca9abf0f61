"""`tracker import-statblock`: prints and files of other programs as bestiaries and encounters.

They come from files, folders and archives, the command line or standard input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
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
    """What an import has made, and what it says of it."""

    blocks: list[Imported]
    encounters: list[tuple[str, str]]
    lines: list[str]
    left: list[str]
    lost: bool = False


def run(asked: argparse.Namespace) -> int:
    """Print or write what was read.

    Say on standard error what could not be read. Exit status 1 if there is such a part, 2 if nothing could be read.
    """
    choices = dict(_choice(words) for words in asked.choose)
    found = list(_found(asked.text))
    ruleset = registry.find(asked.ruleset or _usual(found))
    result = _Result([], [], [], [])
    for each in found:
        _take(result, ruleset, each, asked.system, choices)
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


def _usual(found: list[ImportedItem]) -> str:
    """Return the game where none is named: that of the numbers, else of prints."""
    creatures = [each for each in found if isinstance(each, Creature)]
    return "worlds_without_number" if any(each.system == "wwn" for each in creatures) else "githack"


def _take(result: _Result, ruleset: Ruleset, each: ImportedItem, system: str, choices: Mapping[str, str]) -> None:
    match each:
        case Unreadable():
            _leave(result, f"{each.what}: {each.why}")
        case Creature():
            _keep(result, stat_block_of(ruleset, each, system))
        case ImportedEncounter():
            text, lost = encounter_text(ruleset, each, system)
            result.encounters.append((each.name, text))
            result.lines += [f"{each.name}: not read: {part}" for part in lost]
            result.lost = result.lost or bool(lost)
        case PrintedText():
            for item in printed.import_text(ruleset, each.text, system, choices):
                if isinstance(item, Imported):
                    _keep(result, item)
                else:
                    _leave(result, f'"{item.text}": {item.why}')


def _leave(result: _Result, message: str) -> None:
    """Note what nothing was made of, for the screen and the bestiary."""
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
    """Print stat blocks or one encounter, or write all that is there."""
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
            free = next(
                each for each in (stem, *(f"{stem}-{number}" for number in range(2, 10_000))) if each not in used
            )
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


def _found(words: list[str]) -> Iterator[ImportedItem]:
    """Yield what is read of standard input, of files, or of the words themselves."""
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
