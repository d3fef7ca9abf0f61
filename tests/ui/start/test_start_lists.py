"""The lists of the start screen: fights to resume, encounters to begin."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui.drive import Table
from tests.ui.hall import Evening, Hall, settled, start
from tracker.cli.app import AppContext
from tracker.core.terms.actions import action
from tracker.library.content.discovery import EncounterFile, Notice
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.commands.pages import another
from tracker.ui.keys.keymap import read_keymap
from tracker.ui.start.screen import StartScreen


async def test_empty_home_says_what_to_do(hall: Hall) -> None:
    """Without fights and encounters friendly lines say what to do, and nothing is written."""
    async with hall.opened() as table:
        text = table.text()
        assert "No fight has been played yet." in text
        assert "tracker play ENCOUNTER.yaml" in text
        assert "No encounter found in this folder." in text
        assert "docs/yaml.md" in text
        await table.type("⏎edu")
        assert isinstance(table.app.screen, StartScreen)
        await table.press("escape")
        assert table.app._exit
    assert not hall.journal.exists()


async def test_fights_are_listed_newest_first(hall: Hall) -> None:
    """Each fight has its game, its moment, its question and when it was played; finished ones come after the others."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    hall.played("On the moor", "2031-04-30T21:05:00+00:00", action("end_fight"))
    hall.played("In the mill", "2031-05-01T19:40:00+00:00")
    async with hall.opened() as table:
        assert "2 to resume, 1 finished, 0 to begin" in table.text()
        lines = [line for line in table.text().splitlines() if "│" in line][:4]
        expected = (
            ("1 In the mill", "Skirmish", "today 19:40"),
            ("2 At the ford", "Skirmish", "3 days ago"),
            ("Finished · enter reads how it went",),
            ("3 On the moor", "Skirmish", "over", "yesterday 21:05"),
        )
        for line, words in zip(lines, expected, strict=True):
            assert all(word in line for word in words), line


async def test_the_fight_to_learn_with_comes_first(shipped: Hall) -> None:
    """It is marked, and the cursor is on it at the first start."""
    async with shipped.opened() as table:
        marked = [line for line in table.text().splitlines() if "◆ begin here" in line]
        assert [line.split("  ")[1].strip("2 ") for line in marked] == ["Toll at the broken bridge"]
        assert start(table).lists.encounters.cursor == start(table).lists.encounters.choices()[0]


async def test_what_is_under_the_cursor_is_previewed(hall: Hall) -> None:
    """A fight has when it was played and where it stood."""
    hall.played("At the ford", "2031-04-30T21:05:00+00:00")
    hall.played("At the ford", "2031-05-01T19:40:00+00:00")
    path = hall.encounter("moor", "On the moor")
    path.write_text(
        path.read_text(encoding="utf-8")
        + "waves: [{side: Thugs, when: round 2, members: [{name: Goblin, hp: 3, count: 3}]}]\n"
        + "reminders: [{text: 'Fog [bold] rises.'}]\nnotes: Nobody knows the ford.\n",
        encoding="utf-8",
    )

    def preview(table: Table) -> list[str]:
        lines = table.text().splitlines()
        first = max(place for place, line in enumerate(lines) if line.startswith("╭─"))
        return [" ".join(line.strip(" │").split()) for line in lines[first:] if line.strip(" │╰─╯")]

    async with hall.opened() as table:
        assert table.text().count("begun ") == 3  # both lines, and the preview
        shown = preview(table)
        assert shown[0].startswith("╭─ At the ford ─")
        assert shown[1].startswith("stood round")
        assert shown[2].startswith("played last today 19:40, ")
        await table.press("down", "down")
        shown = preview(table)
        assert shown[0].startswith("╭─ On the moor ─")
        assert "round 2 comes: 3 × Goblin" in shown
        assert "always Fog [bold] rises." in shown
        assert "notes Nobody knows the ford." in shown


