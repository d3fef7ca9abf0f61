"""Windows of a step: questions to others whether they interrupt, and results that a response may change.

The offers of a window, and a result in it, are computed again after every response and after every action the GM puts
before the window. Such an action that is on offer counts as a response.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.settings import is_muted
from tracker.core.fight.slots import Id
from tracker.core.step.prompts import Prompts
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.requests import Responded, Window
from tracker.core.terms.values import Value

W = TypeVar("W")
MUTED = "it is not asked now"


class Response(Struct, frozen=True):
    """An action done inside another one: whether it came to its end, and its value."""

    action: Action
    finished: bool
    value: Value = None


Responses: TypeAlias = Sequence[Response]


class Windows(Prompts):
    """A step in which others may answer."""

    def offers(self, window: Window) -> tuple[ActionSpec, ...]:
        """Return the actions that can be taken in a window now.

        Here nothing.
        """
        return ()

    def respond(self, key: str, answer: Responded) -> Responses:
        """Do what answers a window.

        Here nothing.
        """
        return ()

    def close(self) -> None:
        """Close a window.

        Here nothing follows from it.
        """

    def window(
        self,
        name: str,
        actor: Id | None = None,
        target: Id | None = None,
        why: str = "",
        info: Sequence[str] = (),
        again: bool = True,
    ) -> tuple[Response, ...]:
        """Open a window, and return the responses.

        It is asked again and again, unless `again` is off, while a combatant has a response. What the GM puts before it
        is a response too, where it is on offer. Do not compute a result that
        responses may change before a window: use `resolve_in_window`.
        """
        asked = Window(name, name, (), actor, target, why=why, info=tuple(info))
        responses: list[Response] = []
        for times in count(1):
            heard, answered = self._ask_window(_nth(name, times), lambda _: asked)
            responses += heard
            if not answered or not again:
                break
        return tuple(responses)

    def resolve_in_window(
        self,
        name: str,
        compute: Callable[[W | None, Responses], W],
        prompt: Callable[[W], tuple[str, Sequence[str]] | None],
        actor: Id | None = None,
        target: Id | None = None,
    ) -> W:
        """Open a window around a result, compute the result again after each response, and return the last one.

        `compute` makes the result from the state: first from None, then from the last result and the responses. It is
        called after every response, and after everything the GM puts before the window. So no result is older than
        the state.
        `prompt` returns the words and the `info` of the window, or None if responses cannot change the result.
        """
        result = compute(None, ())

        def made(heard: Responses | None) -> Window | None:
            nonlocal result
            if heard is not None:
                result = compute(result, heard)
            asked = prompt(result)
            return None if asked is None else Window(name, name, (), actor, target, why=asked[0], info=tuple(asked[1]))

        for times in count(1):
            if not self._ask_window(_nth(name, times), made)[1]:
                break
        return result

    def _ask_window(self, key: str, made: Callable[[Responses | None], Window | None]) -> tuple[list[Response], bool]:
        """Ask a window once.

        Return what answered it, and whether it may be asked again.

        `made` makes it: first of None, then of every answer heard, and of () where something else has happened.
        """
        heard: list[Response] = []
        path, answer = self._next_path(key), None
        request = self._with_offers(key, made(None))
        for response in self.perform_interrupts(path) if request is not None else ():
            answers = request is not None and request.offers_to(response.action)
            if answers:
                heard.append(response)
            request = self._with_offers(key, made((response,) if answers else ()))
        if request is not None:
            answer = self._answer(replace(request, key=path))
        if isinstance(answer, Responded):
            responses = self.respond(key, answer)
            heard += responses
            made(responses)
        self.close()
        return heard, isinstance(answer, Responded)

    def _with_offers(self, key: str, window: Window | None) -> Window | None:
        """Return a window with what can be done in it now, None for nothing."""
        if window is None:
            return None
        window = replace(window, key=key)
        offers = tuple(self._mark_muted(spec) for spec in self.offers(window) if spec.refusal is None)
        return replace(window, offers=offers) if offers else None

    def _mark_muted(self, spec: ActionSpec) -> ActionSpec:
        """Return an offer, moot where its actor is not to be asked."""
        return replace(spec, moot=spec.moot or MUTED) if is_muted(self.state, spec.by) else spec


def _nth(name: str, times: int) -> str:
    """Return the key of a window that is asked for the second time, the third."""
    return name if times == 1 else f"{name}:{times}"
