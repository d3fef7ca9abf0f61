"""The commands of the GM by their keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, drive, fight
from tracker.ui.modes.acting.picker import Picker


def test_out_of_turn_action(tmp_path: Path) -> None:
    """`'` goes to a combatant, `''` acts as that one."""

    async def journey(table: Table) -> None:
        await table.type("'b")
        assert (table.showing.selected, table.mode) == ("brin", None)

        await table.type("''c")
        assert table.mode == Picker("col")

    drive(fight(tmp_path), journey)


def test_a_label_twice_only_goes_there(tmp_path: Path) -> None:
    """`'g'g` does nothing but `'g`: only `''g` acts."""

    async def journey(table: Table) -> None:
        await table.type("'g'g")

        assert (table.showing.selected, table.mode) == ("goblin-1", None)

    drive(fight(tmp_path), journey)


def test_status_set_note_roll_and_repeat(tmp_path: Path) -> None:
    """The game master's other commands, each by its key."""

    async def journey(table: Table) -> None:
        await table.type("sg fled⏎")
        assert table.state["goblin-1"].status == "fled"
        await table.type("sh3⏎")
        assert table.state["goblin-2"].status == "dead"
        await table.type("=a11⏎")
        assert table.hp("ava") == 11
        await table.type("oa: bleeds⏎")
        assert table.state["ava"].notes == ("bleeds",)
        await table.type("f2d6+1⏎4 2⏎")
        assert "4+2+1 = 7" in table.text()
        await table.type("-3w⏎.bc⏎")
        assert [table.hp(who) for who in ("wolf", "brin", "col")] == [17, 17, 17]

    drive(fight(tmp_path), journey)


def test_a_name_is_as_good_as_a_label(tmp_path: Path) -> None:
    """Damage, effects, notes and moves take the beginning of one combatant's name; a name that two have is none."""

    async def journey(table: Table) -> None:
        await table.type("-3 wolf⏎")
        assert table.hp("wolf") == 17
        await table.type("-3wolf ava⏎")
        assert (table.hp("wolf"), table.hp("ava")) == (14, 17)
        await table.type("-3 gob⏎")
        assert '"gob" is no label, name or option here' in table.text()
        await table.press("escape")
        await table.type("eblessed brin 2 rounds⏎")
        assert [effect.name for effect in table.state["brin"].effects] == ["blessed"]
        await table.type("oava: bleeds⏎")
        assert table.state["ava"].notes == ("bleeds",)

    drive(fight(tmp_path), journey)


def test_move_in_the_order(tmp_path: Path) -> None:
    """`m` takes a label, then the label it goes before."""

    async def journey(table: Table) -> None:
        await table.type("m")
        assert "w Wolf b Brin c Col g Goblin 1" in table.pane("console")  # as it lists them
        await table.type("c")
        assert "w before Wolf b before Brin g before Goblin 1" in table.pane("console")
        await table.type("w⏎")

        assert [slot.members[0] for slot in table.state.clock.slots[:3]] == ["ava", "col", "wolf"]

    drive(fight(tmp_path), journey)


def test_effects_are_ended_by_label(tmp_path: Path) -> None:
    """The list has the label of each bearer, and the number where it bears several."""

    async def journey(table: Table) -> None:
        await table.type("eprone w⏎eprone b⏎eblessed b⏎eblessed fight⏎x")
        assert "▸ 1 blessed (" in table.pane("console")
        assert "w prone (Wolf) b1 prone (Brin) b2 blessed (Brin)" in table.pane("console")
        await table.type("b2⏎")
        assert [effect.name for effect in table.state["brin"].effects] == ["prone"]
        await table.type("x")
        assert "b prone (Brin)" in table.pane("console")
        await table.type("1⏎")
        assert table.state.effects == ()

    drive(fight(tmp_path), journey)


@pytest.mark.parametrize(
    ("line", "name", "rounds"),
    [("prot gh 2", "protected", 3), ("on fire g 3", "on fire", 4), ("prone g", "prone", None)],
)
def test_effects_are_named_and_timed(tmp_path: Path, line: str, name: str, rounds: int | None) -> None:
    """A name on offer or own words, then labels, then how long.

    Rounds are whole: the turn that goblin-1 still has in this one is counted too.
    """

    async def journey(table: Table) -> None:
        await table.type("e" + line + "⏎")

        effect = table.state["goblin-1"].effects[0]
        assert effect.name == name
        assert (effect.until[0].count if effect.until else None) == rounds

    drive(fight(tmp_path), journey)


def test_effect_on_nobody_is_asked_back(tmp_path: Path) -> None:
    """Without labels nothing happens but a question.

    The word fight means the fight.
    """

    async def journey(table: Table) -> None:
        await table.type("eprone⏎")
        assert "on whom?" in table.text()
        assert len(table.model.steps) == 1
        await table.type(" fight⏎")

        assert [effect.name for effect in table.state.effects] == ["prone"]

    drive(fight(tmp_path), journey)


def test_undo_and_redo(tmp_path: Path) -> None:
    """`u` takes back, `U` does again."""

    async def journey(table: Table) -> None:
        await table.type("-7g⏎u")
        assert table.hp("goblin-1") == 7
        await table.press("U")
        assert table.hp("goblin-1") == 0

    drive(fight(tmp_path), journey)


def test_what_was_taken_back_is_said(tmp_path: Path) -> None:
    """Also where nothing of it is in sight.

    And so is what was done again. The next key takes the words away.
    """

    async def journey(table: Table) -> None:
        await table.type("-7g⏎")
        await table.type("u")
        assert "taken back: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
        await table.press("ctrl+y")
        assert "done again: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
        await table.type("n")
        assert "done again" not in table.pane("console")
        await table.type("u")
        assert "taken back: Next" in table.pane("console")

    drive(fight(tmp_path), journey)
