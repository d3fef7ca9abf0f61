"""Broken files on the start screen."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.ui.hall import Hall, settled
from tracker.ui.app import TrackerApp


@pytest.mark.skipif(os.name != "posix", reason="the editor of this test is a script for a shell")
async def test_broken_file_is_mended_and_begun(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list counts the problems and says the first."""
    path = hall.encounter("mill", "In the mill", ("count: 1d4+1", "count: lots"))
    told = hall.folder / "told"
    editor = hall.file("nano", f'#!/bin/sh\necho "$@" > {told}\nsed -i s/lots/2/ "$2"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.setattr(TrackerApp, "suspend", lambda self: nullcontext())
    async with hall.opened() as table:
        assert "✗ 1 problem" in table.text()
        assert f'{Path("encounters/mill.yaml")}:5:56: sides[1].members[0].count: "lots" is not dice' in table.text()
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


FAILING = {
    'vi "unclosed': "the editor cannot be opened: No closing quotation",
    f'"{sys.executable}" -c "raise SystemExit(1)"': "the editor ended with status 1",
}
if os.name == "posix":
    FAILING["no-such-editor"] = "the editor cannot be opened: [Errno 2] No such file or directory: 'no-such-editor'"
    FAILING[""] = "no editor is set; before tracker starts: export EDITOR=nano (or VISUAL)"
else:
    FAILING["no-such-editor"] = "the editor cannot be opened: [WinError 2] "


@pytest.mark.parametrize(("editor", "said"), FAILING.items())
async def test_editor_that_fails_is_one_line(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, editor: str, said: str
) -> None:
    """Whatever is wrong with the editor, one line says so and the lists stay."""
    hall.encounter("mill", "In the mill")
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setattr(TrackerApp, "suspend", lambda self: nullcontext())
    async with hall.opened() as table:
        await table.type("e")
        await settled(table)
        assert said in table.text().splitlines()[0]
        assert "In the mill" in table.text()


async def test_terminal_that_cannot_be_lent_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Served in a browser, for one, there is no terminal to give to an editor."""
    hall.encounter("mill", "In the mill")
    monkeypatch.setenv("EDITOR", "vi")
    async with hall.opened() as table:
        await table.type("e")
        assert "this terminal cannot be given to an editor" in table.text()


async def test_broken_encounter_begins_all_the_same(hall: Hall) -> None:
    """As `tracker play` does: with a placeholder for what is broken; where nothing can be played, a line says so."""
    hall.encounter("mill", "In the mill", ("ac: 14", "ac: lots"))
    hall.file("encounters/none.yaml", "title: Nothing\nruleset: no_game\n")
    async with hall.opened() as table:
        await table.press("down", "enter")
        await table.type("b")
        assert "nothing of it can be played until it is mended" in table.text()
        await table.press("escape", "up", "enter")
        await table.type("b")
        assert table.model.title == "In the mill"


async def test_a_folder_that_cannot_be_read_is_one_line(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.encounter("mill", "In the mill")
    hall.encounter("locked/moor", "On the moor")
    scandir = os.scandir

    def guarded(path: Path) -> object:
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr("tracker.library.content.discovery.os.scandir", guarded)
    async with hall.opened() as table:
        assert f"{Path('encounters/locked')}: cannot be read: Permission denied" in table.text()
        assert "In the mill" in table.text()
