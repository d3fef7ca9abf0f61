"""`tracker check --ruleset`, and the test-suite that a ruleset gets in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.harness.games import FIGHTS, fight_of
from tests.support import example_ruleset
from tests.testing.slippery import RULES, SOUND, with_deed
from tracker.cli.main import main
from tracker.kit import Action, Ctx, Ruleset
from tracker.session.rulesets import registry
from tracker.testing import inspect, suite, untested
from tracker.testing.vectors import VectorFile

FIGHT = """\
ruleset: duel
title: A duel
sides:
  - {name: Party, control: players, members: [{name: Ada}]}
  - {name: Goblins, control: gm, members: [{name: Goblin}]}
"""


def overspend(ctx: Ctx, action: Action) -> None:
    ctx.spend(action.by or "", "main", "D-2", amount=3)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Go into an empty folder, and install the duel."""
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, SOUND)
    return tmp_path


def install(monkeypatch: pytest.MonkeyPatch, ruleset: Ruleset) -> None:
    find = registry.find
    monkeypatch.setattr(registry, "find", lambda key: ruleset if key == "duel" else find(key))
    monkeypatch.setattr(registry, "rulesets", lambda: ("duel",))


def test_a_sound_game_is_said_to_be_so(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an encounter, status 0 and a line that says what was played."""
    (installed / "ford.yaml").write_text(FIGHT)

    assert main(["check", "--ruleset", "duel"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("no problems in Duel, played 12 fights and ")
    assert err.endswith("steps of ford.yaml\n")


def test_slips_are_lines(installed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A game with a mistake is status 2 and one line with the place."""
    install(monkeypatch, with_deed(overspend))
    (installed / "fights").mkdir()
    (installed / "fights" / "ford.yaml").write_text(FIGHT)

    assert main(["check", "--ruleset", "duel", "fights"]) == 2
    out, err = capsys.readouterr()
    assert [line.partition(" ")[2] for line in out.splitlines()] == ['in overspend: the budget "main" is overspent']
    assert err.startswith("1 problem in Duel, played 12 fights")


def test_a_fight_is_made_up_where_there_is_none(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without an encounter, stat blocks that need only a name make a fight."""
    assert main(["check", "--ruleset", "duel"]) == 0
    assert capsys.readouterr().err.endswith("of a made-up fight\n")


def test_a_broken_encounter_is_a_problem(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong in the file is told as `tracker check` tells it."""
    (installed / "ford.yaml").write_text(FIGHT.replace("name: Ada", "name: Ada, hp: lots"))

    assert main(["check", "--ruleset", "duel", "ford.yaml"]) == 2
    assert capsys.readouterr().out.startswith("ford.yaml:4:")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--ruleset", "nonsense"), 'tracker: there is no ruleset "nonsense"'),
        ((), "tracker check: name a file, a folder, or a game with --ruleset"),
    ],
)
def test_what_cannot_be_checked_is_one_line(
    installed: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """An unknown game, or nothing to check, is status 2 and one line."""
    assert main(["check", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith(said), err.count("\n")) == ("", True, 1)


@pytest.mark.parametrize("key", FIGHTS)
def test_bundled_games_have_no_slip(key: str) -> None:
    """Every game that comes with the program is clean."""
    fights = {"first": fight_of(key, 0)[1]}

    assert [str(slip) for slip in inspect(registry.find(key), fights, 1).problems] == []


FOLDER = Path(example_ruleset.__file__).parent

TestExample = suite(
    example_ruleset.RULESET,
    vectors=FOLDER / "example_vectors.yaml",
    encounters=FOLDER / "example_encounter.yaml",
    complete=False,
)


def test_a_suite_has_a_test_of_each_kind() -> None:
    """Vectors and encounters each bring their tests."""
    tests = sorted(name for name in dir(TestExample) if name.startswith("test_"))

    assert tests == [
        "test_encounter_is_sound",
        "test_every_rule_has_a_vector",
        "test_fight_has_no_problem",
        "test_fight_keeps_the_promises_of_core",
        "test_vector",
        "test_vectors_have_names_of_their_own",
        "test_vectors_name_existing_rules",
    ]


def test_a_rule_without_a_vector_fails() -> None:
    """A rule the program applies needs a vector, where that is asked for."""
    asked = suite(example_ruleset.RULESET, vectors=FOLDER / "example_vectors.yaml")

    with pytest.raises(pytest.fail.Exception, match="no vector names KN-01, KN-02, KN-07"):
        asked().test_every_rule_has_a_vector()


def test_untested_rules_come_in_the_order_of_the_book() -> None:
    """Only rules of kind auto, ask or option count."""
    assert untested(RULES, {f"D-{number}" for number in range(1, 8)}) == ["D-8", "D-9"]


@pytest.mark.parametrize("unseen", [{"log": ["hits"]}, {"no_log": ["misses"]}, {"pending": None}])
def test_a_vector_expects_nothing_of_a_log_or_an_open_question(unseen: dict[str, object]) -> None:
    """A vector has no log and no pending request, so expectations of them are refused."""
    book = VectorFile(example_ruleset.RULESET, FOLDER / "example_vectors.yaml")
    vector = {**book.vectors[0], "expect": unseen}

    with pytest.raises(AssertionError, match=f"a vector has no {next(iter(unseen))} to expect"):
        book.play(vector)
