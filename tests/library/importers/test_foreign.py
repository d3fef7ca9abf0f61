"""Files of other programs become stat blocks and encounters that load."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.library.importers.reading import SAMPLES, items_in, items_of
from tests.support.shares import tries
from tracker.cli.main import main
from tracker.core.game.foreign import Creature, ForeignAttack
from tracker.core.terms.errors import Refused
from tracker.library.content.lint import lint_file
from tracker.library.importers import sources
from tracker.library.importers.convert import encounter_text, stat_block_of
from tracker.library.importers.results import ImportedEncounter, ImportedItem, Unreadable
from tracker.library.importers.sources import Content, contents
from tracker.session.rulesets import registry

WWN = registry.find("worlds_without_number")


def read(name: str) -> list[ImportedItem]:
    """Return what a sample holds."""
    return items_in(SAMPLES / name)


def one(name: str) -> dict[str, object]:
    """Return the stat block of a sample with one creature, and what is lost."""
    (creature,) = read(name)
    assert isinstance(creature, Creature)
    made = stat_block_of(WWN, creature)
    return {**made.block, "lost": list(made.unread)}


def test_a_foundry_actor_keeps_numbers_weapons_and_powers() -> None:
    block = one("foundry_wwn.json")

    assert {key: block[key] for key in ("hd", "ac", "atk", "ml", "inst", "skill", "move", "init_mod")} == {
        "hd": 3,
        "ac": {"melee": 13, "ranged": 15},
        "atk": 4,
        "ml": 8,
        "inst": 6,
        "skill": 1,
        "move": "40",
        "init_mod": 1,
    }
    assert block["weapons"] == [
        {"name": "Talon", "dmg": "1d6", "shock": "2/13", "bonus": {"hit": 1, "damage": 2}},
        {"name": "Thorn Dart", "dmg": "1d4", "kind": ["melee", "thrown"], "range": "20/60", "bonus": {"damage": 1}},
    ]
    assert block["lost"] == ['Strange Maw: damage "1d6*10"']
    assert block["unread"] == block["lost"]
    assert "Waits in the reeds ." in str(block["notes"])
    assert "Mire Step: Walks on mud & water." in str(block["notes"])
    assert "Thorn Dart (save: physical): Sleep for an hour." in str(block["notes"])


def test_older_foundry_files_and_those_of_the_sister_system() -> None:
    hound, ferry = read("foundry_old_wwn.json")
    crawler = one("foundry_swn.yml")

    assert isinstance(hound, Creature)
    assert (hound.ac, hound.attack, hound.hd, hound.save) == (14, 3, "2", 14)
    assert isinstance(ferry, Unreadable)
    assert (crawler["attacks"], crawler["save"], crawler["ac"]) == (2, 13, 16)
    assert crawler["weapons"] == [
        {"name": "Saw Arm", "dmg": "1d8", "shock": "3/15", "trauma": "1d8/x3", "bonus": {"hit": 1, "damage": 2}},
        {"name": "Rivet Gun", "dmg": "2d6", "kind": ["ranged"], "range": "90/270", "hands": 2, "bonus": {"damage": 2}},
    ]
    assert (crawler["move"], "speed 30 m" in str(crawler["notes"])) == ("90", True)
    assert crawler["lost"] == ["Rivet Gun: burst fire"]


def test_what_armour_protects_and_other_attack_bonuses_are_said() -> None:
    """Classes and soak of armour, and bonuses of melee and ranged attacks, have no place: each is named."""
    vest = {"name": "Ash Vest", "type": "armor", "system": {"ac": 14, "meleeAc": 12, "soak": {"value": 3, "max": 5}}}
    numbers = {"baseAc": 13, "hitDice": "2", "ab": 2, "meleeAb": 4, "rangedAb": 2, "speed": 10}
    said = "Ash Vest, AC 14, AC in melee 12, soak 5"
    worn = f"Armour Class: worked out from what is worn ({said}); type it as ac"
    for kind, armour in (("npc", said), ("character", worn)):
        (found,) = items_of({"name": "Ash Hound", "type": kind, "system": numbers, "items": [vest]})

        assert isinstance(found, Creature)
        assert (found.move, found.lost) == ("30", (armour, "attack bonus +4 in melee; +2 is taken"))


def test_a_character_without_hit_points_in_its_new_game_says_so() -> None:
    """GitHack's characters have neither hit points nor a level."""
    plain = {"Name": "Ilka", "Player": "player", "HP": {"Value": 24, "Notes": ""}, "AC": {"Value": 15, "Notes": ""}}
    (creature,) = items_of(plain)
    assert isinstance(creature, Creature)

    made = stat_block_of(registry.find("githack"), replace(creature, level=3, system="d20"))

    assert made.kind == "pc"
    assert made.unread[:2] == ("hit points 24", "level 3")


