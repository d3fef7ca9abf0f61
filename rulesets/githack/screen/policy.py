"""What a combatant does where no person chooses for it."""

from __future__ import annotations

from rulesets.githack.acts.actions import form
from rulesets.githack.numbers import stats
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action
from tracker.core.terms.tactics import Tactics

__all__ = ["policy"]


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Choose plainly: attack the first who can be attacked, else pass."""
    spec = form(state, Action("attack", who))
    field = (
        spec.field("target" if stats.is_pc(state[who]) else "targets")
        if spec is not None and spec.refusal is None
        else None
    )
    option = next((option for option in field.options if option.refusal is None), None) if field is not None else None
    if field is None or option is None:
        return None
    return Action("attack", who).put(**{field.name: option.key if field.kind == "combatant" else (option.key,)})
