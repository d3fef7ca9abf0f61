"""Reminders and waves at a place in the order."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, SIZES, fight, opened
from tests.ui.games import SJ, WN, low, played, prepared
from tracker.core.game.ruleset import open_reminders
from tracker.core.terms.encounter import Encounter, TimedNote
from tracker.library.content.encounters import load_encounter
from tracker.session.intents import Advance
from tracker.session.rulesets.registry import find
from tracker.session.session import Session
from tracker.views.panes.order import OrderRows


def with_notes(game: str, name: str, *notes: tuple[str, str]) -> Encounter:
    return replace(prepared(game, name), reminders=tuple(TimedNote(text, when) for when, text in notes))


def order(session: Session) -> list[str]:
    return [row.text.strip() for row in OrderRows(session.ruleset, session.model.state, 40)]


def said(session: Session) -> list[tuple[str, bool]]:
    """Return the encounter's reminders that are open, and whether going on gives them up."""
    found = open_reminders(session.ruleset, session.model.state)
    return [(one.text, one.lapses) for one in found if one.key.startswith("encounter:")]


def begun(folder: Path, encounter: Encounter) -> Session:
    settings = replace(SETTINGS, by_side=True, roller=low)
    return fight(folder, encounter, find(encounter.ruleset), settings)


def test_a_reminder_stands_at_its_segment(tmp_path: Path) -> None:
    """Spelljammer: before the acts of its segment, or of the first behind it; it is said when the clock comes there."""
    session = begun(tmp_path, with_notes(SJ, "archers_into_melee", ("segment 4", "the deck burns")))
    played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    rows = order(session)
    place = next(number for number, row in enumerate(rows) if "the deck burns" in row)
    numbers = [int(row.split()[0].replace("−", "-")) for row in rows if row.split()[0].lstrip("−").isdigit()]
    before = [int(row.split()[0]) for row in rows[:place] if row.split()[0].isdigit()]

    assert before == [number for number in numbers if number > 4]
    assert said(session) == []

    played(session, lambda state: (here := state.clock.current) is not None and (here.segment or 9) <= 4)
    assert said(session) == [("the deck burns", False)]


def test_the_end_of_a_sides_turn_stops_once(tmp_path: Path) -> None:
    """Worlds Without Number: below the side's members; going on would give it up."""
    session = begun(tmp_path, with_notes(WN, "first_fight", ("end of Party's turn", "the bridge sags")))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    rows = order(session)
    place = next(number for number, row in enumerate(rows) if "the bridge sags" in row)

    assert "Nele" in rows[place - 1]
    assert said(session) == [("the bridge sags", True)]


@pytest.mark.parametrize("size", SIZES)
async def test_it_is_in_the_pane_and_in_the_way(size: tuple[int, int], tmp_path: Path) -> None:
    session = begun(tmp_path, with_notes(WN, "first_fight", ("end of Party's turn", "the bridge sags")))
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    async with opened(session, size=size) as table:
        at = table.state.clock.at
        assert "! the bridge sags" in table.text()
        await table.type("n")
        assert table.state.clock.at == at
        await table.type("n")
        assert table.state.clock.at != at


def test_one_for_a_round_comes_in_that_round_only(tmp_path: Path) -> None:
    session = begun(tmp_path, with_notes(WN, "first_fight", ("start of party's turn, round 2", "dusk")))
    played(session, lambda state: state.clock.round == 1 and state.clock.at is not None and "party" in state.clock.at)
    assert said(session) == []
    assert any("dusk" in row for row in order(session))  # in the calendar

    played(session, lambda state: state.clock.round == 2 and state.clock.at is not None and "party" in state.clock.at)
    assert said(session) == [("dusk", False)]
    session.dispatch(Advance())


def test_a_wave_comes_at_its_place(tmp_path: Path) -> None:
    """It stands in the pane until its segment, and joins the fight there, once."""
    prepared_fight = prepared(SJ, "archers_into_melee")
    wave = replace(prepared_fight.waves[0], when="segment 4", title="the rest")
    session = begun(tmp_path, replace(prepared_fight, waves=(wave,)))
    played(session, lambda state: state.clock.current is not None and (state.clock.current.segment or 0) > 4)
    many = len(session.model.state.combatants)
    assert any("wave: the rest" in row for row in order(session))

    played(session, lambda state: (here := state.clock.current) is not None and (here.segment or 9) <= 4)

    assert len(session.model.state.combatants) > many
    assert session.model.state.waves == ()
    assert not any("wave: the rest" in row for row in order(session))


def test_a_turn_of_nobody_is_a_mistake_of_the_file(tmp_path: Path) -> None:
    """The problem names the line, and who is probably meant."""
    file = tmp_path / "ford.yaml"
    file.write_text(
        "ruleset: githack\nparty: [{name: Mira, hp: 5}]\nmonsters: [{name: Ogre, hp: 5}]\n"
        "reminders: [{when: end of the Ogr's turn, text: dusk}, {when: Mira's third blow, text: night}]\n",
        encoding="utf-8",
    )
    said_of = [str(problem) for problem in load_encounter(file, find).problems]
    assert any('nobody called "ogr"' in one and "did you mean Ogre?" in one for one in said_of), said_of
    assert any("is no moment" in one for one in said_of)
