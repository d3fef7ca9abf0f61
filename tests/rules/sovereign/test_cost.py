"""What the offers of one combatant cost, in calls, so that no clock is asked."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.ui.games import SV, begun, played
from tracker.core.engine import offers
from tracker.library.guard import unwrapped

MOST = 14_000


def test_the_offers_of_a_combatant_stay_cheap(tmp_path: Path) -> None:
    """Each weapon is judged against each target once, however many actions ask for it."""
    session = begun(tmp_path, SV, "first_fight")
    state = played(session, lambda state: state.clock.round == 1)
    ruleset = unwrapped(session.ruleset)
    calls = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(called)
    try:
        found = offers(ruleset, state, "ysolde", True, frozenset())
    finally:
        sys.setprofile(None)

    assert len(found) >= 20
    assert calls < MOST, calls
