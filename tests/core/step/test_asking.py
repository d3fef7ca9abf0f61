"""What a step asks: keys, answers, what is no answer, and requests that depend on the state."""

from __future__ import annotations

import pytest
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from tests.core.step.stepping import D6, D20, as_kind, doing, one, pending, refused
from tracker.core.fight.events import Decided, PoolChanged, Rolled
from tracker.core.fight.state import State
from tracker.core.run import Done, Interruption, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal, RulesBug
from tracker.core.terms.requests import (
    Answer,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Number,
    NumberAnswer,
    Pick,
    PickAnswer,
    Roll,
)
from tracker.testing.table import Table, of_kind


def test_a_step_asks_one_thing_after_the_other() -> None:
    """Each run stops at the first request without an answer."""
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

    for answer in (DiceAnswer(4), ChoiceAnswer("stay"), NumberAnswer(7)):
        outcome = run(table.ruleset, table.state, step, answers)
        asked.append(pending(outcome).key)
        answers = (*answers, (asked[-1], answer))
    outcome = run(table.ruleset, table.state, step, answers)

    assert asked == ["first", "second", "third"]
    assert isinstance(outcome, Done)
    assert (outcome.answers, outcome.unused) == (answers, ())
    assert [event.answer for event in of_kind(outcome.entries, Decided)] == ["stay", "7"]


@pytest.mark.parametrize(
    ("option", "shown"), [(Option("hold", "hold it: a brawl"), "hold it: a brawl"), ("let_go", UNSET), ("ada", UNSET)]
)
def test_an_answer_keeps_the_label_of_its_option(option: Option | str, shown: str | UnsetType) -> None:
    """Unless the key says the same, or names a combatant."""
    table = one(lambda ctx, _: [ctx.choose("first", (option, "other")), ctx.pick("second", (option, "other"))])
    key = option if isinstance(option, str) else option.key
    answers: tuple[tuple[str, Answer], ...] = (("first", ChoiceAnswer(key)), ("second", PickAnswer((key,))))

    outcome = run(table.ruleset, table.state, Step("do", (action("do", "ada"),)), answers)

    assert isinstance(outcome, Done)
    assert [event.shown for event in of_kind(outcome.entries, Decided)] == [shown, shown]


def test_what_a_source_answers_is_answered_in_the_same_pass() -> None:
    """Six hundred rolls of the program take one pass, and are stored."""
    passes = []

    def roll_all(ctx: Ctx, _: Action) -> None:
        passes.append(1)
        for number in range(600):
            ctx.roll(f"die:{number}", D6)

    table = one(roll_all)

    outcome = table.run(Step("do", (action("do", "ada"),)))

    assert isinstance(outcome, Done)
    assert (len(passes), len(outcome.answers)) == (1, 600)


def test_faces_and_totals() -> None:
    """A roll is a request for natural dice. A number without dice is no request."""
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

    table.do(action("do", "ada"), answers={"a": DiceAnswer(7, (3, 4)), "b": 5, "c": 2})

    assert seen == [(3, 4), (5,), 2, 0]
    assert [str(event.dice) for event in of_kind(table.last, Rolled)] == ["2d6", "1d6", "1d6"]


@pytest.mark.parametrize(("who", "to"), [("ada", "player"), ("gog", "gm"), (None, "gm")])
def test_who_is_asked_follows_from_whom_it_concerns(who: str | None, to: str) -> None:
    """A player rolls for their own character, the GM for everybody else."""
    table = one(lambda ctx, _: ctx.roll("die", D6, who=who))

    request = as_kind(table.asks(action("do", "ada")), Roll)

    assert (request.who, request.to) == (who, to)


def test_a_key_used_twice_is_a_fault_of_the_ruleset() -> None:
    """Keys are unique within a step."""
    table = one(lambda ctx, _: [ctx.roll("die", D6), ctx.roll("die", D6)])

    with pytest.raises(RulesBug, match="die is asked twice"):
        table.do(action("do", "ada"))


def test_what_follows_from_the_state_may_ask_again() -> None:
    """`settle` may ask the same more than once in a step. The keys are numbered."""
    table = one(lambda ctx, _: [ctx.settle(), ctx.settle()])
    table.ruleset = replace(table.ruleset, settle=lambda ctx: None if not ctx.entries else [ctx.roll("death", D6)])  # type: ignore[arg-type]  # see ActionType

    table.do(action("do", "ada"))

    assert [event.key for event in of_kind(table.last, Rolled)] == ["death", "death~2", "death~3"]


def test_scopes_are_paths() -> None:
    """Requests inside a scope or a nested action are keyed below it, also in the log."""

    def nest(ctx: Ctx, _: Action) -> None:
        with ctx.scope("outer"):
            ctx.perform(action("inner", "bo"), "snap:bo")

    table = doing({"do": nest, "inner": lambda ctx, _: ctx.roll("die", D6)})

    assert table.asks(action("do", "ada")).key == "outer/snap:bo/die"
    table.do(action("do", "ada"))
    assert [event.key for event in of_kind(table.last, Rolled)] == ["outer/snap:bo/die"]


