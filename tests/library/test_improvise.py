"""A line of foes becomes an encounter, and any encounter the text of a file."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tables import for_each
from tracker.cli.loading import playable
from tracker.library.content.encounter_text import encounter_text
from tracker.library.content.encounters import load_encounter, read_encounter
from tracker.library.content.improvise import Improvised, improvise
from tracker.library.content.library import Library
from tracker.library.yaml.tree import parse
from tracker.session.rulesets import registry

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
CASES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
FIGHTS = sorted(path for path in ENCOUNTERS.glob("*/*.yaml") if path.stem not in ("bestiary", "party"))
LIBRARIES = {game: Library(ENCOUNTERS / game) for game in {case["game"] for case in CASES}}


def understood(game: str, line: str) -> Improvised:
    return improvise(line, registry.find(game), LIBRARIES[game], "party.yaml")


@for_each("case", CASES)
def test_a_line_of_foes(case: dict[str, object]) -> None:
    """The text that is made says what the line says, and is a whole encounter; or what is wrong is said."""
    found = understood(str(case["game"]), str(case["line"]))

    if "problems" in case:
        wanted = case["problems"]
        assert isinstance(wanted, list)
        assert len(found.problems) == len(wanted)
        assert all(problem.startswith(start) for problem, start in zip(found.problems, wanted, strict=True))
        return
    written = yaml.safe_load(found.text)
    foes = written["sides"][-1]
    waves = {wave["when"]: wave["members"] for wave in written.get("waves", ())}
    assert found.problems == ()
    assert (written["title"], foes["members"]) == (case["title"], case["present"])
    assert written["screen"] == {"title": "A fight"}, "the title names foes that players have not met"
    assert waves == {key: value for key, value in case.items() if str(key).startswith("round ")}
    assert found.loaded is not None
    assert found.loaded.encounter is not None
    assert [side.control for side in found.loaded.encounter.sides] == ["players", "gm"]


def test_what_is_usual_is_said() -> None:
    """A made-up creature has the game's usual values, and the note says which; one with several fitting names them."""
    made_up = understood("githack", 'crab 2d6 "Old Snip"')
    several = understood("githack", "2 goblin")

    assert made_up.notes == ("Old Snip · made up; usual here: ac 2, hd 1d8 · damage 2d6",)
    assert several.notes == ("2 × Goblin · also: Goblin Archer, Goblin Drummer",)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet='3d+- ,"abghlnoprtu:{}[]#&*!|>%@`\\\n', max_size=40), st.sampled_from(sorted(LIBRARIES)))
def test_any_line_is_answered(line: str, game: str) -> None:
    """Whatever is typed, the result is an encounter or a reason, never an error."""
    found = understood(game, line)

    assert found.problems or found.loaded is None or found.loaded.encounter is not None


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_an_encounter_is_written_as_a_file(path: Path, tmp_path: Path) -> None:
    """The text of every bundled encounter, read in an empty folder, is the same encounter: map, waves and all."""
    encounter, ruleset = playable(load_encounter(path, registry.find))

    text = encounter_text(ruleset, encounter, ("a comment",))
    again = read_encounter(parse(text.encode(), "text"), Library(tmp_path), registry.find)

    assert text.startswith("# a comment\nruleset: ")
    assert (again.problems, again.encounter) == ((), encounter)
