"""A whole test suite of a ruleset in one line, for pytest.

from tracker.testing import suite

TestKnives = suite(RULESET, vectors=FOLDER / "vectors", encounters=FOLDER / "encounters")
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.encounter import Encounter
from tracker.library.content.encounters import is_encounter, load_encounter
from tracker.library.guard import unwrapped
from tracker.library.yaml.tree import load
from tracker.testing.inspection import inspect
from tracker.testing.state_machine import machine
from tracker.testing.vectors import VectorFile, untested

FIGHTS, STEPS = 6, 30


def suite(
    ruleset: Ruleset, vectors: Path | None = None, encounters: Path | None = None, *, complete: bool = True
) -> type:
    """Return a class of tests of a ruleset, for a name that begins with `Test`.

    Args:
        ruleset: the game.
        vectors: a file or folder of vectors (docs/writing-a-ruleset.md describes them).
        encounters: a file or folder of encounters, which are played.
        complete: every rule of kind auto, ask or option has to have a vector.
    """
    ruleset = unwrapped(ruleset)  # an installed game is guarded; its tests need its own errors
    bases = [_of_vectors(ruleset, vectors, complete)] if vectors else []
    bases += [_of_encounters(ruleset, encounters)] if encounters else []
    return type("TestRuleset", tuple(bases), {"__doc__": f"The tests every ruleset has, for {ruleset.title}."})


def _of_vectors(ruleset: Ruleset, place: Path, complete: bool) -> type:
    book = VectorFile(ruleset, *_files(place))
    every = [pytest.param(vector, id=str(vector["id"])) for vector in book.vectors]

    class Vectors:
        """The vectors, and the tests of all of them together."""

        @pytest.mark.parametrize("vector", every)
        def test_vector(self, vector: Mapping[str, Any]) -> None:
            """Given dice, the outcome, the requests and the rules cited are those of the vector."""
            try:
                book.play(vector)
                return
            except AssertionError as error:
                if Path(traceback.extract_tb(error.__traceback__)[-1].filename).parent != Path(__file__).parent:
                    raise
                differs = str(error)
            pytest.fail(f"{vector['id']}: {differs}", pytrace=False)  # without the traceback of the comparison

        def test_vectors_have_names_of_their_own(self) -> None:
            """No two vectors have the same id, so that a failure names one."""
            twice = [name for name, times in Counter(vector["id"] for vector in book.vectors).items() if times > 1]
            if twice:
                pytest.fail(f"several vectors are called {', '.join(twice)}", pytrace=False)

        def test_vectors_name_existing_rules(self) -> None:
            """Each rule a vector names is in the rulebook."""
            if unknown := sorted(rule for rule in book.rules() if ruleset.rulebook.find(rule) is None):
                pytest.fail(f"the rulebook has no {', '.join(unknown)}", pytrace=False)

        def test_every_rule_has_a_vector(self) -> None:
            """No rule of kind auto, ask or option is without a vector."""
            if complete and (without := untested(ruleset.rulebook, book.rules())):
                pytest.fail(f"no vector names {', '.join(without)} in its `rules`", pytrace=False)

    return Vectors


def _of_encounters(ruleset: Ruleset, place: Path) -> type:
    every = [pytest.param(path, id=path.stem) for path in _files(place) if is_encounter(load(path).value)]

    class Encounters:
        """The encounters, each of them played."""

        @pytest.mark.parametrize("path", every)
        def test_encounter_is_sound(self, path: Path) -> None:
            """The file can be read, and nothing is wrong in it."""
            loaded = load_encounter(path, lambda key: ruleset)
            if loaded.problems:
                pytest.fail("\n".join(problem.render() for problem in loaded.problems), pytrace=False)

        @pytest.mark.parametrize("path", every)
        def test_fight_keeps_the_promises_of_core(self, path: Path) -> None:
            """Offers are accepted, events make the state, steps can be repeated, effects end in time."""
            encounter = _encounter(ruleset, path)
            run_state_machine_as_test(machine(lambda: (ruleset, encounter)), settings=_short())

        @pytest.mark.parametrize("path", every)
        def test_fight_has_no_problem(self, path: Path) -> None:
            """Played at random, the fight shows no problem that `tracker check --ruleset` looks for."""
            if problems := inspect(ruleset, {path.name: _encounter(ruleset, path)}).problems:
                pytest.fail("\n".join(map(str, problems)), pytrace=False)

    return Encounters


def _encounter(ruleset: Ruleset, path: Path) -> Encounter:
    loaded = load_encounter(path, lambda key: ruleset)
    assert loaded.encounter is not None, loaded.problems
    return loaded.encounter


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.yaml")) if place.is_dir() else [place]


def _short() -> settings:
    """Return settings that play long enough to find a broken promise, and shorten no fight."""
    return settings(
        max_examples=FIGHTS,
        stateful_step_count=STEPS,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
