"""Values of forms, facts and stat blocks in words."""

from __future__ import annotations

import msgspec

from tracker.core.encounter import Member
from tracker.core.state import State
from tracker.core.values import Value
from tracker.views.text import listed

__all__ = ["is_default", "plain_words", "seconds_words", "struct_words", "switched_words", "value_words"]


def value_words(state: State, name: str, value: Value) -> str:
    """Return a form's value in words; "" for what says nothing."""
    named = name.replace("_", " ")
    if value is None or value is False or value == () or value == "":
        return ""
    if value is True:
        return named
    if isinstance(value, int | float):
        return f"{named} {value}"
    if isinstance(value, str):
        return state.name(value) if value in state else value.replace("_", " ")
    if isinstance(value, tuple):
        members = [item for item in value if isinstance(item, Member)]
        if members:
            return listed([f"{member.count} × {member.name}" if str(member.count) != "1" else member.name for member in members])
        return f"{named} {listed([plain_words(item) for item in value])}"
    return named


def plain_words(value: object) -> str:
    """Return any value as text."""
    if isinstance(value, tuple):
        inner = ", ".join(plain_words(part) for part in value)
        return f"({inner})" if all(isinstance(part, int | float) for part in value) else inner
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, msgspec.Struct):
        return struct_words(value)
    return "none" if value is None else str(value).replace("_", " ")


def struct_words(value: msgspec.Struct) -> str:
    """Return a Struct's fields in one line, its name first if it has one; what is as by default is left out."""
    shown: list[str] = []
    for field in msgspec.structs.fields(value):
        held = getattr(value, field.name)
        if is_default(field, held):
            continue
        named = field.name.replace("_", " ")
        if field.name == "name":
            shown.insert(0, str(held))
        elif held is True:
            shown.append(named)
        else:
            shown.append(f"{named} {plain_words(held)}")
    return ", ".join(shown) or type(value).__name__


def is_default(field: msgspec.structs.FieldInfo, held: object) -> bool:
    """Tell whether a field holds its default."""
    if field.default is not msgspec.NODEFAULT:
        return bool(held == field.default) and isinstance(held, bool) == isinstance(field.default, bool)
    return field.default_factory is not msgspec.NODEFAULT and bool(held == field.default_factory())


def switched_words(was: object, now: object) -> str:
    """Return how house rules differ."""
    if not isinstance(was, msgspec.Struct) or not isinstance(now, msgspec.Struct):
        return "the house rules change"
    changes = [
        f"{field.replace('_', ' ')} {plain_words(getattr(was, field, None))} → {plain_words(getattr(now, field))}"
        for field in now.__struct_fields__
        if getattr(was, field, None) != getattr(now, field)
    ]
    return f"house rule: {', '.join(changes)}" if changes else "the house rules stay"


def seconds_words(seconds: int) -> str:
    """Return a span of game time."""
    if seconds % 3600 == 0 and seconds:
        return f"{seconds // 3600} h"
    return f"{seconds // 60} min" if seconds % 60 == 0 and seconds else f"{seconds} s"
