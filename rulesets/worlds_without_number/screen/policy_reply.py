"""How a question is answered where no person is asked.

Morale is checked whenever there is a new reason for it, and the fight is not ended by a question.
"""

from __future__ import annotations

from rulesets.without_number.screen import Replies
from rulesets.worlds_without_number.acts.windows import asked
from rulesets.worlds_without_number.screen.policy import aims, threat
from tracker.core.fight.state import State
from tracker.core.terms.requests import Answer, Choice, Chosen, Request, Window
from tracker.core.terms.tactics import Tactics

REPLIES = Replies(
    "use",
    ("target", "weapon", "in_melee"),
    threat,
    aims=lambda state, who, extra, at: [aim for aim in aims(state, who, extra, at) if aim.action.get("target") == at],
    asked=asked,
)


def reply(state: State, request: Request, tactics: Tactics) -> Answer | None:
    """Return the answer to a question, None where the usual one will do."""
    if isinstance(request, Choice) and request.key.rpartition("/")[2].startswith("morale:"):
        return Chosen("check")
    return REPLIES.to(state, request, tactics) if isinstance(request, Window) else None
