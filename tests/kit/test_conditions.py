"""Conditions with a value: set, raised, lowered, and falling by themselves."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit import duel
from tests.support.common import encounter
from tracker.core.fight.events import EffectEnded
from tracker.kit import (
    Boundary,
    ConditionKind,
    Conditions,
    Ctx,
    Effect,
    EffectChanged,
    Modifier,
    RulesBug,
    action,
    end_childless,
)
from tracker.kit.conditions import value_of
from tracker.testing.table import Table, of_kind

CONDITIONS = Conditions(
    (
        ConditionKind("frightened", "D-20", changes=lambda value: (Modifier("attack", -value),), falls_at="turn_end"),
        ConditionKind("burning", falls_at="round_end", falls_by=2),
        ConditionKind("wounded", "D-21", most=3),
    )
)


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    CONDITIONS.on_boundary(ctx, boundary)


def table() -> Table:
    return Table(replace(duel.RULESET, effects=CONDITIONS.effects, on_boundary=on_boundary), encounter("duel"))


def value(held: Table, name: str, who: str = "ada") -> int:
    return CONDITIONS.value(held.state, who, name)


def test_setting_begins_changes_and_ends() -> None:
    """A value begins the condition, another one changes it in place, 0 ends it."""
    held = table()

    held.within(lambda ctx: CONDITIONS.set(ctx, "ada", "frightened", 2, source="bo"))
    begun = held.state["ada"].effects[0]
    held.within(lambda ctx: CONDITIONS.set(ctx, "ada", "frightened", 3, "D-9", why="worse"))
    changed = of_kind(held.last, EffectChanged)[0], held.last[0].rules
    held.within(lambda ctx: CONDITIONS.set(ctx, "ada", "frightened", 0))

    assert (begun.shown, begun.source, begun.modifiers, begun.rule) == (
        "frightened 2",
        "bo",
        (Modifier("attack", -2),),
        "D-20",
    )
    assert (changed[0].now.id, changed[0].now.modifiers, changed[1]) == (begun.id, (Modifier("attack", -3),), ("D-9",))
    assert (value(held, "frightened"), of_kind(held.last, EffectEnded)[0].reason) == (0, "its value is 0")


def test_raising_keeps_the_higher_value() -> None:
    """A lower value than the one that holds changes nothing."""
    held = table()
    held.within(lambda ctx: CONDITIONS.raise_to(ctx, "ada", "frightened", 2))

    held.within(lambda ctx: CONDITIONS.raise_to(ctx, "ada", "frightened", 1))

    assert (held.last, value(held, "frightened")) == ((), 2)


def test_changing_by_so_much_stays_within_bounds() -> None:
    """A change stays between 0 and the highest value."""
    held = table()

    held.within(lambda ctx: CONDITIONS.change(ctx, "ada", "wounded", 5))
    most = value(held, "wounded")
    held.within(lambda ctx: CONDITIONS.change(ctx, "ada", "wounded", -1))
    less = value(held, "wounded")
    held.within(lambda ctx: CONDITIONS.change(ctx, "ada", "wounded", -9))

    assert (most, less, value(held, "wounded")) == (3, 2, 0)


def test_ending_a_condition_whatever_its_value() -> None:
    """`end` tells whether the condition applied."""
    held, ended = table(), list[bool]()
    held.within(lambda ctx: CONDITIONS.set(ctx, "ada", "frightened", 2))

    for _ in range(2):
        held.within(lambda ctx: ended.append(CONDITIONS.end(ctx, "ada", "frightened", "calm again")))

    assert ended == [True, False]


def test_values_fall_at_their_own_edge() -> None:
    """The end of a turn lowers the actor's conditions, the end of a round those of all combatants."""
    held = table()
    for who in ("ada", "bo"):
        held.within(lambda ctx, who=who: CONDITIONS.set(ctx, who, "frightened", 2))
        held.within(lambda ctx, who=who: CONDITIONS.set(ctx, who, "burning", 3))

    held.next()
    turn = value(held, "frightened"), value(held, "frightened", "bo"), value(held, "burning")
    held.until(lambda state: state.clock.round == 2)
    rounds = value(held, "frightened", "bo"), value(held, "burning"), value(held, "burning", "bo")

    assert (turn, rounds) == ((1, 2, 3), (1, 1, 1))


def test_empty_turns_lower_nothing() -> None:
    """The edges of an empty turn lower nothing."""
    held = table()
    held.within(lambda ctx: CONDITIONS.set(ctx, "ada", "frightened", 2))

    held.within(lambda ctx: CONDITIONS.on_boundary(ctx, Boundary("turn_end", 1, actors=("ada",))))

    assert value(held, "frightened") == 2


def test_the_gm_types_a_value() -> None:
    """`frightened 3` is the game's condition with that value, `frightened` with the usual."""
    held = table()

    held.do(action("add_effect", name="frightened 3", targets=("ada",)))
    held.do(action("add_effect", name="frightened", targets=("bo",)))

    assert (value(held, "frightened"), value(held, "frightened", "bo")) == (3, 1)


def test_what_has_no_value_counts_0() -> None:
    """Effects without a value, and combatants who are not there, have 0."""
    held = table()
    held.do(action("add_effect", name="prone", targets=("ada",)))

    assert (value_of(held.state["ada"].effects[0]), value_of(None), value(held, "frightened", "gone")) == (0, 0, 0)


def test_unknown_conditions_are_a_bug() -> None:
    """A condition that is not in the table cannot be set."""
    with pytest.raises(RulesBug, match="no condition sleepy"):
        table().within(lambda ctx: CONDITIONS.set(ctx, "ada", "sleepy", 1))


def test_an_effect_ends_with_the_last_that_hangs_on_it() -> None:
    """The parent effect stays as long as it has a child, and ends with the last one."""
    held = Table(replace(duel.RULESET, settle=lambda ctx: end_childless(ctx, "concentration")), encounter("duel"))

    def web(ctx: Ctx) -> None:
        parent = ctx.add_effect(Effect("concentration", "ada"))
        for who in ("bo", "goblin-1"):
            ctx.add_effect(Effect("bound", who, parent=parent))

    held.within(web)
    held.within(lambda ctx: ctx.end_named("bo", "bound", "torn"))
    assert held.state["ada"].has("concentration")

    def tear(ctx: Ctx) -> None:
        ctx.end_named("goblin-1", "bound", "torn")
        ctx.settle()

    held.within(tear)

    assert not held.state["ada"].has("concentration")
    assert [event.reason for event in of_kind(held.last, EffectEnded)] == ["torn", "its last effect has ended"]
