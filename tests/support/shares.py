"""How many examples a property tries. Every run tries a share of them, a long one all."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["EVERY_RUN", "tries"]

EVERY_RUN = 0.1
"""The share that `make test` tries, of what a test asks for and of Hypothesis' own hundred."""


def tries(many: int) -> settings:
    """Return settings with so many examples, or with their share in every run."""
    profile = settings.get_current_profile_name()
    return settings(max_examples=round(many * EVERY_RUN) if profile == "ci" else max(many, settings().max_examples))
