"""Requests: the questions of a step, and their answers.

Each kind of request is a class with all its parts: the answers it takes, its default, the program's answer, its plain
form, its words for people, and the parsing of a written or typed answer. The base is in `kind.py`. A new kind is joined
to `Request` here and asked by a method of `Prompts`; a new type of answer is joined to `Answer`, and the app's prompt
must be able to give it.
"""

from __future__ import annotations

from typing import TypeAlias

from tracker.core.terms.requests.answers import (
    Answer,
    ChoiceAnswer,
    DiceAnswer,
    NumberAnswer,
    Passed,
    PickAnswer,
    Responded,
)
from tracker.core.terms.requests.kind import ActionReader, Asked, Kind, OptionReader
from tracker.core.terms.requests.number import Number
from tracker.core.terms.requests.options import Choice, Pick
from tracker.core.terms.requests.roll import Roll
from tracker.core.terms.requests.window import Window

__all__ = [
    "KINDS", "ActionReader", "Answer", "Asked", "Choice", "ChoiceAnswer", "DiceAnswer", "Kind", "Number",
    "NumberAnswer", "OptionReader", "Passed", "Pick", "PickAnswer", "Request", "Responded", "Roll", "Window",
]  # fmt: skip # a plain list of names

Request: TypeAlias = Roll | Choice | Pick | Number | Window
KINDS: tuple[type[Kind], ...] = (Roll, Choice, Pick, Number, Window)
