"""Several actions at once, and several in one step."""

from __future__ import annotations

from msgspec.structs import replace

from tests.core.step.stepping import D6, ActionType, doing, refused
from tests.support.common import hurt
from tracker.core.clock.joining import leave
from tracker.core.fight.events import ActionTaken, EffectAdded, EffectEnded, PoolChanged, Skipped, StatusChanged
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import FIGHT, State
from tracker.core.run import Done, Pending, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import OnUse
from tracker.core.terms.requests import DiceAnswer
from tracker.testing.table import Table, of_kind

# -- together ----------------------------------------------------------------------------------------------------------


def test_simultaneous_blows_both_land() -> None:
    """Each action is checked on the state before both, so two combatants can fell one another."""
    table = doing({})

    table.do(action("duel", "ada", target="gog"), answers={"blow:ada/harm": 6, "blow:gog/harm": 6})

    assert (table.state["ada"].status, table.state["gog"].status) == ("down", "down")
    assert len(of_kind(table.last, StatusChanged)) == 2


def alongside(*deeds: ActionType) -> Table:
    """Return a fight in which `do` performs these at once. By Ada, Bo and Gog."""
    names = [f"part{place}" for place in range(len(deeds))]
    actions = [action(name, who) for name, who in zip(names, ("ada", "bo", "gog"), strict=False)]
    return doing({"do": lambda ctx, _: ctx.simultaneously(actions), **dict(zip(names, deeds, strict=True))})


def test_pools_change_by_difference_within_their_bounds() -> None:
    """Two attacks add up, not below the floor. Healing does not exceed the maximum."""
    harm: ActionType = lambda ctx, _: ctx.change("gog", "hp", ctx.state["gog"].hp - 5)  # noqa: E731 - a deed

    table = alongside(harm, harm, harm)
    table.do(action("do", "ada"))
    assert [(event.was, event.now) for event in of_kind(table.last, PoolChanged)] == [(6, 1), (1, -3), (-3, -3)]

    heal: ActionType = lambda ctx, _: ctx.change("gog", "hp", 6)  # noqa: E731 - a deed
    table = alongside(heal, heal)
    table.within(lambda ctx: ctx.change("gog", "hp", 2))
    table.do(action("do", "ada"))
    assert table.state["gog"].hp == 6


def test_one_combatant_pays_for_each_of_its_actions() -> None:
    """The second action of a combatant is checked after its first; an action of another combatant is not."""
    seen: list[tuple[str, bool]] = []

    def spend(ctx: Ctx, what: Action) -> None:
        who = what.by or ""
        seen.append((who, ctx.state.fact("gog", "spent") is True))
        ctx.fact("gog", "spent", True)
        ctx.add_effect(Effect("mark", "gog", stacking="replace", title=f"{who} {len(seen)}"))

    actions = [action("spend", who) for who in ("ada", "bo", "ada")]
    table = doing({"do": lambda ctx, _: ctx.simultaneously(actions), "spend": spend})

    table.do(action("do", "ada"))

    assert seen[-3:] == [("ada", False), ("bo", False), ("ada", True)]
    assert len(table.state["gog"].effects) == 1


def test_nothing_is_remembered_of_who_leaves_at_the_same_moment() -> None:
    """A fact about a combatant that leaves at the same moment is dropped."""
    goes: ActionType = lambda ctx, _: leave(ctx, "gog", "gone")  # noqa: E731 - a deed
    marks: ActionType = lambda ctx, _: ctx.fact("gog", "marked", True)  # noqa: E731 - a deed
    table = alongside(goes, marks)

    table.do(action("do", "ada"))

    assert table.state.facts == ()


def test_the_rest_takes_its_last_value() -> None:
    """Facts, positions, names, statuses and each part of a budget get their last value."""

    def first(ctx: Ctx, _: Action) -> None:
        ctx.fact(FIGHT, "wind", "north")
        ctx.status("gog", "dazed")
        ctx.spend("gog", "act")
        ctx.use("gog", "look")

    def second(ctx: Ctx, _: Action) -> None:
        ctx.fact(FIGHT, "wind", "south")
        ctx.fact("gog", "aim", 2)
        ctx.spend("gog", "parry")
        ctx.use("gog", "look")

    table = alongside(first, second)
    table.within(
        lambda ctx: [
            ctx.refill({"gog": (("act", 1), ("parry", 1))}),
            ctx.add_effect(Effect("wary", "gog", until=(OnUse("look", 2),))),
        ]
    )

    table.do(action("do", "ada"))

    gog = table.state["gog"]
    assert (table.state.fact(FIGHT, "wind"), gog.fact("aim"), gog.status, gog.budget) == (
        "south",
        2,
        "dazed",
        (("act", 0), ("parry", 0)),
    )
    assert (gog.effects, [event.reason for event in of_kind(table.last, EffectEnded)]) == ((), ["used"])


