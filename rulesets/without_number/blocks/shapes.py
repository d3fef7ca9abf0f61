"""The shapes in every stat block: attributes, modifiers and Shock."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

__all__ = ["ATTRIBUTES", "AtLeastNone", "AtLeastOne", "Attribute", "Level", "Shock", "modifier_of"]

Attribute: TypeAlias = Literal["str", "dex", "con", "int", "wis", "cha"]
ATTRIBUTES: tuple[Attribute, ...] = ("str", "dex", "con", "int", "wis", "cha")

Level: TypeAlias = Annotated[int, Meta(ge=-1, le=4)]
AtLeastNone: TypeAlias = Annotated[int, Meta(ge=0)]
AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]


class Shock(Struct, frozen=True):
    """Harm of a missed melee attack.

    `points` against an AC of at most `ac`, None for any.
    """

    points: AtLeastNone
    ac: AtLeastNone | None

    def __str__(self) -> str:
        return f"{self.points}/{'-' if self.ac is None else self.ac}"


def modifier_of(mods: Struct, attribute: Attribute) -> int:
    """Return one of the modifiers of a stat block."""
    found: int = getattr(mods, attribute)
    return found
