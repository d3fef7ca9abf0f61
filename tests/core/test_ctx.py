"""What a step may do while it runs: asking, interrupting, performing together, and where it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from msgspec.structs import replace

from tests.support import individual, sides
from tests.support.common import Fighter, encounter, hurt, member
from tracker.core.fight.events import (
    ActionStopped,
    ActionTaken,
    Decided,
    EffectAdded,
    EffectEnded,
    FactSet,
    Forced,
    Overruled,
    PoolChanged,
    Rolled,
    Skipped,
    StatusChanged,
    TurnOpened,
)
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import FIGHT, Slot, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Interruption, Outcome, Pending, Step, run
from tracker.core.step.ctx import MOST_DEPTH, Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refused, RulesBug
from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.requests import Answer, Chosen, Passed, Picked, Request, Responded, Roll, Stated, Thrown, Window
from tracker.testing.table import Table, of_kind

D6, D20 = Dice.parse("1d6"), Dice.parse("1d20")
Deed = Callable[[Ctx, Action], object]


def doing(
    deeds: Mapping[str, Deed], *, base: Ruleset = individual.RULESET, refusal: Mapping[str, Refusal] | None = None
) -> Table:
    """Return a fight in which these actions do these things; Ada is first, then Gog, then Bo."""

    def form(state: State, wanted: Action) -> ActionSpec | None:
        if wanted.key not in deeds:
            return base.form(state, wanted)
        return ActionSpec(
            wanted.key,
            wanted.key.capitalize(),
            wanted.by,
            fields=(Field("target", "combatant"),),
            refusal=(refusal or {}).get(wanted.key),
        )

    def perform(ctx: Ctx, wanted: Action) -> None:
        deed = deeds.get(wanted.key)
        if deed is None:
            base.perform(ctx, wanted)
        else:
            deed(ctx, wanted)

    fight = encounter(base.key, party=(member("Ada", kind="pc"), member("Bo", kind="pc")), foes=(member("Gog"),))
    first = (
        {"initiative:ada": 9, "initiative:gog": 6, "initiative:bo": 3}
        if base is individual.RULESET
        else {"initiative:party": 8, "initiative:goblins": 1}
    )
    return Table(replace(base, form=form, perform=perform), fight, first)


def one(deed: Deed) -> Table:
    """Return a fight with one action, `do`."""
    return doing({"do": deed})


def refused(outcome: Outcome) -> Refusal:
    assert isinstance(outcome, Refusal), outcome
    return outcome


def pending(outcome: Outcome) -> Request:
    assert isinstance(outcome, Pending), outcome
    return outcome.request


# -- asking ------------------------------------------------------------------------------------------------------------


def test_a_step_asks_one_thing_after_the_other() -> None:
    """Each run goes as far as the first question without an answer, and is done when there is none."""
    table = one(
        lambda ctx, _: [
            ctx.roll("first", D6),
            ctx.choose("second", ("go", "stay"), default="go"),
            ctx.number("third", minimum=1),
        ]
    )
    step = Step("do", (action("do", "ada"),))
    answers: tuple[tuple[str, Answer], ...] = ()
    asked = []

    for answer in (Thrown(4), Chosen("stay"), Stated(7)):
        outcome = run(table.ruleset, table.state, step, answers)
        asked.append(pending(outcome).key)
        answers = (*answers, (asked[-1], answer))
    outcome = run(table.ruleset, table.state, step, answers)

    assert asked == ["first", "second", "third"]
    assert isinstance(outcome, Done)
    assert (outcome.answers, outcome.unused) == (answers, ())
    assert [event.answer for event in of_kind(outcome.entries, Decided)] == ["stay", "7"]


def test_what_a_source_answers_is_answered_in_the_same_pass() -> None:
    """Six hundred dice that nobody has to be asked for take one pass, and are recorded."""
    passes = []

    def throw(ctx: Ctx, _: Action) -> None:
        passes.append(1)
        for number in range(600):
            ctx.roll(f"die:{number}", D6)

    table = one(throw)

    outcome = table.run(Step("do", (action("do", "ada"),)))

    assert isinstance(outcome, Done)
    assert (len(passes), len(outcome.answers)) == (1, 600)


def test_faces_and_totals() -> None:
    """A roll asks for natural dice; dice without any are nobody's to throw."""
    seen: list[object] = []
    table = one(
        lambda ctx, _: seen.extend(
            [
                ctx.faces("a", Dice.parse("2d6+3")),
                ctx.faces("b", D6),
                ctx.roll("c", Dice.parse("1d6+9")),
                ctx.roll("d", Dice(plus=5)),
            ]
        )
    )

    table.do(action("do", "ada"), answers={"a": Thrown(7, (3, 4)), "b": 5, "c": 2})

    assert seen == [(3, 4), (5,), 2, 0]
    assert [str(event.dice) for event in of_kind(table.last, Rolled)] == ["2d6", "1d6", "1d6"]


