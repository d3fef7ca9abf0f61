"""Answers of a script: which request each is meant for, and how it is read.

A list gives its entries to the requests in order. A roll and a number always take the next one; a window, a choice and
a pick take it only if it is one of their answers, and are left to their default otherwise. An action that carries
answers of its own keeps them for the requests asked below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.errors import Refused
from tracker.core.terms.requests import Answer, Request, Responded
from tracker.script.entries import Act, Given, Listed, Named, Written

__all__ = ["Compile", "Feed", "answer_to", "asked"]

Compile: TypeAlias = Callable[[Act], Action]


class _Scope:
    """The answers meant for the requests whose keys begin so."""

    def __init__(self, prefix: str, given: Given) -> None:
        self.prefix = prefix
        self.listed = list(given.items) if isinstance(given, Listed) else None
        self.named = dict(given.items) if isinstance(given, Named) else {}

    @property
    def left(self) -> int:
        return len(self.named) if self.listed is None else len(self.listed)

    def shown(self) -> str:
        """Say what has not been asked for."""
        if self.listed is None:
            return ", ".join(f"{key}: {written(answer)}" for key, answer in self.named.items())
        return ", ".join(written(answer) for answer in self.listed)


class Feed:
    """The answers one entry gives, handed out request by request."""

    def __init__(self, given: Given, compile_act: Compile) -> None:
        self._scopes = [_Scope("", given)]
        self._compile = compile_act

    def below(self, prefix: str, given: Given | None) -> None:
        """Keep answers for the requests below a path.

        None: they share those around them.
        """
        if given is not None:
            self._scopes.append(_Scope(prefix, given))

    def take(self, request: Request) -> Answer | None:
        """Return the answer to a request, or None if there is none for it.

        Raises:
            Refused: where what is written cannot be its answer.
        """
        scope = self._scope(request.key)
        if scope.listed is None:
            key = request.key.removeprefix(scope.prefix)
            name = key if key in scope.named else request.key
            if name not in scope.named:
                return None
            said = scope.named[name]
            answer = answer_to(request, said, self._compile)
            del scope.named[name]
        else:
            if not scope.listed or not request.fits(scope.listed[0], Acts(self._compile)):
                return None
            said = scope.listed[0]
            answer = answer_to(request, said, self._compile)
            del scope.listed[0]
        self.nest(request, answer, said)
        return answer

    def demand(self, request: Request) -> Answer:
        """Return the only answer there is, which must be this request's.

        Raises:
            Refused: where it cannot be.
        """
        (scope,) = self._scopes
        said = scope.listed.pop(0) if scope.listed else None
        answer = answer_to(request, said, self._compile)
        self.nest(request, answer, said)
        return answer

    def waiting(self, request: Request) -> bool:
        """Tell whether answers are left that are not this request's.

        A list then lets it have its default.
        """
        scope = self._scope(request.key)
        return scope.listed is not None and bool(scope.listed)

    @property
    def unused(self) -> str:
        """The answers nobody has asked for, as written, or "" if there are none."""
        return ", ".join(scope.shown() for scope in self._scopes if scope.left)

    def _scope(self, key: str) -> _Scope:
        fitting = [scope for scope in self._scopes if key.startswith(scope.prefix)]
        return max(fitting, key=lambda scope: len(scope.prefix))

    def nest(self, request: Request, answer: Answer, said: Written) -> None:
        """Keep the answers carried by a window's actions for the requests below them."""
        if not isinstance(answer, Responded):
            return
        acts = said if isinstance(said, tuple) else (said,)
        for place, (act, action) in enumerate(zip(acts, answer.actions, strict=False), start=1):
            if isinstance(act, Act):
                owner = action.by or (place if answer.together else "")
                self.below(
                    f"{request.key}/{action.key}:{owner}/" if owner else f"{request.key}/{action.key}/", act.answers
                )


class Acts:
    """Reads the actions of a script's answer."""

    def __init__(self, compile_act: Compile) -> None:
        self._compile = compile_act

    def whose(self, said: object) -> tuple[str, str | None] | None:
        """Return the key and the actor of an action or of `key:actor`.

        None where it is neither.
        """
        if isinstance(said, str):
            key, _, by = said.partition(":")
            said = Act(key, by or None)
        return (said.key, self._compile(Act(said.key, said.by)).by) if isinstance(said, Act) else None

    def action(self, said: object) -> Action | None:
        """Return an action with its fields, or None where it is none."""
        return self._compile(said) if isinstance(said, Act) else None


def answer_to(request: Request, said: Written, compile_act: Compile) -> Answer:
    """Return what is written as the answer to a request.

    Raises:
        Refused: where it cannot be one.
    """
    answer = request.read(said, Acts(compile_act))
    if answer is None:
        raise Refused(
            Refusal("bad_answer", f"{written(said)} is no answer: {asked(request)}", forcible=False, at=request.key)
        )
    return answer


def asked(request: Request) -> str:
    """Say what a request asks for: "attack asks for 1d20 (Wolf: to hit)"."""
    return f"{request.key} asks for {request.wants}" + (f" ({request.why})" if request.why else "")


def written(said: Written) -> str:
    """Return an answer as a script writes it, for messages."""
    if isinstance(said, Act):
        return f"{{do: {said.key}" + (f", by: {said.by}" if said.by else "") + "}"
    if isinstance(said, tuple):
        return f"[{', '.join(written(part) for part in said)}]"
    return "true" if said is True else "false" if said is False else "nothing" if said is None else str(said)
