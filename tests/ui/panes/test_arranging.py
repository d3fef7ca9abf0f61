"""Where the panes of a fight stand."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from tests.ui.drive import Table, fight, opened, resume
from tests.ui.games import SV, SW, begun
from tracker.ui.platform.settings import UiState
from tracker.ui.widgets.layout import (
    BARS,
    Content,
    Layout,
    Overrides,
    compute_layout,
    read_sizes,
    rectangles,
    resized,
    written,
)

NINE = Content(roster=9, sides=2)


@pytest.mark.parametrize(
    ("size", "held", "places"),
    [
        ((80, 24), NINE, Layout(12, 25, 38)),
        ((80, 24), Content(roster=5, sides=2), Layout(8, 25, 38)),
        ((120, 40), NINE, Layout(16, 30, 46)),
        ((120, 40), Content(roster=300, sides=2), Layout(26, 30, 46)),
        ((120, 40), Content(9, 2, map=True), Layout(22, 30, 46)),
        ((200, 60), NINE, Layout(28, 36, 64, block=44)),
        ((200, 60), Content(9, 2, board=True), Layout(21, 36, 64, map=78, beside=True)),
        ((200, 60), Content(9, 2, board=True, squares=(20, 11)), Layout(30, 34, 56, 44, 87, beside=True, lowered=True)),
        ((200, 60), Content(9, 2, board=True, squares=(60, 60)), Layout(46, 34, 56, 0, 148, beside=True, lowered=True)),
        ((120, 40), Content(9, 2, board=True, squares=(20, 11)), Layout(18, 24, 46, 0, 67, beside=True, lowered=True)),
        ((120, 40), Content(23, 2, board=True, squares=(20, 11)), Layout(26, 24, 46, 0, 67, beside=True, lowered=True)),
        ((80, 24), Content(9, 2, map=True, used=True, squares=(20, 11)), Layout(16, 0, 0, alone=True)),
        ((80, 24), Content(9, 2, map=True, squares=(20, 11)), Layout(13, 25, 38)),
        ((240, 60), Content(9, 2, board=True), Layout(28, 36, 64, block=44, map=74, beside=True)),
        ((20, 6), NINE, Layout(2, 16, 16)),
    ],
)
def test_panes_are_as_high_as_what_they_hold(size: tuple[int, int], held: Content, places: Layout) -> None:
    """The lists and a line of distances get the lines they fill, a map that stands alone three fifths."""
    found = compute_layout(*size, held, Overrides())

    assert found == places


@pytest.mark.parametrize("squares", [(0, 0), (20, 11), (80, 60)])
@pytest.mark.parametrize("used", [False, True])
def test_panes_fill_the_screen_and_never_overlap(squares: tuple[int, int], used: bool) -> None:
    """At every size, with the map beside the combatants and instead of them."""
    content = Content(9, 2, board=squares != (0, 0), map=used, used=used, squares=squares)
    for width, height in product(range(60, 260, 7), range(16, 70, 5)):
        places = compute_layout(width, height, content, Overrides())
        order = [] if places.alone else ["order"]
        upper = [*order[places.lowered :], *(["roster", "map"] if places.beside else ["map"])]
        upper += ["block"] if places.block else []
        lower = [*order[: places.lowered], "console", *([] if places.alone else ["log"])]
        found = rectangles(places, width, height - BARS, upper, lower)
        cells = Counter(
            (x, y)
            for left, top, wide, high in found.values()
            for x in range(left, left + wide)
            for y in range(top, top + high)
        )

        assert set(cells.values()) == {1}
        assert len(cells) == width * (height - BARS)


def test_panes_do_not_jump() -> None:
    """They grow and shrink by two lines at a time, whatever the order shows."""
    assert [compute_layout(120, 40, Content(rows, 2), Overrides()).above for rows in range(7, 12)] == [
        14,
        16,
        16,
        18,
        18,
    ]


def test_what_was_pulled_stays() -> None:
    """Edges keep their share of any screen, and are never pulled over each other."""
    places = compute_layout(120, 40, NINE, Overrides())
    sizes = resized(resized(Overrides(), places, "above", 5, 40), places, "order", -100, 40)

    assert compute_layout(120, 40, NINE, sizes) == changed_to(places, above=21, order=16)
    assert compute_layout(120, 78, NINE, sizes).above == 42
    assert read_sizes(written(sizes, chosen="log", big="")) == (sizes, {"chosen": "log"})
    assert read_sizes("order=x above=99999 = a=b=c map=70 odd=1") == (Overrides(map=70), {"odd": "1", **strange()})


def changed_to(places: Layout, above: int, order: int) -> Layout:
    return Layout(above, order, places.console, places.block, places.map, places.beside)


def strange() -> dict[str, str]:
    return {"order": "x", "above": "99999", "": ""}


def borders(table: Table) -> tuple[int, int, int]:
    """The lines above, and the widths of order and console."""
    named = table.panes.named
    return named("order").size.height, named("order").size.width, named("console").size.width


async def test_edges_are_pulled_by_keys_and_mouse_and_remembered(tmp_path: Path) -> None:
    """All of it stands again at the next start, the chosen pane as well."""
    memory = UiState(lambda: tmp_path)
    session = fight(tmp_path)
    async with opened(session) as table:
        table.cockpit.memory = memory
        above, order, console = borders(table)
        await table.press("ctrl+down", "ctrl+down", "ctrl+right", "3", "ctrl+left")
        assert borders(table) == (above + 2, order + 2, console - 2)
        await table.pilot.mouse_down(offset=(order + 2, 4))
        await table.pilot.hover(offset=(order + 9, 4))
        await table.pilot.mouse_up(offset=(order + 9, 4))
        assert borders(table) == (above + 2, order + 9, console - 2)
        assert table.chosen == (3, False)
        table.panes.pull("above", -100)
        await table.pilot.pause()
        assert borders(table)[0] == 5
        await table.press("ctrl+down")
    assert "chosen=log" in memory.panes
    async with opened(resume(session)) as table:
        table.cockpit.memory = UiState()
        table.panes.recall(UiState(lambda: tmp_path).panes)
        table.panes.apply_layout(table.model)
        await table.pilot.pause()
        assert (borders(table)[1], table.panes.chosen.number) == (39, 3)
        await table.press("2")
        table.panes.sizes = Overrides()
        table.panes.apply_layout(table.model)
        await table.pilot.pause()
        before = borders(table)
        assert before[1] == 30
        await table.type("i9 goblin⏎")
        assert borders(table)[0] == before[0] + 10


async def test_map_and_combatants_stand_side_by_side(tmp_path: Path) -> None:
    """On a wide screen both are there, else one of them."""
    async with opened(begun(tmp_path, SV, "first_fight"), (200, 60)) as table:
        await table.press("escape")
        assert [table.panes.named(name).display for name in ("roster", "map", "block")] == [True, True, True]
        await table.type("5")
        assert table.panes.named("roster").display
        table.panes.apply_layout(table.model, (120, 40))
        assert [table.panes.named(name).display for name in ("roster", "map")] == [True, True]
        table.panes.apply_layout(table.model, (100, 40))
        assert [table.panes.named(name).display for name in ("roster", "map")] == [False, True]


async def test_beside_a_line_of_distances_no_number_of_a_game_is_missing(tmp_path: Path) -> None:
    """The combatants have room for every column of the game before the line gets more."""
    async with opened(begun(tmp_path, SW, "two_brawls"), (200, 60)) as table:
        heading = table.pane("roster").partition(" w ")[0].split()
        assert [column.title for column in table.cockpit.session.ruleset.columns if column.title not in heading] == []
