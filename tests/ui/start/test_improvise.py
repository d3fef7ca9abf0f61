"""A fight without a file, by keys."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.ui.drive import SIZES, Table
from tests.ui.hall import Hall, settled
from tracker.cli.main import main
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry
from tracker.session.store.journal import Journal
from tracker.ui.fight.screen import FightScreen
from tracker.ui.start.screen import StartScreen

ENCOUNTERS = Path(__file__).parents[3] / "encounters"
FEWEST = {
    "worlds_without_number": "3 hedge,ogre hp 40",
    "sovereign": "3 wolf,ogre hp 40",
    "sword_world": "3 goblin,ogre hp 40",
    "spelljammer": "3 rat,ogre hp 40",
    "githack": "3 goblin,ogre hp 40",
}
KEYS = 25
ASKED_FIRST = ("worlds_without_number", "sovereign")
"""Their fights open with a question; the others wait for what somebody does or declares."""


def lay_out(hall: Hall, game: str) -> None:
    shutil.copytree(ENCOUNTERS / game, hall.folder / "encounters" / game)


async def another(table: Table) -> None:
    await table.press("ctrl+p")
    await table.type("another⏎")
    await settled(table)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", FEWEST)
async def test_four_foes_are_there_after_few_keys(hall: Hall, game: str, size: tuple[int, int]) -> None:
    """From the start screen to the first question; the line is read back while it is typed."""
    lay_out(hall, game)
    line = FEWEST[game]
    assert len(f"N{line}\n") <= KEYS
    async with hall.opened(size) as table:
        await table.type(f"N{line}")
        assert "Ogre" in table.text()
        await table.press("enter")
        await table.until(lambda: isinstance(table.app.screen, FightScreen))
        await settled(table)
        foes = [combatant.name for combatant in table.state.combatants if combatant.side == "foes"]
        assert len(foes) == 4, table.text()
        assert len({combatant.side for combatant in table.state.combatants}) == 2, table.text()
        assert table.state.ruleset == game
        assert (table.model.pending is not None) == (game in ASKED_FIRST), table.text()


async def test_the_party_of_the_last_fight_stands_first(hall: Hall) -> None:
    """The second evening begins with the party of the first, house rules included; arrows choose another."""
    lay_out(hall, "githack")
    lay_out(hall, "sovereign")
    async with hall.opened() as table:
        await table.type("/cairn⏎")
        await table.press("enter")
        first = {combatant.name for combatant in table.state.combatants if combatant.side == "party"}
        rules = table.cockpit.session.encounter.house_rules
        await another(table)
        await table.type("N")
        chosen = next(line for line in table.text().splitlines() if "▸" in line)
        assert "Brannoc" in chosen
        assert "What sleeps under Cairn Ulgha" in chosen
        await table.type("2 goblin")
        await table.press("down")
        assert "Sovereign" in next(line for line in table.text().splitlines() if "▸" in line)
        await table.press("up", "enter")
        assert {combatant.name for combatant in table.state.combatants if combatant.side == "party"} == first
        assert table.cockpit.session.encounter.house_rules == rules


async def test_what_cannot_begin_is_said_and_nothing_has_begun(hall: Hall) -> None:
    """An empty line, a name nobody has, a word left over: a line each, and no fight; Escape leaves."""
    lay_out(hall, "githack")
    async with hall.opened() as table:
        await table.type("N⏎")
        assert "type who they fight, such as 3 goblin" in table.text()
        await table.type("3 gobxx")
        assert 'no stat block begins with "gobxx"' in table.text()
        await table.press("enter")
        await table.press("ctrl+u")
        await table.type("goblin 8⏎")
        assert '"8" is left over' in table.text()
        await table.press("escape")
        assert isinstance(table.app.screen, StartScreen)
    assert not hall.journal.exists()


async def test_without_any_party_the_way_to_one_is_said(hall: Hall) -> None:
    """No fight and no file of characters."""
    async with hall.opened() as table:
        await table.type("N3 goblin⏎")
        assert "No party has fought yet" in table.text()
        assert "tracker new party GAME DIR" in table.text()
        assert isinstance(table.app.screen, StartScreen)


async def test_an_improvised_fight_becomes_a_file(hall: Hall) -> None:
    """`save encounter` writes what was prepared; the start screen offers it, and a name that is taken is refused."""
    lay_out(hall, "githack")
    async with hall.opened() as table:
        await table.type('N2 goblin,ogre hp 40 "Old Grum",wraith round 2⏎')
        prepared = table.cockpit.session.encounter
        await table.type(":save encounter The toll⏎")
        path = Path("encounters/githack/the-toll.yaml")
        assert f"the encounter stands in {path}" in " ".join(table.pane("console").split())
        await table.type(":save encounter⏎")
        await table.press("ctrl+u")
        await table.type("The toll⏎")
        assert "is there already" in " ".join(table.pane("console").split())
        await table.press("escape")
        await another(table)
        assert "The toll" in table.text()
    loaded = load_encounter(hall.folder / path, registry.find)
    assert loaded.problems == ()
    assert loaded.encounter is not None
    assert [(wave.when, wave.members[0].name) for wave in loaded.encounter.waves] == [("round 2", "Weeping Wraith")]
    assert loaded.encounter.sides == prepared.sides
    with Journal.open(hall.journal) as journal:
        assert [fight.title for fight in journal.fights()] == ["2 × Goblin, Old Grum, Weeping Wraith"]


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`tracker improvise` names the games there are."""
    assert main(["improvise", "chess", "--db", str(tmp_path / "fights.db")]) != 0
    assert "chess" in capsys.readouterr().err