@pytest.mark.parametrize(("who", "to"), [("ada", "player"), ("gog", "gm"), (None, "gm")])
def test_who_is_asked_follows_from_whom_it_concerns(who: str | None, to: str) -> None:
    """A player throws for their own character, the game master for everybody else."""
    table = one(lambda ctx, _: ctx.roll("die", D6, who=who))

    request = table.asks(action("do", "ada"))

    assert isinstance(request, Roll)
    assert (request.who, request.to) == (who, to)


def test_a_key_used_twice_is_a_fault_of_the_ruleset() -> None:
    """Keys are unique within a step."""
    table = one(lambda ctx, _: [ctx.roll("die", D6), ctx.roll("die", D6)])

    with pytest.raises(RulesBug, match="die is asked twice"):
        table.do(action("do", "ada"))


def test_what_follows_from_the_state_may_ask_again() -> None:
    """The same conclusion may be drawn more than once in a step; its keys are numbered."""
    table = one(lambda ctx, _: [ctx.settle(), ctx.settle()])
    table.ruleset = replace(table.ruleset, settle=lambda ctx: None if not ctx.entries else [ctx.roll("death", D6)])  # type: ignore[arg-type]  # see Deed

    table.do(action("do", "ada"))

    assert [event.key for event in of_kind(table.last, Rolled)] == ["death", "death~2", "death~3"]


def test_scopes_are_paths() -> None:
    """Questions inside a scope and inside a nested action are keyed below it, and so are their answers in the log."""

    def nest(ctx: Ctx, _: Action) -> None:
        with ctx.scope("outer"):
            ctx.perform(action("inner", "bo"), "snap:bo")

    table = doing({"do": nest, "inner": lambda ctx, _: ctx.roll("die", D6)})

    assert table.asks(action("do", "ada")).key == "outer/snap:bo/die"
    table.do(action("do", "ada"))
    assert [event.key for event in of_kind(table.last, Rolled)] == ["outer/snap:bo/die"]


@pytest.mark.parametrize(("answer", "words"), [(Thrown(7), "not possible"), (Chosen("go"), "a roll is asked for")])
def test_an_impossible_answer_is_refused_at_its_request(answer: Answer, words: str) -> None:
    """The refusal names the request, and cannot be forced."""
    table = one(lambda ctx, _: ctx.roll("die", D6))

    refusal = refused(run(table.ruleset, table.state, Step("do", (action("do", "ada"),)), (("die", answer),)))

    assert (refusal.at, refusal.forcible, words in refusal.text) == ("die", False, True)


def test_nothing_to_choose_from_is_a_fault_of_the_ruleset() -> None:
    """A question that cannot be answered would never end."""
    with pytest.raises(RulesBug, match="nothing to choose from"):
        one(lambda ctx, _: ctx.choose("way", ())).do(action("do", "ada"))


def test_answers_not_asked_for_are_named() -> None:
    """Answers, interruptions and overrides whose place did not come are told, so that nothing is lost silently."""
    table = one(lambda ctx, _: ctx.roll("die", D6))
    step = Step(
        "do",
        (action("do", "ada"),),
        interrupts=(Interruption("never", action("note", text="x")),),
        overrides=(("hit", True),),
    )

    outcome = run(table.ruleset, table.state, step, (("die", Thrown(3)), ("other", Thrown(1))))

    assert isinstance(outcome, Done)
    assert outcome.unused == ("other", "never!1", "hit")


def test_endless_questions_and_events_are_stopped() -> None:
    """A step beyond its bounds is a fault of the ruleset."""

    def babble(ctx: Ctx, _: Action) -> None:
        while True:
            ctx.note("and so on")

    with pytest.raises(RulesBug, match="events"):
        one(babble).do(action("do", "ada"))


