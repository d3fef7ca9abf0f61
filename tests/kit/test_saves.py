"""Effects that a save ends, given by a rule or typed by the GM."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit import duel
from tests.support.common import encounter
from tracker.core.game import durations
from tracker.kit import At, Boundary, ChoiceAnswer, Ctx, Effect, Moment, OnSave, action, saves
from tracker.testing.table import Table


def save(ctx: Ctx, effect: Effect, end: OnSave) -> bool:
    return ctx.choose("made", ("yes", "no"), who=effect.bearer, why=end.key) == "yes"


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    saves.on_boundary(ctx, boundary, save)


MOMENTS = (Moment("{n} rounds", (At("turn_start", "bearer"),)), *saves.moments("str", "will_power"))
GAME = replace(duel.RULESET, on_boundary=on_boundary, moments=MOMENTS)


@pytest.mark.parametrize(("made", "holds"), [("yes", False), ("no", True)])
def test_a_save_at_the_end_of_the_bearers_turn_ends_it(made: str, holds: bool) -> None:
    held = Table(GAME, encounter("duel"))
    held.within(lambda ctx: ctx.add_effect(Effect("held", "ada", until=(OnSave("str", against=12),))))
    number = held.state["ada"].effects[0].id

    held.next(**{f"turn_end@r1/ada:ada/ends:{number}/made": ChoiceAnswer(made)})

    assert held.state["ada"].has("held") is holds


@pytest.mark.parametrize(
    ("typed", "against"), [("save str 12", OnSave("str", against=12)), ("a will power save of 7", None)]
)
def test_anybody_can_type_it(typed: str, against: OnSave | None) -> None:
    """The words that are offered, and those in which an end is printed, are read."""
    held = Table(GAME, encounter("duel"))
    held.do(action("add_effect", name="held", targets=("bo",), until=typed))

    assert held.state["bo"].effects[0].until == (against or OnSave("will_power", against=7),)


def test_it_is_printed_short_and_in_full() -> None:
    held = Table(GAME, encounter("duel"))
    held.within(lambda ctx: ctx.add_effect(Effect("held", "ada", until=(OnSave("will_power", against=12),))))
    effect = held.state["ada"].effects[0]

    assert durations.short_until(held.state, effect) == "save will power 12"
    assert durations.until_words(held.state, effect) == "a will power save of 12"
