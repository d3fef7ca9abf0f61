"""The answers of one entry of a vector, handed out request by request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracker.core.terms.actions import Action
from tracker.core.terms.requests import (
    Answer,
    Choice,
    Chosen,
    Number,
    Passed,
    Pick,
    Picked,
    Request,
    Responded,
    Roll,
    Stated,
    Thrown,
    Window,
)
from tracker.testing.forms import as_offered

__all__ = ["Answers"]

Plain = Mapping[str, Any]


class Answers:
    """Dice and other answers.

    A list in the order of the requests, or a mapping by key.
    """

    def __init__(self, given: object, read: Callable[[Plain], Action]) -> None:
        self.listed = list(given) if isinstance(given, list) else [] if isinstance(given, dict) else [given]
        self.named = dict(given) if isinstance(given, dict) else {}
        self.asked: list[str] = []
        self._read = read

    def left(self) -> list[object]:
        """Return the answers no request has asked for."""
        return [*self.listed, *self.named]

    def __call__(self, request: Request) -> Answer | None:
        """Answer a request, or leave it open."""
        self.asked.append(request.key)
        for key in (request.key, *(key for key in self.named if request.key.endswith("/" + key))):
            if key in self.named:
                return self._answer(request, self.named.pop(key))
        if self.listed and self._fits(request, self.listed[0]):
            return self._answer(request, self.listed.pop(0))
        return request.usual

    def _fits(self, request: Request, said: object) -> bool:
        match request:
            case Choice(options=options):
                return _word(said) in {option.key for option in options}
            case Pick():
                return isinstance(said, list)
            case Window(offers=offers):
                if isinstance(said, str):
                    return said == "pass" or said.partition(":")[0] in {spec.key for spec in offers}
                return isinstance(said, dict) or (
                    isinstance(said, list) and all(isinstance(part, dict) for part in said)
                )
            case _:
                return True

    def _answer(self, request: Request, said: Any) -> Answer:
        match request:
            case Roll():
                return Thrown(sum(said), tuple(said)) if isinstance(said, list) else Thrown(said)
            case Choice():
                return Chosen(str(_word(said)))
            case Pick():
                return Picked(tuple(said))
            case Number():
                return Stated(said)
            case Window(offers=offers):
                if said == "pass":
                    return Passed()
                if isinstance(said, list):
                    return Responded(tuple(self._read(part) for part in said), together=True)
                if isinstance(said, dict):
                    return Responded((self._read(said),))
                key, _, by = said.partition(":")
                spec = next(spec for spec in offers if spec.key == key and (not by or spec.by == by))
                return Responded((as_offered(spec),))


def _word(said: object) -> object:
    """Return yes and no as words, where YAML has made them truth values."""
    return "yes" if said is True else "no" if said is False else said
