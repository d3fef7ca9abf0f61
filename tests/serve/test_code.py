"""The QR code: dark on light in every theme, with a quiet zone."""

from __future__ import annotations

import re

import pytest
import segno
from rich.color import ColorTriplet
from textual.theme import BUILTIN_THEMES

from tracker.serve.server import QUIET_ZONE, qr_ansi, qr_lines
from tracker.ui.widgets.theme_styles import Styles
from tracker.views.words.spans import Row, Span

URL = "http://192.168.100.100:8023/abcdefghijklmnopqrst/"
DARK = {" ": (0, 0), "▄": (0, 1), "▀": (1, 0), "█": (1, 1)}
"""Which modules of a sign, the upper and the lower one, are drawn."""


def modules(lines: tuple[str, ...]) -> list[list[int]]:
    """Return the picture as it would be scanned, 1 for dark."""
    return [[DARK[sign][half] for sign in line] for line in lines for half in (0, 1)]


@pytest.mark.parametrize("quiet", [QUIET_ZONE, 2])
def test_the_code_is_that_of_the_address(quiet: int) -> None:
    """Each module is as the library makes it, inside a light frame."""
    wanted = [list(row) for row in segno.make(URL, error="l", micro=False).matrix]
    found = modules(qr_lines(URL, quiet))
    size = len(wanted)

    assert [row[quiet : quiet + size] for row in found[quiet : quiet + size]] == wanted
    around = [*found[:quiet], *found[quiet + size :], *[[*row[:quiet], *row[quiet + size :]] for row in found]]
    assert not any(map(any, around))
    assert min(len(found), len(found[0])) >= size + 2 * quiet
    assert QUIET_ZONE == 4


def test_a_terminal_shows_it_black_on_white() -> None:
    """The two colours belong to no theme."""
    lines = qr_lines(URL)
    assert [re.fullmatch("\x1b\\[38;5;16;48;5;231m(.*)\x1b\\[0m", line)[1] for line in qr_ansi(lines)] == [*lines]  # type: ignore[index]  # else the test fails as it should


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "solarized-light", "ansi-dark"])
def test_every_theme_shows_it_black_on_white(theme: str) -> None:
    """Its colours are the same on dark and light screens, under the cursor too."""
    look = Styles(BUILTIN_THEMES[theme].to_color_system().generate())
    for selected in (False, True):
        style = look.segments(Row("code", (Span("█", "code"),)), 1, selected)[0].style
        assert style is not None
        assert style.color is not None
        assert style.bgcolor is not None
        assert style.color.get_truecolor() == ColorTriplet(0, 0, 0)
        assert style.bgcolor.get_truecolor() == ColorTriplet(255, 255, 255)
