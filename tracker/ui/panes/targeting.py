"""Targets on the map, one after another, and the odds of an attack."""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.engine import offers, spec_of
from tracker.core.fight.board import Trail
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.actions import Action
from tracker.ui.modes.acting.interact import first_attack
from tracker.ui.typing.mode import ModeContext
from tracker.views.words.text import clean


class AttackPreview:
    """The attack on who is under the cursor, and its odds once they are known."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._at: tuple[object, Id | None, Id | None] = (None, None, None)
        self._action: Action | None = None
        self._label = ""
        self.chance: Callable[[Action], str] = lambda action: ""

    def take(self, scene: ModeContext, who: Id | None, target: Id | None) -> Action | None:
        """Return the attack of one on the other, if there is one."""
        state, way = scene.model.state, None
        here = who is not None and target is not None and who in state and target in state
        if who is not None and target is not None and here and _foes(self._ruleset, state, who, target):
            way = first_attack(scene, who, target)
        self._action, self._label = (way.actions[0], clean(way.specs[0].label)) if way is not None else (None, "")
        self._at = (state.clock.at, who, target)
        return self._action

    def words(self, state: State, who: Id | None, target: Id | None) -> str:
        if self._action is None or self._at != (state.clock.at, who, target):
            return ""
        chance = self.chance(self._action)
        return f"{self._label} {chance}" if chance else ""


def _foes(ruleset: Ruleset, state: State, one: Id, other: Id) -> bool:
    return not ruleset.friendly(state, state[one].side, state[other].side)


def targets(ruleset: Ruleset, state: State, who: Id | None) -> tuple[Id, ...]:
    """Return whom a combatant could aim at, the nearest first.

    They are the foes who stand, else those who lie, else everybody else.
    """
    own = state.get(who)
    side = own.side if own is not None else next((one.id for one in state.sides if one.control == "players"), "")
    others = [one for one in state.combatants if one.position and one.id != who and _is_describable(ruleset, one)]
    foes = [one for one in others if not ruleset.friendly(state, side, one.side)]
    standing = [one for one in foes if ruleset.status(one.status).acts]
    here = own.position if own is not None and own.position else None
    return tuple(one.id for one in sorted(standing or foes or others, key=lambda one: _apart(here, one.position)))


def _is_describable(ruleset: Ruleset, one: Combatant) -> bool:
    status = ruleset.status(one.status)
    return status.takes_part and status.stays


def _apart(one: tuple[int | float, ...] | None, other: tuple[int | float, ...] | None) -> tuple[float, ...]:
    """Return how far apart two places are, for sorting by distance."""
    place = tuple(map(float, other or ()))
    lengths = [abs(a - b) for a, b in zip(one or (), place, strict=False)] or [0.0]
    return (max(lengths), sum(length * length for length in lengths), *place)


def move_action(ruleset: Ruleset, state: State, who: Id, trail: Trail | None) -> Action | None:
    """Return the action that takes a combatant along a way, if any; the plainest one asks for nothing but the path."""
    if trail is None or not trail.squares:
        return None
    fields = [
        (spec.key, field.name) for spec in offers(ruleset, state, who) for field in spec.fields if field.kind == "path"
    ]
    actions = [Action(key, who).put(**{name: tuple(trail.squares)}) for key, name in fields]
    ways = [(spec_of(ruleset, state, action), action) for action in actions]
    plainest = min(
        ways,
        key=lambda way: (
            way[0].refusal is not None,
            sum(field.required for field in way[0].fields),
            len(way[0].fields),
        ),
        default=None,
    )
    return None if plainest is None else plainest[1]
