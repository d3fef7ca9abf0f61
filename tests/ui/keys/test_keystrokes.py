"""The keystroke budget: frequent tasks of a GM in no more keys than promised."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.skirmish import House, encounter
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Do


def acting(state: State) -> str:
    assert state.clock.current is not None
    return state.clock.current.members[0]


async def test_end_of_turn_is_one_key(table: Table) -> None:
    """Budget 1: `n` ends the turn."""
    await table.type("n")

    assert (acting(table.state), table.pressed) == ("wolf", 1)


async def test_damage_to_one_goblin_is_four_keys(table: Table) -> None:
    """Budget 2: number and label, in either order."""
    await table.type("-7g⏎")
    assert (table.hp("goblin-1"), table.pressed) == (0, 4)

    await table.type("-h7⏎")
    assert (table.hp("goblin-2"), table.pressed) == (0, 8)


async def test_damage_to_three_goblins_is_six_keys(table: Table) -> None:
    """Budget 3: a run of labels."""
    await table.type("-7ghi⏎")

    assert [table.hp(f"goblin-{number}") for number in (1, 2, 3)] == [0, 0, 0]
    assert table.pressed == 6


async def test_damage_halved_for_two_of_four_is_eight_keys(table: Table) -> None:
    """Budget 4: capitals take half."""
    await table.type("-21gh")
    await table.press("A", "W", "enter")

    assert [table.hp(who) for who in ("goblin-1", "goblin-2", "ava", "wolf")] == [0, 0, 10, 10]
    assert table.pressed == 8


async def test_attack_with_typed_dice_is_eight_keys(tmp_path: Path) -> None:
    """Budget 5: the active goblin attacks Wolf; attack and damage are typed."""
    session = fight(tmp_path)
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎14⏎5⏎")

        assert (table.hp("wolf"), table.pressed) == (15, 8)
        assert ("attack", DiceAnswer(14, (14,), typed=True)) in table.model.steps[-1].answers


async def test_attack_with_typed_dice_through_a_window_is_eight_keys(tmp_path: Path) -> None:
    """Budget 5 holds where the target may parry; the window stands in the prompt of the damage."""
    session = fight(tmp_path, encounter(rules=House(parries=True)))
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎14⏎")
        assert "Parry" in table.text()
        await table.type("5⏎")

        assert (table.hp("wolf"), table.pressed, table.model.pending) == (15, 8, None)


async def test_attack_rolled_by_the_program_is_five_keys(tmp_path: Path) -> None:
    """Budget 6: an empty Enter rolls; the program's dice show 20 and 4 here."""
    dice = iter((20, 4))
    session = fight(
        tmp_path, settings=replace(SETTINGS, roller=lambda request: DiceAnswer(total := next(dice), (total,)))
    )
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎⏎⏎")

        assert (table.hp("wolf"), table.pressed, table.model.pending) == (16, 5, None)


async def test_rest_of_the_step_is_rolled_with_a_star(tmp_path: Path) -> None:
    """Budget 6 again: `*` answers this roll and the rest of the step."""
    session = fight(
        tmp_path,
        settings=replace(SETTINGS, roller=lambda request: DiceAnswer(request.dice.maximum, request.dice.sides)),
    )
    for _ in range(4):
        session.dispatch(Advance())
    async with opened(session) as table:
        await table.type("aw⏎*")

        assert (table.hp("wolf"), table.pressed, table.model.pending) == (14, 4, None)


async def test_effect_for_three_rounds_is_eight_keys(table: Table) -> None:
    """Budget 7: name, label, rounds."""
    await table.type("epr g3⏎")

    effect = table.state["goblin-1"].effects[0]
    assert (effect.name, effect.until[0].count) == ("prone", 4)  # its turn in this round still comes
    assert table.pressed <= 8
    assert "prone" in table.text()


async def test_end_of_an_effect_is_three_keys(tmp_path: Path) -> None:
    """Budget 8: `x`, the label, Enter."""
    session = fight(tmp_path)
    session.dispatch(Do((action("add_effect", name="prone", targets=("goblin-1",)),)))
    async with opened(session) as table:
        await table.type("xg⏎")

        assert (table.state["goblin-1"].effects, table.pressed) == ((), 3)


async def test_undo_is_one_key(tmp_path: Path) -> None:
    """Budget 9: `u`."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=7, targets=("goblin-1",)),)))
    async with opened(session) as table:
        await table.type("u")

        assert (table.hp("goblin-1"), table.pressed) == (7, 1)


async def test_healing_is_four_keys(tmp_path: Path) -> None:
    """Budget 10: as damage, with `+`."""
    session = fight(tmp_path)
    session.dispatch(Do((action("damage", amount=7, targets=("goblin-1",)),)))
    async with opened(session) as table:
        await table.type("+5g⏎")

        assert (table.hp("goblin-1"), table.pressed) == (5, 4)


async def test_two_goblins_join_in_seven_keys(table: Table) -> None:
    """Budget 11: how many, and enough of the name."""
    await table.type("i2 gob⏎")

    assert [person.name for person in table.state.combatants[-2:]] == ["Goblin 4", "Goblin 5"]
    assert table.pressed == 7


async def test_four_initiative_dice_are_thirteen_keys(tmp_path: Path) -> None:
    """Budget 12: two digits and Enter for each of four."""
    session = fight(tmp_path, encounter(rules=House(individual=True)))
    async with opened(session) as table:
        await table.type("11⏎19⏎12⏎15⏎")

        assert [slot.members[0] for slot in table.state.clock.slots[:4]] == ["wolf", "col", "brin", "ava"]
        assert table.pressed <= 13


async def test_what_enter_does_stays_beside_a_mistake(tmp_path: Path) -> None:
    """A mistake takes the room of the list, never that of the Enter line."""
    session = fight(tmp_path, encounter(rules=House(individual=True)))
    async with opened(session, (80, 24)) as table:
        await table.type("nonsense⏎")
        mode = table.mode
        assert mode is not None

        assert "Enter: all its" in table.pane("console")
        for height in range(3, 9):
            rows = mode.rows(table.showing.context, 24, height)
            assert [row.key for row in rows].count("hint") == 1, height
            assert len(rows) == height


async def test_keys_in_one_burst_are_all_taken_in_order(table: Table) -> None:
    """Keys that come faster than they are handled finish commands all the same."""
    await table.hurry("-7g\r-7h\rn-3w\ru'b")

    assert [table.hp(who) for who in ("goblin-1", "goblin-2", "wolf")] == [0, 0, 20]
    assert (acting(table.state), table.showing.selected) == ("wolf", "brin")
