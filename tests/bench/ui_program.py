"""The program that the measurements of the screen start: a fight of the made-up game, taken up from a journal."""

from __future__ import annotations

import os
import sys

os.environ.setdefault("ESCDELAY", "25")

from pathlib import Path

from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal


def prepare(path: Path, goblins: int, lines: int, effects: int = 0) -> str:
    """Make a journal with a fight, and return its id.

    It has so many combatants, so many effects on each, and at least so many lines of log.
    """
    from tests.ui.skirmish import SKIRMISH, encounter
    from tracker.core.terms.actions import action
    from tracker.session.intents import Advance, Do
    from tracker.views.log.rendering import log_rows

    journal = Journal.open(path)
    session = Session.start(
        journal, SKIRMISH, encounter(goblins - 4), Settings(roller=dice_roller(1), auto_sides=("party", "goblins"))
    )
    everybody = tuple(combatant.id for combatant in session.model.state.combatants)
    for number in range(effects):
        session.dispatch(
            Do((action("add_effect", name=f"hexed {number}", targets=everybody, until=str(900 + number)),))
        )
    told = 0
    while told < lines:
        acting = session.model.state.clock.current
        who = acting.members[0] if acting is not None else "ava"
        foe = "ava" if session.model.state[who].side == "goblins" else "goblin-1"
        for intent in (
            Do((action("attack", who, target=foe),)),
            Do((action("heal", amount=20, targets=(foe,)),)),
            Advance(),
        ):
            session.dispatch(intent)
            record = session.model.steps[-1]
            told += len(log_rows(SKIRMISH, session.model.state, record.entries, record.seq, 70))
    fight = session.model.fight
    session.close()
    journal.close()
    return fight


def main() -> None:
    """Open the fight: `python -m tests.bench.ui_program JOURNAL FIGHT`."""
    from tests.ui.skirmish import SKIRMISH, find
    from tracker.ui.app import TrackerApp
    from tracker.ui.keys.keymap import keymap_path, read_keymap

    session = Session.resume(
        Journal.open(Path(sys.argv[1])), sys.argv[2], lambda key: SKIRMISH, Settings(roller=dice_roller(1))
    )
    TrackerApp(session, find, odds=True, keymap=lambda: read_keymap(keymap_path())).run()


if __name__ == "__main__":
    main()
