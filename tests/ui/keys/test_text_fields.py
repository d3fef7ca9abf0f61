"""Every printable key typed into every text field; no command fires, and the field holds what was typed."""

from __future__ import annotations

import importlib
import string
from pathlib import Path
from typing import get_type_hints

import pytest

import tracker.ui
from tests.ui.drive import Table, fight, opened
from tests.ui.skirmish import House, encounter
from tests.windows.systems import modules_below
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.keys.table import KEYS
from tracker.ui.modes.search.lookups import SearchMode
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import InputMode, ListMode, Mode

EVERYTHING = string.ascii_letters + string.digits + string.punctuation + "äßÉ漢字かなｗ🐉ﬁÿ"
"""All that ASCII can print but the blank, and letters and signs beyond it, two columns wide ones among them."""

FIELDS: dict[str, tuple[str, ...]] = {
    "GmCommandMode": ("-", "+", "e", "x", "s", "i", "m", "=", "f", "o", "-1g⏎."),
    "Picker": ("a", "''w", "a→"),
    "TurnBatch": ("A",),
    "ReactionList": ("ag⏎14⏎g⇥",),
    "Form": (
        "a3⏎",
        "a⇥",
        "a⇥⇥",
        "a2⇥",
        "a2⇥⇥",
        "a2⇥⇥⇥",
        *(f"eon fire g{'⇥' * times}" for times in range(1, 7)),
        "f⇥",
        "sg⇥⇥",
        "=g⇥⇥⇥",
        "i2 gob⇥⇥",
    ),
    "Filter": ("/", "1/", "3/"),
    "Lookup": ("r",),
    "Prompt": ("ag⏎", "a→1⏎", "a→1⏎⏎", "a→1⏎⏎⏎", "ag⏎14⏎"),
    "ChooseCorrection": ("-1g⏎c",),
    "BranchList": ("-1g⏎Bn",),
    "CommandLine": (":", ":w att g 14 "),
    "Palette": ("^",),
    "SaveEncounter": (":save encounter⏎",),
    "Help": ("?",),
    "PictureMode": ("Si",),
}
"""How each mode with a line of text is opened: ⏎ Enter, ⇥ Tab, → right, ^ ctrl+p."""

SIGNS = {"⏎": "enter", "⇥": "tab", "→": "right", "^": "ctrl+p"}
HELPED = {"Prompt", "Picker", "TurnBatch", "ReactionList", "BranchList"}
"""Where `?` opens the help: no answer, name or option has one in it."""
SWIFT = {"Jump"}
"""A label typed here goes there at once: that is what it is for."""
ON_THE_START_SCREEN = {"ForecastMode"}
"""Typed in only there: `tests/ui/forecast/test_start.py`."""
OF_A_GAME = {"ActBatch"}
"""Tried where there are acts on segments: `tests/ui/fight/test_declarations.py`."""


def modes_with_text() -> set[str]:
    """Return every mode of the interface that has a line of text."""
    found = set()
    for module in modules_below(tracker.ui):
        for name, kind in vars(importlib.import_module(module)).items():
            if (
                isinstance(kind, type)
                and issubclass(kind, Mode)
                and kind not in (Mode, ListMode, InputMode, SearchMode)
            ):
                hints = get_type_hints(kind)
                if any(hint in (Entry, Entry | None) for hint in hints.values()):
                    found.add(name)
    return found


def text_of(mode: object) -> str:
    """Return what stands in the line of a mode."""
    for name in ("naming", "entry"):
        entry = getattr(mode, name, None)
        if isinstance(entry, Entry):
            return entry.text
    return ""


async def open_field(table: Table, keys: str) -> None:
    for letter in keys:
        await (table.press(SIGNS[letter]) if letter in SIGNS else table.type(letter))


def test_every_mode_with_text_is_tried() -> None:
    """A mode that gets a line of text is tried here, or says why not."""
    assert modes_with_text() == set(FIELDS) | SWIFT | ON_THE_START_SCREEN | OF_A_GAME


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.long), 5])
@pytest.mark.parametrize("mode", FIELDS)
async def test_no_printable_key_is_a_command(tmp_path: Path, mode: str, share: int) -> None:
    """The fight, the panes and what is open stay; the text is there, sign by sign."""
    everything = EVERYTHING.replace("?", "") if mode in HELPED else EVERYTHING
    async with opened(fight(tmp_path, encounter(rules=House(parries=True)))) as table:
        begun = table.model
        for place, keys in enumerate(FIELDS[mode]):
            signs = everything[place % share :: share] if place else everything
            await open_field(table, keys)
            assert type(table.mode).__name__ == mode, (keys, table.text())
            kept = text_of(table.mode)
            before = (table.model, table.chosen, table.panes.cover, table.showing.odds.on, type(table.mode))
            await table.hurry(signs)
            assert (table.model, table.chosen, table.panes.cover, table.showing.odds.on, type(table.mode)) == before
            assert text_of(table.mode) == kept + signs
            await table.take_back(begun)
            await table.press("escape", "escape", "2")


async def test_no_label_typed_to_go_somewhere_is_a_command(table: Table) -> None:
    """Behind a blank a name is typed in full; nothing else happens."""
    await table.type("' ")
    before = (table.model, table.panes.chosen.number)
    await table.hurry(EVERYTHING.replace("'", ""))
    assert (table.model, table.panes.chosen.number, type(table.mode).__name__) == (*before, "Jump")
    assert text_of(table.mode) == " " + EVERYTHING.replace("'", "")


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.long), 4])
async def test_first_key_of_a_field_is_no_command_either(tmp_path: Path, share: int) -> None:
    """A letter or digit that is a command is text where it is typed first."""
    signs = sorted({name for key in KEYS if key.call for name in key.key.split(",") if len(name) == 1})

    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=1, targets=("ava",)),)))
    async with opened(session) as table:
        for place, keys in enumerate(("-", "a", ":", "^", "r", "o", "a3⏎")):
            for sign in signs[place % share :: share]:
                await open_field(table, keys)
                before = (table.model, table.panes.chosen.number, table.panes.cover, type(table.mode))
                await table.hurry(sign)
                now = (table.model, table.panes.chosen.number, table.panes.cover, type(table.mode))
                assert (*now, text_of(table.mode)) == (*before, sign), f"{sign} after {keys}"
                await table.press("escape", "escape")
