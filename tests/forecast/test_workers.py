"""Forecasts of a running fight, and the processes that make them."""

from __future__ import annotations

import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import NoReturn

import pytest
from msgspec.structs import replace

from tests.forecast.test_playout import alley, alley_encounter
from tests.forecast.test_summary import duel
from tests.support.example_ruleset import RULESET as KNIVES
from tests.support.example_ruleset import Blade
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Step
from tracker.core.terms.actions import Action, action
from tracker.core.terms.encounter import Member
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast import worker_pool
from tracker.forecast.playout import opened
from tracker.forecast.scenario import fight, new_seed, root_of, seeded
from tracker.forecast.simulation import ROUGH, Forecast, Scenario, Simulator
from tracker.forecast.summary import CLOSE_FALLS, LEAST, close_enough, difference, outlook
from tracker.forecast.variants import CountRange, variants
from tracker.forecast.worker_pool import WorkerPool

ROOT = Path(__file__).parents[2]
PATIENT = 60.0
"""Seconds that a busy machine may take."""


def raising(state: State, who: Id, tactics: Tactics) -> NoReturn:
    raise ValueError("no such weapon")


def leaving(state: State, who: Id, tactics: Tactics) -> Action | None:
    """End the process of some fights."""
    if state.clock.round == 3:
        os._exit(3)
    return KNIVES.policy(state, who, tactics)


