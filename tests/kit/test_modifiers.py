"""Numbers from parts: what effects add, which kinds stack, and degrees of success."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit.duel import table
from tests.support.common import encounter
from tests.support.tables import for_each
from tests.testing.slippery import with_deed
from tracker.kit import FIGHT, Degree, Derived, Effect, Modifier, Part, action, degree, modifiers
from tracker.testing.table import Table

BASE = Part("attack", 5)


def holding(*effects: Effect) -> Table:
    held = table()
    for effect in effects:
        held.hold(effect)
    return held


def attack(held: Table, **how: object) -> Derived:
    # The keywords are the function's own.
    return modifiers.derived(held.state, "ada", "attack", BASE, **how)  # type: ignore[arg-type]  # as said above


def test_effects_add_up_and_are_named() -> None:
    """Every part has the name and the rule of its effect."""
    held = holding(
        Effect("blessed", "ada", modifiers=(Modifier("attack", 1), Modifier("ac", 3)), rule="D-7"),
        Effect("prone", "ada", modifiers=(Modifier("attack", -2),)),
    )

    assert attack(held) == Derived(4, (BASE, Part("blessed", 1, "D-7"), Part("prone", -2)))


def test_cases_apply_only_when_they_are_at_hand() -> None:
    """A modifier with a case counts in that case."""
    held = holding(Effect("hunting", "ada", modifiers=(Modifier("attack", 2, "beasts"),)))

    assert (attack(held).value, attack(held, cases=("beasts",)).value) == (5, 7)


def test_other_bearers_count_when_they_are_named() -> None:
    """Effects on the fight or a side count if they are in `bearers`."""
    held = holding(Effect("fog", FIGHT, modifiers=(Modifier("attack", -1),)))

    assert (attack(held).value, attack(held, bearers=(FIGHT,)).value) == (5, 4)


def test_kinds_do_not_add_up() -> None:
    """Of each kind the best bonus and the worst penalty count, and all without one."""
    held = holding(
        Effect("song", "ada", modifiers=(Modifier("attack", 1, kind="status"),)),
        Effect("hymn", "ada", modifiers=(Modifier("attack", 3, kind="status"),)),
        Effect("fear", "ada", modifiers=(Modifier("attack", -2, kind="status"),)),
        Effect("dread", "ada", modifiers=(Modifier("attack", -1, kind="status"),)),
        Effect("luck", "ada", modifiers=(Modifier("attack", 1),)),
        Effect("more luck", "ada", modifiers=(Modifier("attack", 1),)),
    )

    found = attack(held, stacking=modifiers.best_of_each_kind)

    assert [part.label for part in found.parts] == ["attack", "hymn", "fear", "luck", "more luck"]
    assert (found.value, attack(held).value) == (8, 8)


def test_the_base_may_have_a_kind() -> None:
    """A base with a kind is replaced by a better bonus of the same kind."""
    held = holding(Effect("ward", "ada", modifiers=(Modifier("ac", 3, kind="item"),)))
    armour = modifiers.Kinded(Part("mail", 2), "item")

    found = modifiers.derived(held.state, "ada", "ac", Part("ac", 10), armour, stacking=modifiers.best_of_each_kind)

    assert found == Derived(13, (Part("ac", 10), Part("ward", 3)))


def test_equal_ones_of_a_kind_count_once() -> None:
    """Of two that are the same the first counts."""
    twice = [modifiers.Kinded(Part("one", 2), "item"), modifiers.Kinded(Part("two", 2), "item")]

    assert modifiers.best_of_each_kind(twice) == (Part("one", 2),)


@for_each(
    ("total", "natural", "expected"),
    [
        (25, None, Degree.CRITICAL_SUCCESS),
        (24, None, Degree.SUCCESS),
        (15, None, Degree.SUCCESS),
        (14, None, Degree.FAILURE),
        (6, None, Degree.FAILURE),
        (5, None, Degree.CRITICAL_FAILURE),
        (15, 20, Degree.CRITICAL_SUCCESS),
        (5, 20, Degree.FAILURE),
        (15, 1, Degree.FAILURE),
        (25, 20, Degree.CRITICAL_SUCCESS),
        (5, 1, Degree.CRITICAL_FAILURE),
        (15, 10, Degree.SUCCESS),
    ],
)
def test_degree_of_a_check_against_15(total: int, natural: int | None, expected: Degree) -> None:
    """Ten over or under is critical, and a natural 20 or 1 shifts the degree."""
    assert degree(total, 15, natural) == expected


def test_other_margins_and_dice() -> None:
    """A game may have its own margin, and no best or worst die."""
    assert degree(20, 15, margin=5) == Degree.CRITICAL_SUCCESS
    assert degree(15, 15, 20, best=None, worst=None) == Degree.SUCCESS


def test_words_and_order() -> None:
    """Better degrees are greater, and have words for the log."""
    assert Degree.SUCCESS > Degree.FAILURE
    assert (Degree.CRITICAL_FAILURE.word, Degree.SUCCESS.better(9), Degree.FAILURE.better(-1)) == (
        "critical failure",
        Degree.CRITICAL_SUCCESS,
        Degree.CRITICAL_FAILURE,
    )


ROLLED = with_deed(lambda ctx, action: FOUND.extend(modifiers.roll_dice(ctx, "attack", "ada", "attack", "D-2")))
ROLLED = replace(ROLLED, schema=replace(ROLLED.schema, derived=("attack", "save"), rolled=("attack",)))
FOUND: list[Part] = []


def changed_by(held: Table, stat: str, dice: str) -> None:
    change = (("stat", stat), ("amount", 1), ("dice", dice))
    held.do(action("add_effect", name="blessed", targets=("ada",), modifiers=(change,)))


@pytest.mark.parametrize(("typed", "points"), [("1d4", 3), ("-1d4", -3)])
def test_a_die_is_added_to_a_number_or_taken_away(typed: str, points: int) -> None:
    """It is rolled wherever the number is used, so the number itself stays."""
    held = Table(ROLLED, encounter("duel"))
    changed_by(held, "attack", typed)
    key = f"attack:blessed:{held.state['ada'].effects[0].id}"

    held.do(action("slip", "ada"), answers={key: 3})

    assert FOUND[-1:] == [Part("blessed", points)]
    assert modifiers.derived(held.state, "ada", "attack").value == 0


def test_a_die_cannot_be_added_where_the_game_rolls_none() -> None:
    """The refusal names the numbers to which one can."""
    held = Table(ROLLED, encounter("duel"))

    with pytest.raises(AssertionError, match="no die can be added to save, only to attack"):
        changed_by(held, "save", "1d4")
