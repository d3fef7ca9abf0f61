"""Amending once more: what an earlier correction put aside."""

from __future__ import annotations

from tests.session.conftest import again
from tests.session.step.test_amend import attack, hit, outcomes
from tracker.session.intents import Advance, Amend
from tracker.session.session import Session


def test_a_die_put_aside_by_a_correction_is_there_for_the_next(session: Session) -> None:
    """A hit made a miss, then a hit again, has the damage that was rolled. So it has after a restart."""
    hit(session, 4)
    session.dispatch(Amend(2, attack(3)))
    step = session.dispatch(Advance()).steps[1].seq
    resumed = again(session)
    assert outcomes(resumed, step, attack(16)) == [(step, "changed"), (step + 1, "same")]
    assert resumed.dispatch(Amend(step, attack(16))).state["thug"].hp == 6
