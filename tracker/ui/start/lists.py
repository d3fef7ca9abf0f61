"""The lists of the start screen: fights to resume, encounters to begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tracker.core.terms.errors import TrackerError
from tracker.core.terms.labels import folded
from tracker.ui.panes.bars import StartLine
from tracker.ui.start.catalog import Catalog
from tracker.ui.start.rows import (
    NUMBER,
    PreviewPane,
    fight_height,
    fight_preview,
    fight_rows,
    found_height,
    found_preview,
    found_rows,
    game_words,
    is_first,
)
from tracker.ui.typing.entry import Entry
from tracker.ui.widgets.lists import Listed, ListWidget
from tracker.views.words.spans import Row, Span, wrap_text
from tracker.views.words.text import clean

if TYPE_CHECKING:  # the files are read after the first frame
    from tracker.library.content.discovery import EncounterFile, Notice
    from tracker.session.rows import FightSummary

NO_FIGHTS = (
    "No fight has been played yet.",
    "Choose an encounter below and press enter, or open one with: tracker play ENCOUNTER.yaml",
)
NO_ENCOUNTERS = (
    "Encounters are YAML files; docs/yaml.md says how to write one.",
    "Put them here, into a folder encounters/ here, or name your own folder: "
    "tracker --library FOLDER, or TRACKER_LIBRARY",
)

FINISHED = "Finished · enter reads how it went"
EXAMPLES = "Examples, which come with the program; e copies one with its party and bestiary, to change it"


class Lists:
    """The two lists, their filter and the preview.

    `away`: whether put-away fights are shown. `wants` is called with the fight that the preview needs to read.
    """

    def __init__(self, repertoire: Catalog, line: StartLine) -> None:
        self._repertoire, self._line = repertoire, line
        self.fights, self.encounters = ListWidget(1, "Fights", "fights"), ListWidget(2, "Encounters", "encounters")
        self.preview = PreviewPane()
        self.chosen = self.fights
        self.filter: Entry | None = None
        self.word = ""
        self.reading = self.away = False
        self._all: tuple[FightSummary, ...] = ()
        self._found: dict[Path, EncounterFile] = {}
        self._fresh: dict[Path, EncounterFile] = {}
        self._remarks: list[str] = []
        self._titles: dict[str, str] = {}
        self._stood: dict[FightSummary, tuple[tuple[str, ...], str]] = {}
        self._asked: FightSummary | None = None
        self.wants: Callable[[FightSummary], None] = lambda fight: None
        self._height = 0
        self._typed = ""

    # The content

    def load(self) -> None:
        try:
            self._all = self._repertoire.fights()
        except TrackerError as error:
            self._line.say(error.message)
        self.draw()

    def expect(self) -> None:
        self.reading, self._fresh, self._remarks = True, {}, []
        self.draw()

    def take_in(self, items: Sequence[EncounterFile | Notice], last: bool) -> None:
        from tracker.library.content.discovery import EncounterFile

        for item in items:
            if isinstance(item, EncounterFile):
                self._fresh.pop(item.path, None)  # a file that was read first moves to its place in the order
                self._fresh[item.path] = item
                if not item.sample:
                    self._titles[item.ruleset] = item.game
            else:
                self._remarks.append(item.text)
        self._found = self._fresh if last else self._found | self._fresh
        self.reading = not last
        self.draw()

    def draw(self) -> None:
        fights = self._fight_items()
        listed = sum(fight.free for fight in fights)
        files = self._file_items(listed, sample=False)
        samples = self._file_items(listed + len(files), sample=True)
        if not fights:
            fights = [_words(text) for text in (NO_FIGHTS if not self._all else ("Nothing here.",))]
        if not files and not self.reading:
            where = f"No encounter found in {', '.join(self._repertoire.where())}."
            mine = any(not found.sample for found in self._found.values())
            files = [_words(text) for text in (("Nothing here.",) if mine else (where, *NO_ENCOUNTERS))]
        files += [_words(text, "warn") for text in self._remarks]
        if samples:
            files += [*([_words(" ")] if files else []), _words(EXAMPLES, "title"), *samples]
        height = self.fights.height_of(fights, self.fights.app.size.width) + 2
        if height != self._height:
            self._height = self.fights.styles.height = height
        self.fights.fill(fights)
        at_first = self.encounters.cursor in self.encounters.choices()[:1]
        self.encounters.fill(files)
        if at_first and self.encounters.choices():  # the first encounter may have changed while files were read
            self.encounters.put(self.encounters.choices()[0])
        away = sum(fight.discarded is not None for fight in self._all)
        self.fights.say(note=f"{away} put away" if away else "")
        self.encounters.say(note="reading …" if self.reading else "")
        typed = self.filter.text if self.filter is not None else self.word
        shown = f"/{typed}" if self.filter is not None or typed else ""
        over = sum(fight.over and fight.discarded is None for fight in self._all)
        counts = (f"{len(self._all) - away - over} to resume", f"{over} finished" if over else "")
        self._line.show(", ".join(filter(None, (*counts, f"{len(self._offered())} to begin"))), shown)
        self.tell()

    def _fight_items(self) -> list[Listed]:
        moment, items = self._repertoire.now(), list[Listed]()
        titles = Counter((fight.title, fight.ruleset) for fight in self._all)
        for over in (False, True):
            listed = [fight for fight in self._all if fight.over is over and (self.away or not fight.discarded)]
            before = len(items)
            for fight in listed:
                game = clean(self._titles.get(fight.ruleset, game_words(fight.ruleset)))
                if self._fits(fight.title, game, fight.id):
                    same = titles[fight.title, fight.ruleset] > 1
                    rows = partial(fight_rows, fight.id, len(items) + 1, fight, game=game, now=moment, same=same)
                    items.append(Listed(fight.id, rows, fight_height))
            if over and len(items) > before:
                items.insert(before, _words(" " * NUMBER + FINISHED))
        return items

    def _file_items(self, before: int, *, sample: bool) -> list[Listed]:
        items: list[Listed] = []
        for path, found in sorted(self._offered().items(), key=lambda item: not is_first(item[1])):
            game = found.game or self._titles.get(found.ruleset, game_words(found.ruleset))
            if found.sample is sample and self._fits(found.title, game, path.stem):
                rows = partial(found_rows, str(path), before + len(items) + 1, found, game=clean(game))
                items.append(Listed(str(path), rows, partial(found_height, found)))
        return items

    def _offered(self) -> dict[Path, EncounterFile]:
        mine = {(found.ruleset, found.title) for found in self._found.values() if not found.sample}
        copied = {path for path, found in self._found.items() if found.sample and (found.ruleset, found.title) in mine}
        return {path: found for path, found in self._found.items() if path not in copied}

    def _fits(self, *texts: str) -> bool:
        return all(any(word in folded(text) for text in texts) for word in folded(self.word).split())

    def last_away(self, first: Sequence[str]) -> str | None:
        """Return the last put-away fight; fights in `first` come before all others."""
        away = sorted((fight for fight in self._all if fight.discarded), key=lambda fight: fight.discarded or "")
        here = [key for key in first if any(fight.id == key for fight in away)]
        return here[-1] if here else away[-1].id if away else None

    def tell(self) -> None:
        fight, found = self.fight(), self.file()
        if fight is not None:
            sides, last = self._stood.get(fight, ((), ""))
            self.preview.tell(fight.title, fight_preview(fight, self._repertoire.now(), sides, last))
            if fight not in (*self._stood, self._asked):
                self._asked = fight
                self.wants(fight)
        else:
            self.preview.tell("" if found is None else found.title, () if found is None else found_preview(found))

    def ask(self, wants: Callable[[FightSummary], None]) -> None:
        """Call `wants` for each fight under the cursor from now on."""
        self.wants, self._asked = wants, None
        self.tell()

    def take_stand(self, fight: FightSummary, sides: tuple[str, ...], last: str) -> None:
        """Keep the state of a fight for the preview, and show it if the cursor is on the fight."""
        self._stood[fight] = (sides, last)
        self.tell()

    # Choosing

    def choose(self, pane: ListWidget) -> None:
        self.chosen = pane
        for other in (self.fights, self.encounters):
            other.choose(other is pane)
            other.light(other is pane)

    @property
    def other(self) -> ListWidget:
        return self.encounters if self.chosen is self.fights else self.fights

    def choose_filled(self) -> None:
        self.choose(self.chosen if self.chosen.choices() else self.other)

    def fight(self) -> FightSummary | None:
        if self.chosen is not self.fights:
            return None
        return next((fight for fight in self._all if fight.id == self.fights.cursor), None)

    def file(self) -> EncounterFile | None:
        if self.chosen is not self.encounters:
            return None
        return next((found for path, found in self._found.items() if str(path) == self.encounters.cursor), None)

    def move(self, by: int) -> None:
        left = self.chosen.step(by)
        other = self.other
        if left and other.choices() and (left > 0) == (other is self.encounters):
            self.choose(other)
            other.put(other.choices()[0 if left > 0 else -1])
            other.step(left - 1 if left > 0 else left + 1)

    # Typed text

    def press_filter(self, key: str, character: str | None) -> bool:
        """Give a key to the open filter, and tell whether the filter used it."""
        if self.filter is None:
            return False
        entry = self.filter.press(key, character)
        if key in ("enter", "escape"):
            self.filter, self.word = None, self.word if key == "enter" else ""
        elif entry is None:
            return False
        else:
            self.filter, self.word = entry, entry.text
        self.draw()
        self.choose_filled()
        return True

    def paste_filter(self, text: str) -> None:
        if self.filter is not None:
            self.filter = self.filter.typed(text)
            self.word = self.filter.text
            self.draw()

    def press_number(self, character: str | None) -> bool:
        """Go to the row with a number; successive digits make one number."""
        if character is None or not (character.isascii() and character.isdigit()):
            self._typed = ""
            return False
        lines = [(pane, key) for pane in (self.fights, self.encounters) for key in pane.choices()]
        for typed in (f"{self._typed}{character}", character):
            if 0 < int(typed) <= len(lines):
                pane, key = lines[int(typed) - 1]
                self._typed = typed
                self.choose(pane)
                pane.put(key)
                break
        return True


def _words(text: str, style: str = "dim") -> Listed:
    """Return a text as an item of a list that the cursor skips."""

    def rows(width: int) -> list[Row]:
        return [Row("", (Span(part, style),)) for part in wrap_text(clean(text), width)]

    return Listed(f"#{text}", rows, lambda width: len(rows(width)), free=False)
