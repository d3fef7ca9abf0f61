"""The start screen: resume a fight, begin one, mend a file, put fights away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on as hears
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key as KeyPress
from textual.events import Paste
from textual.message import Message
from textual.screen import Screen

from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.ui.keys.command import Call
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import commands, help_page, on
from tracker.ui.panes.bars import FooterLine, StartLine
from tracker.ui.panes.reader import MOVES
from tracker.ui.start.catalog import Catalog, FileScanner, Prepared
from tracker.ui.start.lists import Lists
from tracker.ui.start.overlays import Overlays
from tracker.ui.typing.entry import Entry
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.lists import ListWidget

if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile
    from tracker.session.rows import FightSummary
    from tracker.ui.start.forecast_page import ForecastPage


class StartScreen(Screen[None]):
    """The lists, what covers them before an encounter begins, and the lines above and below."""

    AUTO_FOCUS = ""
    ALLOW_SELECT = False

    class Opened(Message):
        """A fight of the repertoire has been opened."""

    def __init__(self, repertoire: Catalog, keymap: Callable[[], Keymap] = Keymap) -> None:
        super().__init__()
        self.repertoire = repertoire
        self._keymap: Callable[[], Keymap] | None = keymap
        self._keys = Keymap()
        self._commands = commands(screen="start")
        self._line, self._footer = StartLine(), FooterLine()
        self.lists = Lists(repertoire, self._line)
        self._covers = Overlays(self, self._footer)
        self._reading = FileScanner(self, repertoire)
        self._put_away: list[str] = []
        self._foreseeing: ForecastPage | None = None

    @property
    def cover(self) -> RowsWidget | None:
        """The pane that covers the others now, as each of them asks."""
        return self._covers.cover

    def compose(self) -> ComposeResult:
        """Lay out the lists."""
        yield self._line
        with Vertical():
            yield self.lists.fights
            yield self.lists.encounters
            yield self.lists.preview
        yield self._footer
        yield self._covers.party
        yield self._covers.reader

    def on_mount(self) -> None:
        """Show the fights at once, and begin to read the files when they stand."""
        self._footer.place = "start"
        self.lists.load()
        self.lists.choose_filled()
        self._line.say(self.repertoire.notice(), "warn")
        self.call_after_refresh(self._look)

    def _look(self, first: Path | None = None) -> None:
        """Read the files anew, one of them first."""
        self._reading.begin(first)
        self.lists.expect()

    @hears(FileScanner.Read)
    def _take(self, event: FileScanner.Read) -> None:
        """Take in what has been read."""
        event.stop()
        if event.turn == self._reading.turn:
            self.lists.take_in(event.items, event.last)

    def on_resize(self) -> None:
        """Give the fights the height they need at this width."""
        if self.is_mounted:
            self.lists.draw()

    # Commands

    def action_open(self) -> None:
        """Resume a fight, begin an encounter, or show what is wrong with it."""
        fight, found = self.lists.fight(), self.lists.file()
        if fight is not None:
            self._try(partial(self._resume, fight.id))
        elif found is not None and found.problems:
            self._covers.show_problems(found)
        elif found is not None:
            self._try(partial(self._prepare, found.path))

    def action_away(self) -> None:
        """Put the fight under the cursor away, or take it out again."""
        fight = self.lists.fight()
        if fight is None:
            self._line.say("only fights are put away; files stay where they are")
        else:
            self._try(partial(self._put, fight.id, fight.discarded is None))

    def action_take_out(self) -> None:
        """Take out the fight that was put away last."""
        fight = self.lists.last_away(self._put_away)
        if fight is None:
            self._line.say("no fight has been put away")
        else:
            self._try(partial(self._put, fight, False))

    def _put(self, fight: str, away: bool) -> None:
        self.repertoire.put_away(fight, away)
        self._put_away = [key for key in self._put_away if key != fight] + ([fight] if away else [])
        self.lists.load()
        if not away:
            self.lists.choose(self.lists.fights)
            self.lists.fights.put(fight)
        self._line.say("put away; u takes it out again, D shows all that are put away" if away else "taken out", "good")

    def action_show_away(self) -> None:
        """Show the fights that were put away, or hide them."""
        self.lists.away = not self.lists.away
        self.lists.draw()

    def action_forecast(self) -> None:
        """Tell how the fight under the cursor will probably end."""
        fight, found = self.lists.fight(), self.lists.file()
        if fight is None and found is None:
            self._line.say("there is nothing under the cursor to forecast")
        elif found is not None and found.problems:
            self._covers.show_problems(found)
        else:
            self._try(partial(self._forecast, fight, found))

    def _forecast(self, fight: FightSummary | None, found: EncounterFile | None) -> None:
        if self._foreseeing is None:
            from tracker.ui.start.forecast_page import ForecastPage  # the first picture does without

            self._foreseeing = ForecastPage(self, self._covers)
        if fight is not None:
            with self.repertoire.preview(fight.id) as session:
                self._foreseeing.of_fight(session)
        elif found is not None:
            self._foreseeing.of_file(self.repertoire.prepare(found.path))

    def action_reload(self) -> None:
        """Read the journal and the files again."""
        self._line.say("")
        self.lists.load()
        self._look()

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.lists.move(by)

    def action_other(self) -> None:
        """Go to the other list."""
        self.lists.choose(self.lists.other)

    def action_filter(self) -> None:
        """Show only what holds a word."""
        self.lists.filter = Entry.of(self.lists.word)
        self.lists.draw()

    def action_edit(self) -> None:
        """Open the file under the cursor where it is wrong, and read it again."""
        from tracker.ui.platform.editor import edit  # the first picture does without

        found = self._covers.broken or self.lists.file()
        if found is None:
            self._line.say("a fight is edited while it is played; only files are opened here")
            return
        if found.sample:
            self._try(partial(self._take_sample, found.path))
            return
        problem = next((problem for problem in found.problems if Path(problem.file).is_file()), None)
        path, line = (found.path, 0) if problem is None else (Path(problem.file), problem.line)
        opened, said = edit(self.app, path, line)
        self._line.say(said)
        if opened:
            self._covers.lower()
            self._look(found.path)

    def _take_sample(self, path: Path) -> None:
        """Copy a sample and open the copy in the editor."""
        from tracker.ui.platform.editor import edit  # the first picture does without

        copy = self.repertoire.take_sample(path)
        _, said = edit(self.app, copy, 0)
        self._line.say(f"copied to {copy.parent}{f'; {said}' if said else ''}", "good")
        self._look(copy)

    def action_anyway(self) -> None:
        """Begin a broken encounter all the same."""
        broken = self._covers.broken
        if broken is not None and broken.playable:
            self._try(partial(self._prepare, broken.path))
        elif broken is not None:
            self._line.say("nothing of it can be played until it is mended")

    def action_help(self) -> None:
        """Open the list of keys."""
        self._covers.read("Keys", help_page(on("start", self._keys.table), problems=self._keys.problems))

    async def action_quit(self) -> None:
        """Leave the program."""
        await self.app.action_quit()

    async def action_back(self) -> None:
        """Close what is open, else leave the program."""
        if self.cover is not None:
            self._covers.lower()
        elif self.lists.word:
            self.lists.word = ""
            self.lists.draw()
        else:
            await self.app.action_quit()

    # Opening

    def _try(self, doing: Callable[[], None]) -> None:
        """Do what may fail, and say in one line why it did."""
        self._line.say("")
        try:
            doing()
        except TrackerError as error:
            self._line.say(error.message.partition("\n")[0])
        except OSError as error:
            self._line.say(f"{error.filename or 'the file'}: {error.strerror or error}")

    def _resume(self, fight: str) -> None:
        self.repertoire.resume(fight)
        self.post_message(self.Opened())

    def _prepare(self, path: Path) -> None:
        """Begin at once, or ask first how the party comes into the fight."""
        prepared = self.repertoire.prepare(path)
        party = self.repertoire.party(prepared)
        if party is None:
            self._begin(prepared, prepared.encounter)
        elif prepared.carries:
            from tracker.session.party import continued_by  # only now

            self._begin(prepared, continued_by(prepared.ruleset, prepared.encounter, party))
        else:
            self._covers.ask(prepared, party, self.repertoire.now())

    def _begin(self, prepared: Prepared, encounter: Encounter) -> None:
        self.repertoire.begin(prepared, encounter)
        self.post_message(self.Opened())

    def _take_party(self) -> None:
        """Begin in the way that is chosen."""
        taken = self._covers.taken()
        if taken is not None:
            self._try(partial(self._begin, *taken))

    # Keys and mouse

    async def on_key(self, event: KeyPress) -> None:
        """Give a key to what covers the lists, the filter, or its command.

        A fight that is opening takes no more of them.
        """
        self._learn()
        quits = event.key == "ctrl+q"
        if self.repertoire.session is not None and not quits:
            event.stop()
            return
        if not quits and self._typed(event.key, event.character if event.is_printable else None):
            event.stop()
            self.lists.tell()
            return
        bound = self._commands.get(event.key)
        if bound is not None:
            event.stop()
            self._line.say("")
            await self._run(bound.call)
        self.lists.tell()

    async def _run(self, call: Call) -> None:
        """Do what a command calls."""
        does = getattr(self, f"action_{call.action}")
        done = does() if call.value is None else does(call.value)
        if isawaitable(done):
            await done

    def _learn(self) -> None:
        """Read the user's keymap, once: the first picture does without it."""
        if self._keymap is not None:
            read, self._keymap = self._keymap, None
            self._keys = read()
            self._commands, self._footer.table = commands(self._keys.table, "start"), self._keys.table
            self._footer.refresh()
            if self._keys.problems:
                self._line.say(self._keys.problems[0])

    def _typed(self, key: str, character: str | None) -> bool:
        """Give a key to what is open, the filter or the numbers, if taken."""
        if self._foreseeing is not None and self._foreseeing.open:
            self._foreseeing.press(key, character)
            return True
        if self.cover is self._covers.reader:
            return self._read_key(key)
        if self.cover is self._covers.party:
            self._party_key(key, character)
            return True
        return self.lists.press_filter(key, character) or self.lists.press_number(character)

    def _read_key(self, key: str) -> bool:
        """Move in the page that is read, or close it.

        The commands for a broken file are left to the table.
        """
        bound = self._commands.get(key)
        if key in MOVES:
            self._covers.reader.move(MOVES[key])
        elif self._covers.broken is not None and bound is not None and bound.id in ("s.edit", "s.anyway"):
            return False
        else:
            self._covers.lower()
        return True

    def _party_key(self, key: str, character: str | None) -> None:
        """Choose how the party comes into the fight, begin it, or leave it."""
        party = self._covers.party
        if key == "space":
            self._covers.let_dead_in(self.repertoire.now())
        elif key in MOVES:
            party.step(MOVES[key])
        elif key == "enter" or (character is not None and character in "12"):
            if character in ("1", "2"):
                party.put("carried" if character == "2" else "rested")
            self._take_party()
        elif key == "escape":
            self._covers.lower()

    def on_paste(self, event: Paste) -> None:
        """Type a pasted text into the filter, or a forecast's line."""
        event.stop()
        if self._foreseeing is not None and self._foreseeing.open:
            self._foreseeing.paste(event.text)
            return
        self.lists.paste_filter(event.text)

    @hears(RowsWidget.Chosen)
    def _clicked(self, event: RowsWidget.Chosen) -> None:
        """Choose what was clicked, and open it at the second click."""
        event.stop()
        pane, asking = event.pane, event.pane is self._covers.party
        if not isinstance(pane, ListWidget) or event.key not in pane.choices():
            return
        again = pane.cursor == event.key and (asking or pane is self.lists.chosen)
        if not asking:
            self.lists.choose(pane)
        pane.put(event.key)
        self.lists.tell()
        if again:
            self._take_party() if asking else self.action_open()

    @hears(RowsWidget.Scrolled)
    def _wheeled(self, event: RowsWidget.Scrolled) -> None:
        """Scroll a page, or move the cursor of a list."""
        event.stop()
        if isinstance(event.pane, ListWidget):
            event.pane.step(event.by)
            self.lists.tell()
        else:
            event.pane.move(event.by)
