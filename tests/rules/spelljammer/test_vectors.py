"""The worked examples and the rules of the percentile game, played as vectors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rulesets.spelljammer import RULESET
from tracker.testing.vectors import VectorFile

FOLDER = Path(__file__).parent / "vectors"
BOOK = VectorFile(RULESET, *sorted(FOLDER.glob("*.yaml")))


@pytest.mark.parametrize("vector", [pytest.param(vector, id=str(vector["id"])) for vector in BOOK.vectors])
def test_vector(vector: Mapping[str, Any]) -> None:
    """Given dice, the outcome, the requests and the rules cited are those of the vector."""
    table = BOOK.play(vector)

    assert table.cited
