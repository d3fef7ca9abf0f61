"""Looking ahead: performing a step on the side to see what it asks."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.terms.requests import Roll, Thrown
from tracker.session.settings import Settings

__all__ = ["SECONDS", "unrolled"]

SECONDS = 0.5
"""How long a step may take when it is performed for looking ahead."""


def unrolled(settings: Settings) -> Settings:
    """Return settings that answer the same requests, but roll no dice for it."""
    return replace(settings, roller=None if settings.roller is None else _any_dice)


def _any_dice(request: Roll) -> Thrown:
    return Thrown(request.dice.minimum)
