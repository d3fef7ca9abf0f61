"""The parts of a number: their rules, what effects add, what lying down takes."""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.fight.state import Combatant, Id, State
from tracker.core.terms.derived import Derived, Part

__all__ = ["cited", "dice_text", "effect_parts", "grappling", "halved", "in_grapple", "shown"]


def cited(parts: Iterable[Part], *rules: str) -> tuple[str, ...]:
    """Return rules, then those the parts name, each once."""
    return tuple(dict.fromkeys((*rules, *[part.rule for part in parts if part.rule])))


def shown(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts that change anything."""
    return tuple([part for part in parts if part.amount])


def effect_parts(combatant: Combatant, stat: str) -> tuple[Part, ...]:
    """Return what the effects on a combatant add to a number."""
    if not combatant.effects:
        return ()
    return tuple(
        Part(effect.shown, change.amount, effect.rule)
        for effect in combatant.effects
        for change in effect.modifiers
        if change.stat == stat
    )


def grappling(state: State, who: Id) -> bool:
    """Tell whether a combatant holds another or is held."""
    return in_grapple(state[who])


def in_grapple(combatant: Combatant) -> bool:
    """Tell the same of a combatant at hand."""
    return bool(combatant.effects) and (combatant.has("grappling") or combatant.has("grappled"))


def halved(combatant: Combatant, rate: Derived, rule: str) -> Derived:
    """Return a movement rate, halved and rounded down for the prone."""
    if not combatant.has("prone"):
        return rate
    return Derived.total((*rate.parts, Part("prone", rate.value // 2 - rate.value, rule)))


def dice_text(dice: str, added: Derived) -> Derived:
    """Return damage as it is written: dice and what is added to them."""
    return Derived(added.value, added.parts, f"{dice}{added.value:+d}" if added.value else dice)