@pytest.mark.parametrize(
    ("answer", "words"), [(DiceAnswer(7), "not possible"), (ChoiceAnswer("go"), "a roll is asked for")]
)
def test_an_impossible_answer_is_refused_at_its_request(answer: Answer, words: str) -> None:
    """The refusal names the request, and cannot be forced."""
    table = one(lambda ctx, _: ctx.roll("die", D6))

    refusal = refused(run(table.ruleset, table.state, Step("do", (action("do", "ada"),)), (("die", answer),)))

    assert (refusal.at, refusal.forcible, words in refusal.text) == ("die", False, True)


def test_nothing_to_choose_from_is_a_fault_of_the_ruleset() -> None:
    """A choice without options is a RulesBug."""
    with pytest.raises(RulesBug, match="nothing to choose from"):
        one(lambda ctx, _: ctx.choose("way", ())).do(action("do", "ada"))


def test_answers_not_asked_for_are_named() -> None:
    """Unused answers, interruptions and overrides are listed."""
    table = one(lambda ctx, _: ctx.roll("die", D6))
    step = Step(
        "do",
        (action("do", "ada"),),
        interrupts=(Interruption("never", action("note", text="x")),),
        overrides=(("hit", True),),
    )

    outcome = run(table.ruleset, table.state, step, (("die", DiceAnswer(3)), ("other", DiceAnswer(1))))

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

    table.do(action("do", "ada"), answers={"who": PickAnswer(("bo", "gog"))})

    assert (seen, [event.answer for event in of_kind(table.last, Decided)]) == (
        [("bo", "gog"), True],
        ["bo, gog", "yes"],
    )


def test_an_option_picked_twice_is_picked_once() -> None:
    """An option that is picked twice counts once."""
    picked: list[tuple[str, ...]] = []
    table = one(lambda ctx, _: picked.append(ctx.pick("which", ("a", "b"), maximum=1)))

    table.do(action("do", "ada"), answers={"which": PickAnswer(("a", "a"))})

    assert picked == [("a",)]


DO = action("do", "ada")


def wounded(key: str, amount: int = 4) -> Interruption:
    """Return damage to Gog put before a request."""
    return Interruption(key, action("damage", amount=amount, targets=("gog",)))


def healthy(state: State) -> bool:
    return state["gog"].hp > 4


def test_a_request_that_no_longer_applies_is_not_asked() -> None:
    """Each kind returns None after an interruption, and its answer otherwise."""
    seen: list[object] = []

    def ask_all(ctx: Ctx, _: Action) -> None:
        seen[:] = [
            ctx.roll("roll", D6, asked_if=healthy),
            ctx.faces("faces", D6, asked_if=healthy),
            ctx.choose("choose", ("go", "stay"), default="stay", asked_if=healthy),
            ctx.confirm("confirm", default=True, asked_if=healthy),
            ctx.pick("pick", ("a", "b"), default=("b",), asked_if=healthy),
            ctx.number("number", default=3, asked_if=healthy),
        ]

    table = one(ask_all)

    table.do(DO, answers={"roll": 5, "faces": 2})
    asked = list(seen)
    table.do(DO, interrupts=(wounded("roll"),))

    assert asked == [5, (2,), "stay", True, ("b",), 3]
    assert seen == [None] * 6
    assert of_kind(table.last, Rolled) == []


def test_interruptions_are_performed_before_the_request_is_left_out() -> None:
    """The interruption counts as done, once, although its request is not asked."""
    table = one(lambda ctx, _: ctx.roll("damage", D6, asked_if=healthy))

    outcome = table.run(Step("do", (DO,), interrupts=(wounded("damage", 2),)))

    assert isinstance(outcome, Done)
    assert outcome.unused == ()
    assert [(event.was, event.now) for event in of_kind(outcome.entries, PoolChanged)] == [(6, 4)]


def test_a_request_that_was_left_out_can_be_asked_later() -> None:
    """Its key is free in the step until the request is asked."""

    def twice(ctx: Ctx, _: Action) -> None:
        ctx.roll("damage", D6, asked_if=lambda state: not healthy(state))
        ctx.roll("damage", D6)

    table = one(twice)

    table.do(DO, answers={"damage": 3})

    assert [event.key for event in of_kind(table.last, Rolled)] == ["damage"]


