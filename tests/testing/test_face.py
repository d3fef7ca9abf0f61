"""The public face of `tracker.testing`."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tracker.testing

WITHOUT = """
import sys
sys.modules["pytest"] = sys.modules["hypothesis"] = None
from tracker.testing import VectorFile, Problem, Table, inspect, untested
from tracker.cli.commands import check_ruleset
print(sorted(name for name in ("textual", "hypothesis.stateful") if name in sys.modules))
"""


@pytest.mark.parametrize("name", tracker.testing.__all__)
def test_every_name_is_there_and_says_what_it_is(name: str) -> None:
    """Whatever is public can be imported, twice, and has a docstring."""
    first, second = getattr(tracker.testing, name), getattr(tracker.testing, name)

    assert first is second
    assert callable(first)
    assert first.__doc__


def test_nothing_else_is_there() -> None:
    """A name that is not public is an AttributeError."""
    with pytest.raises(AttributeError):
        _ = tracker.testing.nonsense  # type: ignore[attr-defined]  # on purpose


def test_the_inspection_needs_no_test_library() -> None:
    """`tracker check --ruleset` works where neither pytest nor Hypothesis is installed, and loads no interface."""
    run = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False, timeout=60)

    assert (run.returncode, run.stdout.strip()) == (0, "[]"), run.stderr
