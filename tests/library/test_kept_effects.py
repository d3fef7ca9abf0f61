"""The file of the game master's own effects. What it offers, what is wrong with it, and adding to it without harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rulesets.worlds_without_number import RULESET
from tests.windows.systems import NEEDS_LINKS
from tracker.library.content.effect_presets import EffectPreset, add_preset, read_presets

BLESSED = EffectPreset("blessed", RULESET.key, {"attack": 1}, "3 rounds", "the chaplain's prayer")


def problems(path: Path) -> list[str]:
    return [problem.render() for problem in read_presets(path, RULESET)[1]]


def test_no_file_is_no_problem(tmp_path: Path) -> None:
    assert read_presets(tmp_path / "effects.yaml", RULESET) == ((), ())


def test_effects_of_this_game_and_of_all_games_are_offered(tmp_path: Path) -> None:
    """One for all games is offered where the game knows its numbers; of two with one name the later counts."""
    path = tmp_path / "effects.yaml"
    path.write_text(
        "- {name: sung to, duration: 3 rounds}\n- {name: hexed, game: githack, modifiers: {ac: -1}}\n"
        "- {name: slowed, modifiers: {tmr: -5}}\n"
        "- name: faerie fire\n  game: worlds_without_number\n  modifiers: {ac_melee: -2, ac_ranged: -2}\n"
        "- {name: Sung to, note: louder}\n"
    )

    kept, wrong = read_presets(path, RULESET)

    assert wrong == ()
    assert [(one.name, one.duration, one.note) for one in kept] == [("Sung to", "", "louder"), ("faerie fire", "", "")]


def test_wrong_entries_cost_only_themselves(tmp_path: Path) -> None:
    """Each problem has its place and what was probably meant."""
    path = tmp_path / "effects.yaml"
    path.write_text(
        "- {name: blessed, game: worlds_without_number, modifiers: {atack: 1}}\n- {nmae: shaken}\n"
        "- {name: mazed, game: worlds_without_number, duration: for ever and a day}\n"
        "- {name: prayed for, modifiers: {attack: 1}}\n"
    )

    assert [one.name for one in read_presets(path, RULESET)[0]] == ["prayed for"]
    assert [problem.partition(": ")[0] for problem in problems(path)] == [
        "effects.yaml:1:60",
        "effects.yaml:2:4",
        "effects.yaml:3:56",
    ]


@pytest.mark.parametrize("content", ["name: blessed\n", "- {name: [\n", "\x00\x01", "just words\n"])
def test_broken_file_offers_nothing_and_says_why(content: str, tmp_path: Path) -> None:
    path = tmp_path / "effects.yaml"
    path.write_text(content)

    assert read_presets(path, RULESET)[0] == ()
    assert len(problems(path)) == 1


def test_keeping_adds_a_line_and_leaves_the_rest_alone(tmp_path: Path) -> None:
    """Comments, order and form of the file survive; its last line may have no end, and its list may be set in."""
    path = tmp_path / "effects.yaml"
    path.write_text("# mine\n\n  - name: shaken   # by dread\n    duration: 1 round")

    add_preset(path, BLESSED)

    line = (
        "  - {name: blessed, game: worlds_without_number, modifiers: {attack: 1}, duration: 3 rounds, note: the "
        "chaplain's prayer}\n"
    )
    assert path.read_text() == "# mine\n\n  - name: shaken   # by dread\n    duration: 1 round\n" + line
    assert [one.name for one in read_presets(path, RULESET)[0]] == ["shaken", "blessed"]


def test_file_of_comments_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "effects.yaml"
    path.write_text("# my own effects\n")

    assert read_presets(path, RULESET) == ((), ())
    add_preset(path, BLESSED)
    assert path.read_text().startswith("# my own effects\n- {name: blessed, ")


def test_keeping_makes_the_file_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "config" / "effects.yaml"

    add_preset(path, BLESSED)

    assert read_presets(path, RULESET)[0] == (BLESSED,)
    assert [found.name for found in path.parent.iterdir()] == ["effects.yaml"]


@pytest.mark.parametrize("content", ["[{name: shaken}]\n", "name: shaken\n", "- {name: [\n", "- {name: shaken}\n...\n"])
def test_file_that_cannot_be_added_to_is_left_alone(content: str, tmp_path: Path) -> None:
    """What the file would not hold afterwards is not written."""
    path = tmp_path / "effects.yaml"
    path.write_text(content)

    with pytest.raises(ValueError, match=r"effects\.yaml"):
        add_preset(path, BLESSED)

    assert path.read_text() == content


@NEEDS_LINKS
def test_link_stays_a_link(tmp_path: Path) -> None:
    """A file kept in git and linked to is written where it is."""
    real, link = tmp_path / "mine.yaml", tmp_path / "effects.yaml"
    real.write_text("- {name: shaken}\n")
    os.symlink(real, link)

    add_preset(link, BLESSED)

    assert link.is_symlink()
    assert len(real.read_text().splitlines()) == 2


@given(name=some.text(min_size=1, max_size=20).filter(str.strip), note=some.text(max_size=20))
def test_any_name_is_kept_as_it_is_or_refused(name: str, note: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the name, the file offers the effect afterwards or stays as it was."""
    path = tmp_path_factory.mktemp("kept") / "effects.yaml"
    path.write_text("- {name: shaken}\n")
    kept = EffectPreset(name, RULESET.key, {"attack": -1}, "", note)
    try:
        add_preset(path, kept)
    except ValueError:
        assert path.read_text() == "- {name: shaken}\n"
    else:
        assert kept in read_presets(path, RULESET)[0]
