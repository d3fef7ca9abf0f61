"""Requests and the answers they take."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.support.shares import tries
from tests.support.tables import for_each
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import (
    KINDS,
    Answer,
    Choice,
    ChoiceAnswer,
    DiceAnswer,
    Kind,
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

OPTIONS = (Option("go"), Option("stay"), Option("fly", refusal=Refusal("no_wings", "it has no wings")))
D20, TWO, FACES = (
    Roll("a", Dice.parse("1d20")),
    Roll("b", Dice.parse("1d8+1d6")),
    Roll("c", Dice.parse("2d6"), faces=True),
)
CHOICE, PICK = Choice("d", OPTIONS), Pick("e", (*OPTIONS, Option("run")), minimum=1, maximum=2)
NUMBER, OPEN = Number("f", minimum=0, maximum=9), Number("g")
WINDOW = Window("h", "after_roll", (ActionSpec("snap", "Snap", by="bo"), ActionSpec("thunder", "Thunder")))


@for_each(
    ("request_", "answer"),
    [
        (D20, DiceAnswer(20)),
        (D20, DiceAnswer(7, (7,))),
        (TWO, DiceAnswer(2)),
        (TWO, DiceAnswer(14, (8, 6))),
        (FACES, DiceAnswer(7, (3, 4))),
        (Roll("a", Dice.parse("1d6"), faces=True), DiceAnswer(4)),
        (CHOICE, ChoiceAnswer("stay")),
        (PICK, PickAnswer(("go", "run"))),
        (NUMBER, NumberAnswer(0)),
        (OPEN, NumberAnswer(-400)),
        (WINDOW, Passed()),
        (WINDOW, Responded((action("snap", "bo", target="gog"), action("thunder")))),
    ],
)
def test_possible_answers(request_: Request, answer: Answer) -> None:
    """A possible answer has no problem."""
    assert request_.problem(answer) is None


@for_each(
    ("request_", "answer", "words"),
    [
        (D20, DiceAnswer(21), "21 is not possible on 1d20"),
        (D20, DiceAnswer(0), "0 is not possible"),
        (D20, DiceAnswer(21, (21,)), "21 is not on a d20"),
        (D20, DiceAnswer(8, (4, 4)), "1d20 has 1 die, not 2"),
        (TWO, DiceAnswer(13, (6, 7)), "7 is not on a d6"),
        (TWO, DiceAnswer(12, (6, 5)), "add up to 11, not 12"),
        (TWO, DiceAnswer(1), "not possible"),
        (FACES, DiceAnswer(7), "type each face"),
        (CHOICE, ChoiceAnswer("swim"), '"swim" is not on offer'),
        (CHOICE, ChoiceAnswer("fly"), "it has no wings"),
        (PICK, PickAnswer(("swim",)), "not on offer"),
        (PICK, PickAnswer(("fly",)), "it has no wings"),
        (replace(PICK, minimum=2), PickAnswer(("go", "go")), "pick 2 to 2"),
        (PICK, PickAnswer(()), "pick 1 to 2"),
        (PICK, PickAnswer(("go", "stay", "run")), "pick 1 to 2"),
        (NUMBER, NumberAnswer(10), "10 is outside 0..9"),
        (NUMBER, NumberAnswer(-1), "-1 is outside 0..9"),
        (WINDOW, Responded(()), "needs an action"),
        (WINDOW, Responded((action("snap", "ada"),)), '"snap" by ada is not on offer'),
        (WINDOW, Responded((action("attack", "bo"),)), "not on offer"),
        (CHOICE, DiceAnswer(3), "a choice is asked for"),
        (D20, Passed(), "a roll is asked for"),
    ],
)
def test_impossible_answers_say_why(request_: Request, answer: Answer, words: str) -> None:
    """An impossible answer has its problem in one line."""
    problem = request_.problem(answer)

    assert problem is not None
    assert words in problem
    assert "\n" not in problem


@tries(60)
@given(st.sampled_from((D20, TWO, FACES, CHOICE, PICK, NUMBER, OPEN, WINDOW, Number("n", maximum=-9))), st.data())
def test_a_sample_is_an_answer(request_: Request, data: st.DataObject) -> None:
    """A sample of every kind is a possible answer."""
    answer = request_.sample(lambda least, most: data.draw(st.integers(least, most)))

    assert answer is not None
    assert (request_.defect, request_.problem(answer)) == ("", None)


@pytest.mark.parametrize(
    ("request_", "flaw"),
    [
        (Choice("a", OPTIONS[2:]), "has no option that can be chosen"),
        (Choice("a", OPTIONS, "fly"), 'has the default "fly", which is none of its open options'),
        (Pick("a", OPTIONS, minimum=3), "wants 3 of 2 options"),
        (Number("a", minimum=3, maximum=2), "takes at least 3 and at most 2"),
        (Roll("a", Dice(())), 'asks for impossible dice: "0"'),
    ],
)
def test_what_nothing_can_answer(request_: Request, flaw: str) -> None:
    """A request without a possible answer says so in a line."""
    assert request_.defect == flaw


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_has_its_word(kind: type[Kind]) -> None:
    """The word of a kind, which documents and refusals use, is its class's name."""
    assert kind.kind == kind.__name__.lower()


class _Written:
    """Actions that are written as they are."""

    def whose(self, said: object) -> tuple[str, str | None] | None:
        return (said.key, said.by) if isinstance(said, Action) else None

    def action(self, said: object) -> Action | None:
        return said if isinstance(said, Action) else None


def test_a_window_gives_an_answer_what_it_fixes() -> None:
    """A window adds its fixed values to an answer."""
    fields = (
        Field("with", "choice", default="sword", options=(Option("sword"), Option("bow"))),
        Field("use", "choice", default="melee", options=(Option("melee"),)),
        Field("ward", "combatant", required=True, options=(Option("ada"),)),
        Field("target", "combatant", default="gog", options=(Option("gog"),)),
    )
    window = Window("h", "declared", (ActionSpec("snap", "Snap", "bo", fields=fields, fixed=(("target", "gog"),)),))

    read = window.read(action("snap", "bo", **{"with": "bow"}), _Written())

    assert read == Responded((action("snap", "bo", **{"with": "bow", "target": "gog"}),))


@pytest.mark.parametrize(
    ("why", "purpose"),
    [
        ("damage", " for damage"),
        ("to stabilise Dobb", " to stabilise Dobb"),
        ("against shove", " against shove"),
        ("", " (luck)"),
    ],
)
def test_a_roll_says_what_it_is_for(why: str, purpose: str) -> None:
    """A purpose that begins with `to` or `against` needs no `for`."""
    assert Roll("luck", Dice.parse("2d6"), why=why).question(str) == ("roll 2d6", purpose)