def test_options_and_default_are_those_after_the_interruption() -> None:
    """Options, default and words are evaluated after the interruption."""

    def choose(ctx: Ctx, _: Action) -> None:
        ctx.choose(
            "way",
            lambda state: ("fight", "flee") if healthy(state) else ("flee", "beg"),
            default=lambda state: "fight" if healthy(state) else "flee",
            who=lambda state: "gog" if healthy(state) else "bo",
            why=lambda state: f"Gog has {state['gog'].hp}",
        )

    table = one(choose)

    before = as_kind(pending(table.run(Step("do", (DO,)), otherwise=None)), Choice)
    after = as_kind(pending(table.run(Step("do", (DO,), interrupts=(wounded("way"),)), otherwise=None)), Choice)

    assert [option.key for option in before.options] == ["fight", "flee"]
    assert (before.default, before.who, before.why) == ("fight", "gog", "Gog has 6")
    assert [option.key for option in after.options] == ["flee", "beg"]
    assert (after.default, after.who, after.to, after.why) == ("flee", "bo", "player", "Gog has 2")


def test_the_default_of_several_options_and_of_a_number_follow_the_state() -> None:
    """A pick and a number take functions of the state as well."""

    def state_both(ctx: Ctx, _: Action) -> None:
        ctx.pick(
            "who",
            lambda state: [combatant.id for combatant in state.combatants if combatant.hp > 4],
            default=lambda state: ("gog",) if healthy(state) else (),
        )
        ctx.number("points", default=lambda state: state["gog"].hp)

    table = one(state_both)
    step = Step("do", (DO,), interrupts=(wounded("who"),))

    picked = as_kind(pending(table.run(step, otherwise=None)), Pick)
    stated = as_kind(pending(table.run(step, {"who": PickAnswer(())}, otherwise=None)), Number)

    assert ([option.key for option in picked.options], picked.default) == (["ada", "bo"], ())
    assert stated.default == 2


def test_dice_are_those_after_the_interruption() -> None:
    """Dice and what is needed are functions of the state; the fixed number is shown with the dice."""

    def roll(ctx: Ctx, _: Action) -> None:
        ctx.roll(
            "damage",
            lambda state: Dice.parse("1d20+1") if healthy(state) else Dice.parse("1d6+3"),
            needed=lambda state: f"{state['gog'].hp} or more",
        )

    table = one(roll)
    request = as_kind(pending(table.run(Step("do", (DO,), interrupts=(wounded("damage"),)), otherwise=None)), Roll)

    table.do(DO, answers={"damage": 5}, interrupts=(wounded("damage"),))

    assert (request.dice, request.needed) == (D6, "2 or more")
    assert [(event.dice, event.plus) for event in of_kind(table.last, Rolled)] == [(D6, 3)]


def test_dice_without_terms_are_not_asked() -> None:
    """A function of the state may return a fixed number only: the natural total is 0."""
    seen: list[object] = []
    table = one(
        lambda ctx, _: seen.extend(
            [ctx.roll("damage", lambda state: Dice(plus=2)), ctx.faces("faces", lambda state: Dice(plus=2))]
        )
    )

    table.do(DO)

    assert seen == [0, ()]
    assert of_kind(table.last, Rolled) == []


@pytest.mark.parametrize("put", [True, False])
def test_an_interruption_taken_back_has_the_request_asked_again(put: bool) -> None:
    """The answer given before is unused while the request is left out, and counts again after that."""
    table = one(lambda ctx, _: ctx.roll("damage", D20, asked_if=healthy))
    interrupts = (wounded("damage"),) if put else ()

    step = Step("do", (DO,), interrupts=interrupts)
    outcome = run(table.ruleset, table.state, step, (("damage", DiceAnswer(17)),))

    assert isinstance(outcome, Done)
    assert outcome.unused == (("damage",) if put else ())
    assert [event.total for event in of_kind(outcome.entries, Rolled)] == ([] if put else [17])


def test_a_yes_or_no_may_depend_on_the_state() -> None:
    """Its default is evaluated after the interruption."""
    table = one(lambda ctx, _: ctx.confirm("spare", default=lambda state: not healthy(state)))

    request = as_kind(pending(table.run(Step("do", (DO,), interrupts=(wounded("spare"),)), otherwise=None)), Choice)

    assert request.default == "yes"
    assert request.problem(ChoiceAnswer("no")) is None


def test_a_refused_option_carries_its_rule() -> None:
    """An answer with an option that a rule forbids is refused by that rule, another one by none."""
    ways = (Option("up", refusal=Refusal("no", "it is barred", "X-7")), Option("down"))
    step = Step("do", (action("do", "ada"),))
    asked = one(lambda ctx, _: ctx.choose("way", ways))
    picked = one(lambda ctx, _: ctx.pick("way", ways))

    def rule_of(table: Table, answer: Answer) -> str:
        return refused(run(table.ruleset, table.state, step, (("way", answer),))).rule

    assert (rule_of(asked, ChoiceAnswer("up")), rule_of(asked, ChoiceAnswer("left"))) == ("X-7", "")
    assert (rule_of(picked, PickAnswer(("down", "up"))), rule_of(picked, DiceAnswer(2))) == ("X-7", "")
