"""How a window is answered where no person is asked.

* A power that turns a miss into a hit is used at the first chance, one against a hit by those in danger.
* Total Defense is taken against a hit by those in danger whom it saves, a Snap Attack at an enemy from whom it takes
  three quarters of what it has left. The cautious make no Snap Attack, the ruthless take no Total Defense.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from rulesets.without_number.acts.windows import defended, harms
from rulesets.without_number.numbers.situation import MODIFIERS
from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import ActionSpec, action
from tracker.core.terms.requests import Answer, Responded, Window
from tracker.core.terms.tactics import Aim, Tactics

__all__ = ["Replies"]

ENOUGH = 0.75
"""The share of its points that a Snap Attack has to take on average."""


class Replies(Struct, frozen=True):
    """How a game's windows are answered.

    Attributes:
        power: the action that changes a result.
        shown: the fields of an attack that a Snap Attack takes over.
        threat: the points a combatant takes in a round.
        aims: what each attack of a combatant on another takes, with this added to hit.
        powers: whether a combatant has a power left against an attack of this outcome, `miss` or `hit`.
        asked: whether a combatant is asked for answers.
        snap: at least what the best Snap Attack of a combatant takes from another on average.
    """

    power: str
    shown: tuple[str, ...]
    threat: Callable[[Combatant], float]
    aims: Callable[[State, Id, int, Id], Iterable[Aim]]
    powers: Callable[[State, Id, str], bool]
    asked: Callable[[State, Id], bool]
    snap: Callable[[State, Combatant, Combatant], float]

    def hears(self, state: State, window: Window) -> bool:
        """Tell whether a window may be answered, by what is known of its attack.

        Without `info` nothing is known of it yet.
        """
        actor, target, info = state.get(window.actor), state.get(window.target), window.info
        if actor is None or ((not info or "miss" in info) and self.powers(state, actor.id, "miss")):
            return True
        if target is not None and self._in_danger(state, target.id, actor.id):
            if (not info or "hit" in info) and self.powers(state, target.id, "hit"):
                return True
            if (not info or defended(window)) and self._ready(state, target):
                return True
        return (not info or harms(window)) and self._snapped(state, actor)

    def _snapped(self, state: State, actor: Combatant) -> bool:
        """Tell whether a Snap Attack may be made at an attacker."""
        enough, side = ENOUGH * actor.hp, actor.side
        for other in state.combatants:
            if other.side != side and self._ready(state, other) and self.snap(state, other, actor) >= enough:
                return True
        return False

    def _ready(self, state: State, combatant: Combatant) -> bool:
        """Tell whether a combatant may answer with its Main action."""
        return combatant.left("main") > 0 and self.asked(state, combatant.id)

    def to(self, state: State, window: Window, tactics: Tactics) -> Answer | None:
        """Return the answer to a window, None to let it pass."""
        for spec in window.offers:
            answer = None if spec.moot or spec.by is None else self._response(state, window, spec, tactics)
            if answer is not None:
                return answer
        return None

    def _response(self, state: State, window: Window, spec: ActionSpec, tactics: Tactics) -> Answer | None:
        who = str(spec.by)
        if spec.key == "snap_attack":
            return None if tactics == "cautious" else self._snap(state, who, str(window.actor))
        if spec.key == self.power:
            wanted = window.actor == who or self._in_danger(state, who, window.actor)
        else:
            defends = spec.key == "total_defense" and tactics != "ruthless" and who in state
            wanted = defends and self._ready(state, state[who]) and self._in_danger(state, who, window.actor)
        return Responded((action(spec.key, who, **dict(spec.fixed)),)) if wanted else None

    def _in_danger(self, state: State, who: Id, attacker: Id | None) -> bool:
        """Tell whether an average hit by an attacker could fell a combatant."""
        other = state.get(attacker)
        return other is not None and who in state and state[who].hp <= 2 * self.threat(other)

    def _snap(self, state: State, who: Id, target: Id) -> Answer | None:
        """Return the best Snap Attack at an enemy if it takes enough, or None."""
        if target not in state or who not in state or not self._ready(state, state[who]):
            return None
        found = self.aims(state, who, MODIFIERS["snap_attack"], target)
        best = max(found, key=lambda aim: aim.taken, default=None)
        if best is None or best.taken < ENOUGH * best.left:
            return None
        fields = {name: value for name, value in best.action.fields if name in self.shown}
        return Responded((action("snap_attack", who, **fields),))
