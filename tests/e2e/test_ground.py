"""The theme fits the ground of the terminal, as long as none has been chosen."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.line import Line
from tests.e2e.test_leaving import QUIT, app, started
from tracker.ui.platform.posix_driver import ASK_GROUND, _Decoder
from tracker.ui.widgets.themes import THEMES

LIGHT, DARK = "\x1b]11;rgb:ffff/fafa/f0f0\x1b\\", "\x1b]11;rgb:1e/1e/2e\x07"


def coloured(path: Path) -> int:
    os.environ["COLORTERM"] = "truecolor"
    return app(path)


def asked(line: Line, answer: str) -> bytes:
    """Answer what the app asks, and return what it draws after a key."""
    line.until("is a side caught")
    line.until(ASK_GROUND)
    line.write(answer.encode())
    while line.read(0.5):
        pass
    here = len(line.said)
    line.write(b"?")
    line.until("Keys", here)
    while line.read(0.5):
        pass
    return line.said[here:]


@pytest.mark.parametrize(("answer", "place"), [(LIGHT, 1), (DARK, 0), ("", 0)])
def test_a_light_ground_has_the_light_theme(tmp_path: Path, answer: str, place: int) -> None:
    """And no sign of the answer is taken for a key."""
    with started(coloured, tmp_path / "fights.db", False) as line:
        drawn = asked(line, answer)
        line.write(QUIT)
        assert line.ended() == 0

    colour = str(THEMES[place].foreground)
    numbers = ";".join(str(int(colour[start : start + 2], 16)) for start in (1, 3, 5))
    assert f"38;2;{numbers}".encode() in drawn
    assert b"rgb:" not in drawn


@pytest.mark.parametrize(
    ("sent", "left", "told"),
    [
        (LIGHT, "", [True]),
        (f"a{DARK}b", "ab", [False]),
        (LIGHT.replace("\x1b\\", "\x07") + DARK, "", [True, False]),
        ("\x1b]11;rgba:0000/0000/0000/ffff\x07é", "é", [False]),
        ("\x1b[A\x1b]10;rgb:ff/ff/ff\x07", "\x1b[A\x1b]10;rgb:ff/ff/ff\x07", []),
    ],
)
def test_an_answer_is_no_key(sent: str, left: str, told: list[bool]) -> None:
    """What a terminal says of its ground is taken out of what the user types."""
    heard: list[bool] = []

    assert _Decoder(heard.append).decode(sent.encode()) == left
    assert heard == told