def test_pick_confirm_and_their_record() -> None:
    """Every answer is in the log."""
    seen: list[object] = []
    table = one(
        lambda ctx, _: seen.extend(
            [ctx.pick("who", ("ada", "bo", "gog"), minimum=2), ctx.confirm("sure", default=True)]
        )
    )

    table.do(action("do", "ada"), answers={"who": Picked(("bo", "gog"))})

    assert (seen, [event.answer for event in of_kind(table.last, Decided)]) == (
        [("bo", "gog"), True],
        ["bo, gog", "yes"],
    )


# -- windows -----------------------------------------------------------------------------------------------------------


def swordplay() -> Table:
    """Return a fight of sides in which Ada may strike Gog, who may dodge or snap back."""
    return doing({}, base=sides.RULESET)


ATTACK = action("attack", "ada", target="gog")


def test_a_window_offers_what_can_be_done() -> None:
    """Only legal responses are offered, and the situation is told."""
    table = swordplay()

    request = table.asks(ATTACK, answers={"attack": 15})

    assert isinstance(request, Window)
    assert [(spec.key, spec.by) for spec in request.offers] == [("dodge", "gog"), ("snap", "gog")]
    assert (request.key, request.actor, request.target, request.why) == ("after_roll", "ada", "gog", "15")


def test_a_response_is_performed_as_an_action_of_its_own() -> None:
    """A dodge after the roll makes the blow miss, and costs what it costs."""
    table = swordplay()

    table.do(ATTACK, answers={"attack": 12, "after_roll": Responded((action("dodge", "gog"),))})

    assert [event.action.key for event in of_kind(table.last, ActionTaken)] == ["attack", "dodge"]
    assert (table.state["gog"].hp, table.state["gog"].left("main")) == (6, 0)


def test_a_window_is_asked_again_while_somebody_can_respond() -> None:
    """After a response the window is asked again, under a key of its own; passing closes it."""
    table = swordplay()
    table.do(action("insert", members=(member("Hob"),), side="goblins"))

    answers = {"attack": 12, "after_roll": Responded((action("dodge", "gog"),))}
    second = table.asks(ATTACK, answers=answers)

    assert isinstance(second, Window)
    assert (second.key, [(spec.key, spec.by) for spec in second.offers]) == ("after_roll:2", [("snap", "hob")])


def test_a_window_nobody_can_use_is_not_asked() -> None:
    """Without an offer there is no question."""
    table = swordplay()
    table.within(lambda ctx: ctx.refill({"gog": ()}))

    assert isinstance(table.asks(ATTACK, answers={"attack": 15}), Roll)


def test_a_refused_response_leaves_the_window_standing() -> None:
    """The answer is refused at the window's key, the state unchanged, and the window is asked anew."""
    table = swordplay()
    step, wrong = Step("do", (ATTACK,)), Responded((action("snap", "gog", target="nobody"),))
    given = (("attack", Thrown(12)),)

    refusal = refused(run(table.ruleset, table.state, step, (*given, ("after_roll", wrong))))
    again = run(table.ruleset, table.state, step, given)

    assert (refusal.at, refusal.field) == ("after_roll", "target")
    assert pending(again).key == "after_roll"


def test_two_responses_of_one_kind_by_one_are_told_apart() -> None:
    """Questions of the second are keyed apart from those of the first."""
    table = doing(
        {"do": lambda ctx, _: ctx.window("open", again=False), "use": lambda ctx, _: ctx.roll("die", D6)},
    )
    table.ruleset = replace(table.ruleset, windows=lambda state, window: (ActionSpec("use", "Use", "bo"),))
    twice = Responded((action("use", "bo"), action("use", "bo")))

    outcome = table.run(Step("do", (action("do", "ada"),)), {"open": twice})

    assert isinstance(outcome, Done)
    assert [key for key, _ in outcome.answers] == ["open", "open/use:bo/die", "open/use:bo#2/die"]


