"""What typed blocks mean: tracks, weapons, specials, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.models import Setup, StanceLimits
from rulesets.githack.stat_blocks.shorthand import shorthand
from tests.rules.githack.test_play import monster, pc
from tests.support.tables import rows
from tracker.library.content.encounters import load_encounter
from tracker.library.yaml.problems import Problem


@pytest.mark.parametrize(
    ("typed", "harm", "most"),
    [
        ({}, "..........", 10),
        ({"con": 4}, "....", 4),
        ({"harm": "/x"}, "/x........", 10),
        ({"harm": ["tick", "star"], "harm_max": 3}, "/*.", 3),
    ],
)
def test_a_track_is_filled_up(typed: dict[str, object], harm: str, most: int) -> None:
    """3.1: marks are written out to as many boxes as there are; as many as CON unless told otherwise."""
    found = pc(**typed)

    assert (found.harm, found.harm_max) == (harm, most)


@pytest.mark.parametrize(("typed", "message"), rows(__file__, "wrong_characters"))
def test_wrong_characters(typed: dict[str, object], message: str) -> None:
    """3.1: a mistake is named with its field."""
    with pytest.raises(ValueError, match=message):
        shorthand("pc", {"name": "Ber", **typed})


@pytest.mark.parametrize(("typed", "message"), rows(__file__, "wrong_monsters"))
def test_wrong_monsters(typed: dict[str, object], message: str) -> None:
    """3.2, 3.3: a mistake is named with its field."""
    with pytest.raises(ValueError, match=message):
        shorthand("monster", {"name": "X", "hp": 3, **typed})


@pytest.mark.parametrize(("typed", "doubt"), rows(__file__, "specials_that_cannot_mean_what_they_say"))
def test_specials_that_cannot_mean_what_they_say(typed: dict[str, object], doubt: str) -> None:
    """3.3: what a field cannot do beside the others is flagged for review."""
    damage = "2d6 (claws) plus 1d12 (bite)"
    found = monster({"name": "X", "hp": 3, "damage": damage, "specials": [{"name": "x", **typed}]})

    assert doubt in found.review


def test_specials_that_mean_what_they_say() -> None:
    """A special with everything in its place raises no doubt."""
    typed = [
        {"name": "breath", "when": "instead_of_attack", "dice": "3d6", "area": True, "deep": True, "save": "con"},
        {"name": "rot", "worsen": True, "timing": "after_combat", "part": "bite"},
    ]
    damage = "2d6 (claws) plus 1d12 (bite)"

    assert monster({"name": "X", "hp": 3, "damage": damage, "specials": typed}).review == ()


def test_limits_name_stances() -> None:
    """GH-223: a limit of something else is a mistake of the file."""
    text = "ruleset: githack\nsetup: {stance_limits: {persuit: 2}}\nparty: []\nmonsters: []\n"
    found = [problem.render() for problem in read_encounter(text)]

    assert any("persuit" in line for line in found), found


def test_defaults_of_specials() -> None:
    """3.3: a save leaves half of the dice, and `until: {rounds: 2}` is read."""
    typed = {
        "damage": "1d6",
        "specials": [
            {"name": "bolt", "dice": "3d6", "when": "instead_of_attack"},
            {"name": "daze", "until": {"rounds": 2}, "save": "con, str"},
        ],
    }
    found = monster({"name": "X", "hp": 3, **typed})

    assert [(each.keep_on_save, each.until, each.rounds, each.save) for each in found.specials] == [
        ("1/2", "end_of_combat", 0, ()),
        ("0", "rounds", 2, ("con", "str")),
    ]


def test_weapons_and_sizes() -> None:
    """GH-028, GH-029: sizes are dice, and demon weapons roll 1d10; one with other dice is noted."""
    found = pc(
        weapons=[
            {"name": "dirk", "dice": "small"},
            {"name": "Howl", "demon": True},
            {"name": "Moan", "demon": True, "dice": "2d6"},
        ]
    )

    assert [str(weapon.dice) for weapon in found.weapons] == ["1d4", "1d10", "2d6"]
    assert "Moan" in found.notes


def test_limits_of_older_journals_are_read() -> None:
    """A stored limit of an unknown stance does not keep a fight from opening."""
    found = RULESET.schema.codec.decode(b'{"type":"gh_setup","stance_limits":{"pursuit":2,"persuit":1}}', Setup)

    assert found.stance_limits == StanceLimits(pursuit=2)


def read_encounter(text: str) -> tuple[Problem, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "x.yaml"
        path.write_text(text, encoding="utf-8")
        return load_encounter(path, lambda key: RULESET).problems
