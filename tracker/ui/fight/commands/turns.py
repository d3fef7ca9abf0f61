"""Commands of the turn: answer, act, next, and the lines of the GM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from tracker.core.game.ruleset import open_reminders
from tracker.core.game.schema import Reminder
from tracker.core.terms.actions import Action
from tracker.session.intents import Advance, Branch, Do
from tracker.ui.fight.controller import FightController
from tracker.ui.keys.command import Call
from tracker.ui.modes.acting.action_form import Form
from tracker.ui.modes.acting.gm_command import GmCommandMode
from tracker.ui.modes.acting.idle import AT_ONCE, ends_spent_turn, needs_form, reminder_key, shown_first
from tracker.ui.modes.acting.picker import Picker
from tracker.ui.modes.acting.prompt import Prompt
from tracker.ui.modes.search.lookups import Jump, ReminderMode
from tracker.ui.panes.map_pane import MapPane
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Mode, ModeContext, Result

if TYPE_CHECKING:
    from tracker.library.content.effect_presets import EffectPreset

ON_AREAS = ("damage", "heal", "effect", "status")
"""Commands of the GM that begin with the labels of the combatants in the area on the map."""


MOST_EMPTY = 3
"""Most empty phases that one key skips."""


def answer(controller: FightController) -> None:
    """Go on from the past, open the prompt of the pending question, or open the line under the cursor."""
    model = controller.model
    if model.looking_at is not None:
        controller.answer_again()
        controller.apply(Result(None, (Branch(model.looking_at),)))
    elif model.pending is not None:
        controller.answer_again()
        controller.open(Prompt())
    elif (result := controller.panes.chosen.open(controller.context)) is not None:
        controller.apply(result)


def act(controller: FightController) -> None:
    scene = controller.context
    controller.renew(Picker(scene.selected if scene.selected is not None else scene.active))


def open_sheet(controller: FightController) -> None:
    """Open the sheet of the acting side or of the due acts; if no combatant is left to act, advance first."""
    model = controller.model
    if model.looking_at is not None:
        controller.say(problem="this is the past: come back to now first")
        return
    if model.pending is not None:
        controller.answer_again()
        controller.open(Prompt())
        return
    sheet = _sheet(controller.context)
    if sheet is None:
        advance(controller)
        if isinstance(controller.mode, ReminderMode):
            controller.renew(replace(controller.mode, then=Call("sheet")))
        if controller.model.pending is not None:
            controller.follow_with_sheet()
        if not _rests(controller):
            return
        sheet = _sheet(controller.context)
    if sheet is not None:
        controller.renew(sheet)


def _sheet(scene: ModeContext) -> Mode | None:
    """Return the sheet to open now, or None if no combatant is left to act; in a decided fight one must have a plan."""
    from tracker.ui.modes.acting.batch import ActBatch, TurnBatch, act_due  # not needed for the first frame

    if act_due(scene.ruleset, scene.model.state) is not None:
        return ActBatch()
    sheet = TurnBatch.open(scene)
    if scene.ruleset.finished(scene.model.state) is not None:
        sheet = sheet.filled(scene)
        return sheet if any(line.action is not None for line in sheet.lines) else None
    return sheet if sheet.to_come or sheet.lines else None


def advance(controller: FightController) -> None:
    """Advance the fight, unless a question is open, a reminder would lapse, or many reminders are new."""
    model = controller.model
    if model.pending is not None:
        answer(controller)
        return
    missed = _missed(controller)
    keys = [reminder_key(reminder, model.state.clock) for reminder in missed]
    fresh = [reminder for reminder, key in zip(missed, keys, strict=True) if key not in controller.reminded]
    controller.note_reminded(keys)
    if any(reminder.lapses for reminder in fresh) or len(fresh) > AT_ONCE:
        controller.renew(ReminderMode(tuple(reminder for reminder in missed if reminder.lapses or reminder in fresh)))
    elif (form := _to_fill_in(controller.context)) is not None:
        controller.renew(form)
    else:
        controller.clear()
        declared = _declared(controller.context)
        ends = ends_spent_turn(controller.session.ruleset, model.state)
        controller.apply(Result(None, (Do(declared) if declared else Advance(),)))
        if ends and controller.model.state.clock.at == model.state.clock.at and _rests(controller):
            advance(controller)
        elif not declared:
            go_on(controller)


def go_on(controller: FightController) -> None:
    """Skip the phases between two turns in which nothing can be done, decided or missed."""
    for _ in range(MOST_EMPTY):
        if not _is_empty(controller):
            return
        controller.apply(Result(None, (Advance(),)))


def _is_empty(controller: FightController) -> bool:
    """Tell whether the current phase can be skipped: no combatant can act and no reminder is new."""
    model = controller.model
    slot, due = model.state.clock.current, controller.session.ruleset.advance(model.state)
    if (
        not _rests(controller)
        or slot is None
        or slot.turns != "none"
        or due is None
        or due.by is not None
        or due.fields
    ):
        return False
    scene = controller.context
    if model.state.clock.over or scene.ruleset.finished(model.state) is not None or needs_form(scene.spec(due)):
        return False
    return all(reminder_key(one, model.state.clock) in controller.reminded for one in _missed(controller)) and not any(
        spec.refusal is None for person in model.state.combatants for spec in scene.offers(person.id, generic=False)
    )


def _rests(controller: FightController) -> bool:
    """Tell whether no question, refusal, problem or mode is open."""
    model = controller.model
    return model.pending is None and model.refusal is None and not model.problem and controller.mode is None


def _declared(scene: ModeContext) -> tuple[Action, ...]:
    slot = scene.model.state.clock.current
    if slot is None or slot.turns != "none":
        return ()
    from tracker.ui.modes.acting.default_actions import default_declarations  # not needed for the first frame

    return default_declarations(scene)


def _to_fill_in(scene: ModeContext) -> Form | None:
    due = scene.ruleset.advance(scene.model.state)
    if due is None or due.by is not None:
        return None
    spec = scene.spec(due)
    return Form.open(spec, due) if any(field.page for field in spec.fields) else None


def remind(controller: FightController) -> None:
    model = controller.model
    missed = _missed(controller)
    if model.pending is not None:
        answer(controller)
    elif missed:
        controller.renew(ReminderMode(missed))
    else:
        controller.say(note="nothing has been missed")


def _missed(controller: FightController) -> tuple[Reminder, ...]:
    """Return the open reminders in the order of the action pane."""
    state = controller.model.state
    return shown_first(open_reminders(controller.session.ruleset, state), controller.reminded, state.clock)


def jump(controller: FightController) -> None:
    controller.renew(Jump())


def type_verb(controller: FightController, name: str) -> None:
    """Begin a command of the GM; if an area is on the map, the line begins with the labels of its combatants."""
    pane = controller.panes.chosen
    labels = pane.labels() if name in ON_AREAS and isinstance(pane, MapPane) else ""
    controller.renew(GmCommandMode(name, entry=Entry.of(f"{labels} " if labels else "")))


def type_line(controller: FightController) -> None:
    from tracker.ui.modes.acting.command_line import CommandLine  # not needed for the first frame

    controller.renew(CommandLine())


def repeat(controller: FightController) -> None:
    last, scene = controller.last, controller.context
    if last is not None and last.by is not None and scene.active is not None:
        last = replace(last, by=scene.active)
    controller.clear()
    if last is None:
        controller.problem = "there is nothing to do again yet"
        controller.open(None)
    else:
        controller.open(GmCommandMode("repeat", again=last))


def keep_effect(controller: FightController, effect: EffectPreset) -> None:
    controller.say(problem=controller.presets.keep(effect))
