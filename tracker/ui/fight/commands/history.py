"""Commands of time: undo, looking back, correcting, branches and what-if."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import partial

from tracker.core.game.ruleset import Ruleset
from tracker.session.intents import LookAt, Redo, Undo, WhatIf
from tracker.session.model import Model
from tracker.ui.fight.controller import FightController
from tracker.ui.panes.log import LogPane
from tracker.ui.typing.entry import Entry
from tracker.ui.typing.mode import Result
from tracker.views.words.actions import step_words


def undo(controller: FightController) -> None:
    controller.answer_again()
    before = controller.model
    controller.apply(Result(None, (Undo(),)), partial(_moved, controller.session.ruleset, "taken back", before, before))


def redo(controller: FightController) -> None:
    controller.answer_again()
    note = partial(_moved, controller.session.ruleset, "done again", controller.model, None)
    controller.apply(Result(None, (Redo(),)), note)


def _moved(ruleset: Ruleset, what: str, before: Model, longer: Model | None, after: Model) -> str:
    """Return the note about the undone or redone step, the last of `longer`; "" if the open prompt already shows it."""
    longer = after if longer is None else longer
    if before.head == after.head or before.pending is not None or after.pending is not None:
        return ""
    record = next((record for record in reversed(longer.steps) if record.seq == longer.head), None)
    if record is None:
        return ""
    step = "the correction" if record.back is not None else step_words(ruleset, longer.state, record.entries)
    return f"{what}: {step}" if step else ""


def look(controller: FightController, by: int) -> None:
    model = controller.model
    if not model.steps:
        return
    steps = model.steps
    last = len(steps) - 1 if model.pending is None else len(steps)
    place = last if model.looking_at is None else bisect_left(steps, model.looking_at, key=lambda record: record.seq)
    there = max(0, place + by)
    controller.clear()
    controller.apply(Result(None, (LookAt(steps[there].seq if there < last else None),)))


def correct(controller: FightController) -> None:
    """Open the list of dice, decisions and actions to correct, at the input of the log line under the cursor."""
    from tracker.ui.modes.history.corrections import ChooseCorrection
    from tracker.ui.modes.history.inputs import recorded_inputs  # not needed for the first frame

    chosen = controller.panes.chosen
    model = controller.model
    controller.clear()
    step, key = chosen.chosen_given() if isinstance(chosen, LogPane) else (None, "")
    listed = recorded_inputs(model.state, model.steps, step)
    if step is not None and not any(given.step == step for given in listed):
        waits = "this step still waits for an answer: undo takes the last one back"
        controller.problem = waits if step < 0 else "nothing in this step was rolled, decided or chosen"
        controller.open(None)
        return
    of_step = [place for place, given in enumerate(listed) if step is None or given.step == step]
    exact: Sequence[int] = [place for place in of_step if key and listed[place].key == key]
    fitting = exact or [place for place in of_step if listed[place].key] or of_step
    controller.open(ChooseCorrection(listed, fitting[0] if fitting else 0))


def list_branches(controller: FightController, chosen: int = 1, naming: bool = False) -> None:
    from tracker.ui.modes.history.branches import BranchList  # not needed for the first frame

    present = controller.session.present()
    tips = ((present,) if present is not None else ()) + controller.session.branches()
    entry = Entry.of(tips[0].name) if naming and tips else None
    at = min(chosen, max(0, len(tips) - 1))
    controller.renew(BranchList(tips, at, entry))


def name_branch(controller: FightController) -> None:
    list_branches(controller, chosen=0, naming=True)


def what_if(controller: FightController) -> None:
    model = controller.model
    controller.clear()
    if model.trial is None or model.looking_at is not None:
        controller.apply(Result(None, (WhatIf("begin"),)))
    else:
        from tracker.ui.modes.history.branches import KeepOrDrop  # not needed for the first frame

        tried = len(model.steps) - bisect_left(model.steps, model.trial.first, key=lambda record: record.seq)
        controller.open(KeepOrDrop(controller.session.real_state(), model.state, tried))
