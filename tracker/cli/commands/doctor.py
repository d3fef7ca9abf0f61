"""`tracker doctor`: examine the journal, its fights and its backups, or put a backup in the journal's place."""

from __future__ import annotations

import argparse
from pathlib import Path

from tracker.cli.helpers import all_fights, journal_path, print_error, print_text
from tracker.core.terms.errors import TrackerError
from tracker.session import repair
from tracker.session.store.journal import Journal
from tracker.session.store.locks import network


def run(asked: argparse.Namespace) -> int:
    """Print the state of everything, or restore a backup; exit status 1 if anything is damaged."""
    path = journal_path(asked.db)
    if asked.restore is not None:
        return _restore(path, asked.restore)
    examined = repair.examine(path)
    print_text(f"{path}: {examined.text}")
    damaged = _fights_damaged(path) if examined.sound else True
    if kind := network(path):
        advice = "where a broken connection can damage it: keep it on this computer"
        print_text(f"it lies on a network drive ({kind}), {advice}")
    copies, folder = repair.backups(path), path.parent / "backups"
    print_text(f"backups in {folder}:" if copies else f"there are no backups in {folder}")
    for number, copy in enumerate(copies, start=1):
        print_text(f"  {number:2}  {copy.path.name}  {copy.text}")
    for aside in repair.quarantined(path):
        print_text(f"set aside earlier, still there: {aside}")
    best = next((number for number, copy in enumerate(copies, start=1) if copy.sound), None)
    if damaged and best is not None:
        print_error(
            f'the newest sound backup comes back with "tracker doctor --restore {best}"; '
            "the present journal is set aside, not overwritten"
        )
    return 1 if damaged else 0


def _fights_damaged(path: Path) -> bool:
    """Print the state of every fight, and tell whether one is damaged."""
    damaged = False
    with Journal.open(path, read_only=True) as journal:
        for fight in all_fights(journal):
            problem = repair.fight_problem(journal, fight.id)
            damaged = damaged or bool(problem)
            steps = f"{fight.steps} step{'' if fight.steps == 1 else 's'}"
            print_text(f"  {fight.id}  {problem or 'sound'}, {steps}, {fight.at}")
    return damaged


def _restore(path: Path, wanted: str) -> int:
    """Replace the journal with a backup: the newest sound one, or one named by its number or file."""
    copies = repair.backups(path)
    if wanted == "newest":
        chosen = next((copy for copy in copies if copy.sound), None)
    elif wanted.isascii() and wanted.isdigit():
        chosen = copies[int(wanted) - 1] if 0 < int(wanted) <= len(copies) else None
    else:
        chosen = next((copy for copy in copies if wanted in (copy.path.name, str(copy.path))), None)
    if chosen is None:
        raise TrackerError(f'there is no sound backup "{wanted}" in {path.parent / "backups"}', "no_such_backup")
    if not chosen.sound:
        raise TrackerError(f"{chosen.path.name} is itself damaged: {chosen.text}", "backup_damaged")
    aside = repair.restore(path, chosen.path)
    print_text(f"{chosen.path.name} is the journal now: {repair.examine(path).text}")
    if aside is not None:
        print_text(f"the previous journal lies beside it: {aside}")
    return 0
