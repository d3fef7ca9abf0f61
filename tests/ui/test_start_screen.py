"""The start screen: fights to resume, encounters to begin, broken files to mend, and how the party comes into a fight."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.cli import driver
from tests.ui.drive import SETTINGS, Table
from tracker.cli.repertoire import Repertoire
from tracker.core.terms.actions import action
from tracker.library.shelves.encounters import load_encounter
from tracker.library.shelves.finding import Found, Remark
from tracker.session.intents import Do, RollRest
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.commands.finding import another
from tracker.ui.fight.screen import FightScreen
from tracker.ui.keys.keymap import Keymap, read_keymap
from tracker.ui.start.screen import StartScreen

SHIPPED = Path(__file__).parents[2] / "encounters" / "worlds_without_number"
ENCOUNTER = """\
ruleset: skirmish
title: {title}
sides:
  - {{name: Party, control: players, members: [{{name: Ada, hp: 10, ac: 14}}, {{name: Bo, hp: 8}}]}}
  - {{name: Thugs, members: [{{name: Thug, hp: 6, count: 1d4+1}}]}}
"""


class Evening(Repertoire):
    """A repertoire on the evening of 1 May 2031, in Greenwich."""

    def now(self) -> datetime:
        return datetime(2031, 5, 1, 20, 0, tzinfo=UTC)


class Hall:
    """A folder with encounters and a journal, and the app on its start screen."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.journal = folder, folder / "data" / "fights.db"

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def encounter(self, name: str, title: str, change: tuple[str, str] = ("", "")) -> Path:
        return self.file(
            f"encounters/{name}.yaml",
            ENCOUNTER.format(title=title).replace(*change) if change[0] else ENCOUNTER.format(title=title),
        )

    def played(self, title: str, at: str, *done: object) -> str:
        """Put a fight into the journal that was played at some time; return its id."""
        loaded = load_encounter(self.file("elsewhere/fight.yaml", ENCOUNTER.format(title=title)), driver.find)
        assert loaded.encounter is not None
        assert loaded.ruleset is not None
        settings = Settings(roller=SETTINGS.roller, clock=lambda: at)
        with (
            Journal.open(self.journal) as journal,
            Session.start(journal, loaded.ruleset, loaded.encounter, settings) as session,
        ):
            for one in done:
                assert session.dispatch(Do((one,))).refusal is None  # type: ignore[arg-type] # actions
            return session.model.fight

    def drive(
        self,
        journey: Callable[[Table], Awaitable[None]],
        size: tuple[int, int] = (120, 40),
        keymap: Callable[[], Keymap] = Keymap,
    ) -> None:
        """Run a journey from the start screen; `settled` waits until every file has been read."""
        with Evening(self.journal) as repertoire:
            app = TrackerApp(odds=False, keymap=keymap, repertoire=repertoire)

            async def run() -> None:
                async with app.run_test(size=size) as pilot:
                    await settled(Table(app, pilot))
                    await journey(Table(app, pilot))

            asyncio.run(run())


async def settled(table: Table) -> None:
    await table.pilot.pause()
    await table.app.workers.wait_for_complete()
    await table.pilot.pause()


