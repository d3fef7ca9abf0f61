"""Who leaves while a step asks: what still needs them ends, and nothing breaks."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.core.step.stepping import D6, doing, one, pending
from tests.support.common import hurt
from tracker.core.fight.events import ActionStopped, Noted, OrderSet
from tracker.core.run import Interruption, Step
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.moments import Boundary
from tracker.testing.table import of_kind


def stopped(table_last: object) -> list[tuple[str | None, str]]:
    return [(event.by, event.why) for event in of_kind(table_last, ActionStopped)]  # type: ignore[arg-type]  # entries


def stab(ctx: Ctx, _: Action) -> None:
    """Roll, then hurt, looking at nobody in between."""
    ctx.roll("damage", D6)
    hurt(ctx, "gog", 2)


def bless(ctx: Ctx, _: Action) -> None:
    ctx.roll("damage", D6)
    ctx.add_effect(Effect("blessed", "gog"))


@pytest.mark.parametrize("deed", [stab, bless])
def test_an_action_ends_with_the_one_it_still_needs(deed: object) -> None:
    """If the target is removed before a roll, the action stops."""
    table = one(deed)  # type: ignore[arg-type]  # two deeds

    table.do(action("do", "ada"), interrupts=(Interruption("damage", action("remove", targets=("gog",))),))

    assert stopped(table.last) == [("ada", "Gog is no longer in the fight")]
    assert "gog" not in table.state
    assert table.state.all_effects == ()


def test_the_action_ends_that_began_with_the_one_who_left() -> None:
    """The outer action ends if a nested action needs a combatant that has left."""

    def outer(ctx: Ctx, _: Action) -> None:
        ctx.roll("damage", D6)
        ctx.perform(action("inner", "bo"))

    table = doing({"do": outer, "inner": lambda ctx, _: hurt(ctx, "gog", 2)})

    table.do(action("do", "ada"), interrupts=(Interruption("damage", action("remove", targets=("gog",))),))

    assert stopped(table.last) == [("ada", "Gog is no longer in the fight")]


def test_a_combatant_who_was_never_there_is_a_fault_of_the_ruleset() -> None:
    """A combatant that never was in the fight is a RulesBug."""
    table = one(lambda ctx, _: hurt(ctx, "nobody", 2))

    with pytest.raises(RulesBug, match="nobody is not in the fight"):
        table.run(Step("do", (action("do", "ada"),)))


def test_conclusions_are_drawn_again_where_one_leaves_whom_they_are_about() -> None:
    """`settle` is called again if a combatant leaves during its request."""

    def settle(ctx: Ctx) -> None:
        hurt_ones = [one.id for one in ctx.state.combatants if one.hp < 6 and not one.has("shaken")]
        for who in hurt_ones:
            ctx.roll(f"nerve:{who}", D6, who=who)
            ctx.add_effect(Effect("shaken", who))

    table = doing({"do": lambda ctx, _: (hurt(ctx, "gog", 2), hurt(ctx, "bo", 2))})
    table.ruleset = replace(table.ruleset, settle=settle)

    table.do(action("do", "ada"), interrupts=(Interruption("nerve:gog", action("remove", targets=("gog",))),))

    assert [(effect.name, effect.bearer) for effect in table.state.all_effects] == [("shaken", "bo")]
    assert stopped(table.last) == []


def test_a_hook_of_the_clock_does_not_end_half_way() -> None:
    """A hook that needs a combatant that has left is a RulesBug."""

    def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
        if boundary.edge == "turn_end":
            ctx.roll("wind", D6)
            hurt(ctx, "gog", 2)

    table = one(stab)
    table.ruleset = replace(table.ruleset, on_boundary=on_boundary)
    put = Interruption("turn_end@r1/ada:ada/wind", action("remove", targets=("gog",)))

    with pytest.raises(RulesBug, match="gog is not in the fight"):
        table.run(Step("advance", interrupts=(put,)))


@pytest.mark.parametrize("several", [False, True])
def test_nobody_who_has_left_can_be_chosen(several: bool) -> None:
    """Options, default and minimum are evaluated without combatants that have left."""
    people = ("gog", "bo")

    def pick(ctx: Ctx, _: Action) -> None:
        both = ctx.pick("who", people, default=people, minimum=2) if several else ()
        ctx.note(" ".join(both or (ctx.choose("who", people, default="gog"),)))

    step = Step("do", (action("do", "ada"),), interrupts=(Interruption("who", action("remove", targets=("gog",))),))
    table = one(pick)

    request = pending(table.run(step, otherwise=None))
    table.take(step, {})

    assert [option.key for option in request.options] == ["bo"]
    assert [event.text for event in of_kind(table.last, Noted)] == ["bo"]


def test_a_choice_among_those_who_have_all_left_ends_the_action() -> None:
    """A choice whose options have all left ends the action."""
    table = one(lambda ctx, _: ctx.choose("who", ("gog", "bo")))

    table.do(action("do", "ada"), interrupts=(Interruption("who", action("remove", targets=("gog", "bo"))),))

    assert stopped(table.last) == [("ada", "Gog is no longer in the fight")]


def test_an_order_holds_nobody_who_has_left() -> None:
    """A new order has no combatant that has left meanwhile."""

    def reorder(ctx: Ctx, _: Action) -> None:
        slots = ctx.state.clock.slots
        ctx.roll("first", D6)
        ctx.emit(OrderSet(ctx.state.clock.slots, slots[::-1]))

    table = one(reorder)

    table.do(action("do", "ada"), interrupts=(Interruption("first", action("remove", targets=("gog",))),))

    assert [slot.members for slot in table.state.clock.slots] == [("bo",), (), ("ada",)]


def test_what_is_known_of_a_pair_goes_with_either() -> None:
    """Facts about a pair are removed when one of the two leaves."""
    table = one(stab)
    for owner in ("pair:ada|gog", "pair:gog|bo", "pair:ada|bo", "fight"):
        table.within(lambda ctx, owner=owner: ctx.fact(owner, "met", True))

    table.do(action("remove", targets=("gog",)))

    assert [owner for owner, _, _ in table.state.facts] == ["fight", "pair:ada|bo"]


def test_a_conclusion_that_is_taken_back_is_drawn_again() -> None:
    """If an effect that `settle` has added ends, the next `settle` adds it again."""

    def settle(ctx: Ctx) -> None:
        for fighter in ctx.changed_since_settle("status", "effects"):
            if fighter.status == "down":
                ctx.add_effect(Effect("lies", fighter.id, stacking="keep"))

    def fall(ctx: Ctx, _: Action) -> None:
        ctx.status("gog", "down")
        ctx.settle()
        ctx.end_named("gog", "lies", "stands up")

    table = one(fall)
    table.ruleset = replace(table.ruleset, settle=settle)

    table.do(action("do", "ada"))

    assert [effect.name for effect in table.state["gog"].effects] == ["lies"]
