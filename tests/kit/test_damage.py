"""Damage of kinds: defences, shields, and the GM's damage on the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from tests.kit import duel
from tests.support.tables import for_each
from tracker.kit import ActionTable, Ctx, Damage, Dealt, Defences, Harm, Part, PoolChanged, State, action
from tracker.kit.damage import suffered
from tracker.testing.table import Table, of_kind

TOUGH = Defences(resist=(("fire", 5), ("all", 1)), weak=(("cold", 3), ("silver", 4)), immune=("poison",), protection=2)


@for_each(
    ("harms", "points", "labels"),
    [
        ([Harm(7, "fire")], 0, ["fire", "resists fire", "protection"]),
        ([Harm(9, "fire")], 2, ["fire", "resists fire", "protection"]),
        ([Harm(4, "cold")], 4, ["cold", "weak to cold", "resists cold", "protection"]),
        ([Harm(0, "cold")], 0, ["cold"]),
        ([Harm(9, "poison")], 0, ["poison", "immune to poison"]),
        ([Harm(6)], 3, ["damage", "resists all", "protection"]),
        ([Harm(6, "cut", "sword"), Harm(3, "fire")], 3, ["sword", "resists cut", "fire", "resists fire", "protection"]),
        ([Harm(-4, "cut")], 0, ["cut"]),
        ([Harm(1, "cut")], 0, ["cut", "resists cut"]),
    ],
)
def test_what_comes_through(harms: list[Harm], points: int, labels: list[str]) -> None:
    """Immunity, weakness, resistance and protection change the points, each with its name, never below 0."""
    parts = suffered(harms, TOUGH)

    assert (sum(part.amount for part in parts), [part.label for part in parts]) == (points, labels)


@pytest.mark.parametrize(
    ("against", "harms", "points"),
    [
        (Defences(half=("fire",)), [Harm(9, "fire"), Harm(4, "cut")], 8),
        (Defences(double=("fire",)), [Harm(9, "fire"), Harm(4, "cut")], 22),
        (Defences(half=("fire",), double=("fire",)), [Harm(9, "fire")], 8),  # halved first, rounded down
        (Defences(half=("all",)), [Harm(1, "fire"), Harm(3)], 1),
        (Defences(half=("fire",), resist=(("fire", 4),)), [Harm(9, "fire")], 2),
        (Defences(half=("fire",), immune=("fire",)), [Harm(9, "fire")], 0),
        (Defences(double=("fire",), protection=3), [Harm(4, "fire")], 5),
    ],
)
def test_half_and_double(against: Defences, harms: list[Harm], points: int) -> None:
    """Half and double apply after fixed points, kind by kind."""
    assert sum(part.amount for part in suffered(harms, against)) == points


def test_a_game_says_by_a_function_what_comes_through() -> None:
    """`suffers` applies to attacks and the GM's command, and each part is in the log."""

    def suffers(state: State, who: str, harms: Sequence[Harm]) -> tuple[Part, ...]:
        points = sum(harm.amount for harm in harms)
        return (Part("damage", points), Part("stone", 1 - points)) if who == "goblin-1" else (Part("damage", points),)

    damage = Damage(("fire",), suffers=suffers)
    held = table(damage)
    before = held.state["goblin-1"].hp

    held.within(lambda ctx: damage.deal(ctx, "goblin-1", (Harm(7, "fire"),)))
    held.do(action("damage", amount=5, targets=("goblin-1",), kind="fire"))

    assert before - held.state["goblin-1"].hp == 2
    (change,) = of_kind(held.last, PoolChanged)
    assert [part.label for part in change.parts] == ["damage", "stone"]


def test_immune_to_all() -> None:
    """`all` stands for every kind."""
    assert sum(part.amount for part in suffered([Harm(9, "cut")], Defences(immune=("all",)))) == 0


def defences(state: State, who: str) -> Defences:
    return TOUGH if who == "goblin-1" else Defences()


def shield(ctx: Ctx, who: str, points: int, harms: Sequence[Harm]) -> Part | None:
    """Ask whether the shield takes some, and remember what it took."""
    if who != "bo" or not ctx.confirm("block", default=True, who=who):
        return None
    ctx.fact(who, "shield_lost", min(3, points))
    return Part("shield", 3, "D-14")


DAMAGE = Damage(("cut", "fire", "cold", "poison"), defences, shield, rules=("D-13",))


