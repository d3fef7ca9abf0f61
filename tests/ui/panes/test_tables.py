"""The tables of panes and commands: each row is all there is to say of a pane or a command."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.message_pump import MessagePump

import tracker.ui
from tests.ui.drive import fight, opened
from tests.ui.skirmish import encounter
from tests.windows.systems import modules_below
from tracker.ui.fight import panes as fight_panes
from tracker.ui.fight.screen import ACTIONS
from tracker.ui.keys.command import PANES, Pane, pane_commands
from tracker.ui.keys.table import KEYS, UNKEYED, described
from tracker.ui.start.screen import StartScreen


def test_every_action_of_a_fight_is_done() -> None:
    """Commands and actions match, but for those that only modes call."""
    called = {command.call.action for command in (*KEYS, *UNKEYED) if command.call and "fight" in command.screens}

    assert called | {"theme", "size", "select", "read", "narrow", "keep"} == set(ACTIONS)


def test_every_action_of_the_start_screen_is_done() -> None:
    """No command of the start screen calls what it cannot do."""
    called = {command.call.action for command in KEYS if command.call and "start" in command.screens}

    assert [action for action in called if not hasattr(StartScreen, f"action_{action}")] == []


def test_the_number_of_a_pane_is_its_key() -> None:
    """The row of a pane makes its command, in the order of the numbers."""
    rows = (Pane("second", 2, "Second", "", region="above"), Pane("first", 1, "First", "", region="below", look="see"))

    assert [(made.id, made.key, made.word, described(made)) for made in pane_commands(rows)] == [
        ("first", "1", "first", "see"),
        ("second", "2", "second", "look at the second; again: enlarge it"),
    ]


async def test_a_row_is_a_pane(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another row of the table is a pane in its region that follows the fight."""
    row = Pane("twin", 9, "Twin", "roster:RosterPane", region="below")
    monkeypatch.setattr(fight_panes, "PANES", (*PANES, row))
    async with opened(fight(tmp_path, encounter(2))) as table:
        assert "9 Twin" in table.text()
        await table.type("-2h⏎")
        assert "h Goblin 2 ▾5/7" in table.pane("twin")


MADE_FOR_EACH_CLASS = {
    *(
        "_computes",
        "_css_type_name",
        "_css_type_names",
        "_decorated_handlers",
        "_inherit_bindings",
        "_inherit_component_classes",
        "_inherit_css",
    ),
    *("_merged_bindings", "_reactives"),
}
# A fault of the app is told in a line and a problem file, and its end is ours: the library's own would fill the screen.
ON_PURPOSE = {("ResilientApp", "_fatal_error"), ("ResilientApp", "_print_error_renderables")}


def below(kind: type) -> Iterator[type]:
    for other in kind.__subclasses__():
        yield other
        yield from below(other)


def test_no_private_name_of_the_library_is_taken() -> None:
    """Neither by a method nor by a class attribute."""
    for module in modules_below(tracker.ui):
        importlib.import_module(module)
    ours = [kind for kind in below(MessagePump) if kind.__module__.startswith("tracker.")]
    private = {
        (kind, name) for kind in ours for name in vars(kind) if name.startswith("_") and not name.startswith("__")
    } - {(kind, name) for kind in ours for name in MADE_FOR_EACH_CLASS}

    assert len(ours) > 10
    assert [
        (kind.__name__, name)
        for kind, name in private
        if (kind.__name__, name) not in ON_PURPOSE
        and any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("textual."))
    ] == []
