"""Every ruleset keeps the promises of core, whatever happens at the table."""

from __future__ import annotations

import os
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.games import GAMES, build
from tracker.testing.machine import machine

# Enough in every run to find a broken promise; HYPOTHESIS_PROFILE=search plays for hours, and takes the time to find
# the shortest fight that breaks one.
SHORT = os.environ.get("HYPOTHESIS_PROFILE", "ci") == "ci"


def play(name: str) -> settings:
    """Return how long to play a game.

    In a short run the made-up ones are played longer than each bundled fight, since core is tried on them.
    """
    fights, steps = (6, 30) if "/" in name else (20, 40)
    return settings(
        max_examples=fights if SHORT else settings().max_examples,
        stateful_step_count=steps if SHORT else 80,
        phases=[Phase.generate] if SHORT else [Phase.reuse, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_fight_keeps_its_promises(name: str) -> None:
    """Offers are accepted, events make the state, steps can be repeated, and everything comes in its time."""
    run_state_machine_as_test(machine(partial(build, name)), settings=play(name))
