"""Requests for a number."""

from __future__ import annotations

import re
from typing import ClassVar

from tracker.core.terms.requests.answers import Answer, Name, NumberAnswer
from tracker.core.terms.requests.kind import (
    ActionReader,
    Asked,
    Kind,
    OptionFinder,
    OptionReader,
    Plain,
    RandInt,
    about,
    document,
    matter,
)

_WHOLE = re.compile(r"-?\d+")


class Number(Kind, frozen=True, tag=True):
    """A request for a number."""

    kind: ClassVar[str] = "number"
    numeric: ClassVar[bool] = True

    key: str
    default: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False

    @property
    def default_answer(self) -> Answer | None:
        """The default."""
        return None if self.default is None else NumberAnswer(self.default)

    @property
    def _bounds(self) -> str:
        return f"{'' if self.minimum is None else self.minimum}..{'' if self.maximum is None else self.maximum}"

    def problem(self, answer: Answer) -> str | None:
        """Return why an answer is not possible, in one line, or None."""
        if not isinstance(answer, NumberAnswer):
            return "a number is asked for"
        value = answer.value
        if (self.minimum is not None and value < self.minimum) or (self.maximum is not None and value > self.maximum):
            return f"{value} is outside {self._bounds}"
        return None

    @property
    def defect(self) -> str:
        """Bounds without a number between them."""
        if self.minimum is None or self.maximum is None or self.minimum <= self.maximum:
            return ""
        return f"takes at least {self.minimum} and at most {self.maximum}"

    def sample(self, pick: RandInt) -> Answer | None:
        """Return a number within the bounds, or a small one without bounds."""
        if self.defect:
            return None
        least = self.minimum if self.minimum is not None else min(-3, self.maximum if self.maximum is not None else -3)
        return NumberAnswer(pick(least, least + 12 if self.maximum is None else self.maximum))

    def to_dict(self) -> Plain:
        """Return the bounds in plain values."""
        return document(self, {"minimum": self.minimum, "maximum": self.maximum}, self.default)

    @property
    def expected(self) -> str:
        """A number."""
        return "a number"

    def question(self, name: Name) -> tuple[str, str]:
        """Return the question with the bounds."""
        bounds = "" if self.minimum is None and self.maximum is None else f" ({self._bounds})"
        return "", f"{about(self, name)}{matter(self)}{bounds}"

    @property
    def hint(self) -> str:
        """How to type it."""
        return "type a number" if self.default is None else f"Enter: {self.default} · or type a number"

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return the number."""
        return NumberAnswer(value) if isinstance(value, int) and not isinstance(value, bool) else None

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return the typed number; None for an empty text if a default exists."""
        if not text and self.default is not None:
            return None
        try:
            return NumberAnswer(int(text))
        except ValueError as error:
            raise ValueError(f'"{text}" is not a number' if text else "type a number") from error

    def from_words(self, words: tuple[str, ...], find: OptionFinder) -> tuple[Answer | None, int]:
        """Return the next word as the number; raises ValueError outside the bounds."""
        if not _WHOLE.fullmatch(words[0]):
            return None, 0
        answer = NumberAnswer(int(words[0]))
        if problem := self.problem(answer):
            raise ValueError(problem)
        return answer, 1
