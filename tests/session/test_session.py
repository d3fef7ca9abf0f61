"""The session: steps, answers, refusals, interruptions and overrides, each on disk before it is shown."""

from __future__ import annotations

import json
import sqlite3

import pytest
from msgspec.structs import replace

from tests.session.conftest import asked, comparable, do, find, play, refusal, reopened, roll_of, six, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.fight.events import ActionTaken, Decided, Overruled, Rolled
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, NumberAnswer
from tracker.session.intents import Advance, Do, Interrupt, LookAt, Override, Reply, RollRest
from tracker.session.session import Session
from tracker.session.settings import Settings, dice_roller
from tracker.session.store.journal import Journal


def test_a_fight_starts_with_its_first_question(journal: Journal, settings: Settings) -> None:
    """A new fight stands at the first request of its opening."""
    with Session.start(journal, DUEL, encounter(), settings) as session:
        pending = session.model.pending

    assert pending is not None
    assert (pending.request.key, session.model.head, len(session.model.steps)) == ("initiative:party", None, 0)


def test_answers_lead_to_the_first_stop(session: Session) -> None:
    """Once all is answered the opening is one step, and the first slot begins."""
    model = session.model

    assert (model.head, len(model.steps), model.state.clock.at, model.pending) == (1, 1, "r1/party", None)


def test_a_step_waits_for_each_answer(session: Session) -> None:
    """A pending step shows what it did so far, without being history."""
    model = session.dispatch(strike())

    assert (asked(model), model.head, model.state["ansa"].left("main")) == ("attack", 1, 0)
    assert session.state_at(1)["ansa"].left("main") == 1


def test_a_step_with_its_last_answer_is_done(session: Session) -> None:
    """The last answer makes the step history."""
    session.dispatch(strike())
    model = play(session, 15, 4)

    assert (model.head, model.pending, model.state["thug"].hp) == (2, None, 6)
    assert [key for key, _ in model.steps[-1].answers] == ["attack", "damage"]


def test_typed_dice_are_marked(session: Session) -> None:
    """Dice that a person gives are recorded as typed."""
    session.dispatch(strike())
    model = play(session, 15, 4)

    rolled = [entry.event for entry in model.entries if isinstance(entry.event, Rolled)]
    assert [event.typed for event in rolled] == [True, True]


def test_an_empty_reply_lets_the_program_throw(session: Session) -> None:
    """A reply without an answer is thrown by the program, and recorded as not typed."""
    session.settings = replace(session.settings, roller=dice_roller(3))
    session.dispatch(strike())
    model = session.dispatch(Reply())

    rolled = [entry.event for entry in model.entries if isinstance(entry.event, Rolled)]
    assert [(event.key, event.typed) for event in rolled] == [("attack", False)]


def test_an_impossible_answer_is_refused(session: Session) -> None:
    """A 21 on a d20 changes nothing, in memory and on disk."""
    before = session.dispatch(strike())
    model = session.dispatch(roll_of(21))

    assert model.refusal is not None
    assert (model.refusal.at, comparable(model)) == ("attack", comparable(before))
    assert comparable(reopened(session).model) == comparable(before)


def test_a_refused_action_changes_nothing(session: Session) -> None:
    """What a rule forbids is refused with the rule, and changes nothing."""
    session.dispatch(strike())
    before = play(session, 15, 4)
    model = session.dispatch(strike())

    assert model.refusal is not None
    assert (model.refusal.rule, comparable(model)) == ("S-11", comparable(before))


def test_an_accepted_intent_clears_the_refusal(session: Session) -> None:
    """A refusal is shown until the next intent."""
    assert session.dispatch(do("parry")).refusal is None
    assert session.dispatch(do("dance", "ansa")).refusal is not None
    assert session.dispatch(LookAt(None)).refusal is None


@pytest.mark.parametrize("intent", [Advance(), strike("bero")])
def test_one_step_pends_at_a_time(session: Session, intent: Advance | Do) -> None:
    """While a step waits, neither the clock nor another action goes on."""
    before = session.dispatch(strike())
    model = session.dispatch(intent)

    assert (refusal(model), model.pending) == ("pending", before.pending)


