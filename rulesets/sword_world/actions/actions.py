"""Every action of Sword World: the turn's, the procedure's and the game master's (6.1, 6.2)."""

from __future__ import annotations

from functools import partial

from rulesets.sword_world.actions import movement, procedure, referee, turns
from rulesets.sword_world.actions.attack import attack, attack_form
from rulesets.sword_world.actions.spells.cast import cast
from rulesets.sword_world.actions.spells.forms import cast_form
from rulesets.sword_world.actions.turns import begin, begun
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.errors import Refusal
from tracker.kit.actions import ActionTable


def _not_ending(state: State, action: Action) -> Refusal | None:
    """Refuse to end a turn that is not open, even by force."""
    refusal = turns.not_open(state, action)
    return None if refusal is None else Refusal(refusal.reason, refusal.text, refusal.rule, forcible=False)


_turn = partial(ActionType, when="any", group="turn")
_free = partial(ActionType, cost="free", group="free")

ACTIONS = ActionTable(
    (
        _turn("start_turn", "Start the turn", "SW-065", perform=turns.start_turn, refusal=turns.not_startable),
        ActionType("attack", "Attack", perform=attack, form=attack_form),
        ActionType("cast", "Cast a spell", perform=cast, form=cast_form),
        *movement.ACTIONS,
        _free("stand_up", "Stand up", "SW-060", perform=turns.stand_up, refusal=turns.not_prone),
        _free(
            "change_weapon",
            "Change weapons",
            "SW-062",
            perform=turns.change_weapon,
            fields=turns.change_fields,
            refusal=turns.no_change,
        ),
        ActionType(
            "other_action",
            "Do something else",
            "SW-052",
            "standard",
            perform=referee.other_action,
            fields=turns.other_fields,
            refusal=turns.no_other,
            group="standard",
        ),
        _turn("end_turn", "End the turn", "SW-037", perform=turns.end_turn, refusal=_not_ending),
    ),
    gm=(*procedure.ACTIONS, *referee.ACTIONS, procedure.END_FIGHT),
    unable=lambda state, who: None,
    untimely=turns.untimely,
    pay=begin,
    shown=lambda spec: True,
)
"""What can be done: a new action is a row here."""


def form(state: State, action: Action) -> ActionSpec | None:
    return ACTIONS.form(_judged(state, action), action)


def _judged(state: State, action: Action) -> State:
    found = next((kind for kind in ACTIONS.types if kind.key == action.key), None)
    return state if found is None or found.when == "any" or action.by is None else begun(state, action.by)


def actions(state: State, who: Id | None) -> tuple[ActionSpec, ...]:
    """Return everything on offer, legal and refused.

    Steps of the procedure are listed at their moment alone, the start of a turn only while it is not open, and last.
    """
    if who is None:
        return tuple(spec for spec in ACTIONS.actions(state, who) if _belongs(state, spec))
    found = ACTIONS.actions(begun(state, who), who)
    now = tuple((form(state, Action(spec.key, who)) or spec) if spec.group == "turn" else spec for spec in found)
    return tuple(sorted((spec for spec in now if _belongs(state, spec)), key=lambda spec: spec.key == "start_turn"))


def _belongs(state: State, spec: ActionSpec) -> bool:
    if spec.by is not None:
        return spec.key != "start_turn" or not stats.turn_of(state, spec.by)
    return spec.group != "procedure" or spec.refusal is None or spec.refusal.forcible
