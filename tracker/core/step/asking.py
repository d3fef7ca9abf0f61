"""Asking: what a step has to be told.

A given answer is returned; a question without an answer ends the pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from tracker.core.fight.events import (
    Decided,
    Overruled,
    Rolled,
)
from tracker.core.fight.state import Id, State
from tracker.core.step.changes import Changes
from tracker.core.terms.actions import Option, once
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Absent, Refusal, Refused, RulesBug
from tracker.core.terms.requests import (
    Answer,
    Asked,
    Choice,
    Chosen,
    Number,
    Pick,
    Picked,
    Request,
    Roll,
    Stated,
    Thrown,
)
from tracker.core.terms.values import Value

if TYPE_CHECKING:
    from tracker.core.step.windows import Response


MOST_REQUESTS = 20_000
Again: TypeAlias = Callable[[Request | None, "Response"], Request | None]


class NeedAnswer(BaseException):
    """This request has no answer yet.

    Not an error, so that no handler of errors swallows it.
    """

    def __init__(self, request: Request) -> None:
        super().__init__(request.key)
        self.request = request


def _alike(computed: Value, value: Value) -> bool:
    """Tell whether a value can replace a computed one.

    It is of the same kind, or anything where there is none.
    """
    if computed is None or (
        isinstance(computed, int | float)
        and isinstance(value, int | float)
        and isinstance(computed, bool) == isinstance(value, bool)
    ):
        return True
    return type(computed) is type(value)


class Scope:
    """A part of a step whose requests have a path of their own."""

    __slots__ = ("_before", "_inside", "_step")

    def __init__(self, step: Asking, inside: str) -> None:
        self._step, self._inside, self._before = step, inside, step._path

    def __enter__(self) -> None:
        self._step._path = self._inside

    def __exit__(self, *error: object) -> None:
        self._step._path = self._before


class Asking(Changes):
    """A step that asks: each request under a key that is unique in it.

    `first`: the state in which it begins, which was on the screen.
    """

    def __init__(
        self,
        state: State,
        answers: Mapping[str, Answer],
        source: Callable[[Request], Answer | None] | None = None,
        overrides: Mapping[str, Value] | None = None,
    ) -> None:
        super().__init__(state)
        self.first = state
        self.given: dict[str, Answer] = {}
        self._answers, self._source, self._overrides = answers, source, overrides or {}
        self._path = self.unanswered = ""
        self._seen: set[str] = set()
        self._ruled: set[str] = set()
        self._settling = 0

    def before(self, key: str) -> Iterable[Response]:
        """Do what was put before a request, and yield what came of each.

        Here nothing.
        """
        return ()

    def heed(self, key: str) -> None:
        """Do now what was put before the request of this key.

        A step that looks at the state after it asks only what still applies; the request itself may then be left out.
        """
        for _ in self.before(self._free(key)):
            pass

    def roll(
        self,
        key: str,
        dice: Dice,
        *rules: str,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
        secret: bool = False,
        setup: bool = False,
        classes: tuple[int, ...] = (),
        needed: str = "",
    ) -> int:  # fmt: skip - a signature
        """Return the natural total of dice.

        Their fixed number is left to the rules. Who is asked follows from `who`. `needed` tells the GM what is added
        and what has to be reached, where that is known (`needs`).
        """
        if not dice.terms:
            return 0
        request = Roll(key, dice.natural, who, to or self.player_of(who), why, False, secret, setup, classes, needed)
        return self._throw(request, rules, dice.plus).total

    def faces(
        self,
        key: str,
        dice: Dice,
        *rules: str,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
        secret: bool = False,
        setup: bool = False,
        apart: bool = False,
    ) -> tuple[int, ...]:
        """Return the natural faces of dice in written order, where each of them matters.

        `apart`: they are never added, and the log does not add them either.
        """
        if not dice.terms:
            return ()
        request = Roll(key, dice.natural, who, to or self.player_of(who), why, True, secret, setup)
        thrown = self._throw(request, rules, dice.plus, apart)
        return thrown.faces or (thrown.total,)

    def _throw(self, request: Roll, rules: tuple[str, ...], plus: int = 0, apart: bool = False) -> Thrown:
        key, answer = self._ask(request)
        if not isinstance(answer, Thrown):
            raise RulesBug(f"{key} is not answered with dice")
        self.emit(
            Rolled(
                key,
                request.dice,
                answer.total,
                answer.faces,
                request.who,
                request.why,
                answer.typed,
                request.secret,
                plus=plus or UNSET,
                apart=apart or UNSET,
            ),
            *rules,
        )
        return answer

    def choose(
        self,
        key: str,
        options: Sequence[Option | str],
        *rules: str,
        default: str | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
        secret: bool = False,
        told: bool = False,
    ) -> str:  # fmt: skip - a signature
        """Return the key of the option chosen.

        `told`: a reminder has offered the same on the screen, so the default stands unless an answer is given.
        """
        offered = tuple(Option(option) if isinstance(option, str) else option for option in options)
        if not offered:
            raise RulesBug(f"{key} has nothing to choose from")
        request = Choice(key, offered, default, who, to or self.player_of(who), why, secret, told)
        path, answer = self._ask(request, self._who_is_left())
        if not isinstance(answer, Chosen):
            raise RulesBug(f"{key} is not answered with an option")
        self.emit(Decided(path, answer.option, who, why, secret), *rules)
        return answer.option

    def confirm(
        self,
        key: str,
        *rules: str,
        default: bool | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
    ) -> bool:
        """Return the answer to a question of yes or no."""
        chosen = None if default is None else "yes" if default else "no"
        return self.choose(key, ("yes", "no"), *rules, default=chosen, who=who, why=why, to=to) == "yes"

    def pick(
        self,
        key: str,
        options: Sequence[Option | str],
        *rules: str,
        default: tuple[str, ...] | None = None,
        minimum: int = 0,
        maximum: int | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
    ) -> tuple[str, ...]:  # fmt: skip - a signature
        """Return the keys of the options picked."""
        offered = tuple(Option(option) if isinstance(option, str) else option for option in options)
        request = Pick(key, offered, default, minimum, maximum, who, to or self.player_of(who), why)
        path, answer = self._ask(request, self._who_is_left())
        if not isinstance(answer, Picked):
            raise RulesBug(f"{key} is not answered with options")
        picked = once(answer.options)
        self.emit(Decided(path, ", ".join(picked), who, why), *rules)
        return picked

    def number(
        self,
        key: str,
        *rules: str,
        default: int | None = None,
        minimum: int | None = None,
        maximum: int | None = None,
        who: Id | None = None,
        why: str = "",
        to: Asked | None = None,
    ) -> int:  # fmt: skip - a signature
        """Return the number stated."""
        path, answer = self._ask(Number(key, default, minimum, maximum, who, to or self.player_of(who), why))
        if not isinstance(answer, Stated):
            raise RulesBug(f"{key} is not answered with a number")
        self.emit(Decided(path, str(answer.value), who, why), *rules)
        return answer.value

    def ruling(self, key: str, computed: Value) -> Value:
        """Return a computed value, unless the GM has put another in its place."""
        path = self._path + key
        if path not in self._overrides:
            return computed
        value = self._overrides[path]
        if not _alike(computed, value):
            raise Refused(
                Refusal(
                    "bad_override",
                    f"{key} is {computed!r}; {value!r} cannot stand in its place",
                    forcible=False,
                    at=path,
                )
            )
        self._ruled.add(path)
        self.emit(Overruled(path, computed, value))
        return value

    def _ask(self, asked: Request, again: Again = lambda asked, response: asked) -> tuple[str, Answer | None]:
        """Return the request's key as a path, and its answer.

        After everything that is put before it `again` works it out anew. None has no answer.
        """
        key = self._unique(asked.key)
        if len(self._seen) > MOST_REQUESTS:
            raise RulesBug(f"a step asks more than {MOST_REQUESTS} questions")
        request: Request | None = asked
        for response in self.before(key):
            request = again(request, response)
        if request is None:
            return key, None
        if key != request.key:
            request = replace(request, key=key)
        answer = self._answers.get(key)
        if answer is None and self._source is not None:
            answer = self._source(request)
        if answer is None:
            self.unanswered = key
            raise NeedAnswer(request)
        if problem := request.problem(answer):
            raise Refused(Refusal("bad_answer", problem, forcible=False, at=key))
        self.given[key] = answer
        return key, answer

    def _who_is_left(self) -> Again:
        """Take those who leave before a question off its options."""
        before = self.state

        def again(asked: Request | None, response: Response) -> Request | None:
            if not isinstance(asked, Choice | Pick):
                return asked
            gone = [option.key for option in asked.options if option.key in before and option.key not in self.state]
            left = tuple(option for option in asked.options if option.key not in gone)
            if gone and not left:
                raise Absent(gone[0])
            if isinstance(asked, Pick):
                default = None if asked.default is None else tuple(key for key in asked.default if key not in gone)
                return replace(asked, options=left, default=default, minimum=min(asked.minimum, len(left)))
            usual = asked.default if asked.default not in gone else left[0].key
            return replace(asked, options=left, default=usual)

        return again

    def _unique(self, key: str) -> str:
        path = self._free(key)
        if path in self._seen:
            raise RulesBug(f"the request {path} is asked twice")
        self._seen.add(path)
        return path

    def _free(self, key: str) -> str:
        """Return the path under which a request of this key is asked next."""
        path = self._path + key
        if self._settling:  # the same thing may follow more than once in a step
            times = 2
            while path in self._seen:
                path = f"{self._path}{key}~{times}"
                times += 1
        return path

    def player_of(self, who: Id | None) -> Asked:
        """Return who rolls a combatant's dice."""
        combatant = self.state.get(who)
        return "player" if combatant is not None and self.state.side(combatant.side).control == "players" else "gm"

    def scope(self, name: str) -> Scope:
        """Key the requests made inside below `name`."""
        return Scope(self, f"{self._path}{name}/" if name else self._path)

    def _absolute(self, path: str) -> Scope:
        return Scope(self, f"{path}/")
