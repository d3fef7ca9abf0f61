"""Resume of a fight of 2,000 steps (budget: 100 ms after start), and a look at the rest."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.bench_commit import roller
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.terms.actions import action
from tracker.session.intents import Advance, Do, LookAt, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal

STEPS = 2_000


def milliseconds(begun: float) -> str:
    return f"{(time.perf_counter() - begun) * 1000:7.1f} ms"


def main() -> None:
    settings = Settings(roller=roller, auto_sides=("party", "foes"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fights.db"
        with (
            Journal.open(path) as journal,
            Session.start(journal, DUEL, encounter(100_000, foes=8), settings) as session,
        ):
            journal._connection.execute("PRAGMA synchronous = OFF")
            while len(session.model.steps) < STEPS:
                session.dispatch(
                    Advance()
                    if len(session.model.steps) % 2
                    else Do((action("attack", "ansa", target="thug-1"),), forced=True)
                )
            fight, state = session.model.fight, session.model.state
            entries = sum(len(record.entries) for record in session.model.steps)
        print(
            f"{STEPS} steps, {entries} entries, {len(state.combatants)} combatants, {path.stat().st_size / 1e6:.1f} MB"
        )
        begun = time.perf_counter()
        with Journal.open(path) as journal:
            print(f"open        {milliseconds(begun)}")
            begun = time.perf_counter()
            with Session.resume(journal, fight, lambda key: DUEL, settings) as session:
                print(f"resume      {milliseconds(begun)}")
                assert session.model.state == state
                begun = time.perf_counter()
                session.dispatch(Undo())
                print(f"undo        {milliseconds(begun)}")
                begun = time.perf_counter()
                session.dispatch(LookAt(STEPS // 2))
                print(f"look at     {milliseconds(begun)}")
                begun = time.perf_counter()
                assert sum(len(record.entries) for record in session.model.steps)
                print(f"read all    {milliseconds(begun)}")


if __name__ == "__main__":
    main()
