"""Problems as they are shown."""

import pytest

from tests.support.tables import for_each, rows
from tracker.library.yaml.problems import Problem, described, did_you_mean, nearest, path_text, visible


def test_a_problem_is_one_line_with_file_place_path_message_and_hint() -> None:
    """The form an editor can jump to."""
    problem = Problem("goblins.yaml", 14, 7, "monsters[3].attacks[0].damage", '"1d" is not dice', "did you mean 1d6?")

    assert (
        'goblins.yaml:14:7: monsters[3].attacks[0].damage: "1d" is not dice (did you mean 1d6?)'
        == str(problem)
        == problem.render()
    )


def test_a_problem_of_the_whole_file_has_no_line() -> None:
    """Line 0 is not shown; neither is an empty path or hint."""
    assert str(Problem("goblins.yaml", message="there is no such file")) == "goblins.yaml: there is no such file"


def test_problems_sort_by_file_and_place() -> None:
    """Line 9 comes before line 10."""
    places = [("b", 1, 1), ("a", 10, 1), ("a", 9, 5), ("a", 9, 4)]

    assert sorted(places) == [
        (problem.file, problem.line, problem.column) for problem in sorted(Problem(*place) for place in places)
    ]


@for_each(("text", "expected"), [*rows(__file__, "what_a_terminal_would_obey_is_spelled_out"), ("\ud800", r"\ud800")])
def test_what_a_terminal_would_obey_is_spelled_out(text: str, expected: str) -> None:
    """Controls, changes of direction, invisible line ends; letters of any script stay."""
    assert expected == visible(text)


def test_every_part_of_a_problem_is_made_visible() -> None:
    """A file name or a key is the user's text as well."""
    shown = str(Problem("\x1b]0;x\x07.yaml", 1, 1, "a\x1b[2J", "b\u202e", "c\nd"))

    assert shown.isprintable()


@for_each(("value", "expected"), rows(__file__, "values_are_named_as_they_stand_in_the_file"))
def test_values_are_named_as_they_stand_in_the_file(value: object, expected: str) -> None:
    """Long texts are cut."""
    assert expected == described(value)


@pytest.mark.parametrize(("path", "expected"), rows(__file__, "paths_read_like_the_file", tuples=True))
def test_paths_read_like_the_file(path: tuple[str | int, ...], expected: str) -> None:
    """Keys that are no plain words stand in quotes."""
    assert expected == path_text(path)


@pytest.mark.parametrize(("word", "expected"), rows(__file__, "the_nearest_candidate_is_the_one_meant"))
def test_the_nearest_candidate_is_the_one_meant(word: str, expected: str | None) -> None:
    """Slips, capitals, spaces and hyphens are seen through; the far-fetched is not offered."""
    assert expected == nearest(word, ["hp", "damage", "damage_bonus", "attack_bonus"])


def test_a_hint_asks_or_is_empty() -> None:
    """No candidate, no hint."""
    assert (did_you_mean("hpp", ["hp", "ac"]), did_you_mean("xyzzy", ["hp", "ac"])) == ("did you mean hp?", "")
