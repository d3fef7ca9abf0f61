"""`tracker check` knows what a value means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.tables import rows, table
from tracker.cli.main import main
from tracker.core.game.file_syntax import Shorthand
from tracker.library.content.encounters import load_encounter
from tracker.library.content.library import entries_in
from tracker.library.content.lint import lint_file
from tracker.library.content.members import BlockSource, member_of
from tracker.library.validation.semantics import syntax_of
from tracker.library.yaml.tree import parse
from tracker.session.rulesets import registry

GAMES = ("githack", "sovereign", "spelljammer", "sword_world", "worlds_without_number")
LEAST: dict[str, Any] = table(__file__, "least")


def said(game: str, text: str, folder: Path) -> list[str]:
    """Return what a check says of a file, without its place."""
    file = folder / "file.yaml"
    file.write_text(f"ruleset: {game}\n{text}", encoding="utf-8")
    return [
        f"{problem.path}: {problem.message}" + (f" ({problem.hint})" if problem.hint else "")
        for problem in lint_file(file, registry.find, (), registry.rulesets())
    ]


@pytest.mark.parametrize(("game", "text", "line"), rows(__file__, "a_value_that_means_nothing_is_said"))
def test_a_value_that_means_nothing_is_said(game: str, text: str, line: str, tmp_path: Path) -> None:
    """Where it stands, what it is, and what is likely meant."""
    (tmp_path / "party.yaml").write_text(
        f"ruleset: {game}\ncharacters: [{next(iter(LEAST[game].values()))}]\n", "utf-8"
    )

    found = said(game, text, tmp_path)

    assert [each for each in found if line in each], found


@pytest.mark.parametrize(("game", "text"), rows(__file__, "what_may_well_be_meant_passes"))
def test_what_may_well_be_meant_passes(game: str, text: str, tmp_path: Path) -> None:
    """Names of one's own, copies by number, and whatever the case."""
    assert said(game, text, tmp_path) == []


def test_the_game_is_not_kept_from_playing_it(tmp_path: Path) -> None:
    """Only a check says so: what is typed is what is played."""
    file = tmp_path / "ogre.yaml"
    file.write_text("ruleset: worlds_without_number\nsides: [{name: A, members: [{name: Ogre, ac: 170}]}]\n", "utf-8")

    assert load_encounter(file, registry.find).problems == ()


def test_a_broken_bestiary_is_said_once(tmp_path: Path) -> None:
    """References may well stand behind its one mistake."""
    (tmp_path / "beasts.yaml").write_text("ruleset: githack\nmonsters:\n  - {name: Rat, damage: 1d4\n", "utf-8")
    members = ", ".join(f"{{ref: beast-{number}}}" for number in range(40))

    found = said("githack", f"sides: [{{name: A, members: [{members}]}}]\n", tmp_path)

    assert len(found) == 1
    assert "no stat block" not in found[0]


def test_what_should_be_looked_over_is_no_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is listed and counted, and the exit status stays 0."""
    file = tmp_path / "beasts.yaml"
    line = "'3  14  +4 x2  1d6  1/13  far  8  6  +1  14+'"
    file.write_text(f"ruleset: worlds_without_number\nmonsters: [{{name: C, stat_line: {line}}}]\n", "utf-8")

    status = main(["check", str(file)])
    out, err = capsys.readouterr()

    assert status == 0
    assert out.endswith("[look it over]\n")
    assert err == "no problems in 1 file, 1 to look over\n"


SHORT = [(game, short) for game in GAMES for short in syntax_of(registry.find(game).schema).short]


@pytest.mark.parametrize(("game", "short"), [pytest.param(*each, id=f"{each[0]}-{each[1].typed}") for each in SHORT])
def test_every_short_form_is_read(game: str, short: Shorthand) -> None:
    """What the page shows can be typed in a stat block of that kind."""
    ruleset = registry.find(game)
    typed = short.typed if short.typed.startswith("{") else f"{{{short.typed}}}"
    least = LEAST[game][short.kind].removesuffix("}").removeprefix("{")
    own = parse(typed.encode(), "short.yaml").value
    whole = parse(f"{{{least}}}".encode(), "least.yaml").value
    assert isinstance(own, dict)
    assert isinstance(whole, dict)
    tree = parse(b"- {}", "page.yaml")
    (entry,) = entries_in(tree)
    entry.plain.update({"kind": short.kind, **whole, **own})

    _, problems = member_of(ruleset, BlockSource(entry, {}), "gm")

    assert [problem.render() for problem in problems] == []


@pytest.mark.parametrize("game", GAMES)
def test_the_words_of_other_games_are_none_of_its_own(game: str) -> None:
    """A usual word is no key, and leads to one name of a place."""
    words = syntax_of(registry.find(game).schema).words

    assert len(words) == len(set(words)) > 5
