"""Going back in a long fight: what a correction costs by how far back it lies, and a look back with the key held."""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from textual.events import Key

from tests.ui.drive import Table, drive, fight
from tests.ui.skirmish import encounter
from tracker.core.terms.actions import action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Amend, Do, Reply, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller

STEPS = 2_000
HELD = 150


def long_fight(folder: Path) -> Session:
    """Thirty goblins against four heroes, everybody healed before they fall."""
    session = fight(folder, encounter(30), settings=Settings(roller=dice_roller(7)))
    while len(session.model.steps) < STEPS:
        state = session.model.state
        slot = state.clock.current
        who = state[slot.members[0]] if slot is not None and slot.members else None
        foes = [] if who is None else [other.id for other in state.combatants if other.side != who.side]
        if who is None or not who.left("act"):
            session.dispatch(Advance())
            continue
        session.dispatch(
            Do((action("attack", who.id, target=foes[len(session.model.steps) % len(foes)], weapon="sword"),))
        )
        while session.model.pending is not None:
            session.dispatch(Reply())
        hurt = tuple(person.id for person in session.model.state.combatants if person.hp < 7)
        if hurt:
            session.dispatch(Do((action("heal", amount=6, targets=hurt),)))
    return session


def corrections(session: Session) -> None:
    """Correct a damage die early, in the middle and late."""
    hits = [record for record in session.model.steps if "damage" in dict(record.answers)]
    for name, record in (("first", hits[0]), ("middle", hits[len(hits) // 2]), ("last", hits[-1])):
        total = 1 if dict(record.answers)["damage"] != DiceAnswer(1, (1,)) else 2
        intent = Amend(record.seq, (("damage", DiceAnswer(total, (total,))),))
        began = time.perf_counter()
        report = session.preview(intent)
        shown = time.perf_counter()
        session.dispatch(intent)
        done = time.perf_counter()
        session.dispatch(Undo())
        counts = ", ".join(
            f"{count} {outcome}" for outcome, count in Counter(outcome.outcome for outcome in report.outcomes).items()
        )
        print(
            f"correct the {name} hit: shown {1000 * (shown - began):7.1f} ms, "
            f"done {1000 * (done - shown):7.1f} ms ({counts})"
        )


async def held(table: Table) -> None:
    """Hold the keys that look back and forward."""
    for name, character in (("left_square_bracket", "["), ("right_square_bracket", "]")):
        times = []
        for _ in range(HELD):
            began = time.perf_counter()
            table.screen.on_key(Key(name, character))
            times.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(0)
        times.sort()
        print(f"{character} held: {statistics.median(times):.2f} ms ({times[len(times) * 95 // 100]:.2f})")


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        session = long_fight(Path(folder))
        print(f"a fight of {len(session.model.steps)} steps")
        corrections(session)
        drive(session, held)
        session.journal.close()


if __name__ == "__main__":
    main()
