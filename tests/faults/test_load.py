"""Load: 500 combatants with 20 effects each and 20,000 steps."""

from __future__ import annotations

import os
import time
from pathlib import Path
from statistics import median

import pytest

from tests.faults.test_table_promises import press
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tests.ui.drive import Table, drive
from tests.ui.skirmish import SKIRMISH
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Do, Redo, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal

try:
    from tests.bench.bench_load import Load, prepare
except ImportError:
    pytest.skip("no pseudo-terminal can be made on this system", allow_module_level=True)

STEPS = int(os.environ.get("TRACKER_LOAD_STEPS", "20000"))
SETTINGS = Settings(
    roller=lambda request: DiceAnswer(request.dice.minimum), auto_sides=("party", "foes"), step_seconds=60.0
)
EFFECTS = 20


def note(number: int) -> Do:
    return Do((action("note", None, text=f"note {number}"),))


class Timed:
    """A crowded fight and how long things take in it."""

    def __init__(self, path: Path, foes: int, steps: int) -> None:
        self.path = path
        begun = time.perf_counter()
        with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(50, foes=foes), SETTINGS) as session:
            self.start = time.perf_counter() - begun
            journal._connection.execute("PRAGMA synchronous = OFF")
            people = tuple(person.id for person in session.model.state.combatants)
            self.people = len(people)
            for number in range(steps):
                session.dispatch(note(number))
            for number in range(EFFECTS):
                effect = action("add_effect", None, name=f"effect {number}", targets=people, until="")
                model = session.dispatch(Do((effect,)))
                assert (model.refusal, model.problem) == (None, "")
            self.effects = sum(1 for _ in session.model.state.all_effects)
            self.steps = len(session.model.steps)
            self.key, self.undo = self.keys(session)
            fight = session.model.fight
        begun = time.perf_counter()
        with Journal.open(path) as journal, Session.resume(journal, fight, lambda key: DUEL, SETTINGS) as again:
            self.resume = time.perf_counter() - begun
            assert len(again.model.steps) == self.steps
            assert sum(1 for _ in again.model.state.all_effects) == self.effects

    def keys(self, session: Session) -> tuple[float, float]:
        """Return the least time of a step, and of taking it back."""
        done, back = [], []
        for number in range(15):
            begun = time.perf_counter()
            session.dispatch(note(number))
            done.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            session.dispatch(Undo())
            back.append(time.perf_counter() - begun)
            session.dispatch(Redo())
            session.dispatch(Undo())
        return min(done), min(back)  # others use the machine too

    def told(self) -> str:
        times = ", ".join(f"{name} {getattr(self, name) * 1000:.1f} ms" for name in ("start", "resume", "key", "undo"))
        return f"{self.people} combatants, {self.effects} effects, {self.steps} steps: {times}"


def test_a_crowd_with_effects_is_played_and_taken_up(tmp_path: Path) -> None:
    """A small load in every run: all effects are there after a restart."""
    timed = Timed(tmp_path / "fights.db", 60, 100)

    assert timed.effects == timed.people * EFFECTS
    assert timed.steps == 1 + EFFECTS + 100


KEYS = ("down", "n", "u", "left_square_bracket", "escape")


def computing_of_keys(folder: Path, load: Load) -> dict[str, float]:
    """Return the usual computing time of each key, until the screen is settled."""
    folder.mkdir()
    path = folder / "fights.db"
    fight = prepare(path, load)
    session = Session.resume(Journal.open(path), fight, lambda key: SKIRMISH, SETTINGS)
    spent: dict[str, list[float]] = {key: [] for key in KEYS}

    async def journey(table: Table) -> None:
        for _ in range(5):
            for key in KEYS:
                begun = time.thread_time()
                await press(table, key)
                spent[key].append(time.thread_time() - begun)

    drive(session, journey)
    return {key: median(times) for key, times in spent.items()}


@pytest.mark.long
def test_keys_on_the_screen_feel_neither_history_nor_crowd(tmp_path: Path) -> None:
    """Neither ten times the steps nor twenty times the people slow a key down."""
    few, short, full = (
        computing_of_keys(tmp_path / str(number), load)
        for number, load in enumerate((Load(10, 2, 40), Load(100, 20, 40), Load(100, 20, 400)))
    )

    for key in KEYS:
        assert full[key] < 2 * short[key] + 0.010, key
        assert short[key] < 4 * few[key] + 0.010, key
        assert max(short[key], full[key]) < 0.050, key


@pytest.mark.long
def test_keys_do_not_feel_the_history(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against a tenth of the steps."""
    few = Timed(tmp_path / "few.db", 47, STEPS // 10)
    short = Timed(tmp_path / "short.db", 497, STEPS // 10)
    full = Timed(tmp_path / "full.db", 497, STEPS)
    with capsys.disabled():
        print(f"\n{few.told()}\n{short.told()}\n{full.told()}")

    assert full.key < 2 * short.key + 0.005
    assert full.undo < 2 * short.undo + 0.005
    assert full.resume < 1.5 * 10 * short.resume
    assert short.key < 1.5 * 10 * few.key + 0.005
    assert full.resume < 0.1 * (STEPS / 2_000) * 5, (
        "a hundred milliseconds for each 2,000 steps, on a machine five times slower"
    )
