"""Screening: how many attackers a screener blocks, and whom a blocked attack hits."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.state import Id

__all__ = ["has_quota", "new_target"]


def has_quota(skill: int, counted: Sequence[Id], attacker: Id) -> bool:
    """Tell whether a screener may block this attacker.

    It may block those it has met in this round, and one more within its combat skill.
    """
    return attacker in counted or len(counted) < skill


def new_target(successes: Sequence[tuple[Id, int]]) -> Id | None:
    """Return the successful screener with the lowest total, the first of equals, or None."""
    return min(successes, key=lambda success: success[1])[0] if successes else None
