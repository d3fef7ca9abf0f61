"""Finding encounters: what counts as one, and what is said of broken ones."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli import driver
from tests.windows.systems import NEEDS_LINKS
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.errors import TrackerError
from tracker.library.content import discovery
from tracker.library.content.discovery import EncounterFile, Notice, Scanner, SearchPath, Summary

ENCOUNTER = """\
ruleset: skirmish
title: A brawl
sides:
  - {name: Party, control: players, members: [{name: Ada, hp: 10}, {name: Bo, hp: 8}]}
  - {name: Thugs, members: [{name: Thug, hp: 6, count: 1d4+1}, {name: Boss, hp: 9}]}
waves: [{when: round 2, side: Thugs, members: [{name: Dog, hp: 3, count: 2}]}]
"""
BEASTS = "ruleset: skirmish\nmonsters: [{name: Wolf, hp: 6}]\n"


def game(key: str) -> Ruleset | None:
    return driver.find(key) if key == "skirmish" else None


def find(*places: SearchPath) -> list[EncounterFile | Notice]:
    return list(Scanner(places, game, (), ("skirmish",)).all())


def names(found: list[EncounterFile | Notice]) -> list[str]:
    return [item.path.name for item in found if isinstance(item, EncounterFile)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "files").mkdir()
    return Path("files")


def test_encounter_with_game_and_size(folder: Path) -> None:
    """Both sides are counted, dice as the least and the most, later waves apart."""
    (folder / "brawl.yaml").write_text(ENCOUNTER, encoding="utf-8")

    (found,) = find(SearchPath(folder))

    sides, waves = (("Party", "Ada, Bo"), ("Thugs", "1d4+1 × Thug, Boss")), (("round 2", "2 × Dog"),)
    assert found == EncounterFile(
        Path("files/brawl.yaml"),
        "A brawl",
        "skirmish",
        "Skirmish",
        "2 against 3–6, 2 later",
        playable=True,
        summary=Summary(sides, waves),
    )


def test_stat_blocks_scripts_and_hidden_files_are_none(folder: Path) -> None:
    """Only encounters are listed, and broken files that name a game."""
    for name, text in {
        "beasts.yaml": BEASTS,
        "script.yaml": "- start: {}\n- advance\n",
        ".hidden.yaml": ENCOUNTER,
        "notes.txt": ENCOUNTER,
        "empty.yaml": "",
        "word.yaml": "hello\n",
        "compose.yaml": "services: {{ .Values }\n",
        "torn.yaml": "ruleset: skirmish\ntitle: [\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")

    (found,) = find(SearchPath(folder))

    assert isinstance(found, EncounterFile)
    assert (found.path.name, found.title, found.playable) == ("torn.yaml", "torn.yaml", False)
    assert found.problems[0].file == str(Path("files/torn.yaml"))


def test_problems_are_named_from_here(folder: Path) -> None:
    """A problem names its file as reached from where the program was started."""
    (folder / "deep").mkdir()
    (folder / "deep" / "brawl.yaml").write_text(
        ENCOUNTER.replace("{name: Boss, hp: 9}", "{ref: wolf}"), encoding="utf-8"
    )
    (folder / "deep" / "beasts.yaml").write_text(BEASTS.replace("hp: 6", "hp: six"), encoding="utf-8")

    (found,) = find(SearchPath(folder))

    assert isinstance(found, EncounterFile)
    assert [(problem.file, problem.line) for problem in found.problems] == [(str(Path("files/deep/beasts.yaml")), 2)]
    assert found.playable


def test_unknown_game_is_a_problem(folder: Path) -> None:
    (folder / "brawl.yaml").write_text(ENCOUNTER.replace("skirmish", "skirmisch"), encoding="utf-8")

    (found,) = find(SearchPath(folder))

    assert isinstance(found, EncounterFile)
    assert (found.title, found.playable, found.problems[0].hint) == ("A brawl", False, "did you mean skirmish?")


def test_ruleset_that_fails_costs_its_file(folder: Path) -> None:
    """A home-made ruleset that cannot be loaded, or stumbles, is said of that file; the others are there."""

    def broken(key: str) -> Ruleset:
        if key == "mine":
            raise TrackerError('the ruleset "mine" cannot be loaded: ImportError')
        if key == "worse":
            raise KeyError("worse")
        return driver.find(key)

    for name, key in (("a", "mine"), ("b", "worse"), ("c", "skirmish")):
        (folder / f"{name}.yaml").write_text(ENCOUNTER.replace("skirmish", key), encoding="utf-8")

    found = [item for item in Scanner([SearchPath(folder)], broken).all() if isinstance(item, EncounterFile)]

    said = [item.problems[0].message if item.problems else "" for item in found]
    assert (said[0], said[2]) == ('the ruleset "mine" cannot be loaded: ImportError', "")
    assert re.match(r"cannot be read: KeyError: 'worse' \(test_finding\.py:\d+ in broken\); problem file: ", said[1])
    assert "Traceback" in Path(said[1].rpartition(": ")[2]).read_text(encoding="utf-8")


@NEEDS_LINKS
def test_links_that_lead_out_are_not_followed(folder: Path, tmp_path: Path) -> None:
    """Neither a link to a file elsewhere nor one to a folder; a link inside the folder is followed, once."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.yaml").write_text(ENCOUNTER, encoding="utf-8")
    (folder / "brawl.yaml").write_text(ENCOUNTER, encoding="utf-8")
    (folder / "out.yaml").symlink_to(elsewhere / "secret.yaml")
    (folder / "away").symlink_to(elsewhere)
    (folder / "again.yaml").symlink_to(folder.resolve() / "brawl.yaml")
    (folder / "circle").symlink_to(folder.resolve())
    (folder / "itself.yaml").symlink_to(folder.resolve() / "itself.yaml")

    assert names(find(SearchPath(folder))) == ["again.yaml"]


