"""How many examples a property tries. Every run tries a share of them, a long one all."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

__all__ = ["EVERY_RUN", "every", "few", "one_of_each", "tries"]

EVERY_RUN = 0.1
"""The share that `make test` tries, of what a test asks for and of Hypothesis' own hundred."""


def tries(many: int) -> settings:
    """Return settings with so many examples, or with their share in every run."""
    profile = settings.get_current_profile_name()
    return settings(max_examples=round(many * EVERY_RUN) if profile == "ci" else max(many, settings().max_examples))


def every(nth: int, cases: Iterable[object]) -> list[ParameterSet]:
    """Return cases as parameters: each so-manieth, from the first on, for every run, the others for a long one."""
    return [
        pytest.param(*case if isinstance(case, tuple) else (case,), marks=[pytest.mark.long] if place % nth else [])
        for place, case in enumerate(cases)
    ]


def few(nth: int) -> pytest.MarkDecorator:
    """Give a test its argument `each`: so-manieth for every run, 1 for a long one."""
    return pytest.mark.parametrize("each", [nth, pytest.param(1, marks=pytest.mark.long)], ids=["few", "all"])


def one_of_each(fights: Iterable[tuple[str, str]]) -> list[ParameterSet]:
    """Return fights as parameters: the first of each game for every run, the others for a long one."""
    games = set[str]()
    found = []
    for game, name in fights:
        found.append(pytest.param(game, name, marks=[pytest.mark.long] if game in games else []))
        games.add(game)
    return found
