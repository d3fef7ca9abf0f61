"""Attempts: a pass of a step in which a ruleset may fail without harm.

Whatever a ruleset raises, or if it never ends, comes back as `Broken`; the caller's state is untouched.
"""

from __future__ import annotations

import traceback

from msgspec import Struct

from tracker.core import run as steps
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Outcome, Source, Step
from tracker.core.terms.errors import RulesBug
from tracker.library.guard import bare
from tracker.library.slips import place_of, slip_line
from tracker.library.time_limit import Call, TimeOver, within

__all__ = ["Broken", "attempt", "try_out"]

LOOKING = 0.25
"""Seconds of computing for a step that is only looked at."""
JOINING = 0.005
"""Seconds more for each combatant a fight opens with."""


class Broken(Struct, frozen=True):
    """A ruleset failed: one line for people, and where it happened."""

    line: str
    details: str = ""
    endless: bool = False


def attempt(
    ruleset: Ruleset, state: State, step: Step, answers: Answers, *, source: Source | None, seconds: float
) -> Outcome | Broken:
    """Perform a step as `tracker.core.run.run` does, and contain what goes wrong inside the ruleset.

    `seconds` are of computing; a step of many combatants has more.
    """
    allowed = seconds
    if step.encounter is not None:
        sides = step.encounter.sides
        allowed += JOINING * sum(member.count.maximum for side in sides for member in side.members)
    try:
        return within(Call(allowed, state), steps.run, bare(ruleset), state, step, answers, source)
    except TimeOver as endless:
        words = f"the step did not end within {seconds:g} seconds{_at(endless)}"
        return Broken(f"{ruleset.title}: {words}", traceback.format_exc(), endless=True)
    except RulesBug as bug:
        return Broken(f"{ruleset.title}: {bug.message}{_at(bug)}", traceback.format_exc())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a ruleset raises
        return Broken(f"{ruleset.title}: {slip_line(error)}", traceback.format_exc())


_failed: tuple[object, object, Broken] | None = None
"""The state and the step of the last one tried out that failed, and how."""


def try_out(
    ruleset: Ruleset, state: State, step: Step, answers: Answers = (), source: Source | None = None
) -> Outcome | Broken:
    """Perform a step on the side, for a look at what comes of it.

    It has less time than one that is done, and one that has failed fails again without being performed.
    """
    global _failed
    held = _failed
    if held is not None and held[0] is state and held[1] == step:
        return held[2]
    outcome = attempt(ruleset, state, step, answers, source=source, seconds=LOOKING)
    if isinstance(outcome, Broken):
        _failed = (state, step, outcome)
    return outcome


def _at(error: BaseException) -> str:
    place = place_of(error)
    return f" ({place})" if place else ""
