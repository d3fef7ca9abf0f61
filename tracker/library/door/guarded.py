"""Rulesets behind the door.

Each call ends in time, and fails with one kind of error.

1. A call that a step makes, one with a `Ctx`, belongs to the step, which has a time of its own; the app gives its steps
   the bare ruleset.
2. Any other call has `DRAWING` seconds, one that reads files or prints `READING`. The first may load modules.
3. What a call raises, of whatever kind, that it does not end, and an answer that is none is a `Slip`. For the same
   state and arguments the function is not called again: it fails at once, in the same words.
4. A function that was stopped is not called for a while once much time was lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import islice
from threading import get_ident
from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.game.meanings import Meanings
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.step.ctx import Ctx
from tracker.core.terms.errors import BadData, Refused
from tracker.core.terms.rulebook import RuleBook
from tracker.library.door.alarm import TICK, Call, Endless, calls, leave, mark_door, timer, told_to_stop, within
from tracker.library.door.answers import promise_of, wrong_at, wrong_in
from tracker.library.slips import Slip, forget_earlier, place_of, place_of_function, slip_line

__all__ = ["DRAWING", "READING", "Behind", "bare", "door", "guarded", "slip_of"]

DRAWING, FIRST, READING = 0.05, 0.3, 1.0
"""Seconds of computing for a call: in a drawing, the first one there, and for files."""
LOST, WHILE = 0.4, 5.0
"""So many seconds lost in so long a while are enough."""
ALLOWED: Mapping[str, type[Exception]] = {"shorthand": ValueError, "importer": ValueError, "source": BadData}
"""What a function may raise as its answer."""

MOST_FLAWS = 3

_T = TypeVar("_T")
_S = TypeVar("_S", bound=Struct)
_Function = Callable[..., object]


def guarded(ruleset: Ruleset) -> Ruleset:
    """Return a ruleset behind the door.

    One that is there already is returned as it is.

    Raises:
        Slip: where a member is not what it should be.
    """
    if "bare" in ruleset.__dict__:
        return ruleset
    found = ruleset.__dict__.get("guarded")
    if found is None:
        if flaws := tuple(islice(wrong_at(ruleset), MOST_FLAWS)):
            raise Slip(f"the ruleset {str(ruleset.key)[:40]} cannot be used: {'; '.join(flaws)}")
        lost = _Lost()
        found = _behind(ruleset, "", lost)
        found.__dict__["bare"] = ruleset
        ruleset.__dict__["guarded"] = found
    return cast(Ruleset, found)


def bare(ruleset: Ruleset) -> Ruleset:
    """Return the ruleset that is behind the door."""
    return cast(Ruleset, ruleset.__dict__.get("bare", ruleset))


def door(
    what: str,
    function: Callable[..., _T],
    *arguments: object,
    seconds: float = READING,
    lets: tuple[type[Exception], ...] = (ValueError, TypeError),
) -> _T:
    """Call code of a ruleset that is no member of it.

    That is its module, or a stat block.

    Raises:
        Slip: where it fails or does not end.
        ValueError, TypeError: and whatever else is let through, as to a reader of files these are answers.
    """
    try:
        return within(Call(seconds), function, *arguments)
    except BaseException as error:
        forget_earlier(error)
        if isinstance(error, lets) or told_to_stop(error):
            raise
        raise slip_of(error, what, seconds) from error


def slip_of(error: BaseException, what: str, seconds: float) -> Slip:
    """Return what went wrong in a call as an error of one kind."""
    if isinstance(error, Slip):
        return error
    if isinstance(error, Endless):
        place = place_of(error)
        return Slip(f"{what} did not end within {seconds:g} seconds{f' ({place})' if place else ''}")
    return Slip(slip_line(error))


class Behind:
    """An attribute that holds a ruleset, and puts each it is given behind the door."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, instance: object, owner: type) -> Ruleset:
        return cast(Ruleset, getattr(instance, self._name))

    def __set__(self, instance: object, ruleset: Ruleset) -> None:
        setattr(instance, self._name, guarded(ruleset))


class _Lost:
    """The time that functions of one ruleset have lost of late."""

    def __init__(self) -> None:
        self._seconds, self._since = 0.0, 0.0

    def add(self, seconds: float) -> None:
        now = time.monotonic()
        self._seconds = seconds + (self._seconds if now - self._since < WHILE else 0.0)
        self._since = now

    @property
    def any(self) -> bool:
        return self._seconds > 0 and time.monotonic() - self._since < WHILE

    @property
    def much(self) -> bool:
        return self._seconds >= LOST and self.any


