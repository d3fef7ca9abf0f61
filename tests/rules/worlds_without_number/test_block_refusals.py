"""Stat blocks that are refused, and the bundled files, which are not."""

import math
import re
from collections.abc import Iterator

import pytest
import yaml
from msgspec import ValidationError

from rulesets.worlds_without_number.stat_blocks.models import (
    PC,
    HouseRules,
    Monster,
    Setup,
    SideKeys,
)
from rulesets.worlds_without_number.stat_blocks.shorthand import read_block, shorthand
from tests.rules.worlds_without_number.typed import CODEC, FOLDER, cadmon, monster, pc
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.values import Data
from tracker.library.content.encounters import load_encounter

# Refusals


@pytest.mark.parametrize(
    ("kind", "typed", "message"),
    [
        ("monster", {"ac": "15b"}, 'ac: "15b" is not an Armor Class'),
        ("monster", {"ac": {"melee": 12}}, "ac: ranged: is missing"),
        ("monster", {"ac": {"melee": 12, "range": 15}}, "ac: range: unknown"),
        ("monster", {"atk": "good"}, 'atk: "good" is not an attack bonus'),
        ("monster", {"shock": "2-15"}, 'shock: "2-15" is not Shock'),
        ("monster", {"shock": "Wpn"}, "shock: Wpn is for"),
        ("monster", {"dmg": "1x8"}, 'dmg: "1x8" is not dice'),
        ("monster", {"hd": "many"}, 'hd: "many" is not a whole number'),
        ("monster", {"save": "good"}, "save: "),
        ("monster", {"move": "fast"}, 'move: "fast" is not a movement rate'),
        ("monster", {"kind": "ranged"}, 'kind: "ranged" is neither pc nor monster'),
        ("monster", {"disciplined": "No"}, 'disciplined: "no" is neither true nor false'),
        ("monster", {"dgm": "1d8"}, "dgm: unknown key (did you mean dmg?)"),
        ("monster", {"weapons": "club"}, "weapons: a list is needed here"),
        (
            "monster",
            {"weapons": [{"name": "daggr"}]},
            'weapons[0].dmg: "daggr" is not in the list of weapons, so its damage is needed (did you mean dagger?)',
        ),
        ("monster", {"weapons": [{"dmg": "1d6"}]}, "weapons[0].name: is missing"),
        (
            "monster",
            {"weapons": ["club", {"name": "bow", "dmg": "1d6", "range": "far"}]},
            'weapons[1].range: "far" is not a range',
        ),
        (
            "monster",
            {"weapons": [{"name": "bow", "dmg": "1d6", "range": "60/30"}]},
            "weapons[0].range: the normal range 60",
        ),
        ("monster", {"weapons": [{"name": "club", "bonus": {"trauma_die": 1}}]}, "weapons[0].bonus.trauma_die: "),
        ("monster", {"weapons": [{"name": "club", "bonus": {"dmg": 1}}]}, "weapons[0].bonus.dmg: unknown"),
        ("monster", {"weapons": [{"name": "club", "damage": "1d6"}]}, "weapons[0].damage: unknown"),
        ("monster", {"weapons": [{"name": "club", "trauma": "1d6"}]}, "weapons[0].trauma: "),
        ("monster", {"instants": [{"name": "Luck"}]}, "instants[0].does: is missing"),
        ("monster", {"hd": 3, "hit_dice": -1}, 'hit_dice: "-1" gives no hit points: write dice such as 3d8'),
        ("monster", {"hit_dice": "1d8-8"}, 'hit_dice: "1d8-8" gives no hit points'),
        ("pc", {"kind": ["melee"]}, "kind: a list of attack kinds"),
        ("pc", {"hp_now": 13}, "hp_now: 13 is more than hp 12"),
        ("pc", {"attributes": {"str": 19}}, "attributes.str: 19 is not between 3 and 18"),
        ("pc", {"mods": {"luck": 1}}, "mods.luck: unknown"),
        ("pc", {"skills": {"stab": "good"}}, 'skills.stab: "good" is not a whole number'),
        ("pc", {"saves": {"reflex": 12}}, "saves.reflex: unknown"),
        ("pc", {"dual_wield": True, "weapons": ["dagger"]}, "dual_wield: there are no two one-handed weapons"),
        (
            "pc",
            {"dual_wield": ["dagger", "staff"], "weapons": ["dagger", "staff"]},
            'dual_wield: "staff" is none of its one-handed weapons',
        ),
        ("pc", {"dual_wield": ["dagger"], "weapons": ["dagger"]}, "dual_wield: two names are needed"),
    ],
)
def test_what_cannot_be_read_is_refused(kind: str, typed: dict[str, object], message: str) -> None:
    """Each refusal names its field and says what is wrong."""
    with pytest.raises(ValueError, match="^" + re.escape(message)):
        shorthand(kind, {"name": "x", "hp": 12, **typed})


