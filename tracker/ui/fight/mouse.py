"""The mouse over the action pane: a click puts the cursor of what is open on a line, a second one takes it; a click on somebody types their label."""

from __future__ import annotations

from typing import Any, cast

from msgspec.structs import replace

from tracker.core.fight.state import Id
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import Picker, Responses
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.lines.line import CommandLine
from tracker.ui.modes.lines.verbs import Command
from tracker.ui.modes.looking.lookups import Jump
from tracker.ui.typing.mode import Mode, Result, Scene, option_number

__all__ = ["name", "point"]


def point(scene: Scene, mode: Mode, row: str) -> Result | None:
    """Return what comes of a click on a row of the open mode; None: nothing."""
    if isinstance(mode, Form | Prompt):
        return mode.point(scene, row)
    number = option_number(row)
    if number is None or not hasattr(mode, "chosen"):
        return None
    if mode.chosen == number:
        return mode.press(scene, "enter", None)
    return Result(cast(Mode, replace(cast(Any, mode), chosen=number)))


def name(scene: Scene, mode: Mode, who: Id) -> Result | None:
    """Return what comes of a click on somebody while a mode is open: it is as if their label had been typed; None where no label is wanted."""
    person = scene.person(who)
    if person is None:
        return None
    if isinstance(mode, Prompt):
        request = scene.following.request if scene.following is not None else None
        options = [option.key for option in request.options] if request is not None else []
        return mode.point(scene, f"option:{options.index(who)}") if who in options else None
    if not isinstance(mode, Command | CommandLine | Picker | Responses | Jump | Form):
        return None
    typed = mode.entry.text if mode.entry is not None else ""
    result: Result | None = None
    for character in (" " if typed[-1:].isalpha() else "") + person.label:
        result = mode.press(scene, "space" if character == " " else character, character)
        if result is None or result.mode is None:
            break
        mode = result.mode
    return result
