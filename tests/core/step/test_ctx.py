"""What a step may do: rulings, forcing, interruptions and changes."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from tests.core.step.stepping import ATTACK, D6, one, pending, refused, swordplay
from tests.support import sides
from tests.support.common import Fighter, encounter, member
from tests.support.tables import for_each
from tracker.core.fight.events import (
    ActionStopped,
    BudgetsChanged,
    Decided,
    EffectEnded,
    FactSet,
    Forced,
    Overruled,
    PoolChanged,
    Rolled,
)
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import State
from tracker.core.run import Interruption, Pending, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option, action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal, Refused, RulesBug
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer
from tracker.testing.table import of_kind

# -- rulings, forcing, interrupting ------------------------------------------------------------------------------------


def test_the_game_master_overrules_a_computed_value() -> None:
    """The log has the computed value and the GM's value."""
    table = swordplay()

    table.do(ATTACK, answers={"attack": 2, "damage": 4}, overrides=(("hit", True),))

    assert of_kind(table.last, Overruled) == [Overruled("hit", False, True)]
    assert table.state["gog"].hp == 2


@pytest.mark.parametrize("value", [3, "yes", None])
def test_an_override_of_another_kind_is_refused(value: object) -> None:
    """An override must have the type of the computed value."""
    table = swordplay()
    step = Step("do", (ATTACK,), overrides=(("hit", value),))  # type: ignore[arg-type]  # drawn from values

    refusal = refused(table.run(step))

    assert (refusal.reason, refusal.at, refusal.forcible) == ("bad_override", "hit", False)


def test_a_rules_refusal_can_be_forced_and_is_told() -> None:
    """The GM may force an action out of turn, and it is logged."""
    table = swordplay()
    out_of_turn = action("attack", "gog", target="ada")
    assert refused(table.run(Step("do", (out_of_turn,)))).rule == "S-10"

    table.do(out_of_turn, forced=True)

    assert [event.text for event in of_kind(table.last, Forced)] == ["it is not Gog's turn"]


def test_an_interruption_comes_just_before_its_request() -> None:
    """An interruption is performed before the damage is asked for. Its own questions have keys of their own."""
    table = swordplay()
    interrupts = (
        Interruption("damage", action("damage", amount=2, targets=("gog",))),
        Interruption("damage", action("roll", dice="1d6")),
    )

    table.do(ATTACK, answers={"attack": 15, "damage!2/roll": 3, "damage": 4}, interrupts=interrupts)

    assert [(event.was, event.now) for event in of_kind(table.last, PoolChanged)] == [(6, 4), (4, 0)]


def test_an_interruption_that_fells_the_actor_ends_the_action() -> None:
    """The guard is checked after an interruption, too."""
    table = swordplay()

    table.do(
        ATTACK,
        answers={"attack": 15},
        interrupts=(Interruption("damage", action("damage", amount=9, targets=("ada",))),),
    )

    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["the attacker is down"]


def test_a_step_runs_interruptions_before_it_asks() -> None:
    """A step may run the interruptions itself, and each is performed once."""

    def stabbed(ctx: Ctx, wanted: Action) -> None:
        ctx.run_interrupts("damage")
        if ctx.state["gog"].hp > 4:
            ctx.roll("damage", D6)

    meddling = Interruption("damage", action("damage", amount=2, targets=("gog",)))
    table = one(stabbed)

    table.do(action("do", "ada"), interrupts=(meddling,))

    assert [(event.was, event.now) for event in of_kind(table.last, PoolChanged)] == [(6, 4)]
    assert of_kind(table.last, Rolled) == []


@pytest.mark.parametrize(
    "wrong",
    [action("dance"), action("add_effect", name="x", until="tomorrow"), action("attack", "gog", target="ada")],
    ids=lambda wrong: wrong.key,
)
def test_an_interruption_that_is_refused_refuses_itself_only(wrong: Action) -> None:
    """The refusal is the interruption's and no RulesBug, although requests were answered before."""
    table = swordplay()

    refusal = refused(table.run(Step("do", (ATTACK,), interrupts=(Interruption("damage", wrong),)), {"attack": 15}))

    assert refusal.at == "damage!1"


