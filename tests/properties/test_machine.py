"""Every ruleset keeps the promises of core, whatever happens at the table."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, run_state_machine_as_test

from tests.properties.games import GAMES, build
from tests.support.lurking import betrayed
from tests.support.shares import every
from tests.support.twin import Twin
from tests.support.wording import log_of, names_in, strange
from tracker.core.run import Answers, Done, Step
from tracker.testing.state_machine import FightMachine, Game, machine

# Enough in every run to find a broken promise; HYPOTHESIS_PROFILE=search plays for hours, and takes the time to find
# the shortest fight that breaks one.
LOOKS = 8
"""After every so many steps it is looked whether players would notice a hidden combatant."""
SPREAD = ("sides", "spelljammer", "declared")
"""Games in which a side more changes at whom the others aim unless told otherwise, who leads, or who is ambushed."""
ONES, MADE_UP = ([name for name in sorted(GAMES) if ("/" in name) is written] for written in (True, False))
SHORT = os.environ.get("HYPOTHESIS_PROFILE", "ci") == "ci"


# How often the GM meddles, of twelve questions; and how long a fight full of interruptions is, in a long run.
SELDOM, OFTEN = 2, 7
LONG = settings(
    max_examples=int(os.environ.get("TRACKER_FIGHTS", "200")),
    stateful_step_count=int(os.environ.get("TRACKER_STEPS", "50")),
    deadline=None,
    print_blob=True,
    derandomize=False,
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


def play(name: str) -> settings:
    """Return how long to play a game.

    In a short run the made-up ones are played longer than each bundled fight, since core is tried on them.
    """
    fights, steps = (1, 20) if "/" in name else (3, 40)
    return settings(
        max_examples=fights if SHORT else settings().max_examples,
        stateful_step_count=steps if SHORT else 80,
        phases=[Phase.generate] if SHORT else [Phase.reuse, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


def told(game: Callable[[], Game], meddling: int = SELDOM) -> type[FightMachine]:
    """Return the machine of one game, which also reads the log of every step."""
    played = machine(game, meddling)

    class Told(played):  # type: ignore[valid-type, misc]  # a class made at run time
        @initialize(data=st.data())
        def start(self, data: st.DataObject) -> None:
            apart = game()[0].key not in SPREAD
            self.twinned = data.draw(st.booleans(), "played with a lurker, too")
            self.own_side = apart and data.draw(st.booleans(), "the lurker has a side of its own")
            super().start(data)

        def keep(self, step: Step, answers: Answers, done: Done) -> None:
            if self.twinned:
                self.play_twin(step, done)
            lines = log_of(self.ruleset, done.state, done.entries, self.state)
            assert strange(lines, names_in(self.state, done.state)) == []
            if len(self.past) % LOOKS == 0:
                seen = betrayed(self.ruleset, done.state)
                assert seen == [], ("players see something of a hidden combatant", seen)
            super().keep(step, answers, done)

        def play_twin(self, step: Step, done: Done) -> None:
            """Take the step in the fight with a lurker, too.

            An earlier state of it is found by how many steps came before.
            """
            if step.kind == "start":
                self.twin = Twin(self.ruleset, self.own_side)
                self.beside = {0: self.twin.state}
            if len(self.past) not in self.beside:
                return
            self.twin.state = self.beside[len(self.past)]
            found = self.twin.follow(self.state, step, done)
            assert found == [], (step.kind, step.actions, found)
            self.beside = {past: state for past, state in self.beside.items() if past <= len(self.past)}
            if not self.twin.parted:
                self.beside[len(self.past) + 1] = self.twin.state
            self.twin.parted = ""

    return Told


@pytest.mark.parametrize("name", [*every(3, ONES), *MADE_UP])
def test_a_fight_keeps_its_promises(name: str) -> None:
    """Offers are accepted, events make the state, steps repeat, effects end in time."""
    run_state_machine_as_test(told(partial(build, name)), settings=play(name))


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_interruption_breaks_a_fight_in_the_long_run(name: str) -> None:
    """At every kind of request, combatants leave, fall, move, change sides or join."""
    played = told(partial(build, name), OFTEN)
    run_state_machine_as_test(played, settings=LONG)
    print(name, sum(played.meddled.values()), dict(played.meddled.most_common()))
