"""The base of all kinds of requests."""

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
"""Finds the option that a typed word names without doubt."""


class ActionReader(Protocol):
    """Reads the actions of a written answer; raises `Refused` for an unknown name."""

    def whose(self, value: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of a written action or of `key:actor`, or None."""

    def action(self, value: object) -> Action | None:
        """Return a written action with its fields, or None."""


class OptionReader(Protocol):
    """Finds the options that a typed text names; raises ValueError with one line for people."""

    def one(self, options: tuple[Option, ...], text: str) -> str:
        """Return the key of the one option that is named."""

    def several(self, options: tuple[Option, ...], text: str) -> tuple[str, ...]:
        """Return the keys of the options that are named."""


class Kind(Struct, frozen=True):
    """A kind of request, with defaults for most kinds."""

    kind: ClassVar[str]
    """Its word in documents and refusals."""
    numeric: ClassVar[bool] = False
    """Its answer is a number."""
    several: ClassVar[bool] = False
    """Its answer is several options."""

    if TYPE_CHECKING:  # fields of each kind, in an order of its own

        @property
        def key(self) -> str:
            """Its key, unique within the step."""

        @property
        def who(self) -> str | None:
            """The combatant concerned."""

        @property
        def to(self) -> Asked:
            """Whether the GM or a player answers."""

        @property
        def why(self) -> str:
            """The purpose in a few words."""

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
        """The default, or None."""
        return None

    @property
    def can_auto_answer(self) -> bool:
        """Whether the program can answer."""
        return self.default_answer is not None

    def problem(self, answer: Answer) -> str | None:
        """Return why this cannot be the answer, in one line, or None if it can."""
        raise NotImplementedError

    def rule_against(self, answer: Answer) -> str:
        """Return the rule that forbids an answer, or ""."""
        return ""

    @property
    def defect(self) -> str:
        """Why no answer is possible, or ""."""
        return ""

    def sample(self, pick: RandInt) -> Answer | None:
        """Return a possible answer, chosen by `pick(least, most)`, or None."""
        return self.default_answer

    def to_dict(self) -> Plain:
        """Return the request in plain values."""
        raise NotImplementedError

    @property
    def expected(self) -> str:
        """The expected answer, as a script writes it."""
        raise NotImplementedError

    @property
    def brief(self) -> str:
        """The question in a few words, "" if it needs the whole question."""
        return ""

    def question(self, name: Name) -> tuple[str, str]:
        """Return the question for people: the words to stress, and the rest."""
        return "", f"{about(self, name)}{matter(self)}"

    @property
    def hint(self) -> str:
        """How to answer; the meaning of Enter comes first."""
        raise NotImplementedError

    def matches(self, value: object, acts: ActionReader) -> bool:
        """Tell whether the next entry of a written list is for this request."""
        return True

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return a written value as the answer, or None if it is none."""
        raise NotImplementedError

    def accepts_prefix(self, text: str) -> bool:
        """Tell whether a typed text is the beginning of an answer."""
        return bool(text)

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return a typed text as the answer (None: the program's), or raise ValueError with one line for people."""
        raise NotImplementedError

    def from_words(self, words: tuple[str, ...], find: OptionFinder) -> tuple[Answer | None, int]:
        """Return the answer at the beginning of typed words, and its number of words; None if it has to be asked.

        Raises:
            ValueError: the words are meant for this request, but are no valid answer.
        """
        return self.default_answer, 0


def about(request: Kind, name: Name) -> str:
    """Return the beginning of a question to the GM: the combatant concerned."""
    return f"{name(request.who)}, " if request.who is not None and request.to == "gm" else ""


def matter(request: Kind) -> str:
    """Return the subject of a question."""
    return request.why or last_part(request.key)


def open_keys(options: Sequence[Option]) -> list[str]:
    """Return the keys of the options that can be chosen."""
    return [option.key for option in options if option.refusal is None]


def document(request: Kind, asked: Plain, default: object, **further: object) -> Plain:
    """Return the plain form of a request, with the keys of its kind."""
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
