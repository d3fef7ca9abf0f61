"""Held turns: what one may be spent on, and the form that chooses."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rulesets.without_number.turn import TRIGGERING
from tracker.core.fight.events import FactSet
from tracker.core.fight.fold import fold
from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.errors import Refusal
from tracker.kit.deeds import Deed, Deeds
from tracker.kit.fields import text

__all__ = ["Chances", "in_turn"]


def in_turn(state: State, who: Id) -> State:
    """Return the state while a held turn is used, in its user's own phase."""
    was = state[who].fact(TRIGGERING)
    return state if was is True else fold(state, FactSet(who, TRIGGERING, was, True))


def _holds(state: State, who: Id | None) -> bool:
    return who is not None and state[who].has("held")


class Chances(Struct, frozen=True):
    """What a held turn may be spent on.

    Attributes:
        rules: who can act, when, and how it is paid.
        deeds: the deeds to choose from, by key.
        kept: the fields of the held turn itself; all others belong to the deed that is chosen.
        nothing: the choice where no deed is legal.
    """

    rules: Deeds
    deeds: Mapping[str, Deed]
    kept: tuple[str, ...]
    nothing: str

    def legality(self, turn: State, key: str, who: Id | None) -> Refusal | None:
        """Return why a deed is not possible in a held turn."""
        return self.rules.legality(turn, self.deeds[key], Action(key, who))

    def chosen(self, turn: State, action: Action) -> Action:
        """Return the action that a form spends the held turn on.

        Where none is named it is the first legal one.
        """
        legal = (key for key in self.deeds if _holds(turn, action.by) and self.legality(turn, key, action.by) is None)
        key = text(action, "action") or next(legal, self.nothing)
        return Action(key, action.by, tuple((name, value) for name, value in action.fields if name not in self.kept))

    def options(self, turn: State, who: Id | None) -> tuple[Option, ...]:
        """Return the deeds with their costs and what forbids them, whatever their forms say.

        Of one that holds no turn they are not judged: it can do none of them.
        """
        held = _holds(turn, who)
        return tuple(
            Option(key, deed.label, deed.cost, self.hindrance(turn, deed, who) if held else None)
            for key, deed in self.deeds.items()
        )

    def hindrance(self, turn: State, deed: Deed, who: Id | None) -> Refusal | None:
        """Return why a deed cannot be chosen at all.

        Its price or the moment forbids it, or it makes no sense. The rest is judged by its filled form.
        """
        if who is None:
            return None
        bare = Action(deed.key, who)
        early = self.rules.unable(turn, who) or self.rules.untimely(turn, deed, bare)
        if refusal := early or self.rules.unaffordable(turn, deed, bare):
            return refusal
        senseless = deed.refusal(turn, bare)
        return senseless if senseless is not None and not senseless.forcible else None

    def refusal(self, turn: State, action: Action) -> Refusal | None:
        """Return why the deed that is chosen is not possible."""
        inner = self.chosen(turn, action)
        deed = self.deeds.get(inner.key)
        return None if deed is None else self.rules.legality(turn, deed, inner)
