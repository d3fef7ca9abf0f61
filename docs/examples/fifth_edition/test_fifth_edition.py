"""The worked example: its vectors, its fights, and its fights played at random, as any home-made game is tested."""

from pathlib import Path

from fifth_edition import RULESET
from tracker.testing import suite

HERE = Path(__file__).parent
TestFifthEdition = suite(RULESET, vectors=HERE / "vectors.yaml", encounters=HERE / "fights")
