"""The forecast of a fight: a sheet over the panes that no key waits for."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.forecast.test_rows import CAST
from tests.forecast.test_summary import duel
from tests.support.example_ruleset import RULESET as KNIVES
from tests.ui.drive import Table, fight, opened
from tests.ui.forecast.canned import canned, seen
from tests.ui.hall import Hall
from tests.ui.skirmish import SKIRMISH
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Encounter
from tracker.forecast.scenario import Scenario
from tracker.forecast.simulation import Simulator
from tracker.forecast.summary import ForecastSummary
from tracker.session.settings import Settings, dice_roller
from tracker.ui.app import TrackerApp
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.forecast import runner
from tracker.ui.modes.forecast.page import ForecastMode, head_words
from tracker.ui.modes.forecast.runner import ForecastQuery, ForecastState
from tracker.ui.widgets.lines import RowsWidget


async def test_f_tells_how_the_fight_will_probably_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chances come with intervals, bars and the range of the tactics; the fight stays as it is."""
    chances = {"focused": 142, "spread": 110, "cautious": 160, "ruthless": 120}
    workers = canned(monkeypatch, lambda one: seen(won=chances[one.usual]))
    workers.gate.clear()
    async with opened(fight(tmp_path)) as table:
        before = table.model
        await table.press("F")
        assert isinstance(table.mode, ForecastMode)
        await table.until("200 fights · each side focused · playing on")
        said = table.pane("over")
        assert "Party 71% (64 to 77%) ███" in said
        assert "3 more rounds (1 to 6 in 9 of 10 fights) · 0.7 of 2 characters fall" in said
        assert "43% of Party's points left" in said
        assert "w Wolf falls 60%" in said
        assert "2 × Goblin falls 75%" in said
        assert "by the tactics" not in said
        assert "Party wins 71% (64 to 77%)" in said
        assert "a character falls: 2 in 3, mostly Wolf · a character dies: 1 in 10, mostly Ava" in said
        workers.gate.set()
        await table.until("Party wins 55% to 80% by the tactics of both sides")
        assert "playing on" not in table.pane("over")
        assert table.model is before
        await table.press("escape")
        assert table.mode is None
    assert [len(asked) for asked in workers.asked] == [4]
    assert len({id(way.start) for way in workers.asked[0]}) == 1


def test_a_forecast_says_whether_its_time_was_over() -> None:
    """The head says after how long which chance is known least closely, and how closely."""
    asked, rough, close = ForecastQuery("range", (), CAST), seen(40, 20), seen(400, 400)
    states = [
        ForecastState((one,), over=over, seconds=seconds)
        for one, over, seconds in (
            (rough, "", 1.2),
            (seen(19, 9), "", 0.4),
            (seen(93, 46), "", 2.96),
            (rough, "time", 30.02),
            (close, "close", 8.0),
        )
    ]

    assert [head_words(asked, state).rpartition(" · ")[2] for state in states] == [
        "playing on … after 1 s: ±15 points",
        "playing on …",
        "playing on … after 3 s: ±10 points",
        "the time is over after 30 s: ±15 points",
        "known to ±7 points",
    ]


async def test_after_a_step_it_is_as_of_then_until_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fight goes on beneath the sheet, which says from when it is."""
    workers = canned(monkeypatch)
    async with opened(fight(tmp_path)) as table:
        await table.press("F")
        await table.until("tactics of both sides")
        first = table.state
        await table.press("n")
        assert table.state is not first
        assert "as of Round 1" in table.pane("over")
        assert "enter: again" in table.pane("over")
        await table.press("enter")
        await table.until("before: Round 1 · Ava's turn 71%")
        assert "enter: again" not in table.pane("over")
        assert len(workers.asked) == 2
        await table.press("u")
        assert "enter: again" in table.pane("over")
        await table.press("escape", "F")
        await table.until("tactics of both sides")
        assert workers.asked[-1][0].start == first
        assert "Wolf's turn" not in table.pane("over")  # that moment has been taken back


async def test_who_leaves_plays_no_more_fights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Escape ends the fights, and the same question goes on from what was known."""
    workers = canned(monkeypatch)
    workers.gate.clear()
    async with opened(fight(tmp_path)) as table:
        await table.press("F")
        await table.until("200 fights")
        await table.press("escape")
        workers.gate.set()
        while not workers.cancelled:
            await table.pilot.pause(0.001)
        assert workers.cancelled == [True]
        await table.press("F")
        assert "200 fights" in table.pane("over")
        await table.until("tactics of both sides")
        await table.press("enter")
        await table.until("tactics of both sides")
    assert [len(asked) for asked in workers.asked] == [4, 4, 4]
    first, gone_on, again = (asked[0].root for asked in workers.asked)
    assert first == gone_on != again  # a question keeps its dice, the next one has its own


