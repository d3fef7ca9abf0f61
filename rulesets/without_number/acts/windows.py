"""The legal answers to an attack, each with what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from tracker.core.fight.state import Id, State
from tracker.core.terms.actions import Action, ActionSpec, action
from tracker.core.terms.requests import Window
from tracker.kit.deeds import Deeds

__all__ = ["HARMLESS", "defended", "defends", "fallen", "fells", "harms", "most_of", "narrowed", "offer", "stakes"]

HARMS, FALLEN, DEFENCE = "harms", "fallen", "defence:"
HARMLESS = "the attack does no harm"


def offer(deeds: Deeds, state: State, action: Action) -> ActionSpec | None:
    """Return an answer's specification if it is legal."""
    return deeds.legal(state, action)


def narrowed(spec: ActionSpec, name: str, value: str) -> ActionSpec:
    """Return a specification with one field fixed by its window: one option, already chosen."""
    fields = (
        replace(field, default=value, options=tuple(option for option in field.options if option.key == value))
        if field.name == name
        else field
        for field in spec.fields
    )
    return replace(spec, fields=tuple(fields), fixed=((name, value),))


def stakes(hit: bool, harmful: bool, defence: str, fallen: bool = False) -> tuple[str, ...]:
    """Return what a window after an attack roll has to know of it.

    Hit or miss, whether it does anything as it stands, and what Total Defense would make of it ("" for nothing).
    `fallen`: its target falls to a miss as to a hit.
    """
    found = ("hit" if hit else "miss", *((HARMS,) if harmful else ()), *((FALLEN,) if fallen else ()))
    return (*found, DEFENCE + defence) if defence else found


def harms(window: Window) -> bool:
    """Tell whether the attack of a window does anything as it stands."""
    return HARMS in window.info


def fallen(window: Window) -> bool:
    """Tell whether the target of an attack falls to a miss too."""
    return FALLEN in window.info


def defended(window: Window) -> bool:
    """Tell whether Total Defense would make anything else of the attack of a window."""
    return any(word.startswith(DEFENCE) for word in window.info)


def defends(spec: ActionSpec, window: Window) -> ActionSpec:
    """Return Total Defense with what it makes of the attack in hand."""
    made = next((word.removeprefix(DEFENCE) for word in window.info if word.startswith(DEFENCE)), "")
    return replace(spec, does=made, moot="" if made else "the attack does the same")


def fells(spec: ActionSpec, state: State, window: Window, actor: Id, most: Callable[[int], int]) -> ActionSpec:
    """Return a Snap Attack, moot where its `most` points cannot fell the attacker.

    `most` is told how many points are enough.
    """
    if not harms(window):
        return replace(spec, moot=HARMLESS)
    name, points = state.name(actor), most(state[actor].hp)
    if points < state[actor].hp:
        return replace(spec, moot=f"its {points} at most leave {name} standing")
    return replace(spec, does=f"{name} may drop first")


def most_of(
    spec: ActionSpec, arms: Mapping[str, Sequence[str]], points: Callable[[Action], int], enough: int | None = None
) -> int:  # fmt: skip - a signature
    """Return the most points a Snap Attack on offer can take.

    With any weapon; the first found that are enough, where that is known, end the search.

    `arms`: what each weapon is used for. `points`: those of one filled form, 0 for one that is impossible.
    """
    given = {field.name: field.default for field in spec.fields if field.name == "target"}
    ways = ((weapon, use) for weapon in _open(spec, "weapon") for use in arms.get(weapon, ()))
    most = 0
    for (weapon, use), dual in product(ways, _open(spec, "dual") or [""]):
        if dual != weapon:
            most = max(most, points(action(spec.key, spec.by, **given, weapon=weapon, use=use, dual=dual)))
        if enough is not None and most >= enough:
            break
    return most


def _open(spec: ActionSpec, name: str) -> list[str]:
    """Return the options of a field that can be chosen."""
    field = spec.field(name)
    return [] if field is None else [option.key for option in field.options if option.refusal is None]
