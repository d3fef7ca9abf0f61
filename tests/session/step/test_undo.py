"""Undo, redo, branches and looking back: exact, without limit, across restarts."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.faults.harness.killing import duellist as intent_of
from tests.session.conftest import asked, clock, comparable, do, play, refusal, reopened, roll_of, six, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer
from tracker.session.intents import (
    Advance,
    Branch,
    Interrupt,
    LookAt,
    NameBranch,
    Override,
    Redo,
    Reply,
    RollRest,
    Undo,
    WhatIf,
)
from tracker.session.model import Model
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal


def place(model: Model) -> tuple[object, ...]:
    """What has to be the same again after there and back."""
    return model.state, model.head, model.steps, model.pending, model.pending_step, model.unused_answers, model.waiting


def play_rounds(session: Session, rounds: int) -> None:
    for _ in range(rounds):
        session.dispatch(strike())
        play(session, 15, 1)
        session.dispatch(Advance())
        session.dispatch(Advance())


def test_undo_has_no_limit(session: Session) -> None:
    """Everything up to the opening can be taken back, and all of it comes again."""
    places = [place(session.model)]
    for _ in range(4):
        session.dispatch(strike())
        places.append(place(play(session, 15, 1)))
        places.append(place(session.dispatch(Advance())))
        places.append(place(session.dispatch(Advance())))

    back = [place(session.dispatch(Undo())) for _ in range(len(places) - 1)]
    assert back == places[-2::-1]
    assert (session.model.can_undo, session.model.can_redo) == (False, True)

    forth = [place(session.dispatch(Redo())) for _ in range(len(places) - 1)]
    assert forth == places[1:]
    assert not session.model.can_redo


def test_the_opening_stays(session: Session) -> None:
    """A fight without its opening would be none: the first step is not taken back."""
    model = session.dispatch(Undo())

    assert (refusal(model), model.head) == ("nothing_to_undo", 1)


def test_undo_takes_back_the_last_answer_first(session: Session) -> None:
    """While a step pends, its last answer is taken back, then the step itself."""
    start = place(session.model)
    expected = place(session.dispatch(strike()))
    play(session, 15)

    assert place(session.dispatch(Undo())) == expected
    assert place(session.dispatch(Undo())) == start


def test_answers_come_reopened(session: Session) -> None:
    """Redo gives back a step that was dropped while it waited, answer by answer."""
    expected = place(session.dispatch(strike()))
    answered = place(play(session, 15))
    session.dispatch(Undo())
    session.dispatch(Undo())

    assert place(session.dispatch(Redo())) == expected
    assert place(session.dispatch(Redo())) == answered
    assert play(session, 4).state["thug"].hp == 6


def test_an_answer_of_the_opening_is_taken_back(session: Session) -> None:
    """The opening too can be answered anew, die by die, while it waits."""
    with Session.start(session.journal, DUEL, encounter(), session.settings) as other:
        expected = place(other.model)
        play(other, 3)
        assert place(other.dispatch(Undo())) == expected
        assert not other.model.can_undo


def test_an_interruption_is_taken_back_as_one(session: Session) -> None:
    """Undo takes an interruption's answers back one by one, then the interruption."""
    expected = place(session.dispatch(strike()))
    interrupted = place(session.dispatch(Interrupt(Action("parry", "thug"))))
    play(session, 6)

    assert place(session.dispatch(Undo())) == interrupted
    assert place(session.dispatch(Undo())) == expected


def test_an_override_is_taken_back(session: Session) -> None:
    """The answers given before an override are there again without it."""
    session.dispatch(strike())
    expected = place(play(session, 2))
    assert expected[1] == 2

    session.dispatch(Undo())
    session.dispatch(strike())
    before = place(session.model)
    session.dispatch(Override("hit", True))
    assert place(session.dispatch(Undo())) == before


def test_dice_of_the_program_stay_as_they_fell(session: Session) -> None:
    """Taking back an answer does not throw the program's dice again."""
    falls = iter((6, 1, 2, 3))
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(next(falls)), auto_sides=("foes",))
    session.dispatch(Advance())
    session.dispatch(do("scheme"))
    session.dispatch(Interrupt(Action("parry", "thug")))
    session.dispatch(Undo())
    model = session.dispatch(Interrupt(Action("parry", "thug")))

    assert model.pending is not None
    assert dict(model.pending.answers)["how!1/parry"] == DiceAnswer(6)


