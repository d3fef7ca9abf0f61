"""The GM's keys for the players' screen."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import Table, drive, fight, resume
from tracker.core.visibility import knowledge
from tracker.session.store.player_view_reader import PlayerViewReader
from tracker.views.public.schema import Public


def watched(table: Table) -> Public:
    watch = PlayerViewReader(table.cockpit.session.journal.path)
    watch.poll()
    assert watch.view is not None, watch.problem
    return watch.view


def names(view: Public) -> list[str]:
    return [one.name for one in view.combatants]


def test_hide_reveal_and_name(tmp_path: Path) -> None:
    """By key, with labels.

    The roster says what players see."""

    async def journey(table: Table) -> None:
        await table.type("hg⏎")
        assert knowledge.is_hidden(table.state, "goblin-1")
        assert "hidden" in table.pane("roster")
        assert names(watched(table))[4:] == ["Goblin 1", "Goblin 2"], "numbered as if there were no other"
        await table.type("Hg⏎")
        assert not knowledge.is_hidden(table.state, "goblin-1")
        await table.type("Ng Tall stranger⏎")
        assert "as Tall stranger" in table.pane("roster")
        assert "Tall stranger" in names(watched(table))
        await table.type("Ng⏎")
        assert "Tall stranger" not in names(watched(table))

    drive(fight(tmp_path), journey, (160, 40))


def test_the_same_on_the_command_line(tmp_path: Path) -> None:
    """`:hide g`, `:reveal g`, `:name g Tall stranger`."""

    async def journey(table: Table) -> None:
        await table.type(":hide g⏎")
        assert knowledge.is_hidden(table.state, "goblin-1")
        await table.type(":reveal g⏎")
        assert not knowledge.is_hidden(table.state, "goblin-1")
        await table.type(":name g Tall stranger⏎")
        assert knowledge.called(table.state, table.state["goblin-1"]) == "Tall stranger"

    drive(fight(tmp_path), journey)


def test_newcomers_can_come_hidden(tmp_path: Path) -> None:
    """`i 2 gob hidden`: no player sees them, not even for a moment."""

    async def journey(table: Table) -> None:
        before = watched(table)
        await table.type("i2 gob hidden")
        assert "hidden" in table.pane("console")
        await table.press("enter")
        fresh = [one.id for one in table.state.combatants][7:]
        assert len(fresh) == 2
        assert all(knowledge.is_hidden(table.state, who) for who in fresh)
        assert names(watched(table)) == names(before)

    drive(fight(tmp_path), journey)


def test_an_effect_is_hidden_by_its_name(tmp_path: Path) -> None:
    """A label and a word: the effect, not the combatant."""

    async def journey(table: Table) -> None:
        await table.type("eprone g⏎")
        await table.type("hg prone⏎")
        assert [effect.secret for effect in table.state["goblin-1"].effects] == [True]
        assert not knowledge.is_hidden(table.state, "goblin-1")

    drive(fight(tmp_path), journey)


def test_one_key_shows_what_the_players_see(tmp_path: Path) -> None:
    """Without the hidden one and without the GM's points."""

    async def journey(table: Table) -> None:
        await table.type("hg⏎p")
        page = table.pane("reader")
        assert "What the players see" in table.text()
        assert "Goblin 2" in page
        assert "Goblin 3" not in page
        await table.press("escape")
        assert "What the players see" not in table.text()

    drive(fight(tmp_path), journey)


def test_one_key_holds_the_players_screen(tmp_path: Path) -> None:
    """It stays as it was, and the header says so.

    A restart changes nothing of that, and the key lets it go on."""

    async def hold(table: Table) -> None:
        before = watched(table)
        await table.type("P")
        assert "SCREEN HELD" in table.text()
        await table.type("-3a⏎")
        assert (watched(table).combatants, watched(table).table.mode) == (before.combatants, "paused")

    async def go_on(table: Table) -> None:
        assert "SCREEN HELD" in table.text()
        await table.type("P")
        assert "SCREEN HELD" not in table.text()
        assert watched(table).table.mode == "live"
        assert watched(table).combatants[0].pools[0].now == table.hp("ava")

    session = fight(tmp_path)
    drive(session, hold)
    drive(resume(session), go_on)
