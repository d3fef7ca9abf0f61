"""The looks: every word is readable in our themes, nothing rests on colour alone."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from rich.color import Color
from rich.style import Style

from tests.ui.drive import Table, drive, fight, opened
from tracker.views.log.lines import ICONS

WORDS = (
    *("", "dim", "strong", "good", "bad", "warn", "players", "ally", "gm", "typed", "rule", "past", "title", "key"),
    *("better", "worse", "fresh", *ICONS, "turn-players", "turn-ally", "turn-gm"),
    *("chip-players", "chip-ally", "chip-gm"),
)
STATES = ("", "current", "acting", "done", "down", "past", "ghost", "refused", "head")
WANTED = {"tracker-dark": 4.5, "tracker-light": 4.5, "tracker-contrast": 7.0}


def brightness(color: Color | None) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    assert color is not None
    parts = [part / 255 for part in color.get_truecolor()]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style) -> float:
    darker, brighter = sorted((brightness(style.color), brightness(style.bgcolor)))
    return (brighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", WANTED)
async def test_every_word_can_be_read(table: Table, theme: str) -> None:
    """Text stands out from its ground as much as the guidelines for readable pages ask."""
    table.app.theme = theme
    await table.pilot.pause()
    look = table.app.look
    shown = {key: contrast(look.style(*key)) for key in product(WORDS, STATES, (False, True))}
    poor = {key: round(found, 2) for key, found in shown.items() if found < WANTED[theme]}
    assert poor == {}
    assert contrast(look.style("quiet", "", False)) >= 3  # no text: a bar of which nothing is missing
    assert contrast(look.veil) >= 3  # what lies under a dialog: not to be read now, and not lost


async def test_no_color_means_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With NO_COLOR no line has a colour, and the cursor's line is reversed."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(fight(tmp_path)) as table:
        assert table.app.theme == "ansi-dark"
        look = table.app.look
        styles = [look.style(*key) for key in product(WORDS, STATES, (False, True))]
        assert {(style.color, style.bgcolor) for style in styles} == {(None, None)}
        assert all(look.style(word, state, True).reverse for word, state in product(WORDS, STATES))


def test_few_colours_are_the_terminals_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of sixteen colours is drawn in its own, one of more in ours."""
    found = {}

    async def journey(table: Table) -> None:
        found[system] = table.app.theme

    for number, system in enumerate(("standard", "256", "truecolor")):
        monkeypatch.setattr("textual.constants.COLOR_SYSTEM", system)
        (tmp_path / str(number)).mkdir()
        drive(fight(tmp_path / str(number)), journey)

    assert found == {"standard": "ansi-dark", "256": "tracker-dark", "truecolor": "tracker-dark"}