def test_a_refusal_after_a_question_is_a_fault_of_the_ruleset() -> None:
    """An action that is refused after a request is a RulesBug."""

    def late(ctx: Ctx, _: Action) -> None:
        ctx.roll("die", D6)
        raise Refused(Refusal("too_late", "never mind"))

    with pytest.raises(RulesBug, match="refused after it asked"):
        one(late).do(action("do", "ada"))


# -- changes -----------------------------------------------------------------------------------------------------------


def test_a_stale_event_is_a_fault_of_the_ruleset() -> None:
    """An event with a stale value is a RulesBug."""
    table = one(lambda ctx, _: [ctx.emit(PoolChanged("gog", "hp", 5, 4))])

    with pytest.raises(RulesBug, match="says it was 5"):
        table.do(action("do", "ada"))


@pytest.mark.parametrize(("stacking", "names"), [("replace", ["b"]), ("add", ["a", "b"]), ("keep", ["a"])])
def test_stacking(stacking: str, names: list[str]) -> None:
    """A second effect of a name replaces, adds or is not made."""
    table = one(lambda ctx, _: None)

    for title in ("a", "b"):
        table.hold(Effect("ward", "gog", title=title, stacking=stacking))  # type: ignore[arg-type]  # by name

    assert [effect.title for effect in table.state["gog"].effects] == names


def test_ending_a_parent_ends_its_children() -> None:
    """Children and grandchildren of an effect end with it."""
    table = one(lambda ctx, _: None)
    ward = table.hold(Effect("ward", "gog"))
    child = table.hold(Effect("child", "bo", parent=ward))
    table.hold(Effect("grandchild", "zone:1", parent=child))

    table.within(lambda ctx: ctx.end_named("gog", "ward", "dispelled"))

    assert [(event.was.name, event.reason) for event in of_kind(table.last, EffectEnded)] == [
        ("ward", "dispelled"),
        ("child", "with ward"),
        ("grandchild", "with child"),
    ]


def test_an_effect_of_no_time_is_over_at_once() -> None:
    """An effect with a count of 0 ends at once."""
    table = one(lambda ctx, _: None)

    table.hold(Effect("spark", "gog", until=(At("round_end", count=0),)))

    assert (table.state.all_effects, table.state.due) == ((), ())
    assert [event.reason for event in of_kind(table.last, EffectEnded)] == ["its time is up"]


def test_use_ends_only_what_is_used_up() -> None:
    """Only effects without uses left end at a use."""
    table = one(lambda ctx, _: None)
    table.hold(Effect("aim", "ada", until=(OnUse("attack"),)))
    table.hold(Effect("focus", "ada", until=(OnUse("attack", 2),)))

    table.within(lambda ctx: ctx.use("ada", "attack"))

    assert [(event.was.name, event.reason) for event in of_kind(table.last, EffectEnded)] == [("aim", "used")]
    assert [effect.name for effect in table.state["ada"].effects] == ["focus"]


@for_each(
    ("anchor", "bearer", "source", "resolved"),
    [
        ("bearer", "gog", None, "who:gog"),
        ("bearer", "side:party", None, "side:party"),
        ("source", "gog", "ada", "who:ada"),
        ("source", "gog", None, "any"),
        ("bearer_side", "gog", None, "side:goblins"),
        ("bearer_side", "side:party", None, "side:party"),
        ("source_side", "gog", "ada", "side:party"),
        ("acting_side", "gog", None, "side:party"),
        ("who:bo", "gog", None, "who:bo"),
        ("any", "gog", None, "any"),
    ],
)
def test_anchors_are_resolved_at_birth(anchor: str, bearer: str, source: str | None, resolved: str) -> None:
    """In a state, the anchor of an end is resolved."""
    table = one(lambda ctx, _: None)

    table.hold(Effect("ward", bearer, 0, source, (At("turn_start", anchor),)))

    assert table.state.all_effects[0].until == (At("turn_start", resolved),)


@pytest.mark.parametrize("bearer", ["fight", "zone:1"])
@pytest.mark.parametrize("anchor", ["bearer", "bearer_side"])
def test_what_has_no_turns_counts_rounds(bearer: str, anchor: str) -> None:
    """The ends of an effect on the fight or a thing count rounds."""
    table = one(lambda ctx, _: None)

    table.hold(Effect("rain", bearer, until=(At("turn_start", anchor, 2), At("phase_end", anchor))))

    assert table.state.all_effects[0].until == (At("round_start", count=2), At("round_end"))


