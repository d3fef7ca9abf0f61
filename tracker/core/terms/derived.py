"""Derived numbers: a value with its parts."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Part(Struct, frozen=True, gc=False):
    """One addend and its name, with the rule it comes from."""

    label: str
    amount: int
    rule: str = ""


class Derived(Struct, frozen=True, gc=False):
    """A number and its parts: `15 −2 charging = 13`; `text` replaces the number ("any", "-")."""

    value: int
    parts: tuple[Part, ...] = ()
    text: str = ""

    @staticmethod
    def total(parts: Iterable[Part]) -> Derived:
        """Add up parts; parts of 0 are dropped, except for the first."""
        kept: list[Part] = []
        value = 0
        for part in parts:
            if part.amount or not kept:
                kept.append(part)
                value += part.amount
        return Derived(value, tuple(kept))
