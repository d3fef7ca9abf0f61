"""Answers of a script: what a written answer comes to."""

import pytest
from msgspec.structs import replace

from tests.core.step.stepping import doing
from tests.support import sides
from tests.support.common import member
from tests.support.tables import for_each
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refused
from tracker.core.terms.requests import (
    Answer,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Number,
    NumberAnswer,
    Passed,
    Pick,
    PickAnswer,
    Request,
    Responded,
    Roll,
    Window,
)
from tracker.script.entries import GivenAnswers, Listed, Named, WrittenAction, WrittenAnswer
from tracker.script.names import AnswerQueue, answer_to, compile_act

OPTIONS = (Option("yes"), Option("no"))
WINDOW = Window("after_roll", "after_roll", (ActionSpec("parry", "Parry", "bo"), ActionSpec("stop", "Stop")))
TARGET = Field("target", "combatant", required=True, options=(Option("gob"),))
HELD_ACTION = Field("action", "choice", default="screen", options=(Option("screen"), Option("run")))
WARD = Field("ward", "combatant", required=True, options=(Option("ada"),))
SNAP = ActionSpec(
    "snap", "Snap", "wolf", fields=(TARGET, Field("how", "choice", "x", None, OPTIONS)), fixed=(("target", "gob"),)
)
ANSWERED = Window(
    "after_roll",
    "after_roll",
    (
        SNAP,
        ActionSpec("use", "Luck", "wolf", fixed=(("instant", "luck"),)),
        ActionSpec("use", "Grit", "wolf", fixed=(("instant", "grit"),)),
        ActionSpec("held", "Use the held turn", "wolf", fields=(HELD_ACTION, WARD)),
    ),
)


def filled(act: WrittenAction) -> Action:
    return Action(act.key, act.by, act.fields)  # type: ignore[arg-type]  # plain values only


@for_each(
    ("written", "wanted"),
    [
        ("snap:wolf", Action("snap", "wolf", (("target", "gob"),))),
        (WrittenAction("snap", "wolf"), Action("snap", "wolf", (("target", "gob"),))),
        (WrittenAction("snap", "wolf", (("how", "yes"),)), Action("snap", "wolf", (("how", "yes"), ("target", "gob")))),
        (WrittenAction("snap", "wolf", (("target", "other"),)), Action("snap", "wolf", (("target", "other"),))),
        (WrittenAction("use", "wolf", (("instant", "grit"),)), Action("use", "wolf", (("instant", "grit"),))),
        (WrittenAction("use", "wolf"), Action("use", "wolf")),
        (WrittenAction("held", "wolf", (("action", "run"),)), Action("held", "wolf", (("action", "run"),))),
        ("held:wolf", Action("held", "wolf")),
    ],
)
def test_answer_takes_over_what_its_window_fixes(written: WrittenAnswer, wanted: Action) -> None:
    """A Snap Attack in a window is aimed at the attacker it answers."""
    assert answer_to(ANSWERED, written, filled) == Responded((wanted,))


def plainly(act: WrittenAction) -> Action:
    return Action(act.key, act.by)


@for_each(
    ("request_", "written", "answer"),
    [
        (Roll("a", Dice.of(1, 20)), 14, DiceAnswer(14, (14,), typed=True)),
        (Roll("a", Dice.of(2, 6)), 7, DiceAnswer(7, (), typed=True)),
        (Roll("a", Dice.of(2, 6), faces=True), (4, 2), DiceAnswer(6, (4, 2), typed=True)),
        (Roll("a", Dice.of(1, 100)), 0, DiceAnswer(100, (100,), typed=True)),
        (Roll("a", Dice(((1, 100), (1, 6)))), (0, 3), DiceAnswer(103, (100, 3), typed=True)),
        (Choice("a", OPTIONS), True, ChoiceAnswer("yes")),
        (Choice("a", OPTIONS), False, ChoiceAnswer("no")),
        (Choice("a", OPTIONS), "yes", ChoiceAnswer("yes")),
        (Choice("a", (Option("5"),)), 5, ChoiceAnswer("5")),
        (Pick("a", (Option("bo"), Option("3"))), ("bo", 3), PickAnswer(("bo", "3"))),
        (Pick("a", OPTIONS), (), PickAnswer(())),
        (Number("a"), -3, NumberAnswer(-3)),
        (WINDOW, "pass", Passed()),
        (WINDOW, "parry:bo", Responded((Action("parry", "bo"),))),
        (WINDOW, "stop", Responded((Action("stop"),))),
        (WINDOW, WrittenAction("parry", "bo"), Responded((Action("parry", "bo"),))),
        (
            WINDOW,
            (WrittenAction("parry", "bo"), WrittenAction("stop")),
            Responded((Action("parry", "bo"), Action("stop")), together=True),
        ),
    ],
)
def test_written_answer_comes_to(request_: Request, written: WrittenAnswer, answer: Answer) -> None:
    """Each kind of request has its own ways of being answered."""
    assert answer_to(request_, written, plainly) == answer