@pytest.mark.parametrize(
    "intent", [Reply(DiceAnswer(3)), RollRest(), Interrupt(Action("wait", "ansa")), Override("hit", True)]
)
def test_nothing_asked_nothing_answered(session: Session, intent: Reply | RollRest | Interrupt | Override) -> None:
    """What belongs to a pending step is refused where there is none."""
    model = session.dispatch(intent)

    assert (refusal(model), model.head) == ("nothing_asked", 1)


def test_a_gm_action_enters_a_pending_step(session: Session) -> None:
    """Damage by the GM in a waiting step becomes part of it, before its request."""
    session.dispatch(strike())
    model = session.dispatch(Do((action("damage", targets=("thug",), amount=3),)))

    assert (asked(model), model.state["thug"].hp) == ("attack", 7)
    model = play(session, 15, 4)
    assert (model.head, model.state["thug"].hp, len(model.steps)) == (2, 3, 2)


def test_anybody_can_interrupt(session: Session) -> None:
    """An action put before a request takes its own answers first."""
    session.dispatch(strike())
    model = session.dispatch(Interrupt(Action("parry", "thug")))
    assert asked(model) == "attack!1/parry"

    model = play(session, 6, 15)

    taken = [entry.event.action.key for entry in model.entries if isinstance(entry.event, ActionTaken)]
    assert (taken, model.state["thug"].hp, model.pending) == (["attack", "parry"], 10, None)


def test_interruptions_of_interruptions_end_in_a_refusal(session: Session) -> None:
    """A GM who puts one question before another without end is told to answer."""
    session.dispatch(strike())
    before = session.model
    while session.model.refusal is None:
        before = session.model
        session.dispatch(Interrupt(action("roll", None, dice="1d6")))
        assert session.model.problem == ""

    assert session.model.refusal.reason == "too_deep"
    assert session.model.pending_step is not None
    assert len(session.model.pending_step.interrupts) == 23
    assert comparable(replace(session.model, refusal=None)) == comparable(before)
    while session.model.pending is not None:
        session.dispatch(RollRest())
        assert (session.model.refusal, session.model.problem) == (None, "")


def test_a_refused_interruption_leaves_the_step_waiting(session: Session) -> None:
    """An interruption the rules do not know is refused, after answers too."""
    session.dispatch(strike())
    before = play(session, 15)
    model = session.dispatch(Interrupt(Action("dance", "thug")))

    assert model.refusal is not None
    assert comparable(model) == comparable(before)


def test_the_gm_overrules_a_number_of_the_pending_step(session: Session) -> None:
    """An override replaces the computed value and is logged. Answers that are not asked for any more are kept aside."""
    session.dispatch(strike())
    assert play(session, 15).pending is not None
    model = session.dispatch(Override("hit", False))

    assert (model.head, model.state["thug"].hp) == (2, 10)
    assert any(isinstance(entry.event, Overruled) for entry in model.entries)


def test_an_override_can_come_before_its_ruling(session: Session) -> None:
    """What is overruled early counts when the step gets there."""
    session.dispatch(strike())
    session.dispatch(Override("hit", True))
    model = play(session, 2, 6)

    assert model.state["thug"].hp == 4


def test_the_program_rolls_for_a_side(journal: Journal, settings: Settings) -> None:
    """A side whose dice are the program's is not asked. The others are."""
    with Session.start(journal, DUEL, encounter(), replace(settings, roller=six, auto_sides=("foes",))) as session:
        for _ in range(2):
            if session.model.pending is not None:
                session.dispatch(roll_of(1))
        assert session.model.state.clock.at == "r1/foes"
        assert session.dispatch(strike("thug", "ansa")).state["ansa"].hp == 4
        session.dispatch(Advance())
        assert session.dispatch(strike()).pending is not None


@pytest.mark.parametrize(("ask", "expected"), [(False, "initiative:party"), (True, "hp:ansa")])
def test_set_up_dice(journal: Journal, settings: Settings, ask: bool, expected: str) -> None:
    """Dice for counts and hit points are the program's, unless the GM is asked."""
    with Session.start(journal, DUEL, encounter(hp=0), replace(settings, roller=six, ask_setup=ask)) as session:
        pending = session.model.pending

    assert pending is not None
    assert pending.request.key == expected


