"""How far dice in hand would reach, were an action done now."""

from __future__ import annotations

from msgspec import Struct

from tracker.core.terms.requests import Request

__all__ = ["Trial"]


class Trial(Struct, frozen=True):
    """What the dice in hand would answer.

    Attributes:
        given: each answer as typed, with what it answers.
        left: what nothing has taken so far.
        problem: why the next one cannot be an answer; "": it can.
        asks: what is asked for next, when the hand is empty or cannot answer it.
        open: what comes next cannot be known, since the program rolls dice there.
        refused: the step itself cannot be begun.
    """

    given: tuple[tuple[str, Request], ...] = ()
    left: tuple[str, ...] = ()
    problem: str = ""
    asks: Request | None = None
    open: bool = False
    refused: bool = False

    @property
    def rolls(self) -> bool:
        """Whether a number is asked for at all."""
        requests = [request for _, request in self.given] + ([self.asks] if self.asks is not None else [])
        return any(request.numeric for request in requests) or self.open
