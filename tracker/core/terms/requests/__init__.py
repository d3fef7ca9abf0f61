"""Requests: what a step has to be told, and the answers.

A kind of request is one module and knows everything of itself: which answers it takes, which one counts if nothing is
said, how the program answers it, its plain form, its words for people, and how a written or typed value is read. What
every kind has is in `kind.py`. A new kind has a module beside it, is joined to `Request` here, is asked by a method of
`Prompts`, and has its name in `tracker.core`. With an answer of a new type, it is joined to `Answer`, and the prompt of
the app learns to give it.
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