def test_who_responds_does_not_take_over_the_turn() -> None:
    """The acting combatant stays who it was, though a fellow of the same slot interrupts."""
    table = doing(
        {"do": lambda ctx, _: ctx.perform(action("inner", "bo"), "x"), "inner": lambda ctx, _: None}, base=sides.RULESET
    )

    table.do(action("do", "ada"))

    assert table.state.clock.acting == "ada"
    assert [event.now for event in of_kind(table.last, TurnOpened)] == ["ada"]


# -- guards and stops --------------------------------------------------------------------------------------------------


def test_a_guard_ends_the_action_that_cannot_go_on() -> None:
    """A snap attack that fells the attacker ends the attack; its cost stays spent and no damage is asked."""
    table = swordplay()

    table.do(
        ATTACK,
        answers={
            "attack": 15,
            "after_roll": Responded((action("snap", "gog", target="ada"),)),
            "after_roll/snap:gog/attack": 19,
            "damage": 6,
        },
    )

    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["the attacker is down"]
    assert (table.state["ada"].status, table.state["ada"].left("main"), table.state["gog"].hp) == ("down", 0, 6)


def test_a_guard_of_the_outer_action_ends_the_inner_ones_too() -> None:
    """Only the outermost action that cannot go on is told to have stopped."""

    def outer(ctx: Ctx, _: Action) -> None:
        ctx.guard(lambda state: state["ada"].hp > 0, "Ada is down")
        ctx.perform(action("middle", "bo"), "m")
        ctx.note("never")

    def middle(ctx: Ctx, _: Action) -> None:
        ctx.perform(action("inner", "gog"), "i")
        ctx.note("never either")

    table = doing({"do": outer, "middle": middle, "inner": lambda ctx, _: hurt(ctx, "ada", 6)})

    table.do(action("do", "ada"))

    assert [(event.by, event.why) for event in of_kind(table.last, ActionStopped)] == [("ada", "Ada is down")]
    assert not any("never" in str(entry) for entry in table.last)


def test_stopping_is_for_actions_only() -> None:
    """An action may end itself; a hook outside of any cannot."""
    table = one(lambda ctx, _: ctx.stop("enough"))
    table.do(action("do", "ada"))
    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["enough"]

    for deed in (lambda ctx: ctx.stop("x"), lambda ctx: ctx.guard(lambda state: True)):
        with pytest.raises(RulesBug, match="outside an action"):
            table.within(deed)


def test_actions_that_interrupt_one_another_for_ever() -> None:
    """Depth is bounded."""
    table = one(lambda ctx, _: ctx.perform(action("do", "ada"), "again"))

    with pytest.raises(RulesBug, match="without end"):
        table.do(action("do", "ada"))
    assert MOST_DEPTH < 100


# -- together ----------------------------------------------------------------------------------------------------------


def test_simultaneous_blows_both_land() -> None:
    """Each is judged on the state before either, so two can fell one another."""
    table = doing({})

    table.do(action("duel", "ada", target="gog"), answers={"blow:ada/harm": 6, "blow:gog/harm": 6})

    assert (table.state["ada"].status, table.state["gog"].status) == ("down", "down")
    assert len(of_kind(table.last, StatusChanged)) == 2


def alongside(*deeds: Deed) -> Table:
    """Return a fight in which `do` performs these at the same moment, by Ada, Bo and Gog."""
    names = [f"part{place}" for place in range(len(deeds))]
    actions = [action(name, who) for name, who in zip(names, ("ada", "bo", "gog"), strict=False)]
    return doing({"do": lambda ctx, _: ctx.together(actions), **dict(zip(names, deeds, strict=True))})


def test_pools_change_by_difference_within_their_bounds() -> None:
    """Two blows add up, but not below the floor; healing not above the maximum."""
    harm: Deed = lambda ctx, _: ctx.change("gog", "hp", ctx.state["gog"].hp - 5)  # noqa: E731 - a deed

    table = alongside(harm, harm, harm)
    table.do(action("do", "ada"))
    assert [(event.was, event.now) for event in of_kind(table.last, PoolChanged)] == [(6, 1), (1, -3), (-3, -3)]

    heal: Deed = lambda ctx, _: ctx.change("gog", "hp", 6)  # noqa: E731 - a deed
    table = alongside(heal, heal)
    table.within(lambda ctx: ctx.change("gog", "hp", 2))
    table.do(action("do", "ada"))
    assert table.state["gog"].hp == 6