def test_rolling_the_rest_is_taken_back_as_one(session: Session) -> None:
    """Undo after `*` asks again from where it began."""
    session.settings = replace(session.settings, roller=six)
    session.dispatch(do("scheme"))
    expected = place(session.dispatch(Reply(ChoiceAnswer("poison"))))
    model = session.dispatch(RollRest())
    assert asked(model) == "price"

    assert place(session.dispatch(Undo()))[:4] == expected[:4]


def test_going_on_after_undo_starts_a_branch(session: Session) -> None:
    """The steps taken back stay in the journal, and can be gone back to."""
    session.dispatch(strike())
    first = place(play(session, 15, 4))
    session.dispatch(Undo())
    session.dispatch(strike("bero"))
    second = play(session, 12, 2)

    assert (second.head, [record.seq for record in second.steps], second.can_redo) == (3, [1, 3], False)
    assert [(tip.seq, tip.fork, tip.steps) for tip in session.branches()] == [(2, 1, 1)]
    assert place(session.dispatch(Branch(2))) == first


def test_redo_leads_back_from_a_branch(session: Session) -> None:
    """After going back to a step, redo leads to where one came from. A pending step is no exception."""
    play_rounds(session, 2)
    before = place(session.dispatch(strike()))

    model = session.dispatch(Branch(3))
    assert (model.head, model.pending, model.state) == (3, None, session.state_at(3))
    assert place(session.dispatch(Redo())) == before


def test_looking_back_changes_nothing(session: Session) -> None:
    """The past is shown as it was, cannot be changed, and the present comes back."""
    play_rounds(session, 1)
    before = session.dispatch(strike())
    shown = session.dispatch(LookAt(2))

    assert (shown.looking_at, shown.state, shown.head) == (2, session.state_at(2), before.head)
    assert shown.entries == before.steps[1].entries
    refused = session.dispatch(roll_of(3))
    assert refusal(refused) == "looking_back"
    assert place(session.dispatch(LookAt(None))) == place(before)
    assert place(reopened(session).model) == place(before)


def test_looking_at_what_is_not_there(session: Session) -> None:
    """A step that never was is refused."""
    model = session.dispatch(LookAt(99))

    assert (refusal(model), model.looking_at) == ("no_such_step", None)


def test_one_can_go_on_from_where_one_looks(session: Session) -> None:
    """Branching from the step shown makes it the present."""
    play_rounds(session, 1)
    session.dispatch(LookAt(2))
    model = session.dispatch(Branch(2))

    assert (model.looking_at, model.head, model.state) == (None, 2, session.state_at(2))


def test_states_are_folded_from_events(session: Session) -> None:
    """In long fights any state is the fold of its path's events. So it is after a restart."""
    for _ in range(140):
        session.dispatch(Advance())
    resumed = reopened(session)
    steps = resumed.model.steps
    assert len(steps) > 2 * 64

    folded = State()
    for record in steps:
        folded = fold_all(folded, record.entries)
        assert resumed.state_at(record.seq) == folded


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_can_be_taken_back(journal: Journal, seed: int) -> None:
    """Of a random fight with amendments: undo leads back, redo forth, and a restart finds all of it."""
    session = Session.start(
        journal, DUEL, encounter(30), Settings(roller=lambda request: DiceAnswer(request.dice.minimum), clock=clock())
    )
    play(session, 4, 4)
    checked = 0
    for number in range(seed * 1000, seed * 1000 + 40):
        before = session.model
        intent = intent_of(number, before)
        after = session.dispatch(intent)
        assert after.problem == ""
        if (
            after.refusal is not None
            or isinstance(intent, Undo | Redo | Branch | NameBranch | WhatIf)
            or not after.can_undo
        ):
            continue
        session.dispatch(Undo())
        if before.pending is None or after.pending is not None:
            assert place(session.model)[:5] == place(before)[:5], intent
            checked += 1
        assert place(session.dispatch(Redo()))[:5] == place(after)[:5], intent
    assert checked > 5
    undone = session.dispatch(Undo())

    resumed = reopened(session)

    assert comparable(resumed.model) == comparable(undone)
    assert place(resumed.dispatch(Redo()))[:5] == place(after)[:5]
    folded = State()
    for record in resumed.model.steps:
        folded = fold_all(folded, record.entries)
    assert folded == resumed.state_at(resumed.model.head)
    resumed.close()
    resumed.journal.close()
