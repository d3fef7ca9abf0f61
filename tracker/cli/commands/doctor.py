"""`tracker doctor`: look at the journal, its fights and its backups.

Put a backup in its place.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tracker.cli.helpers import all_fights, journal_path, print_error, print_text
from tracker.core.terms.errors import TrackerError
from tracker.session import repair
from tracker.session.store.journal import Journal
from tracker.session.store.locks import network


def run(asked: argparse.Namespace) -> int:
    """Say what is sound and what is not, or restore a backup; exit status 1 if something is wrong."""
    path = journal_path(asked.db)
    if asked.restore is not None:
        return _restore(path, asked.restore)
    found = repair.examine(path)
    print_text(f"{path}: {found.text}")
    wrong = _fights(path) if found.sound else True
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
    if wrong and best is not None:
        print_error(
            f'the newest sound backup comes back with "tracker doctor --restore {best}"; '
            "the present journal is set aside, not overwritten"
        )
    return 1 if wrong else 0


def _fights(path: Path) -> bool:
    """Look at every fight and return whether one is damaged."""
    wrong = False
    with Journal.open(path, read_only=True) as journal:
        for fight in all_fights(journal):
            complaint = repair.fight_problem(journal, fight.id)
            wrong = wrong or bool(complaint)
            steps = f"{fight.steps} step{'' if fight.steps == 1 else 's'}"
            print_text(f"  {fight.id}  {complaint or 'sound'}, {steps}, {fight.at}")
    return wrong


def _restore(path: Path, wanted: str) -> int:
    """Replace the journal with a backup: the newest sound one, or one named by its number or file."""
    copies = repair.backups(path)
    chosen = None
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
