"""What is asked: how a fight will end, what a what-if or an action changes."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Step
from tracker.core.terms.actions import Action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.tactics import TACTICS
from tracker.forecast.beginning import Beginning, root_of
from tracker.forecast.muster import Sweep, swept
from tracker.forecast.rows import cast_of
from tracker.library.guard import bare
from tracker.session.session import Session
from tracker.ui.modes.forecast.asking import Asked
from tracker.ui.typing.mode import Scene
from tracker.ui.typing.parser import value_of
from tracker.views.panes.header import moment_words
from tracker.views.words.text import clean
from tracker.views.words.values import field_words

__all__ = ["of_action", "of_encounter", "of_fight", "of_state", "of_sweep", "told_of"]

USUAL = TACTICS[0]


def of_fight(session: Session) -> Asked:
    """Return what is asked of the fight that is shown.

    A what-if is asked against the real fight.
    """
    model = session.model
    if model.trial is None or model.looking_at is not None:
        return replace(_by_tactics(session.ruleset, _here(session), model.state), about=model.state)
    real = session.state_at(model.trial.step)
    root = root_of(bare(session.ruleset), real)
    lanes = (("real", Beginning(session.ruleset.key, real, root=root)), ("what-if", replace(_here(session), root=root)))
    return Asked("compared", lanes, cast_of(session.ruleset, real), _moment(model.state), model.state)


def of_state(ruleset: Ruleset, state: State) -> Asked:
    """Return what is asked of a fight in the journal, as it stands."""
    return _by_tactics(ruleset, Beginning(ruleset.key, state, root=root_of(bare(ruleset), state)), state)


def of_encounter(ruleset: Ruleset, encounter: Encounter) -> Asked:
    """Return what is asked of a fight that has not begun."""
    return _by_tactics(ruleset, Beginning(ruleset.key, encounter), encounter)


def of_sweep(ruleset: Ruleset, encounter: Encounter, sweep: Sweep) -> Asked:
    """Return what is asked of each number of a member.

    Raises:
        TrackerError: where the encounter has no such member.
    """
    lanes = tuple((f"{many} {sweep.name}", Beginning(ruleset.key, one)) for many, one in swept(encounter, sweep))
    return Asked("sweep", lanes, cast_of(ruleset, encounter), about=encounter)


def of_action(session: Session, action: Action) -> Asked:
    """Return what is asked of an action.

    It stands against the one that the forecast would choose, with the same dice.
    """
    state, ruleset = session.model.state, session.ruleset
    here = replace(_here(session), root=root_of(bare(ruleset), state))
    usual = usual_action(ruleset, state, action)
    one = here if usual is None else replace(here, step=Step("do", (usual,)))
    lanes = (("the usual one", one), ("this action", replace(here, step=Step("do", (action,)))))
    return Asked("compared", lanes, cast_of(ruleset, state), _moment(state), state)


def usual_action(ruleset: Ruleset, state: State, action: Action) -> Action | None:
    """Return what the forecast would choose for the one who acts, or None."""
    return None if action.by is None else ruleset.policy(state, action.by, USUAL)


def told_of(scene: Scene, action: Action) -> tuple[str, ...]:
    """Return what an action and the usual one are, in a line each."""
    usual = usual_action(scene.ruleset, scene.model.state, action)
    name = clean(scene.model.state.name(action.by)) if action.by is not None else ""
    this = f"{name} · this action: {_action_words(scene, action)}"
    if usual == action:
        return (f"{this}; it is the usual one",)
    words = "nothing in particular" if usual is None else _action_words(scene, usual)
    return (this, f"{name} · the usual one: {words}")


def _action_words(scene: Scene, action: Action) -> str:
    """Return an action with what stands in its form: `Attack g Goblin 2, bow`."""
    spec = scene.form(action)
    told = [
        words
        for field in spec.fields
        if field.required or field.name == "weapon" or action.get(field.name) is not None
        if (words := field_words(scene.model.state, field, value_of(field, action)))
    ]
    return clean(f"{spec.label} {', '.join(told)}" if told else spec.label)


def _here(session: Session) -> Beginning:
    """Return the fight as it is shown.

    A step that waits for an answer comes first.
    """
    model, key = session.model, session.ruleset.key
    if model.pending is None or model.pending_step is None or model.looking_at is not None:
        return Beginning(key, model.state, root=root_of(bare(session.ruleset), model.state))
    before = session.state_at(model.head)
    root = root_of(bare(session.ruleset), before)
    return Beginning(key, before, step=model.pending_step, answers=model.pending.answers, root=root)


def _by_tactics(ruleset: Ruleset, beginning: Beginning, start: Encounter | State) -> Asked:
    """Return the question by each tactics, the usual one first."""
    lanes = tuple((tactics, replace(beginning, usual=tactics)) for tactics in TACTICS)
    return Asked("range", lanes, cast_of(ruleset, start), _moment(start), start)


def _moment(start: Encounter | State) -> str:
    return clean(moment_words(start)) if isinstance(start, State) else ""
