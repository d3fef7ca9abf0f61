"""Fights without a screen: their journal, their start, and what a failing script says."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tracker.cli.output import complain
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.library.slips import usual_folder
from tracker.script.entries import Entry
from tracker.script.player import Played, Player
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal

__all__ = ["complaint", "journal_at", "opened", "played"]


@contextmanager
def journal_at(path: str | None) -> Iterator[Journal]:
    """Open the journal of that name, or one that is gone afterwards."""
    if path is not None:
        with Journal.open(Path(path)) as journal:
            if journal.notice:
                complain(f"tracker: {journal.notice}")
            yield journal
        return
    with tempfile.TemporaryDirectory(prefix="tracker-") as folder, Journal.open(Path(folder) / "fight.db") as journal:
        yield journal


def opened(
    journal: Journal,
    ruleset: Ruleset,
    encounter: Encounter,
    *,
    path: Path,
    seed: int | None,
    db: str | None = None,
) -> Callable[[], Session]:
    """Return what starts the fight.

    Nothing is answered unasked.

    Problem files of a journal that will be gone lie in the user's own folder.
    """
    problems = usual_folder() if db is None else None

    def begin() -> Session:
        text = path.read_text(encoding="utf-8", errors="replace")
        roller = None if seed is None else dice_roller(seed)
        settings = Settings(roller, ask_setup=True, moot=True, problems=problems)
        return Session.start(journal, ruleset, encounter, settings, source_text=text)

    return begin


def played(player: Player, entries: tuple[Entry, ...]) -> Played | None:
    """Play entries and return the one that failed, or None."""
    return next((result for result in player.play(entries) if not result.ok), None)


def complaint(file: str, failed: Played) -> str:
    """Say which entry of the script failed, what was expected and what came."""
    where = (
        f"{file}:{failed.entry.line}:{failed.entry.column}: entry {failed.entry.number}"
        if failed.entry.number
        else f"{file}: the start"
    )
    rule = f" ({failed.rule})" if failed.rule else ""
    expected = f"; expected: {failed.expected}" if failed.expected and failed.expected != "done" else ""
    return f"{where}: {failed.outcome}: {failed.text}{rule}{expected}"
