"""A game of one's own to begin with: it can be played, checked and tested as it is written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tracker.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
KEY = "storm_riders"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new game, with what an installation adds."""
    folder = tmp_path_factory.mktemp("own") / "game"
    assert main(["new", "ruleset", KEY, str(folder)]) == 0
    installed = folder / f"{KEY}-0.1.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text(f"[tracker.rulesets]\n{KEY} = {KEY}:RULESET\n", "utf-8")
    return folder


def ran(game: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python in the folder of the game."""
    paths = os.pathsep.join((str(game), str(ROOT)))
    own = {**os.environ, "PYTHONPATH": paths, "XDG_DATA_HOME": str(game.parent)}
    command = [sys.executable, "-m", *words]
    return subprocess.run(command, cwd=game, env=own, capture_output=True, text=True, timeout=120, check=False)


def test_its_files_and_its_rules_have_no_mistake(game: Path) -> None:
    files, rules = ran(game, "tracker", "check", "fights"), ran(game, "tracker", "check", "--ruleset", KEY)

    assert (files.returncode, files.stdout) == (0, "")
    assert (rules.returncode, rules.stdout) == (0, "")
    assert "no problems in Storm Riders" in rules.stderr


def test_its_first_fight_is_played(game: Path) -> None:
    (game / "script.yaml").write_text("- start: {}\n- advance\n- advance\n", "utf-8")

    played = ran(game, "tracker", "run", "fights/first_fight.yaml", "--script", "script.yaml", "--seed", "4")

    assert (played.returncode, '"round":1' in played.stdout) == (0, True)


def test_its_tests_pass(game: Path) -> None:
    """Its vectors, and its fights at random; every rule has a vector."""
    tested = ran(game, "pytest", "-q", "-p", "no:cacheprovider")

    assert tested.returncode == 0, tested.stdout
    assert "passed" in tested.stdout


def test_a_vector_that_fails_says_what_differs(game: Path) -> None:
    """In a line, without the program's own code."""
    text = (game / "vectors.yaml").read_text("utf-8")
    wrong = text.replace("expect: {order: [Ada, Wolf]}", "expect: {order: [Wolf, Ada]}")
    (game / "wrong.yaml").write_text(wrong, "utf-8")
    test = (game / f"test_{KEY}.py").read_text("utf-8").replace('"vectors.yaml"', '"wrong.yaml"')
    (game / "test_wrong.py").write_text(test, "utf-8")

    tested = ran(game, "pytest", "-q", "-p", "no:cacheprovider", "-k", "test_vector", "test_wrong.py")

    assert tested.returncode == 1
    assert "\nSR-01-order: order[0] is r1/ada or Ada, not Wolf; order[1] is r1/wolf or Wolf, not Ada\n" in tested.stdout
    assert "tracker/testing" not in tested.stdout


def test_a_rule_without_a_vector_is_named(game: Path) -> None:
    text = (game / "vectors.yaml").read_text("utf-8")
    (game / "fewer.yaml").write_text(text.replace("rules: [SR-01]", "rules: [SR-09]"), "utf-8")
    test = (game / f"test_{KEY}.py").read_text("utf-8").replace('"vectors.yaml"', '"fewer.yaml"')
    (game / "test_fewer.py").write_text(test, "utf-8")

    tested = ran(game, "pytest", "-q", "-p", "no:cacheprovider", "-k", "rule", "test_fewer.py")

    assert "\nno vector names SR-01 in its `rules`\n" in tested.stdout
    assert "\nthe rulebook has no SR-09\n" in tested.stdout


def test_a_campaign_of_it_has_no_mistake(game: Path) -> None:
    """A game that names no stat block to begin with gets one with the keys it requires."""
    begun, checked = ran(game, "tracker", "new", "campaign", KEY, "mine"), ran(game, "tracker", "check", "mine")

    assert begun.returncode == 0, begun.stderr
    assert (checked.returncode, checked.stdout) == (0, "")
    assert "hp: 1" in (game / "mine" / "party.yaml").read_text("utf-8")


def test_nothing_is_written_over(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (game / KEY / "game.py").read_text("utf-8")

    assert main(["new", "ruleset", KEY, str(game)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (game / KEY / "game.py").read_text("utf-8") == before


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (
            "storm-riders",
            '"storm-riders" cannot be the name of a package: small letters, digits and _, such as storm_riders',
        ),
        ("Storm", '"Storm" cannot be the name of a package: small letters, digits and _, such as storm'),
        ("class", '"class" cannot be the name of a package'),
        ("githack", 'there is a ruleset "githack" already'),
        ("rulesets", 'there is a package "rulesets" already'),
        ("json", 'there is a package "json" already'),
    ],
)
def test_a_key_that_cannot_be_one_is_refused(
    key: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new", "ruleset", key, str(tmp_path / "game")]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "game").exists()


def test_a_package_with_a_name_of_the_program_s_own_is_refused(tmp_path: Path) -> None:
    """One of the two would hide or overwrite the other, so the check says why before it plays."""
    installed = tmp_path / "storm-1.0.dist-info"
    installed.mkdir()
    (installed / "entry_points.txt").write_text("[tracker.rulesets]\nstorm = rulesets.storm:RULESET\n", "utf-8")

    said = ran(tmp_path, "tracker", "check", "--ruleset", "storm")

    assert said.returncode == 2
    assert '"storm" comes in a package called "rulesets", the name of one of the program\'s own' in said.stderr
    assert "give yours a name of its own" in said.stderr
