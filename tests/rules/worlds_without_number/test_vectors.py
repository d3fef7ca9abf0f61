"""The worked examples and the rules of Worlds Without Number, played as vectors."""

from __future__ import annotations

from pathlib import Path

from rulesets.worlds_without_number import RULESET
from tracker.testing import suite

TestWorldsWithoutNumber = suite(RULESET, vectors=Path(__file__).parent / "vectors")
