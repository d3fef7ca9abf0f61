"""Whatever the GM puts before whichever question of a turn, the step comes to its end."""

from __future__ import annotations

from itertools import product

import pytest

from rulesets.sword_world import RULESET
from tests.rules.test_vectors import BOOKS
from tests.support.shares import every
from tracker.core.run import Done, Interruption, Step, run
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import Answer, Request
from tracker.testing.table import plain

WHO = ("ari", "ben", "oz", "pip")
PUT = (
    *(action("remove", targets=(who,)) for who in WHO),
    *(action("status", targets=(who,), status="unconscious") for who in WHO),
    *(action("status", targets=(who,), status="dead") for who in WHO[:3]),
    *(action("place", who=who, x=90) for who in WHO[:3]),
    *(action("side", who=who, side=side) for who, side in (("ari", "foes"), ("ben", "foes"), ("oz", "party"))),
    action("end_zone", zone="zone:1"),
    action("move_participant", who="oz", zone="none"),
    action("move_participant", who="ben", zone="zone:1"),
)
DEEDS = (
    action("attack", "ben", weapon="bow", target="oz", roll_fixed=True),
    action("cast", "ben", spell="Burst", zone="zone:1", roll_fixed=True),
    action("cast", "ben", spell="Beam", targets=("oz",)),
    action("cast", "ben", spell="Bolt", targets=("oz", "pip")),
    action("move", "ben", kind="normal", metres=9, passes_through="zone:1"),
)


@pytest.mark.parametrize(("deed", "put"), every(6, product(DEEDS, PUT)))
def test_any_interruption_at_any_question(deed: Action, put: Action) -> None:
    """Whatever is put before whichever question, the step comes to its end."""
    state = BOOKS["sword_world"].play({"given": "beside", "do": [{"next": 3}, {"do": "start_turn", "by": "ben"}]}).state
    keys: list[str] = []

    def source(request: Request) -> Answer | None:
        keys.append(request.key)
        return plain(request)

    run(RULESET, state, Step("do", (deed,)), (), source)
    assert keys
    for key in list(dict.fromkeys(keys)):
        outcome = run(RULESET, state, Step("do", (deed,), interrupts=(Interruption(key, put),)), (), plain)
        assert isinstance(outcome, Done)
