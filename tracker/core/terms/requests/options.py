"""Requests for one of several options, or for some of them."""

from __future__ import annotations

from typing import ClassVar

from tracker.core.terms.actions import Option, once
from tracker.core.terms.requests.answers import Answer, ChoiceAnswer, PickAnswer
from tracker.core.terms.requests.kind import (
    ActionReader,
    Asked,
    Kind,
    OptionFinder,
    OptionReader,
    Plain,
    RandInt,
    document,
    open_keys,
    option_document,
)
from tracker.core.terms.words import listed


class Choice(Kind, frozen=True, tag=True):
    """A request for one option.

    `default` is the empty answer. `told`: it is not asked, because the screen has shown a reminder with the way to
    choose otherwise, or because the GM has answered the same before; an answer of its own still counts.
    """

    kind: ClassVar[str] = "choice"

    key: str
    options: tuple[Option, ...]
    default: str | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False
    told: bool = False

    @property
    def default_answer(self) -> Answer | None:
        """The default."""
        return None if self.default is None else ChoiceAnswer(self.default)

    def problem(self, answer: Answer) -> str | None:
        """Return why an answer is not possible, in one line, or None."""
        if not isinstance(answer, ChoiceAnswer):
            return "a choice is asked for"
        chosen = next((option for option in self.options if option.key == answer.option), None)
        if chosen is None:
            return f'"{answer.option}" is not on offer ({", ".join(option.key for option in self.options)})'
        return chosen.refusal.text if chosen.refusal else None

    def rule_against(self, answer: Answer) -> str:
        """Return the rule by which the option of an answer is refused."""
        return _rule(self.options, (answer.option,)) if isinstance(answer, ChoiceAnswer) else ""

    @property
    def defect(self) -> str:
        """No open option, or a default that is not open."""
        keys = open_keys(self.options)
        if not keys:
            return "has no option that can be chosen"
        if self.default is not None and self.default not in keys:
            return f'has the default "{self.default}", which is none of its open options'
        return ""

    def sample(self, pick: RandInt) -> Answer | None:
        """Return one of the open options."""
        keys = open_keys(self.options)
        return ChoiceAnswer(keys[pick(0, len(keys) - 1)]) if keys else None

    def to_dict(self) -> Plain:
        """Return the options in plain values."""
        return document(self, {"options": [option_document(option) for option in self.options]}, self.default)

    @property
    def expected(self) -> str:
        """The options."""
        return " or ".join(option.key for option in self.options)

    @property
    def hint(self) -> str:
        """How to choose."""
        default = next((option for option in self.options if option.key == self.default), None)
        return f"Enter: {default.shown}" if default is not None else "press an option's key"

    def matches(self, value: object, acts: ActionReader) -> bool:
        """Tell whether it names an option."""
        return _key(value, self.options) is not None

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return the option of that key; true and false are yes and no."""
        key = _key(value, self.options)
        return None if key is None else ChoiceAnswer(key)

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return the option that is named; raises ValueError."""
        return ChoiceAnswer(names.one(self.options, text))

    def from_words(self, words: tuple[str, ...], find: OptionFinder) -> tuple[Answer | None, int]:
        """Return the option of the next word, else the default; raises ValueError for a refused option."""
        option = None if words[0].isdigit() else find(words[0], self.options)
        if option is None:
            return self.default_answer, 0
        answer = ChoiceAnswer(option.key)
        if problem := self.problem(answer):
            raise ValueError(problem)
        return answer, 1


class Pick(Kind, frozen=True, tag=True):
    """A request for `minimum` to `maximum` options."""

    kind: ClassVar[str] = "pick"
    several: ClassVar[bool] = True

    key: str
    options: tuple[Option, ...]
    default: tuple[str, ...] | None = None
    minimum: int = 0
    maximum: int | None = None
    who: str | None = None
    to: Asked = "gm"
    why: str = ""
    secret: bool = False

    @property
    def default_answer(self) -> Answer | None:
        """The default."""
        return None if self.default is None else PickAnswer(self.default)

    def problem(self, answer: Answer) -> str | None:
        """Return why an answer is not possible, in one line, or None."""
        if not isinstance(answer, PickAnswer):
            return "a pick is asked for"
        keys = once(answer.options)
        known = {option.key for option in self.options}
        if unknown := [key for key in keys if key not in known]:
            return f'"{unknown[0]}" is not on offer ({", ".join(sorted(known))})'
        if refused := [option.refusal for option in self.options if option.key in keys and option.refusal]:
            return refused[0].text
        if len(keys) < self.minimum or (self.maximum is not None and len(keys) > self.maximum):
            return f"pick {self._count}"
        return None

    def rule_against(self, answer: Answer) -> str:
        """Return the rule by which one of the options of an answer is refused."""
        return _rule(self.options, answer.options) if isinstance(answer, PickAnswer) else ""

    @property
    def defect(self) -> str:
        """Fewer open options than the minimum."""
        keys = open_keys(self.options)
        return f"wants {self.minimum} of {len(keys)} options" if len(keys) < self.minimum else ""

    def sample(self, pick: RandInt) -> Answer | None:
        """Return a possible number of open options, each once."""
        if self.defect:
            return None
        keys = open_keys(self.options)
        many = pick(self.minimum, len(keys) if self.maximum is None else min(len(keys), self.maximum))
        return PickAnswer(tuple(keys.pop(pick(0, len(keys) - 1)) for _ in range(many)))

    @property
    def _count(self) -> str:
        return f"{self.minimum} to {len(self.options) if self.maximum is None else self.maximum}"

    def to_dict(self) -> Plain:
        """Return the options and how many, in plain values."""
        asked: Plain = {
            "options": [option_document(option) for option in self.options],
            "minimum": self.minimum,
            "maximum": self.maximum,
        }
        return document(self, asked, None if self.default is None else list(self.default))

    @property
    def expected(self) -> str:
        """The options."""
        return f"a list of {', '.join(option.key for option in self.options)}"

    @property
    def hint(self) -> str:
        """How to pick."""
        if self.default is None:
            return f"pick {self._count}, then Enter"
        known = {option.key: option.shown for option in self.options}
        return f"Enter: {listed([known.get(key, key) for key in self.default]) or 'none'} · or pick {self._count}"

    def matches(self, value: object, acts: ActionReader) -> bool:
        """Tell whether it is a list of options."""
        return isinstance(value, tuple) and all(_key(part, self.options) is not None for part in value)

    def read(self, value: object, acts: ActionReader) -> Answer | None:
        """Return the options of these keys."""
        if not isinstance(value, tuple):
            return None
        keys = tuple(key for key in (_key(part, self.options) for part in value) if key is not None)
        return PickAnswer(once(keys)) if len(keys) == len(value) else None

    def typed(self, text: str, names: OptionReader) -> Answer | None:
        """Return the options that are named; raises ValueError for a word that names none."""
        return PickAnswer(once(names.several(self.options, text)))


def _key(value: object, options: tuple[Option, ...]) -> str | None:
    if isinstance(value, bool):
        word = "yes" if value else "no"
    elif isinstance(value, str | int):
        word = str(value)
    else:
        return None
    return word if any(option.key == word for option in options) else None


def _rule(options: tuple[Option, ...], chosen: tuple[str, ...]) -> str:
    """Return the rule of the first chosen option that is refused."""
    return next((option.refusal.rule for option in options if option.key in chosen and option.refusal), "")
