"""Typed stat blocks become canonical ones, and mistakes are named with their place."""

from __future__ import annotations

import pytest

from rulesets.sword_world import RULESET
from rulesets.sword_world.stat_blocks.models import Change, Drop, StatBlock
from rulesets.sword_world.stat_blocks.shorthand import dice_text, drop_range, shorthand
from tests.support.tables import rows
from tracker.core.terms.dice import Dice

LEAST: dict[str, object] = {"name": "Rat", "hp": 3, "move": 9}


def block(kind: str = "monster", **keys: object) -> StatBlock:
    """Return the stat block of typed keys."""
    return RULESET.schema.codec.convert(shorthand(kind, {**LEAST, **keys}), StatBlock)


def problems(**keys: object) -> list[str]:
    """Return what is wrong with typed keys."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the lines are looked at by the test
        shorthand("monster", {**LEAST, **keys})
    return str(caught.value).splitlines()


@pytest.mark.parametrize(("typed", "expected"), rows(__file__, "dice"))
def test_dice(typed: object, expected: str) -> None:
    """Section 3: a d without sides is a d6."""
    assert dice_text(typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("2-6", (2, 6)), ("10+", (10, 12)), ("7", (7, 7)), (9, (9, 9)), ("always", (0, 0)), ("7–9", (7, 9))],
)
def test_drop_rolls(typed: object, expected: tuple[int, int]) -> None:
    """SW-034: the roll of a Drop entry as a range."""
    assert drop_range(typed) == expected


@pytest.mark.parametrize("typed", ["1-3", "9-7", "13+", "often", ""])
def test_drop_rolls_that_cannot_be(typed: str) -> None:
    """SW-034: outside 2 to 12, upside down, or no numbers."""
    with pytest.raises(ValueError, match="2"):
        drop_range(typed)


@pytest.mark.parametrize(("kind", "expected"), [("character", (True, True)), ("monster", (False, False))])
def test_defaults_by_kind(kind: str, expected: tuple[bool, bool]) -> None:
    """SW-R34, SW-R37: characters make Death Checks and earn xp, monsters do not."""
    found = block(kind)

    assert (found.death_checks, found.earns_xp) == expected


def test_move_follows_agility() -> None:
    """Section 3: without `move` Agility is normal movement."""
    assert block(move=None, agility=14).move == 14


def test_neither_move_nor_agility() -> None:
    """Section 3: one of them is needed."""
    assert problems(move=None) == ["agility: is missing; a monster without it has move"]


def test_an_attack() -> None:
    """SW-141: a gun does magical damage, dice are canonical, one energy may be a word."""
    found = block(attacks=[{"name": "gun", "mode": "gun", "damage": "2d+1", "energy": "fire"}]).attacks[0]

    assert (found.damage_type, found.damage, found.energy, found.crit) == (
        "magical",
        Dice.parse("2d6+1"),
        ("fire",),
        10,
    )


@pytest.mark.parametrize("keys", [{}, {"impact": 10, "damage": "2d"}])
def test_impact_or_damage(keys: dict[str, object]) -> None:
    """SW-R53: an attack has one of them."""
    assert problems(attacks=[{"name": "bite", **keys}]) == ["attacks[0]: bite needs either impact or damage"]


def test_a_spell() -> None:
    """Section 3: Magic Power, resistance and duration of a spell follow from the block."""
    found = block(
        magic_power=6,
        spells=[
            {
                "name": "Bolt",
                "impact": 10,
                "duration": "25s",
                "effect": {"damage": {"amount": 2, "type": "magical"}, "crit": -1},
            }
        ],
    ).spells[0]

    assert (found.bonus, found.resist, found.duration) == (6, "half", 3)
    assert found.effect == (Change("damage", 2, "magical"), Change("crit", -1))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"impact": 0, "heal": True}, "none"),
        ({"effect": {}}, "none"),
        ({"impact": 0}, "half"),
        ({"impact": 0, "resist": "negate"}, "negate"),
    ],
)
def test_resistance(keys: dict[str, object], expected: str) -> None:
    """Section 3: spells that deal damage are halved when resisted, others are not resisted."""
    assert block(spells=[{"name": "x", **keys}]).spells[0].resist == expected


@pytest.mark.parametrize(
    ("typed", "expected"), [(3, 3), ("3", 3), ("10s", 1), ("11s", 2), ("combat", "combat"), (None, None)]
)
def test_durations(typed: object, expected: object) -> None:
    """SW-R06: rounds, seconds or the whole fight."""
    assert block(spells=[{"name": "x", "duration": typed, "effect": {}}]).spells[0].duration == expected


def test_everything_at_once() -> None:
    """Every problem of a block is said, with its place."""
    found = problems(
        attacks=[{"name": "a", "damage": "2x"}, {"name": "a", "impact": 3}],
        spells=[{"name": "s", "duration": "soon", "max_targets": 3, "effect": {"evasion": "low"}}],
        drops=[{"roll": "1+", "item": "tail"}],
    )

    assert [line.partition(":")[0] for line in found] == [
        "attacks[0].damage",
        "drops[0].roll",
        "spells[0].duration",
        "spells[0].effect.evasion",
        "spells[0].max_targets",
        "attacks",
    ]


def test_canonical_form_stays() -> None:
    """What shorthand returns may be given to it again."""
    typed = {
        **LEAST,
        "attacks": [{"name": "a", "damage": "2d"}],
        "spells": [{"name": "s", "duration": "20s", "effect": {"evasion": 1}}],
        "drops": [{"roll": "9+", "item": "x"}],
    }
    once = shorthand("monster", typed)

    assert shorthand("monster", once) == once
    assert RULESET.schema.codec.convert(once, StatBlock).drops == (Drop(9, 12, "x"),)