def test_the_rest_takes_its_last_value() -> None:
    """Facts, places, names and statuses end as the last one left them, each part of a budget by itself."""

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
    """Of two of one name only the last holds, both add up, or only the first holds, as they say; children follow their parent's number."""
    for stacking, left in (("replace", ["b"]), ("add", ["a", "b"]), ("keep", ["a"])):

        def ward(title: str, stacking: str = stacking) -> Deed:
            def deed(ctx: Ctx, _: Action) -> None:
                parent = ctx.add_effect(Effect("ward", "gog", title=title, stacking=stacking))  # type: ignore[arg-type]  # by name
                ctx.add_effect(Effect(f"child-{title}", "bo", parent=parent))

            return deed

        table = alongside(ward("a"), ward("b"))
        table.do(action("do", "ada"))

        held = {effect.id: effect.title for effect in table.state["gog"].effects}
        children = {effect.name: held.get(effect.parent or 0) for effect in table.state["bo"].effects}
        assert list(held.values()) == left
        assert all(parent in left for parent in children.values()), children


def test_what_concerns_somebody_who_has_left_falls_away() -> None:
    """If one of them takes somebody out of the fight, the others' doings to them are lost, and nothing breaks."""

    def rest(ctx: Ctx, _: Action) -> None:
        ctx.change("gog", "hp", 1)
        ctx.status("gog", "dazed")
        ctx.add_effect(Effect("bane", "gog"))
        ctx.refill({"gog": (("act", 0),), "bo": (("act", 2),)})

    table = alongside(lambda ctx, _: ctx.leave("gog", "flees"), rest)

    table.do(action("do", "ada"))

    assert ("gog" in table.state, table.state.all_effects, table.state["bo"].left("act")) == (False, (), 2)
    assert not of_kind(table.last, EffectAdded)


# -- rulings, forcing, interrupting ------------------------------------------------------------------------------------


def test_the_game_master_overrules_a_computed_value() -> None:
    """What the rules computed stands in the log beside what was put in its place."""
    table = swordplay()

    table.do(ATTACK, answers={"attack": 2, "damage": 4}, overrides=(("hit", True),))

    assert of_kind(table.last, Overruled) == [Overruled("hit", False, True)]
    assert table.state["gog"].hp == 2


@pytest.mark.parametrize("value", [3, "yes", None])
def test_an_override_of_another_kind_is_refused(value: object) -> None:
    """A yes or no cannot become a number."""
    table = swordplay()
    step = Step("do", (ATTACK,), overrides=(("hit", value),))  # type: ignore[arg-type]  # drawn from values

    refusal = refused(table.run(step))

    assert (refusal.reason, refusal.at, refusal.forcible) == ("bad_override", "hit", False)


def test_a_rules_refusal_can_be_forced_and_is_told() -> None:
    """Gog may act out of turn if the game master says so."""
    table = swordplay()
    out_of_turn = action("attack", "gog", target="ada")
    assert refused(table.run(Step("do", (out_of_turn,)))).rule == "S-10"

    table.do(out_of_turn, forced=True)

    assert [event.text for event in of_kind(table.last, Forced)] == ["it is not Gog's turn"]


def test_nonsense_cannot_be_forced() -> None:
    """No such target, no such action."""
    table = swordplay()

    refusals = [
        refused(table.run(Step("do", (wanted,), forced=True)))
        for wanted in (action("attack", "ada", target="wolf"), action("dance", "ada"))
    ]

    assert [refusal.forcible for refusal in refusals] == [False, False]


def test_an_interruption_comes_just_before_its_request() -> None:
    """The game master's action is performed before the damage is asked for; its own questions have keys of their own."""
    table = swordplay()
    interrupts = (
        Interruption("damage", action("damage", amount=2, targets=("gog",))),
        Interruption("damage", action("roll", dice="1d6")),
    )

    table.do(ATTACK, answers={"attack": 15, "damage!2/roll": 3, "damage": 4}, interrupts=interrupts)

    assert [(event.was, event.now) for event in of_kind(table.last, PoolChanged)] == [(6, 4), (4, 0)]


def test_an_interruption_that_fells_the_actor_ends_the_action() -> None:
    """The guard is looked at after an interruption, too."""
    table = swordplay()

    table.do(
        ATTACK,
        answers={"attack": 15},
        interrupts=(Interruption("damage", action("damage", amount=9, targets=("ada",))),),
    )

    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["the attacker is down"]


