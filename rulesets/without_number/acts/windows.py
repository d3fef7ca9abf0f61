"""Answers offered at a window: legal ones only, and aimed at the combatant they answer."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, ActionSpec
from tracker.kit.deeds import Deeds

__all__ = ["narrowed", "offer"]


def offer(deeds: Deeds, state: State, action: Action) -> ActionSpec | None:
    """Return an answer's specification if it is legal."""
    return deeds.form(state, action) if deeds.legality(state, deeds.own[action.key], action) is None else None


def narrowed(spec: ActionSpec, name: str, value: str) -> ActionSpec:
    """Return a specification in which one field has one option, already chosen."""
    fields = (
        replace(field, default=value, options=tuple(option for option in field.options if option.key == value))
        if field.name == name
        else field
        for field in spec.fields
    )
    return replace(spec, fields=tuple(fields))
