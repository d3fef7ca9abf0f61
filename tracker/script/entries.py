"""The entries of a script as plain data, independent of a fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from tracker.core.terms.moments import NamedRound

Plain: TypeAlias = bool | int | float | str | tuple["Plain", ...] | Mapping[str, "Plain"] | None
"""A value of the file: lists as tuples, mappings in their written order."""


class WrittenAction(Struct, frozen=True):
    """An action as written.

    Attributes:
        key: the action's key.
        by: the actor, as written; None for the GM or a side.
        fields: the form's values, as written.
        answers: the answers to requests of this action alone; None: it uses the answers of its entry.
    """

    key: str
    by: str | None = None
    fields: tuple[tuple[str, Plain], ...] = ()
    answers: GivenAnswers | None = None


WrittenAnswer: TypeAlias = bool | int | float | str | tuple["WrittenAnswer", ...] | WrittenAction | None
"""An answer as written."""


class Listed(Struct, frozen=True):
    """Answers in the order of the requests."""

    items: tuple[WrittenAnswer, ...] = ()


class Named(Struct, frozen=True):
    """Answers by the key of their request."""

    items: tuple[tuple[str, WrittenAnswer], ...] = ()


GivenAnswers: TypeAlias = Listed | Named
NOTHING = Listed()


class Opening(Struct, frozen=True):
    """Open the fight, up to the first stop."""

    answers: GivenAnswers = NOTHING


class DoActions(Struct, frozen=True):
    """Do one action, or several as one step; the requests of each are then keyed by its place."""

    acts: tuple[WrittenAction, ...]
    answers: GivenAnswers = NOTHING
    forced: bool = False


class Advancing(Struct, frozen=True):
    """Go on `times` times, or until the clock shows `until`; the answers are those of the last step."""

    until: Mapping[str, Plain] | NamedRound | None = None
    answers: GivenAnswers = NOTHING
    times: int = 1


class Answering(Struct, frozen=True):
    """Answer the pending request."""

    answer: WrittenAnswer


class Interrupting(Struct, frozen=True):
    """Put an action before the pending request."""

    act: WrittenAction


class Overriding(Struct, frozen=True):
    """Replace a computed value, in the pending step or in an earlier one."""

    key: str
    value: Plain
    step: int | None = None
    answers: GivenAnswers = NOTHING


class Amending(Struct, frozen=True):
    """Change an answer of an earlier step and play the later steps again."""

    step: int
    key: str
    answer: WrittenAnswer
    refused: Literal["keep", "drop"] = "keep"
    answers: GivenAnswers = NOTHING


class Undoing(Struct, frozen=True):
    """Take back the last answer of the pending step, or the last step."""


class Redoing(Struct, frozen=True):
    """Take back an undo."""


class Branching(Struct, frozen=True):
    """Go on from an earlier step, or from the end of a named branch."""

    step: int | str


class Naming(Struct, frozen=True):
    """Name the branch of a step, or the present one."""

    name: str
    step: int | None = None


class Trying(Struct, frozen=True):
    """Begin or end a what-if."""

    what: Literal["begin", "drop", "keep"]


class Refusing(Struct, frozen=True):
    """Try a command that must be refused, by this rule and with these words if they are given."""

    command: Opening | DoActions | Answering | Interrupting | Advancing
    rule: str = ""
    says: str = ""


class Expecting(Struct, frozen=True):
    """Compare the state, the pending request, or the log of the entry before."""

    state: Mapping[str, Plain]


Command: TypeAlias = (
    Opening
    | DoActions
    | Advancing
    | Answering
    | Interrupting
    | Overriding
    | Amending
    | Undoing
    | Redoing
    | Branching
    | Naming
    | Trying
    | Refusing
    | Expecting
)  # fmt: skip - a plain list of names


class Entry(Struct, frozen=True):
    """One entry of a script.

    Attributes:
        command: its command.
        number: its number in the script, from 1; 0 for a start that the script leaves out.
        line, column: its position in the file.
        pending: it leaves its step pending.
        interrupts: actions that interrupt before requests, by the keys of the requests.
        asks: the keys of all requests, in order, or their ends; None: not compared.
        checked: the expected attributes of each compared number, in order; None: not compared.
        expect: the expected state afterwards.
    """

    command: Command
    number: int = 0
    line: int = 1
    column: int = 1
    pending: bool = False
    interrupts: tuple[tuple[str, tuple[WrittenAction, ...]], ...] = ()
    asks: tuple[str, ...] | None = None
    checked: tuple[Mapping[str, Plain], ...] | None = None
    expect: Mapping[str, Plain] | None = None

    @property
    def on_pending(self) -> bool:
        """Whether it acts on a pending step, so that the entry before it leaves its step pending."""
        match self.command:
            case Answering() | Interrupting() | Undoing():
                return True
            case Overriding(step=step):
                return step is None
            case Refusing(command=Answering() | Interrupting()):
                return True
            case Expecting(state=expected):
                return expected.get("pending") is not None
            case _:
                return False
