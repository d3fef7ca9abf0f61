"""What the start screen can choose from and open; the command line makes one."""

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

    `carries`: its campaign wants the party as the last fight left it. `text`: what its file would say if it has none.
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
        source: which fight or file it is of, in words.
        path: where the fight's file would be, beside the party's.
        file: the party's file there, "" for one of an earlier fight.
        earlier: that fight as it was prepared.
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
    """The fights of a journal, one of which may be open, and the encounters of some folders."""

    session: Session | None
    find: Find
    improvises: bool
    """Whether a fight without a file is wanted first."""

    def fights(self) -> tuple[FightSummary, ...]:
        """Return every fight, the last played first; raises TrackerError if the journal cannot be read."""

    def put_away(self, fight: str, away: bool) -> None:
        """Put a fight away, or take it out again; raises TrackerError where that cannot be written."""

    def encounters(self, first: Path | None = None) -> Iterator[EncounterFile | Notice]:
        """Yield what is found in the folders, `first` before all others; it may be called in a thread of its own."""

    def where(self) -> tuple[str, ...]:
        """Return the folders that are looked through, as people write them."""

    def take_sample(self, path: Path) -> Path:
        """Copy a sample encounter to the GM's own files and return the copy; raises OSError if that fails."""

    def prepare(self, path: Path) -> Prepared:
        """Read an encounter to begin it; raises BadData where there is nothing to begin."""

    def party(self, prepared: Prepared) -> Party | None:
        """Return how the characters of an encounter left their last fight, if there was one."""

    def begin(self, prepared: Prepared, encounter: Encounter) -> None:
        """Open a new fight; raises TrackerError or Refused where that cannot be."""

    def preview(self, fight: str) -> AbstractContextManager[Session]:
        """Return a fight for a look that changes nothing; raises TrackerError where that cannot be."""

    def resume(self, fight: str) -> None:
        """Take up a fight; raises TrackerError where that cannot be."""

    def leave(self) -> None:
        """Let the open fight go."""

    def parties(self) -> tuple[PartyOption, ...]:
        """Return the parties that can fight foes without a file, that of the last fight first."""

    def improvise(self, party: PartyOption, line: str) -> Improvised:
        """Return what a line of foes means against a party."""

    def now(self) -> datetime:
        """Return what time it is where the GM sits."""

    def notice(self) -> str:
        """Return one line about the journal that people should read, or ""."""


REST_SECONDS = 0.05
"""How long the cursor rests on a fight before that is read."""
MOST_STEPS = 2000
"""Steps of a fight up to which it is read in a moment."""


class FightReader:
    """Reads how a fight stands, for a screen, which hears of it."""

    class Read(Message):
        """How each side of a fight stands, and what happened last."""

        def __init__(self, fight: FightSummary, sides: tuple[str, ...], last: str) -> None:
            super().__init__()
            self.fight, self.sides, self.last = fight, sides, last

    def __init__(self, screen: Screen[None], repertoire: Catalog) -> None:
        self._screen, self._repertoire = screen, repertoire

    def begin(self, fight: FightSummary) -> None:
        """Read a fight in a thread, unless that takes long, and drop the one that is read now."""
        if fight.steps > MOST_STEPS:
            return
        self._screen.run_worker(partial(self._look, fight), group="fight", exclusive=True, thread=True)

    def _look(self, fight: FightSummary) -> None:
        from tracker.session.report import fight_record_of  # the first picture does without
        from tracker.views.report.outcome import cost
        from tracker.views.report.story import paragraphs, story

        worker = get_current_worker()
        sleep(REST_SECONDS)
        if worker.is_cancelled:
            return
        try:
            with self._repertoire.preview(fight.id) as session:
                record = fight_record_of(session)
                *_, (title, lines) = ("", ()), *((one.title, one.lines) for one in paragraphs(story(record)))
                last = " ".join([f"{title}:" if title else "", *(line.words for line in lines)]).strip()
                found = self.Read(fight, tuple(cost(record)), last)
        except Exception:  # noqa: BLE001 - a ruleset may fail, or the file; opening the fight says why
            found = self.Read(fight, (), "")
        if not worker.is_cancelled:
            self._screen.post_message(found)


BATCH_SECONDS = 0.05


class FileScanner:
    """Reads every file for a screen, which hears of them as they are read."""

    class Read(Message):
        """Files that have been read, the last of them where `last`."""

        def __init__(self, turn: int, items: list[EncounterFile | Notice], last: bool) -> None:
            super().__init__()
            self.turn, self.items, self.last = turn, items, last

    def __init__(self, screen: Screen[None], repertoire: Catalog) -> None:
        self._screen, self._repertoire = screen, repertoire
        self.turn = 0

    def begin(self, first: Path | None = None) -> None:
        """Read the files in a thread, one of them first, and drop an earlier reading."""
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
