"""How a question is answered where no person is asked.

* Morale is checked whenever there is a new reason for it; the fight is not ended by a question.
* A power that turns a miss into a hit is used at the first chance, one against a hit by those in danger.
* Total Defense is taken against a hit by those in danger whom it saves, a Snap Attack at an enemy it may fell with a
  blow that is as likely to hit as not. The cautious make no Snap Attack, the ruthless take no Total Defense.
"""

from __future__ import annotations

from rulesets.without_number.numbers.situation import MODIFIERS
from rulesets.worlds_without_number.screen.policy import aims, threat
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import ActionSpec
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Answer, Choice, Chosen, Request, Responded, Window
from tracker.core.terms.tactics import Tactics

__all__ = ["reply"]

SNAP = MODIFIERS["snap_attack"]


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice) and request.key.rpartition("/")[2].startswith("morale:"):
        return Chosen("check")
    if isinstance(request, Window):
        for spec in request.offers:
            answer = None if spec.moot or spec.by is None else _response(state, request, spec, tactics)
            if answer is not None:
                return answer
    return None


def _response(state: State, window: Window, spec: ActionSpec, tactics: Tactics) -> Answer | None:
    who = str(spec.by)
    match spec.key:
        case "use":
            wanted = window.target != who or in_danger(state, who, window.actor)
        case "total_defense":
            wanted = tactics != "ruthless" and in_danger(state, who, window.actor)
        case "snap_attack":
            return None if tactics == "cautious" else _snap(state, who, str(window.actor))
        case _:
            wanted = False
    return Responded((act(spec.key, who, **dict(spec.fixed)),)) if wanted else None


def in_danger(state: State, who: Id, attacker: Id | None) -> bool:
    """Tell whether an average hit by an attacker could fell a combatant."""
    if attacker is None or attacker not in state or who not in state:
        return False
    return state[who].hp <= 2 * threat(state[attacker])


def _snap(state: State, who: Id, target: Id) -> Answer | None:
    """Return the Snap Attack that fells an enemy as likely as not, or None."""
    found = [aim for aim in aims(state, who, SNAP) if dict(aim.action.fields).get("target") == target]
    best = max(found, key=lambda aim: aim.taken, default=None)
    if best is None or best.taken < 0.75 * best.left:
        return None
    fields = {name: value for name, value in best.action.fields if name in ("target", "weapon", "in_melee")}
    return Responded((act("snap_attack", who, **fields),))
