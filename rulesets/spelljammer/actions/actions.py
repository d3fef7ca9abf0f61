"""Every action of the percentile game: declarations, due acts, the GM's (section 6)."""

from __future__ import annotations

from functools import partial

from rulesets.spelljammer.actions import pending_acts
from rulesets.spelljammer.actions.by_hand import DRIVE_BACK, GM_ACTIONS
from rulesets.spelljammer.order import declare
from rulesets.spelljammer.stats import costs, stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import Refusal
from tracker.kit import refusals
from tracker.kit.actions import ActionTable


def _untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
    """Return why an action cannot be done now.

    `when` is the kind of act it resolves, or `declaration`, or `any`.
    """
    if kind.when == "declaration":
        return costs.too_late(state)
    if state.clock.over:
        return refusals.fight_over(state)
    return None if kind.when == "any" else pending_acts.not_current(state, str(action.by), kind.when)


def _other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("text", "text", "in words"),)


def _casts(state: State, who: Id) -> bool:
    return bool(stats.block(state, who).spells)


_act = partial(ActionType, group="act")

ACTIONS = ActionTable(
    (
        ActionType("declare", "Declare", when="declaration", perform=declare.declare, form=declare.form),
        ActionType(
            "cast", "Cast a spell", when="declaration", perform=declare.declare, form=declare.form, available_to=_casts
        ),
        _act(
            "attack",
            "Attack",
            "SJ-032",
            when="attack",
            perform=pending_acts.resolving("attack", pending_acts.attack),
            fields=pending_acts.due_fields,
        ),
        _act(
            "begin_spell",
            "Begin the spell",
            "SJ-062",
            when="spell",
            perform=pending_acts.resolving("spell", pending_acts.spell),
        ),
        _act(
            "other_act",
            "Other act",
            "SJ-004",
            when="other",
            perform=pending_acts.resolving("other", pending_acts.other_act),
            fields=_other_fields,
        ),
        DRIVE_BACK,
    ),
    gm=GM_ACTIONS,
    unable=lambda state, who: None,
    untimely=_untimely,
    shown=lambda spec: True,
)
"""What can be done: a new action is a row here."""