async def test_a_what_if_stands_beside_the_real_fight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are played with the same dice, and the difference has its interval."""

    def found(one: Scenario) -> ForecastSummary:
        return seen(won=142 if one.start is real[0] else 154)

    workers = canned(monkeypatch, found)
    real: list[object] = []
    async with opened(fight(tmp_path)) as table:
        real.append(table.state)
        await table.type("w-4g⏎F")
        await table.until("difference")
        said = table.pane("over")
        assert "real 71% (64 to 77%)" in said
        assert "what-if 77% (71 to 82%)" in said
        assert "difference +6 points (−2 to +14) it may make no difference" in said
        tried, actual = workers.asked[-1]
        assert (actual.start, tried.start) == (real[0], table.state)
        assert tried.root == actual.root != ""


async def test_an_action_stands_against_the_usual_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a form ctrl+f tells what the action changes, and Escape goes back to it."""
    workers = canned(monkeypatch)
    async with opened(fight(tmp_path)) as table:
        await table.type("ag⇥")
        assert "ctrl+f forecast" in table.text()
        await table.press("ctrl+f")
        await table.until("difference")
        assert "Ava · this action: Attack g Goblin 1, sword" in table.pane("over")
        assert "the usual one: nothing in particular" in table.pane("over")
        tried, usual = workers.asked[-1]
        assert tried.step is not None
        assert tried.step.actions[0].key == "attack"
        assert (usual.step, usual.start, usual.root) == (None, tried.start, tried.root)
        await table.press("escape")
        assert isinstance(table.mode, Form)
        await table.press("escape", "ctrl+f")
        assert "a forecast of an action needs its form, filled in" in table.pane("console")


async def test_a_question_that_waits_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The step in hand is played with the answers it has."""
    workers = canned(monkeypatch)
    async with opened(fight(tmp_path)) as table:
        before = table.state
        await table.type("ag⏎14⏎")
        await table.press("escape", "F")
        await table.until("tactics of both sides")
        asked = workers.asked[0][0]
        assert asked.start is before
        assert asked.step is not None
        assert [answer.total for _, answer in asked.answers] == [14]


async def test_fights_are_really_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheets of a duel and of a what-if hear of real fights."""
    monkeypatch.setattr(runner, "PAIRS", 20)
    monkeypatch.setattr(TrackerApp, "forecasters", Simulator(lambda key: KNIVES, 0))
    async with opened(fight(tmp_path, duel(), KNIVES, Settings(roller=dice_roller(1))), sound=False) as table:
        await table.type("⏎⏎⏎⏎")
        await table.press("F")
        await table.until("fights · each side focused")
        await table.press("escape")
        await table.type("wF")
        await table.until("difference")
        assert "difference 0 points" in table.pane("over")


async def test_a_ruleset_that_fails_costs_the_forecast_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says what went wrong and where."""
    broken = replace(SKIRMISH, policy=_break)
    monkeypatch.setattr(TrackerApp, "forecasters", Simulator(lambda key: broken, 0))
    async with opened(fight(tmp_path)) as table:
        await table.press("F")
        await table.until("fewer than 20 say nothing")
        said = "3 of the fights broke the ruleset: ValueError: no such weapon (test_fight.py:"
        await table.until("broke the ruleset")
        assert said in table.pane("over")
        await table.press("escape")
        await table.type("-1g⏎")
        assert table.hp("goblin-1") == 6


def _break(state: State, who: str, tactics: str) -> None:
    raise ValueError("no such weapon")


def page(table: Table) -> str:
    """What the page says, its lines joined as sentences."""
    rows = table.app.screen.query_one("#reader", RowsWidget)._shown
    return " ".join(" ".join(row.text.split()) for row in rows if row is not None)


async def test_an_encounter_and_its_numbers_are_forecast(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """F opens the forecast of the file; a count that is typed has a line for each number."""
    hall.encounter("ford", "At the ford")
    workers = canned(monkeypatch, lambda one: seen(sides=("Party", "Thugs")))
    async with hall.opened() as table:
        await table.press("F")
        await table.until("by the tactics of both sides")
        assert "Forecast: At the ford" in table.text()
        assert "other numbers" in table.text()
        assert "4 rounds (2 to 7 in 9 of 10 fights)" in page(table)
        assert [one.usual for one in workers.asked[-1]] == ["focused", "spread", "cautious", "ruthless"]
        await table.type("thug=3..5⏎")
        await table.until("5 × thug")
        assert "Party wins fall left rounds" in page(table)
        counts = [_thugs(one.start) for one in workers.asked[-1]]
        assert counts == [3, 4, 5]
        await table.press("escape")
        await table.type("ogre=2⏎")
        assert '✗ there is no "ogre" in this encounter (ada, bo, thug)' in page(table)
        await table.type(" x⏎")
        assert '✗ "ogre=2 x": write NAME=N..M, such as goblin=6..12' in page(table)
        await table.press("escape", "enter")
        await table.until("by the tactics of both sides")
        await table.press("escape")
        assert table.app.screen.cover is None  # type: ignore[attr-defined]  # the start screen has one


def _thugs(start: Encounter | State) -> int:
    assert isinstance(start, Encounter)
    return start.sides[1].members[0].count.maximum


async def test_a_saved_fight_is_forecast_from_where_it_stands(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fight is only looked at. A broken file shows its problems."""
    hall.played("In the mill", "2031-05-01T19:40:00+00:00", action("damage", amount=4, targets=("ada",)))
    hall.encounter("bad", "Broken", ("hp: 6", "hp: many"))
    workers = canned(monkeypatch)
    async with hall.opened() as table:
        await table.press("F")
        await table.until("by the tactics of both sides")
        start = workers.asked[0][0].start
        assert isinstance(start, State)
        assert start["ada"].hp == 6
        assert "Round 1" in page(table)
        assert "> " not in page(table)
        assert "other numbers" not in table.text()
        await table.press("escape", "tab", "F")
        assert "hp: many" in page(table)
        await table.press("escape")
        await table.press("tab", "enter")
        assert table.hp("ada") == 6
