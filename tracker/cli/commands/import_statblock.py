"""`tracker import-statblock`: printed stat blocks as YAML for a bestiary.

They come from a file, the command line or standard input.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tracker.cli.output import complain, say
from tracker.core.game.schema import Imported
from tracker.core.terms.errors import BadData, TrackerError
from tracker.library.shelves import statblocks
from tracker.library.yaml.problems import Problem
from tracker.session.rulesets import registry

__all__ = ["run"]

LONGEST = 1_000_000


def run(asked: argparse.Namespace) -> int:
    """Print the blocks.

    Say on standard error what could not be read. Exit status 1 if there is such a part, 2 if nothing could be read.
    """
    ruleset = registry.find(asked.ruleset)
    choices = dict(_choice(words) for words in asked.choose)
    found = statblocks.import_text(ruleset, _text(asked.text), asked.system, choices)
    blocks = [item for item in found if isinstance(item, Imported)]
    failed = [item for item in found if not isinstance(item, Imported)]
    for item in failed:
        complain(f'"{item.text}": {item.why}')
    for block in blocks:
        name = block.block.get("name")
        for part in block.unread:
            complain(f"{name}: not read: {part}")
        for question in block.questions:
            complain(
                f"{name}: {question.why} --choose {question.key}={'|'.join(question.options)}; "
                f"{question.options[0]} is taken"
            )
    if not blocks:
        if not failed:
            complain("there is no stat block in it")
        return 2
    for line in statblocks.bestiary(ruleset, blocks).splitlines():
        say(line)
    return 1 if failed or any(block.unread for block in blocks) else 0


def _choice(words: str) -> tuple[str, str]:
    key, equals, answer = words.partition("=")
    if not (key and equals and answer):
        raise TrackerError(f'"{words}" is no choice; write it as key=answer', "bad_choice")
    return key, answer


def _text(words: list[str]) -> str:
    """Return the text to read: standard input, a file, or the words themselves."""
    if words == ["-"]:
        return sys.stdin.read(LONGEST)
    if len(words) == 1 and len(words[0]) < 4096 and "\n" not in words[0]:
        path = Path(words[0])
        if path.is_file():
            return _file(path)
        if path.suffix in (".txt", ".md", ".text"):
            raise BadData([Problem(str(path), message="there is no such file")])
    return " ".join(words)


def _file(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            return file.read(LONGEST)
    except UnicodeDecodeError as error:
        raise BadData([Problem(str(path), message="is not UTF-8 text")]) from error
