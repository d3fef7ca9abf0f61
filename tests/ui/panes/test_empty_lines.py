"""What fills lines that would be empty, and what is dimmed under a dialog."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.drive import Table, opened, resume
from tests.ui.games import SV, WN, begin, begun, played
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do, RollRest
from tracker.ui.modes.acting.interact import first_attack
from tracker.ui.panes.log import LogPane
from tracker.ui.panes.pane import BlockPane
from tracker.ui.platform.settings import UiState
from tracker.ui.typing.mode import Result


async def test_the_keys_to_begin_with_are_shown_until_round_1(tmp_path: Path) -> None:
    """Below the first question; then the combatant that acts, and its target while its attack is asked about."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        assert "All it takes enter take what is proposed n next turn" in table.pane("console")
        await begin(table)
        assert "All it takes" not in table.text()
        await table.type("ah⏎")
        assert "h Hedge Robber 1 up HP 5/5" in table.pane("console")
        await table.type("*")
        await table.press("escape")
        await table.type("R")
        assert "h Hedge Robber 1" not in table.pane("console")


async def test_the_target_is_shown_before_the_attack_is_chosen(tmp_path: Path) -> None:
    """Given labels in the list of actions, the stat block is that of the target, at first of the proposed one."""
    async with opened(begun(tmp_path, WN, "first_fight"), (120, 70)) as table:
        await begin(table)
        await table.type("a")
        assert "h Hedge Robber 1 up" in table.pane("console")
        await table.type("r")
        assert "r Hedge Robber 2 up" in table.pane("console")


@pytest.mark.parametrize(("size", "where"), [((120, 40), "map"), ((200, 60), "block")])
async def test_one_pane_shows_the_stat_block_beside_a_map(tmp_path: Path, size: tuple[int, int], where: str) -> None:
    """Below the map while the stat block has no place of its own."""
    async with opened(begun(tmp_path, SV, "gate_brawl"), size) as table:
        await table.press("escape")
        who = table.state[table.showing.selected or ""]
        shown = [name for name in ("map", "block", "console") if f"{who.label} {who.name} up" in table.pane(name)]

        assert shown == [where]


async def test_the_stat_block_below_a_map_is_that_of_the_target_asked_about(tmp_path: Path) -> None:
    """In the map alone, and again that of the combatant under the cursor once the attack is done."""
    session = begun(tmp_path, SV, "gate_brawl")
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session, (120, 50)) as table:
        way = first_attack(table.showing.context, "ysolde", "goblin-1")
        assert way is not None
        table.showing.apply(Result(None, (Do(way.actions),)))
        await table.press()
        assert table.model.pending is not None
        shown = [name for name in ("map", "console") if "n Goblin 1 up" in table.pane(name)]
        assert shown == ["map"]


async def test_a_low_screen_has_map_and_action_pane_alone(tmp_path: Path) -> None:
    """The newest line of the log is in the frame below; other panes come with their keys."""
    async with opened(begun(tmp_path, SV, "gate_brawl"), (80, 24)) as table:
        await begin(table)
        await table.press("escape")
        await table.type("5")
        assert [pane.id for pane in table.panes.fight if pane.display] == ["map", "console"]
        newest = table.panes.of(LogPane).newest()
        assert table.text().splitlines()[-2].startswith(f"╰─ {newest[:60]}")
        await table.type("3")
        assert [pane.id for pane in table.panes.fight if pane.display] == ["order", "map", "console", "log"]


async def test_a_stat_block_instead_of_the_log_has_its_title_at_the_next_start(tmp_path: Path) -> None:
    """The pane is not called the log while it shows none."""
    memory = UiState(lambda: tmp_path)
    session = begun(tmp_path, WN, "first_fight")
    async with opened(session) as table:
        table.cockpit.memory = memory
        await table.press("escape")
        await table.type("b")
    async with opened(resume(session)) as table:
        table.panes.recall(memory.panes)
        await table.pilot.pause()
        assert table.panes.of(LogPane).title == table.panes.of(BlockPane).row.title


async def test_everything_under_a_dialog_is_dimmed(table: Table) -> None:
    """As long as it is open; an enlarged pane dims nothing."""
    await table.press("escape")
    for keys, dimmed in (("?", True), ("escape", False), ("ctrl+p", True), ("escape", False), ("2", False)):
        await table.press({"?": "question_mark"}.get(keys, keys))
        assert {pane.dimmed for pane in table.panes.fight} == {dimmed}
        colours = {segment.style and segment.style.color for segment in table.panes.console.render_line(1)}
        assert (len(colours) == 1) is dimmed


async def test_a_map_without_room_leaves_the_stat_block_to_the_action_pane(tmp_path: Path) -> None:
    """Where squares take the whole pane, what it would show stands below the actions; never in both."""
    session = begun(tmp_path, SV, "gate_brawl")
    while session.model.pending is not None or session.model.state.clock.round < 1:
        session.dispatch(RollRest() if session.model.pending is not None else Advance())
    foes = tuple(one.id for one in session.model.state.combatants if one.side == "raiders")
    async with opened(session) as table:
        assert "Physical" in table.pane("map")
        assert "Physical" not in table.pane("console")

        session.dispatch(Do((action("status", status="dead", targets=foes),)))
        table.showing.show(session.model, None)
        await table.type("-1")
        assert "Physical" not in table.pane("map")
        assert "Physical" in table.pane("console")


async def test_no_two_panes_show_one_stat_block(tmp_path: Path) -> None:
    """Given the target's in its own pane, the action pane has that of the combatant that attacks it."""
    async with opened(begun(tmp_path, WN, "first_fight"), (200, 60)) as table:
        await begin(table)
        await table.press("escape")
        robber = next(one.id for one in table.state.combatants if one.name == "Hedge Robber 1")
        way = first_attack(table.showing.context, "ordwen", robber)
        assert way is not None
        table.showing.select(robber)
        table.panes.of(BlockPane).pin()
        table.showing.apply(Result(None, (Do(way.actions),)))
        await table.press()
        assert "h Hedge Robber 1 up" in table.pane("block")
        assert "o Ordwen up" in table.pane("console")


async def test_the_map_shows_the_target_of_a_sheet_s_line(tmp_path: Path) -> None:
    """Where the sheet fills its pane; another line has another target."""
    session = begun(tmp_path, SV, "gate_brawl")
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session) as table:
        await table.type("A")
        assert "n Goblin 1 up" in table.pane("map")
        await table.press("down")
        assert "o Goblin 2 up" in table.pane("map")


async def test_a_stat_block_without_room_goes_without_headings(tmp_path: Path) -> None:
    """The frame says how many lines are left out."""
    async with opened(begun(tmp_path, SV, "gate_brawl"), (120, 40)) as table:
        await table.press("escape")
        assert "y Ysolde up HP 13/13" in table.pane("map")
        assert re.search(r"─ ↓ \d+ more ─╯\n", table.text())
