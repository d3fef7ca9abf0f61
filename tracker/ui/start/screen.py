"""The start screen: take up a fight, begin one, mend a broken file, put fights away; and how the party comes into what begins."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on as hears
from textual.app import SuspendNotSupported
from textual.events import Key as KeyPress
from textual.message import Message

from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import TrackerError
from tracker.ui.desk.editor import command
from tracker.ui.drawing.lines import LinesPane
from tracker.ui.drawing.lists import ListPane
from tracker.ui.keys.command import Call
from tracker.ui.keys.keymap import Keymap
from tracker.ui.keys.table import commands, on
from tracker.ui.panes.reader import MOVES, help_page
from tracker.ui.start.lists import StartLists
from tracker.ui.start.repertoire import Prepared, Repertoire
from tracker.ui.start.rows import problem_rows
from tracker.ui.typing.entry import Entry
from tracker.views.words.text import clean

if TYPE_CHECKING:  # the files are read when the first picture stands
    from tracker.library.shelves.finding import Found
    from tracker.session.party import Party

__all__ = ["StartScreen"]


class StartScreen(StartLists):
    """The lists with their commands, and over them what an encounter needs before it begins: its problems, or how the party comes into it."""

    class Opened(Message):
        """A fight of the repertoire has been opened."""

    def __init__(self, repertoire: Repertoire, keymap: Callable[[], Keymap] = Keymap) -> None:
        super().__init__(repertoire)
        self._keymap: Callable[[], Keymap] | None = keymap
        self._keys = Keymap()
        self._commands = commands(screen="start")
        self._put_away: list[str] = []
        self._broken: Found | None = None
        self._choice: tuple[Prepared, Party, bool] | None = None

    # Commands

    def action_open(self) -> None:
        """Take a fight up, or begin an encounter; of a broken one show what is wrong."""
        fight, found = self._fight(), self._file()
        if fight is not None:
            self._try(partial(self._resume, fight.id))
        elif found is not None and found.problems:
            self._show_problems(found)
        elif found is not None:
            self._try(partial(self._prepare, found.path))

    def action_away(self) -> None:
        """Put the fight under the cursor away, or take it out again."""
        fight = self._fight()
        if fight is None:
            self._line.say("only fights are put away; files stay where they are")
        else:
            self._try(partial(self._put, fight.id, fight.discarded is None))

    def action_take_out(self) -> None:
        """Take out the fight that was put away last."""
        away = sorted((fight for fight in self._all if fight.discarded), key=lambda fight: fight.discarded or "")
        here = [key for key in self._put_away if any(fight.id == key for fight in away)]
        if here or away:
            self._try(partial(self._put, here[-1] if here else away[-1].id, False))
        else:
            self._line.say("no fight has been put away")

    def _put(self, fight: str, away: bool) -> None:
        self.repertoire.put_away(fight, away)
        self._put_away = [key for key in self._put_away if key != fight] + ([fight] if away else [])
        self._load()
        if not away:
            self._choose(self._fights)
            self._fights.put(fight)
        self._line.say("put away; u takes it out again, D shows all that are put away" if away else "taken out", "good")

    def action_show_away(self) -> None:
        """Show the fights that were put away, or hide them."""
        self._away = not self._away
        self._draw()

    def action_reload(self) -> None:
        """Read the journal and the files again."""
        self._line.say("")
        self._load()
        self._look()

    def action_filter(self) -> None:
        """Show only what holds a word."""
        self._filter = Entry.of(self._word)
        self._draw()

    def action_edit(self) -> None:
        """Open the file under the cursor where it is wrong, and read it again."""
        found = self._broken or self._file()
        if found is None:
            self._line.say("a fight is edited while it is played; only files are opened here")
            return
        problem = next((problem for problem in found.problems if Path(problem.file).is_file()), None)
        if self._edit(found.path if problem is None else Path(problem.file), 0 if problem is None else problem.line):
            self._lower()
            self._look(found.path)

    def _edit(self, path: Path, where: int) -> bool:
        """Give the terminal to the editor; return whether it was opened."""
        try:
            words = command(path, where)
            if not words:
                self._line.say("no editor is set; before tracker starts: export EDITOR=nano (or VISUAL)")
                return False
            with self.app.suspend():
                ended = subprocess.run(words, check=False).returncode
        except SuspendNotSupported:
            self._line.say("this terminal cannot be given to an editor")
            return False
        except (OSError, ValueError) as error:
            self._line.say(f"the editor cannot be opened: {error}")
            return False
        self._line.say(f"the editor ended with status {ended}" if ended else "")
        return True

    def action_anyway(self) -> None:
        """Begin a broken encounter all the same."""
        if self._broken is not None and self._broken.playable:
            self._try(partial(self._prepare, self._broken.path))
        elif self._broken is not None:
            self._line.say("nothing of it can be played before it is mended")

    def action_help(self) -> None:
        """Open the list of keys."""
        self._reader.show("Keys", help_page(on("start", self._keys.table), problems=self._keys.problems))
        self._raise(self._reader, "reader")

    async def action_quit(self) -> None:
        """Leave the program."""
        await self.app.action_quit()

    async def action_back(self) -> None:
        """Close what is open; else leave the program."""
        if self.cover is not None:
            self._lower()
        elif self._word:
            self._word = ""
            self._draw()
        else:
            await self.app.action_quit()

    # Opening

    def _try(self, doing: Callable[[], None]) -> None:
        """Do what may fail; say in one line why it did."""
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
        else:
            self._choice = (prepared, party, False)
            self._party.cursor = "rested"
            self._ask_party()

    def _begin(self, prepared: Prepared, encounter: Encounter) -> None:
        self.repertoire.begin(prepared, encounter)
        self.post_message(self.Opened())

    def _ask_party(self) -> None:
        """Show the ways into the fight."""
        from tracker.ui.start.party_list import party_items

        assert self._choice is not None
        prepared, party, dead = self._choice
        self._party.say(f"Begin: {clean(prepared.encounter.title)}")
        self._party.fill(
            party_items(prepared.ruleset, prepared.encounter, party=party, dead=dead, now=self.repertoire.now())
        )
        if self.cover is not self._party:
            self._raise(self._party, "party")

    def _take_party(self) -> None:
        """Begin in the way that is chosen."""
        from tracker.session.party import carried

        if self._choice is None:
            return
        prepared, party, dead = self._choice
        encounter = prepared.encounter
        if self._party.cursor == "carried":
            encounter = carried(encounter, party, tuple(person.who for person in party.people if dead))
        self._try(partial(self._begin, prepared, encounter))

    def _show_problems(self, found: Found) -> None:
        from tracker.library.yaml.excerpt import excerpts

        self._broken = found
        marked = excerpts(found.problems)
        self._reader.show(
            clean(f"{found.path}: {len(found.problems)} problem{'' if len(found.problems) == 1 else 's'}"),
            lambda width: problem_rows(found.problems, marked, width),
        )
        self._raise(self._reader, "broken")

    def _lower(self) -> None:
        self._broken = self._choice = None
        super()._lower()

    # Keys and mouse

    async def on_key(self, event: KeyPress) -> None:
        """Give a key to what covers the lists, to the filter that is typed, or to its command; a fight that is opening takes no more of them."""
        self._learn()
        if self.repertoire.session is not None and event.key != "ctrl+q":
            event.stop()
            return
        character = event.character if event.is_printable else None
        if event.key != "ctrl+q" and (
            self._covered(event.key, character) or self._filtered(event.key, character) or self._numbered(character)
        ):
            event.stop()
            return
        bound = self._commands.get(event.key)
        if bound is not None:
            event.stop()
            self._line.say("")
            await self._run(bound.call)

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

    def _covered(self, key: str, character: str | None) -> bool:
        """Give a key to what covers the lists; return whether it is done with."""
        if self.cover is self._reader:
            if key in MOVES:
                self._reader.move(MOVES[key])
            elif (
                self._broken is None
                or (bound := self._commands.get(key)) is None
                or bound.id not in ("s.edit", "s.anyway")
            ):
                self._lower()
            else:
                return False
            return True
        if self.cover is not self._party:
            return False
        if key in MOVES and key != "space":
            self._party.step(MOVES[key])
        elif key == "space" and self._choice is not None:
            self._choice = (*self._choice[:2], not self._choice[2])
            self._ask_party()
        elif key == "enter" or (character is not None and character in "12"):
            if character in ("1", "2"):
                self._party.put("carried" if character == "2" else "rested")
            self._take_party()
        elif key == "escape":
            self._lower()
        return True

    @hears(LinesPane.Chosen)
    def _clicked(self, event: LinesPane.Chosen) -> None:
        """Choose what was clicked; a second click opens it."""
        event.stop()
        pane = event.pane
        if not isinstance(pane, ListPane) or event.key not in pane.choices():
            return
        again = pane.cursor == event.key and (pane is self._party or pane is self._pane)
        if pane is not self._party:
            self._choose(pane)
        pane.put(event.key)
        if again:
            self._take_party() if pane is self._party else self.action_open()