def test_effects_made_at_once_keep_to_their_stacking() -> None:
    """Two effects of a name made at once keep to their stacking. Children follow their parent's number."""
    for stacking, left in (("replace", ["b"]), ("add", ["a", "b"]), ("keep", ["a"])):

        def ward(title: str, stacking: str = stacking) -> ActionType:
            def deed(ctx: Ctx, _: Action) -> None:
                parent = ctx.add_effect(Effect("ward", "gog", title=title, stacking=stacking))  # type: ignore[arg-type]  # a name
                ctx.add_effect(Effect(f"child-{title}", "bo", parent=parent))

            return deed

        table = alongside(ward("a"), ward("b"))
        table.do(action("do", "ada"))

        held = {effect.id: effect.title for effect in table.state["gog"].effects}
        children = {effect.name: held.get(effect.parent or 0) for effect in table.state["bo"].effects}
        assert list(held.values()) == left
        assert all(parent in left for parent in children.values()), children


def test_what_concerns_somebody_who_has_left_falls_away() -> None:
    """Events about a combatant that has left are dropped."""

    def rest(ctx: Ctx, _: Action) -> None:
        ctx.change("gog", "hp", 1)
        ctx.status("gog", "dazed")
        ctx.add_effect(Effect("bane", "gog"))
        ctx.refill({"gog": (("act", 0),), "bo": (("act", 2),)})

    table = alongside(lambda ctx, _: leave(ctx, "gog", "flees"), rest)

    table.do(action("do", "ada"))

    assert ("gog" in table.state, table.state.all_effects, table.state["bo"].left("act")) == (False, (), 2)
    assert not of_kind(table.last, EffectAdded)


# -- groups ------------------------------------------------------------------------------------------------------------


def strikes(*actors: str) -> tuple[Action, ...]:
    return tuple(action("strike", actor) for actor in actors)


def group_table() -> Table:
    """Return a fight in which a strike fells Gog. It takes a roll, and is refused where Gog is down."""
    table = doing(
        {"strike": lambda ctx, _: [ctx.roll("die", D6), hurt(ctx, "gog", 6)], "shout": lambda ctx, _: ctx.note("!")}
    )
    form = table.ruleset.form

    def careful(state: State, wanted: Action) -> ActionSpec | None:
        spec = form(state, wanted)
        down = spec is not None and wanted.key == "strike" and state["gog"].status == "down"
        return replace(spec, refusal=Refusal("down", "Gog is down", "X-1")) if spec is not None and down else spec

    table.ruleset = replace(table.ruleset, form=careful)
    return table


def test_a_group_is_one_step() -> None:
    """Several actions are performed in order, each with keys of its own."""
    table = group_table()

    outcome = table.run(Step("do", (action("shout", "ada"), action("strike", "bo"))))

    assert isinstance(outcome, Done)
    assert [key for key, _ in outcome.answers] == ["2:bo/die"]
    assert [event.action.by for event in of_kind(outcome.entries, ActionTaken)] == ["ada", "bo"]


def test_a_group_with_a_refused_action_does_nothing() -> None:
    """An action that is impossible at the start refuses the whole group."""
    table = group_table()
    table.do(action("damage", amount=6, targets=("gog",)))

    assert refused(table.run(Step("do", (action("shout", "ada"), *strikes("bo"))))).rule == "X-1"


def test_what_has_become_impossible_in_a_group_lapses() -> None:
    """The second attack on a felled combatant is skipped with the reason."""
    table = group_table()

    table.do(*strikes("ada", "bo"), action("shout", "ada"))

    assert [(event.why, event.who) for event in of_kind(table.last, Skipped)] == [("Gog is down", "bo")]
    assert len(of_kind(table.last, ActionTaken)) == 2


def test_a_group_that_was_wrong_from_the_start_is_refused_even_late() -> None:
    """An unknown action refuses the group, even after a roll."""
    table = group_table()

    assert refused(table.run(Step("do", (*strikes("ada"), action("dance", "bo"))))).reason == "unknown_action"


def test_a_question_of_a_second_action_finds_what_the_first_one_of_its_combatant_did() -> None:
    """The events of the first action are part of the state and the entries of the request."""

    def pay(ctx: Ctx, what: Action) -> None:
        ctx.fact("ada", "paid", int(str(ctx.state.fact("ada", "paid") or 0)) + 1)
        ctx.roll("die", D6, who="ada")

    table = doing({"do": lambda ctx, _: ctx.simultaneously([action("pay", "ada")] * 2), "pay": pay})
    step = Step("do", (action("do", "ada"),))

    first = run(table.ruleset, table.state, step, (("pay:ada/die", DiceAnswer(3)),))

    assert isinstance(first, Pending)
    assert fold_all(table.state, first.entries).fact("ada", "paid") == first.state.fact("ada", "paid") == 2