@pytest.mark.parametrize(
    ("kind", "typed", "where"),
    [
        ("monster", {"ml": 13}, "ml"),
        ("monster", {"inst": 11}, "inst"),
        ("monster", {"save": 1}, "save"),
        ("monster", {"skill": -2}, "skill"),
        ("monster", {"fate": "gone"}, "fate"),
        ("monster", {"size": "huge"}, "size"),
        ("monster", {"weapons": [{"name": "club", "hands": 3}]}, "hands"),
        ("monster", {"weapons": [{"name": "club", "attr": "luck"}]}, "attr"),
        ("monster", {"instants": [{"name": "Luck", "does": "win"}]}, "does"),
        ("pc", {"mods": {"str": 6}}, "mods.str"),
        ("pc", {"skills": {"stab": 5}}, "skills"),
        ("pc", {"level": 11}, "level"),
        ("pc", {"hp": 0}, "hp"),
    ],
)
def test_what_is_out_of_range_is_refused(kind: str, typed: dict[str, object], where: str) -> None:
    """The ranges of the catalogue hold."""
    with pytest.raises(ValidationError, match=where):
        read_block(kind, {"name": "x", "hp": 12, **typed})


def test_all_problems_come_together() -> None:
    """One line each, so that a file is mended in one go."""
    with pytest.raises(ValueError, match="ac: ") as refusal:
        shorthand("monster", {"ac": "x", "atk": "y", "weapons": [{"name": "q"}, {"name": "z"}]})

    assert [line.partition(":")[0] for line in str(refusal.value).splitlines()] == [
        "ac",
        "atk",
        "weapons[0].dmg",
        "weapons[1].dmg",
    ]


def test_a_problem_stays_on_its_line() -> None:
    """Line ends in a typed value do not look like another problem."""
    with pytest.raises(ValueError, match="ac: ") as refusal:
        shorthand("monster", {"ac": "x\nhp: y"})

    assert len(str(refusal.value).splitlines()) == 1


def test_a_surprised_side_expects_no_trouble() -> None:
    """WN-022: both keys together are an error."""
    with pytest.raises(ValidationError, match="expects trouble"):
        CODEC.convert({"surprised": True, "expects_trouble": True}, SideKeys)


# Canonical form


