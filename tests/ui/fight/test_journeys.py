"""What goes wrong at a table, and how it is put right."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from tests.faults.harness.games import GAMES, fight_of
from tests.support.shares import every
from tests.ui.drive import Table, drive, fight, opened
from tests.ui.games import WN, action_pane, begin, begun, words
from tracker.session.intents import Advance, Do, Reply, RollRest
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.testing import random_play
from tracker.ui.modes.history.corrections import ChooseCorrection
from tracker.ui.typing.mode import GmFiles


async def next_round(table: Table, number: int) -> None:
    """Let everything pass until the party's turn of a round; the program answers what is asked."""
    for _ in range(40):
        clock = table.state.clock
        if clock.round == number and clock.at == f"r{number}/party" and table.model.pending is None:
            return
        await table.press("asterisk" if table.model.pending is not None else "n")
    raise AssertionError(table.text())


async def test_the_forgotten_bonus(tmp_path: Path) -> None:
    """A die is put right two rounds later; all that followed is done again, and the log tells it so."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await begin(table)
        await table.type("au⏎15⏎4⏎")
        assert table.hp("toll-captain") == 9
        await next_round(table, 2)
        await table.type("-2u⏎")
        await next_round(table, 3)
        before, moment, steps = table.hp("toll-captain"), table.state.clock, len(table.model.steps)
        await table.type("c")
        mode = table.mode
        assert isinstance(mode, ChooseCorrection)
        place = next(number for number, given in enumerate(mode.listed) if given.step == 2 and given.key == "damage")
        await table.press(*["down"] * (place - mode.chosen))
        await table.type("6⏎")
        assert f"Snag HP {before} → {before - 2}" in words(table)
        assert f"replays {steps - 2} steps" in words(table)
        assert table.hp("toll-captain") == before
        await table.press("enter")
        assert (table.hp("toll-captain"), table.state.clock, len(table.model.steps)) == (before - 2, moment, steps)
        await table.type("3")
        await table.press("home")
        seen = ""
        for _ in range(30):
            seen += table.text()
            await table.press("pagedown")
        assert "1d8 6" in seen
        assert "Snag 16→7" in seen
        assert re.search(r"Snag .*7→5", " ".join(seen.split()))
        assert "Snag 16→9" not in seen
        await table.type("u")
        assert table.hp("toll-captain") == before


async def test_an_interruption_in_the_middle_of_an_attack(tmp_path: Path) -> None:
    """While the damage die waits, the GM deals damage and a combatant interrupts."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await begin(table)
        await table.type("au⏎15⏎")
        asked = table.model.pending
        assert asked is not None
        await table.press("escape")
        await table.type("-3s⏎")
        assert table.hp("sefa") == 12
        assert table.question == asked.request
        await table.press("enter")
        await table.type("4⏎")
        assert (table.hp("toll-captain"), table.hp("sefa"), table.model.pending) == (9, 12, None)
        assert table.state.clock.at == "r1/party"
        await table.type("u")
        assert table.model.pending is None
        assert (table.hp("toll-captain"), table.hp("sefa")) == (16, 15)


async def test_the_pane_says_who_acts_waits_or_lies(tmp_path: Path) -> None:
    """The first line says who is up, another one how the chosen one is."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await begin(table)
        assert "o Ordwen + 3 more a act · A all · n → Toll-takers" in action_pane(table)
        await table.type("-99o⏎")
        await table.type("'o")
        assert "o Ordwen  dying" in table.text()
        assert "s Sefa + 2 more 'sa act · A all · n → Toll-takers" in action_pane(table)


async def test_an_instant_action_in_the_middle_of_an_attack(tmp_path: Path) -> None:
    """While a die waits, another combatant acts out of turn."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await begin(table)
        await table.type("au⏎")
        asked = table.question
        await table.press("escape")
        await table.type("''t")
        assert "t Tavi  acts" in table.text()
        await table.type("drop⏎")
        for _ in range(5):
            if table.mode is None:
                break
            await table.press("enter")
        step = table.model.pending_step
        assert step is not None
        assert [item.action.by for item in step.interrupts] == ["tavi"]
        assert table.question == asked
        await table.press("enter")
        await table.type("15⏎4⏎")
        assert (table.hp("toll-captain"), table.model.pending) == (9, None)
        assert "Tavi: Drop an Item" in table.text()


