"""The mouse: one click selects, a second click opens; in an open mode a click on a combatant types its label."""

from __future__ import annotations

from tracker.core.fight.slots import Id
from tracker.ui.fight.commands import turns
from tracker.ui.fight.controller import FightController
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.panes.pane import FightPane
from tracker.ui.panes.roster import RosterPane
from tracker.ui.typing.mode import InputMode, Mode, ModeContext, Result
from tracker.ui.widgets.lines import RowsWidget


def click(controller: FightController, event: RowsWidget.Chosen) -> None:
    panes, pane = controller.panes, event.pane
    if pane in (panes.console, panes.over):
        _click_action(controller, event.key)
        return
    who = event.key.partition("#")[2] or event.key
    here = who in controller.model.state
    if controller.mode is not None and here:
        named = _name(controller.context, controller.mode, who)
        if named is not None:
            controller.apply(named)
            return
    again = False
    if isinstance(pane, FightPane):
        before = panes.chosen
        if pane.number and pane is not before:
            panes.choose(pane)
            panes.focus(controller.mode is not None)
        again = pane.point(event, pane is before)
    if here:
        again = again and controller.selected == who
        controller.select(who)
    if controller.mode is None:
        controller.open(None)
        if again:
            turns.answer(controller)


def _click_action(controller: FightController, row: str) -> None:
    scene = controller.context
    if controller.mode is not None:
        result = controller.mode.point(scene, row)
        if result is not None:
            controller.apply(result)
    elif scene.model.pending is not None:
        turns.answer(controller)
    elif row.startswith("action:"):
        clock = scene.model.state.clock
        over = clock.over and clock.current is None
        controller.renew(Picker(None if over else scene.active).on(scene, row.removeprefix("action:")))
    elif row == "owed":
        turns.remind(controller)
    elif row == "who":
        turns.act(controller)


def turn_wheel(controller: FightController, event: RowsWidget.Scrolled) -> None:
    if isinstance(event.pane, RosterPane):
        controller.select(event.pane.go(event.by))
    elif event.pane is controller.panes.over and (mode := controller.mode) is not None:
        for _ in range(abs(event.by)):
            result = mode.press(controller.context, "down" if event.by > 0 else "up", None)
            mode = result.mode if result is not None and result.mode is not None else mode
        controller.open(mode)
    else:
        event.pane.move(event.by)


def _name(scene: ModeContext, mode: Mode, who: Id) -> Result | None:
    """Return the result of typing the label of a clicked combatant, if the mode takes labels."""
    person = scene.model.state.get(who)
    if person is None:
        return None
    if isinstance(mode, Prompt):
        request = scene.following.request if scene.following is not None else None
        options = [option.key for option in request.options] if request is not None else []
        return mode.point(scene, f"option:{options.index(who)}") if who in options else None
    if not mode.takes_labels:
        return None
    result: Result | None = None
    entry = mode.entry if isinstance(mode, InputMode | Form) else None
    for character in (" " if entry is not None and entry.text[-1:].isalpha() else "") + person.label:
        result = mode.press(scene, "space" if character == " " else character, character)
        if result is None or result.mode is None:
            break
        mode = result.mode
    return result