def test_lines_of_json_are_actors(tmp_path: Path) -> None:
    """As older versions of Foundry keep a compendium, whose folders are none."""
    hound = json.dumps({"name": "Ash Hound", "type": "npc", "system": {"baseAc": 13, "hitDice": "2", "ab": 2}})
    folder = json.dumps({"name": "Beasts", "type": "Actor", "sorting": "a"})
    (tmp_path / "beasts.db").write_text(f"{hound}\n{folder}\n{{broken\n", "utf-8")

    found = items_in(tmp_path)

    assert [each.name for each in found if isinstance(each, Creature)] == ["Ash Hound"]
    assert [Path(each.what).name for each in found if isinstance(each, Unreadable)] == ["beasts.db:3"]


def test_a_character_is_one() -> None:
    block = one("foundry_character.json")

    assert (block["hp"], block["hp_now"], block["level"], block["attributes"]) == (11, 6, 2, {"str": 14, "dex": 9})
    assert block["skills"] == {"stab": 1}
    assert "worked out from what is worn (Hide Coat)" in str(block["lost"])


@pytest.mark.parametrize("name", ["improved_stat_block.json", "front_matter.md"])
def test_no_armour_class_is_guessed(name: str) -> None:
    """It is left out without a system, and counted as that game does with one."""
    (creature,) = read(name)
    assert isinstance(creature, Creature)

    unknown, known = stat_block_of(WWN, creature), stat_block_of(WWN, creature, "bfrpg")

    assert "ac" not in unknown.block
    assert any(part.startswith(f"AC {creature.ac}: which game counts so?") for part in unknown.unread)
    assert known.block["ac"] == (creature.ac or 0) - 1


def test_improved_initiative_keeps_attacks_and_traits() -> None:
    block = one("improved_stat_block.json")

    assert (block["hd"], block["atk"]) == ("4d8+4", 4)
    assert block["weapons"] == [
        {"name": "Cold Hand", "dmg": "1d8+2"},
        {"name": "Bolt", "dmg": "1d6+1", "kind": ["ranged"], "range": "30/120", "bonus": {"hit": -1}},
    ]
    assert "Wail: All who hear it flee." in str(block["notes"])
    assert "Damage Immunities: cold" in str(block["notes"])
    assert "the picture" in str(block["lost"])


@pytest.mark.parametrize("game", ["worlds_without_number", "githack", "sovereign"])
def test_what_is_lost_of_an_encounter_is_looked_over_once(game: str, tmp_path: Path) -> None:
    """With the block it is of, or in the notes of the fight."""
    ruleset = registry.find(game)
    meeting = read("improved_all.json")[-1]
    assert isinstance(meeting, ImportedEncounter)
    text, lost = encounter_text(ruleset, meeting)
    file = tmp_path / "met.yaml"
    file.write_text(text, "utf-8")

    said = [problem.message for problem in lint_file(file, lambda key: ruleset)]

    found = {part: sum(part.endswith(one.removeprefix("not read: ")) for one in said) for part in lost}
    alike = {part: sum(other.endswith(part.partition(": ")[2]) for other in lost) for part in lost}
    assert len(lost) > 5
    assert [part for part in lost if not 0 < found[part] <= alike[part]] == []


def test_all_that_improved_initiative_keeps() -> None:
    spells, wight, meeting = read("improved_all.json")

    assert isinstance(wight, Creature)
    assert isinstance(meeting, ImportedEncounter)
    assert [(group.creature.name, group.count, group.side, group.hidden) for group in meeting.groups] == [
        ("Lamp Wight", "2", "foes", False),
        ("Bero", "1", "players", False),
        ("Watcher", "1", "foes", True),
    ]
    assert meeting.lost == ("Bero: tag blessed", "how far the fight was: round 2")
    assert spells == Unreadable("Spells", "1 of them, which no file of this program holds")


