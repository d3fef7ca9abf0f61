"""The worked examples and the rules of Sovereign, played as vectors."""

from __future__ import annotations

from pathlib import Path

from rulesets.sovereign import RULESET
from tracker.testing import suite

TestSovereign = suite(RULESET, vectors=Path(__file__).parent / "vectors")
