"""A campaign: what its file says holds for every encounter in its folder and below."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.library.schemas.judging import judge, wrong
from tracker.cli.main import main
from tracker.library.content.discovery import Scanner, SearchPath
from tracker.library.content.encounters import Loaded, load_encounter
from tracker.library.content.lint import lint_file
from tracker.session.rulesets import registry

GAME = "worlds_without_number"
FOES = "ruleset: worlds_without_number\ntitle: Ford\nsides: [{name: Foes, control: gm, members: [{ref: rat}]}]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a campaign with a party, a bestiary elsewhere and a fight two folders below."""
    home = tmp_path / "campaign"
    (home / "act one" / "scene").mkdir(parents=True)
    (tmp_path / "beasts").mkdir()
    (tmp_path / "beasts" / "b.yaml").write_text(f"ruleset: {GAME}\nmonsters: [{{id: rat, name: Rat, hd: 1}}]\n")
    (home / "party.yaml").write_text(f"ruleset: {GAME}\ncharacters: [{{id: ada, name: Ada, hp: 9}}]\n")
    (home / "campaign.yaml").write_text(
        f"ruleset: {GAME}\nparty: party.yaml\nhouse_rules: {{initiative: individual, trauma: true}}\ndice: asked\n"
        "screen: {points: false, title: The road}\nlibrary: [../beasts]\ncarry: true\n"
    )
    (home / "act one" / "scene" / "ford.yaml").write_text(FOES)
    return home


def loaded(path: Path) -> Loaded:
    return load_encounter(path, registry.find, (), registry.rulesets())


def said(path: Path) -> list[str]:
    return [problem.render() for problem in lint_file(path, registry.find, (), registry.rulesets())]


def test_an_encounter_inherits_what_it_does_not_say(folder: Path) -> None:
    """Party, switches, dice, screen, and the folders stat blocks come from."""
    found = loaded(folder / "act one" / "scene" / "ford.yaml")

    assert found.problems == ()
    assert found.carries
    assert found.encounter is not None
    assert [(side.name, [member.name for member in side.members]) for side in found.encounter.sides] == [
        ("Party", ["Ada"]),
        ("Foes", ["Rat"]),
    ]
    assert {side.dice for side in found.encounter.sides} == {"asked"}
    switches, screen = found.encounter.house_rules, found.encounter.screen
    assert (getattr(switches, "initiative", ""), getattr(switches, "trauma", None)) == ("individual", True)
    assert (getattr(screen, "points", None), getattr(screen, "title", "")) == (False, "The road")


def test_what_an_encounter_says_itself_wins(folder: Path) -> None:
    """Switch by switch; a side of the players replaces the party."""
    path = folder / "fight.yaml"
    path.write_text(
        f"ruleset: {GAME}\nhouse_rules: {{initiative: side}}\ndice: program\nscreen: {{title: Mine}}\n"
        "sides: [{name: Guests, control: players, members: [{name: Bo, hp: 5}]}]\n"
    )
    found = loaded(path).encounter

    assert found is not None
    assert [side.name for side in found.sides] == ["Guests"]
    assert (getattr(found.house_rules, "initiative", ""), getattr(found.house_rules, "trauma", None)) == ("side", True)
    assert (getattr(found.screen, "points", None), getattr(found.screen, "title", "")) == (False, "Mine")
    assert [side.dice for side in found.sides] == ["program"]


def test_what_is_wrong_with_a_campaign_is_said_in_its_file(folder: Path) -> None:
    """Each with its line; the encounter keeps what is sound."""
    (folder / "campaign.yaml").write_text(
        f"ruleset: {GAME}\nparty: partty.yaml\nhouse_rules: {{initiative: sidde, trauma: true}}\ndice: maybe\n"
        "screen: 5\nlibrary: [nowhere]\ncarry: often\ncary: true\n"
    )
    found = said(folder / "campaign.yaml")
    below = loaded(folder / "act one" / "scene" / "ford.yaml")

    for words in (
        'campaign.yaml:2:8: party: there is no file "partty.yaml"',
        "house_rules.initiative",
        "campaign.yaml:4:7: dice",
        "campaign.yaml:5:9: screen",
        'library[0]: there is no folder "nowhere"',
        "carry: should be true or false",
        "cary: unknown key (did you mean carry?)",
    ):
        assert [line for line in found if words in line], (words, found)
    assert below.encounter is not None
    assert getattr(below.encounter.house_rules, "trauma", None) is True


def test_a_campaign_of_another_game_gives_nothing(folder: Path) -> None:
    path = folder / "fight.yaml"
    path.write_text("ruleset: githack\nsides: [{name: Foes, members: [{name: Rat, hp: 2, damage: 1d4}]}]\n")

    assert [line for line in said(path) if "nothing is inherited from it" in line]


def test_a_campaign_is_no_encounter_and_a_link_to_one_is_none(folder: Path, tmp_path: Path) -> None:
    """The start screen lists its encounters only."""
    places = [SearchPath(folder)]
    other = tmp_path / "other"
    other.mkdir()
    (other / "campaign.yaml").symlink_to(folder / "campaign.yaml")
    (other / "fight.yaml").write_text(FOES)

    found = list(Scanner(places, registry.find, (), registry.rulesets()).all())

    assert [getattr(each, "title", "") for each in found] == ["Ford"]
    assert loaded(other / "fight.yaml").library.campaign is None


@pytest.mark.parametrize("game", ["githack", "sovereign", "spelljammer", "sword_world", GAME])
def test_starters_are_without_fault(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`tracker new` writes files without a mistake, and overwrites none."""
    home = tmp_path / "new"
    assert main(["new", "campaign", game, str(home)]) == 0
    (tmp_path / "bare").mkdir()
    for place in (home / "later", tmp_path / "bare"):
        place.mkdir(exist_ok=True)
        shutil.copy(home / "schema.json", place)
        assert main(["new", "encounter", game, str(place)]) == 0
    for kind in ("party", "bestiary"):
        assert main(["new", kind, game, str(tmp_path / "bare")]) == 0
    assert main(["new", "campaign", game, str(home)]) == 2
    assert "is there already" in capsys.readouterr().err
    files = sorted(tmp_path.rglob("*.yaml"))

    assert len(files) == 8
    for path in files:
        assert said(path) == []
        assert wrong(judge(game), path.read_text("utf-8")) == []
    fight = loaded(home / "later" / "encounter.yaml").encounter
    assert fight is not None
    assert [len(side.members) for side in fight.sides] == [1, 1]
