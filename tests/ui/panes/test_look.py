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


NUMBERS = {
    1: "red",
    2: "green",
    3: "yellow",
    4: "blue",
    5: "magenta",
    6: "cyan",
    9: "red+",
    12: "blue+",
    13: "magenta+",
}
PALETTES = {
    "xterm": "#cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #ff0000 #5c5cff #ff00ff",
    "vga": "#aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #ff5555 #5555ff #ff55ff",
    "tango": "#cc0000 #4e9a06 #c4a000 #3465a4 #75507b #06989a #ef2929 #729fcf #ad7fa8",
}
"""These colours in three terminals; a user's own cannot be known."""
GROUNDS = {"ansi-dark": "#000000", "ansi-light": "#ffffff"}


@pytest.mark.parametrize("theme", GROUNDS)
async def test_every_word_can_be_read_in_sixteen_colours(table: Table, theme: str) -> None:
    """In the usual palettes each coloured word stands out from a dark ground, in the light theme from a light one."""
    table.app.theme = theme
    await table.pilot.pause()
    look = table.app.look
    styles = [look.style(*key) for key in product(WORDS, STATES, (False, True))]
    used = {style.color.number for style in styles if style.color is not None}
    ground = Color.parse(GROUNDS[theme])
    shown = {}
    for name, palette in PALETTES.items():
        known = dict(zip(NUMBERS, map(Color.parse, palette.split()), strict=True))
        for number in used:
            assert number is not None
            shown[name, NUMBERS[number]] = contrast(Style(color=known[number], bgcolor=ground))
    assert {key: round(found, 2) for key, found in shown.items() if found < 4.0} == {}


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


@pytest.mark.parametrize("chosen", ["", "tracker-light"])
async def test_no_color_means_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chosen: str) -> None:
    """With NO_COLOR no line has a colour, whatever theme is chosen, and the cursor's line is reversed."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(fight(tmp_path)) as table:
        if chosen:
            table.app.theme = chosen
        assert table.app.theme == "ansi-dark"
        look = table.app.look
        styles = [look.style(*key) for key in product(WORDS, STATES, (False, True))]
        assert {(style.color, style.bgcolor) for style in styles} == {(None, None)}
        assert all(look.style(word, state, True).reverse for word, state in product(WORDS, STATES))


def test_few_colours_are_the_terminals_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of sixteen colours is drawn in its own, one of more in ours."""
    found: dict[str, str] = {}

    async def journey(table: Table) -> None:
        found[system] = table.app.theme

    for number, system in enumerate(("standard", "256", "truecolor")):
        monkeypatch.setattr("textual.constants.COLOR_SYSTEM", system)
        (tmp_path / str(number)).mkdir()
        drive(fight(tmp_path / str(number)), journey)

    assert found == {"standard": "ansi-dark", "256": "tracker-dark", "truecolor": "tracker-dark"}