class _Memory:
    """What a function has failed at.

    Attributes:
        slip: how it failed last; None: it never did.
        seconds: how long the next call may compute.
    """

    def __init__(self, function: _Function, what: str, seconds: float, lost: _Lost) -> None:
        self.function, self.what, self._usual, self._lost = function, what, seconds, lost
        self.slip: Slip | None = None
        self.seconds = max(FIRST, seconds)
        self._of: object = None
        self._failed: dict[object, Slip] = {}
        self._stopped = False

    def known(self, arguments: tuple[object, ...]) -> Slip | None:
        """Return how a call with these arguments has failed, if it has."""
        if self._stopped and self._lost.much:
            return self.slip
        if self._failed and (not arguments or arguments[0] is self._of):
            return self._failed.get(_key(arguments))
        return None

    def wrong(self, flaw: str, arguments: tuple[object, ...]) -> Slip:
        """Return the error for an answer that is none."""
        place = place_of_function(self.function)
        return self._keep(Slip(f"{self.what} gives {flaw}{f' ({place})' if place else ''}"), arguments)

    def failed(self, error: BaseException, arguments: tuple[object, ...]) -> Slip:
        """Return the error for a call that has failed."""
        if isinstance(error, Endless):
            self._stopped = True
            self._lost.add(max(self.seconds, 0 if error.call is None else error.call.ticks * TICK))
        slip = slip_of(error, self.what, self.seconds)
        slip.__cause__ = error
        return self._keep(slip, arguments)

    def _keep(self, slip: Slip, arguments: tuple[object, ...]) -> Slip:
        self.seconds, self.slip = self._usual, slip
        about = arguments[0] if arguments else None
        if about is not self._of:
            self._of, self._failed = about, {}
        if (key := _key(arguments)) is not None:
            self._failed[key] = slip
        return slip

    def begun(self) -> float:
        """Return how long the call may compute that begins now."""
        if self._lost.any:
            self.seconds = self._usual
        return self.seconds


def _key(arguments: tuple[object, ...]) -> object:
    """Return what stands for a call beside its first argument.

    None where it cannot be remembered.
    """
    try:
        hash(arguments[1:])
    except BaseException:  # noqa: BLE001 - values of a ruleset may not have a hash
        return None
    return arguments[1:]


def _through(owner: type, name: str, what: str, function: _Function, lost: _Lost) -> _Function:
    """Return a function behind the door."""
    reads = owner in (Schema, Meanings, RuleBook)
    usual = READING if reads else DRAWING
    memory = _Memory(function, what, usual, lost)
    wrong, allowed = wrong_in(owner, promise_of(owner, name)), ALLOWED.get(name, Refused)

    def through(*arguments: object) -> object:
        thread = get_ident()
        if thread in calls or (arguments and isinstance(arguments[0], Ctx)):
            return function(*arguments)
        if memory.slip is not None and (slip := memory.known(arguments)) is not None:
            raise slip.with_traceback(None)
        seconds = usual if memory.seconds == usual else memory.begun()
        calls[thread] = call = Call(seconds, arguments[0] if arguments else None)
        if not timer.runs:
            timer.start()
        try:
            answer = function(*arguments)
        except BaseException as error:
            leave(thread, call)
            forget_earlier(error)
            if isinstance(error, allowed) or told_to_stop(error):
                raise
            raise memory.failed(error, arguments) from error
        del calls[thread]
        if call.rung:
            leave(thread, call)
        if flaw := wrong(answer):
            raise memory.wrong(flaw, arguments)
        if memory.seconds != usual:
            memory.seconds = usual
        return _behind(answer, f"{what}.", lost) if isinstance(answer, Meanings) else answer

    mark_door(through)
    return through


def _behind(record: _S, path: str, lost: _Lost) -> _S:
    """Return a record with its functions behind the door.

    Those of its own records are too.
    """
    owner, changed = type(record), dict[str, object]()
    own = owner.__struct_defaults__
    for name in owner.__struct_fields__:
        value = getattr(record, name)
        if isinstance(value, Schema):
            changed[name] = _behind(value, path, lost)
        elif isinstance(value, RuleBook):
            changed[name] = _behind(value, f"{path}{name}.", lost)
        elif isinstance(value, tuple) and value and isinstance(value[0], Struct):
            changed[name] = tuple(_row(row, f"{path}{name}", lost) for row in value)
        elif promise_of(owner, name) and callable(value) and not any(value is usual for usual in own):
            changed[name] = _through(owner, name, f"{path}{name}", value, lost)
    return replace(record, **{name: value for name, value in changed.items() if value is not getattr(record, name)})


def _row(row: object, path: str, lost: _Lost) -> object:
    if not isinstance(row, Struct):
        return row
    owner = type(row)
    functions = [name for name in owner.__struct_fields__ if promise_of(owner, name) and callable(getattr(row, name))]
    called = getattr(row, "key", "") or getattr(row, "name", "")
    changed = {name: _through(owner, name, f"{path} {called}: {name}", getattr(row, name), lost) for name in functions}
    return replace(row, **changed) if changed else row
