"""The Impact table, chains of criticals, fumbles, and damage that never falls with more Impact."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.sword_world.stat_blocks.shorthand import crit_rate
from rulesets.sword_world.stats.impact_table import HIGHEST, IMPACT, impact_result
from tests.rules.sword_world.fights import Fight, member
from tests.support.tables import for_each, rows
from tracker.core.fight.events import Rolled

ROWS_0_TO_50 = "e773a82cc98ef1bd5ba86d3e5c61c444685ebb96f50034e6914605423fa09ddf"
ALL_ROWS = "5f47d798609ac3159faad0a4ef618ab83a0957c1098cff7931c8cd3f430b5567"
ENOUGH_HP = 5000


def checksum(rows: tuple[tuple[int, ...], ...]) -> str:
    """Return the SHA-256 of rows written as compact JSON, each with null for 2."""
    return hashlib.sha256(json.dumps([[None, *row] for row in rows], separators=(",", ":")).encode()).hexdigest()


def struck(row: int, *dice: int, crit: int = 10, **keys: object) -> Fight:
    """Return a fight after a hit on a defenceless monster with this Impact."""
    attacker = member(
        "Wolf", "character", attacks=[{"name": "blade", "impact": row, "crit": crit, "accuracy": 30, **keys}]
    )
    fight = Fight([attacker], [member("Ogre", "monster", hp=ENOUGH_HP)]).to_round()
    fight.do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="ogre")
    return fight.do("attack", "wolf", *dice, target="ogre")


def lost(fight: Fight) -> int:
    """Return the HP the monster has lost."""
    return ENOUGH_HP - fight.state["ogre"].hp


@pytest.mark.parametrize(("rows", "expected"), [(IMPACT[:51], ROWS_0_TO_50), (IMPACT, ALL_ROWS)], ids=["0-50", "0-100"])
def test_checksums(rows: tuple[tuple[int, ...], ...], expected: str) -> None:
    """SW-123: the table is the known one to the last digit."""
    assert checksum(rows) == expected


def test_shape() -> None:
    """SW-123: rows 0 to 100 have ten results each, which never fall; neither along a row nor down a column."""
    assert len(IMPACT) == HIGHEST + 1
    assert all(len(row) == 10 and list(row) == sorted(row) for row in IMPACT)
    assert all(list(column) == sorted(column) for column in zip(*IMPACT, strict=True))


@pytest.mark.parametrize(
    ("row", "total", "expected"),
    [(20, 5, 3), (20, 10, 8), (17, 9, 6), (17, 10, 7), (0, 3, 0), (100, 12, 30), (50, 2, None)],
)
def test_printed_values(row: int, total: int, expected: int | None) -> None:
    """D01, D02: single values are those printed, and 2 has none."""
    assert impact_result(row, total) == expected


@for_each("row", range(HIGHEST + 1))
def test_every_row_is_dealt(row: int) -> None:
    """SW-124: each row and total reaches the HP through a real attack; it cannot critical."""
    dealt = [lost(struck(row, total, crit=13)) for total in range(3, 13)]

    assert dealt == list(IMPACT[row])


@pytest.mark.parametrize("row", [0, 1, 17, 50, 100])
def test_first_double_one_deals_nothing(row: int) -> None:
    """SW-126, SW-127: 1,1 first means no result, no bonus, 50 xp."""
    fight = struck(row, 2, bonus=9)

    assert lost(fight) == 0
    assert fight.state["wolf"].fact("xp") == 50


@given(
    chain=st.lists(st.integers(10, 12), max_size=40),
    last=st.integers(2, 9),
    row=st.integers(0, HIGHEST),
    bonus=st.integers(0, 20),
)
def test_chains_of_any_length(chain: list[int], last: int, row: int, bonus: int) -> None:
    """SW-148, SW-149, SW-151: criticals add rolls, the bonus counts once; 1,1 on a later roll only ends the chain."""
    dice = [*chain, last]
    fight = struck(row, *dice, bonus=bonus)
    failed = dice == [2]
    expected = 0 if failed else sum(impact_result(row, total) or 0 for total in dice) + bonus

    assert lost(fight) == expected
    assert fight.state["wolf"].fact("xp") == (50 if failed else None)
    assert sum(isinstance(entry.event, Rolled) and "impact" in entry.event.key for entry in fight.entries) == len(dice)


@given(
    row=st.integers(0, HIGHEST - 1),
    dice=st.lists(st.integers(10, 12), max_size=3),
    last=st.integers(2, 9),
    defense=st.integers(0, 40),
)
def test_more_impact_never_deals_less(row: int, dice: list[int], last: int, defense: int) -> None:
    """SW-123: with the same dice the next row deals at least as much; whatever the Defense is."""

    def dealt(impact: int) -> int:
        attacker = member(
            "Wolf", "character", attacks=[{"name": "blade", "impact": impact, "accuracy": 30, "bonus": 4}]
        )
        fight = Fight([attacker], [member("Ogre", "monster", hp=ENOUGH_HP, defense=defense)]).to_round()
        fight.do("start_turn", "wolf").do("declare_brawl", "wolf", enemy="ogre").do(
            "attack", "wolf", *dice, last, target="ogre"
        )
        return lost(fight)

    assert dealt(row + 1) >= dealt(row) >= 0


@for_each(("printed", "changes", "expected"), rows(__file__, "crit_rates", tuples=True))
def test_crit_rates(printed: int, changes: tuple[int, ...], expected: int | None) -> None:
    """D10, SW-154, SW-157, SW-R27: changes come before the floor of 8. From 13 on there is no critical."""
    assert crit_rate(printed, *changes) == expected


def test_a_monster_learns_nothing() -> None:
    """SW-R37: a monster's automatic failure is only told."""
    ogre = member("Ogre", "monster", attacks=[{"name": "club", "impact": 20, "accuracy": 30}], initiative_fixed=20)
    fight = Fight([member("Wolf", "character")], [ogre]).to_round()
    fight.do("start_turn", "ogre").do("declare_brawl", "ogre", enemy="wolf")

    fight.do("attack", "ogre", 7, 2, target="wolf")

    assert fight.state["ogre"].fact("xp") is None
    assert fight.notes[-1] == "automatic failure"
    assert fight.state["wolf"].hp == 20
