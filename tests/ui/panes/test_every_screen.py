"""What holds for every screen of the book: each page of the five games, at three sizes and in every look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.style import Style
from textual.theme import Theme

from tests.support.quick import settled
from tests.ui.book import FIGHTS, SIZES, dice, screens
from tests.ui.drive import SETTINGS, Table, opened
from tests.ui.forecast.canned import canned
from tests.ui.games import begun, shelved
from tests.ui.panes.test_look import WANTED, contrast
from tracker.ui.panes.console import LEAST_CARD
from tracker.ui.panes.pane import LEAST_BLOCK
from tracker.ui.panes.roster import RosterPane
from tracker.ui.widgets.lines import FRAME, LEAST_HEIGHT
from tracker.ui.widgets.themes import THEMES
from tracker.views.log.lines import ICONS
from tracker.views.words.sides import CAMPS, allegiance_of
from tracker.views.words.spans import MORE, Row

FAINT = frozenset("─│┃╭╮╯╰╌┆═║╔╗╚╝▒·~━┌┐└┘ ")
"""Signs that say nothing by themselves: frames, walls, the ground, bars of which nothing is missing."""
SPARE = 12
"""Cells behind a value that may be left for longer ones while words before it are cut."""


def pieces(table: Table) -> Iterator[tuple[str, Style]]:
    for strip in table.app.screen._compositor.render_strips():
        for segment in strip:
            yield segment.text, segment.style or Style()


def poor(table: Table, theme: Theme) -> dict[tuple[str, str], float]:
    """Return the texts of the screen that stand out too little from their ground."""
    veil = table.app.look.veil.color
    found = {}
    for text, style in set(pieces(table)):
        wanted = 3.0 if style.color == veil else WANTED[theme.name]
        if not FAINT.issuperset(text) and (ratio := contrast(style)) < wanted:
            found[text, str(style)] = round(ratio, 2)
    return found


def colourless(table: Table) -> dict[str, str]:
    """Return what would not be seen in a terminal's own colours: white or black signs, a ground without a colour."""
    return {
        text: str(style)
        for text, style in set(pieces(table))
        if text.strip() and (style.bgcolor is not None or str(style.color and style.color.number) in {"0", "7", "15"})
    }


def cut_above_empty_lines(table: Table) -> dict[str, tuple[str, ...]]:
    """Return the rows of lists that are cut above a line that is empty."""
    found = {}
    for pane in table.panes.fight:
        rows = [row.text for row in pane._shown if row is not None] if pane.display else []
        if pane.row.id in ("roster", "order", "log") and len(rows) < pane.room[1]:
            found[pane.row.id] = tuple(row for row in rows if MORE in row)
    return {name: rows for name, rows in found.items() if rows}


def half_empty(table: Table) -> bool:
    """Tell whether the action pane has room for a stat block or the first keys that no pane shows."""
    pane = table.panes.console
    keys = [row.key for row in pane._shown if row is not None]
    least = LEAST_BLOCK if table.state.clock.round else LEAST_CARD
    return "rule" not in keys and pane.about_whom() is not None and pane.room[1] - len(keys) >= least


async def sized(table: Table, size: tuple[int, int]) -> None:
    """Change the size of the terminal, without the moment in which the library waits for further changes."""
    await table.pilot.resize_terminal(*size)
    table.app._check_resize()
    await settled(table.app)
    assert table.panes.console.screen.size == size


def coloured(table: Table) -> set[str]:
    """Return what has a colour."""
    return {
        f"{text!r} {style}"
        for text, style in set(pieces(table))
        if any(colour is not None and not colour.is_default for colour in (style.color, style.bgcolor))
    }


def shown_rows(table: Table) -> Iterator[tuple[Row, bool]]:
    """Yield the rows that can be read, not dimmed below a dialog, and whether the cursor is on each."""
    for pane in table.panes.every:
        if pane.display and not pane.dimmed and pane.room > (0, 0):
            yield from ((row, at == pane._selected) for at, row in enumerate(pane._shown) if row is not None)


