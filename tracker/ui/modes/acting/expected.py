"""The expected state after an action, computed by a dry run with middling dice."""

from __future__ import annotations

from math import ceil

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Pending, Step
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, DiceAnswer, Passed, Request, Roll, Window
from tracker.session.settings import Settings, source_of
from tracker.session.step.runner import dry_run, without_dice

MIDDLE = 0.5
SHARES = (0.5, 0.75, 0.25, 0.875, 0.375, 0.625, 0.125)
"""The share of faces that the first roll of an attack exceeds, for the first attack on a target, the second and so on.

So an attack that hits one time in three hits once in three attacks, whether high or low rolls hit.
"""


def expected(ruleset: Ruleset, state: State, action: Action, nth: int = 0) -> State | None:
    """Return the state after an action, the `nth` at its target; None if it is refused or an answer is unknown.

    Windows are passed, other combatants decline, and other questions get their default answer.
    """
    rolls = 0

    def source(request: Request) -> Answer | None:
        nonlocal rolls
        if isinstance(request, Window):
            return Passed()
        if isinstance(request, Choice) and request.who != action.by and _can_decline(request):
            return ChoiceAnswer("no")
        if not isinstance(request, Roll):
            return request.default_answer or request.sample(lambda least, most: least)
        rolls += 1
        return _dice(request, SHARES[nth % len(SHARES)] if rolls == 1 else MIDDLE)

    outcome = dry_run(ruleset, state, Step("do", (action,)), (), source)
    return outcome.state if isinstance(outcome, Done) else None


def first_roll(ruleset: Ruleset, settings: Settings, state: State, action: Action) -> Roll | None:
    """Return the roll that an action asks a player or the GM for first, None if it asks another question first."""
    by_settings = source_of(without_dice(settings), state, {})

    def source(request: Request) -> Answer | None:
        answer = by_settings(request)
        return middling(request) if isinstance(request, Roll) and answer is not None else answer

    outcome = dry_run(ruleset, state, Step("do", (action,)), (), source)
    return outcome.request if isinstance(outcome, Pending) and isinstance(outcome.request, Roll) else None


def asked_together(roll: Roll, first: Roll) -> bool:
    """Tell whether two rolls of different turns are asked for in one prompt."""
    return (roll.dice, roll.to, _kind(roll)) == (first.dice, first.to, _kind(first))


def _kind(roll: Roll) -> str:
    """Return the key of a roll without the combatant in it."""
    return roll.key.rpartition("/")[2].partition(":")[0]


def _can_decline(question: Choice) -> bool:
    return any(option.key == "no" and option.refusal is None for option in question.options)


def middling(request: Request) -> Answer | None:
    """Return middling dice for a roll, None for another request."""
    return _dice(request, MIDDLE) if isinstance(request, Roll) else None


def _dice(roll: Roll, share: float) -> DiceAnswer:
    """Return dice that each exceed this share of their faces; every second die is rounded down."""
    faces = tuple(
        int(share * sides) + 1 if place % 2 == 0 else max(1, ceil(share * sides))
        for place, sides in enumerate(roll.dice.sides)
    )
    return DiceAnswer(sum(faces), faces)
