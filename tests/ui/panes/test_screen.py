"""The screen of a fight: what stands on it, at any size."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.ui.drive import Table, drive, fight, opened, resume
from tests.ui.skirmish import Body, House, encounter
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter, Member, SideSetup
from tracker.session.intents import Do
from tracker.ui.panes.pane import BlockPane
from tracker.ui.panes.roster import RosterPane
from tracker.ui.widgets.lines import RowsWidget

SIZES = [(80, 24), (120, 40), (200, 60)]


def lines_with(text: str, screen: str) -> list[str]:
    return [line for line in screen.split("\n") if text in line]


@pytest.mark.parametrize("size", SIZES)
async def test_everything_needed_is_on_the_screen_at_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    """Turn, actions, points, what comes next and the keys are there at each size."""
    async with opened(fight(tmp_path), size) as table:
        screen = table.text()
        assert all(
            words in screen
            for words in (
                "Ava's turn",
                "Attack",
                "20/20",
                "the ford rises",
                "Goblin 3",
                "quit",
                "1 Initiative",
                "3 Log",
            )
        )
        rows = screen.rstrip("\n").split("\n")
        assert (len(rows), max(len(row) for row in rows) <= size[0]) == (size[1], True)


async def test_wide_screen_has_the_stat_block(tmp_path: Path) -> None:
    """Where there is room the stat block is simply there."""

    def shown(table: Table) -> str | None:
        return table.panes.of(BlockPane).selected

    async with opened(fight(tmp_path), (200, 60)) as table:
        assert "Stat block" in table.text()
        await table.type("a1⏎**")
        await table.press("down", "down")
        assert shown(table) == table.showing.selected == "brin"
        await table.type("3")
        assert shown(table) == "ava"
        assert "a Ava" in table.text()
        await table.type("2")
        assert shown(table) == "brin"
        await table.press("up", "up")
        await table.type("b")
        await table.press("down")
        assert lines_with("Stat block, held", table.text())
        assert lines_with("a Ava", table.text())


async def test_stat_block_takes_the_place_of_the_log(table: Table) -> None:
    """On narrower screens `b` shows it instead of the log, and the log again."""
    await table.type("b")
    await table.press("down")
    assert "3 Stat block" in table.text()
    assert lines_with("│ w Wolf                  ", table.text())

    await table.type("b")
    assert "3 Log" in table.text()


async def test_the_wheel_moves_the_action_pane_too(table: Table) -> None:
    """The action pane tells of the combatant that the wheel has come to."""
    roster = table.panes.of(RosterPane)
    roster.post_message(roster.Scrolled(roster, 1))
    await table.until(lambda: table.showing.selected != "ava")
    state = table.panes.console.state
    assert state is not None
    assert state.scene.selected == table.showing.selected


async def test_a_page_is_as_high_as_what_it_says(table: Table) -> None:
    """A short page leaves the table in sight, a long one says how much more there is."""
    await table.type("w-3a⏎w")
    rows = table.text().splitlines()
    first = next(place for place, row in enumerate(rows) if "╔═ What-if" in row)
    last = next(place for place, row in enumerate(rows) if place > first and row.count("╚") > row.count("╔"))
    assert last - first < 12
    assert lines_with("3 Log", table.text())

    await table.press("d")
    await table.type("?")
    assert re.search(r"↓ \d+ more ─╯", table.text())


async def test_no_size_is_too_small_for_an_enlarged_pane(table: Table) -> None:
    """Every line any pane may be asked for can be drawn, beyond its edges too."""
    await table.press("2", "2")
    for size in ((1, 1), (2, 2), (3, 1), (5, 4), (1, 60), (200, 1), (4, 3)):
        await table.pilot.resize_terminal(*size)
        for pane in table.screen.query(RowsWidget):
            for shown in (pane._shown, []):
                pane._shown = shown
                drawn = [pane.render_line(line) for line in range(-3, size[1] + 3)]
                assert all(strip.cell_length <= max(size[0], pane.size.width) for strip in drawn)


async def test_question_is_seen_even_over_an_enlarged_pane(table: Table) -> None:
    """What is asked is never hidden."""
    await table.type("22ag⏎")

    assert "roll d20" in table.text()


HOSTILE = (
    "Grax [the Red]",
    "x [/] y",
    "[bold]B[/bold]",
    "\x1b[31mRed\x1b[0m",
    "日本 🐉",
    "a\nb\tc",
    "Z̷̧̛a",
    "{who} $name %s",
    "‮evil",
)


async def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    """Brackets, escapes and odd characters in names are shown, never obeyed."""
    party = SideSetup("party", "Party", "players", (Member(Body(20, 14, 3), "Ava", "pc"),))
    foes = tuple(
        SideSetup(f"foes-{number}", name, "gm", (Member(Body(), name, "monster"),))
        for number, name in enumerate(HOSTILE)
    )
    async with opened(fight(tmp_path, Encounter("skirmish", " ".join(HOSTILE), (party, *foes), House()))) as table:
        assert "Grax [the" in table.text()
        for one in table.state.combatants[1:]:
            keys = (f"-3{one.label}⏎", f"e[b] {one.label}⏎", f"x{one.label}", "«escape»", f"a{one.label}", "«escape»")
            for part in (*keys, f"'{one.label}", "b", "b"):
                await (table.press(part[1:-1]) if part.startswith("«") else table.type(part))
                assert "\x1b" not in table.text()
        for part in ("'", "«escape»", "n", "n", "?", "«escape»"):
            await (table.press(part[1:-1]) if part.startswith("«") else table.type(part))
            assert "\x1b" not in table.text()


async def test_fight_is_taken_up_where_it_was(tmp_path: Path) -> None:
    """Points, effects and log are as they were, and the header says "resumed"."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=3, targets=("ava",)),)))
    async with opened(resume(session)) as table:
        assert table.hp("ava") == 17
        assert "resumed 2031-05-01 19:40" in table.text()
        assert "20→17" in table.text()