def start(table: Table) -> StartScreen:
    found = table.app.screen
    assert isinstance(found, StartScreen)
    return found


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(registry, "find", driver.find)
    monkeypatch.setattr(registry, "rulesets", driver.rulesets)
    monkeypatch.delenv("TRACKER_LIBRARY", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Hall(folder)


def test_empty_home_says_what_to_do(hall: Hall) -> None:
    """Without fights and encounters friendly lines say what to do, and nothing is written."""

    async def journey(table: Table) -> None:
        text = table.text()
        assert "No fight has been played yet." in text
        assert "tracker play ENCOUNTER.yaml" in text
        assert "No encounter found in this folder." in text
        assert "docs/yaml.md" in text
        await table.type("⏎edu")
        assert isinstance(table.app.screen, StartScreen)
        await table.press("escape")
        assert table.app._exit

    hall.drive(journey)
    assert not hall.journal.exists()


def test_fights_are_listed_newest_first(hall: Hall) -> None:
    """Each with its game, where it stands, who is up, what is asked, and when it was played in words."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    hall.played("On the moor", "2031-04-30T21:05:00+00:00", action("end_fight"))
    hall.played("In the mill", "2031-05-01T19:40:00+00:00")

    async def journey(table: Table) -> None:
        lines = [line for line in table.text().splitlines() if "│" in line][:3]
        assert [line.split("  ")[1].strip("│ 123") for line in lines] != []
        for line, words in zip(
            lines,
            (("In the mill", "today 19:40"), ("On the moor", "over", "yesterday 21:05"), ("At the ford", "3 days ago")),
            strict=True,
        ):
            assert all(word in line for word in (*words, "Skirmish")), line

    hall.drive(journey)


def test_enter_resumes_and_the_way_back(hall: Hall) -> None:
    """Enter takes up the fight under the cursor; from there `another` comes back to the lists, with the fight at the top of them."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    hall.played("In the mill", "2031-05-01T19:40:00+00:00")

    async def journey(table: Table) -> None:
        await table.press("down", "enter")
        assert table.model.title == "At the ford"
        session = table.cockpit.session
        await table.type("-3a⏎")
        assert table.hp("ada") == 7
        another(table.cockpit)
        await settled(table)
        first, second = (
            line for line in table.text().splitlines() if "today" in line or "ago" in line or "2026" in line
        )
        assert "At the ford" in first + second
        assert session._closed
        await table.type("1⏎")
        assert isinstance(table.app.screen, FightScreen)

    hall.drive(journey)


def test_fights_stand_before_the_files_are_read(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading does not hold up the first picture: the fights can be taken up while the files still come, one by one."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    go_on = threading.Event()

    def slowly(self: Repertoire, first: Path | None = None) -> Iterator[Found | Remark]:
        assert threading.current_thread() is not threading.main_thread()
        yield Found(Path("one.yaml"), "The first file", "skirmish", "Skirmish", "2 against 3")
        go_on.wait(10)
        yield Found(Path("two.yaml"), "The second file", "skirmish", "Skirmish", "2 against 3")

    monkeypatch.setattr(Evening, "encounters", slowly)

    async def journey(pilot: Pilot[None], app: TrackerApp) -> None:
        table = Table(app, pilot)
        await pilot.pause()
        assert "At the ford" in table.text()
        assert "reading …" in table.text()
        assert "The second file" not in table.text()
        go_on.set()
        await settled(table)
        assert "The first file" in table.text()
        assert "The second file" in table.text()
        assert "reading …" not in table.text()

    async def run() -> None:
        async with app.run_test(size=(120, 40)) as pilot:
            await journey(pilot, app)

    with Evening(hall.journal) as repertoire:
        app = TrackerApp(repertoire=repertoire)
        asyncio.run(run())


def test_fight_that_is_named_does_without_the_start_screen() -> None:
    """Nothing of the start screen is imported where a fight is named, and none of the files' reader before the first picture of the start screen."""
    named = "import sys, tracker.cli.app, tracker.ui.app; print(*sys.modules)"
    start_screen = "import sys, tracker.cli.app, tracker.ui.app, tracker.ui.start.screen; print(*sys.modules)"

    loaded = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for code in (named, start_screen)
    ]

    assert {
        "tracker.ui.start.screen",
        "tracker.ui.start.lists",
        "tracker.ui.drawing.lists",
        "tracker.session.party",
    } & set(loaded[0]) == set()
    assert {
        "tracker.library.shelves.finding",
        "tracker.library.shelves.encounters",
        "yaml",
        "tracker.session.party",
    } & set(loaded[1]) == set()


def test_another_fight_from_the_palette(hall: Hall) -> None:
    """The palette of a fight leads back to the lists."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")

    async def journey(table: Table) -> None:
        await table.press("enter", "ctrl+p")
        await table.type("another")
        await table.press("enter")
        await settled(table)
        assert isinstance(table.app.screen, StartScreen)
        await table.press("enter")
        assert table.model.title == "At the ford"

    hall.drive(journey)


def test_journal_that_was_set_aside_is_said(hall: Hall) -> None:
    """A damaged journal is set aside, and the start screen says so first."""
    hall.journal.parent.mkdir(parents=True)
    hall.journal.write_bytes(b"no journal" * 1000)

    async def journey(table: Table) -> None:
        assert "damaged" in table.text().splitlines()[0]
        assert "No fight has been played yet." in table.text()

    with Evening(hall.journal) as first:
        first.fights()
        assert "damaged" in first.notice()
    hall.journal.write_bytes(b"no journal" * 1000)
    hall.drive(journey)


def test_encounter_begins(hall: Hall) -> None:
    """Found in the folder `encounters` and below it, with game and size; Enter begins it."""
    hall.encounter("mill", "In the mill")
    hall.encounter("far/moor", "On the moor")

    async def journey(table: Table) -> None:
        text = table.text()
        assert "2 against 2–5" in text
        assert "encounters/far/moor.yaml" in text
        await table.press("down", "enter")
        assert table.model.title == "On the moor"

    hall.drive(journey)
    with Journal.open(hall.journal) as journal:
        assert [fight.title for fight in journal.fights()] == ["On the moor"]


def test_enter_pressed_twice_begins_one_fight(hall: Hall) -> None:
    """What is typed while the fight opens begins no second one."""
    hall.encounter("mill", "In the mill")

    async def journey(table: Table) -> None:
        await table.hurry("\r\r\r")
        assert table.model.title == "In the mill"

    hall.drive(journey)
    with Journal.open(hall.journal) as journal:
        assert len(journal.fights()) == 1


def test_numbers_and_filter_choose(hall: Hall) -> None:
    """Digits go to a line, two of them to one beyond nine; words narrow both lists; Esc shows all again before it leaves."""
    for number in range(12):
        hall.encounter(f"n{number:02}", f"Fight {chr(65 + number)}")

    async def journey(table: Table) -> None:
        await table.type("12")
        assert start(table)._encounters.cursor == "encounters/n11.yaml"
        await table.type("3")
        assert start(table)._encounters.cursor == "encounters/n02.yaml"
        await table.type("/fight e")
        assert "Fight E" in table.text()
        assert "Fight A" not in table.text()
        await table.press("enter")
        assert isinstance(table.app.screen, StartScreen)
        await table.press("escape")
        assert "Fight A" in table.text()
        await table.type("/nothing like it⏎")
        assert "Nothing here." in table.text()
        await table.press("enter", "down", "e")
        assert isinstance(table.app.screen, StartScreen)

    hall.drive(journey)


def test_letters_of_the_filter_are_no_commands(hall: Hall) -> None:
    """Every printable key typed into the filter is text; pasting works too."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    letters = "abcdefghijklmnopqrstuvwxyzD0123456789?'-+=.!*"

    async def journey(table: Table) -> None:
        await table.type("/" + letters)
        assert start(table)._filter is not None
        assert start(table)._filter.text == letters  # type: ignore[union-attr] # it is being typed
        await table.press("escape")
        assert "At the ford" in table.text()

    hall.drive(journey)
    with Journal.open(hall.journal) as journal:
        assert len(journal.fights()) == 1


def test_broken_file_is_mended_and_begun(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list counts the problems and says the first; Enter shows all with their lines; `e` opens the editor there; mended, it begins."""
    path = hall.encounter("mill", "In the mill", ("count: 1d4+1", "count: lots"))
    told = hall.folder / "told"
    editor = hall.file("nano", f'#!/bin/sh\necho "$@" > {told}\nsed -i s/lots/2/ "$2"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setattr(TrackerApp, "suspend", lambda self: nullcontext())

    async def journey(table: Table) -> None:
        assert "✗ 1 problem" in table.text()
        assert 'encounters/mill.yaml:5:56: sides[1].members[0].count: "lots" is not dice' in table.text()
        await table.press("enter")
        lines = table.text().splitlines()
        place = next(number for number, line in enumerate(lines) if "count: lots}" in line)
        assert lines[place][lines[place + 1].index("^")] == "l"
        await table.type("e")
        await settled(table)
        assert told.read_text().split() == ["+5", str(path)]
        assert "problem" not in table.text()
        await table.press("enter")
        assert table.model.title == "In the mill"
        assert len(table.state.combatants) == 4

    hall.drive(journey)


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("", "no editor is set; before tracker starts: export EDITOR=nano (or VISUAL)"),
        ("no-such-editor", "the editor cannot be opened: [Errno 2] No such file or directory: 'no-such-editor'"),
        ("vi 'unclosed", "the editor cannot be opened: No closing quotation"),
        ("false", "the editor ended with status 1"),
    ],
)
def test_editor_that_fails_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch, editor: str, said: str) -> None:
    """Whatever is wrong with the editor, one line says so and the lists stay."""
    hall.encounter("mill", "In the mill")
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr(TrackerApp, "suspend", lambda self: nullcontext())

    async def journey(table: Table) -> None:
        await table.type("e")
        await settled(table)
        assert said in table.text().splitlines()[0]
        assert "In the mill" in table.text()

    hall.drive(journey)


def test_terminal_that_cannot_be_lent_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Served in a browser, for one, there is no terminal to give to an editor."""
    hall.encounter("mill", "In the mill")
    monkeypatch.setenv("EDITOR", "vi")

    async def journey(table: Table) -> None:
        await table.type("e")
        assert "this terminal cannot be given to an editor" in table.text()

    hall.drive(journey)


def test_broken_encounter_begins_all_the_same(hall: Hall) -> None:
    """As `tracker play` does: with a placeholder for what is broken; where nothing can be played, a line says so."""
    hall.encounter("mill", "In the mill", ("ac: 14", "ac: lots"))
    hall.file("encounters/none.yaml", "title: Nothing\nruleset: no_game\n")

    async def journey(table: Table) -> None:
        await table.press("down", "enter")
        await table.type("b")
        assert "nothing of it can be played before it is mended" in table.text()
        await table.press("escape", "up", "enter")
        await table.type("b")
        assert table.model.title == "In the mill"

    hall.drive(journey)


def test_fight_is_put_away_and_taken_out(hall: Hall) -> None:
    """`d` puts away, `u` takes the last one out; `D` lists those put away, where `d` or Enter takes them out."""
    for number, title in enumerate(("At the ford", "In the mill", "On the moor")):
        hall.played(title, f"2031-04-28T19:4{number}:00+00:00")

    def listed() -> tuple[list[str], list[str]]:
        with Journal.open(hall.journal) as journal:
            return [fight.title for fight in journal.fights()], [
                fight.title for fight in journal.fights(discarded=True)
            ]

    async def journey(table: Table) -> None:
        await table.type("dd")
        assert listed() == (["At the ford"], ["On the moor", "In the mill"])
        assert "In the mill" not in table.text()
        assert "2 put away" in table.text()
        await table.type("u")
        assert listed() == (["In the mill", "At the ford"], ["On the moor"])
        await table.type("D")
        assert "put away · round" in table.text() or "put away · set-up" in table.text()
        await table.press("end", "enter")
        assert table.model.title == "On the moor"
        assert listed()[1] == []

    hall.drive(journey)


def test_files_are_not_put_away(hall: Hall) -> None:
    hall.encounter("mill", "In the mill")

    async def journey(table: Table) -> None:
        await table.type("d")
        assert "only fights are put away" in table.text()
        await table.type("u")
        assert "no fight has been put away" in table.text()

    hall.drive(journey)


def test_reading_again_finds_what_is_new(hall: Hall) -> None:
    """`r` reads journal and files again; the cursor stays where it was."""
    hall.encounter("mill", "In the mill")
    hall.encounter("moor", "On the moor")

    async def journey(table: Table) -> None:
        await table.press("down")
        hall.encounter("ford", "At the ford")
        hall.played("Long ago", "2031-01-01T12:00:00+00:00")
        await table.type("r")
        await settled(table)
        assert "At the ford" in table.text()
        assert "1 January 2031" in table.text()
        assert start(table)._encounters.cursor == "encounters/moor.yaml"

    hall.drive(journey)


@pytest.fixture
def shipped(hall: Hall) -> Hall:
    """The encounters of Worlds Without Number, and the first of them played: one hurt, one poisoned, one dying, one dead."""
    shutil.copytree(SHIPPED, hall.folder / "encounters")
    loaded = load_encounter(hall.folder / "encounters" / "first_fight.yaml", registry.find)
    assert loaded.encounter is not None
    assert loaded.ruleset is not None
    with (
        Journal.open(hall.journal) as journal,
        Session.start(journal, loaded.ruleset, loaded.encounter, SETTINGS) as session,
    ):
        for done in (
            action("damage", amount=5, targets=("sefa",)),
            action("damage", amount=50, targets=("tavi",)),
            action("add_effect", name="poisoned", targets=("ordwen",), until="until removed"),
            action("status", targets=("nele",), status="dead"),
        ):
            while session.model.pending is not None:
                session.dispatch(RollRest())
            assert session.dispatch(Do((done,))).refusal is None
    return hall


async def begin(table: Table, *keys: str) -> None:
    """Choose the night raid, and press keys in the list that comes."""
    await table.type("/eel⏎")
    await table.press("enter", *keys)


def test_party_comes_as_it_was_left(shipped: Hall) -> None:
    """The list says what would be carried over and who stays out; one key begins with it."""

    async def journey(table: Table) -> None:
        await begin(table)
        text = table.text()
        assert 'as "Toll at the broken bridge" left it, today 19:40' in text
        assert "Nele stays out: dead" in text
        assert "Ordwen 21/21 poisoned" in text
        assert "Sefa 10/15" in text
        assert "Tavi 0/14 stable" in text
        await table.press("2")
        assert "nele" not in table.state
        assert (table.hp("sefa"), table.state["tavi"].status, table.state["ordwen"].has("poisoned")) == (
            10,
            "stable",
            True,
        )

    shipped.drive(journey)


def test_party_comes_rested(shipped: Hall) -> None:
    """Rested is what Enter takes: everybody as the file has them."""

    async def journey(table: Table) -> None:
        await begin(table, "enter")
        assert (table.hp("sefa"), table.hp("nele"), table.state["ordwen"].has("poisoned")) == (15, 13, False)

    shipped.drive(journey)


def test_dead_come_when_they_are_let_in(shipped: Hall) -> None:
    """The space bar lets the dead in, as their file has them."""

    async def journey(table: Table) -> None:
        await begin(table, "space")
        assert "Nele comes as the file has" in table.text()
        await table.press("down", "enter")
        assert (table.hp("nele"), table.hp("sefa")) == (13, 10)

    shipped.drive(journey)


def test_leaving_the_party_list_begins_nothing(shipped: Hall) -> None:
    async def journey(table: Table) -> None:
        await begin(table, "escape")
        assert isinstance(table.app.screen, StartScreen)
        await table.press("escape")

    shipped.drive(journey)
    with Journal.open(shipped.journal) as journal:
        assert len(journal.fights()) == 1


def test_no_list_where_there_is_no_such_fight(shipped: Hall) -> None:
    """An encounter of characters who have not fought yet begins at once."""
    shipped.encounter("mill", "In the mill")

    async def journey(table: Table) -> None:
        await table.type("/mill⏎")
        await table.press("enter")
        assert table.model.title == "In the mill"

    shipped.drive(journey)


def test_mouse_chooses_opens_and_scrolls(hall: Hall) -> None:
    """A click chooses a line, a second one opens it; the wheel moves through the list."""
    for number in range(30):
        hall.encounter(f"e{number:02}", f"Fight {number:02}")

    async def journey(table: Table) -> None:
        pane = start(table)._encounters
        await table.pilot.click(pane, offset=(10, 3))
        assert pane.cursor == "encounters/e02.yaml"
        pane.post_message(pane.Scrolled(pane, 3))
        await table.pilot.pause()
        assert pane.cursor == "encounters/e05.yaml"
        await table.pilot.click(pane, offset=(10, 2))
        await table.pilot.click(pane, offset=(20, 2))
        await table.pilot.pause()
        assert table.model.title == "Fight 01"

    hall.drive(journey)


HOSTILE = "x [/] [bold]y[/bold] 日本 {who} %s \\u202eevil"


def test_names_from_files_are_text(hall: Hall) -> None:
    """Markup, escape sequences and the like in a title are shown as they are typed, in both lists and before the fight."""
    hall.encounter("mill", f'"{HOSTILE}"')

    async def journey(table: Table) -> None:
        text = table.text()
        assert "x [/] [bold]y[/bold]" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        await table.press("enter")
        assert "x [/] [bold]y[/bold]" in table.text()
        another(table.cockpit)
        await settled(table)
        assert table.text().count("x [/] [bold]y[/bold]") == 2

    hall.drive(journey, (120, 40))


def test_fight_that_cannot_be_resumed_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of a game that is not installed any more says so and leaves the lists alone."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    monkeypatch.setattr(registry, "find", driver.REAL_FIND)

    async def journey(table: Table) -> None:
        await table.press("enter")
        assert 'there is no ruleset "skirmish"' in table.text().splitlines()[0]
        assert "At the ford" in table.text()

    hall.drive(journey)


def test_encounter_that_has_gone_is_one_line(hall: Hall) -> None:
    """A file deleted since it was read is a line, not a crash."""
    path = hall.encounter("mill", "In the mill")

    async def journey(table: Table) -> None:
        path.unlink()
        await table.press("enter")
        assert "there is no such file" in table.text().splitlines()[0]

    hall.drive(journey)


def test_keys_of_this_screen(hall: Hall) -> None:
    """`?` lists the keys of the start screen and no others; a keymap file changes them here too."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    keymap = hall.file("keys.yaml", "s.away: x\n")

    async def journey(table: Table) -> None:
        await table.type("?")
        text = table.text()
        assert "put a fight away, or take it out again" in text
        assert "damage" not in text
        await table.press("escape")
        await table.type("d")
        assert "At the ford" in table.text()
        await table.type("x")
        assert "1 put away" in table.text()

    hall.drive(journey, keymap=lambda: read_keymap(keymap))


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (200, 60), (20, 6)])
def test_every_size_is_bearable(shipped: Hall, size: tuple[int, int]) -> None:
    """At any size, list, problems, party and help can be opened without a fault, and the cursor is seen."""
    shipped.encounter("mill", "In the mill", ("ac: 14", "ac: lots"))

    async def journey(table: Table) -> None:
        for keys in ("end", "up", "home", "?", "escape"):
            await table.press(keys)
        for _ in range(8):
            await table.press("down", "enter", "escape")
            if table.app._exit:
                break
        assert max(len(line) for line in table.text().splitlines()) <= size[0]

    shipped.drive(journey, size)


def test_a_folder_that_cannot_be_read_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.encounter("mill", "In the mill")
    hall.encounter("locked/moor", "On the moor")
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("tracker.library.shelves.finding.os.scandir", guarded)

    async def journey(table: Table) -> None:
        assert "encounters/locked: cannot be read: Permission denied" in table.text()
        assert "In the mill" in table.text()

    hall.drive(journey)
