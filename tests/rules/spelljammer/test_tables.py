"""The printed tables, value by value, and the examples that read them (section 8)."""

from __future__ import annotations

import pytest

from rulesets.spelljammer.stat_blocks.facts import Declaration
from rulesets.spelljammer.stat_blocks.models import Creature, Weapon
from rulesets.spelljammer.stat_blocks.tables import (
    casting_time,
    into_melee,
    judge,
    multiple,
    shorthand,
    special_hits,
    stun_threshold,
    wound_mod,
)
from rulesets.spelljammer.stats.costs import attacks_left, attacks_lost
from tests.support.tables import for_each, rows
from tracker.core.terms.dice import Dice

BANDS = rows(__file__, "bands")
EXPECTED = {msc: (grievous, critical) for low, high, grievous, critical in BANDS for msc in range(low, high + 1)}


def test_special_hits() -> None:
    """SJ-033: the highest grievous and critical roll at every chance, none at 0 or less."""
    assert [msc for msc in range(-20, 201) if special_hits(msc) != EXPECTED.get(msc, (0, 0))] == []


def test_the_formula_agrees_with_the_printed_table() -> None:
    """A-03: 15 % and 5 %, half up, at every chance from 4 but 29."""
    for msc in (*range(4, 29), *range(30, 131)):
        assert special_hits(msc, "formula") == ((5 * msc + 50) // 100, (15 * msc + 50) // 100) == special_hits(msc)


def test_the_formula_moves_only_29() -> None:
    """A-03: the switch moves 29 and nothing else."""
    assert [msc for msc in range(-5, 160) if special_hits(msc, "formula") != special_hits(msc)] == [29]
    assert special_hits(29, "formula") == (1, 4)


@for_each(("msc", "results"), rows(__file__, "rolls_are_judged"))
def test_rolls_are_judged(msc: int, results: dict[int, str]) -> None:
    """SJ-032, SJ-033, SJ-138 to SJ-141: automatic results come before the table; 96 to 100 come before everything."""
    assert {roll: judge(roll, msc) for roll in results} == results


@for_each(
    ("con", "limit"),
    [*((con, con) for con in range(1, 26)), *zip(range(26, 36), range(27, 46, 2), strict=True), (36, 47), (40, 55)],
)
def test_stun_threshold(con: int, limit: int) -> None:
    """SJ-038, SJ-040, A-05: CON up to 25, the table to 35, its rule beyond (W-05)."""
    assert stun_threshold(con, "medium", 50) == limit


@pytest.mark.parametrize(("con", "size", "hp_max", "limit"), rows(__file__, "big_bodies"))
def test_big_bodies(con: int, size: str, hp_max: int, limit: int) -> None:
    """SJ-041, SJ-042 (D-17, D-18)."""
    assert stun_threshold(con, size, hp_max) == limit


@for_each(("rank", "gk", "sk"), rows(__file__, "casting_time"))
def test_casting_time(rank: int, gk: int, sk: int) -> None:
    """SJ-068, A-11 (W-09)."""
    assert (casting_time("gk", rank), casting_time("sk", rank)) == (gk, sk)


@for_each(("start", "hp", "mod"), rows(__file__, "wound_steps"))
def test_wound_steps(start: int, hp: int, mod: int) -> None:
    """SJ-046 to SJ-049 (W-06, D-19, D-20)."""
    assert wound_mod(hp, start)[0] == mod


@for_each(("mode", "left"), rows(__file__, "attacks_left"))
def test_attacks_left(mode: dict[str, object], left: list[int]) -> None:
    """T-11, SJ-072, SJ-085, SJ-089, SJ-090, SJ-092, SJ-096, SJ-153, A-36 (W-10, W-13 to W-16)."""
    mode = {key: value for key, value in mode.items() if key != "act_then_half"}
    said = Declaration("attack", **mode)  # type: ignore[arg-type]  # names of the table above

    assert [attacks_left(n, said) for n in range(1, 6)] == left


def test_each_loss_names_its_rule() -> None:
    """Everything that costs attacks says why."""
    said = Declaration("attack", movement="half_then_act", draw=True, careful_aim=True)

    assert attacks_lost(4, said) == ((2, "SJ-072"), (1, "SJ-153"), (1, "SJ-089"))


@for_each(("roll", "score", "mod", "level"), rows(__file__, "multiples"))
def test_multiples(roll: int, score: int, mod: int, level: int) -> None:
    """A-01, A-19: the least multiple that suffices, each with the modifier."""
    assert multiple(roll, score, mod) == level


@for_each(("friends", "opponents", "limit"), rows(__file__, "into_melee"))
def test_into_melee(friends: int, opponents: int, limit: int) -> None:
    """SJ-170 to SJ-175, A-27."""
    assert into_melee(friends, opponents)[0] == limit


def test_short_notations() -> None:
    """Short notations are filled in: DEF, hit points, wound class, missiles."""
    block = shorthand(
        "pc",
        {
            "name": "A",
            "side": "x",
            "hp_max": 12,
            "def": 7,
            "weapons": [{"name": "bow", "class": "B", "missile": "arrow"}],
        },
    )

    assert block["def"] == {"other": 7}
    assert block["hp"] == 12
    assert "side" not in block
    assert block["weapons"] == [
        {"name": "bow", "class": "B", "missile": "arrow", "grievous_chance": 60, "kind": "ranged"}
    ]


def test_short_notations_tell_what_is_missing() -> None:
    """A cleric's spell without time and a block without weapons are refused."""
    with pytest.raises(ValueError, match=r"weapons: at least one.*\nspells\[0\]\.casting_time"):
        shorthand("pc", {"weapons": [], "spells": [{"name": "Prayer", "type": "cleric"}]})


def test_no_spell_takes_longer_than_a_round() -> None:
    """SJ-029: from 10, where a spell carried over begins, to -5 there are 15 segments."""
    weapons = [{"name": "staff"}]
    with pytest.raises(ValueError, match=r"spells\[1\]\.casting_time: 20 segments never end in a round"):
        shorthand(
            "pc", {"weapons": weapons, "spells": [{"name": "A", "casting_time": 15}, {"name": "B", "casting_time": 20}]}
        )


def test_a_name_cannot_stand_twice() -> None:
    """Declarations name weapons and spells, so two of one name in a block are told."""
    with pytest.raises(ValueError, match=r"weapons\[1\]\.name: sword is there twice"):
        shorthand("pc", {"weapons": [{"name": "sword"}, {"name": "sword"}]})


def test_a_block_has_its_defaults() -> None:
    """What a stat block leaves out is as the catalogue says."""
    plain = Creature(name="A", hp=5, hp_max=5, con=10, weapons=(Weapon(name="fist", sc=40, dmg=Dice.parse("1d4")),))

    assert (plain.dex, plain.per, plain.im, plain.tmr, plain.attacks, plain.size, plain.shield_ready) == (
        10,
        10,
        0,
        30,
        1,
        "medium",
        True,
    )
