"""Shares of one amount, also while their form is only half filled in."""

from __future__ import annotations

import pytest

from tracker.core.step.fields import shares
from tracker.core.terms.actions import action
from tracker.core.terms.values import Value


@pytest.mark.parametrize(
    "row",
    [(), (("who", "ava"),), (("times", "2"),), (("who", "ava"), ("times", "")), (("who", "ava"), ("times", "twice"))],
)
def test_a_row_that_is_not_filled_in_gives_nobody_a_share(row: Value) -> None:
    """A row without a combatant or a known share counts for nothing. The others count."""
    asked = action("damage", None, targets=("bero",), halved=("cora",), shares=(row, (("who", "dora"), ("times", "2"))))

    assert shares(asked, 7) == (("bero", 7, ""), ("cora", 3, "half"), ("dora", 14, "double"))
