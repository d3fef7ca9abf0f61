"""The first picture of the players' screen, drawn before the terminal library is there.

Loading it takes longer than everything else together; meanwhile people already read how the fight stands.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from tracker.session.store.watching import Watch
from tracker.views.public.rows import screen_rows, waiting_rows
from tracker.views.words.spans import Row

__all__ = ["LEAVE", "draw"]

ENTER, LEAVE = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J", "\x1b[?25h\x1b[?1049l"
"""To the terminal's second screen, without a cursor, and back."""
CODES = {
    "strong": "1",
    "title": "1",
    "dim": "2",
    "good": "32",
    "bad": "31",
    "warn": "33",
    "players": "36",
    "ally": "32",
    "gm": "33",
    "typed": "1",
    "trial": "7",
    "cursor": "7",
    "quiet": "2",
    "past": "2",
    "turn-players": "7;36",
    "turn-ally": "7;32",
    "turn-gm": "7;33",
}
"""The terminal's own colours for the styles of spans."""


def draw(watch: Watch) -> bool:
    """Draw the first picture, if there is a terminal to draw it on.

    Tell whether it was."""
    watch.look()
    out = sys.stdout
    if not out.isatty():
        return False
    try:
        width, height = os.get_terminal_size(out.fileno())
    except OSError:
        return False
    view = watch.view
    rows = waiting_rows(watch.problem, width, height) if view is None else screen_rows(view, width, height)
    out.write(ENTER + "\r\n".join(_lines(rows, plain="NO_COLOR" in os.environ)))
    out.flush()
    return True


def _lines(rows: Sequence[Row], plain: bool) -> list[str]:
    lines: list[str] = []
    for row in rows:
        text = ""
        for span in row.spans:
            style = span.style.partition(" on ")[0]
            code = "" if plain and style not in ("strong", "title", "dim") else CODES.get(style, "")
            text += f"\x1b[{code}m{span.text}\x1b[0m" if code else span.text
        lines.append(text)
    return lines
