"""The GM's keys for the players' screen."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, fight, opened, resume
from tracker.core.visibility import knowledge
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import COVERED, Public


def watched(table: Table) -> Public:
    watch = PlayerViewReader(table.cockpit.session.journal.path)
    watch.poll()
    assert watch.view is not None, watch.problem
    return watch.view


def names(view: Public) -> list[str]:
    return [one.name for one in view.combatants]


async def test_hide_reveal_and_name(tmp_path: Path) -> None:
    """By key, with labels; the roster says what players see."""
    async with opened(fight(tmp_path), (160, 40)) as table:
        await table.type("hg⏎")
        assert knowledge.is_hidden(table.state, "goblin-1")
        assert "hidden" in table.pane("roster")
        assert names(watched(table))[4:] == ["Goblin 2", "Goblin 3"], "names that players have read stay"
        await table.type("Hg⏎")
        assert not knowledge.is_hidden(table.state, "goblin-1")
        await table.type("Ng Tall stranger⏎")
        assert "as Tall stranger" in table.pane("roster")
        assert "Tall stranger" in names(watched(table))
        await table.type("Ng⏎")
        assert "Tall stranger" not in names(watched(table))


async def test_the_same_on_the_command_line(table: Table) -> None:
    """`:hide g`, `:reveal g`, `:name g Tall stranger`."""
    await table.type(":hide g⏎")
    assert knowledge.is_hidden(table.state, "goblin-1")
    await table.type(":reveal g⏎")
    assert not knowledge.is_hidden(table.state, "goblin-1")
    await table.type(":name g Tall stranger⏎")
    assert knowledge.called(table.state, table.state["goblin-1"]) == "Tall stranger"


async def test_newcomers_can_come_hidden(table: Table) -> None:
    """`i 2 gob hidden`: no player sees them, not even for a moment."""
    before = watched(table)
    await table.type("i2 gob hidden")
    assert "hidden" in table.pane("console")
    await table.press("enter")
    fresh = [one.id for one in table.state.combatants][7:]
    assert len(fresh) == 2
    assert all(knowledge.is_hidden(table.state, who) for who in fresh)
    assert names(watched(table)) == names(before)


async def test_an_effect_is_hidden_by_its_name(table: Table) -> None:
    """A label and a word: the effect, not the combatant."""
    await table.type("eprone g⏎")
    await table.type("hg prone⏎")
    assert [effect.secret for effect in table.state["goblin-1"].effects] == [True]
    assert not knowledge.is_hidden(table.state, "goblin-1")


async def test_one_key_shows_what_the_players_see(table: Table) -> None:
    """Without the hidden one and without the GM's points."""
    await table.type("hg⏎p")
    page = table.pane("reader")
    assert "What the players see ─" in table.text()
    assert "Goblin 2" in page
    assert "Goblin 1" not in page
    await table.press("escape")
    assert "What the players see ─" not in table.text()


async def test_one_key_holds_the_players_screen(tmp_path: Path) -> None:
    """It stays as it was, and the header says so; a restart changes nothing of that, and the key lets it go on."""
    session = fight(tmp_path)
    async with opened(session) as table:
        before = watched(table)
        await table.type("P")
        assert "SCREEN HELD" in table.text()
        await table.type("-3a⏎")
        assert (watched(table).combatants, watched(table).table.mode) == (before.combatants, "paused")
    async with opened(resume(session)) as table:
        assert "SCREEN HELD" in table.text()
        await table.type("P")
        assert "SCREEN HELD" not in table.text()
        assert watched(table).table.mode == "live"
        assert watched(table).combatants[0].pools[0].now == table.hp("ava")


async def test_a_fight_is_covered_until_the_gm_shows_it(tmp_path: Path) -> None:
    """The page of the server says how to show it; so does the header, once the page is served."""
    session = fight(tmp_path)
    session.cover_player_view()
    async with opened(session) as table:
        assert "SCREEN HELD" not in table.text()
        await table.type("-3a⏎")
        assert watched(table) == COVERED
        await table.type("S")
        assert "P shows players this fight" in table.text()
        await table.press("escape")
        await table.type("p")
        assert "they see nothing of it before P" in table.text()
        await table.press("escape")
        await table.type("P")
        assert "the players' screen shows the fight" in table.text()
        assert watched(table).combatants[0].pools[0].now == table.hp("ava")
        await table.type("P")
        assert watched(table).table.mode == "paused"
