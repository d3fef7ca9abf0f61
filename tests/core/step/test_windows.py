"""Windows: who may interrupt, and what ends an action."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.core.step.stepping import ATTACK, D6, as_kind, doing, one, pending, refused, swordplay
from tests.support import sides
from tests.support.common import hurt, member
from tracker.core.fight.events import ActionStopped, ActionTaken, TurnOpened
from tracker.core.run import Done, Step, run
from tracker.core.step.ctx import MOST_DEPTH, Ctx, Interruption
from tracker.core.terms.actions import Action, ActionSpec, action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.requests import Answer, DiceAnswer, Request, Responded, Roll, Window
from tracker.testing.table import of_kind

# -- windows -----------------------------------------------------------------------------------------------------------


def test_a_window_offers_what_can_be_done() -> None:
    """Only legal responses are offered, with the situation."""
    table = swordplay()

    request = as_kind(table.asks(ATTACK, answers={"attack": 15}), Window)

    assert [(spec.key, spec.by) for spec in request.offers] == [("dodge", "gog"), ("snap", "gog")]
    assert (request.key, request.actor, request.target, request.why) == ("after_roll", "ada", "gog", "15")


def test_a_response_is_performed_as_an_action_of_its_own() -> None:
    """A dodge after the roll makes the attack miss, and its price is paid."""
    table = swordplay()

    table.do(ATTACK, answers={"attack": 12, "after_roll": Responded((action("dodge", "gog"),))})

    assert [event.action.key for event in of_kind(table.last, ActionTaken)] == ["attack", "dodge"]
    assert (table.state["gog"].hp, table.state["gog"].left("instant")) == (6, 0)


def test_a_window_is_asked_again_while_somebody_can_respond() -> None:
    """After a response the window is asked again, under a key of its own. Passing closes it."""
    table = swordplay()
    table.do(action("insert", members=(member("Hob"),), side="goblins"))

    answers = {"attack": 12, "after_roll": Responded((action("dodge", "gog"),))}
    second = as_kind(table.asks(ATTACK, answers=answers), Window)

    assert (second.key, [(spec.key, spec.by) for spec in second.offers]) == ("after_roll:2", [("snap", "hob")])


def test_a_window_nobody_can_use_is_not_asked() -> None:
    """A window without offers is not asked."""
    table = swordplay()
    table.within(lambda ctx: ctx.refill({"gog": ()}))

    assert isinstance(table.asks(ATTACK, answers={"attack": 15}), Roll)


def test_a_refused_response_leaves_the_window_standing() -> None:
    """The answer is refused at the window's key. The state is unchanged, and the window is asked anew."""
    table = swordplay()
    step, wrong = Step("do", (ATTACK,)), Responded((action("snap", "gog", target="nobody"),))
    given = (("attack", DiceAnswer(12)),)

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
    """The acting combatant stays the same if another member of its slot interrupts."""
    table = doing(
        {"do": lambda ctx, _: ctx.perform(action("inner", "bo"), "x"), "inner": lambda ctx, _: None}, base=sides.RULESET
    )

    table.do(action("do", "ada"))

    assert table.state.clock.acting == "ada"
    assert [event.now for event in of_kind(table.last, TurnOpened)] == ["ada"]


# -- guards and stops --------------------------------------------------------------------------------------------------


def test_a_guard_ends_the_action_that_cannot_go_on() -> None:
    """A snap attack that fells the attacker ends the attack. Its cost stays spent and no damage is asked."""
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


def test_an_interruption_that_ends_the_action_it_comes_before_is_done() -> None:
    """Its request is not asked, but the interruption counts as used."""
    down = Interruption("attack", action("damage", targets=("ada",), amount=6))

    done = swordplay().run(Step("do", (ATTACK,), interrupts=(down,)), {})

    assert isinstance(done, Done)
    assert (done.state["ada"].status, done.unused) == ("down", ())


def test_a_guard_of_the_outer_action_ends_the_inner_ones_too() -> None:
    """Only the outermost action that cannot go on is logged as stopped."""

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


def test_a_response_at_the_same_moment_suspends_the_guards_of_what_it_answers() -> None:
    """The guard is suspended until the window closes, and is checked again after it."""

    def outer(ctx: Ctx, _: Action) -> None:
        ctx.guard(lambda state: state["ada"].hp > 0, "Ada is down")
        ctx.perform(action("answer", "gog"), "a")
        ctx.note("goes on")
        ctx.window("pause", "ada")
        ctx.perform(action("other", "bo"), "o")
        ctx.note("never")

    def answer(ctx: Ctx, _: Action) -> None:
        ctx.suspend_guards()
        hurt(ctx, "ada", 6)

    table = doing({"do": outer, "answer": answer, "other": lambda ctx, _: None})

    table.do(action("do", "ada"))

    assert any("goes on" in str(entry) for entry in table.last)
    assert not any("never" in str(entry) for entry in table.last)
    assert [event.why for event in of_kind(table.last, ActionStopped)] == ["Ada is down"]


def test_stopping_is_for_actions_only() -> None:
    """An action may end itself. A hook outside of any action cannot."""
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


# -- what is put before a window ---------------------------------------------------------------------------------------


