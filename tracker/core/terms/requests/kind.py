"""What every kind of request knows of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol, TypeAlias

from msgspec import Struct

from tracker.core.terms.actions import Action, Option
from tracker.core.terms.requests.answers import Answer, Name
from tracker.core.terms.words import last_part

Asked: TypeAlias = Literal["player", "gm"]
Plain: TypeAlias = dict[str, object]
RandInt: TypeAlias = Callable[[int, int], int]
"""Chooses a whole number between two, both included."""
OptionFinder: TypeAlias = Callable[[str, Sequence[Option]], Option | None]
"""Finds the option that a typed word names for certain."""


class ActionReader(Protocol):
    """Reads the actions of a written answer; raises `Refused` if a name is nobody's."""

    def whose(self, value: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of a written action or of `key:actor`, or None."""

    def action(self, value: object) -> Action | None:
        """Return a written action with its fields, or None."""


class OptionReader(Protocol):
    """Reads the options a typed text names; raises ValueError with one line for people."""

    def one(self, options: tuple[Option, ...], text: str) -> str:
        """Return the key of the one option that is named."""

    def several(self, options: tuple[Option, ...], text: str) -> tuple[str, ...]:
        """Return the keys of the options that are named."""


class Kind(Struct, frozen=True):
    """A kind of request, with what most kinds do alike."""

    kind: ClassVar[str]
    """Its word in documents and refusals."""
    numeric: ClassVar[bool] = False
    """A number answers it."""
    several: ClassVar[bool] = False
    """Several of its options answer it."""

    if TYPE_CHECKING:  # fields of each kind, in an order of its own

        @property
        def key(self) -> str:
            """Its key, unique within the step."""

        @property
        def who(self) -> str | None:
            """The combatant concerned."""

        @property
        def to(self) -> Asked:
            """Who answers."""

        @property
        def why(self) -> str:
            """What for, in a few words."""

        @property
        def secret(self) -> bool:
            """Whether players do not see the answer."""

        @property
        def options(self) -> tuple[Option, ...]:
            """The options on offer, if it is a question about options."""

    else:
        options = ()

    @property
    def default_answer(self) -> Answer | None:
        """The answer that counts if none is given."""
        return None

    @property
    def can_auto_answer(self) -> bool:
        """Whether the program has an answer."""
        return self.default_answer is not None

    def problem(self, answer: Answer) -> str | None:
        """Return why this cannot be the answer, in one line, or None if it can."""
        raise NotImplementedError

    def rule_against(self, answer: Answer) -> str:
        """Return the rule that forbids an answer, "" where none is cited."""
        return ""

    @property
    def defect(self) -> str:
        """Why nothing can answer it, or "" where something can."""
        return ""

    def sample(self, pick: RandInt) -> Answer | None:
        """Return an answer it takes, decided by `pick(least, most)`, or None."""
        return self.default_answer

    def to_dict(self) -> Plain:
        """Return what is asked in plain values."""
        raise NotImplementedError

    @property
    def expected(self) -> str:
        """What it asks for, as a script writes it."""
        raise NotImplementedError

    @property
    def brief(self) -> str:
        """What it asks for in a few words, "" if it takes the whole question."""
        return ""

    def question(self, name: Name) -> tuple[str, str]:
        """Return the question for people: the words to stress, and the rest."""
        return "", f"{about(self, name)}{matter(self)}"

    @property
    def hint(self) -> str:
        """How to answer, what Enter does first."""
        raise NotImplementedError

    def matches(self, value: object, acts: ActionReader) -> bool:
        """Tell whether the next entry of a written list is for this request."""
        return True

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return a written value as the answer, or None where it is none."""
        raise NotImplementedError

    def accepts_prefix(self, text: str) -> bool:
        """Tell whether a typed text is the beginning of an answer."""
        return bool(text)

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return a typed text as the answer (None: the program's), or raise ValueError with one line for people."""
        raise NotImplementedError

    def from_words(self, words: tuple[str, ...], find: OptionFinder) -> tuple[Answer | None, int]:
        """Return the answer that typed words in hand give.

        Also how many words it takes; the answer is None where it has to be asked.

        Raises:
            ValueError: where the words are for this request, but no answer.
        """
        return self.default_answer, 0


def about(request: Kind, name: Name) -> str:
    """Return the combatant that a question to the GM concerns, as the beginning of the question."""
    return f"{name(request.who)}, " if request.who is not None and request.to == "gm" else ""


def matter(request: Kind) -> str:
    """Return what a question is for."""
    return request.why or last_part(request.key)


def open_keys(options: Sequence[Option]) -> list[str]:
    """Return the keys of the options that can be chosen."""
    return [option.key for option in options if option.refusal is None]


def document(request: Kind, asked: Plain, default: object, **further: object) -> Plain:
    """Return the plain form of a request around what its kind adds."""
    return {
        "kind": request.kind,
        "key": request.key,
        **asked,
        "who": request.who,
        "to": request.to,
        "why": request.why,
        **further,
        "default": default,
    }


def option_document(option: Option) -> Plain:
    """Return an option in plain values."""
    shown: Plain = {"key": option.key, "label": option.shown}
    return shown if option.refusal is None else {**shown, "refused": option.refusal.text}