@for_each(
    ("request_", "written"),
    [
        (Roll("a", Dice.of(1, 20)), True),
        (Roll("a", Dice.of(1, 20)), "14"),
        (Roll("a", Dice.of(1, 20)), ()),
        (Roll("a", Dice.of(2, 6), faces=True), 7),
        (Roll("a", Dice.of(2, 6)), ("4", 2)),
        (Choice("a", OPTIONS), "maybe"),
        (Choice("a", OPTIONS), ("yes",)),
        (Pick("a", OPTIONS), "yes"),
        (Pick("a", OPTIONS), ("yes", "maybe")),
        (Number("a"), True),
        (Number("a"), 1.5),
        (WINDOW, "parry:ada"),
        (WINDOW, "riposte"),
        (WINDOW, 14),
        (WINDOW, ()),
        (WINDOW, (WrittenAction("stop"), 3)),
    ],
)
def test_what_cannot_be_an_answer_is_refused(request_: Request, written: WrittenAnswer) -> None:
    """What cannot be an answer is refused, naming the request."""
    with pytest.raises(Refused) as caught:
        answer_to(request_, written, plainly)

    assert (caught.value.refusal.reason, caught.value.refusal.at) == ("bad_answer", request_.key)


ROLL = Roll("damage", Dice.of(1, 8))


@pytest.mark.parametrize(
    ("given", "requests", "answers", "unused"),
    [
        (Listed((5,)), (WINDOW, ROLL), (None, DiceAnswer(5, (5,), typed=True)), ""),
        (Listed(("pass", 5)), (WINDOW, ROLL), (Passed(), DiceAnswer(5, (5,), typed=True)), ""),
        (Listed((5, 6)), (Choice("c", OPTIONS), ROLL), (None, DiceAnswer(5, (5,), typed=True)), "6"),
        (Listed((3,)), (Pick("p", OPTIONS), Number("n", 1)), (None, NumberAnswer(3)), ""),
        (Listed(()), (ROLL,), (None,), ""),
        (Named((("damage", 5), ("more", "x"))), (WINDOW, ROLL), (None, DiceAnswer(5, (5,), typed=True)), "more: x"),
    ],
)
def test_list_gives_to_whom_it_fits(
    given: GivenAnswers, requests: tuple[Request, ...], answers: tuple[Answer | None, ...], unused: str
) -> None:
    """A roll and a number always take the next answer. The others only if it is one of theirs."""
    feed = AnswerQueue(given, plainly)

    taken = tuple(feed.take(request) for request in requests)

    assert (taken, feed.unused) == (answers, unused)


@pytest.mark.parametrize("written", ["old-hob", "The Tall One", "OLD HOB", "o"])
def test_a_choice_is_named_as_people_name_it(written: str) -> None:
    """By its key, its label, or the name or letter of its combatant."""
    options = (Option("old-hob", "the tall one"), Option("bo", "the small one"))
    spec = ActionSpec("greet", "Greet", fields=(Field("whom", "choice", options=options),))
    table = doing({}, base=sides.RULESET)
    table.do(action("insert", members=(member("Old Hob"),), side="goblins"))
    ruleset = replace(table.ruleset, form=lambda state, wanted: spec)

    compiled = compile_act(ruleset, table.state, WrittenAction("greet", None, (("whom", written),)))

    assert compiled == action("greet", whom="old-hob")
