"""The start screen: resume a fight, begin one, mend a file, put fights away."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import on as hears
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key as KeyPress
from textual.events import Paste
from textual.message import Message

from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.ui.keys.command import Call, Footer
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import help_page, on
from tracker.ui.panes.bars import StartLine
from tracker.ui.panes.key_screen import MOVES, KeyScreen, Overlays, Page
from tracker.ui.start.catalog import Catalog, FightReader, FileScanner, Prepared
from tracker.ui.start.lists import Lists
from tracker.ui.start.party import PartyChoice
from tracker.ui.start.rows import problem_rows
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import MOVES as SCROLLS
from tracker.ui.widgets.lines import RowsWidget
from tracker.ui.widgets.lists import ListWidget
from tracker.views.words.spans import Row
from tracker.views.words.text import clean

if TYPE_CHECKING:
    from tracker.library.content.discovery import EncounterFile
    from tracker.session.rows import FightSummary
    from tracker.ui.modes.forecast.page import ForecastMode
    from tracker.ui.modes.forecast.runner import ForecastRunner, HasWorkerPool
    from tracker.ui.start.improvise import Improvisation


class StartScreen(KeyScreen):
    """The screen with the lists, the pages and questions that cover them, the header and the footer."""

    NAME = "start"

    class Opened(Message):
        """A fight of the catalog has been opened."""

    def __init__(self, repertoire: Catalog, keymap: Callable[[], Keymap] = Keymap) -> None:
        super().__init__(keymap)
        self.repertoire = repertoire
        self._line, self._party = StartLine(), PartyChoice()
        self.lists = Lists(repertoire, self._line)
        self.overlays = Overlays(self._party, (self.lists.fights, self.lists.encounters, self.lists.preview))
        self._scanner = FileScanner(self, repertoire)
        self._fights = FightReader(self, repertoire)
        self._put_away: list[str] = []
        self.broken: EncounterFile | None = None
        self.forecast: ForecastMode | None = None
        self._runner: ForecastRunner | None = None
        self.improvisation: Improvisation | None = None

    def compose(self) -> ComposeResult:
        yield self._line
        with Vertical():
            yield self.lists.fights
            yield self.lists.encounters
            yield self.lists.preview
        yield self.footer
        yield self._party
        yield self.overlays.reader

    def on_mount(self) -> None:
        """Show the fights at once; the files are read after the first frame."""
        self.footer.place = "start"
        self.lists.load()
        self.lists.choose_filled()
        self._line.say(self.repertoire.notice(), "warn")
        self.call_after_refresh(self._look)
        self.call_after_refresh(self._read_fights)
        if self.repertoire.improvises:
            self.call_after_refresh(self.action_improvise)

    def _look(self, first: Path | None = None) -> None:
        self._scanner.begin(first)
        self.lists.expect()

    def _read_fights(self) -> None:
        """From now on read the fight under the cursor; the first frame does not need it."""
        self.lists.ask(self._fights.begin)

    @hears(FightReader.Read)
    def _take_stand(self, event: FightReader.Read) -> None:
        event.stop()
        self.lists.take_stand(event.fight, event.sides, event.last)

    @hears(FileScanner.Read)
    def _take_files(self, event: FileScanner.Read) -> None:
        event.stop()
        if event.turn == self._scanner.turn:
            self.lists.take_in(event.items, event.last)

    def on_resize(self) -> None:
        if self.is_mounted:
            self.lists.draw()

    # Commands

    def action_open(self) -> None:
        fight, found = self.lists.fight(), self.lists.file()
        if fight is not None:
            self._try(partial(self._resume, fight.id))
        elif found is not None and found.problems:
            self._show_problems(found)
        elif found is not None:
            self._try(partial(self._prepare, found.path))

    def action_away(self) -> None:
        fight = self.lists.fight()
        if fight is None:
            self._line.say("only fights are put away; files stay where they are")
        else:
            self._try(partial(self._put, fight.id, fight.discarded is None))

    def action_take_out(self) -> None:
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
        self.lists.away = not self.lists.away
        self.lists.draw()

    def action_forecast(self) -> None:
        fight, found = self.lists.fight(), self.lists.file()
        if fight is None and found is None:
            self._line.say("there is nothing under the cursor to forecast")
        elif found is not None and found.problems:
            self._show_problems(found)
        else:
            self._try(partial(self._forecast, fight, found))

    def _forecast(self, fight: FightSummary | None, found: EncounterFile | None) -> None:
        from tracker.ui.modes.forecast.page import ForecastMode, of_encounter, of_fight, of_range
        from tracker.ui.modes.forecast.runner import ForecastRunner  # not needed for the first frame

        runner = self._runner = self._runner or ForecastRunner(self, cast("HasWorkerPool", self.app), self._renew)
        if fight is not None:
            with self.repertoire.preview(fight.id) as session:
                title, query = session.encounter.title, of_fight(session)
            sweep = None
        else:
            assert found is not None
            prepared = self.repertoire.prepare(found.path)
            ruleset, encounter = prepared.ruleset, prepared.encounter
            title, query = encounter.title, of_encounter(ruleset, encounter)
            sweep = partial(of_range, ruleset, encounter)
        runner.ask(query)
        self.forecast = ForecastMode(runner, lambda: query, sweep=sweep)
        self._read(f"Forecast: {clean(title)}", self._forecast_rows, "foreseen" if sweep else "foreseen_fight")

    def _forecast_rows(self, width: int) -> tuple[Row, ...]:
        mode = self.forecast
        return () if mode is None else (*mode.head(None, width), *mode.body(None, width))

    def _renew(self) -> bool:
        """Redraw the forecast, and tell whether one is open."""
        if self.forecast is not None:
            self.overlays.reader.renew()
        return self.forecast is not None

    def action_improvise(self) -> None:
        self._try(self._improvise)

    def _improvise(self) -> None:
        from tracker.ui.start.improvise import Improvisation

        self.improvisation = Improvisation(self.repertoire, self.repertoire.parties())
        self._read("A fight without a file", self.improvisation.rows, "improvise")

    def action_reload(self) -> None:
        self._line.say("")
        self.lists.load()
        self._look()

    def action_move(self, by: int) -> None:
        self.lists.move(by)

    def action_other(self) -> None:
        self.lists.choose(self.lists.other)

    def action_filter(self) -> None:
        self.lists.filter = Entry.of(self.lists.word)
        self.lists.draw()

    def action_edit(self) -> None:
        """Open the file under the cursor at its first problem, and read the files again."""
        from tracker.ui.platform.editor import edit  # not needed for the first frame

        found = self.broken or self.lists.file()
        if found is None:
            self._line.say("a fight is edited while it is played; only files are opened here")
            return
        if found.sample:
            self._try(partial(self._take_sample, found.path))
            return
        problem = next((problem for problem in found.problems if Path(problem.file).is_file()), None)
        path, line = (found.path, 0) if problem is None else (Path(problem.file), problem.line)
        opened, message = edit(self.app, path, line)
        self._line.say(message)
        if opened:
            self.close_page()
            self._look(found.path)

    def _take_sample(self, path: Path) -> None:
        from tracker.ui.platform.editor import edit  # not needed for the first frame

        copy = self.repertoire.take_sample(path)
        _, message = edit(self.app, copy, 0)
        self._line.say(f"copied to {copy.parent}{f'; {message}' if message else ''}", "good")
        self._look(copy)

    def action_anyway(self) -> None:
        broken = self.broken
        if broken is not None and broken.playable:
            self._try(partial(self._prepare, broken.path))
        elif broken is not None:
            self._line.say("nothing of it can be played until it is mended")

    def action_help(self) -> None:
        self._read("Keys", help_page(on("start", self.keymap.table), problems=self.keymap.problems))

    def action_quit(self) -> None:
        self.app.exit()

    def action_back(self) -> None:
        """Close the open page, else clear the filter, else leave the program."""
        if self.cover is not None:
            self.close_page()
        elif self.lists.word:
            self.lists.word = ""
            self.lists.draw()
        else:
            self.app.exit()

    # Pages over the lists

    @property
    def cover(self) -> RowsWidget | None:
        return self.overlays.cover

    def _read(self, title: str, page: Page, place: Footer = "reader") -> None:
        self.overlays.reader.show(title, page)
        self.overlays.put_over(self.overlays.reader)
        self.footer.place = place

    def _show_problems(self, found: EncounterFile) -> None:
        from tracker.library.yaml.source import excerpts

        self.broken, problems = found, found.problems
        marked = excerpts(problems)
        title = clean(f"{found.path}: {len(problems)} problem{'' if len(problems) == 1 else 's'}")
        self._read(title, lambda width: problem_rows(problems, marked, width), "broken")

    def close_page(self) -> None:
        self.broken = self.forecast = self.improvisation = None
        self.footer.place = "start"
        self.overlays.put_over(None)

    # Opening

    def _try(self, doing: Callable[[], None]) -> None:
        """Call a function that may fail, and show the error in one line."""
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
        self._begin_or_ask(self.repertoire.prepare(path))

    def _begin_or_ask(self, prepared: Prepared) -> None:
        """Begin at once, or ask first for the party's condition."""
        party = self.repertoire.party(prepared)
        if party is None:
            self._begin(prepared, prepared.encounter)
        elif prepared.carries:
            from tracker.session.party import continued_by  # not needed for the first frame

            self._begin(prepared, continued_by(prepared.ruleset, prepared.encounter, party))
        else:
            self._party.ask(prepared, party, self.repertoire.now())
            self.overlays.put_over(self._party)
            self.footer.place = "party"

    def _begin(self, prepared: Prepared, encounter: Encounter) -> None:
        self.repertoire.begin(prepared, encounter)
        self.post_message(self.Opened())

    def _take_party(self) -> None:
        chosen = self._party.chosen()
        if chosen is not None:
            self._try(partial(self._begin, *chosen))

    # Keys and mouse

    def use_keymap(self) -> None:
        if self.keymap.problems:
            self._line.say(self.keymap.problems[0])

    def press(self, event: KeyPress) -> None:
        super().press(event)
        if self.repertoire.session is None:
            self.lists.tell()

    def take(self, event: KeyPress, character: str | None) -> bool:
        """Give a key to the page over the lists, the filter or the numbers; while a fight opens, ignore all keys."""
        key = event.key
        if key == "ctrl+q":
            return False
        if self.repertoire.session is not None:
            return True
        if self.forecast is not None:
            self._press_forecast(self.forecast, key, character)
            return True
        if self.improvisation is not None:
            self._press_improvisation(self.improvisation, key, character)
            return True
        if self.cover is self.overlays.reader:
            command = self._by_key.get(key)
            mends = self.broken is not None and command is not None and command.id in ("s.edit", "s.anyway")
            return not mends and self.read_key(key)
        if self.cover is self._party:
            self._press_party(key, character)
            return True
        return self.lists.press_filter(key, character) or self.lists.press_number(character)

    def run_call(self, call: Call) -> None:
        self._line.say("")
        super().run_call(call)

    def action_of(self, name: str) -> Callable[..., object]:
        action: Callable[..., object] = getattr(self, f"action_{name}")
        return action

    def _press_forecast(self, mode: ForecastMode, key: str, character: str | None) -> None:
        if key in SCROLLS:
            self.overlays.reader.move(SCROLLS[key])
            return
        result = mode.press(None, key, character)
        if result is not None and result.mode is None:
            self.close_page()
        elif result is not None:
            self.forecast = cast("ForecastMode", result.mode)
            self._renew()

    def _press_improvisation(self, improvised: Improvisation, key: str, character: str | None) -> None:
        prepared = improvised.prepared() if key == "enter" else None
        if key == "escape":
            self.close_page()
        elif prepared is not None:
            self.improvisation = None
            self._try(partial(self._begin_or_ask, prepared))
        elif key != "enter":
            improvised.press(key, character)
        self.overlays.reader.renew()

    def _press_party(self, key: str, character: str | None) -> None:
        if key == "space":
            self._party.toggle_dead(self.repertoire.now())
        elif key in MOVES:
            self._party.step(MOVES[key])
        elif key == "enter" or (character is not None and character in "12"):
            if character in ("1", "2"):
                self._party.put("carried" if character == "2" else "rested")
            self._take_party()
        elif key == "escape":
            self.close_page()

    def on_paste(self, event: Paste) -> None:
        event.stop()
        if self.forecast is not None:
            self.forecast = self.forecast.paste(None, event.text)
            self._renew()
        elif self.improvisation is not None:
            self.improvisation.paste(event.text)
            self.overlays.reader.renew()
        else:
            self.lists.paste_filter(event.text)

    @hears(RowsWidget.Chosen)
    def _clicked(self, event: RowsWidget.Chosen) -> None:
        event.stop()
        pane, asking = event.pane, event.pane is self._party
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
        event.stop()
        if isinstance(event.pane, ListWidget):
            event.pane.step(event.by)
            self.lists.tell()
        else:
            event.pane.move(event.by)
