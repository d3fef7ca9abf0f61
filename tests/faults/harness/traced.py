"""A fight that plays itself under `strace` and writes down what it shows.

strace ... python -m tests.faults.harness.traced JOURNAL GAME NUMBER STEPS
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.faults.harness.killing import SETTINGS, digest, game
from tracker.session.session import Session
from tracker.session.store.journal import Journal

__all__ = ["play"]

ANEW = 31
"""Numbers of steps after which a pause comes, and the next start of the program."""


def play(path: Path, key: str, number: int, steps: int) -> None:
    """Play so many intents and write down each state that could be shown."""
    played = game(key, number)
    journal = Journal.open(path)
    session = Session.start(journal, played.ruleset, played.encounter, SETTINGS)
    for step in range(steps):
        os.write(1, f"{digest(played.ruleset, session.model)}\n".encode())
        session.dispatch(played.intent_of(number * 100_000 + step, session.model))
        if step % ANEW == ANEW - 1:
            fight = session.model.fight
            session.close()
            journal.close()
            journal = Journal.open(path)
            session = Session.resume(journal, fight, played.find, SETTINGS)
    os.write(1, f"{digest(played.ruleset, session.model)}\n".encode())
    session.close()
    journal.close()


if __name__ == "__main__":
    play(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
