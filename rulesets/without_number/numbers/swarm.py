"""The bonus of a Swarm Attack for the other assailants."""

from __future__ import annotations

__all__ = ["MOST_DAMAGE", "MOST_TO_HIT", "bonus", "capped"]

MOST_TO_HIT = 6
MOST_DAMAGE = 3


def bonus(others: int) -> tuple[int, int]:
    """Return what other assailants add to hit and to damage."""
    return min(2 * others, MOST_TO_HIT), min(others, MOST_DAMAGE)


def capped(usual: int, extra: int, most: int) -> int:
    """Return the damage with the swarm's extra points, at most the attack's usual maximum."""
    return max(usual, min(usual + extra, most))
