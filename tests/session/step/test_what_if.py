"""A what-if is played like the fight itself, and is dropped or kept."""

from __future__ import annotations

import pytest

from tests.session.conftest import comparable, do, find, play, refusal, reopened, roll_of, strike
from tests.session.step.test_undo import place
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Amend, Branch, Intent, Interrupt, LookAt, NameBranch, Redo, Undo, WhatIf
from tracker.session.model import Model, WhatIfState
from tracker.session.rows import PlayerViewRow
from tracker.session.session import Session
from tracker.session.store.exchange import export_fight, import_fight


def whole(model: Model) -> tuple[object, ...]:
    """What has to be the same after a what-if is dropped."""
    return (*place(model), model.can_undo, model.can_redo, model.trial)


def names(session: Session) -> dict[int, str]:
    return {tip.seq: tip.name for tip in session.branches()}


def test_dropping_is_as_if_nothing_had_been(session: Session) -> None:
    """Dropping leaves everything exactly as it was."""
    session.dispatch(strike())
    play(session, 15, 4)
    session.dispatch(Undo())
    before = whole(session.model)

    began = session.dispatch(WhatIf("begin"))
    assert (began.trial, began.can_redo, began.can_undo) == (WhatIfState(1, 3), False, False)
    session.dispatch(strike("bero"))
    play(session, 12, 2)
    session.dispatch(Advance())

    assert whole(session.dispatch(WhatIf("drop"))) == before
    assert names(session)[4] == "what-if"
    assert session.dispatch(Redo()).head == 2


def test_a_what_if_in_the_middle_of_a_step(session: Session) -> None:
    """It begins where a question stands, and dropping comes back to that question."""
    session.dispatch(strike())
    before = whole(play(session, 15))

    session.dispatch(WhatIf("begin"))
    tried = play(session, 6)
    assert (tried.pending, tried.state["thug"].hp) == (None, 4)
    session.dispatch(Advance())

    assert whole(session.dispatch(WhatIf("drop"))) == before
    assert play(session, 1).state["thug"].hp == 9


def test_keeping_goes_on_from_there(session: Session) -> None:
    """What was tried is real, and can be taken back like anything else."""
    before = session.model
    session.dispatch(WhatIf("begin"))
    session.dispatch(strike())
    tried = play(session, 15, 4)

    kept = session.dispatch(WhatIf("keep"))
    assert (kept.trial, place(kept)) == (None, place(tried))
    assert place(session.dispatch(Undo())) == place(before)


def test_keeping_where_nothing_was_tried_changes_nothing(session: Session) -> None:
    """What could be done again before can be done again."""
    session.dispatch(strike())
    play(session, 15, 4)
    before = whole(session.dispatch(Undo()))
    session.dispatch(WhatIf("begin"))

    assert whole(session.dispatch(WhatIf("keep"))) == before


def test_undo_stays_within(session: Session) -> None:
    """Everything tried can be taken back and done again, but nothing from before."""
    session.dispatch(strike())
    play(session, 15, 4)
    began = session.dispatch(WhatIf("begin"))
    session.dispatch(strike("bero"))
    play(session, 12, 2)
    session.dispatch(Undo())

    assert place(session.model) == place(began)
    stopped = session.dispatch(Undo())
    assert refusal(stopped) == "what_if_begins"
    assert place(stopped) == place(began)
    assert session.dispatch(Redo()).head == 3


def test_undo_of_answers_stays_within(session: Session) -> None:
    """Answers given before are not taken back, those tried are."""
    session.dispatch(strike())
    began = place(play(session, 15))
    session.dispatch(WhatIf("begin"))
    session.dispatch(Interrupt(Action("parry", "thug")))
    session.dispatch(Undo())

    assert place(session.model) == began
    assert refusal(session.dispatch(Undo())) == "what_if_begins"


@pytest.mark.parametrize("intent", [Branch(1), Amend(2, (("damage", DiceAnswer(1)),))])
def test_the_past_can_be_tried_otherwise(session: Session, intent: Intent) -> None:
    """A branch from before, or a correction, is tried and dropped like anything else."""
    session.dispatch(strike())
    play(session, 15, 4)
    session.dispatch(Advance())
    before = whole(session.model)
    session.dispatch(WhatIf("begin"))
    session.dispatch(intent)
    session.dispatch(do("wait", "bero"))
    assert session.model.refusal is None

    assert whole(session.dispatch(WhatIf("drop"))) == before


def test_a_restart_finds_it_open(session: Session) -> None:
    """Killed in it, the fight is resumed in it. Dropped then, it is the real one again."""
    session.dispatch(strike())
    before = comparable(play(session, 15))
    session.dispatch(WhatIf("begin"))
    play(session, 6)
    tried = session.dispatch(strike("bero"))

    resumed = reopened(session)
    assert comparable(resumed.model) == comparable(tried)
    assert resumed.model.trial == WhatIfState(1, 2)
    assert comparable(resumed.dispatch(WhatIf("drop"))) == before


