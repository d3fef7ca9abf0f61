"""Golden fights come out as they were kept, line by line, in any interpreter."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.cases import Case, cases, play

ROOT = Path(__file__).parents[2]

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_fight_comes_out_as_it_was_kept(case: Case) -> None:
    """Every line is what it was. See `tests/golden/__init__.py` for how to keep a new one."""
    output = play(case)

    assert (output.status, output.err) == (0, "")
    expected = case.expected.splitlines()
    for number, line in enumerate(output.out.splitlines()):
        kept = json.loads(expected[number]) if number < len(expected) else "nothing"
        assert json.loads(line) == kept, f"line {number + 1}"
    assert output.out == case.expected


PLAY = """
import json
from tests.golden.cases import cases, play
print(json.dumps({case.name: play(case) for case in cases()}))
"""


def test_fights_come_out_the_same_whatever_the_hash_seed() -> None:
    """No byte depends on the order in which the interpreter hashes."""
    run = subprocess.run(
        [sys.executable, "-c", PLAY],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4711"},
    )

    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout) == {case.name: [0, case.expected, ""] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_numbers_below_zero_have_a_minus_sign(case: Case) -> None:
    """No line of a log has a hyphen before a number for a minus."""
    lines = [line for entry in case.expected.splitlines() for line in json.loads(entry).get("log", ())]

    assert [line for line in lines if re.search(r"(?<![\w\]-])-[0-9]", line)] == []


def test_there_are_golden_fights() -> None:
    """The folder is found."""
    assert "skirmish/brawl" in [case.name for case in CASES]