def unmarked(table: Table) -> list[str]:
    """Return the first lines of what is chosen or has its turn that no sign says it of, nor reversed text."""
    before, found = "", []
    for row, selected in shown_rows(table):
        first, before = row.state != before, row.state
        if row.state in ("current", "acting") and first and not selected and not CHOSEN.search(row.text):
            found.append(row.text)
    return found


def unlike_words(table: Table) -> list[str]:
    """Return the keys that look as words beside them do."""
    look, found = table.app.look, []
    rows = [*shown_rows(table), (table.screen.footer.row(table.screen.size.width), False)]
    for row, selected in rows:
        spans = [span for span in row.spans if span.text.strip()]
        for span, other in pairwise(spans):
            one, two = (look.style(part.style, row.state, selected) for part in (span, other))
            if span.style == "key" and other.style != "key" and row.state not in ("current", "acting") and one == two:
                found.append(row.text)
    return found


def unreasoned(table: Table) -> list[str]:
    """Return what cannot be done and looks as if it could be."""
    dim = table.app.look.style
    return [
        row.text
        for row, selected in shown_rows(table)
        if row.state == "refused" and "✗" not in row.text
        if not all(dim(span.style, row.state, selected).dim for span in row.spans if span.text.strip())
    ]


def unsided(table: Table) -> list[str]:
    """Return the lines of foes and allies that no sign tells from the players' characters."""
    ruleset, state = table.cockpit.session.ruleset, table.state
    camps = {one.id: allegiance_of(ruleset, state, one.side) for one in state.combatants}
    roster = table.panes.of(RosterPane)
    rows = [row for row in roster._shown if row is not None and row.key in camps] if roster.display else []
    firsts = {row.key: row for row in reversed(rows)}
    events = set(ICONS.values())
    return [
        row.text
        for key, row in firsts.items()
        if not row.text.startswith(("▸", "▾")) and not {CAMPS[camps[key]], *events} & set(row.text[1:4])
    ]


CHOSEN = re.compile("[▸▶>●✓]")


@pytest.mark.parametrize("game", FIGHTS)
async def test_every_screen_without_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """With NO_COLOR nothing has a colour, and signs or weight tell what is chosen, a key, refused, and whose side."""
    monkeypatch.setenv("NO_COLOR", "1")
    canned(monkeypatch)
    session = begun(tmp_path, game, FIGHTS[game], replace(SETTINGS, roller=dice(game)))
    sizes = cycle(SIZES)
    async with opened(session, (120, 40), find=shelved(game)) as table:
        async for name in screens(table, brief=False):
            await sized(table, size := next(sizes))
            told = [coloured(table), unmarked(table), unlike_words(table), unreasoned(table), unsided(table)]
            assert (name, size, [found for found in told if found]) == (name, size, [])
            await sized(table, (120, 40))


@pytest.mark.parametrize("game", FIGHTS)
async def test_every_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """All words can be read in every theme, nothing is cut above or beside empty cells, no half pane is empty.

    In sixteen colours no sign is black or white, which a terminal's ground may be.
    """
    canned(monkeypatch)
    session = begun(tmp_path, game, FIGHTS[game], replace(SETTINGS, roller=dice(game)))
    sizes = cycle(SIZES)
    async with opened(session, (120, 40), find=shelved(game)) as table:
        async for name in screens(table, brief=False):
            await sized(table, size := next(sizes))
            where = (name, size)
            if table.panes.cover is None:
                assert (where, cut_above_empty_lines(table)) == (where, {})
                assert (where, half_empty(table)) == (where, False)
            if table.panes.cover is table.panes.over:
                shown = table.panes.over._shown
                assert (where, None not in shown[LEAST_HEIGHT - FRAME :]) == (where, True)
                texts = [row.text.rstrip() for row in shown if row is not None]
                cut = [text for text in texts if MORE in text and text[-1].isdigit()]
                assert (where, [text for text in cut if len(text) + SPARE < table.panes.over.room[0]]) == (where, [])
            for theme in THEMES:
                table.app.theme = theme.name
                await settled(table.app)
                assert (where, theme.name, poor(table, theme)) == (where, theme.name, {})
            for few in ("ansi-dark", "ansi-light"):
                table.app.theme = few
                await settled(table.app)
                assert (where, few, colourless(table)) == (where, few, {})
            await sized(table, (120, 40))
