"""The commands of the GM by their keys."""

from __future__ import annotations

from tests.ui.drive import Table


async def test_status_set_note_roll_and_repeat(table: Table) -> None:
    """The game master's other commands, each by its key."""
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


async def test_a_name_is_as_good_as_a_label(table: Table) -> None:
    """Damage, effects, notes and moves take the beginning of one combatant's name; a name that two have is none."""
    await table.type("-3 wolf⏎")
    assert table.hp("wolf") == 17
    await table.type("-3wolf ava⏎")
    assert (table.hp("wolf"), table.hp("ava")) == (14, 17)
    await table.type("-3 gob⏎")
    assert '"gob" is g Goblin 1, h Goblin 2, i Goblin 3: which?' in table.pane("console")
    await table.press("escape")
    await table.type("eblessed brin 2 rounds⏎")
    assert [effect.name for effect in table.state["brin"].effects] == ["blessed"]
    await table.type("oava: bleeds⏎")
    assert table.state["ava"].notes == ("bleeds",)


async def test_move_in_the_order(table: Table) -> None:
    """`m` takes a label, then the label it goes before."""
    await table.type("m")
    assert "w Wolf b Brin c Col g Goblin 1" in table.pane("console")  # as it lists them
    await table.type("c")
    assert "w before Wolf b before Brin g before Goblin 1" in table.pane("console")
    await table.type("w⏎")

    assert [slot.members[0] for slot in table.state.clock.slots[:3]] == ["ava", "col", "wolf"]


async def test_effects_are_ended_by_label(table: Table) -> None:
    """The list has the label of each bearer, and the number where it bears several."""
    await table.type("eprone w⏎eprone b⏎eblessed b⏎eblessed fight⏎x")
    assert "▸ 1 blessed (" in table.pane("console")
    assert "w prone (Wolf) b1 prone (Brin) b2 blessed (Brin)" in table.pane("console")
    await table.type("b2⏎")
    assert [effect.name for effect in table.state["brin"].effects] == ["prone"]
    await table.type("x")
    assert "b prone (Brin)" in table.pane("console")
    await table.type("1⏎")
    assert table.state.effects == ()


async def test_effects_are_named_and_timed(table: Table) -> None:
    """A name on offer or own words, then labels, then how long."""
    before = table.model
    for line, wanted in (
        ("prot gh 2", ("protected", 3)),
        ("on fire g 3", ("on fire", 4)),
        ("prone g", ("prone", None)),
    ):
        await table.type(f"e{line}⏎")
        effect = table.state["goblin-1"].effects[0]
        assert (effect.name, effect.until[0].count if effect.until else None) == wanted
        await table.take_back(before)


async def test_effect_on_nobody_is_asked_back(table: Table) -> None:
    """Without labels nothing happens but a question; the word fight means the fight."""
    await table.type("eprone⏎")
    assert "on whom?" in table.text()
    assert len(table.model.steps) == 1
    await table.type(" fight⏎")

    assert [effect.name for effect in table.state.effects] == ["prone"]


async def test_what_was_taken_back_is_said(table: Table) -> None:
    """Also where nothing of it is in sight. And so is what was done again. The next key takes the words away."""
    await table.type("-7g⏎")
    await table.type("u")
    assert "taken back: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
    await table.press("ctrl+y")
    assert "done again: Damage → Goblin 1 (amount 7, hp)" in table.pane("console")
    await table.type("n")
    assert "done again" not in table.pane("console")
    await table.type("u")
    assert "taken back: Next" in table.pane("console")