@pytest.mark.parametrize(
    "wrong",
    [action("dance"), action("add_effect", name="x", until="tomorrow"), action("attack", "gog", target="ada")],
    ids=lambda wrong: wrong.key,
)
def test_an_interruption_that_is_refused_refuses_itself_only(wrong: Action) -> None:
    """It is told as the interruption's, not as a fault of the ruleset, though questions have been answered before."""
    table = swordplay()

    refusal = refused(table.run(Step("do", (ATTACK,), interrupts=(Interruption("damage", wrong),)), {"attack": 15}))

    assert refusal.at == "damage!1"


def test_a_refusal_after_a_question_is_a_fault_of_the_ruleset() -> None:
    """Validate first, ask afterwards."""

    def late(ctx: Ctx, _: Action) -> None:
        ctx.roll("die", D6)
        raise Refused(Refusal("too_late", "never mind"))

    with pytest.raises(RulesBug, match="refused after it asked"):
        one(late).do(action("do", "ada"))


# -- groups ------------------------------------------------------------------------------------------------------------


def strikes(*actors: str) -> tuple[Action, ...]:
    return tuple(action("strike", actor) for actor in actors)


def group_table() -> Table:
    """Return a fight in which striking takes a roll and Gog's last hit points, and is refused where Gog is down."""
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
    """All or none: what cannot be done at the start refuses the whole."""
    table = group_table()
    table.do(action("damage", amount=6, targets=("gog",)))

    assert refused(table.run(Step("do", (action("shout", "ada"), *strikes("bo"))))).rule == "X-1"


def test_what_has_become_impossible_in_a_group_lapses() -> None:
    """The second blow at somebody whom the first has felled is skipped, with the reason."""
    table = group_table()

    table.do(*strikes("ada", "bo"), action("shout", "ada"))

    assert [(event.why, event.who) for event in of_kind(table.last, Skipped)] == [("Gog is down", "bo")]
    assert len(of_kind(table.last, ActionTaken)) == 2


def test_a_group_that_was_wrong_from_the_start_is_refused_even_late() -> None:
    """An action nobody knows refuses the group although dice have fallen before it."""
    table = group_table()

    assert refused(table.run(Step("do", (*strikes("ada"), action("dance", "bo"))))).reason == "unknown_action"


# -- changes -----------------------------------------------------------------------------------------------------------


def test_a_stale_event_is_a_fault_of_the_ruleset() -> None:
    """An object held across a change is found out at once."""
    table = one(lambda ctx, _: [ctx.emit(PoolChanged("gog", "hp", 5, 4))])

    with pytest.raises(RulesBug, match="says it was 5"):
        table.do(action("do", "ada"))


@pytest.mark.parametrize(("stacking", "names"), [("replace", ["b"]), ("add", ["a", "b"]), ("keep", ["a"])])
def test_stacking(stacking: str, names: list[str]) -> None:
    """A second effect of the same name replaces the first, stands beside it, or is not made."""
    table = one(lambda ctx, _: None)

    for title in ("a", "b"):
        table.hold(Effect("ward", "gog", title=title, stacking=stacking))  # type: ignore[arg-type]  # by name

    assert [effect.title for effect in table.state["gog"].effects] == names


def test_ending_a_parent_ends_its_children() -> None:
    """Whatever hangs on an effect goes with it, grandchildren too."""
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
    """A duration of nought ends as it begins."""
    table = one(lambda ctx, _: None)

    table.hold(Effect("spark", "gog", until=(At("round_end", count=0),)))

    assert (table.state.all_effects, table.state.due) == ((), ())
    assert [event.reason for event in of_kind(table.last, EffectEnded)] == ["its time is up"]


def test_use_ends_only_what_is_used_up() -> None:
    """What is due for another reason waits for its own moment, and says that reason."""
    table = one(lambda ctx, _: None)
    table.hold(Effect("aim", "ada", until=(OnUse("attack"),)))
    table.hold(Effect("focus", "ada", until=(OnUse("attack", 2),)))

    table.within(lambda ctx: ctx.use("ada", "attack"))

    assert [(event.was.name, event.reason) for event in of_kind(table.last, EffectEnded)] == [("aim", "used")]
    assert [effect.name for effect in table.state["ada"].effects] == ["focus"]