def test_who_was_hit_is_marked_after_a_start_in_mid_step(tmp_path: Path) -> None:
    """The sign of a hit is there before the damage, and after a start."""
    session, shown = fight(tmp_path), list[str]()

    async def journey(table: Table) -> None:
        if not shown:
            await table.type("ag")
            await table.press("enter")
            await table.type("19")
            await table.press("enter")
        assert table.model.pending is not None
        shown.append(next(line for line in table.pane("roster").splitlines() if "Goblin 1" in line))

    drive(session, journey)
    drive(resume(session), journey)

    assert "◆" in shown[0]
    assert shown[1] == shown[0]


async def test_themes_of_the_library_are_drawn(table: Table) -> None:
    """Whatever theme is chosen, the screen can be drawn in it."""
    for theme in ("tracker-light", "ansi-dark", "ansi-light", "nord", "textual-light"):
        table.app.theme = theme
        await table.pilot.pause()
        assert "Ava" in table.text()


async def test_many_combatants_fill_the_screen_lazily(tmp_path: Path) -> None:
    """Of three hundred combatants only the visible ones are made into lines."""
    session = fight(tmp_path, encounter(296))
    async with opened(session) as table:
        roster = table.panes.of(RosterPane)
        assert len(roster._rows) < 60
        await table.press("end")
        assert "Goblin 296" in table.text()
        assert len(roster._rows) < 120


async def test_equals_and_the_fled_fold(tmp_path: Path) -> None:
    """With more combatants than lines equals share a row; arrows open and close it, and Enter opens the fold."""
    async with opened(fight(tmp_path, encounter(60))) as table:
        roster = table.panes.of(RosterPane)
        assert "g Goblin ×60" in table.pane("roster")
        await table.type("-3k⏎")
        assert "g Goblin ×59" in table.pane("roster")
        assert "◆" not in table.pane("roster")
        assert re.search(r"k Goblin \d+ █+▓+ +▾4/7", table.pane("roster"))
        await table.type("sfled h⏎")
        assert "h Goblin 2" in table.pane("roster")  # in its place until the next step
        await table.type("-1k⏎")
        assert "▸ † 1 fled h" in table.pane("roster").replace("→", "†")
        await table.press("end", "enter")
        assert "▾ → 1 fled" in table.pane("roster")
        assert table.showing.selected == "goblin-2"
        await table.press("left")
        assert "▸ → 1 fled h" in table.pane("roster")
        await table.type("'g")
        await table.press("right")
        assert "g Goblin 1 " in table.pane("roster")
        assert roster.opened == {"goblin-1"}
        below, above = re.compile(r"─ ↓ (\d+) more ─╯\n"), re.compile(r"─ ↑ (\d+) more ─╮\n")
        more = below.findall(table.text())
        assert len(more) == 1
        assert above.findall(table.text()) == []
        await table.press("end")
        assert above.findall(table.text()) == more
        assert below.findall(table.text()) == []
        await table.type("'g")
        await table.press("down", "left")
        assert roster.opened == frozenset()


async def test_every_pane_is_focused_and_enlarged(table: Table) -> None:
    """Its number gives a pane the arrow keys, again the whole screen, again its place; Escape shows all panes."""
    for pane, title in enumerate(("Initiative", "Combatants", "Log", "Action"), 1):
        await table.type("3" if pane != 3 else "2")
        for back in (str(pane), "escape"):
            await table.type(str(pane))
            assert table.chosen == (pane, False)
            await table.type(str(pane))
            lines = table.text().splitlines()
            assert f" {pane} {title} " in lines[1]
            assert all(f" {other} " not in lines[1] for other in range(1, 5) if other != pane)
            await table.press(back)
            assert table.chosen == (pane, False)
            assert "2 Combatants" in table.text()
            await table.type("3" if pane != 3 else "2")
