"""How the party comes into a fight."""

from __future__ import annotations

from tests.ui.hall import Hall, begin
from tracker.session.store.journal import Journal
from tracker.ui.start.screen import StartScreen


async def test_party_comes_as_it_was_left(shipped: Hall) -> None:
    """The list says what would be carried over and who stays out; one key begins with it."""
    async with shipped.opened() as table:
        await begin(table)
        text = table.text()
        assert 'as "Toll at the broken bridge" left it, today 19:40' in text
        assert "Nele stays out: dead" in text
        assert "Ordwen 21/21 poisoned" in text
        assert "Sefa 10/15" in text
        assert "Tavi 0/14 stable" in text
        await table.press("2")
        assert "nele" not in table.state
        assert (table.hp("sefa"), table.state["tavi"].status, table.state["ordwen"].has("poisoned")) == (
            10,
            "stable",
            True,
        )


async def test_party_comes_rested(shipped: Hall) -> None:
    """Rested is what Enter takes: everybody as the file has them."""
    async with shipped.opened() as table:
        await begin(table, "enter")
        assert (table.hp("sefa"), table.hp("nele"), table.state["ordwen"].has("poisoned")) == (15, 13, False)


async def test_dead_come_when_they_are_let_in(shipped: Hall) -> None:
    """The space bar lets the dead in, as their file has them."""
    async with shipped.opened() as table:
        await begin(table, "space")
        assert "Nele comes as the file has" in table.text()
        await table.press("down", "enter")
        assert (table.hp("nele"), table.hp("sefa")) == (13, 10)


async def test_leaving_the_party_list_begins_nothing(shipped: Hall) -> None:
    async with shipped.opened() as table:
        await begin(table, "escape")
        assert isinstance(table.app.screen, StartScreen)
        await table.press("escape")
    with Journal.open(shipped.journal) as journal:
        assert len(journal.fights()) == 1


async def test_a_campaign_that_carries_its_party_asks_nothing(shipped: Hall) -> None:
    """The party comes as it was left, and the notes say from where."""
    shipped.file("encounters/campaign.yaml", "ruleset: worlds_without_number\ncarry: true\n")
    async with shipped.opened() as table:
        await begin(table)
        assert "nele" not in table.state
        assert table.hp("sefa") == 10
    with Journal.open(shipped.journal) as journal:
        prepared = journal.prepared(journal.fights()[0].id).encounter
        assert b"The party comes from Toll at the broken bridge. Nele stays out: dead." in prepared


async def test_no_list_where_there_is_no_such_fight(shipped: Hall) -> None:
    """An encounter of characters who have not fought yet begins at once."""
    shipped.encounter("mill", "In the mill")
    async with shipped.opened() as table:
        await table.type("/mill⏎")
        await table.press("enter")
        assert table.model.title == "In the mill"
