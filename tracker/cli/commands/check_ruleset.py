"""`tracker check --ruleset KEY`: the problems of a ruleset, found by random play."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from tracker.cli.helpers import print_error, print_text
from tracker.cli.loading import find_ruleset, folders
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.library.content.discovery import EncounterFile, Scanner, SearchPath
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.session.rulesets import registry
from tracker.testing.inspection import FIGHTS, inspect
from tracker.testing.vectors import VectorFile

NAMES = ("Ada", "Bo")
LEAST = 12
"""Fights that are played at least, of all encounters together."""


def run(asked: argparse.Namespace) -> int:
    """Print every mistake as one line; exit status 2 if there is one."""
    if package := registry.taken_name(asked.ruleset):
        message = f'"{asked.ruleset}" comes in a package called "{package}", the name of one of the program\'s own'
        print_error(f"tracker: {message}: one of the two hides or overwrites the other; give yours a name of its own")
        return 2
    try:
        ruleset = registry.find(asked.ruleset)
    except TrackerError as error:
        print_error(f"tracker: {error.message}")
        return 2
    encounters: dict[str, Encounter] = {}
    problems = 0
    for path, loaded in _loaded(asked, ruleset):
        for problem in loaded.problems:
            print_text(problem.render())
        problems += len(loaded.problems)
        if loaded.encounter is not None and not loaded.problems:
            encounters[str(path)] = loaded.encounter
    if not encounters and not problems and (encounter := _made_up(ruleset)) is not None:
        encounters["a made-up fight"] = encounter
    if not encounters:
        way_on = f"name one: tracker check --ruleset {ruleset.key} FILE"
        print_error(f"no encounter of {ruleset.title} was found below this folder; {way_on}")
        return 2
    return _inspected(ruleset, encounters, problems)


def _inspected(ruleset: Ruleset, encounters: dict[str, Encounter], problems: int) -> int:
    report = inspect(ruleset, encounters, max(FIGHTS, -(-LEAST // len(encounters))))
    for remark in report.remarks:
        print_text(f"remark: {remark}")
    for problem in report.problems:
        print_text(str(problem))
    problems += len(report.problems)
    played = f"{report.fights} fights and {report.steps} steps of {', '.join(encounters)}"
    print_error(f"{problems or 'no'} problem{'' if problems == 1 else 's'} in {ruleset.title}, played {played}")
    return 2 if problems else 0


def _loaded(asked: argparse.Namespace, ruleset: Ruleset) -> Iterator[tuple[Path, Loaded]]:
    """Yield the encounters of the ruleset: named ones, else of the usual folders, else all below the current one."""
    own, paths = folders(asked.library), [Path(path) for path in asked.paths]

    def search(*places: SearchPath) -> list[Path]:
        scanner = Scanner([place for place in places if place.folder.is_dir()], find_ruleset, own, registry.rulesets())
        return [item.path for item in scanner.all() if isinstance(item, EncounterFile) and item.ruleset == ruleset.key]

    if paths:
        files = [path for path in paths if not path.is_dir()]
        files += search(*(SearchPath(path) for path in paths if path.is_dir()))
    else:
        files = search(*map(SearchPath, own), SearchPath(Path(), 0), SearchPath(Path("encounters")))
        files = files or search(SearchPath(Path()))
    for path in files:
        yield path, load_encounter(path, find_ruleset, own, registry.rulesets())


def _made_up(ruleset: Ruleset) -> Encounter | None:
    """Return a fight of two against two stat blocks with names only, None if the game needs more keys."""
    sides = {side: [{"name": f"{name} of {side}"} for name in NAMES] for side in ("party", "foes")}
    try:
        return VectorFile(ruleset).encounter({"sides": sides})
    except ValueError:
        return None
