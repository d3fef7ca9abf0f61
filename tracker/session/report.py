"""The record of a session's fight for its report, and the effect of its corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.session.session import Session
from tracker.views.report.record import FightRecord
from tracker.views.report.recorder import record_of
from tracker.views.report.turning_points import Played, corrected


def fight_record_of(session: Session) -> FightRecord:
    """Return the record of a session's fight."""
    steps = session.model.steps

    def states(number: int) -> tuple[State, State]:
        return session.state_at(steps[number].parent), session.state_at(steps[number].seq)

    return record_of(session.ruleset, (record.entries for record in steps), states)


def played_in(session: Session, number: int) -> Played:
    """Return a step of the fight as it was played."""
    record = session.model.steps[number]
    before = State() if record.parent is None else session.state_at(record.parent)
    return Played(before, record.step, record.answers, record.entries)


def steps_of(session: Session) -> Iterator[tuple[Sequence[Entry], State, State]]:
    """Yield the entries of each step of the fight, with the states before and after it."""
    before = State()
    for record in session.model.steps:
        after = session.state_at(record.seq)
        yield record.entries, before, after
        before = after


def corrections_of(session: Session) -> tuple[str, ...]:
    """Return the difference that each correction made, as far as the branch without it was played."""
    steps = session.model.steps
    places = {record.seq: place for place, record in enumerate(steps)}
    found = []
    for tip in session.branches():
        if tip.why != "amended" or not steps:
            continue
        fork = places.get(tip.fork, -1) if tip.fork is not None else -1
        now = steps[min(len(steps) - 1, fork + tip.steps)]
        number = session.state_at(steps[min(len(steps) - 1, fork + 1)].seq).clock.round
        label = f"the correction in round {number}" if number else "the correction before the first round"
        found.append(corrected(session.ruleset, label, session.state_at(tip.seq), session.state_at(now.seq)))
    return tuple(words for words in found if words)