def test_the_rest_of_a_step_rolls_itself(session: Session) -> None:
    """`*` throws this request and all that follow in the step."""
    session.settings = replace(session.settings, roller=six)
    session.dispatch(strike())
    model = session.dispatch(RollRest())

    assert (model.pending, model.state["thug"].hp) == (None, 4)
    assert [answer.typed for _, answer in model.steps[-1].answers if isinstance(answer, DiceAnswer)] == [False, False]


def test_what_has_no_default_is_asked_all_the_same(session: Session) -> None:
    """`*` takes defaults where there are any and stops where there is none."""
    session.dispatch(do("scheme"))
    refused = session.dispatch(RollRest())
    assert refusal(refused) == "no_default"

    session.dispatch(Reply(ChoiceAnswer("poison")))
    model = session.dispatch(RollRest())

    assert asked(model) == "price"
    model = session.dispatch(Reply(NumberAnswer(3)))
    assert [entry.event.answer for entry in model.entries if isinstance(entry.event, Decided)] == [
        "poison",
        "cook",
        "3",
    ]


def test_a_step_is_on_disk_before_it_is_shown(session: Session) -> None:
    """Another connection finds every step and every answer as soon as `dispatch` has returned."""
    other = sqlite3.connect(session.journal.path)
    for intent in (strike(), roll_of(15), roll_of(4), Advance(), strike("thug", "ansa")):
        model = session.dispatch(intent)
        seq, draft = other.execute("SELECT seq, draft FROM head").fetchone()
        steps = other.execute("SELECT count(*) FROM step").fetchone()[0]
        assert (seq, steps, draft is not None) == (model.head, len(model.steps), model.pending is not None)
    other.close()


def test_a_fight_goes_on_where_it_was_left(session: Session) -> None:
    """After a restart the same question waits in the middle of the step."""
    session.dispatch(strike())
    before = play(session, 15)
    resumed = reopened(session)

    assert comparable(resumed.model) == comparable(before)
    assert resumed.model.resumed != ""
    assert play(resumed, 4).state["thug"].hp == 6


def test_the_opening_can_be_left_too(journal: Journal, settings: Settings) -> None:
    """A fight left in the middle of its opening goes on there."""
    session = Session.start(journal, DUEL, encounter(), settings)
    before = play(session, 5)
    resumed = reopened(session)

    assert comparable(resumed.model) == comparable(before)
    assert play(resumed, 2).head == 1


def test_starting_another_fight_parks_the_first(session: Session, settings: Settings) -> None:
    """Each fight stays under its own name, and the list shows where each stands."""
    with Session.start(session.journal, DUEL, encounter(), settings) as second:
        play(second, 1, 2)
        assert second.model.fight == "the-duel-at-dawn-2"
    session.dispatch(strike())

    listed = {summary.id: summary for summary in session.journal.fights()}
    assert (listed["the-duel-at-dawn"].up, listed["the-duel-at-dawn-2"].up) == ("Party", "Foes")
    assert (listed["the-duel-at-dawn"].pending, listed["the-duel-at-dawn-2"].pending) == ("to hit", "")
    assert [summary.id for summary in session.journal.fights()] == ["the-duel-at-dawn", "the-duel-at-dawn-2"]


def test_a_fight_that_is_put_away_can_be_taken_out(session: Session) -> None:
    """Discarding only takes a fight off the list."""
    fight = session.model.fight
    session.journal.discard(fight)
    assert session.journal.fights() == ()

    session.journal.discard(fight, False)

    assert [summary.id for summary in session.journal.fights()] == [fight]
    assert Session.resume(session.journal, fight, find).model.head == 1


def test_a_closed_session_refuses(session: Session) -> None:
    """After closing nothing can be done, and nothing is raised."""
    session.close()
    model = session.dispatch(strike())

    assert refusal(model) == "closed"


def test_players_see_a_whitelist_only(session: Session) -> None:
    """The players' view is written with the step, without the GM's hit points."""
    other = sqlite3.connect(session.journal.path)
    texts = other.execute("SELECT view FROM shown").fetchall()
    other.close()

    pools = {who["name"]: bool(who["pools"]) for (text,) in texts for who in json.loads(text)["combatants"]}
    assert pools == {"Ansa": True, "Bero": True, "Thug": False}
