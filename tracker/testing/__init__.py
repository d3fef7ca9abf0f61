"""The tools for tests of a ruleset; the extra `testing` installs pytest and Hypothesis for them.

* `table`: a fight played step by step, with given answers.
* `vectors`: the results of given dice by the rules, and the rules without a vector.
* `random_play`: random actions and answers for any game. `state_machine`: checks the promises of core in random play,
  by Hypothesis. `inspection`: the problems of a ruleset in random play.
* `suites`: a whole test suite in one line.

Each name is imported at its first use. Only `state_machine` and `suites` need the extra.

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
    """Import a public name at its first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    member: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return member


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
