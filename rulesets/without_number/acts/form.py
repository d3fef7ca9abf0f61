"""The form of an attack in both games: targets, and weapons with what forbids them."""

from __future__ import annotations

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.errors import Refusal
from tracker.kit.fields import text

__all__ = ["against_oneself", "out_of_reach", "weapon_option"]

REMOVED = ("dead", "gone")


def out_of_reach(other: Combatant) -> Refusal | None:
    """Refuse a target that is dead or gone."""
    return Refusal("no_target", f"{other.name} is {other.status}", "") if other.status in REMOVED else None


def against_oneself(state: State, action: Action, who: Id | None, rule: str) -> Refusal | None:
    """Refuse a check that its own roller opposes."""
    if not who or text(action, "opponent") != who:
        return None
    return Refusal("same_person", f"{state.name(who)} makes the check: another opposes it", rule, forcible=False)


def weapon_option(name: str, dice: str, shock: str, held: str, unloaded: str) -> Option:
    """Return a weapon as an option.

    `held` and `unloaded` are the rules that forbid it in a grapple and before it is loaded, or empty.
    """
    refusal = None
    if held:
        refusal = Refusal("grappled", f"{name}: only unarmed attacks, fangs and claws in a grapple", held)
    elif unloaded:
        refusal = Refusal("not_loaded", f"{name} has to be loaded first", unloaded)
    return Option(name, note=dice + (f" shock {shock}" if shock else ""), refusal=refusal)
