"""Commit of a step against a bare commit of the same bytes (budget: 1.3 times).

Both are WAL and FULL, and taken in turns.

A fight is played first; then what its steps wrote is written again by the journal and as plain blobs. `dispatch` is a
whole step of the played fight.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer, Roll
from tracker.session.intents import Advance, Do
from tracker.session.rows import Commit, NewFight
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal

STEPS = 600


def roller(request: Roll) -> DiceAnswer:
    faces = tuple(sides // 2 for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


def size(change: Commit) -> int:
    texts = [text for row in change.steps for text in row.texts]
    if change.shown is not None:
        texts += [change.shown.view or b"", change.shown.table or b""]
    return sum(map(len, texts)) + len(change.head.draft or b"") + 100


def played(path: Path) -> tuple[list[Commit], list[float]]:
    """Play a fight, and return what it wrote, and the times of its steps."""
    written: list[Commit] = []
    times: list[float] = []
    with Journal.open(path) as journal:
        session = Session.start(
            journal, DUEL, encounter(10_000, foes=5), Settings(roller=roller, auto_sides=("party", "foes"))
        )
        journal.backups.wait()
        commit = journal.commit

        def noted(number: int, change: Commit) -> None:
            commit(number, change)
            written.append(change)

        journal.commit = noted  # type: ignore[method-assign]  # what is written is looked at on its way
        for number in range(STEPS):
            intent = Advance() if number % 2 else Do((action("attack", "ansa", target="thug-1"),), forced=True)
            begun = time.perf_counter()
            model = session.dispatch(intent)
            times.append(time.perf_counter() - begun)
            assert (model.refusal, model.problem) == (None, "")
        session.close()
    return written, times


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        written, times = played(Path(folder) / "played.db")
        took: dict[str, list[float]] = {"bare": [], "journal": [], "dispatch": times}
        bare = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = FULL")
        bare.execute("CREATE TABLE step (seq INTEGER PRIMARY KEY, text BLOB NOT NULL)")
        with Journal.open(Path(folder) / "fights.db") as journal:
            created = journal.create(NewFight("bench", "duel", 1, b"{}"), Commit(written[0].head))
            journal.backups.wait()

            def write_bare(change: Commit) -> None:
                bare.execute("BEGIN IMMEDIATE")
                bare.execute("INSERT INTO step (text) VALUES (?)", (texts[id(change)],))
                bare.execute("COMMIT")

            texts = {id(change): bytes(size(change)) for change in written}
            ways = [("bare", write_bare), ("journal", lambda change: journal.commit(created.number, change))]
            for change in written:
                ways.reverse()
                for name, write in ways:
                    begun = time.perf_counter()
                    write(change)
                    took[name].append(time.perf_counter() - begun)
            if created.lock is not None:
                created.lock.release()
        bare.close()
    lengths = [size(change) for change in written]
    print(f"{STEPS} steps of {median(lengths):.0f} bytes (most {max(lengths)})")
    for name, seconds in took.items():
        typical, late = median(seconds), quantiles(seconds, n=20)[-1]
        print(
            f"{name:9} {typical * 1000:7.3f} ms  p95 {late * 1000:7.3f} ms  "
            f"{typical / median(took['bare']):5.2f} times bare"
        )


if __name__ == "__main__":
    main()
