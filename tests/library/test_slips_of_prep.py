"""Usual slips of a GM who prepares a fight: each is told with its line and the way on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.tables import rows
from tracker.cli.loading import find_ruleset
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.library.content.lint import lint_file
from tracker.session.rulesets import registry

ROBBER = "ruleset: worlds_without_number\nmonsters:\n- {id: robber, name: Robber, hd: 1, ac: 12, ml: 8, dmg: 1d6}\n"
PARTY = "ruleset: worlds_without_number\ncharacters:\n- {name: Ada, hp: 6, ac: 12}\n"


GAME = "ruleset: worlds_without_number\n"
FIGHT = f"{GAME}sides: [{{name: Bösewichte, members: [robber]}}]\n"


def problems(folder: Path, name: str, text: str) -> list[str]:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{GAME}{text}", "utf-8")
    return lint(path)


def lint(path: Path) -> list[str]:
    return [problem.render() for problem in lint_file(path, find_ruleset, (), registry.rulesets())]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bestiary.yaml").write_text(ROBBER, "utf-8")
    (tmp_path / "party.yaml").write_text(PARTY, "utf-8")
    return tmp_path


@pytest.mark.parametrize(("text", "lines"), rows(__file__, "slips"))
def test_a_slip_is_told(folder: Path, text: str, lines: list[str]) -> None:
    """Every slip of a member or a wave is told, however many there are in it."""
    assert problems(folder, "fight.yaml", text) == lines


@pytest.mark.parametrize(("text", "lines"), rows(__file__, "files"))
def test_a_slip_of_a_whole_file_is_told(folder: Path, text: str, lines: list[str]) -> None:
    (folder / "fight.yaml").write_text(text, "utf-8")

    assert lint(folder / "fight.yaml") == lines


@pytest.mark.parametrize(("typed", "name"), rows(__file__, "names"))
def test_a_name_that_looks_like_something_else_is_a_name(folder: Path, typed: str, name: str) -> None:
    """Older readers of YAML take `yes` for true, and a date for a day."""
    assert problems(folder, "fight.yaml", f"sides: [{{name: Foes, members: [{typed}]}}]\n") == []

    loaded = load_encounter(folder / "fight.yaml", registry.find)

    assert loaded.encounter is not None
    assert [member.name for member in loaded.encounter.sides[0].members] == [name]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (FIGHT.encode("latin-1"), ["fight.yaml:2:17: the byte 0xf6 is not UTF-8 (save it as UTF-8)"]),
        (FIGHT.encode("utf-16"), ["fight.yaml:1:1: the text is UTF-16, not UTF-8 (save it as UTF-8)"]),
        (FIGHT.encode("utf-8-sig"), []),
        (FIGHT.replace("\n", "\r\n").encode(), []),
        (FIGHT.replace("\n", "\r").encode(), []),
    ],
    ids=["latin-1", "utf-16", "byte order mark", "line ends of Windows", "line ends of old Macs"],
)
def test_what_an_editor_writes(folder: Path, data: bytes, lines: list[str]) -> None:
    """A file is read as it is saved, or says how to save it."""
    (folder / "fight.yaml").write_bytes(data)

    assert lint(folder / "fight.yaml") == lines


OUTSIDE = "sides: [{name: Foes, members: ../party.yaml}]"


def test_a_file_outside_says_how_it_is_read(folder: Path) -> None:
    """A file above the encounter is there, so the message says what makes it readable."""
    (said,) = problems(folder, "fights/fight.yaml", OUTSIDE)

    assert '"../party.yaml" is there, but not in a folder that an encounter reads' in said
    assert said.endswith("(a campaign.yaml beside it makes its folder one, as does --library FOLDER)")


@pytest.mark.parametrize("way", ["campaign", "library"])
def test_a_file_outside_is_read_where_its_folder_is_one(folder: Path, way: str) -> None:
    """Beside a `campaign.yaml`, or in a folder of the GM's own, `../party.yaml` is read."""
    if way == "campaign":
        (folder / "campaign.yaml").write_text("ruleset: worlds_without_number\n", "utf-8")
    problems(folder, "fights/fight.yaml", OUTSIDE)

    loaded: Loaded = load_encounter(folder / "fights/fight.yaml", registry.find, (folder,) if way == "library" else ())

    assert loaded.problems == ()
    assert loaded.encounter is not None
    assert [member.name for member in loaded.encounter.sides[0].members] == ["Ada"]


def test_a_misspelt_reference_is_told_beside_a_broken_file(folder: Path) -> None:
    """Where another name is near; a name that is near none is probably in the broken file."""
    (folder / "broken.yaml").write_text("monsters:\n  - {name: x\n", "utf-8")

    said = problems(folder, "fight.yaml", "sides: [{name: Foes, members: [{ref: robbr}, {ref: gazelle}]}]")

    assert [line.partition(": ")[0] for line in said] == ["broken.yaml:3:1", "fight.yaml:2:38"]
    assert 'there is no stat block "robbr" beside' in said[1]
    assert said[1].endswith("(did you mean robber?)")


def test_an_id_that_stands_twice_is_told(folder: Path) -> None:
    """Only the first of the two stat blocks would ever be found by it."""
    text = "monsters:\n- {id: orc, name: Orc, hd: 1, ac: 12}\n- {id: orc, name: Big Orc, hd: 2, ac: 12}\n"

    assert problems(folder, "orcs.yaml", text) == [
        'orcs.yaml:4:8: monsters[1].id: the id "orc" stands here again; it was first given at 3:8 '
        "(only the first is found by it: give this one another)"
    ]


def test_stat_blocks_of_another_game_are_told(folder: Path) -> None:
    """Their numbers would be read as this game's."""
    (folder / "rats.yaml").write_text("ruleset: githack\nmonsters:\n- {name: Rat, hp: 3}\n", "utf-8")

    assert problems(folder, "fight.yaml", "sides: [{name: Foes, members: rats.yaml}]") == [
        "rats.yaml:1:10: ruleset: these are stat blocks of GitHack "
        "(its numbers mean something else in Worlds Without Number)"
    ]