def test_an_answer_put_before_its_window_counts_as_an_answer() -> None:
    """A dodge before the window has the same result as in the window."""
    given, put = swordplay(), swordplay()
    dodge = action("dodge", "gog")

    given.do(ATTACK, answers={"attack": 12, "after_roll": Responded((dodge,))})
    put.do(ATTACK, answers={"attack": 12}, interrupts=(Interruption("after_roll", dodge),))

    assert put.state == given.state
    assert put.state["gog"].hp == 6


@pytest.mark.parametrize(
    ("unread", "given", "asked"),
    [
        (False, {}, ["attack", "after_roll", "damage"]),
        (True, {}, ["attack", "damage"]),
        (True, {"after_roll": Responded((action("dodge", "gog"),))}, ["attack", "after_roll"]),
    ],
)
def test_a_window_that_does_not_matter_is_passed_where_nobody_reads(
    unread: bool, given: dict[str, Answer], asked: list[str]
) -> None:
    """An unread step asks only windows that matter, unless an answer is given."""
    table = swordplay()
    game = replace(table.ruleset, window_matters=lambda state, window: False)
    rolled = {"attack": DiceAnswer(12, (12,)), "damage": DiceAnswer(3, (3,))}

    def source(request: Request) -> Answer | None:
        return rolled.get(request.key, request.default_answer)

    done = run(game, table.state, Step("do", (ATTACK,)), tuple(given.items()), source, unread=unread)

    assert isinstance(done, Done)
    assert [key for key, _ in done.answers] == asked


def test_offers_are_worked_out_anew_after_an_interruption() -> None:
    """An action that an interruption makes illegal is no longer offered."""
    table = swordplay()
    table.do(action("insert", members=(member("Hob"),), side="goblins"))
    step = Step("do", (ATTACK,), interrupts=(Interruption("after_roll", action("dodge", "gog")),))

    request = as_kind(pending(table.run(step, {"attack": 12}, None)), Window)

    assert (request.key, [(spec.key, spec.by) for spec in request.offers]) == ("after_roll", [("snap", "hob")])


def test_a_window_gives_back_what_answered_it_from_outside() -> None:
    """An interruption that is on offer is a response, any other is none."""
    heard: list[tuple[str, ...]] = []

    def strike(ctx: Ctx, _: Action) -> None:
        heard.append(tuple(one.action.key for one in ctx.window("open", "ada", again=False)))

    table = doing({"do": strike, "use": lambda ctx, _: None, "other": lambda ctx, _: None})
    table.ruleset = replace(table.ruleset, windows=lambda state, window: (ActionSpec("use", "Use", "bo"),))
    by_hand = (Interruption("open", action("other", "bo")), Interruption("open", action("use", "bo")))

    table.do(action("do", "ada"), interrupts=by_hand)

    assert heard[-1] == ("use",)


@pytest.mark.parametrize(
    ("put", "answer", "result"),
    [
        ((), None, "14 against 7: hit"),
        (("guard",), None, "14 against 20: miss"),
        ((), "guard", "14 against 20: miss"),
        (("harm",), None, "14 against 7: hit"),
        (("guard", "guard"), None, "14 against 33: miss"),
        (("guard",), "guard", "14 against 33: miss"),
    ],
)
def test_a_result_in_a_window_is_of_the_state_after_its_window(
    put: tuple[str, ...], answer: str | None, result: str
) -> None:
    """The result is computed from the state after its window, with or without a response or interruption."""
    told: list[str] = []

    def judge(ctx: Ctx) -> str:
        against = 7 + 13 * len(ctx.state["gog"].effects)
        return f"14 against {against}: {'hit' if against <= 14 else 'miss'}"

    def strike(ctx: Ctx, _: Action) -> None:
        ctx.roll("attack", D6)
        told.append(
            ctx.resolve_in_window("rolled", lambda last, heard: judge(ctx), lambda judged: (judged, ()), "ada", "gog")
        )

    def guard(ctx: Ctx, _: Action) -> None:
        ctx.add_effect(Effect("guard", "gog", stacking="add"))

    table = doing({"do": strike, "guard": guard, "harm": lambda ctx, _: hurt(ctx, "gog", 1)})
    table.ruleset = replace(table.ruleset, windows=lambda state, window: (ActionSpec("guard", "Guard", "gog"),))
    answers = {} if answer is None else {"rolled": Responded((action(answer, "gog"),))}

    table.do(
        action("do", "ada"),
        answers={"attack": 3, **answers},
        interrupts=tuple(Interruption("rolled", action(key, "gog")) for key in put),
    )

    assert told[-1] == result


def test_a_result_beyond_responses_opens_no_window() -> None:
    """Without a prompt, no window is asked."""
    table = doing(
        {"do": lambda ctx, _: ctx.resolve_in_window("never", lambda last, heard: 1, lambda judged: None, "ada")}
    )
    table.ruleset = replace(table.ruleset, windows=lambda state, window: (ActionSpec("use", "Use", "bo"),))

    outcome = table.run(Step("do", (action("do", "ada"),)))

    assert isinstance(outcome, Done)
    assert outcome.answers == ()
