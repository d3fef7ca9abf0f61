"""Numbers made of parts: modifiers of effects, with or without kinds.

    def derived(state: State, who: Id, name: str) -> Derived:
        base = {"attack": block(state, who).attack, "ac": block(state, who).ac}[name]
        return modifiers.derived(state, who, name, Part(name, base), stacking=modifiers.best_of_each_kind)

A modifier is typed as `+1 attack`, or as `+1 status attack` if the schema has the kind:
`Schema(..., modifier_kinds=("status", "item"))`. With `best_of_each_kind` only the highest bonus and the worst penalty
of a kind count; modifiers without a kind always add up. A die is typed as `+1d4 attack` if `Schema.rolled` has the
number; `roll_dice(ctx, "attack", who, "attack")` rolls it and returns the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct

from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.effects import Effect, Modifier


class Kinded(Struct, frozen=True):
    """A part of a number with its kind; "": it always adds up."""

    part: Part
    kind: str = ""


Stacking: TypeAlias = Callable[[Sequence[Kinded]], tuple[Part, ...]]
"""Returns the parts that count."""


def add_up(parts: Sequence[Kinded]) -> tuple[Part, ...]:
    """Count every part."""
    return tuple([one.part for one in parts])


def best_of_each_kind(parts: Sequence[Kinded]) -> tuple[Part, ...]:
    """Count the best bonus and the worst penalty of each kind, and all parts without a kind."""
    best: dict[tuple[str, bool], Kinded] = {}
    for one in parts:
        key = one.kind, one.part.amount < 0
        if key not in best or abs(one.part.amount) > abs(best[key].part.amount):
            best[key] = one
    counted = {id(one) for one in best.values()}
    return tuple([one.part for one in parts if not one.kind or id(one) in counted])


def held(
    state: State, who: Id, stat: str, cases: Collection[str] = (), bearers: Sequence[str] = ()
) -> tuple[tuple[Effect, Modifier], ...]:
    """Return the modifiers of a number that apply in these cases, without dice.

    A modifier without a case always applies. `bearers`: other bearers whose effects apply to the combatant: `fight`, a
    side, a zone.
    """
    return tuple([pair for pair in _all_held(state, who, stat, cases, bearers) if pair[1].dice is UNSET])


def roll_dice(
    ctx: Ctx, key: str, who: Id, stat: str, *rules: str, cases: Collection[str] = (), bearers: Sequence[str] = ()
) -> tuple[Part, ...]:
    """Roll the dice that effects add to a number of `Schema.rolled` (`+1d4 attack`), and return them as parts.

    `key` is the beginning of the key of each roll.
    """
    parts = []
    for effect, modifier in _all_held(ctx.state, who, stat, cases, bearers):
        if modifier.dice is not UNSET:
            words = f"{effect.shown}, {modifier.worded}"
            rolled = ctx.roll(f"{key}:{effect.name}:{effect.id}", modifier.dice, *rules, who=who, why=words)
            parts.append(Part(effect.shown, modifier.amount * rolled, effect.rule))
    return tuple(parts)


def _all_held(
    state: State, who: Id, stat: str, cases: Collection[str], bearers: Sequence[str]
) -> list[tuple[Effect, Modifier]]:
    return [
        (effect, modifier)
        for bearer in (who, *bearers)
        for effect in state.borne(bearer)
        for modifier in effect.modifiers
        if modifier.stat == stat and (not modifier.when or modifier.when in cases)
    ]


def effect_parts(
    state: State, who: Id, stat: str, cases: Collection[str] = (), bearers: Sequence[str] = ()
) -> tuple[Kinded, ...]:
    """Return the modifiers of effects on a number as parts, each with the name of its effect."""
    return tuple(
        [
            Kinded(Part(effect.shown, modifier.amount, effect.rule), modifier.kind or "")
            for effect, modifier in held(state, who, stat, cases, bearers)
        ]
    )


def derived(
    state: State,
    who: Id,
    stat: str,
    *base: Part | Kinded,
    cases: Collection[str] = (),
    bearers: Sequence[str] = (),
    stacking: Stacking = add_up,
) -> Derived:
    """Return a number with its parts: the base and the modifiers of effects."""
    own = [one if isinstance(one, Kinded) else Kinded(one) for one in base]
    return Derived.total(stacking([*own, *effect_parts(state, who, stat, cases, bearers)]))
