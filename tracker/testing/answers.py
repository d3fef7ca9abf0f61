"""The answers of one entry of a vector, handed out request by request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Request

Plain = Mapping[str, Any]


class Answers:
    """Dice and other answers.

    A list in the order of the requests, or a mapping by key.
    """

    def __init__(self, given: object, read: Callable[[Plain], Action]) -> None:
        self.listed = list(given) if isinstance(given, list) else [] if isinstance(given, dict) else [given]
        self.named = dict(given) if isinstance(given, dict) else {}
        self.asked: list[str] = []
        self._acts = _Acts(read)

    def left(self) -> list[object]:
        """Return the answers no request has asked for."""
        return [*self.listed, *self.named]

    def __call__(self, request: Request) -> Answer | None:
        """Answer a request, or leave it open."""
        self.asked.append(request.key)
        for key in (request.key, *(key for key in self.named if request.key.endswith("/" + key))):
            if key in self.named:
                return self._answer(request, self.named.pop(key))
        if self.listed and request.fits(_frozen(self.listed[0]), self._acts):
            return self._answer(request, self.listed.pop(0))
        return request.usual

    def _answer(self, request: Request, said: object) -> Answer:
        answer = request.read(_frozen(said), self._acts)
        assert answer is not None, f"{said} is no answer: {request.key} asks for {request.wants}"
        return answer


class _Acts:
    """Reads the actions of a vector's answer."""

    def __init__(self, read: Callable[[Plain], Action]) -> None:
        self._read = read

    def whose(self, said: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of an action or of `key:actor`."""
        if isinstance(said, str):
            key, _, by = said.partition(":")
            return key, by or None
        action = self.action(said)
        return None if action is None else (action.key, action.by)

    def action(self, said: object) -> Action | None:
        """Return an action with its fields, or None where it is none."""
        return self._read(said) if isinstance(said, Mapping) else None


def _frozen(said: object) -> object:
    """Return a written list as a tuple."""
    return tuple(said) if isinstance(said, list) else said
