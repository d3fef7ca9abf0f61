"""One fight from its beginning: an encounter or a state.

An encounter opens anew for each fight. Seeds are counted from what the state is and from the seed of the question, so
the same question gives the same fights, in any process, and the next question others.
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
"""Seconds of computing for one fight, and more for each who fights in it."""
SEEDS = 10_000
"""Seeds of questions are below it: short enough to be typed."""
FAILURES_TO_STOP = 3
"""After so many failed fights, or one without an end, and none that is sound there is no forecast."""
ENDLESS = "did not end"


class Scenario(Struct, frozen=True):
    """From where fights are played, and with which tactics of which side's name or id.

    `start` is an encounter, whose set-up is rolled anew for each fight, or a state.

    Attributes:
        game: the ruleset's key.
        start: from where.
        tactics: those of sides that have not the usual ones.
        usual: those of all other sides.
        step: what comes first: the step that waits for an answer, or an action that is tried.
        answers: those this step has already, or the opening of the encounter.
        skip: the seed of the first fight; those before have been played.
        root: from what the seeds are counted (`root_of`); fights of one root and seed have the same dice.
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
    """Return the part of a state's seeds that all forecasts from it share."""
    return hashlib.sha256(codec_of(ruleset.schema).encode(state)).hexdigest()[:16]


def new_seed() -> int:
    return random.SystemRandom().randrange(1, SEEDS)


def seeded(beginning: Scenario, seed: int) -> Scenario:
    """Return a scenario whose fights have the dice of a question."""
    return replace(beginning, root=f"{beginning.root} {seed}".strip())


def fight(ruleset: Ruleset, beginning: Scenario, seed: int) -> End:
    """Play one fight and return its end.

    A fight that a ruleset breaks, or that does not end in time, counts as failed; the forecast goes on.
    """
    seconds = longest(beginning.start)
    try:
        return guarded_call("a fight of the forecast", _fought, ruleset, beginning, seed, seconds=seconds, allowed=())
    except RulesetError as slip:
        return failed(slip)


def longest(start: Encounter | State) -> float:
    """Return how many seconds a fight may compute."""
    if isinstance(start, State):
        return LONGEST + EACH * len(start.combatants)
    members = [member for side in start.sides for member in side.members]
    members += [member for wave in start.waves for member in wave.members]
    return LONGEST + EACH * sum(member.count.maximum for member in members)


def all_failed(ends: Sequence[End]) -> bool:
    """Tell whether a ruleset breaks every fight."""
    lost = [end.failed for end in ends if end.failed]
    return len(lost) == len(ends) > 0 and (len(lost) >= FAILURES_TO_STOP or ENDLESS in lost[0])


def _fought(ruleset: Ruleset, beginning: Scenario, seed: int) -> End:
    start, drawn = beginning.start, f"{beginning.root} {beginning.skip + seed}".strip()
    state = start if isinstance(start, State) else opened(ruleset, start, drawn, beginning.answers)
    first = None if beginning.step is None else (beginning.step, beginning.answers)
    return end_of(ruleset, play(ruleset, state, drawn, _tactics(state, beginning), first=first), state)


def _tactics(state: State, beginning: Scenario) -> Mapping[Id, Tactics]:
    named = dict(beginning.tactics)
    return {side.id: named.get(side.name, named.get(side.id, beginning.usual)) for side in state.sides}
