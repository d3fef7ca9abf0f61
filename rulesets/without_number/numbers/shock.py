"""Shock: the harm of a missed melee attack, and what keeps it away."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

__all__ = ["Guard", "Verdict", "reaches"]

Verdict: TypeAlias = Literal["harms", "none", "armored", "immune", "shield", "total_defense"]


class Guard(Struct, frozen=True, gc=False):
    """What keeps Shock from a target.

    `shield` is one that has not ignored any in this round.
    """

    ac: int
    immune: bool = False
    shield: bool = False
    total_defense: bool = False


def reaches(points: int, rating: int | None, guard: Guard, surrounded: bool = False) -> Verdict:
    """Tell whether Shock harms, or what keeps it away.

    `rating` None reaches any AC.

    A swarm's Shock is the hazard of being surrounded: only Total Defense helps against it. A shield ignores only what
    would really hurt.
    """
    if points <= 0:
        return "none"
    if guard.total_defense:
        return "total_defense"
    if surrounded:
        return "harms"
    if rating is not None and guard.ac > rating:
        return "armored"
    if guard.immune:
        return "immune"
    return "shield" if guard.shield else "harms"
