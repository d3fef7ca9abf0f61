"""The map pane: the way is drawn before the move, going there, areas, and a line of distances."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from rulesets.sovereign import RULESET as SOVEREIGN
from tests.ui.drive import SIZES, Table, fight, opened
from tests.ui.games import ENCOUNTERS, SV, SW, begun
from tracker.core.terms.actions import action
from tracker.kit.squares.paths import _search
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Do
from tracker.session.session import Session
from tracker.ui.modes.acting.interact import InteractMode
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.typing.mode import Result


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return begun(tmp_path, SV, "first_fight")


async def begin(table: Table) -> None:
    """Answer what stands before the first turn, with the highest dice for the party."""
    for _ in range(40):
        if table.model.pending is None:
            break
        await table.type("*")


async def choose_ysolde(table: Table) -> None:
    """Begin her side's turn, and go to her on the map."""
    await begin(table)
    if table.state.clock.current is not None and table.state.clock.current.side != "party":
        await table.type("nn")
    table.showing.select("ysolde")
    await table.type("5")


@pytest.mark.parametrize("size", SIZES)
async def test_the_way_and_its_cost_are_drawn_before_anybody_goes(tmp_path: Path, size: tuple[int, int]) -> None:
    """Ysolde stands at 5,9; two squares up is 10 ft, and Enter goes there."""
    async with opened(begun(tmp_path, SV, "first_fight"), size) as table:
        await choose_ysolde(table)
        await table.press("up", "up")
        assert "Ysolde: 10 of 30 ft" in table.text()
        assert table.state["ysolde"].position == (5, 9)
        await table.press("enter")
        assert (table.state["ysolde"].position, table.state["ysolde"].left("move")) == ((5, 7), 0)


@pytest.mark.parametrize(("aside", "stays_at"), [("", (5, 7)), ("right", (6, 9))])
async def test_the_cursor_goes_with_whom_it_is_on(table: Table, aside: str, stays_at: tuple[int, int]) -> None:
    """No way back is drawn for one that has just come; a cursor elsewhere stays."""
    await choose_ysolde(table)
    await table.press(*filter(None, (aside,)))
    table.showing.apply(Result(None, (Do((action("run", "ysolde", to=(5, 7)),)),)))
    await table.pilot.pause()
    assert table.state["ysolde"].position == (5, 7)
    assert table.panes.of(MapPane).cursor == stays_at


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("enlarged", [False, True])
async def test_a_click_points_and_a_second_one_goes_there(
    tmp_path: Path, size: tuple[int, int], enlarged: bool
) -> None:
    """The square under the mouse, wherever the map stands on the screen."""
    async with opened(begun(tmp_path, SV, "first_fight"), size) as table:
        await begin(table)
        table.showing.select("ysolde")
        await table.type("55" if enlarged else "5")
        pane = table.screen.query_one(MapPane)
        rows = table.text().splitlines()
        cursor = re.compile(r"[\[┌]y")
        place, across = next(
            (number, found.start() + 1) for number, row in enumerate(rows) if (found := cursor.search(row))
        )
        assert pane.frame is not None
        await table.pilot.click(offset=(across, place - 2 * pane.frame.scale.high))
        assert (pane.cursor, table.state["ysolde"].position) == ((5, 7), (5, 9))
        there = re.compile(r"│ +7 .*?([\[┌])")
        place, across = next(
            (number, found.start(1))
            for number, row in enumerate(table.text().splitlines())
            if (found := there.search(row))
        )
        await table.pilot.click(offset=(across, place))
        assert table.state["ysolde"].position == (5, 7)


async def test_the_footer_names_the_keys_of_what_has_them(table: Table) -> None:
    """Those of the map while its squares are looked at, those of the fight elsewhere."""
    await choose_ysolde(table)
    assert table.text().splitlines()[-1].split()[:6] == ["t", "area", "T", "shape", "G", "reach"]
    await table.type("2")
    assert table.text().splitlines()[-1].split()[:2] == ["a", "act"]


async def test_what_is_under_the_cursor_is_said(table: Table) -> None:
    """A wall, and why it cannot be entered; a combatant there, and how well it is seen."""
    await begin(table)
    table.showing.select("ysolde")
    await table.type("5")
    await table.press("left")
    assert "4,9 · wall" in table.text()
    assert "✗ Ysolde" in table.text()
    await table.press("right", "down")
    assert "Corvin (c) · no cover" in table.text()


async def test_an_area_says_whom_it_catches(table: Table) -> None:
    await begin(table)
    table.showing.select("ysolde")
    await table.type("5tt")
    assert "10 ft area of 11 squares catches: y m c p" in table.text()
    await table.press("escape")
    assert "catches" not in table.text()
    await table.type("T25")
    assert "25 ft cone of " in table.text()
    await table.press("up", "up")
    assert "> 25" in table.text()
    await table.press("backspace", "backspace")
    await table.type("7")
    assert "7 ft cone of 1 square " in table.text()
    await table.type("t")
    assert "15 ft cone of " in table.text()
    await table.type("T45⏎")
    assert "45 ft line of " in table.text()
    await table.press("2")
    assert table.panes.chosen.number == 2


