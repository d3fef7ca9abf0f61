"""How a question is answered where no person is asked.

* Creatures and groups whose Morale is asked about retreat when their enemies have more points left than their own
  side, the ruthless never.
* Veteran's Luck turns a miss into a hit at the first chance, a hit into a miss for those in danger.
* Total Defense is taken against a hit by those in danger whom it saves, a Snap Attack at an enemy it may fell with a
  blow that is as likely to hit as not. The cautious make no Snap Attack, the ruthless take no Total Defense.
* What is left of a held turn, screens, Attacks of Opportunity: as usual, that is, they are made.
"""

from __future__ import annotations

from rulesets.sovereign.numbers.stats import enemies
from rulesets.sovereign.screen.policy_aims import aims, threat
from rulesets.without_number.numbers.situation import MODIFIERS
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import ActionSpec
from tracker.core.terms.actions import action as act
from tracker.core.terms.requests import Answer, Choice, Chosen, Request, Responded, Window
from tracker.core.terms.tactics import Tactics

__all__ = ["reply"]


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice):
        _, _, asked = request.key.rpartition("/")[2].partition("morale:")
        return None if not asked or tactics == "ruthless" else Chosen(_morale(state, asked.partition("~")[0]))
    if isinstance(request, Window):
        for spec in request.offers:
            answer = None if spec.moot or spec.by is None else _response(state, request, spec, tactics)
            if answer is not None:
                return answer
    return None


def _morale(state: State, asked: str) -> str:
    """Return what a creature or a group does, by the points both sides have left."""
    who = asked if asked in state else _member(state, asked.removeprefix("group:"))
    if who is None:
        return "fight_on"
    against = enemies(state, who)
    ours = sum(one.hp for one in state.combatants if one.status == "up" and one not in against)
    theirs = sum(one.hp for one in against if one.status == "up")
    return "flee" if theirs > ours else "fight_on"


def _member(state: State, group: str) -> Id | None:
    """Return a standing member of a group, or of the side it is called after."""
    for one in state.combatants:
        if one.status == "up" and group in (getattr(one.block, "group", ""), state.side_of(one.id).name):
            return one.id
    return None


def _response(state: State, window: Window, spec: ActionSpec, tactics: Tactics) -> Answer | None:
    who = str(spec.by)
    match spec.key:
        case "veterans_luck":
            wanted = window.actor == who or in_danger(state, who, window.actor)
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
    found = [aim for aim in aims(state, who, MODIFIERS["snap_attack"]) if aim.action.get("target") == target]
    best = max(found, key=lambda aim: aim.taken, default=None)
    if best is None or best.taken < 0.75 * best.left:
        return None
    fields = {name: value for name, value in best.action.fields if name in ("target", "weapon", "use")}
    return Responded((act("snap_attack", who, **fields),))
