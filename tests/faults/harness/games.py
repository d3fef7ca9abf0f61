"""The games the fault tests play: every installed ruleset, with the encounters bundled for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry

__all__ = ["BLOCK_FILES", "ENCOUNTERS", "FIGHTS", "GAMES", "fight_of", "sample_files"]

ENCOUNTERS = Path(__file__).parents[3] / "encounters"
# Files that are no fights: encounters take their stat blocks.
BLOCK_FILES = ("party", "bestiary")


def fights(key: str) -> tuple[Path, ...]:
    return tuple(path for path in sorted((ENCOUNTERS / key).glob("*.yaml")) if path.stem not in BLOCK_FILES)


FIGHTS: dict[str, tuple[Path, ...]] = {key: found for key in registry.rulesets() if (found := fights(key))}
GAMES = tuple(FIGHTS)


@cache
def fight_of(key: str, number: int = 0) -> tuple[Ruleset, Encounter]:
    """Return a ruleset with one of its fights. The numbers go round."""
    path = FIGHTS[key][number % len(FIGHTS[key])]
    loaded = load_encounter(path, registry.find)
    assert loaded.encounter is not None, loaded.problems
    return registry.find(key), loaded.encounter


def sample_files() -> tuple[Path, ...]:
    """Return every sample file there is, scripts included."""
    golden = Path(__file__).parents[2] / "golden"
    return (*sorted(ENCOUNTERS.glob("*/*.yaml")), *sorted(golden.glob("*/*/script.yaml")))
