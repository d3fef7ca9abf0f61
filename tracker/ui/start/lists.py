"""The lists of the start screen: fights to resume, encounters in the game master's folders; how they are filled, filtered and moved about in.

The fights are on the first picture. The files are read in a thread, and come as they are read.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from textual import on as hears
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Paste
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from tracker.core.terms.errors import TrackerError
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.drawing.lists import Listed, ListPane
from tracker.ui.keys.command import Place
from tracker.ui.panes.bars import FooterLine, StartLine
from tracker.ui.panes.reader import Reader
from tracker.ui.start.repertoire import Repertoire
from tracker.ui.start.rows import fight_height, fight_rows, found_height, found_rows, game_words
from tracker.ui.typing.entry import Entry
from tracker.views.words.spans import Row, Span, wrap_text
from tracker.views.words.text import clean

if TYPE_CHECKING:  # the files are read when the first picture stands
    from tracker.library.shelves.finding import Found, Remark
    from tracker.session.rows import FightSummary

__all__ = ["StartLists"]

BATCH_SECONDS = 0.05
NO_FIGHTS = (
    "No fight has been played yet.",
    "Choose an encounter below and press enter, or open one with: tracker play ENCOUNTER.yaml",
)
NO_ENCOUNTERS = (
    "Encounters are YAML files; docs/yaml.md says how to write one.",
    "Put them here, into a folder encounters/ here, or name your own folder: tracker --library FOLDER, or TRACKER_LIBRARY",
)


class StartLists(Screen[None]):
    """The two lists, the page and the choice that can cover them, and the lines above and below."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    class _Read(Message):
        """The thread has read something; `last`: that was all."""

        def __init__(self, turn: int, items: list[Found | Remark], last: bool) -> None:
            super().__init__()
            self.turn, self.items, self.last = turn, items, last

    def __init__(self, repertoire: Repertoire) -> None:
        super().__init__()
        self.repertoire = repertoire
        self.cover: LinesPane | None = None
        self._all: tuple[FightSummary, ...] = ()
        self._found: dict[Path, Found] = {}
        self._fresh: dict[Path, Found] = {}
        self._remarks: list[str] = []
        self._titles: dict[str, str] = {}
        self._away = self._reading = False
        self._turn = self._height = 0
        self._typed = ""
        self._filter: Entry | None = None
        self._word = ""

    def compose(self) -> ComposeResult:
        """Lay out the lists."""
        yield StartLine()
        with Vertical():
            yield ListPane(1, "Fights", "fights")
            yield ListPane(2, "Encounters", "encounters")
        yield FooterLine()
        yield ListPane(0, "Party", "party")
        yield Reader()

    def on_mount(self) -> None:
        """Show the fights at once, and begin to read the files when they stand."""
        self._line, self._footer, self._reader = (
            self.query_one(StartLine),
            self.query_one(FooterLine),
            self.query_one(Reader),
        )
        self._fights, self._encounters, self._party = (
            self.query_one(f"#{name}", ListPane) for name in ("fights", "encounters", "party")
        )
        self._footer.place = "start"
        self._party.chosen_pane = self._party.lit = True
        self._pane = self._fights
        self._load()
        self._choose(self._fights if self._fights.choices() else self._encounters)
        self._line.say(self.repertoire.notice(), "warn")
        self.call_after_refresh(self._look)

    # What there is

    def _load(self) -> None:
        """Read the fights of the journal."""
        try:
            self._all = self.repertoire.fights()
        except TrackerError as error:
            self._line.say(error.message)
        self._draw()

    def _look(self, first: Path | None = None) -> None:
        """Read the files in a thread, one of them first."""
        self._turn += 1
        self._reading, self._fresh, self._remarks = True, {}, []
        self.run_worker(partial(self._walk, self._turn, first), group="files", exclusive=True, thread=True)
        self._draw()

    def _walk(self, turn: int, first: Path | None) -> None:
        """Read every file; runs in the thread."""
        worker = get_current_worker()
        read: list[Found | Remark] = []
        sent = monotonic()
        try:
            for item in self.repertoire.encounters(first):
                if worker.is_cancelled:
                    return
                read.append(item)
                if monotonic() - sent > BATCH_SECONDS:
                    self.post_message(self._Read(turn, read, False))
                    read, sent = [], monotonic()
        except TrackerError as error:
            from tracker.library.shelves.finding import Remark

            read.append(Remark(error.message))
        self.post_message(self._Read(turn, read, True))

    @hears(_Read)
    def _take(self, event: _Read) -> None:
        """Take in what the thread has read."""
        from tracker.library.shelves.finding import Found

        event.stop()
        if event.turn != self._turn:
            return
        for item in event.items:
            if isinstance(item, Found):
                self._fresh.pop(item.path, None)  # a file read before the others takes its place among them
                self._fresh[item.path] = item
                self._titles[item.ruleset] = item.game
            else:
                self._remarks.append(item.text)
        if event.last:
            self._found, self._reading = self._fresh, False
        else:
            self._found = self._found | self._fresh
        self._draw()

    def _draw(self) -> None:
        """Fill the lists with what fits the filter, numbered through."""
        moment, number = self.repertoire.now(), 0
        fights: list[Listed] = []
        away = 0
        for fight in self._all:
            away += fight.discarded is not None
            game = clean(self._titles.get(fight.ruleset, game_words(fight.ruleset)))
            if (fight.discarded and not self._away) or not self._fits(fight.title, game, fight.id):
                continue
            number += 1
            fights.append(
                Listed(fight.id, partial(fight_rows, fight.id, number, fight, game=game, now=moment), fight_height)
            )
        files: list[Listed] = []
        for path, found in self._found.items():
            if self._fits(found.title, found.game, path.stem):
                number += 1
                files.append(
                    Listed(str(path), partial(found_rows, str(path), number, found), partial(found_height, found))
                )
        if not fights:
            fights = [_words(text) for text in (NO_FIGHTS if not self._all else ("Nothing here.",))]
        if not files and not self._reading:
            where = f"No encounter found in {', '.join(self.repertoire.where())}."
            files = [_words(text) for text in ((where, *NO_ENCOUNTERS) if not self._found else ("Nothing here.",))]
        files += [_words(text, "warn") for text in self._remarks]
        height = self._fights.height_of(fights, self.app.size.width) + 2
        if height != self._height:
            self._height = self._fights.styles.height = height
        self._fights.fill(fights)
        self._encounters.fill(files)
        self._fights.say(note=f"{away} put away" if away else "")
        self._encounters.say(note="reading …" if self._reading else "")
        typed = (
            f"/{self._filter.text if self._filter is not None else self._word}"
            if self._filter is not None or self._word
            else ""
        )
        self._line.show(f"{len(self._all) - away} to resume, {len(self._found)} to begin", typed)

    def _fits(self, *texts: str) -> bool:
        return all(any(word in text.casefold() for text in texts) for word in self._word.casefold().split())

    def on_resize(self) -> None:
        """Give the fights the height they need at this width."""
        if self.is_mounted:
            self._draw()

    # Choosing

    def _choose(self, pane: ListPane) -> None:
        """Give a list the arrow keys."""
        self._pane = pane
        for other in (self._fights, self._encounters):
            other.choose(other is pane)
            other.light(other is pane)

    def _fight(self) -> FightSummary | None:
        """Return the fight under the cursor."""
        return (
            next((fight for fight in self._all if fight.id == self._fights.cursor), None)
            if self._pane is self._fights
            else None
        )

    def _file(self) -> Found | None:
        """Return the encounter under the cursor."""
        return (
            next((found for path, found in self._found.items() if str(path) == self._encounters.cursor), None)
            if self._pane is self._encounters
            else None
        )

    def action_move(self, by: int) -> None:
        """Move the cursor; it goes on from one list into the other."""
        left = self._pane.step(by)
        other = self._encounters if self._pane is self._fights else self._fights
        if left and other.choices() and (left > 0) == (other is self._encounters):
            self._choose(other)
            other.put(other.choices()[0 if left > 0 else -1])
            other.step(left - 1 if left > 0 else left + 1)

    def action_other(self) -> None:
        """Go to the other list."""
        self._choose(self._encounters if self._pane is self._fights else self._fights)

    # What covers the lists

    def _raise(self, pane: LinesPane, place: Place) -> None:
        self.cover, self._footer.place = pane, place
        pane._shown = []
        pane.update()
        for other in self.query(LinesPane):
            other.refresh()

    def _lower(self) -> None:
        self.cover = None
        self._footer.place = "start"
        for pane in self.query(LinesPane):
            pane.update()
            pane.refresh()

    # Keys

    def _filtered(self, key: str, character: str | None) -> bool:
        """Give a key to the filter while it is typed."""
        if self._filter is None:
            return False
        entry = self._filter.press(key, character)
        if key in ("enter", "escape"):
            self._filter, self._word = None, self._word if key == "enter" else ""
        elif entry is None:
            return False
        else:
            self._filter, self._word = entry, entry.text
        self._draw()
        self._choose(
            self._pane if self._pane.choices() else self._encounters if self._pane is self._fights else self._fights
        )
        return True

    def _numbered(self, character: str | None) -> bool:
        """Go to the line of a number; digits that follow one another make one number."""
        digit = character is not None and character.isascii() and character.isdigit()
        if not digit:
            self._typed = ""
            return False
        lists = [(pane, key) for pane in (self._fights, self._encounters) for key in pane.choices()]
        for typed in (f"{self._typed}{character}", str(character)):
            if 0 < int(typed) <= len(lists):
                pane, key = lists[int(typed) - 1]
                self._typed = typed
                self._choose(pane)
                pane.put(key)
                break
        return True

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text into the filter."""
        event.stop()
        if self._filter is not None:
            self._filter = self._filter.typed(event.text)
            self._word = self._filter.text
            self._draw()

    @hears(LinesPane.Scrolled)
    def _wheeled(self, event: LinesPane.Scrolled) -> None:
        """Scroll a page, or move the cursor of a list."""
        event.stop()
        if isinstance(event.pane, ListPane):
            event.pane.step(event.by)
        else:
            event.pane.move(event.by)


def _words(text: str, style: str = "dim") -> Listed:
    """Return words in a list, where the cursor does not go."""

    def rows(width: int) -> list[Row]:
        return [Row("", (Span(part, style),)) for part in wrap_text(clean(text), width)]

    return Listed(f"#{text}", rows, lambda width: len(rows(width)), free=False)