def test_others_see_the_real_fight_meanwhile(session: Session) -> None:
    """List of fights and players' view leave a what-if out until it is kept."""
    fight = session.model.fight
    session.dispatch(strike())
    play(session, 15)
    (listed,), shown = session.journal.fights(), session.journal.load(fight).shown
    session.dispatch(WhatIf("begin"))
    play(session, 6)
    session.dispatch(Advance())
    session.dispatch(Advance())

    (trying,) = session.journal.fights()
    same = (listed.round, listed.up, listed.steps, listed.pending)
    assert (trying.trying, trying.round, trying.up, trying.steps, trying.pending) == (True, *same)
    assert trying.pending
    now = session.journal.load(fight).shown
    assert now is not None
    assert shown is not None
    assert now == PlayerViewRow(shown.salt, shown.view, b'{"mode":"trial","asks":[]}')
    session.dispatch(WhatIf("keep"))
    (kept,) = session.journal.fights()
    assert (kept.trying, kept.steps, kept.pending) == (False, 4, "")
    assert session.journal.load(fight).shown != shown


def test_what_differs_from_the_real_fight(session: Session) -> None:
    """The comparison holds both, in the middle of a step too."""
    session.dispatch(strike())
    play(session, 15)
    session.dispatch(WhatIf("begin"))
    assert session.tried() == ()
    play(session, 6)

    assert [(change.who, change.what, change.was, change.now) for change in session.tried()] == [("thug", "hp", 10, 4)]


@pytest.mark.parametrize(
    ("intents", "reason"), [((WhatIf("drop"),), "no_what_if"), ((WhatIf("begin"), WhatIf("begin")), "what_if_open")]
)
def test_what_makes_no_sense_is_refused(session: Session, intents: tuple[Intent, ...], reason: str) -> None:
    """One what-if at a time, and none that is not there."""
    for intent in intents:
        session.dispatch(intent)

    assert refusal(session.model) == reason


def test_it_begins_and_ends_in_the_present_only(session: Session) -> None:
    """While the past is shown, the session says to come back first."""
    session.dispatch(Advance())
    session.dispatch(LookAt(1))

    assert refusal(session.dispatch(WhatIf("begin"))) == "looking_back"


def test_each_line_tried_has_a_name_of_its_own(session: Session) -> None:
    """What was tried and not kept is in the list, under names that differ."""
    for _ in range(2):
        session.dispatch(WhatIf("begin"))
        session.dispatch(strike())
        play(session, 15, 4)
        session.dispatch(WhatIf("drop"))

    assert sorted(names(session).values()) == ["what-if", "what-if 2"]


def test_branches_have_names(session: Session) -> None:
    """A name is kept over restarts, stays with its branch, and can be taken away."""
    session.dispatch(strike())
    play(session, 15, 4)
    session.dispatch(Undo())
    named = session.dispatch(NameBranch(2, "  the   quick end "))
    assert (named.refusal, named.can_redo) == (None, True)
    session.dispatch(Advance())
    assert names(session) == {2: "the quick end"}

    resumed = reopened(session)
    assert names(resumed) == {2: "the quick end"}
    resumed.dispatch(Branch(2))
    resumed.dispatch(Advance())
    present = resumed.present()
    assert present is not None
    assert (present.seq, present.name, present.why) == (4, "the quick end", "present")
    assert names(resumed) == {3: ""}
    resumed.dispatch(NameBranch(2, ""))
    assert resumed.journal.load(resumed.model.fight).names == ()


@pytest.mark.parametrize(
    ("intent", "reason"), [(NameBranch(99, "x"), "no_such_step"), (NameBranch(1, "x" * 61), "name_too_long")]
)
def test_names_that_cannot_be(session: Session, intent: NameBranch, reason: str) -> None:
    """A step that is not there has none, and a name fits on a line."""
    assert refusal(session.dispatch(intent)) == reason


def test_the_list_says_why_a_branch_was_left(session: Session) -> None:
    """What was corrected is told from what was taken back."""
    session.dispatch(strike())
    play(session, 15, 4)
    session.dispatch(Amend(2, (("damage", DiceAnswer(2)),)))
    session.dispatch(Undo())
    session.dispatch(Redo())
    session.dispatch(Advance())
    session.dispatch(Undo())

    assert {tip.seq: tip.why for tip in session.branches()} == {2: "amended", 4: "undone"}


def test_an_open_what_if_and_names_travel(session: Session) -> None:
    """Exported and imported, the copy is in the same what-if. It drops to the same place, and exports as it came."""
    session.dispatch(strike())
    before = place(play(session, 15))
    session.dispatch(WhatIf("begin"))
    play(session, 6)
    session.dispatch(NameBranch(2, "all in"))
    lines = list(export_fight(session.journal, session.model.fight))

    fight = import_fight(session.journal, lines)
    assert list(export_fight(session.journal, fight)) == lines
    with Session.resume(session.journal, fight, find) as copy:
        assert copy.model.trial == session.model.trial
        assert place(copy.dispatch(WhatIf("drop"))) == before
        assert names(copy) == {2: "all in"}


def test_a_beginning_that_cannot_be_read(session: Session) -> None:
    """A damaged record of it costs the way back, not the fight. A line says so."""
    session.dispatch(WhatIf("begin"))
    session.dispatch(strike())
    play(session, 15, 4)
    session.journal._connection.execute("UPDATE head SET sandbox = x'7b'")

    resumed = reopened(session)
    assert resumed.model.trial is None
    assert "where the what-if began cannot be read" in resumed.model.notice
    assert resumed.model.head == 2
    assert resumed.dispatch(roll_of(3)).refusal is not None
