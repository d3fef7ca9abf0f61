"""Odds and forecasts of the games' own fights.

Odds have a budget of 15 ms; a forecast of winning and of each fall to within ten points has one of 3 s. Run with
`python -m tests.bench.bench_forecast [GAME ...]`. It prints processor time: of odds in one thread, of fights the time
that as many processes share as a screen has (`worker_pool.cores`). It never fails.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from tests.forecast.test_playout import BUNDLED, GAMES, encounter
from tests.ui.games import ready
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.forecast.odds import odds
from tracker.forecast.scenario import Scenario, fight
from tracker.forecast.summary import Totals
from tracker.forecast.worker_pool import cores
from tracker.library.guard import unwrapped
from tracker.ui.modes.acting.batch import TurnBatch
from tracker.ui.modes.acting.odds_line import COUNTED, ENOUGH
from tracker.ui.typing.mode import ModeContext

POINTS, SECONDS, MILLISECONDS, ROUNDS = 0.1, 3.0, 15.0, 5


def forecast(game: str, name: str) -> tuple[int, float]:
    """Return after how many fights the chances are known, and the seconds that they take."""
    totals, start = Totals(), Scenario(game, encounter(game, name), root=name)
    since = time.process_time()
    for number in count(1):
        totals.add(fight(GAMES[game], start, number))
        if totals.known_to(POINTS, POINTS):
            return number, time.process_time() - since
    raise AssertionError


def actions(folder: Path, game: str) -> tuple[Ruleset, list[tuple[State, Action]]]:
    """Return what a sheet of monsters has, each action with the state in which it is done; else the act that is due."""
    session = ready(folder, game)
    state, ruleset = session.model.state, unwrapped(session.ruleset)
    lines = TurnBatch.open(scene := ModeContext(session.ruleset, session.model, session)).filled(scene).lines
    found = [(line.outlook.at, line.action) for line in lines if line.outlook is not None and line.action is not None]
    session.close()
    slot = state.clock.current
    if not found and slot is not None:
        found = [(state, Action("attack", slot.members[0]))]
    return ruleset, found


def counted(ruleset: Ruleset, state: State, action: Action) -> tuple[float, int, float]:
    """Return the milliseconds that the odds of an action take, the runs, and the share that is open then."""
    times, found = list[float](), None
    for _ in range(ROUNDS):
        since = time.thread_time()
        found = odds(ruleset, state, action, seconds=COUNTED, enough=ENOUGH)
        times.append((time.thread_time() - since) * 1000)
    assert found is not None
    return statistics.median(times), found.runs, found.open


def main() -> None:
    """Measure each game."""
    games = sys.argv[1:] or list(GAMES)
    for game in games:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            ruleset, found = actions(Path(folder), game)
        for state, action in found:
            took, runs, left = counted(ruleset, state, action)
            words = f"{game:24}{action.by or '':18}{action.key:16}{runs:4} runs {took:5.1f} ms"
            print(f"{words} ({took / MILLISECONDS:4.0%} of {MILLISECONDS:.0f}), {left:.1%} open")
    processes = cores()
    for game, name in BUNDLED:
        if game in games:
            fights, took = forecast(game, name)
            share = took / processes
            words = f"{game:24}{name:24}{fights:4} fights {took:6.2f} s, {took / fights * 1000:5.1f} ms each"
            print(f"{words}: {share:5.2f} s by {processes} ({share / SECONDS:4.0%} of {SECONDS:.0f})")


if __name__ == "__main__":
    main()