@pytest.mark.parametrize(
    ("anchor", "bearer", "source", "resolved"),
    [
        ("bearer", "gog", None, "who:gog"),
        ("bearer", "side:party", None, "side:party"),
        ("bearer", "fight", None, "any"),
        ("source", "gog", "ada", "who:ada"),
        ("source", "gog", None, "any"),
        ("bearer_side", "gog", None, "side:goblins"),
        ("bearer_side", "side:party", None, "side:party"),
        ("bearer_side", "zone:1", None, "any"),
        ("source_side", "gog", "ada", "side:party"),
        ("acting_side", "gog", None, "side:party"),
        ("who:bo", "gog", None, "who:bo"),
        ("any", "gog", None, "any"),
    ],
)
def test_anchors_are_resolved_at_birth(anchor: str, bearer: str, source: str | None, resolved: str) -> None:
    """In the state an end names whom it waits for."""
    table = one(lambda ctx, _: None)

    table.hold(Effect("ward", bearer, 0, source, (At("turn_start", anchor),)))

    assert table.state.all_effects[0].until == (At("turn_start", resolved),)


def test_the_acting_side_where_the_slot_has_none() -> None:
    """In a slot of nobody's side the acting combatant's counts."""
    table = one(lambda ctx, _: None)
    slots = (Slot("r1/ada", "Ada", members=("ada",)),)
    clock = replace(table.state.clock, slots=slots, at="r1/ada", acting="ada")
    table.state = replace(table.state, clock=clock)

    table.hold(Effect("ward", "gog", until=(At("phase_end", "acting_side"),)))

    assert table.state.all_effects[0].until == (At("phase_end", "side:party"),)


def test_what_stays_the_same_is_no_event() -> None:
    """Facts, statuses and budgets that are so already are not told; a fact of another kind is."""
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
    """Damage beyond the floor is lost; what was really taken is returned."""
    table = one(lambda ctx, _: None)
    taken: list[int] = []

    table.within(lambda ctx: taken.append(ctx.change("gog", "hp", -99)))

    assert (table.state["gog"].hp, taken) == (-3, [-9])


def test_events_make_the_state() -> None:
    """Folding what happened gives the state that came of it."""
    table = swordplay()
    before = table.state

    entries = table.do(
        ATTACK, answers={"attack": 15, "after_roll": Responded((action("snap", "gog", target="ada"),)), "damage": 3}
    )

    assert fold_all(before, entries) == table.state


def test_a_start_needs_an_encounter() -> None:
    """A fight is opened from something."""
    with pytest.raises(RulesBug, match="without an encounter"):
        run(sides.RULESET, State(), Step("start"))


def test_a_question_while_the_fight_opens() -> None:
    """Even the first step stops at what nobody has answered, and goes on from there."""
    fight = encounter("sides", foes=(member("Goblin", "1d4"),))

    first = run(sides.RULESET, State(), Step("start", encounter=fight))
    second = run(sides.RULESET, State(), Step("start", encounter=fight), (("count:goblin", Thrown(2)),))

    assert (pending(first).key, pending(second).key) == ("count:goblin", "initiative:party")
    assert isinstance(second, Pending)
    assert [one.id for one in second.state.combatants] == ["ada", "bo", "goblin-1", "goblin-2"]
    assert isinstance(second.state["ada"].block, Fighter)


def test_an_empty_window_answer_of_many() -> None:
    """A window passed is over."""
    table = swordplay()

    table.do(ATTACK, answers={"attack": 15, "after_roll": Passed(), "damage": 2})

    assert table.state["gog"].hp == 4


def test_options_may_be_words() -> None:
    """A choice takes options or their keys; one that is refused cannot be chosen."""
    table = one(lambda ctx, _: ctx.choose("way", (Option("up", refusal=Refusal("no", "it is barred")), "down")))

    assert refused(table.run(Step("do", (action("do", "ada"),)), {"way": Chosen("up")})).text == "it is barred"
    table.do(action("do", "ada"), answers={"way": Chosen("down")})
    assert [event.answer for event in of_kind(table.last, Decided)] == ["down"]
