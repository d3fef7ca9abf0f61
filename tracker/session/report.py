"""The tale of a session's fight: its deeds, and what mattered in it."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.session.session import Session
from tracker.views.report.recorder import FightRecord, record_of
from tracker.views.report.statistics import Played, corrected


def fight_record_of(session: Session, marks: bool) -> FightRecord:
    """Return the fight of a session action by action; `marks`: with what a game leaves beside points."""
    steps = session.model.steps

    def states(number: int) -> tuple[State, State]:
        return session.state_at(steps[number].parent), session.state_at(steps[number].seq)

    return record_of(session.ruleset, (record.entries for record in steps), states, marks=marks)


def played_in(session: Session, number: int) -> Played:
    """Return a step of the fight as it was played."""
    record = session.model.steps[number]
    before = State() if record.parent is None else session.state_at(record.parent)
    return Played(before, record.step, record.answers, record.entries)


def corrections_of(session: Session) -> tuple[str, ...]:
    """Return what would be different without each correction, as far as that way was played."""
    steps = session.model.steps
    places = {record.seq: place for place, record in enumerate(steps)}
    found = []
    for tip in session.branches():
        if tip.why != "amended" or not steps:
            continue
        fork = places.get(tip.fork, -1) if tip.fork is not None else -1
        now = steps[min(len(steps) - 1, fork + tip.steps)]
        label = f"the correction behind step {fork + 1}"
        found.append(corrected(session.ruleset, label, session.state_at(tip.seq), session.state_at(now.seq)))
    return tuple(words for words in found if words)
