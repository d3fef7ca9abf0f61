"""The requests of a step: rolls, choices and numbers.

A given answer is returned; a request without an answer ends the pass. The GM may interrupt before any request: these
actions are performed first, then `asked_if` says whether the request is still asked, and functions of the state (dice,
options, defaults, words) are evaluated. A request that is not asked returns None.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, TypedDict, TypeVar, Unpack, overload

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tracker.core.fight.events import Decided, Overruled, Rolled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.changes import StateChanges
from tracker.core.terms.actions import Option, Response, once
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Absent, RulesBug, impossible
from tracker.core.terms.requests import (
    Answer,
    Asked,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Number,
    NumberAnswer,
    Pick,
    PickAnswer,
    Request,
    Roll,
)
from tracker.core.terms.values import Value

MOST_REQUESTS = 20_000
NO_DICE = DiceAnswer(0)
YES_OR_NO = ("yes", "no")
T = TypeVar("T")
AskedIf: TypeAlias = Callable[[State], object]
_AskedIf: TypeAlias = AskedIf | None
FromState: TypeAlias = T | Callable[[State], T]
Options: TypeAlias = Sequence[Option | str]


class Details(TypedDict, total=False):
    """The details of any request besides its key.

    Attributes:
        who: the combatant concerned; a player is asked for their own character.
        why: the purpose in a few words.
        to: whether the GM or a player is asked, if this does not follow from `who`.
    """

    who: FromState[Id | None]
    why: FromState[str]
    to: Asked | None


class RollDetails(Details, total=False):
    """The further details of a roll.

    Attributes:
        secret: players do not see the result.
        setup: dice of the set-up (`Roll.setup`).
        needed: the modifier and the number to reach (`needs`).
    """

    secret: bool
    setup: bool
    needed: FromState[str]


class ChoiceDetails(Details, total=False):
    """The further details of a choice.

    Attributes:
        default: the option of an empty answer.
        secret: players do not see the answer.
        told: a reminder on the screen has offered the same, so it is not asked, and the default counts.
    """

    default: FromState[str | None]
    secret: bool
    told: FromState[bool]


class PickDetails(Details, total=False):
    """The further details of a choice of several options."""

    default: FromState[tuple[str, ...] | None]
    minimum: int
    maximum: int | None


class NumberDetails(Details, total=False):
    """The further details of a request for a number."""

    default: FromState[int | None]
    minimum: int | None
    maximum: int | None


class NeedAnswer(BaseException):
    """A request without an answer; a BaseException, so that no handler of errors catches it."""

    def __init__(self, request: Request) -> None:
        super().__init__(request.key)
        self.request = request


def evaluated(value: FromState[T], state: State) -> T:
    """Return a detail of a request, which may be a function of the state."""
    return value(state) if callable(value) else value


def _alike(computed: Value, value: Value) -> bool:
    """Tell whether a value can replace a computed one: of the same kind, or anything for None."""
    if computed is None or (
        isinstance(computed, int | float)
        and isinstance(value, int | float)
        and isinstance(computed, bool) == isinstance(value, bool)
    ):
        return True
    return type(computed) is type(value)


class Scope:
    """A part of a step whose requests have a path of their own."""

    __slots__ = ("_before", "_inside", "_interruptible", "_step")

    def __init__(self, step: Prompts, inside: str, interruptible: bool = True) -> None:
        self._step, self._inside, self._before, self._interruptible = step, inside, step._path, interruptible

    def __enter__(self) -> None:
        self._step._path = self._inside
        self._step._uninterruptible += not self._interruptible

    def __exit__(self, *error: object) -> None:
        self._step._path = self._before
        self._step._uninterruptible -= not self._interruptible


class Prompts(StateChanges, ABC):
    """A step with requests, each with a key that is unique in it.

    `state_at_start`: the state before the step, which the screen shows.
    """

    def __init__(
        self,
        state: State,
        answers: Mapping[str, Answer],
        source: Callable[[Request], Answer | None] | None = None,
        overrides: Mapping[str, Value] | None = None,
    ) -> None:
        super().__init__(state)
        self.state_at_start = state
        self.given: dict[str, Answer] = {}
        self._answers, self._source, self._overrides = answers, source, overrides or {}
        self._path = self.unanswered = ""
        self._seen: set[str] = set()
        self._overridden: set[str] = set()
        self._settling = self._uninterruptible = 0

    @abstractmethod
    def _perform_interrupts(self, path: str) -> Iterable[Response]:
        """Perform the GM's interruptions before a request, once, and yield the response of each."""

    @overload
    def roll(self, key: str, dice: FromState[Dice], *rules: str, **details: Unpack[RollDetails]) -> int: ...
    @overload
    def roll(
        self, key: str, dice: FromState[Dice], *rules: str, asked_if: _AskedIf, **details: Unpack[RollDetails]
    ) -> int | None: ...
    def roll(
        self, key: str, dice: FromState[Dice], *rules: str, asked_if: _AskedIf = None, **details: Unpack[RollDetails]
    ) -> int | None:
        """Return the natural total of dice without their fixed number, None if the roll is not asked."""
        answer = self._ask_roll(key, dice, rules, asked_if, details)
        return None if answer is None else answer.total

    @overload
    def faces(
        self, key: str, dice: FromState[Dice], *rules: str, apart: bool = False, **details: Unpack[RollDetails]
    ) -> tuple[int, ...]: ...
    @overload
    def faces(
        self,
        key: str,
        dice: FromState[Dice],
        *rules: str,
        asked_if: _AskedIf,
        apart: bool = False,
        **details: Unpack[RollDetails],
    ) -> tuple[int, ...] | None: ...
    def faces(
        self,
        key: str,
        dice: FromState[Dice],
        *rules: str,
        asked_if: _AskedIf = None,
        apart: bool = False,
        **details: Unpack[RollDetails],
    ) -> tuple[int, ...] | None:
        """Return the natural faces of dice in written order, None if the roll is not asked.

        `apart`: each face counts by itself, so the log does not add them up.
        """
        answer = self._ask_roll(key, dice, rules, asked_if, details, faces=True, apart=apart)
        return None if answer is None else answer.faces or ((answer.total,) if answer.total else ())

    def _ask_roll(
        self,
        key: str,
        dice: FromState[Dice],
        rules: tuple[str, ...],
        asked_if: _AskedIf,
        details: RollDetails,
        faces: bool = False,
        apart: bool = False,
    ) -> DiceAnswer | None:
        path = self._path_if_asked(key, asked_if)
        if path is None:
            return None
        rolled_dice = evaluated(dice, self.state)
        if not rolled_dice.terms:
            return NO_DICE
        who, to, why = self._about(details)
        needed = "" if self.unread else evaluated(details.get("needed", ""), self.state)
        secret, setup = details.get("secret", False), details.get("setup", False)
        natural = rolled_dice.natural
        answer = self._answer(Roll(path, natural, who, to, why, faces, secret, setup, needed))
        if not isinstance(answer, DiceAnswer):
            raise RulesBug(f"{path} is not answered with dice")
        rolled = Rolled(path, natural, answer.total, answer.faces, who, why, answer.typed, secret)
        if rolled_dice.plus or apart:
            rolled = replace(rolled, plus=rolled_dice.plus or UNSET, apart=apart or UNSET)
        self.emit(rolled, *rules)
        return answer

    @overload
    def choose(self, key: str, options: FromState[Options], *rules: str, **details: Unpack[ChoiceDetails]) -> str: ...
    @overload
    def choose(
        self, key: str, options: FromState[Options], *rules: str, asked_if: _AskedIf, **details: Unpack[ChoiceDetails]
    ) -> str | None: ...
    def choose(
        self,
        key: str,
        options: FromState[Options],
        *rules: str,
        asked_if: _AskedIf = None,
        **details: Unpack[ChoiceDetails],
    ) -> str | None:
        """Return the key of the chosen option, None if the choice is not asked."""
        before, path = self.state, self._path_if_asked(key, asked_if)
        if path is None:
            return None
        default = evaluated(details.get("default"), self.state)
        told = evaluated(details.get("told", False), self.state)
        offered, gone = self._offered_still(evaluated(options, self.state), before)
        if not offered:
            raise Absent(gone[0]) if gone else RulesBug(f"{path} has nothing to choose from")
        usual = offered[0].key if default in gone else default
        who, to, why = self._about(details)
        secret = details.get("secret", False)
        answer = self._answer(Choice(path, offered, usual, who, to, why, secret, told))
        if not isinstance(answer, ChoiceAnswer):
            raise RulesBug(f"{path} is not answered with an option")
        self.emit(Decided(path, answer.option, who, why, secret, self._labels((answer.option,), offered)), *rules)
        return answer.option

    @overload
    def confirm(
        self, key: str, *rules: str, default: FromState[bool | None] = None, **details: Unpack[Details]
    ) -> bool: ...
    @overload
    def confirm(
        self,
        key: str,
        *rules: str,
        default: FromState[bool | None] = None,
        asked_if: _AskedIf,
        **details: Unpack[Details],
    ) -> bool | None: ...
    def confirm(
        self,
        key: str,
        *rules: str,
        default: FromState[bool | None] = None,
        asked_if: _AskedIf = None,
        **details: Unpack[Details],
    ) -> bool | None:
        """Return the answer to a question of yes or no, None if it is not asked."""

        def usual(state: State) -> str | None:
            chosen = evaluated(default, state)
            return None if chosen is None else "yes" if chosen else "no"

        answer = self.choose(key, YES_OR_NO, *rules, default=usual, asked_if=asked_if, **details)
        return None if answer is None else answer == "yes"

    @overload
    def pick(
        self, key: str, options: FromState[Options], *rules: str, **details: Unpack[PickDetails]
    ) -> tuple[str, ...]: ...
    @overload
    def pick(
        self, key: str, options: FromState[Options], *rules: str, asked_if: _AskedIf, **details: Unpack[PickDetails]
    ) -> tuple[str, ...] | None: ...
    def pick(
        self,
        key: str,
        options: FromState[Options],
        *rules: str,
        asked_if: _AskedIf = None,
        **details: Unpack[PickDetails],
    ) -> tuple[str, ...] | None:
        """Return the keys of the picked options, None if the choice is not asked."""
        before, path = self.state, self._path_if_asked(key, asked_if)
        if path is None:
            return None
        default = evaluated(details.get("default"), self.state)
        offered, gone = self._offered_still(evaluated(options, self.state), before)
        usual = None if default is None else tuple(option for option in default if option not in gone)
        least, most = details.get("minimum", 0), details.get("maximum")
        who, to, why = self._about(details)
        answer = self._answer(
            Pick(path, offered, usual, min(least, len(offered)) if gone else least, most, who, to, why)
        )
        if not isinstance(answer, PickAnswer):
            raise RulesBug(f"{path} is not answered with options")
        picked = once(answer.options)
        self.emit(Decided(path, ", ".join(picked), who, why, shown=self._labels(picked, offered)), *rules)
        return picked

    @overload
    def number(self, key: str, *rules: str, **details: Unpack[NumberDetails]) -> int: ...
    @overload
    def number(self, key: str, *rules: str, asked_if: _AskedIf, **details: Unpack[NumberDetails]) -> int | None: ...
    def number(self, key: str, *rules: str, asked_if: _AskedIf = None, **details: Unpack[NumberDetails]) -> int | None:
        """Return the number of the answer, None if it is not asked."""
        path = self._path_if_asked(key, asked_if)
        if path is None:
            return None
        default, least, most = details.get("default"), details.get("minimum"), details.get("maximum")
        who, to, why = self._about(details)
        answer = self._answer(Number(path, evaluated(default, self.state), least, most, who, to, why))
        if not isinstance(answer, NumberAnswer):
            raise RulesBug(f"{path} is not answered with a number")
        self.emit(Decided(path, str(answer.value), who, why), *rules)
        return answer.value

    def ruling(self, key: str, computed: Value) -> Value:
        """Return a computed value, or the GM's value that replaces it."""
        path = self._path + key
        if path not in self._overrides:
            return computed
        value = self._overrides[path]
        if not _alike(computed, value):
            raise impossible("bad_override", f"{key} is {computed!r}; {value!r} cannot stand in its place", at=path)
        self._overridden.add(path)
        self.emit(Overruled(path, computed, value))
        return value

    def run_interrupts(self, key: str) -> tuple[Response, ...]:
        """Perform the GM's interruptions before a request now, and return the response of each.

        Only for a step that changes the state before a request if it is still asked, or whose result depends on the
        responses. All other steps use `asked_if` and functions of the state.
        """
        return tuple(self._perform_interrupts(self._next_path(key)))

    def _path_if_asked(self, key: str, asked_if: _AskedIf) -> str | None:
        """Perform the GM's interruptions before a request, and return its path, None if it is no longer asked."""
        path = self._next_path(key)
        for _ in self._perform_interrupts(path):
            pass
        return path if asked_if is None or asked_if(self.state) else None

    def _answer(self, request: Request) -> Answer:
        """Return the answer to a request; raises NeedAnswer if it has none, and Refused if the answer does not fit."""
        key = request.key
        if key in self._seen:
            raise RulesBug(f"the request {key} is asked twice")
        self._seen.add(key)
        if len(self._seen) > MOST_REQUESTS:
            raise RulesBug(f"a step asks more than {MOST_REQUESTS} questions")
        answer = self._answers.get(key)
        if answer is None and self._source is not None:
            answer = self._source(request)
        if answer is None:
            self.unanswered = key
            raise NeedAnswer(request)
        if problem := request.problem(answer):
            raise impossible("bad_answer", problem, request.rule_against(answer), at=key)
        self.given[key] = answer
        return answer

    def _about(self, details: Details) -> tuple[Id | None, Asked, str]:
        """Return the combatant of a request, whether the GM or a player is asked, and why."""
        who, why = evaluated(details.get("who"), self.state), evaluated(details.get("why", ""), self.state)
        return who, details.get("to") or self._player_of(who), why

    def _offered_still(self, options: Options, before: State) -> tuple[tuple[Option, ...], tuple[Id, ...]]:
        """Return the options without the combatants that have left since `before`, and the ids of the latter."""
        offered = tuple([Option(option) if isinstance(option, str) else option for option in options])
        if before is self.state:
            return offered, ()
        gone = tuple([option.key for option in offered if option.key in before and option.key not in self.state])
        return tuple([option for option in offered if option.key not in gone]), gone

    def _labels(self, chosen: Sequence[str], options: Sequence[Option]) -> str | UnsetType:
        """Return the labels of the chosen options, unset if they only name combatants and sides or repeat the keys."""
        words = {option.key: option.shown for option in options}
        known = {*(side.id for side in self.state.sides), *(option.key for option in options if not option.label)}
        if all(key in known or key in self.state for key in chosen):
            return UNSET
        return ", ".join(words.get(key, key) for key in chosen)

    def _next_path(self, key: str) -> str:
        path = self._path + key
        if self._settling:  # `settle` may make the same request more than once in a step
            times = 2
            while path in self._seen:
                path = f"{self._path}{key}~{times}"
                times += 1
        return path

    def _player_of(self, who: Id | None) -> Asked:
        combatant = self.state.get(who)
        return "player" if combatant is not None and self.state.side(combatant.side).control == "players" else "gm"

    def scope(self, name: str, interruptible: bool = True) -> Scope:
        """Key the requests inside below `name`; without `interruptible`, the GM cannot interrupt before them."""
        return Scope(self, f"{self._path}{name}/" if name else self._path, interruptible)

    def _absolute(self, path: str) -> Scope:
        return Scope(self, f"{path}/")