def table(damage: Damage = DAMAGE) -> Table:
    """Return a fight of the duel with this damage."""
    return duel.table(duel.playing(replace(duel.ACTIONS, gm=(damage.gm_action("D-12"),))))


def hp(held: Table) -> dict[str, int]:
    return {one.id: one.hp for one in held.state.combatants}


def test_a_blow_loses_points_with_its_parts() -> None:
    """The log has every part, the rules and the source; the caller gets the loss."""
    held, lost = table(), list[int]()

    held.within(lambda ctx: lost.append(DAMAGE.deal(ctx, "ada", (Harm(2, "cut"), Harm(1, "fire")), "D-2", source="bo")))

    (change,) = of_kind(held.last, PoolChanged)
    assert (lost, hp(held)["ada"], change.parts, change.source) == ([3], 3, (Part("cut", 2), Part("fire", 1)), "bo")
    assert held.last[0].rules == ("D-2", "D-13")


def test_damage_settles() -> None:
    """A combatant without points is down after the damage."""
    held = table()

    held.within(lambda ctx: DAMAGE.deal(ctx, "ada", (Harm(9, "cut"),)))

    assert held.state["ada"].status == "down"


def test_a_shield_takes_some() -> None:
    """A shield may ask and takes points; the pool loses the rest."""
    held = table()

    held.within(lambda ctx: DAMAGE.deal(ctx, "bo", (Harm(5, "cut"),)))
    blocked = hp(held)["bo"], held.state["bo"].fact("shield_lost")
    held.within(lambda ctx: DAMAGE.deal(ctx, "bo", (Harm(2, "cut"),)))
    small = hp(held)["bo"]
    held.within(lambda ctx: DAMAGE.deal(ctx, "bo", (Harm(1, "cut"),), absorbed=False))

    assert (blocked, small, hp(held)["bo"]) == ((4, 3), 4, 3)


@pytest.mark.parametrize(
    ("typed", "changed"),
    [
        (
            {"targets": ("ada", "goblin-1", "goblin-2"), "halved": ("goblin-2",), "kind": "cold"},
            {"ada": 1, "goblin-1": 1, "goblin-2": 4},
        ),
        ({"targets": ("goblin-1",)}, {"goblin-1": 4}),
        ({"targets": ("bo", "goblin-1"), "kind": "poison", "as_it_is": True}, {"bo": 1, "goblin-1": 1}),
    ],
    ids=["of a kind", "without a kind", "without defences"],
)
def test_the_gms_damage_has_the_rules_of_an_attack(typed: dict[str, Any], changed: dict[str, int]) -> None:
    """`-7g` uses resistances, weaknesses and shields for each share, unless the GM leaves them out."""
    held = table()
    unhurt = hp(held)

    held.do(action("damage", amount=5, **typed))

    assert hp(held) == unhurt | changed


def test_without_kinds_nobody_is_asked_for_one() -> None:
    """A game without kinds has a form without them."""
    form = duel.spec_of(ActionTable(gm=(Damage().gm_action(),)), table().state, action("damage"))

    assert (form.field("kind"), form.field("amount") is not None) == (None, True)


def test_results_of_damage_are_those_of_an_attack_and_of_the_gms_command() -> None:
    """`after` gets the points after defences, after a shield, and those of the pool before."""
    dealt_to: list[tuple[str, Dealt]] = []
    damage = replace(DAMAGE, after=lambda ctx, who, dealt: dealt_to.append((who, dealt)))
    held = table(damage)

    held.within(lambda ctx: damage.deal(ctx, "ada", (Harm(5, "cold"),), source="bo"))
    held.do(action("damage", amount=9, targets=("bo",), as_it_is=False))

    assert [(who, dealt.held, dealt.source) for who, dealt in dealt_to] == [("ada", 6, "bo"), ("bo", 6, None)]
    assert all(dealt.lost <= dealt.points for _, dealt in dealt_to)


def test_damage_that_does_nothing_has_no_results() -> None:
    """A combatant that is immune need not concentrate."""
    hurt: list[str] = []
    damage = replace(DAMAGE, after=lambda ctx, who, dealt: hurt.append(who))

    table().within(lambda ctx: damage.deal(ctx, "goblin-1", (Harm(9, "poison"),)))

    assert hurt == []