async def test_enter_on_a_foe_offers_what_can_be_done_to_it(table: Table) -> None:
    """Two keys go to a foe and strike it, where forms took sixteen."""
    await begin(table)
    table.showing.select("maud")
    await table.type("5")
    pane = table.screen.query_one(MapPane)
    await table.press("tab")
    assert pane.cursor == table.state["bone-soldier-2"].position
    table.showing.select("ysolde")
    await table.type("O")
    await table.press("tab", "tab")
    await table.until("Bone Soldier 1 (b) · half cover")
    table.showing.select("maud")
    await table.press("tab")
    before = table.pressed
    await table.press("enter")
    assert "m Maud → s Bone Soldier 2" in table.text()
    assert "Run 15 ft + Melee Attack" in table.text()
    assert table.text().count("↗") == 2
    assert "Maud: 15 of 30 ft " in table.text()
    await table.press("down")
    assert "15 of 30 ft" not in table.text()
    await table.press("up")
    before += 2  # for the look at another way
    await table.until("Run 15 ft + Melee Attack  hits 40%")
    await table.press("enter")
    assert table.pressed - before == 2
    assert table.state["maud"].position == (6, 6)
    assert (table.state["maud"].left("move"), table.state["maud"].left("main")) == (0, 0)
    await begin(table)
    pane.cursor = (6, 10)
    await table.type("tt-")
    assert "> y c p 4" in await typed(table, "4")
    await table.press("escape")
    await table.press("V", "enter")
    assert "players see 12" in table.text()
    assert ", fog: players do not see it" in table.text()
    await table.press("n", "n")
    assert "catches" not in table.text()


async def typed(table: Table, text: str) -> str:
    await table.type(text)
    return table.text()


async def test_a_line_of_distances_shows_who_stands_where(tmp_path: Path) -> None:
    async with opened(begun(tmp_path, SW, "two_brawls")) as table:
        await begin(table)
        await table.type("5")
        assert "├─ brawl 1 · 3 of 20 ──┤" in table.text()
        assert "10 m • t Skeleton 1 · in brawl 1 · 19/19" in table.text()
        pane = table.screen.query_one(MapPane)
        for key in "tTDL><":
            assert "✗ this fight has no map of squares" in await typed(table, key), key
            await table.press("escape")
        assert pane.overlays.size == 0
        table.showing.select("finn")
        await table.press("tab")
        assert pane.pointed == "skeleton-1"
        await table.press("down", "enter")
        assert "f Finn → u Skeleton 2" in table.text()


async def test_a_fight_without_a_map_says_so(tmp_path: Path) -> None:
    async with opened(begun(tmp_path, SV, "night_road")) as table:
        await begin(table)
        await table.type("5")
        assert "this fight has no map" in table.text()


async def test_the_cursor_is_quick_on_a_big_map_with_a_crowd(tmp_path: Path) -> None:
    """60 x 60 squares, 60 tokens; however far the cursor goes, the ways from a square are found once."""
    places = [(1 + 7 * column, 1 + 9 * row) for row in range(7) for column in range(8)]
    grid = "\n".join("    " + ("#" * 60 if row in (0, 59) else "#" + ".~" * 29 + "#") for row in range(60))
    shutil.copytree(ENCOUNTERS / SV, tmp_path / "sovereign")
    path = tmp_path / "sovereign" / "big.yaml"
    path.write_text(
        f"ruleset: sovereign\ntitle: Plain\nsetup:\n  grid: |\n{grid}\nsides:\n"
        "  - {name: Party, control: players, careful: true, members: [{ref: ysolde, at: [30, 31]},"
        " {ref: maud, at: [31, 31]}, {ref: corvin, at: [30, 32]}, {ref: piet, at: [31, 32]}]}\n"
        "  - {name: The dead, control: gm, members: "
        f"[{{ref: bone-soldier, count: 56, at: {[list(place) for place in places]}}}]}}\n",
        encoding="utf-8",
    )
    prepared = load_encounter(path, lambda key: SOVEREIGN)
    assert prepared.encounter is not None, prepared.problems
    async with opened(fight(tmp_path, prepared.encounter, SOVEREIGN)) as table:
        await begin(table)
        assert len(table.state.combatants) == 60
        table.showing.select("ysolde")
        await table.type("5")
        pane = table.screen.query_one(MapPane)
        before = _search.cache_info().misses
        for _ in range(20):
            pane.step(1, 0)
        assert pane.cursor == (50, 31)
        assert _search.cache_info().misses == before
        assert "50,31" in table.text()


@pytest.mark.parametrize("size", SIZES)
async def test_a_number_that_is_not_in_the_list_stops_enter(tmp_path: Path, size: tuple[int, int]) -> None:
    """Enter on a combatant lists what can be done to it; a wrong number does nothing until another is chosen."""
    async with opened(begun(tmp_path, SV, "first_fight"), size) as table:
        await choose_ysolde(table)
        await table.press("tab", "enter")
        assert isinstance(table.mode, InteractMode)
        before = table.model
        await table.type("9")
        assert "there is no 9" in table.pane("console")
        await table.press("enter", "enter")
        assert isinstance(table.mode, InteractMode)
        assert "there is no 9" in table.pane("console")
        assert table.model is before
        await table.type("1⏎")
        assert table.model is not before