def blocks_of_the_files() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Every block of the bundled encounters: of the two collections, and typed in place."""
    for path in sorted(FOLDER.glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        for heading, kind in (("characters", "pc"), ("monsters", "monster")):
            for entry in document.get(heading, ()):
                yield f"{path.name}:{entry['name']}", kind, entry
        for group in (*document.get("sides", ()), *document.get("waves", ())):
            members = group["members"] if isinstance(group["members"], list) else ()
            for entry in members:
                if isinstance(entry, dict):
                    yield f"{path.name}:{entry.get('name', entry.get('ref'))}", "monster", entry


FILED = {name: (kind, entry) for name, kind, entry in blocks_of_the_files()}


def filed(name: str) -> tuple[str, dict[str, object]]:
    """Return a block's kind and keys, those of a reference over its block's."""
    kind, entry = FILED[name]
    based = next((block for _, block in FILED.values() if block.get("id") == entry.get("ref", math.nan)), {})
    return kind, {key: value for key, value in {**based, **entry}.items() if key not in ("ref", "count")}


@pytest.mark.parametrize("name", FILED)
def test_the_files_of_the_program_load(name: str) -> None:
    """Every block converts without an unknown key or column, and reads as itself again."""
    kind, typed = filed(name)

    canonical = shorthand(kind, typed)
    block = read_block(kind, typed)

    assert set(canonical) <= set(block.__struct_fields__)
    assert getattr(block, "unread", ()) == ()
    assert read_block(kind, {key: value for key, value in CODEC.builtins(block).items() if key != "type"}) == block


def bare_ruleset() -> Ruleset:
    """Return the game's schema without its mechanics."""
    schema = Schema(
        (("pc", PC), ("monster", Monster)), house_rules=HouseRules, setup=Setup, side=SideKeys, shorthand=shorthand
    )
    return Ruleset(
        "worlds_without_number",
        "",
        1,
        schema,
        lambda ctx: None,
        lambda state, who: (),
        lambda state, action: None,
        lambda ctx, action: None,
    )


@pytest.mark.parametrize("path", ["first_fight.yaml", "night_raid.yaml", "bandit_lord.yaml"])
def test_the_encounters_of_the_program_load(path: str) -> None:
    """The library finds nothing wrong with them, and what it builds survives the journal."""
    ruleset = bare_ruleset()

    loaded = load_encounter(FOLDER / path, lambda key: ruleset)

    assert loaded.problems == ()
    assert loaded.encounter is not None
    assert ruleset.schema.codec.decode(ruleset.schema.codec.encode(loaded.encounter), Encounter) == loaded.encounter


@pytest.mark.parametrize("path", ["first_fight.yaml", "night_raid.yaml", "bandit_lord.yaml"])
def test_the_keys_of_the_encounters_load(path: str) -> None:
    """Switches and the keys of the sides convert."""
    document = yaml.safe_load((FOLDER / path).read_text(encoding="utf-8"))
    rules = CODEC.convert(document.get("house_rules", {}), HouseRules)
    sides = [
        CODEC.convert({key: side[key] for key in SideKeys.__struct_fields__ if key in side}, SideKeys)
        for side in document["sides"]
    ]

    assert rules == HouseRules(ask_instants="all" if path == "bandit_lord.yaml" else "pcs")
    assert [side.surprised for side in sides] == [False, path == "night_raid.yaml"]


@pytest.mark.parametrize(
    "block",
    [
        cadmon(),
        pc(weapons=["dagger", "short sword"], dual_wield=True, attributes={"int": 4}, move="30' fly"),
        monster(stat_line="10  15x  +12 x2  2d6+3  6/-  30'  10  4  +1  10+"),
        monster(dmg="Wpn+1", shock="none", ac={"melee": 1, "ranged": 2}, npc=False),
        monster(
            weapons=[{"name": "mace", "trauma": "1d8/x3", "bonus": {"hit": 1}}],
            instants=[{"name": "a", "does": "note", "uses": 2}],
        ),
        HouseRules(initiative="individual", swarm_size=5),
        Setup(wait=True),
        SideKeys(surprised=True, initiative_modifier=-1),
    ],
    ids=lambda block: type(block).__name__,
)
def test_blocks_come_back_from_json(block: PC | Monster | HouseRules | Setup | SideKeys) -> None:
    """The journal keeps what went in, whether the type is known or only its mark."""
    text = CODEC.encode(block)

    assert CODEC.decode(text, type(block)) == block
    assert CODEC.decode(text, Data) == block
