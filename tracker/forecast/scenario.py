"""One fight of a scenario, which starts from an encounter or a state.

An encounter is opened anew for each fight. Seeds depend on the state and on the seed of the forecast, so the same
forecast has the same fights in any process, and the next one has others.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.run import Answers, Step
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.tactics import Tactics
from tracker.forecast.playout import opened, play
from tracker.forecast.summary import End, end_of, failed
from tracker.library.guard import guarded_call
from tracker.library.ruleset_errors import RulesetError

LONGEST, EACH = 2.0, 0.3
"""Seconds of computing for one fight, and more for each combatant in it."""
SEEDS = 10_000
"""Seeds of forecasts are below it: short enough to type."""
FAILURES_TO_STOP = 3
"""Without a sound fight, a forecast ends after this number of failed fights, or after one that never ends."""
ENDLESS = "did not end"


class Scenario(Struct, frozen=True):
    """The start of fights, and the tactics of their sides.

    Attributes:
        game: the ruleset's key.
        start: a state, or an encounter, whose set-up is rolled anew for each fight.
        tactics: tactics of single sides, by the side's name or id.
        usual: the tactics of all other sides.
        step: the first step: the one that waits for an answer, or an action to try.
        answers: the answers given to this step, or to the opening of the encounter.
        skip: the seed of the first fight; fights of earlier seeds have been played.
        root: the common part of the seeds (`root_of`); fights of one root and seed have the same dice.
    """

    game: str
    start: Encounter | State
    tactics: tuple[tuple[str, Tactics], ...] = ()
    usual: Tactics = "focused"
    step: Step | None = None
    answers: Answers = ()
    root: str = ""
    skip: int = 0


def root_of(ruleset: Ruleset, state: State) -> str:
    """Return the part of the seeds that all forecasts from a state share."""
    return hashlib.sha256(codec_of(ruleset.schema).encode(state)).hexdigest()[:16]


def new_seed() -> int:
    return random.SystemRandom().randrange(1, SEEDS)


def seeded(scenario: Scenario, seed: int) -> Scenario:
    """Return a scenario whose fights have the dice of a forecast's seed."""
    return replace(scenario, root=f"{scenario.root} {seed}".strip())


def fight(ruleset: Ruleset, scenario: Scenario, seed: int) -> End:
    """Play one fight and return its end; a fight that a ruleset breaks, or that takes too long, is a failed one."""
    seconds = longest(scenario.start)
    try:
        return guarded_call("a fight of the forecast", _fought, ruleset, scenario, seed, seconds=seconds, allowed=())
    except RulesetError as error:
        return failed(error)


def longest(start: Encounter | State) -> float:
    """Return how many seconds a fight may compute."""
    if isinstance(start, State):
        return LONGEST + EACH * len(start.combatants)
    return LONGEST + EACH * sum(member.count.maximum for member in start.members)


def all_failed(ends: Sequence[End]) -> bool:
    """Tell whether a ruleset breaks every fight."""
    lost = [end.failed for end in ends if end.failed]
    return len(lost) == len(ends) > 0 and (len(lost) >= FAILURES_TO_STOP or ENDLESS in lost[0])


def _fought(ruleset: Ruleset, scenario: Scenario, seed: int) -> End:
    start, drawn = scenario.start, f"{scenario.root} {scenario.skip + seed}".strip()
    state = start if isinstance(start, State) else opened(ruleset, start, drawn, scenario.answers)
    first = None if scenario.step is None else (scenario.step, scenario.answers)
    return end_of(ruleset, play(ruleset, state, drawn, _tactics(state, scenario), first=first), state)


def _tactics(state: State, scenario: Scenario) -> Mapping[Id, Tactics]:
    named = dict(scenario.tactics)
    return {side.id: named.get(side.name, named.get(side.id, scenario.usual)) for side in state.sides}
