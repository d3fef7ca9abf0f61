"""The games the property tests play.

The made-up ones, and every installed ruleset with each of its bundled encounters.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from tests.support import declared, example_ruleset, individual, segments, sides
from tests.support.common import encounter, member
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter, TimedNote, Wave
from tracker.library.content.encounters import load_encounter
from tracker.library.guard import unwrapped
from tracker.session.rulesets import registry

__all__ = ["GAMES", "Game", "build"]

Game = tuple[Ruleset, Encounter]
ENCOUNTERS = Path(__file__).parents[2] / "encounters"
EXAMPLES = ENCOUNTERS.with_name("docs") / "examples"
THREE_ACTIONS = Path(__file__).parents[1] / "three_actions" / "bridge.yaml"
ENCOUNTER = Path(example_ruleset.__file__).with_name("example_encounter.yaml")
NO_FIGHTS = ("party", "bestiary")


def made_up(ruleset: Ruleset, *, ambush: bool = False) -> Game:
    waves = (
        Wave("goblins", (member("Wolf"),), "round 2"),
        Wave("night-watch", (member("Guard", kind="pc"),), "end of round 1"),
    )
    fight = encounter(ruleset.key, waves=waves)
    reminders = (TimedNote("the ford rises", "start of round 2"),)
    return ruleset, replace(fight, reminders=reminders, setup=sides.Ambush(("goblins",)) if ambush else None)


def bundled(path: Path) -> Game:
    loaded = load_encounter(path, registry.find)
    assert loaded.encounter is not None, loaded.problems
    return unwrapped(registry.find(loaded.encounter.ruleset)), loaded.encounter


def example(path: Path) -> Game:
    loaded = load_encounter(path, lambda key: example_ruleset.RULESET)
    assert loaded.encounter is not None, loaded.problems
    return example_ruleset.RULESET, loaded.encounter


def games() -> dict[str, Callable[[], Game]]:
    found: dict[str, Callable[[], Game]] = {
        game.RULESET.key: lambda game=game: made_up(game.RULESET) for game in (sides, individual, declared, segments)
    }  # type: ignore[misc]  # a default binds the loop's value
    found["example"] = lambda: example(ENCOUNTER)
    found["ambush"] = lambda: made_up(sides.RULESET, ambush=True)
    found["three_actions"] = lambda: bundled(THREE_ACTIONS)
    for key in registry.rulesets():
        for path in sorted([*(ENCOUNTERS / key).glob("*.yaml"), *(EXAMPLES / key / "fights").glob("*.yaml")]):
            if path.stem not in NO_FIGHTS:
                found[f"{key}/{path.stem}"] = lambda path=path: bundled(path)  # type: ignore[misc]  # as above
    return found


GAMES = games()


@cache
def build(name: str) -> Game:
    """Return a game's ruleset, as steps know it, and the fight to be opened."""
    ruleset, encounter = GAMES[name]()
    return unwrapped(ruleset), encounter