def test_the_acting_side_where_the_slot_has_none() -> None:
    """In a slot without a side, the acting combatant's side is the acting side."""
    table = one(lambda ctx, _: None)
    slots = (Slot("r1/ada", "Ada", members=("ada",)),)
    clock = replace(table.state.clock, slots=slots, at="r1/ada", acting="ada")
    table.state = replace(table.state, clock=clock)

    table.hold(Effect("ward", "gog", until=(At("phase_end", "acting_side"),)))

    assert table.state.all_effects[0].until == (At("phase_end", "side:party"),)


def test_what_stays_the_same_is_no_event() -> None:
    """Facts, statuses and budgets that are so already are not told. A fact of another kind is."""
    table = one(lambda ctx, _: None)
    table.within(lambda ctx: [ctx.fact("ada", "mark", 1), ctx.refill({"ada": (("act", 1),)})])

    table.within(
        lambda ctx: [
            ctx.fact("ada", "mark", 1),
            ctx.status("ada", "up"),
            ctx.refill({"ada": (("act", 1),)}),
            ctx.refill({}),
        ]
    )
    assert table.last == ()

    table.within(lambda ctx: ctx.fact("ada", "mark", True))
    assert of_kind(table.last, FactSet) == [FactSet("ada", "mark", 1, True)]


def test_a_pool_stops_at_its_floor() -> None:
    """A pool does not fall below its floor, and the real difference is returned."""
    table = one(lambda ctx, _: None)
    taken: list[int] = []

    table.within(lambda ctx: taken.append(ctx.change("gog", "hp", -99)))

    assert (table.state["gog"].hp, taken) == (-3, [-9])


def test_a_start_needs_an_encounter() -> None:
    """A start without an encounter is a RulesBug."""
    with pytest.raises(RulesBug, match="without an encounter"):
        run(sides.RULESET, State(), Step("start"))


def test_a_question_while_the_fight_opens() -> None:
    """The first step, too, stops at a request without an answer, and goes on from there."""
    fight = encounter("sides", foes=(member("Goblin", "1d4"),))

    first = run(sides.RULESET, State(), Step("start", encounter=fight))
    second = run(sides.RULESET, State(), Step("start", encounter=fight), (("count:goblin", DiceAnswer(2)),))

    assert (pending(first).key, pending(second).key) == ("count:goblin", "initiative:party")
    assert isinstance(second, Pending)
    assert [one.id for one in second.state.combatants] == ["ada", "bo", "goblin-1", "goblin-2"]
    assert isinstance(second.state["ada"].block, Fighter)


def test_options_may_be_words() -> None:
    """A choice takes options or their keys. One that is refused cannot be chosen."""
    table = one(lambda ctx, _: ctx.choose("way", (Option("up", refusal=Refusal("no", "it is barred")), "down")))

    assert refused(table.run(Step("do", (action("do", "ada"),)), {"way": ChoiceAnswer("up")})).text == "it is barred"
    table.do(action("do", "ada"), answers={"way": ChoiceAnswer("down")})
    assert [event.answer for event in of_kind(table.last, Decided)] == ["down"]


@pytest.mark.parametrize(("amount", "left", "short"), [(1, 1, UNSET), (2, 0, UNSET), (3, 0, "main"), (-1, 3, UNSET)])
def test_a_budget_never_falls_below_nothing(amount: int, left: int, short: object) -> None:
    """What a forced action cannot pay is not owed, and the event names it."""
    table = one(lambda ctx, _: ctx.spend("ada", "main", amount=amount))
    table.within(lambda ctx: ctx.refill({"ada": (("main", 2),)}))

    table.do(action("do", "ada"))

    assert table.state["ada"].left("main") == left
    assert [change.short for event in of_kind(table.last, BudgetsChanged) for change in event.changes] == [short]


def test_no_budget_is_filled_with_less_than_nothing() -> None:
    """A budget set below 0 is 0."""
    table = one(lambda ctx, _: ctx.refill({"ada": (("main", -1),)}))

    table.do(action("do", "ada"))

    assert table.state["ada"].budget == (("main", 0),)
