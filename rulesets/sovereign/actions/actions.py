"""Every action of the game: offered, specified and performed from one table."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.actions import gm, waiting
from rulesets.sovereign.actions.care import items, skills
from rulesets.sovereign.actions.fighting import execution, opportunity, strikes, swarm
from rulesets.sovereign.actions.moving import drag, maneuvers, movement
from rulesets.sovereign.actions.payment import RULES
from tracker.core.game.action_types import ActionType
from tracker.core.terms.actions import ActionSpec

_TURN = (
    *strikes.ACTIONS,
    *movement.ACTIONS,
    *swarm.ACTIONS,
    *maneuvers.ACTIONS,
    *drag.ACTIONS,
    *skills.ACTIONS,
    *items.ACTIONS,
    *waiting.ACTIONS,
)


def _holdable(deed: ActionType) -> bool:
    """Tell whether a held turn may be spent on a deed."""
    return (deed.when == "turn" or deed.key in ("swarm_resolve", "other")) and deed.key not in ("hold", "charge")


def _shown(spec: ActionSpec) -> bool:
    """Tell whether an action is listed.

    The melee attack always is, others unless they make no sense here.
    """
    return spec.refusal is None or spec.refusal.forcible or spec.key == "attack_melee"


_HELD = {deed.key: deed for deed in _TURN if _holdable(deed)}

ACTIONS = replace(
    RULES,
    types=(*_TURN, *execution.ACTIONS, waiting.held_turn(_HELD), *opportunity.ACTIONS),
    gm=(*skills.GM, *gm.GM),
    shown=_shown,
)
