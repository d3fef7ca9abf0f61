"""Places in the code of a ruleset: `actions.py:31 in perform`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import unwrap
from pathlib import Path
from types import FrameType

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action, ActionSpec
from tracker.kit.actions import ActionTable

PROGRAM = "tracker"


def place_of_function(function: Callable[..., object]) -> str:
    """Return where a function is defined, or "" where it is the program's."""
    found = unwrap(getattr(function, "__func__", function))
    code = getattr(found, "__code__", None)
    if code is None or str(getattr(found, "__module__", "")).partition(".")[0] == PROGRAM:
        return ""
    return f"{Path(code.co_filename).name}:{code.co_firstlineno} in {code.co_name}"


def place_of_offer(ruleset: Ruleset, spec: ActionSpec) -> str:
    """Return where an action of a ruleset is described.

    Its own functions, or the ruleset's form.
    """
    table = getattr(ruleset.form, "__self__", None)
    kind = table.find(Action(spec.key, spec.by)) if isinstance(table, ActionTable) else None
    functions = (ruleset.form,) if kind is None else (kind.form, kind.fields, kind.refusal, kind.perform)
    return next(filter(None, (place_of_function(function) for function in functions if function is not None)), "")


def place_of_call(
    work: Callable[[], object], function: Callable[..., object], wanted: Callable[[dict[str, object]], bool]
) -> str:
    """Do some work, and return the ruleset's line that led to the first wanted call."""
    code, places = function.__code__, list[str]()

    def watch(frame: FrameType, what: str, _: object) -> None:
        if what == "call" and frame.f_code is code and not places and wanted(frame.f_locals):
            places.append(_caller(frame))

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return places[0] if places else ""


def _caller(frame: FrameType | None) -> str:
    """Return the innermost line outside the program and the standard library."""
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package != PROGRAM and package not in sys.stdlib_module_names:
            return f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""
