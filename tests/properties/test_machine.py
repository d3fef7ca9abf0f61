"""Every ruleset keeps the promises of core, whatever is done, answered, taken back, interrupted or reloaded."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.properties.games import GAMES
from tests.properties.machine import Play

# Enough in every run to find a broken promise; HYPOTHESIS_PROFILE=search plays for hours, and takes the time to find
# the shortest fight that breaks one.
SHORT = os.environ.get("HYPOTHESIS_PROFILE", "ci") == "ci"


def play(name: str) -> settings:
    """Return how long to play a game: in a short run the made-up ones longer, since core is tried on them, than each of the many bundled fights."""
    fights, steps = (6, 30) if "/" in name else (20, 40)
    return settings(
        max_examples=fights if SHORT else settings().max_examples,
        stateful_step_count=steps if SHORT else 80,
        phases=[Phase.generate] if SHORT else [Phase.reuse, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_fight_keeps_its_promises(name: str) -> None:
    """Anything offered is accepted, events make the state, steps come out the same again, everything promised comes in its time."""
    machine = type("Fight", (Play,), {"game": name})

    run_state_machine_as_test(machine, settings=play(name))
