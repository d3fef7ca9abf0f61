"""The sample encounters on the start screen."""

from __future__ import annotations

import os
import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.ui.hall import ENCOUNTER, Hall, settled
from tracker.library.content import samples
from tracker.ui.app import TrackerApp


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
        assert str(Path("skirmish/bridge.yaml")) in text
        assert "0 to resume, 2 to begin" in text
        await table.type("2e")
        await settled(table)
        text = table.text()
        assert f"copied to {Path('encounters/skirmish')}" in text.splitlines()[0]
        assert "Examples" not in text
        assert str(Path("skirmish/bridge.yaml")) in text
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