def looping(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Never come back from C code."""
    sum(range(10**15))
    return None


BROKEN = {"raising": raising, "leaving": leaving, "looping": looping}


def found(key: str) -> Ruleset:
    """Return the made-up game, or one of that name that is broken."""
    return KNIVES if key == "knives" else replace(KNIVES, policy=BROKEN[key])


def beginning(state: State, game: str = "knives", **more: object) -> Scenario:
    return replace(Scenario(game, state, root=root_of(KNIVES, state)), **more)


def last(forecasts: Iterator[Forecast]) -> Forecast:
    return list(forecasts)[-1]


@pytest.fixture(scope="module")
def workers() -> Iterator[Simulator]:
    with Simulator(found, 2) as begun:
        yield begun


def test_a_state_has_one_forecast(workers: Simulator) -> None:
    """Given a state, two processes and no process give the same forecast."""
    state = opened(KNIVES, duel(), 3)
    assert root_of(KNIVES, state) == root_of(KNIVES, replace(state)) != root_of(KNIVES, replace(state, serial=9))
    before = multiprocessing.active_children()

    with Simulator(found, 0) as alone:
        forecasts = [last(some.refined(beginning(state), most=70, seconds=PATIENT)) for some in (alone, workers)]

    assert len(multiprocessing.active_children()) == len(before) + 2
    assert len({forecast.outlook for forecast in forecasts}) == 1
    assert {forecast.over for forecast in forecasts} <= {"close", "all"}
    assert forecasts[0].outlook.fights >= LEAST


def test_forecasts_go_on_from_a_fight(workers: Simulator) -> None:
    """Given a fight, actions are compared with the same dice, and forecasts cancelled."""
    state = alley()
    usual = beginning(state)
    tried = replace(usual, step=Step("do", (action("guard", state.combatants[0].id),)))

    seen = list(workers.compared(tried, usual, most=6, seconds=PATIENT))
    ranged = list(workers.ranged([replace(usual, usual=one) for one in TACTICS], most=2, seconds=PATIENT))
    gone = last(workers.refined(usual, cancelled=lambda: True))

    with Simulator(found, 0) as alone:
        ends = [alone.fights(way, 6, exactly=True) for way in (tried, usual)]
    assert seen[-1].change == difference(*ends)
    assert [forecast.outlook.fights for forecast in ranged[-1]] == [2, 2, 2, 2]
    assert (gone.over, gone.outlook.fights) == ("cancelled", 0)


def test_the_usual_tactics_are_known_first(workers: Simulator) -> None:
    """Given several tactics, the first are played alone until they are roughly known."""
    usual = beginning(opened(KNIVES, duel(), 3))
    told: list[tuple[Forecast, ...]] = []

    def rough() -> bool:
        return bool(told) and close_enough(told[-1][0].outlook.won, told[-1][0].outlook.fights, ROUGH)

    for forecasts in workers.ranged(
        [replace(usual, usual=one) for one in TACTICS], seconds=PATIENT, ahead=PATIENT, cancelled=rough
    ):
        told.append(forecasts)

    ends = [fight(KNIVES, usual, seed) for seed in range(told[-2][0].outlook.fights)]
    assert [len(forecasts) for forecasts in told[-2:]] == [1, 4]
    assert told[-2][0].outlook == told[-1][0].outlook == outlook(ends)
    won = [end.won for end in ends]
    known = next(many for many in range(1, len(won) + 1) if close_enough(sum(won[:many]), many, ROUGH))
    assert len(won) - known < 2 * worker_pool.MOST_BATCH  # each worker may have brought a batch at once
    assert fight(KNIVES, replace(usual, skip=3), 2) == ends[5]


def test_a_broken_game_costs_fights_not_the_program(workers: Simulator) -> None:
    """Given fights that raise or end their process, the sound ones are told."""
    state = opened(KNIVES, duel(), 4)

    raised = last(workers.refined(beginning(state, "raising"), seconds=PATIENT))
    left = workers.fights(beginning(state, "leaving"), 26, exactly=True)
    sound = workers.fights(beginning(state), 26, exactly=True)

    assert (raised.over, raised.outlook.fights) == ("broken", 0)
    assert "ValueError: no such weapon (test_workers.py:" in raised.outlook.reason
    lost = [place for place, end in enumerate(left) if end.failed]
    assert 0 < len(lost) < 20
    assert [end for end in left if not end.failed] == [end for place, end in enumerate(sound) if place not in lost]


def test_a_worker_that_begins_late_is_waited_for() -> None:
    """Given a worker that takes long to begin, none of its fights is lost."""
    ours, its = multiprocessing.Pipe()
    hand = SimpleNamespace(pipe=ours, free=True, started=False, last_message=0.0, left=deque(), end=ours.close)

    def begin(job: int, packed: bytes, batch: range) -> None:
        hand.free, hand.last_message = False, time.monotonic() - worker_pool.START_TIMEOUT / 2
        hand.left.extend(batch)

    hand.begin = begin
    one = WorkerPool(found, 1)
    one._workers = [hand]  # type: ignore[list-item]  # stands for a process that takes its time
    state = opened(KNIVES, duel(), 3)
    played = one.play([beginning(state)], 1, lambda: True)

    nothing = [next(played), next(played)]
    end = fight(KNIVES, beginning(state), 0)
    its.send((0, None, 0.0))
    its.send((1, end, 0.01))
    done = [each for ready in played for each in ready]

    assert nothing == [[], []]
    assert (done, hand.started) == ([(0, end)], True)


def test_falls_are_played_until_they_are_known() -> None:
    """Given a fight that is always won, it goes on until each character's chance to fall is known."""
    strong, weak = Blade(name="Ada", hp=90, skill=9), Blade(name="Bo", hp=9, defence=7)
    whole = duel()
    party = (Member(weak, "Bo", "pc"), Member(strong, "Ada", "pc"))
    foes = (Member(Blade(name="Thug", hp=40, skill=1), "Thug", "monster"),)
    sides = (replace(whole.sides[0], members=party), replace(whole.sides[1], members=foes))
    start = Scenario("knives", replace(whole, sides=sides))

    with Simulator(found, 0) as alone:
        seen = outlook(alone.fights(start, 2_000))
        few = last(alone.refined(start, most=25, seconds=PATIENT))

    low, high = seen.people[0].interval
    assert seen.won == seen.fights > 40
    assert high - low <= 2 * CLOSE_FALLS
    assert (seen.is_known, few.outlook.is_known, few.over) == (True, False, "all")


def test_a_sweep_has_as_many_fights_of_each_with_its_differences(workers: Simulator) -> None:
    """Given several counts of foes, all have the same number of fights, and each has its change from the one before."""
    counts = [scenario for _, scenario in variants(alley_encounter(), CountRange("Thug", 1, 3))]
    scenarios = [Scenario("knives", one, root="7") for one in counts]

    told = list(workers.ranged(scenarios, most=150, seconds=PATIENT))[-1]

    with Simulator(found, 0) as alone:
        ends = [alone.fights(one, told[0].outlook.fights, exactly=True) for one in scenarios]
    assert len({one.outlook.fights for one in told}) == 1
    assert [one.change for one in told] == [None, difference(ends[1], ends[0]), difference(ends[2], ends[1])]


def test_each_question_has_its_own_dice() -> None:
    """Given an encounter, one seed gives the same fights again, another gives others."""
    start = Scenario("knives", alley_encounter())

    with Simulator(found, 0) as alone:
        one, again, other = (alone.fights(seeded(start, seed), 12, exactly=True) for seed in (5, 5, 6))

    assert one == again != other
    assert len({new_seed() for _ in range(20)}) > 10


@pytest.mark.long
def test_a_game_that_never_ends_costs_one_fight(workers: Simulator) -> None:
    """Given a loop in C code, the system ends its process."""
    forecast = last(workers.refined(beginning(alley(), "looping"), seconds=PATIENT))

    assert (forecast.over, forecast.outlook.failed) == ("broken", 1)
    assert forecast.outlook.reason == "a fight did not end, so its process was ended"
    assert last(workers.refined(beginning(alley()), seconds=PATIENT)).outlook.fights >= LEAST


PROGRAM = """
import multiprocessing, sys
from tests.forecast.test_workers import beginning, found
from tests.forecast.test_playout import alley
from tracker.forecast.simulation import Simulator
if __name__ == "__main__":
    workers = Simulator(found, 2, idle=True)
    for forecast in workers.refined(beginning(alley()), most=40, seconds=60):
        pass
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
    for forecast in workers.refined(beginning(alley(), "looping"), seconds=600):
        pass
"""


def alive(pid: int) -> bool:
    """Tell whether a process runs."""
    status = Path(f"/proc/{pid}/status")
    return status.exists() and re.search(r"State:\s+Z", status.read_text("utf-8")) is None


def computed(pid: int) -> float:
    """Return how many seconds a process has computed."""
    try:
        words = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no list of processes to look at")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_no_worker_outlives_its_program(tmp_path: Path, end: str) -> None:
    """Given a program that is killed, its workers end when they compute again."""
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, "utf-8")
    program = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    with program:
        assert program.stdout is not None
        pids = [int(pid) for pid in program.stdout.readline().split()]
        before = {pid: computed(pid) for pid in pids}
        program.send_signal(signal.Signals[end])
        program.wait(PATIENT)

    until = time.monotonic() + PATIENT
    while (left := [pid for pid in pids if alive(pid)]) and time.monotonic() < until:
        time.sleep(0.05)
    assert len(pids) == 2
    assert [pid for pid in left if computed(pid) - before[pid] > 0.2] == []