def test_a_note_with_stat_blocks_and_encounters() -> None:
    crab, broken, first, second = read("fantasy_statblock.md")

    assert isinstance(crab, Creature)
    assert isinstance(broken, Unreadable)
    assert isinstance(first, ImportedEncounter)
    assert isinstance(second, ImportedEncounter)
    assert (crab.ac, crab.hp, crab.hd, crab.attack) == (15, 18, "4d6", 5)
    assert crab.blows == (ForeignAttack(name="Claw", dice="1d8+3", hit=5),)
    assert crab.lost == ("image",)
    assert {"AC: shell", "Crust: Fire does not harm it.", "Spray: Salt in the eyes."} <= set(crab.notes)
    assert "breaks off" in broken.why
    assert [(group.creature.name, group.count, group.name, group.side, group.hidden) for group in first.groups] == [
        ("Salt Crab", "3", "", "foes", False),
        ("Shore Witch", "1", "", "foes", False),
        ("Salt Crab", "1d4", "Small Crab", "foes", False),
        ("Old Fisher", "1", "", "foes", True),
        ("Gull", "1", "", "foes", False),
        ("Salt Crab", "1", "Red Claw", "friends", False),
    ]
    assert "Shore Witch: xp 100" in first.lost
    assert 'the party "Wanderers", which lies in the plugin' in first.lost
    assert {"rounds", 'Gull: "a few", which is no count'} <= set(first.lost)