def test_same_file_from_two_places_is_listed_once(folder: Path) -> None:
    (folder / "brawl.yaml").write_text(ENCOUNTER, encoding="utf-8")

    assert names(find(SearchPath(folder), SearchPath(folder.resolve()))) == ["brawl.yaml"]


def test_depth_is_bounded(folder: Path) -> None:
    """No deeper than asked for: 0 is the folder itself."""
    below = folder
    for number in range(4):
        (below / f"{number}.yaml").write_text(ENCOUNTER, encoding="utf-8")
        below = below / "next"
        below.mkdir()

    assert names(find(SearchPath(folder, 0))) == ["0.yaml"]
    assert names(find(SearchPath(folder, 2))) == ["0.yaml", "1.yaml", "2.yaml"]


def test_files_entries_and_sizes_are_bounded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is said in one line each."""
    for number in range(5):
        (folder / f"{number}.yaml").write_text(ENCOUNTER, encoding="utf-8")
    (folder / "9.yaml").write_text(ENCOUNTER + "# " + "x" * 2000, encoding="utf-8")

    monkeypatch.setattr(discovery, "LARGEST", 1024)
    assert Notice(f"{Path('files/9.yaml')}: not read: encounters are smaller than 1 kB") in find(SearchPath(folder))
    monkeypatch.setattr(discovery, "MOST_FILES", 3)
    found = find(SearchPath(folder))
    assert len(names(found)) == 3
    assert found[-1] == Notice("only the first 3 files were read")
    monkeypatch.setattr(discovery, "MOST_ENTRIES", 2)
    assert Notice("files: only 2 of its entries were looked at") in find(SearchPath(folder))


def test_folder_that_is_not_there_is_one_line(folder: Path) -> None:
    with pytest.raises(OSError, match="none") as error:
        os.scandir(folder / "none")

    assert find(SearchPath(folder / "none")) == [
        Notice(f"{Path('files/none')}: cannot be read: {error.value.strerror}")
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_are_left_alone(folder: Path) -> None:
    """A pipe with the right name would be waited for without end."""
    os.mkfifo(folder / "pipe.yaml")

    assert find(SearchPath(folder)) == []


def test_one_file_is_read_again(folder: Path) -> None:
    """A pass reads each file once; the next one reads what has changed since, in the bestiary beside it too."""
    brawl, beasts = folder / "brawl.yaml", folder / "beasts.yaml"
    brawl.write_text(ENCOUNTER.replace("{name: Boss, hp: 9}", "{ref: wolf}"), encoding="utf-8")
    beasts.write_text(BEASTS.replace("hp: 6", "hp: six"), encoding="utf-8")
    finder = Scanner([SearchPath(folder)], game, (), ("skirmish",))
    assert [len(item.problems) for item in finder.all() if isinstance(item, EncounterFile)] == [1]

    beasts.write_text(BEASTS, encoding="utf-8")

    again = finder.one(brawl)
    assert again is not None
    assert again.problems == ()
    assert finder.one(beasts) is None
