"""The map: which tests reach each mutant.

It is made by running all tests once, and kept in `build/`. A mutant is reached by a test that runs a line of its
statement. What runs when modules are loaded is reached by every test that runs anything of the module, and so is what
no test runs in its own process.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path

import coverage
import msgspec
from msgspec import Struct

from tests.mutants.copies import CODE, ROOT, environment_of, make_copy
from tests.mutants.listed import Missing, Mutant, Places, Unit

MAP = ROOT / "build" / "mutants" / "map.json"
NOT_MAPPED = ("tests/e2e", "tests/serve", "tests/release", "tests/windows", "tests/mutants")
"""Tests of the terminal, the browser and the package: slow, and others run the same code."""
TIMED = ("tests/faults/test_load.py", "tests/ui/fight/test_sheet.py::test_a_side_acts_with_two_keys")
"""Tests that ask how long something takes: on a busy machine they fail without a mutant."""
QUICK = ("tests/core", "tests/kit", "tests/rules", "tests/session", "tests/golden")
FIRST, FIRST_SECONDS = 40, 8.0
"""How many tests are tried at once, and how many seconds they may take."""
MOST_SECONDS = 600.0
"""How many seconds of tests the map keeps for a mutant."""


class Map(Struct):
    """Which tests reach each mutant.

    Attributes:
        tree: a sum over the code it was made of.
        tests: each test with its seconds, under the measurement.
        reach: the tests of each mutant, as places in `tests`, those first that tell soonest.
    """

    tree: str
    tests: list[tuple[str, float]]
    reach: dict[str, list[int]]

    def batches(self, mutant: str, seconds: float, never: Collection[str] = ()) -> list[list[tuple[str, float]]]:
        """Return the tests to try on a mutant in two batches, within some seconds.

        The first is small, as most mutants need no more. `never`: tests that fail without a mutant.
        """
        first: list[tuple[str, float]] = []
        others: list[tuple[str, float]] = []
        spent = 0.0
        for place in self.reach.get(mutant, ()):
            test, cost = self.tests[place]
            if test in never or spent + cost > seconds:
                continue
            spent += cost
            batch = first if len(first) < FIRST and spent <= FIRST_SECONDS else others
            batch.append((test, cost))
        return [by_file(batch) for batch in (first, others) if batch]


def by_file(tests: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Put the tests of one file together, so that its fixtures are made once."""
    places: dict[str, int] = {}
    for test, _ in tests:
        places.setdefault(file_of(test), len(places))
    return sorted(tests, key=lambda test: places[file_of(test[0])])


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def tree_sum() -> str:
    """Return a sum over the code and the tests, but for the mutants themselves."""
    found = hashlib.sha256()
    for path in sorted(path for name in CODE for path in (ROOT / name).rglob("*")):
        if path.suffix in (".py", ".yaml") and "mutants" not in path.relative_to(ROOT).parts:
            found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def read_map() -> Map:
    """Read the map that was made last."""
    return msgspec.json.decode(MAP.read_bytes(), type=Map)


def make_map(mutants: list[Mutant], jobs: int) -> Map:
    """Run the tests once under a measurement, and keep which of them reach each mutant."""
    tree = tree_sum()
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        folder, measured = Path(temporary, "tree"), Path(temporary, "measured")
        folder.mkdir()
        measured.mkdir()
        measure(make_copy(folder), measured, jobs)
        tests, reach = reach_of(mutants, Places(folder), measured)
    MAP.parent.mkdir(parents=True, exist_ok=True)
    MAP.write_bytes(msgspec.json.encode(made := Map(tree, tests, reach)))
    return made


def measure(folder: Path, measured: Path, jobs: int) -> None:
    """Run the tests of a copy under the measurement."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "tests.mutants.coverage_plugin", "-p", "no:cacheprovider"]
    command += ["-n", str(jobs), "--dist", "worksteal", *(f"--ignore={name}" for name in NOT_MAPPED)]
    command += [f"--deselect={name}" for name in TIMED]
    environment = environment_of(folder) | {"TRACKER_MUTANTS_MAP": str(measured)}
    subprocess.run(command, cwd=folder, env=environment, check=False)


def reach_of(
    mutants: list[Mutant], places: Places, measured: Path
) -> tuple[list[tuple[str, float]], dict[str, list[int]]]:
    """Return the tests that reach mutants, and for each mutant their places."""
    seconds: dict[str, float] = {}
    for path in measured.glob("seconds.*"):
        seconds |= json.loads(path.read_bytes())
    coverage_of = coverage.Coverage(data_file=str(measured / "all"), config_file=False)
    coverage_of.combine([str(path) for path in measured.glob("lines.*")])
    lines = coverage_of.get_data()
    tests: dict[str, int] = {}
    reach = {}
    for mutant in mutants:
        try:
            unit = places.find(mutant)
        except Missing:
            continue
        reaching = in_order(mutant, *tests_of(unit, lines.contexts_by_lineno(mutant.path)), seconds)
        reach[mutant.id] = [tests.setdefault(test, len(tests)) for test in reaching]
    return [(test, seconds[test]) for test in tests], reach


def tests_of(unit: Unit, by_line: dict[int, list[str]]) -> tuple[set[str], set[str]]:
    """Return the tests that run a unit, and others that run anything of its module.

    The others are left out if the unit runs in tests only.
    """
    end = unit.node.end_lineno or unit.node.lineno
    found: set[str] = set()
    for begin in (unit.node.lineno, unit.statement.lineno):
        found = found or {test for line in range(begin, end + 1) for test in by_line.get(line, ())}
    everything = {test for tests in by_line.values() for test in tests}
    return found, set() if found and "" not in found else everything - found


def in_order(mutant: Mutant, reaching: set[str], near: set[str], seconds: dict[str, float]) -> list[str]:
    """Sort the tests of a mutant, the likeliest and quickest first.

    Tests of the same package come first, and one case of each test function comes before the second of any.
    """
    own = homes_of(mutant.path)
    ordered: list[str] = []
    for tests in (reaching, near):
        cases: Counter[str] = Counter()
        rank = {}
        for test in sorted(tests & seconds.keys(), key=lambda test: (seconds[test], test)):
            home = 0 if test.startswith(own) else 1 if test.startswith(QUICK) else 2
            cases[function := test.partition("[")[0]] += 1
            rank[test] = (home, cases[function], seconds[test], test)
        ordered += sorted(rank, key=rank.__getitem__)
    return within(ordered, seconds, MOST_SECONDS)


def homes_of(path: str) -> tuple[str, ...]:
    """Return where the tests of a module are."""
    package, name = path.split("/")[:2]
    if package == "tracker":
        return (f"tests/{name}/",)
    if name == "without_number":
        return ("tests/rules/worlds_without_number/", "tests/rules/sovereign/")
    return (f"tests/rules/{name}/",)


def within(tests: Iterable[str], seconds: dict[str, float], most: float) -> list[str]:
    """Return the first tests that take so many seconds together."""
    found = []
    for test in tests:
        if (most := most - seconds[test]) < 0:
            break
        found.append(test)
    return found
