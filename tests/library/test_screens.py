"""What an encounter's file says of the players' screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import UNSET

from rulesets.sovereign import RULESET as SOVEREIGN
from tests.serve.test_pictures import png
from tests.support import example_ruleset
from tests.support.tables import rows
from tests.windows.systems import NEEDS_LINKS
from tracker.core.terms.encounter import MapSetup, ScreenSetup
from tracker.library.content.encounter_text import encounter_text
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.library.pictures import LARGEST_PICTURE

TEXT = """
ruleset: example
title: The vampire's crypt
screen: {title: The old chapel, points: false, unseen: name}
sides:
  - {name: Party, control: players, members: [{kind: pc, name: Ada}]}
  - name: Vampires
    public: Strangers
    health: false
    hidden: true
    members: [{name: Vampire, public: Tall stranger}, {name: Bat}]
  - {name: Guards, members: [{name: Guard, hidden: true}, {name: Captain}]}
waves:
  - {side: Guards, hidden: true, members: [{name: Guard}]}
"""


def loaded(folder: Path, text: str) -> Loaded:
    path = folder / "fight.yaml"
    path.write_text(text, encoding="utf-8")
    return load_encounter(path, lambda key: example_ruleset.RULESET)


def test_what_is_hidden_is_read(tmp_path: Path) -> None:
    """Of members, of a whole side, of a wave, with names and settings."""
    encounter = loaded(tmp_path, TEXT).encounter
    assert encounter is not None
    party, vampires, guards = encounter.sides

    assert encounter.screen == ScreenSetup("The old chapel", points=False, unseen="name")
    assert (vampires.public, vampires.health, party.health, party.public) == ("Strangers", False, UNSET, UNSET)
    assert [member.hidden for side in encounter.sides for member in side.members] == [UNSET, True, True, True, UNSET]
    assert [member.public for member in vampires.members] == ["Tall stranger", UNSET]
    assert [wave.hidden for wave in encounter.waves] == [True]
    assert [member.hidden for member in guards.members] == [True, UNSET]


def test_mistakes_are_said_with_their_lines(tmp_path: Path) -> None:
    """The rest of the file stands."""
    text = (
        TEXT.replace("points: false", "pionts: false")
        .replace("health: false", "health: well")
        .replace("unseen: name", "unseen: x")
    )
    found = loaded(tmp_path, text)

    lines = [problem.line for problem in found.problems]
    assert found.encounter is not None
    assert lines == [4, 4, 9]
    assert "points" in found.problems[0].render() + found.problems[1].render()
    assert found.encounter.screen == ScreenSetup("The old chapel")


ON_A_MAP = """ruleset: sovereign
title: Mist
setup: {grid: "....\\n...."}
map: {fog: party}
sides:
  - {name: Party, control: players, members: []}
"""


def fogged(folder: Path, said: str) -> tuple[object, list[str]]:
    """Return what is read of this fog, and every problem with its line."""
    path = folder / "fog.yaml"
    path.write_text(ON_A_MAP.replace("{fog: party}", said), encoding="utf-8")
    found = load_encounter(path, lambda key: SOVEREIGN)
    assert found.encounter is not None
    return found.encounter.map, [f"{problem.line}: {problem.message}" for problem in found.problems]


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("{fog: all}", MapSetup("all")),
        ("{fog: party, sees: 40}", MapSetup("party", 40)),
        ("{}", MapSetup("party")),
        ('{fog: "1-3,1"}', MapSetup("squares", squares=((1, 1, 3),))),
        ('{fog: ["0,0-1", [3, 1]]}', MapSetup("squares", squares=((0, 0, 0), (1, 0, 0), (1, 3, 3)))),
    ],
)
def test_fog_is_read(tmp_path: Path, said: str, read: MapSetup) -> None:
    assert fogged(tmp_path, said) == (read, [])


@pytest.mark.parametrize(("said", "problem"), rows(__file__, "mistakes_in_fog_are_said_with_their_line"))
def test_mistakes_in_fog_are_said_with_their_line(tmp_path: Path, said: str, problem: str) -> None:
    assert fogged(tmp_path, said)[1] == [f"4: {problem}"]


def test_fog_needs_squares(tmp_path: Path) -> None:
    """A fight without a map says so, a game without maps knows no such key."""
    path = tmp_path / "fog.yaml"
    path.write_text(ON_A_MAP.replace("setup:", "notes: |\n  plain\n#"), encoding="utf-8")
    problems = load_encounter(path, lambda key: SOVEREIGN).problems

    assert [problem.message for problem in problems] == ["this fight has no map of squares"]
    assert [problem.message for problem in loaded(tmp_path, f"{TEXT}map: {{fog: all}}\n").problems] == ["unknown key"]


PICTURE = "handout: map.png\n"


def test_a_picture_for_the_players_is_a_file_beside_the_encounter(tmp_path: Path) -> None:
    """Its name is kept, and written again; without one nothing is said of it."""
    (tmp_path / "map.png").write_bytes(png())
    found = loaded(tmp_path, TEXT + PICTURE)
    assert (found.problems, found.encounter is not None and found.encounter.handout) == ((), "map.png")
    assert found.encounter is not None
    again = loaded(tmp_path, encounter_text(example_ruleset.RULESET, found.encounter)).encounter
    assert again is not None
    assert again.handout == "map.png"
    plain = loaded(tmp_path, TEXT).encounter
    assert plain is not None
    assert plain.handout is UNSET


@NEEDS_LINKS
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("gone.png", "there is no gone.png beside the encounter"),
        ("../out.png", "../out.png is not a file beside the encounter"),
        ("/etc/hostname", "/etc/hostname is not a file beside the encounter"),
        ("below/in.png", "below/in.png is not a file beside the encounter"),
        ("link.png", "link.png is not a file beside the encounter"),
        (".", ". is not a file beside the encounter"),
        ("page.png", "page.png is neither a PNG nor a JPEG picture"),
        ("large.png", "large.png is larger than 4 MB: save it smaller"),
        ("[a, b]", "should be text, not a list"),
    ],
)
def test_what_is_no_picture_beside_the_encounter_is_said_with_its_line(tmp_path: Path, name: str, why: str) -> None:
    """A file elsewhere, a link, a page, too many bytes; the fight can be played without."""
    home = tmp_path / "home"
    (home / "below").mkdir(parents=True)
    for path in (tmp_path / "out.png", home / "below" / "in.png"):
        path.write_bytes(png())
    (home / "link.png").symlink_to(tmp_path / "out.png")
    (home / "page.png").write_bytes(b"<html>")
    (home / "large.png").write_bytes(png() + bytes(LARGEST_PICTURE))
    found = loaded(home, f"{TEXT}handout: {name}\n")
    assert [(problem.line, problem.message) for problem in found.problems] == [(15, why)]
    assert found.encounter is not None
    assert found.encounter.handout is UNSET
