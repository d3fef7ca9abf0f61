"""Requests: what a step has to be told before it can go on, and the answers it takes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.dice import Dice

__all__ = [
    "Answer",
    "Choice",
    "Chosen",
    "Number",
    "Passed",
    "Pick",
    "Picked",
    "Request",
    "Responded",
    "Roll",
    "Stated",
    "Thrown",
    "Window",
    "problem_with",
]  # fmt: skip - a plain list of names

Asked: TypeAlias = Literal["player", "gm"]


class Roll(Struct, frozen=True, tag=True):
    """Natural dice to be thrown.

    Attributes: key: unique within the step, as a path. dice: the dice without any fixed number; the rules add every
        modifier. who: the combatant concerned. to: who throws them. why: what for, in a few words. faces: each face
        matters, so a total will not do. secret: players do not see the result. setup: dice of the set-up (counts, hit
        points), which the program throws unless asked not to. classes: for the odds: the least total of each class of
        equal outcomes, rising (`(1, 14, 20)`: miss, hit, critical); empty: every total counts.
    """

    key: str
    dice: Dice
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    faces: bool = False
    secret: bool = False
    setup: bool = False
    classes: tuple[int, ...] = ()


class Choice(Struct, frozen=True, tag=True):
    """One option to be chosen; `default` is taken on an empty answer."""

    key: str
    options: tuple[Option, ...]
    default: str | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False


class Pick(Struct, frozen=True, tag=True):
    """Several options to be picked, between `minimum` and `maximum` of them."""

    key: str
    options: tuple[Option, ...]
    default: tuple[str, ...] | None = None
    minimum: int = 0
    maximum: int | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False


class Number(Struct, frozen=True, tag=True):
    """A number to be stated."""

    key: str
    default: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False


class Window(Struct, frozen=True, tag=True):
    """A moment at which somebody may interrupt.

    Attributes:
        key: unique within the step; `after_roll`, asked again as `after_roll:2`.
        name: the ruleset's name of this kind of moment.
        offers: what can be done here, each by somebody; never empty.
        actor, target: whose doing it interrupts, and whom that concerns.
        why: the situation in a few words ("19 against AC 17: hit").
        info: the ruleset's own words about the moment (`hit`), for its `windows`.
    """

    key: str
    name: str
    offers: tuple[ActionSpec, ...] = ()
    actor: str | None = None
    target: str | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    info: tuple[str, ...] = ()
    secret: bool = False


Request: TypeAlias = Roll | Choice | Pick | Number | Window


class Thrown(Struct, frozen=True, tag=True):
    """Dice thrown: the faces in written order, or only their total; `typed` if a person did it, `amended` if it replaces an earlier answer."""

    total: int
    faces: tuple[int, ...] = ()
    typed: bool = False
    amended: bool = False


class Chosen(Struct, frozen=True, tag=True):
    """The chosen option's key."""

    option: str


class Picked(Struct, frozen=True, tag=True):
    """The picked options' keys."""

    options: tuple[str, ...]


class Stated(Struct, frozen=True, tag=True):
    """The number stated."""

    value: int


class Passed(Struct, frozen=True, tag=True):
    """Nobody interrupts."""


class Responded(Struct, frozen=True, tag=True):
    """One action, or several declared together, that interrupt; `together`: judged on the state before any of them."""

    actions: tuple[Action, ...]
    together: bool = False


Answer: TypeAlias = Thrown | Chosen | Picked | Stated | Passed | Responded


def problem_with(request: Request, answer: Answer) -> str | None:
    """Return why this cannot be the answer, in one line, or None if it can."""
    match request, answer:
        case Roll(), Thrown():
            return _impossible_dice(request, answer)
        case Choice(options=options), Chosen(option=key):
            found = next((option for option in options if option.key == key), None)
            if found is None:
                return f'"{key}" is not on offer ({", ".join(option.key for option in options)})'
            return found.refusal.text if found.refusal else None
        case Pick(options=options, minimum=least, maximum=most), Picked(options=keys):
            known = {option.key for option in options}
            if strange := [key for key in keys if key not in known]:
                return f'"{strange[0]}" is not on offer ({", ".join(sorted(known))})'
            if len(set(keys)) != len(keys):
                return "an option is picked twice"
            if refused := [option.refusal for option in options if option.key in keys and option.refusal]:
                return refused[0].text
            if len(keys) < least or (most is not None and len(keys) > most):
                return f"pick {least} to {len(known) if most is None else most}"
            return None
        case Number(minimum=least_value, maximum=most_value), Stated(value=value):
            if (least_value is not None and value < least_value) or (most_value is not None and value > most_value):
                return f"{value} is outside {'' if least_value is None else least_value}..{'' if most_value is None else most_value}"
            return None
        case Window(), Passed():
            return None
        case Window(offers=offers), Responded(actions=actions):
            offered = {(spec.key, spec.by) for spec in offers}
            if strange_one := [action for action in actions if (action.key, action.by) not in offered]:
                return f'"{strange_one[0].key}" by {strange_one[0].by or "nobody"} is not on offer ({", ".join(_offer(spec) for spec in offers)})'
            return None if actions else "an interruption needs an action"
        case _:
            return f"a {type(request).__name__.lower()} is asked for"


def _offer(spec: ActionSpec) -> str:
    return f"{spec.key} by {spec.by}" if spec.by else spec.key


def _impossible_dice(request: Roll, answer: Thrown) -> str | None:
    sides = request.dice.sides
    if answer.faces:
        if len(answer.faces) != len(sides):
            return f"{request.dice} has {len(sides)} {'die' if len(sides) == 1 else 'dice'}, not {len(answer.faces)}"
        for face, most in zip(answer.faces, sides, strict=True):
            if not 1 <= face <= most:
                return f"{face} is not on a d{most}"
        if answer.total != sum(answer.faces):
            return f"the faces add up to {sum(answer.faces)}, not {answer.total}"
        return None
    if request.faces and len(sides) > 1:
        return f"{request.dice}: type each face, the total is not enough"
    if not request.dice.minimum <= answer.total <= request.dice.maximum:
        return f"{answer.total} is not possible on {request.dice}"
    return None
