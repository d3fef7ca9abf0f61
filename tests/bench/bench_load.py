"""The screen under load.

500 combatants with 20 effects each and 20,000 steps, against a tenth of the steps, and against 10 combatants without
effects.

Start and resume may grow with what there is to read; keys may not. Beside the time until the screen is still, the
computing time of the program is told, which other programs on the machine do not lengthen.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

from tests.bench.bench_ui import CODES, Program, script
from tests.ui.skirmish import SKIRMISH, encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal

CODES.update({"home": "\x1b[H", "end": "\x1b[F"})
GROUPS = (
    ("cursor", "down*20"),
    ("damage", "- 7 g enter " * 6),
    ("undo", "u*6"),
    ("next", "n*10"),
    ("next back", "u*10"),
    ("look back", "[*10 ]*10 escape"),
    ("log", "3 up*20 home end 2"),
)


class Load(Struct, frozen=True):
    """A fight to be measured."""

    people: int
    effects: int
    steps: int

    @property
    def label(self) -> str:
        return f"{self.people} combatants, {self.effects} effects each, {self.steps} steps"


def prepare(path: Path, load: Load) -> str:
    """Make a journal with such a fight, and return its id."""
    settings = Settings(roller=dice_roller(1), auto_sides=("party", "goblins"), step_seconds=60.0)
    with (
        Journal.open(path) as journal,
        Session.start(journal, SKIRMISH, encounter(load.people - 4), settings) as session,
    ):
        journal._connection.execute("PRAGMA synchronous = OFF")
        everyone = tuple(person.id for person in session.model.state.combatants)
        for number in range(load.effects):  # every second one is counted down at each boundary
            session.dispatch(
                Do(
                    (
                        action(
                            "add_effect",
                            None,
                            name=f"effect {number}",
                            targets=everyone,
                            until="999 rounds" if number % 2 else "",
                        ),
                    )
                )
            )
        while len(session.model.steps) < load.steps:
            acting = session.model.state.clock.current
            who = acting.members[0] if acting is not None else "ava"
            foe = "ava" if session.model.state[who].side == "goblins" else "goblin-1"
            for intent in (
                Do((action("attack", who, target=foe),)),
                Do((action("heal", amount=20, targets=(foe,)),)),
                Advance(),
            ):
                session.dispatch(intent)
        assert sum(1 for _ in session.model.state.all_effects) == load.people * load.effects
        return session.model.fight


def resumed(path: Path, fight: str) -> float:
    """Return how long it takes to take the fight up, without a screen."""
    begun = time.perf_counter()
    with Journal.open(path) as journal, Session.resume(journal, fight, lambda key: SKIRMISH):
        return time.perf_counter() - begun


def computing(program: Program) -> float:
    """Return how long a program has computed so far, in milliseconds."""
    spent = 0
    for thread in Path(f"/proc/{program.process.pid}/task").glob("*/schedstat"):
        spent += int(thread.read_text().split()[0])
    return spent / 1e6


def measure(path: Path, fight: str, load: Load) -> dict[str, float]:
    """Measure a fight on the screen and print it; return the computing time of a start and of a key of each group."""
    resume = min(resumed(path, fight) for _ in range(3))
    program = Program([sys.executable, "-m", "tests.bench.ui_program", str(path), fight])
    try:
        start = program.ready(b"Goblin")
        found = {"start": computing(program), "resume": 1000 * resume}
        program.read(0.5)
        print(f"{load.label}, journal of {path.stat().st_size / 1e6:.0f} MB")
        print(
            f"  start      {1000 * start:6.0f} ms, computing {found['start']:.0f}   "
            f"resume {found['resume']:.1f} ms   {program.memory():.0f} MB",
            flush=True,
        )
        for name, keys in GROUPS:
            walls, spent = [], []
            for key in script(keys):
                before = computing(program)
                wall = program.press(key)
                if wall is not None:
                    walls.append(1000 * wall)
                    spent.append(computing(program) - before)
            found[name] = statistics.median(spent)
            middle, most = statistics.median(walls), max(walls)
            print(
                f"  {name:10} {middle:6.1f} ms, at most {most:6.1f}   "
                f"computing {found[name]:5.1f}, at most {max(spent):5.1f}",
                flush=True,
            )
        return found
    finally:
        program.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--people", type=int, default=500)
    options.add_argument("--effects", type=int, default=20)
    options.add_argument("--steps", type=int, default=20_000)
    options.add_argument(
        "--keep", metavar="FOLDER", help="keep the journals there, and use those that are there already"
    )
    asked = options.parse_args()
    loads = [
        Load(10, 0, asked.steps // 10),
        Load(asked.people, asked.effects, asked.steps // 10),
        Load(asked.people, asked.effects, asked.steps),
    ]
    with tempfile.TemporaryDirectory() as name:
        found = []
        for load in loads:
            path = Path(asked.keep or name) / f"{load.people}-{load.effects}-{load.steps}" / "fights.db"
            if not path.exists():
                path.parent.mkdir(parents=True)
                prepare(path, load)
            with Journal.open(path) as journal:
                fight = journal.fights()[0].id
            found.append(measure(path, fight, load))
        few, short, full = found
        for words, one, other in (
            ("ten times the steps", short, full),
            (f"{asked.people} with effects against 10 without", few, short),
        ):
            print(f"{words}: " + ", ".join(f"{key} {other[key] / max(one[key], 0.1):.2f}" for key in few))


if __name__ == "__main__":
    main()