def test_a_folder_is_imported_into_files_that_load(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bestiary and encounters lie in one folder; `tracker check` lists what was lost, and nothing else."""
    place = tmp_path / "new"
    options = ["--ruleset", "worlds_without_number", "--system", "d20", "-o", str(place)]
    words = ["import-statblock", str(SAMPLES), *options]
    assert main(words) == 1
    said = capsys.readouterr().err
    for name in ("gull", "old-fisher", "shore-witch"):
        (place / f"{name}.yaml").write_text(f"ruleset: worlds_without_number\nmonsters: [{{name: {name}}}]\n", "utf-8")

    found = [problem for path in place.iterdir() for problem in lint_file(path, registry.find, (), registry.rulesets())]

    assert [problem.render() for problem in found if not problem.is_warning] == []
    assert any("burst fire" in problem.message for problem in found)
    assert {path.stem for path in place.iterdir()} >= {"bestiary", "at-the-water", "second", "under-the-bridge"}
    assert 'a "ship" is no combatant' in said
    assert "At the water: not read: rounds" in said
    assert main(words) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_an_archive_is_read_and_its_names_are_only_names(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ways out, links and what is too large are left out and said."""
    monkeypatch.setattr(sources, "LARGEST", 10_000)
    archive = tmp_path / f"all.{ending}"
    data = (SAMPLES / "foundry_wwn.json").read_bytes()
    if ending == "zip":
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as held:
            held.writestr("../../out.json", data)
            held.writestr("large.json", b" " * 20_000)
            link = zipfile.ZipInfo("link.json")
            link.external_attr = 0o120777 << 16
            held.writestr(link, "/etc/passwd")
    else:
        with tarfile.open(archive, "w:gz") as packed:
            for name, content in (("../../out.json", data), ("large.json", b" " * 20_000)):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                packed.addfile(info, io.BytesIO(content))
            info = tarfile.TarInfo("link.json")
            info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
            packed.addfile(info)

    found = list(contents(archive))

    read = [each for each in found if isinstance(each, Content)]
    assert [each.data for each in read] == [data]
    assert sorted(each.why.split(",")[0] for each in found if isinstance(each, Unreadable))[0].startswith("a link")
    assert any("larger than" in each.why for each in found if isinstance(each, Unreadable))
    assert [path.name for path in tmp_path.iterdir()] == [archive.name]


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.json", '{"name": "Rat", ', "begins like JSON and is none"),
        ("b.json", '{"weather": "rain"}', "none of the files that are read"),
        ("c.json", "[[[[]]]]", "nothing of a creature"),
        ("d.yaml", "weather: rain", "none of the files that are read"),
        ("e.yaml", "a: [", "cannot be read as YAML"),
        ("f.md", "# A walk\n\nIt rained.", "a Markdown file without a stat block"),
        ("g.yaml", "ruleset: githack\nmonsters: []", "a file of this program already"),
        ("h.json", '{"name": "Keep", "type": "npc", "system": {"attributes": {}}}', "an actor of another system"),
        ("i.zip", "PK", "the archive cannot be read"),
        ("j.json", "[" * 5_000, "begins like JSON and is none"),
    ],
)
def test_what_begins_like_a_file_and_is_none_says_so(
    name: str, text: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line with the file, and exit status 2."""
    path = tmp_path / name
    path.write_text(text, "utf-8")

    assert main(["import-statblock", str(path)]) == 2
    assert why in capsys.readouterr().err


def test_a_game_that_takes_none_says_so() -> None:
    with pytest.raises(Refused, match="reads no creatures of other programs"):
        stat_block_of(registry.find("sword_world"), Creature(name="Rat"))


NAMES = st.text("abcdefghij klmnop", min_size=1, max_size=12).map(lambda name: " ".join(name.split())).filter(bool)
DICE = st.sampled_from(["1d4", "1d6+1", "2d8", "3d6"])
BLOWS = st.builds(
    ForeignAttack,
    name=NAMES,
    dice=DICE,
    kinds=st.just(("melee",)),
    shock=st.none() | st.tuples(st.integers(1, 9), st.integers(10, 20)),
)
CREATURES = st.builds(
    Creature,
    name=NAMES,
    system=st.just("wwn"),
    hd=st.integers(1, 20).map(str),
    hp=st.integers(1, 99),
    ac=st.integers(0, 30),
    attack=st.integers(-2, 20),
    blows=st.lists(BLOWS, max_size=3).map(tuple),
    morale=st.integers(2, 12),
    skill=st.integers(0, 5),
    save=st.integers(2, 20),
    move=st.integers(0, 6).map(lambda steps: str(15 * steps)),
)


def foundry_swn(creature: Creature) -> dict[str, object]:
    """Return a creature as Foundry's system for Stars Without Number keeps it: the way back."""
    items = [
        {
            "name": blow.name,
            "type": "weapon",
            "system": {
                "damage": blow.dice,
                "skill": "stab",
                "shock": {"dmg": blow.shock[0], "ac": blow.shock[1]} if blow.shock else {"dmg": 0, "ac": 10},
            },
        }
        for blow in creature.blows
    ]
    system = {
        "ab": creature.attack,
        "baseAc": creature.ac,
        "hitDice": creature.hd,
        "health": {"value": creature.hp, "max": creature.hp},
        "moralScore": creature.morale,
        "saves": creature.save,
        "skillBonus": creature.skill,
        "speed": int(creature.move) // 3,  # metres
    }
    return {"name": creature.name, "type": "npc", "system": system, "items": items}


@tries(40)
@given(CREATURES)
def test_there_and_back(creature: Creature) -> None:
    """A creature written as Foundry keeps it is read as it was."""
    (found,) = items_of(foundry_swn(creature))

    assert isinstance(found, Creature)
    hit = tuple(
        ForeignAttack(name=blow.name, dice=blow.dice, shock=blow.shock, hit=creature.attack, skill="stab")
        for blow in creature.blows
    )
    notes = (f"speed {int(creature.move) // 3} m",)
    assert found == replace(creature, blows=hit, notes=notes)
    for game in ("worlds_without_number", "sovereign", "githack"):
        lost = stat_block_of(registry.find(game), found).unread
        assert lost == () if creature.blows else lost == ("no attack that can be read",)


KEYS = ["name", "type", "system", "items", "hp", "HP", "AC", "Name", "Combatants", "StatBlock", "actions"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
    max_leaves=12,
)


@tries(60)
@given(VALUES)
def test_any_value_is_read_or_refused(value: object) -> None:
    """Whatever lies where an actor or a stat block is awaited."""
    actor, encounter = {"name": "x", "type": "npc", "system": value}, {"Name": "x", "HP": value, "Combatants": value}
    for whole in (value, actor, encounter):
        for found in items_of(whole):
            if isinstance(found, Creature):
                assert stat_block_of(WWN, found).block["name"]
