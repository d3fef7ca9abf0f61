"""`tracker forecast`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tracker.cli.main import main

CISTERN = str(Path(__file__).parents[2] / "encounters" / "githack" / "jelly_cistern.yaml")


def test_it_tells_who_wins_and_who_falls(capsys: pytest.CaptureFixture[str]) -> None:
    """Given an encounter, chances come with intervals, and each hero with its fate."""
    status = main(["forecast", CISTERN, "--fights", "20"])

    out = capsys.readouterr().out
    assert status == 0
    assert "20 fights, both sides focused" in out
    assert "Party" in out
    assert "100% (84 to 100%)  ███" in out
    assert "Mother Ade      falls" in out


def test_numbers_are_swept(capsys: pytest.CaptureFixture[str]) -> None:
    """Given a range, each number has its line."""
    words = ["--count", "rat-swarm=1..2", "--without", "grey-jelly", "--fights", "20", "--json"]
    assert main(["forecast", CISTERN, *words]) == 0

    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["with"] for one in documents] == ["1 rat-swarm", "2 rat-swarm"]
    assert all(one["fights"] == 20 and one["won"]["low"] <= one["won"]["share"] for one in documents)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--without", "dragon"), 'tracker: there is no "dragon" in this encounter (brannoc, '),
        (("--count", "ghoul"), 'tracker forecast: argument --count: "ghoul": write NAME=N..M, such as goblin=6..12'),
        (("--count", "ghoul=5..2"), 'tracker forecast: argument --count: "ghoul=5..2": write NAME=N..M'),
        (("--fights", "0"), 'tracker forecast: argument --fights: "0": give a number of fights from 1'),
    ],
)
def test_what_cannot_be_is_refused(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each slip of the command line has one line, with the way on."""
    assert main(["forecast", CISTERN, *words]) != 0

    error = capsys.readouterr().err
    assert error.startswith(said)
    assert error.count("\n") == 1
