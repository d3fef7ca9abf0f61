"""Words put together."""

from __future__ import annotations

import pytest

from tracker.core.terms.words import possessive


@pytest.mark.parametrize(("name", "whose"), [("Wolf", "Wolf's"), ("Goblins", "Goblins'"), ("Boss", "Boss'")])
def test_whose_something_is(name: str, whose: str) -> None:
    """A name that ends in s takes the apostrophe alone."""
    assert possessive(name) == whose
