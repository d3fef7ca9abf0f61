"""From the start screen into a fight and back."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.cli import driver
from tests.ui.hall import ENCOUNTER, Evening, Hall, settled
from tracker.library.content import samples
from tracker.session.rulesets import registry
from tracker.session.store.journal import Journal
from tracker.ui.app import TrackerApp
from tracker.ui.fight.screen import FightScreen


async def test_enter_resumes_and_the_way_back(hall: Hall) -> None:
    """Enter takes up the fight under the cursor."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    hall.played("In the mill", "2031-05-01T19:40:00+00:00")
    async with hall.opened() as table:
        await table.press("down", "enter")
        assert table.model.title == "At the ford"
        session = table.cockpit.session
        await table.type("-3a⏎")
        assert table.hp("ada") == 7
        await table.press("ctrl+p")
        await table.type("another⏎")
        await settled(table)
        first, second, *_ = (line for line in table.text().splitlines() if "today" in line or "ago" in line)
        assert "At the ford" in first + second
        assert session._closed
        await table.type("1⏎")
        assert isinstance(table.app.screen, FightScreen)


def test_fight_that_is_named_does_without_the_start_screen() -> None:
    """Nothing of the start screen is imported where a fight is named."""
    named = "import sys, tracker.cli.app, tracker.ui.app; print(*sys.modules)"
    start_screen = "import sys, tracker.cli.app, tracker.ui.app, tracker.ui.start.screen; print(*sys.modules)"

    loaded = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
        for code in (named, start_screen)
    ]

    assert {
        "tracker.ui.start.screen",
        "tracker.ui.start.lists",
        "tracker.ui.widgets.lists",
        "tracker.session.party",
    } & set(loaded[0]) == set()
    assert [name for name in (*loaded[0], *loaded[1]) if name.startswith(("tracker.forecast", "multiprocessing"))] == []
    assert {
        "tracker.library.content.discovery",
        "tracker.library.content.encounters",
        "yaml",
        "tracker.session.party",
    } & set(loaded[1]) == set()


async def test_journal_that_was_set_aside_is_said(hall: Hall) -> None:
    """A damaged journal is set aside, and the start screen says so first."""
    hall.journal.parent.mkdir(parents=True)
    hall.journal.write_bytes(b"no journal" * 1000)

    with Evening(hall.journal) as first:
        first.fights()
        assert "damaged" in first.notice()
    hall.journal.write_bytes(b"no journal" * 1000)
    async with hall.opened() as table:
        assert "damaged" in table.text().splitlines()[0]
        assert "No fight has been played yet." in table.text()


async def test_encounter_begins(hall: Hall) -> None:
    """Found in the folder `encounters` and below it, with game and size; Enter begins it."""
    hall.encounter("mill", "In the mill")
    hall.encounter("far/moor", "On the moor")
    async with hall.opened() as table:
        text = table.text()
        assert "2 against 2–5" in text
        assert "moor" in text.split("On the moor")[1].splitlines()[0]
        await table.press("down", "enter")
        assert table.model.title == "On the moor"
    with Journal.open(hall.journal) as journal:
        assert [fight.title for fight in journal.fights()] == ["On the moor"]


async def test_enter_pressed_twice_begins_one_fight(hall: Hall) -> None:
    """What is typed while the fight opens begins no second one."""
    hall.encounter("mill", "In the mill")
    async with hall.opened() as table:
        await table.hurry("\r\r\r")
        assert table.model.title == "In the mill"
    with Journal.open(hall.journal) as journal:
        assert len(journal.fights()) == 1


async def test_fight_that_cannot_be_resumed_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight of a game that is no longer installed is one line."""
    hall.played("At the ford", "2031-04-28T19:40:00+00:00")
    monkeypatch.setattr(registry, "find", driver.REAL_FIND)
    async with hall.opened() as table:
        await table.press("enter")
        assert 'there is no ruleset "skirmish"' in table.text().splitlines()[0]
        assert "At the ford" in table.text()


async def test_encounter_that_has_gone_is_one_line(hall: Hall) -> None:
    """A file deleted since it was read is a line, not a crash."""
    path = hall.encounter("mill", "In the mill")
    async with hall.opened() as table:
        path.unlink()
        await table.press("enter")
        assert "there is no such file" in table.text().splitlines()[0]


async def test_examples_stand_below_and_are_copied(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """`e` copies one with what lies beside it; the copy is listed instead."""
    shipped = hall.folder.parent / "shipped"
    hall.file("../shipped/skirmish/bridge.yaml", ENCOUNTER.format(title="On the bridge"))
    hall.file("../shipped/skirmish/party.yaml", "ruleset: skirmish\ncharacters: []\n")
    hall.encounter("mill", "In the mill")
    monkeypatch.setattr(samples, "samples", lambda: shipped)
    monkeypatch.setattr(TrackerApp, "suspend", lambda self: nullcontext())
    monkeypatch.setenv("EDITOR", "true")
    async with hall.opened() as table:
        text = table.text()
        assert text.index("In the mill") < text.index("Examples, which come with the program") < text.index("On the b")
        assert "bridge" in text.split("On the bridge")[1].splitlines()[0]
        assert "0 to resume, 2 to begin" in text
        await table.type("2e")
        await settled(table)
        text = table.text()
        assert f"copied to {Path('encounters/skirmish')}" in text.splitlines()[0]
        assert "Examples" not in text
        assert "bridge" in text.split("On the bridge")[1].splitlines()[0]
        await table.type("2⏎")
        assert table.model.title == "On the bridge"
    copies = hall.folder / "encounters" / "skirmish"
    assert sorted(path.name for path in copies.iterdir()) == ["bridge.yaml", "party.yaml"]


async def test_an_example_is_begun_without_a_copy(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that cannot be made is one line."""
    shipped = hall.folder.parent / "shipped"
    hall.file("../shipped/skirmish/bridge.yaml", ENCOUNTER.format(title="On the bridge"))
    hall.file("encounters", "a file in the way")
    monkeypatch.setattr(samples, "samples", lambda: shipped)
    async with hall.opened() as table:
        assert "No encounter found in this folder." in table.text()
        await table.type("e")
        said = f"{Path('encounters/skirmish')}: Not a directory" if os.name == "posix" else "encounters: "
        assert said in table.text().splitlines()[0]
        await table.press("enter")
        assert table.model.title == "On the bridge"
    shutil.rmtree(shipped)
