"""The interface through which the start screen lists and opens fights and encounters; the CLI implements it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, Member
from tracker.core.terms.errors import TrackerError
from tracker.session.rows import FightSummary
from tracker.session.session import Session

if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile, Notice
    from tracker.library.content.improvise import Improvised
    from tracker.session.party import Party


Find = Callable[[str], Sequence[Member]]


class Prepared(Struct, frozen=True):
    """An encounter to begin.

    `carries`: its campaign takes the party as the last fight left it. `text`: the text of its file, if it has no file.
    """

    path: Path
    encounter: Encounter
    ruleset: Ruleset
    carries: bool = False
    text: str | None = None


class PartyOption(Struct, frozen=True):
    """A party that can fight foes without a file.

    Attributes:
        names: its characters.
        source: the fight or file that it is from, in words.
        path: the path that a file of the new fight would have, beside the party's file.
        file: the party's file, "" if the party is from an earlier fight.
        earlier: the encounter of that earlier fight.
    """

    ruleset: Ruleset
    names: str
    source: str
    path: Path
    file: str = ""
    earlier: Encounter | None = None

    @property
    def home(self) -> Path:
        return self.path.parent


class Catalog(Protocol):
    """The fights of a journal, of which one may be open, and the encounters of some folders."""

    session: Session | None
    find: Find
    improvises: bool
    """Whether the start screen opens with a fight without a file."""

    def fights(self) -> tuple[FightSummary, ...]:
        """Return every fight, the last played first; raises TrackerError if the journal cannot be read."""

    def put_away(self, fight: str, away: bool) -> None:
        """Put a fight away, or take it out again; raises TrackerError if the journal cannot be written."""

    def encounters(self, first: Path | None = None) -> Iterator[EncounterFile | Notice]:
        """Yield the encounters and notices of the folders, the file `first` before all others; safe in a thread."""

    def where(self) -> tuple[str, ...]:
        """Return the searched folders, as users write them."""

    def take_sample(self, path: Path) -> Path:
        """Copy a sample encounter to the GM's own files and return the copy; raises OSError if that fails."""

    def prepare(self, path: Path) -> Prepared:
        """Read an encounter to begin it; raises BadData if it cannot begin."""

    def party(self, prepared: Prepared) -> Party | None:
        """Return the party of an encounter as its last fight left it, or None if there was no such fight."""

    def begin(self, prepared: Prepared, encounter: Encounter) -> None:
        """Open a new fight; raises TrackerError or Refused if that fails."""

    def preview(self, fight: str) -> AbstractContextManager[Session]:
        """Return a fight for reading only; raises TrackerError if it cannot be read."""

    def resume(self, fight: str) -> None:
        """Open a fight to play on; raises TrackerError if that fails."""

    def leave(self) -> None:
        """Close the open fight."""

    def parties(self) -> tuple[PartyOption, ...]:
        """Return the parties for a fight without a file, the party of the last fight first."""

    def improvise(self, party: PartyOption, line: str) -> Improvised:
        """Parse a line of foes against a party."""

    def now(self) -> datetime:
        """Return the local time."""

    def notice(self) -> str:
        """Return one line about the journal for the user, or ""."""


REST_SECONDS = 0.05
"""Seconds that the cursor rests on a fight before the fight is read."""
MOST_STEPS = 2000
"""Most steps of a fight that is read for the preview."""


class FightReader:
    """Reads the state of a fight in a thread and posts it to the screen."""

    class Read(Message):
        """The state of each side of a fight, and the last event."""

        def __init__(self, fight: FightSummary, sides: tuple[str, ...], last: str) -> None:
            super().__init__()
            self.fight, self.sides, self.last = fight, sides, last

    def __init__(self, screen: Screen[None], repertoire: Catalog) -> None:
        self._screen, self._repertoire = screen, repertoire

    def begin(self, fight: FightSummary) -> None:
        """Read a fight in a thread, unless it is long, and cancel an earlier reading."""
        if fight.steps > MOST_STEPS:
            return
        self._screen.run_worker(partial(self._look, fight), group="fight", exclusive=True, thread=True)

    def _look(self, fight: FightSummary) -> None:
        from tracker.session.report import fight_record_of  # not needed for the first frame
        from tracker.views.report.outcome import cost
        from tracker.views.report.story import paragraphs, story

        worker = get_current_worker()
        sleep(REST_SECONDS)
        if worker.is_cancelled:
            return
        try:
            with self._repertoire.preview(fight.id) as session:
                record = fight_record_of(session)
                *_, (title, lines) = ("", ()), *((part.title, part.lines) for part in paragraphs(story(record)))
                last = " ".join([f"{title}:" if title else "", *(line.words for line in lines)]).strip()
                message = self.Read(fight, tuple(cost(record)), last)
        except Exception:  # noqa: BLE001 - a ruleset may fail, or the file; opening the fight says why
            message = self.Read(fight, (), "")
        if not worker.is_cancelled:
            self._screen.post_message(message)


BATCH_SECONDS = 0.05


class FileScanner:
    """Reads all encounter files in a thread and posts them to the screen in batches."""

    class Read(Message):
        """A batch of read files; `last`: it is the last batch."""

        def __init__(self, turn: int, items: list[EncounterFile | Notice], last: bool) -> None:
            super().__init__()
            self.turn, self.items, self.last = turn, items, last

    def __init__(self, screen: Screen[None], repertoire: Catalog) -> None:
        self._screen, self._repertoire = screen, repertoire
        self.turn = 0

    def begin(self, first: Path | None = None) -> None:
        """Read the files in a thread, the file `first` before the others, and cancel an earlier reading."""
        self.turn += 1
        walk = partial(self._walk, self.turn, first)
        self._screen.run_worker(walk, group="files", exclusive=True, thread=True)

    def _walk(self, turn: int, first: Path | None) -> None:
        worker = get_current_worker()
        read: list[EncounterFile | Notice] = []
        sent = monotonic()
        try:
            for item in self._repertoire.encounters(first):
                if worker.is_cancelled:
                    return
                read.append(item)
                if monotonic() - sent > BATCH_SECONDS:
                    self._screen.post_message(self.Read(turn, read, False))
                    read, sent = [], monotonic()
        except TrackerError as error:
            from tracker.library.content.discovery import Notice

            read.append(Notice(error.message))
        self._screen.post_message(self.Read(turn, read, True))
