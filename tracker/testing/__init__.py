"""What tests of a ruleset need, from one place.

The extra `testing` installs pytest and Hypothesis for it.

* `table`: a fight played step by step, with the answers of a script.
* `vectors`: what the rules say of given dice, and which rules no vector holds.
* `random_play`: actions and answers at random for any game. `state_machine`: the promises of core checked in such
  play, by Hypothesis. `inspection`: the problems that it brings to light.
* `suites`: a whole test-suite in one line.

Everything is loaded when it is first asked for. Only `state_machine` and `suites` need the extra.

    from tracker.testing import suite

    TestKnives = suite(RULESET, vectors=FOLDER / "vectors", encounters=FOLDER / "encounters")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tracker.testing.inspection import Problem, inspect
    from tracker.testing.state_machine import FightMachine
    from tracker.testing.suites import suite
    from tracker.testing.table import Table, edges, fixed, of_kind, plain
    from tracker.testing.vectors import VectorFile, untested

__all__ = [
    "FightMachine", "Problem", "Table", "VectorFile", "edges", "fixed", "inspect", "of_kind", "plain", "suite",
    "untested",
]  # fmt: skip # a plain list of names

_HOMES = {
    "VectorFile": "vectors",
    "FightMachine": "state_machine",
    "Problem": "inspection",
    "inspect": "inspection",
    "suite": "suites",
    "untested": "vectors",
    **dict.fromkeys(("Table", "edges", "fixed", "of_kind", "plain"), "table"),
}


def __getattr__(name: str) -> object:
    """Import a public name when it is asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
