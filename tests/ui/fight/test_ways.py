"""Trying things out, and the ways a fight has gone."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, fight, opened, resume
from tests.ui.games import words


def said(table: Table) -> str:
    """Why the last thing asked for was not done."""
    assert table.showing.refused is not None
    return table.showing.refused[1].text


async def hurt_in_a_what_if(table: Table) -> None:
    """Goblin 1 loses 3; then, only tried, 4 more, and it is down."""
    await table.type("-3g⏎w-4g⏎")


async def test_dropping_brings_the_real_fight_back(table: Table) -> None:
    """`w` shows both side by side; `d` drops, and the screen is as it was."""
    await table.type("-3g⏎")
    before = table.text()
    await table.type("w-4g⏎w")
    assert "real what-if" in words(table)
    assert "Goblin 1 HP 4 → 0" in words(table)
    assert "Goblin 1 status up → down" in words(table)
    await table.type("d")
    assert table.hp("goblin-1") == 4
    assert table.text() == before


async def test_keeping_makes_it_real(table: Table) -> None:
    """Enter keeps; from then on nothing says what-if, and the log is the fight's own."""
    await hurt_in_a_what_if(table)
    await table.type("w⏎")
    assert (table.hp("goblin-1"), table.model.trial) == (0, None)
    text = table.text()
    assert "WHAT-IF" not in text
    assert "╔" not in text
    assert "R1? " not in text
    await table.type("u")
    assert table.hp("goblin-1") == 4


async def test_escape_goes_on_trying(table: Table) -> None:
    await hurt_in_a_what_if(table)
    await table.type("w")
    await table.press("escape")
    assert table.model.trial is not None
    assert "1 Initiative" in table.text()
    await table.type("-1h⏎wk")
    assert (table.hp("goblin-1"), table.hp("goblin-2"), table.model.trial) == (0, 6, None)


async def test_undo_does_not_leave_it(table: Table) -> None:
    """Beyond its beginning one line says what to do instead, and nothing changes."""
    await hurt_in_a_what_if(table)
    await table.type("uu")
    assert said(table) == "the what-if begins here: to go further back, drop it (w)"
    assert "the what-if begins here" in words(table)
    assert (table.hp("goblin-1"), table.model.trial is not None) == (4, True)


async def test_a_what_if_at_a_question(table: Table) -> None:
    """Begun while a question stands, it can be answered for a try."""
    await table.type("ag⏎14⏎")
    await table.press("escape")
    asked = table.model.pending
    await table.type("w")
    await table.press("enter")
    await table.type("5⏎")
    assert table.hp("goblin-1") == 2
    await table.type("wd")
    assert (table.model.pending, table.hp("goblin-1"), table.model.trial) == (asked, 7, None)
    await table.press("escape")
    await table.type("w")
    await table.press("escape")
    await table.type("-1h⏎")
    await table.press("escape")
    assert "R1?" in table.text()
    await table.type("w⏎")
    assert (table.model.pending is None, table.model.trial) == (False, None)
    assert "R1?" not in table.text()
    await table.press("enter")
    await table.type("1⏎")
    assert table.hp("goblin-1") == 6


async def test_a_restart_finds_the_what_if_open(tmp_path: Path) -> None:
    session = fight(tmp_path)
    async with opened(session) as table:
        await hurt_in_a_what_if(table)
    async with opened(resume(session)) as table:
        assert "WHAT-IF" in table.text()
        assert table.hp("goblin-1") == 0
        await table.type("wd")
        assert table.hp("goblin-1") == 4


async def test_what_if_is_refused_in_the_past(table: Table) -> None:
    """The past is looked at, not tried; the line says to come back."""
    await table.type("-3g⏎[w")
    assert "come back to the present" in said(table)
    assert table.model.trial is None


async def test_branches_can_be_named_seen_and_gone_to(table: Table) -> None:
    """The list says where each way was left and how the fight stands there."""
    await table.type("-3g⏎-4g⏎u-1h⏎B")
    text = table.text()
    assert "● the fight as it stands" in text
    assert "left after step 2 (Round 1 · Ava's turn)" in text
    assert "1 step, taken back" in text
    assert "Goblin 1 HP 4 → 0" in words(table)
    assert "Goblin 2 HP 6 → 7" in words(table)
    await table.type("nall on one⏎")
    await table.press("escape")
    await table.type("B")
    assert "▸   all on one  left after step 2" in table.text()
    await table.press("enter")
    assert (table.hp("goblin-1"), table.hp("goblin-2")) == (0, 7)
    await table.type("B")
    text = table.text()
    assert "● all on one" in text
    assert "▸   branch  left after step 2" in text
    await table.press("enter")
    assert (table.hp("goblin-1"), table.hp("goblin-2")) == (4, 6)


async def test_naming_can_be_left_and_refused(table: Table) -> None:
    """Esc keeps the old name; one that is too long is refused, and can be corrected where it stands."""
    await table.type("-3g⏎u-1h⏎Bnx")
    await table.press("escape")
    assert "▸   branch" in table.text()
    await table.type("n" + "x" * 61 + "⏎")
    assert "a name has at most 60 letters" in table.text()
    await table.press("backspace", "enter")
    assert "x" * 60 in table.text()
    assert [tip.name for tip in table.cockpit.session.branches()] == ["x" * 60]


async def test_the_present_way_is_named_from_the_palette(table: Table) -> None:
    """Its name stays in the list when the fight goes on another way."""
    await table.type("-3g⏎")
    await table.press("ctrl+p")
    await table.type("name this way⏎slow and sure⏎")
    assert "● slow and sure" in table.text()
    await table.press("escape")
    await table.type("u-1h⏎B")
    assert "▸   slow and sure" in table.text()
    assert "● the fight as it stands" in table.text()


async def test_a_fight_that_has_gone_one_way(table: Table) -> None:
    """Its list shows that way, and Enter leaves it."""
    await table.type("B")
    assert "one way only so far" in table.text()
    await table.press("enter")
    assert "4 Action" in table.text()
