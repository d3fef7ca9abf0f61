"""Answers of a script: which of them is meant for a request, and what it comes to.

A list gives its entries to the requests in order. A roll and a number always take the next one; a window, a choice and
a pick take it only if it is one of their answers, and are left to their default otherwise. An action that carries
answers of its own keeps them for the requests asked below it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tracker.core.terms.actions import Action, Refusal
from tracker.core.terms.errors import Refused
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
from tracker.script.entries import Act, Given, Listed, Named, Written

__all__ = ["Compile", "Feed", "answer_to", "default_of"]

Compile: TypeAlias = Callable[[Act], Action]

HUNDRED = 100
SINGLE = ("combatant", "choice")


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
        """Keep answers for the requests below a path; None: they share those around them."""
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
            if not scope.listed or not fits(request, scope.listed[0], self._compile):
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
        """Tell whether answers are left that are not this request's; a list then lets it have its default."""
        scope = self._scope(request.key)
        return scope.listed is not None and bool(scope.listed)

    @property
    def unused(self) -> str:
        """The answers nobody has asked for, as written; "" if there are none."""
        return ", ".join(scope.shown() for scope in self._scopes if scope.left)

    def _scope(self, key: str) -> _Scope:
        fitting = [scope for scope in self._scopes if key.startswith(scope.prefix)]
        return max(fitting, key=lambda scope: len(scope.prefix))

    def nest(self, request: Request, answer: Answer, said: Written) -> None:
        """Keep the answers that the actions of a window's answer carry for the requests below them."""
        if not isinstance(answer, Responded):
            return
        acts = said if isinstance(said, tuple) else (said,)
        for place, (act, action) in enumerate(zip(acts, answer.actions, strict=False), start=1):
            if isinstance(act, Act):
                owner = action.by or (place if answer.together else "")
                self.below(
                    f"{request.key}/{action.key}:{owner}/" if owner else f"{request.key}/{action.key}/", act.answers
                )


def fits(request: Request, said: Written, compile_act: Compile) -> bool:
    """Tell whether the next entry of a list is for this request."""
    match request:
        case Choice(options=options):
            return _key(said, _keys(options)) is not None
        case Pick(options=options):
            known = _keys(options)
            return isinstance(said, tuple) and all(_key(part, known) is not None for part in said)
        case Window():
            return _fits_window(request, said, compile_act)
        case _:
            return True


def _fits_window(window: Window, said: Written, compile_act: Compile) -> bool:
    if isinstance(said, str):
        return said == "pass" or _offered(window, said, compile_act) is not None
    acts = said if isinstance(said, tuple) else (said,)
    offers = {(spec.key, spec.by) for spec in window.offers}
    return bool(acts) and all(isinstance(act, Act) and _pair(act, compile_act) in offers for act in acts)


def _pair(act: Act, compile_act: Compile) -> tuple[str, str | None]:
    return act.key, compile_act(Act(act.key, act.by)).by


def answer_to(request: Request, said: Written, compile_act: Compile) -> Answer:
    """Return what is written as the answer to a request.

    Raises:
        Refused: where it cannot be one.
    """
    answer: Answer | None
    match request:
        case Roll():
            answer = _thrown(request, said)
        case Choice(options=options):
            key = _key(said, _keys(options))
            answer = None if key is None else Chosen(key)
        case Pick(options=options):
            known = _keys(options)
            keys = [_key(part, known) for part in said] if isinstance(said, tuple) else [None]
            answer = None if None in keys else Picked(tuple(key for key in keys if key is not None))
        case Number():
            answer = Stated(said) if isinstance(said, int) and not isinstance(said, bool) else None
        case Window():
            answer = _response(request, said, compile_act)
    if answer is None:
        raise Refused(
            Refusal("bad_answer", f"{written(said)} is no answer: {asked(request)}", forcible=False, at=request.key)
        )
    return answer


def default_of(request: Request) -> Answer | None:
    """Return the answer that stands if nobody says anything."""
    match request:
        case Choice(default=str() as option):
            return Chosen(option)
        case Pick(default=tuple() as options):
            return Picked(options)
        case Number(default=int() as number):
            return Stated(number)
        case Window():
            return Passed()
        case _:
            return None


