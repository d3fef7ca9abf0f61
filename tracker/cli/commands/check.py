"""`tracker check`: every mistake in files and folders of encounters, stat blocks and scripts."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from tracker.cli.helpers import print_error, print_text
from tracker.cli.loading import find_ruleset, folders
from tracker.core.terms.errors import BadData
from tracker.library.content import lint
from tracker.library.content.library import YAML
from tracker.library.yaml.problems import Node, Problem
from tracker.library.yaml.tree import load
from tracker.script.reader import BARE, KINDS, entries_of
from tracker.session.rulesets import registry


def run(asked: argparse.Namespace) -> int:
    """Print every problem as one line.

    Exit status 2 if there is one. What is only to be looked over counts as none.
    """
    if asked.ruleset:
        from tracker.cli.commands import check_ruleset  # it brings along what tests need

        return check_ruleset.run(asked)
    if not asked.paths:
        print_error("tracker check: name a file, a folder, or a game with --ruleset (try tracker check --help)")
        return 2
    own = folders(asked.library)
    files = 0
    found: dict[Problem, None] = {}
    for path in _files(asked.paths):
        files += 1
        for problem in _problems(path, own):
            found.setdefault(problem)
    for problem in found:
        print_text(f"{problem.render()}{' [look it over]' if problem.is_warning else ''}")
    wrong, doubts = (sum(problem.is_warning is doubt for problem in found) for doubt in (False, True))
    many = f"{files} file{'' if files == 1 else 's'}"
    message = f"{wrong} problem{'' if wrong == 1 else 's'} in {many}" if wrong else f"no problems in {many}"
    print_error(f"{message}, {doubts} to look over" if doubts else message)
    return 2 if wrong else 0


def _files(paths: list[str]) -> Iterator[Path]:
    """Yield the files named, and those of the folders in alphabetical order without hidden ones."""
    for name in paths:
        path = Path(name)
        if not path.is_dir():
            yield path
            continue
        for folder, below, files in os.walk(path):
            below[:] = sorted(part for part in below if not part.startswith("."))
            yield from (
                Path(folder) / file for file in sorted(files) if file.endswith(YAML) and not file.startswith(".")
            )


def _problems(path: Path, own: tuple[Path, ...]) -> tuple[Problem, ...]:
    tree = load(path)
    if isinstance(tree.value, list) and any(map(_is_entry, tree.value)):
        try:
            entries_of(tree)
        except BadData as error:
            return tuple(problem for problem in error.problems if isinstance(problem, Problem))
        return ()
    found = lint.lint_file(path, find_ruleset, own, registry.rulesets())
    return tuple(replace(problem, file=os.path.normpath(path.parent / problem.file)) for problem in found)


def _is_entry(part: Node) -> bool:
    return part in BARE if isinstance(part, str) else isinstance(part, dict) and next(iter(part), "") in KINDS