async def test_the_preview_of_a_fight_says_how_its_sides_stand(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """And what happened last; of a fight that cannot be read it says what the list knows."""
    hurt = action("damage", amount=4, targets=("ada",))
    hall.played("At the ford", "2031-04-28T19:40:00+00:00", hurt)
    hall.played("In the mill", "2031-05-01T19:40:00+00:00", hurt)
    async with hall.opened() as table:
        assert "sides        The party: Ada 6 of 10; Bo unhurt." in table.text()
        assert "last         Round 1: Ada loses 4." in table.text()

        def fails(self: Evening, fight: str) -> None:
            raise ZeroDivisionError

        monkeypatch.setattr(Evening, "preview", fails)
        await table.press("down")
        await settled(table)
        assert "╭─ At the ford ─" in table.text()
        assert "stood" in table.text()
        assert "sides" not in table.text()


def test_fights_stand_before_the_files_are_read(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading does not hold up the first picture; the fights can be taken up while the files still come, one by one."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    go_on = threading.Event()

    def slowly(self: AppContext, first: Path | None = None) -> Iterator[EncounterFile | Notice]:
        assert threading.current_thread() is not threading.main_thread()
        yield EncounterFile(Path("one.yaml"), "The first file", "skirmish", "Skirmish", "2 against 3")
        go_on.wait(10)
        yield EncounterFile(Path("two.yaml"), "The second file", "skirmish", "Skirmish", "2 against 3")

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


async def test_numbers_and_filter_choose(hall: Hall) -> None:
    """Digits go to a line, two of them to one beyond nine."""
    for number in range(12):
        hall.encounter(f"n{number:02}", f"Fight {chr(65 + number)}")
    async with hall.opened() as table:
        await table.type("12")
        assert start(table).lists.encounters.cursor == str(Path("encounters/n11.yaml"))
        await table.type("3")
        assert start(table).lists.encounters.cursor == str(Path("encounters/n02.yaml"))
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


async def test_letters_of_the_filter_are_no_commands(hall: Hall) -> None:
    """Every printable key typed into the filter is text; pasting works too."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    letters = "abcdefghijklmnopqrstuvwxyzD0123456789?'-+=.!*"
    async with hall.opened() as table:
        await table.type("/" + letters)
        assert start(table).lists.filter is not None
        assert start(table).lists.filter.text == letters  # type: ignore[union-attr] # it is being typed
        await table.press("escape")
        assert "At the ford" in table.text()
    with Journal.open(hall.journal) as journal:
        assert len(journal.fights()) == 1


async def test_fight_is_put_away_and_taken_out(hall: Hall) -> None:
    """`d` puts away, `u` takes the last one out; `D` lists those put away, where `d` or Enter takes them out."""
    for number, title in enumerate(("At the ford", "In the mill", "On the moor")):
        hall.played(title, f"2031-04-28T19:4{number}:00+00:00")

    def listed() -> tuple[list[str], list[str]]:
        with Journal.open(hall.journal) as journal:
            return [fight.title for fight in journal.fights()], [
                fight.title for fight in journal.fights(discarded=True)
            ]

    async with hall.opened() as table:
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


async def test_files_are_not_put_away(hall: Hall) -> None:
    hall.encounter("mill", "In the mill")
    async with hall.opened() as table:
        await table.type("d")
        assert "only fights are put away" in table.text()
        await table.type("u")
        assert "no fight has been put away" in table.text()


async def test_reading_again_finds_what_is_new(hall: Hall) -> None:
    """`r` reads journal and files again; the cursor stays where it was."""
    hall.encounter("mill", "In the mill")
    hall.encounter("moor", "On the moor")
    async with hall.opened() as table:
        await table.press("down")
        hall.encounter("ford", "At the ford")
        hall.played("Long ago", "2031-01-01T12:00:00+00:00")
        await table.type("r")
        await settled(table)
        assert "At the ford" in table.text()
        assert "1 January 2031" in table.text()
        assert start(table).lists.encounters.cursor == str(Path("encounters/moor.yaml"))


async def test_mouse_chooses_opens_and_scrolls(hall: Hall) -> None:
    """A click chooses a line, a second one opens it; the wheel moves through the list."""
    for number in range(30):
        hall.encounter(f"e{number:02}", f"Fight {number:02}")
    async with hall.opened() as table:
        pane = start(table).lists.encounters
        await table.pilot.click(pane, offset=(10, 3))
        assert pane.cursor == str(Path("encounters/e02.yaml"))
        pane.post_message(pane.Scrolled(pane, 3))
        await table.pilot.pause()
        assert pane.cursor == str(Path("encounters/e05.yaml"))
        await table.pilot.click(pane, offset=(10, 2))
        await table.pilot.click(pane, offset=(20, 2))
        await table.pilot.pause()
        assert table.model.title == "Fight 01"


HOSTILE = "x [/] [bold]y[/bold] 日本 {who} %s \\u202eevil"


async def test_names_from_files_are_text(hall: Hall) -> None:
    """Markup and escape sequences in a title are shown as they are typed."""
    hall.encounter("mill", f'"{HOSTILE}"')
    async with hall.opened((120, 40)) as table:
        text = table.text()
        assert "x [/] [bold]y[/bold]" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        await table.press("enter")
        assert "x [/] [bold]y[/bold]" in table.text()
        another(table.cockpit)
        await settled(table)
        assert table.text().count("x [/] [bold]y[/bold]") == 3  # two lines, and the preview


async def test_keys_of_this_screen(hall: Hall) -> None:
    """`?` lists the keys of the start screen and no others; a keymap file changes them here too."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    keymap = hall.file("keys.yaml", "s.away: x\n")
    async with hall.opened(keymap=lambda: read_keymap(keymap)) as table:
        await table.type("?")
        text = table.text()
        assert "put a fight away, or take it out again" in text
        assert "damage" not in text
        await table.press("escape")
        await table.type("d")
        assert "At the ford" in table.text()
        await table.type("x")
        assert "1 put away" in table.text()


@pytest.mark.parametrize("size", [(40, 12), (200, 60), (20, 6)])
async def test_every_size_is_bearable(shipped: Hall, size: tuple[int, int]) -> None:
    """At any size every page opens without a fault, and the cursor is seen."""
    shipped.encounter("mill", "In the mill", ("ac: 14", "ac: lots"))
    async with shipped.opened(size) as table:
        for keys in ("end", "up", "home", "?", "escape"):
            await table.press(keys)
        for _ in range(8):
            await table.press("down", "enter", "escape")
            if table.app._exit:
                break
        assert max(len(line) for line in table.text().splitlines()) <= size[0]
