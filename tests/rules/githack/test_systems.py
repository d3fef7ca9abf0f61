"""Prints of unknown games: an encounter describes the game, its monsters name it. 8.5.1."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.models import Monster, Setup, StanceLimits
from tracker.core.game.schema import codec_of
from tracker.library.content.encounters import Loaded, load_encounter

FIGHT = """\
ruleset: githack
title: strangers
setup:
  systems:
    mine: {direction: ascending, unarmoured: 11, hit_die: 6}
    ose: {direction: descending, unarmoured: 7}
party: [{name: Skule, str: 12, con: 8}]
monsters:
  - {ref: watcher}
  - {ref: watcher, name: Captain, system: ose, ac: 2}
  - {name: Hound, system: mine, stat_line: "AC 15, HD 2, Atk bite 1d6"}
  - {name: Rat, ac: 1, hp: 2, damage: 1d3}
"""


def loaded(folder: Path, fight: str) -> Loaded:
    (folder / "bestiary.yaml").write_text(
        "ruleset: githack\nmonsters:\n  - {id: watcher, name: Watcher, system: mine, ac: 13, hd: 3, damage: 1d8}\n"
    )
    path = folder / "fight.yaml"
    path.write_text(fight)
    return load_encounter(path, lambda key: RULESET)


def test_systems_of_an_encounter_are_known_to_its_monsters(tmp_path: Path) -> None:
    """A described game counts in a bestiary, in place and in a print."""
    found = loaded(tmp_path, FIGHT)

    assert found.problems == ()
    assert found.encounter is not None
    blocks = [member.block for member in found.encounter.sides[1].members]
    assert [block.ac for block in blocks if isinstance(block, Monster)] == [2, 5, 4, 1]
    assert [str(block.hd) for block in blocks if isinstance(block, Monster)][2] == "2d6"


def test_wrong_system_is_named_with_its_place(tmp_path: Path) -> None:
    """What is wrong in the table, and a name that is in no table."""
    found = loaded(
        tmp_path, FIGHT.replace("direction: ascending", "direction: up").replace("system: ose", "system: yours")
    )

    said = [problem.render() for problem in found.problems]
    assert any("setup.systems.mine.direction" in line for line in said)
    assert any("there is no system yours" in line for line in said)


def test_limits_name_stances(tmp_path: Path) -> None:
    """GH-223: a limit of something else is a mistake of the file."""
    found = loaded(tmp_path, "ruleset: githack\nsetup: {stance_limits: {persuit: 2}}\nparty: []\nmonsters: []\n")

    assert any("persuit" in problem.render() for problem in found.problems)


@pytest.mark.parametrize(("key", "block"), [("stance_limits: {pursuit: 2}", "setup"), ("stances: true", "house_rules")])
def test_a_key_in_the_wrong_place_is_told_where_it_belongs(tmp_path: Path, key: str, block: str) -> None:
    """GH-223: limits and switches stand in blocks of their own."""
    found = loaded(tmp_path, f"ruleset: githack\n{key}\nparty: []\nmonsters: []\n")

    assert [problem.hint for problem in found.problems] == [f"it belongs under `{block}:`"]


def test_limits_of_older_journals_are_read() -> None:
    """A stored limit of an unknown stance does not keep a fight from opening."""
    found = codec_of(RULESET.schema).decode(b'{"type":"gh_setup","stance_limits":{"pursuit":2,"persuit":1}}', Setup)

    assert found.stance_limits == StanceLimits(pursuit=2)
