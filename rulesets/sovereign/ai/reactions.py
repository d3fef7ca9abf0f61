"""How a question is answered where no person is asked.

* Creatures and groups whose Morale is asked about retreat when their enemies have more points left than their own
  side, the ruthless never.
* What is left of a held turn, screens, Attacks of Opportunity: as usual, that is, they are made.
"""

from __future__ import annotations

from rulesets.sovereign.ai.targets import aims, threat
from rulesets.sovereign.stats.stats import enemies
from rulesets.without_number.screen import Replies
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.requests import Answer, Choice, ChoiceAnswer, Request, Window
from tracker.core.terms.tactics import Tactics

REPLIES = Replies(
    "veterans_luck",
    ("target", "weapon", "use"),
    threat,
    aims,
    asked=lambda state, who: True,
)


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice):
        _, _, asked = request.key.rpartition("/")[2].partition("morale:")
        return None if not asked or tactics == "ruthless" else ChoiceAnswer(_morale(state, asked.partition("~")[0]))
    return REPLIES.to(state, request, tactics) if isinstance(request, Window) else None


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
