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
    """Print every problem and warning as one line; exit status 2 if there is a problem."""
    if asked.ruleset:
        from tracker.cli.commands import check_ruleset  # it imports modules for tests

        return check_ruleset.run(asked)
    if not asked.paths:
        print_error("tracker check: name a file, a folder, or a game with --ruleset (try tracker check --help)")
        return 2
    own = folders(asked.library)
    files = list(_files(asked.paths))
    problems = dict.fromkeys(problem for path in files for problem in _problems(path, own))
    for problem in problems:
        print_text(f"{problem.render()}{' [look it over]' if problem.is_warning else ''}")
    warnings = sum(problem.is_warning for problem in problems)
    mistakes = len(problems) - warnings
    message = f"{mistakes or 'no'} problem{'' if mistakes == 1 else 's'}"
    message += f" in {len(files)} file{'' if len(files) == 1 else 's'}"
    print_error(f"{message}, {warnings} to look over" if warnings else message)
    return 2 if mistakes else 0


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
    problems = lint.lint_file(path, find_ruleset, own, registry.rulesets())
    return tuple(replace(problem, file=os.path.normpath(path.parent / problem.file)) for problem in problems)


def _is_entry(part: Node) -> bool:
    return part in BARE if isinstance(part, str) else isinstance(part, dict) and next(iter(part), "") in KINDS