def test_newcomers_and_leavers_in_mid_round(tmp_path: Path) -> None:
    """Who joins and who leaves in the middle of a round changes nobody's turn."""

    session = begun(tmp_path, WN, "first_fight")
    opening = session.model.pending_step
    assert opening is not None
    assert opening.encounter is not None
    shelf = tuple(member for side in opening.encounter.sides for member in side.members)

    async def journey(table: Table) -> None:
        table.cockpit.files = GmFiles(lambda text: tuple(member for member in shelf if text in member.name.casefold()))
        await begin(table)
        await table.type("au⏎15⏎4⏎")
        clock = table.state.clock
        others = {person.id: person for person in table.state.combatants}
        await table.type("i2 robber⏎")
        while table.model.pending is not None:
            await table.press("asterisk")
        newcomers = [person for person in table.state.combatants if person.id not in others]
        assert len(newcomers) == 2
        now = table.state.clock
        assert (now.at, now.acting, now.acted, now.round) == (clock.at, clock.acting, clock.acted, clock.round)
        await table.press("ctrl+p")
        await table.type("remove")
        assert "Remove" in table.text()
        await table.press("enter")
        await table.type("h⏎")
        while table.mode is not None and "hedge-robber-1" in table.state:
            await table.press("enter")
        assert "hedge-robber-1" not in table.state
        now = table.state.clock
        assert (now.at, now.acting, now.acted, now.round) == (clock.at, clock.acting, clock.acted, clock.round)
        for who, person in others.items():
            if who not in ("hedge-robber-1", "ordwen"):
                assert table.state[who].budget == person.budget
        await next_round(table, 2)
        assert all(person.id in table.state for person in newcomers)

    drive(session, journey)


def played(key: str, folder: Path, steps: int) -> Session:
    """A fight of a shipped game after so many steps, with no question open."""
    ruleset, encounter = fight_of(key)
    session = fight(
        folder, encounter, ruleset, Settings(roller=dice_roller(5), clock=lambda: "2031-05-01T19:40:00+00:00")
    )
    number = 0
    while len(session.model.steps) < steps or session.model.pending is not None:
        number += 1
        assert number < 4000
        intent = random_play.intent_of(Random(number), ruleset, encounter, session.model)
        if session.model.pending is not None:
            session.dispatch(intent if isinstance(intent, Reply | RollRest) else RollRest())
            if session.model.refusal is not None:
                session.dispatch(Reply())
        elif isinstance(intent, Do | Advance):
            session.dispatch(intent)
    return session


@pytest.mark.parametrize("key", every(4, GAMES))
async def test_the_mis_click(key: str, tmp_path: Path) -> None:
    """Ten steps are taken back and nine done again."""
    session = played(key, tmp_path, 24)
    whole = session.model
    async with opened(session) as table:
        await table.press("escape")
        places = [table.model.head]
        for _ in range(10):
            await table.hurry("u")
            places.append(table.model.head)
        assert table.state == session.state_at(places[10])
        await table.hurry("U" * 9)
        assert (table.model.head, table.state) == (places[1], session.state_at(places[1]))
        await table.type("o" + "the other way" + "⏎")
        other = table.model.head
        assert other not in places
        await table.type("Bn" + "as it was" + "⏎")
        assert "as it was" in table.text()
        await table.press("enter")
        assert (table.model.head, table.state, table.model.steps) == (whole.head, whole.state, whole.steps)
        await table.type("B")
        await table.press("enter")
        assert (table.model.head, table.state.journal_notes[-1:]) == (other, ("the other way",))
