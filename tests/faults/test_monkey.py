"""Monkeys press, paste, click and resize, and break nothing. The journal holds what the screen shows."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.harness.games import GAMES, fight_of
from tests.faults.harness.monkey import MEDDLING, let_loose
from tests.faults.harness.start_monkey import let_loose_at_the_start
from tests.support.shares import every
from tests.ui.skirmish import SKIRMISH, House
from tests.ui.skirmish import encounter as skirmish

EVENTS = int(os.environ.get("TRACKER_MONKEY_EVENTS", "100000"))
IN_EVERY_RUN = 900
SEEDS = (1, 4, 5, 2, 3, 6)
"""By the first of them combatants leave before a question in most games."""
OFTEN = 200
"""What was asked so often has had each kind of meddling put before it."""


@pytest.mark.parametrize("key", every(3, GAMES))
def test_a_monkey_breaks_nothing(tmp_path: Path, key: str) -> None:
    """Some thousand events, shared among the games."""
    for seed in SEEDS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        run = let_loose(folder, *fight_of(key), seed, IN_EVERY_RUN // (len(GAMES) + 1))
        if run.steps > 1 and run.meddled.total():
            return
    pytest.fail("no combatant has left while a question was open")


def test_a_monkey_breaks_no_game_of_a_few_rules(tmp_path: Path) -> None:
    """The same of a made-up game that asks much."""
    encounter = skirmish(rules=House(individual=True, parries=True))

    run = let_loose(tmp_path, SKIRMISH, encounter, 1, IN_EVERY_RUN // (len(GAMES) + 1))

    assert run.steps > 1
    assert run.meddled.total()


@pytest.fixture
def start_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to start the program in, with an editor that changes nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "true")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("TRACKER_LIBRARY", raising=False)
    return tmp_path


def test_a_monkey_at_the_start_screen_loses_no_fight(start_folder: Path) -> None:
    """Some events there and in the fights that it opens."""
    assert let_loose_at_the_start(start_folder, 1, 80) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_a_monkey_at_the_start_screen_loses_no_fight_in_the_long_run(start_folder: Path, seed: int) -> None:
    """Some thousand events on all games."""
    assert let_loose_at_the_start(start_folder, seed, EVENTS // 200) > 0


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("key", GAMES)
def test_a_monkey_breaks_nothing_in_the_long_run(
    tmp_path: Path, key: str, seed: int, record_property: Callable[[str, object], None]
) -> None:
    """A hundred thousand events for each game, in fights of some length."""
    record_property("cases", EVENTS // 10)
    ruleset, encounter = fight_of(key, seed)

    run = let_loose(tmp_path, ruleset, encounter, seed, EVENTS // 10)

    print(key, seed, dict(run.asked), dict(run.meddled))
    often = [kind for kind, times in run.asked.items() if times > OFTEN]
    done = {what.partition(" ")[0] for what in run.meddled}  # without a map nobody is placed
    never = [what for kind in often for command in done if not run.meddled[what := f"{command} before {kind}"]]
    assert done >= set(MEDDLING) - {"place"}
    assert (run.steps > 1, never) == (True, [])