def asked(request: Request) -> str:
    """Say what a request asks for: "attack asks for 1d20 (Wolf: to hit)"."""
    what: str
    match request:
        case Roll(dice=dice):
            what = str(dice)
        case Choice(options=options):
            what = " or ".join(option.key for option in options)
        case Pick(options=options):
            what = f"a list of {', '.join(option.key for option in options)}"
        case Number():
            what = "a number"
        case Window(offers=offers):
            what = (
                f"pass or an action ({', '.join(f'{spec.key}:{spec.by}' if spec.by else spec.key for spec in offers)})"
            )
    return f"{request.key} asks for {what}" + (f" ({request.why})" if request.why else "")


def written(said: Written) -> str:
    """Return an answer as a script writes it, for messages."""
    if isinstance(said, Act):
        return f"{{do: {said.key}" + (f", by: {said.by}" if said.by else "") + "}"
    if isinstance(said, tuple):
        return f"[{', '.join(written(part) for part in said)}]"
    return "true" if said is True else "false" if said is False else "nothing" if said is None else str(said)


def _thrown(request: Roll, said: Written) -> Thrown | None:
    if isinstance(said, int) and not isinstance(said, bool) and request.faces and len(request.dice.sides) > 1:
        raise Refused(
            Refusal(
                "bad_answer",
                f"{request.dice}: each face is needed, as a list; {said} is a total",
                forcible=False,
                at=request.key,
            )
        )
    return _dice(request.dice.sides, said)


def _dice(sides: tuple[int, ...], said: Written) -> Thrown | None:
    if isinstance(said, tuple):
        faces = tuple(part for part in said if isinstance(part, int) and not isinstance(part, bool))
        if not faces or len(faces) != len(said):
            return None
        read = tuple(_face(face, sides[place] if place < len(sides) else 0) for place, face in enumerate(faces))
        return Thrown(sum(read), read, typed=True)
    if not isinstance(said, int) or isinstance(said, bool):
        return None
    if len(sides) == 1:
        face = _face(said, sides[0])
        return Thrown(face, (face,), typed=True)
    return Thrown(said, typed=True)


def _face(face: int, sides: int) -> int:
    """Read one die: the 00 of percentile dice is 100."""
    return HUNDRED if face == 0 and sides == HUNDRED else face


def _response(window: Window, said: Written, compile_act: Compile) -> Answer | None:
    if isinstance(said, str) and said != "pass":
        action = _offered(window, said, compile_act)
        return None if action is None else Responded((action,))
    answer = _acted(said, compile_act)
    if isinstance(answer, Responded):
        return Responded(tuple(_as_offered(window, action) for action in answer.actions), answer.together)
    return answer


def _as_offered(window: Window, action: Action) -> Action:
    """Return an action with what its offer leaves no choice about (whom a Snap Attack answers), where nothing else is written."""
    offers = [spec for spec in window.offers if (spec.key, spec.by) == (action.key, action.by)]
    fixed = [
        {field.name: field.options[0].key for field in spec.fields if field.kind in SINGLE and len(field.options) == 1}
        for spec in offers
    ]
    fitting = [fields for fields in fixed if all(action.get(name) in (None, key) for name, key in fields.items())]
    return action.put(**fitting[0]) if len(fitting) == 1 else action


def _acted(said: Written, compile_act: Compile) -> Answer | None:
    if said == "pass":
        return Passed()
    if isinstance(said, Act):
        return Responded((compile_act(said),))
    if isinstance(said, tuple) and said:
        acts = tuple(act for act in said if isinstance(act, Act))
        return Responded(tuple(compile_act(act) for act in acts), together=True) if len(acts) == len(said) else None
    if isinstance(said, str):
        key, _, by = said.partition(":")
        return Responded((compile_act(Act(key, by or None)),))
    return None


def _offered(window: Window, said: str, compile_act: Compile) -> Action | None:
    """Return the offered answer of that key (`total_defense:ansa`; without the name where only one is offered)."""
    key, _, by = said.partition(":")
    found = [spec for spec in window.offers if spec.key == key]
    if by and found:
        try:
            who = compile_act(Act(key, by)).by
        except Refused:
            return None
        found = [spec for spec in found if spec.by == who]
    return _as_offered(window, Action(key, found[0].by)) if len(found) == 1 else None


def _keys(options: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(str(getattr(option, "key", option)) for option in options)


def _word(said: Written) -> str | None:
    if isinstance(said, bool):
        return "yes" if said else "no"
    return str(said) if isinstance(said, str | int) else None


def _key(said: Written, known: tuple[str, ...]) -> str | None:
    word = _word(said)
    return word if word is not None and word in known else None
