"""Intents: everything that a session can be asked to do; `dispatch` returns the model after it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.run import Answers
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer
from tracker.core.terms.values import Value

Refusing: TypeAlias = Literal["keep", "drop"]
Trying: TypeAlias = Literal["begin", "drop", "keep"]


class Do(Struct, frozen=True, tag=True):
    """Perform one action, or several as one step.

    `forced`: the GM overrules the rules' refusal. `told`: how the first action differs from the planned one.

    While a step waits for an answer, one generic GM action (damage, note ...) enters it as an interruption and any
    other is refused.
    """

    actions: tuple[Action, ...]
    forced: bool = False
    told: str = ""


class Advance(Struct, frozen=True, tag=True):
    """Go on to the next stop of the clock."""


class Reply(Struct, frozen=True, tag=True):
    """Answer the pending request; None: the program rolls these dice, or takes the default."""

    answer: Answer | None = None


class RollRest(Struct, frozen=True, tag=True):
    """Let the program roll this request's dice and answer the rest of the step.

    A request without a default is still asked, and with `leave_player_choices` a player's decision.
    """

    leave_player_choices: bool = False


class Interrupt(Struct, frozen=True, tag=True):
    """Perform an action just before the pending request, without a window."""

    action: Action


class Override(Struct, frozen=True, tag=True):
    """Replace a computed value in the pending step, or in an earlier `step`, amending it."""

    key: str
    value: Value
    step: int | None = None


class Amend(Struct, frozen=True, tag=True):
    """Give a past step other answers or `actions`, and repeat every later step.

    `refused`: later steps that the rules no longer allow are forced (`keep`) or left out (`drop`).
    """

    step: int
    answers: Answers
    refused: Refusing = "keep"
    actions: tuple[Action, ...] | None = None


class Undo(Struct, frozen=True, tag=True):
    """Take back the last answer of a pending step, then the step, else the last step or amendment."""


class Redo(Struct, frozen=True, tag=True):
    """Return to the position before the last `Undo` or `Branch`."""


class LookAt(Struct, frozen=True, tag=True):
    """Show the fight as it was after a step (None: as it is), to branch, amend or come back there."""

    step: int | None = None


class Branch(Struct, frozen=True, tag=True):
    """Go on from just after a step, on any branch; everything later is kept."""

    step: int


class NameBranch(Struct, frozen=True, tag=True):
    """Name the branch of a step; an empty name takes it away."""

    step: int
    name: str


class WhatIf(Struct, frozen=True, tag=True):
    """Begin a what-if, or end it.

    `begin`: later steps are only tried; `drop`: return to the fight before the what-if; `keep`: the tried steps are
    real from now on.
    """

    what: Trying


Intent: TypeAlias = (
    Do | Advance | Reply | RollRest | Interrupt | Override | Amend | Undo | Redo | LookAt | Branch | NameBranch | WhatIf
)
