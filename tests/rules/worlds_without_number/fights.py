"""Fights for the tests of Worlds Without Number: scenes, and random hands."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rulesets.worlds_without_number import RULESET
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action, ActionSpec, Field
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import (
    Answer,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Number,
    NumberAnswer,
    Passed,
    Pick,
    PickAnswer,
    Request,
    Responded,
    Roll,
    Window,
)
from tracker.core.terms.values import Value
from tracker.testing.vectors import Table, VectorFile

CAST = VectorFile(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")


def scene(name: str, **keys: Any) -> Table:
    """Return a scene of the cast, opened; its answers of the start may be replaced."""
    given = {**CAST.scenes[name], **keys}
    table = Table(RULESET, CAST.encounter(given))
    table.start(given.get("start"))
    return table


def act(key: str, by: str | None = None, **fields: Value) -> Action:
    """Return an action."""
    return Action(key, by, tuple(sorted(fields.items())))


def done(state: State, step: Step, dice: object = ()) -> Done:
    """Play a step that must come to its end. Dice in order, defaults for the rest."""
    listed = list(dice) if isinstance(dice, list | tuple) else [dice]

    def answer(request: Request) -> Answer | None:
        return DiceAnswer(listed.pop(0)) if isinstance(request, Roll) and listed else request.default_answer

    outcome = run(RULESET, state, step, (), answer)
    assert isinstance(outcome, Done), outcome
    return outcome


def play(state: State, action: Action, dice: object = ()) -> State:
    """Return the state after an action."""
    return done(state, Step("do", (action,)), dice).state


def refusal(state: State, action: Action) -> Refusal:
    """Return why an action is refused."""
    outcome = run(RULESET, state, Step("do", (action,)))
    assert isinstance(outcome, Refusal), outcome
    return outcome


def hand(chance: random.Random) -> Callable[[Request], Answer | None]:
    """Return a source that answers everything at random."""

    def answer(request: Request) -> Answer | None:
        match request:
            case Roll():
                faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
                return DiceAnswer(sum(faces), faces)
            case Choice():
                return ChoiceAnswer(chance.choice([option.key for option in request.options if option.refusal is None]))
            case Pick():
                return request.default_answer or PickAnswer(())
            case Number():
                return NumberAnswer(request.default if request.default is not None else request.minimum or 0)
            case Window():
                if chance.random() < 0.5:
                    return Passed()
                return Responded((as_offered(chance.choice(request.offers)),))

    return answer


def as_offered(spec: ActionSpec) -> Action:
    """Return an action with what stands in its form."""
    return Action(
        spec.key,
        spec.by,
        tuple(sorted((field.name, field.default) for field in spec.fields if field.default is not None)),
    )


def filled(chance: random.Random, spec: ActionSpec) -> Action:
    """Return an action with some of its fields filled in at random."""
    values = {
        field.name: value
        for field in spec.fields
        if chance.random() < 0.7 and (value := _value(chance, field)) is not None
    }
    return Action(spec.key, spec.by, tuple(sorted(values.items())))


def _value(chance: random.Random, field: Field) -> Value:
    match field.kind:
        case "flag":
            return chance.random() < 0.5
        case "choice" | "combatant" if field.options:
            return chance.choice(field.options).key
        case "combatants" if field.options:
            return tuple(chance.choice(field.options).key for _ in range(chance.randint(0, min(2, field.maximum or 2))))
        case "number":
            return chance.choice([0, 5, 10, 30]) if field.name in {"distance", "amount"} else None
        case "dice":
            return "1d6"
        case _:
            return None
