"""What a combatant does where no person chooses for it."""

from __future__ import annotations

from rulesets.sword_world.acts.actions import DEEDS
from rulesets.sword_world.numbers import stats
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action, ActionSpec, Field, action
from tracker.core.terms.tactics import Tactics

__all__ = ["policy"]


def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
    """Choose plainly: start the turn, attack, get into a brawl, else nothing."""
    if not stats.turn_of(state, who):
        return Action("start_turn", who) if who in stats.eligible(state) else None
    for key in ("attack", "cast"):
        wanted = _possible(state, Action(key, who))
        if wanted is not None:
            return wanted
    if state[who].left("standard") > 0:
        for key in ("declare_brawl", "join_brawl"):
            wanted = _possible(state, Action(key, who))
            if wanted is not None:
                return wanted
    return _closer(state, who)


def _closer(state: State, who: Id) -> Action | None:
    """Return the movement towards the nearest enemy, or None."""
    here, own = state[who].position, stats.camp_of(state, who)
    enemies = [one for one in state.combatants if stats.able(state, one.id) and stats.camp_of(state, one.id) != own]
    spots = sorted((abs(one.position[0] - here[0]), one.position[0]) for one in enemies if here and one.position)
    if not here or not spots or spots[0][0] <= 0:
        return None
    away, spot = spots[0]
    for kind in ("normal", "full"):
        limit = stats.move_limit(state, who, kind)
        if away <= limit or kind == "full":
            metres = min(away, limit)
            to = spot if away <= limit else here[0] + (metres if spot > here[0] else -metres)
            spec = DEEDS.form(state, wanted := action("move", who, kind=kind, metres=metres, to=to))
            return wanted if spec is not None and spec.refusal is None and metres else None
    return None


def _possible(state: State, wanted: Action) -> Action | None:
    """Return an action with its form's defaults if it is legal and meets an enemy."""
    spec = DEEDS.form(state, wanted)
    if spec is None or spec.refusal is not None or (spec.key == "cast" and spec.cost == "free"):
        return None
    own = stats.camp_of(state, str(wanted.by))
    for field in spec.fields:
        if not _sound(state, spec, field, own):
            return None
    return wanted


def _sound(state: State, spec: ActionSpec, field: Field, own: str) -> bool:
    """Tell whether a field's default will do, and names neither friends nor the fallen."""
    if field.required and field.default in (None, ()):
        return False
    named = field.default if isinstance(field.default, tuple) else (field.default,)
    for value in named:
        option = next((option for option in field.options if option.key == value), None)
        if option is not None and option.refusal is not None:
            return False
        if (
            field.name in ("target", "targets", "enemy")
            and isinstance(value, str)
            and (stats.camp_of(state, value) == own or not stats.able(state, value))
        ):
            return False
    return True
