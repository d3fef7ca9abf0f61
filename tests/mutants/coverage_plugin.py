"""A plug-in of pytest that notes the lines and the seconds of each test.

It is loaded with `-p tests.mutants.coverage_plugin`; `TRACKER_MUTANTS_MAP` names the folder for its files. Before each
test every cache of the program is emptied, so that a line is known to all tests that need it, not only to the first.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections import deque
from collections.abc import Generator, Iterator
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FunctionType

import coverage
import pytest

MEASURED = ("tracker/core", "tracker/session", "rulesets")
FOLDER = Path(os.environ["TRACKER_MUTANTS_MAP"])
COMPARED = ("tracker.core.game.schema",)
"""Modules whose caches stay: what they hold is compared by identity."""
LINES, SECONDS = "lines", "seconds"
"""The names of the files: what coverage has measured, and the seconds of each test that passed."""


class Lines:
    """The measurement, with a context for each test."""

    def __init__(self) -> None:
        self._coverage = coverage.Coverage(
            data_file=str(FOLDER / LINES), data_suffix=True, config_file=False, source=list(MEASURED)
        )
        self._coverage.set_option("run:relative_files", True)
        self._coverage.set_option("run:disable_warnings", ["trace-changed", "no-data-collected"])
        self._coverage.start()

    def begin(self, test: str) -> None:
        """Note what runs from now on as this test's."""
        if sys.gettrace() is None:  # a test of the time limit has taken the trace function away
            self._coverage.stop()
            self._coverage.start()
        self._coverage.switch_context(test)

    def save(self) -> None:
        """Write down what has been measured."""
        self._coverage.stop()
        self._coverage.save()


class Caches:
    """The caches of the measured modules: those of functools, and what decorated functions keep."""

    def __init__(self) -> None:
        self._modules = 0
        self._emptied: list[_lru_cache_wrapper[object] | dict[object, object] | deque[object]] = []

    def empty(self) -> None:
        """Empty them all."""
        if self._modules != len(sys.modules):
            self._modules = len(sys.modules)
            self._emptied = list(self._find())
        for kept in self._emptied:
            if isinstance(kept, _lru_cache_wrapper):
                kept.cache_clear()
            else:
                kept.clear()

    def _find(self) -> Iterator[_lru_cache_wrapper[object] | dict[object, object] | deque[object]]:
        measured = tuple(name.replace("/", ".") for name in MEASURED)
        modules = [
            vars(module)
            for name, module in sorted(sys.modules.items())
            if name.startswith(measured) and name not in COMPARED
        ]
        members = [member for module in modules for member in module.values()]
        members += [member for one in members if isinstance(one, type) for member in vars(one).values()]
        for member in members:
            if isinstance(member, _lru_cache_wrapper):
                yield member
            elif isinstance(member, FunctionType) and hasattr(member, "__wrapped__"):
                for cell in member.__closure__ or ():
                    if isinstance(cell.cell_contents, dict | deque):
                        yield cell.cell_contents


_lines, _caches = Lines(), Caches()
_seconds: dict[str, float] = {}
_not_passed: set[str] = set()


def computed() -> float:
    """Return the seconds that this process and its children have computed.

    Unlike the time of a clock they depend little on other programs.
    """
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    _caches.empty()
    _lines.begin(item.nodeid)
    begun = computed()
    try:
        return (yield)
    finally:
        _seconds[item.nodeid] = round(computed() - begun, 4)
        _lines.begin("")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if not report.passed:
        _not_passed.add(report.nodeid)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    _lines.save()
    passed = {test: seconds for test, seconds in _seconds.items() if test not in _not_passed}
    (FOLDER / f"{SECONDS}.{os.getpid()}").write_text(json.dumps(passed), encoding="utf-8")
