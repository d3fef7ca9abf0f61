"""Amending: an earlier answer corrected, and every later step done again on a branch."""

from __future__ import annotations

from msgspec.structs import replace

from tests.session.conftest import asked, comparable, play, refusal, reopened, roll_of, six, strike
from tests.session.step.test_undo import place
from tracker.core.fight.events import Decided, Forced, Overruled, Rolled
from tracker.core.terms.actions import Action, action
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, NumberAnswer
from tracker.session.intents import Advance, Amend, Do, Interrupt, Override, Redo, Reply, RollRest, Undo
from tracker.session.model import Model
from tracker.session.session import Session


def hit(session: Session, damage: int, by: str = "ansa", target: str = "thug") -> Model:
    session.dispatch(strike(by, target))
    return play(session, 15, damage)


def attack(total: int, key: str = "attack") -> tuple[tuple[str, DiceAnswer], ...]:
    return ((key, DiceAnswer(total, (total,))),)


def outcomes(
    session: Session, step: int, answers: tuple[tuple[str, DiceAnswer], ...], refused: str = "keep"
) -> list[tuple[int | None, str]]:
    report = session.preview(Amend(step, answers, "drop" if refused == "drop" else "keep"))
    assert (report.refusal, report.problem) == (None, "")
    return [(outcome.seq, outcome.outcome) for outcome in report.outcomes]


def test_a_die_of_an_earlier_step_is_put_right(session: Session) -> None:
    """The step takes its new answer, and later ones take theirs by key."""
    hit(session, 4)
    hit(session, 2, "bero")
    model = session.dispatch(Amend(2, attack(1, "damage")))

    assert (model.state["thug"].hp, [record.seq for record in model.steps]) == (7, [1, 4, 5])
    rolled = [entry.event for entry in model.steps[1].entries if isinstance(entry.event, Rolled)]
    assert [(event.key, event.total) for event in rolled] == [("attack", 15), ("damage", 1)]
    assert dict(model.steps[1].answers)["damage"] == DiceAnswer(1, (1,), typed=True, amended=True)


def test_the_preview_says_what_becomes_of_each_step(session: Session) -> None:
    """Same, changed: with the differences each step leaves behind, and nothing written."""
    hit(session, 4)
    before = session.dispatch(Advance())
    report = session.preview(Amend(2, attack(1, "damage")))

    assert [(outcome.seq, outcome.outcome) for outcome in report.outcomes] == [(2, "changed"), (3, "same")]
    assert [(change.who, change.what, change.was, change.now) for change in report.changes] == [("thug", "hp", 6, 9)]
    assert place(session.model) == place(before)
    assert place(reopened(session).model) == place(before)


def test_an_answer_that_is_not_asked_for_is_kept_aside(session: Session) -> None:
    """A hit that becomes a miss needs no damage. The preview names the answer, the old branch keeps it."""
    hit(session, 4)
    report = session.preview(Amend(2, attack(3)))

    assert [(outcome.outcome, outcome.unused) for outcome in report.outcomes] == [("unused", ("damage",))]
    assert session.dispatch(Amend(2, attack(3))).state["thug"].hp == 10


def test_a_question_left_open_waits(session: Session) -> None:
    """A miss that becomes a hit asks for damage. The later steps follow once that is answered."""
    session.dispatch(strike())
    play(session, 3)
    hit(session, 2, "bero")
    session.dispatch(Advance())
    assert outcomes(session, 2, attack(15)) == [(2, "open"), (3, "changed"), (4, "same")]

    model = session.dispatch(Amend(2, attack(15)))
    assert (asked(model), model.head, model.waiting) == ("damage", 1, (3, 4))

    model = play(session, 5)
    assert (model.pending, model.state["thug"].hp, model.state.clock.at, len(model.steps)) == (None, 3, "r1/foes", 4)


def test_a_later_question_is_open(session: Session) -> None:
    """Steps before the open question are done, and it may come in any later one."""
    hit(session, 6)
    hit(session, 2, "bero")
    session.dispatch(Advance())
    session.dispatch(strike("thug", "ansa"))
    play(session, 3)
    assert outcomes(session, 3, attack(6, "damage")) == [(3, "open"), (4, "changed"), (5, "refused")]

    model = session.dispatch(Amend(3, attack(6, "damage")))
    assert asked(model) == "wound"
    assert play(session, 4).state["thug"].status == "down"


def test_undo_after_amend_is_the_old_branch(session: Session) -> None:
    """One undo takes the whole amendment back, one redo restores it, after a restart too."""
    hit(session, 4)
    hit(session, 2, "bero")
    old = place(session.dispatch(Advance()))
    new = place(session.dispatch(Amend(2, attack(1, "damage"))))

    assert place(session.dispatch(Undo())) == old
    assert place(session.dispatch(Redo())) == new
    resumed = reopened(session)
    assert place(resumed.dispatch(Undo())) == old
    assert place(resumed.dispatch(Redo())) == new


def test_an_amendment_without_a_difference(session: Session) -> None:
    """The same answer again changes no step, and marks no die as amended."""
    hit(session, 4)
    session.dispatch(Advance())
    assert outcomes(session, 2, attack(4, "damage")) == [(2, "same"), (3, "same")]

    model = session.dispatch(Amend(2, attack(4, "damage")))

    assert dict(model.steps[1].answers)["damage"] == DiceAnswer(4, (4,), typed=True)


def fell_and_strike(session: Session) -> None:
    """The thug survives Ansa by one point and strikes back."""
    session.dispatch(Do((action("damage", targets=("thug",), amount=5),)))
    hit(session, 4)
    session.dispatch(Advance())
    hit(session, 3, "thug", "ansa")


def test_keep_forces(session: Session) -> None:
    """A felled thug strikes all the same, and the log says it was forced."""
    fell_and_strike(session)
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(1, (1,)), auto_sides=("foes",))
    report = session.preview(Amend(3, attack(5, "damage")))
    assert [(outcome.outcome, outcome.kept) for outcome in report.outcomes] == [
        ("changed", False),
        ("changed", False),
        ("refused", True),
    ]
    assert report.outcomes[-1].refusal is not None
    assert report.outcomes[-1].refusal.rule == "S-09"

    model = session.dispatch(Amend(3, attack(5, "damage")))

    assert (model.state["thug"].status, model.state["ansa"].hp) == ("down", 7)
    assert any(isinstance(entry.event, Forced) for entry in model.entries)


def test_drop_leaves_out(session: Session) -> None:
    """With `drop`, a thug who has been felled does not strike."""
    fell_and_strike(session)
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(1, (1,)), auto_sides=("foes",))
    report = session.preview(Amend(3, attack(5, "damage"), "drop"))
    assert [(outcome.outcome, outcome.kept) for outcome in report.outcomes] == [
        ("changed", False),
        ("changed", False),
        ("refused", False),
    ]

    model = session.dispatch(Amend(3, attack(5, "damage"), "drop"))

    assert (model.state["thug"].status, model.state["ansa"].hp, len(model.steps)) == ("down", 10, 4)


def test_what_makes_no_sense_cannot_be_kept(session: Session) -> None:
    """A strike at a fallen combatant is not on offer any more. It falls away even with `keep`."""
    session.dispatch(Do((action("damage", targets=("thug",), amount=5),)))
    hit(session, 4)
    session.dispatch(strike("bero"))
    play(session, 2)
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(1, (1,)), auto_sides=("foes",))

    assert outcomes(session, 3, attack(5, "damage")) == [(3, "changed"), (4, "refused")]
    assert len(session.dispatch(Amend(3, attack(5, "damage"))).steps) == 3


def test_a_new_order_loses_no_boundary(session: Session) -> None:
    """Initiative put right. Advances go to their slots where these still lie ahead, and fall away where they do not."""
    hit(session, 4)
    session.dispatch(Advance())
    session.dispatch(Advance())
    assert session.model.state.clock.at == "r2/party"
    report = session.preview(Amend(1, attack(1, "initiative:party")))

    assert [outcome.outcome for outcome in report.outcomes] == ["changed", "refused", "gone", "changed"]
    model = session.dispatch(Amend(1, attack(1, "initiative:party")))
    clock = model.state.clock
    assert (clock.round, clock.at, [slot.id for slot in clock.slots]) == (2, "r2/party", ["r2/foes", "r2/party"])


def test_an_advance_reaches_its_slot(session: Session) -> None:
    """An advance that crosses into the next round does so again."""
    hit(session, 4)
    session.dispatch(Advance())
    session.dispatch(Advance())
    session.dispatch(Advance())
    model = session.dispatch(Amend(2, attack(1, "damage")))

    assert [record.reached for record in model.steps] == ["", "", "r1/foes", "r2/party", "r2/foes"]


def test_a_step_of_which_a_part_was_read_is_carried_over(session: Session) -> None:
    """After a restart the log is read first. A correction takes such a step over as it is."""
    session.dispatch(strike())
    play(session, 3)
    session.dispatch(Advance())
    before = session.dispatch(Advance())
    second = reopened(session)
    assert [record.entries for record in second.model.steps] == [record.entries for record in before.steps]

    model = second.dispatch(Amend(2, attack(4)))

    assert (model.problem, model.refusal) == ("", None)
    assert [record.row.entries for record in model.steps[2:]] == [record.row.entries for record in before.steps[2:]]
    assert [record.at for record in model.steps] == [record.at for record in before.steps]
    second.close()


def test_a_pending_step_is_carried_over(session: Session) -> None:
    """An earlier die can be corrected in the middle of a step, which then waits."""
    hit(session, 4)
    session.dispatch(strike("bero"))
    old = place(play(session, 15))
    model = session.dispatch(Amend(2, attack(1, "damage")))

    assert (asked(model), model.state["thug"].hp) == ("damage", 9)
    assert place(session.dispatch(Undo())) == old
    session.dispatch(Redo())
    model = play(session, 2)
    assert (model.state["thug"].hp, model.pending) == (7, None)
    after = session.dispatch(Undo())
    assert (after.state["thug"].hp, after.pending) == (9, None)
    assert place(session.dispatch(Undo())) == old


def test_the_amended_answer_has_to_be_possible(session: Session) -> None:
    """A 7 on a d6 is refused, and nothing changes."""
    hit(session, 4)
    before = session.model
    model = session.dispatch(Amend(2, (("damage", DiceAnswer(7)),)))

    assert model.refusal is not None
    assert (model.refusal.at, comparable(model)) == ("damage", comparable(before))
    report = session.preview(Amend(2, (("damage", DiceAnswer(7)),)))
    assert report.refusal == model.refusal


def test_what_was_not_asked_cannot_be_amended(session: Session) -> None:
    """Answers and steps that are not there are refused."""
    hit(session, 4)

    for intent, reason in ((Amend(2, attack(3, "save")), "no_such_request"), (Amend(7, attack(3)), "no_such_step")):
        model = session.dispatch(intent)
        assert refusal(model) == reason


def test_a_ruling_of_an_earlier_step_is_overruled(session: Session) -> None:
    """An override of a done step amends it. One that no ruling takes is refused."""
    hit(session, 4)
    session.dispatch(Advance())
    assert session.dispatch(Override("hot", False, 2)).refusal is not None

    model = session.dispatch(Override("hit", False, 2))

    assert (model.state["thug"].hp, model.state.clock.at) == (10, "r1/foes")
    assert any(isinstance(entry.event, Overruled) for entry in model.steps[1].entries)


def test_the_program_s_dice_fall_once(session: Session) -> None:
    """The dice of a preview are those of the amendment that follows it."""
    falls = iter(range(1, 7))
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(next(falls)), auto_sides=("party",))
    session.dispatch(Do((action("attack", "ansa", target="thug"),)))
    assert session.model.state["thug"].hp == 10
    previewed = session.preview(Amend(2, attack(15))).changes

    model = session.dispatch(Amend(2, attack(15)))

    assert [(change.what, change.now) for change in previewed if change.what == "hp"] == [("hp", 8)]
    assert model.state["thug"].hp == 8


def test_an_interruption_that_is_refused_is_left_out(session: Session) -> None:
    """An interruption of a later step that is not possible any more falls away. The step itself is done."""
    session.dispatch(Do((action("damage", targets=("thug",), amount=5),)))
    hit(session, 4)
    session.dispatch(Do((Action("scheme"),)))
    session.dispatch(Interrupt(Action("parry", "thug")))
    play(session, 6)
    for answer in (ChoiceAnswer("bribe"), ChoiceAnswer("cook"), NumberAnswer(5)):
        session.dispatch(Reply(answer))
    session.settings = replace(session.settings, roller=lambda request: DiceAnswer(1, (1,)), auto_sides=("foes",))
    report = session.preview(Amend(3, attack(5, "damage")))

    assert [(outcome.outcome, outcome.unused) for outcome in report.outcomes] == [
        ("changed", ()),
        ("unused", ("how!1/parry", "!1")),
    ]
    model = session.dispatch(Amend(3, attack(5, "damage")))
    assert [entry.event.answer for entry in model.entries if isinstance(entry.event, Decided)] == ["bribe", "cook", "5"]


def test_the_open_question_can_be_left_to_the_program(session: Session) -> None:
    """`*` answers what an amendment leaves open, and the later steps follow."""
    session.settings = replace(session.settings, roller=six)
    session.dispatch(strike())
    play(session, 3)
    hit(session, 2, "bero")
    session.dispatch(Amend(2, attack(15)))
    model = session.dispatch(RollRest())

    assert (model.pending, model.state["thug"].hp, len(model.steps)) == (None, 2, 3)
    assert session.dispatch(Reply()).refusal is not None
    assert roll_of(3) == Reply(DiceAnswer(3, (3,)))


def test_a_die_put_aside_by_a_correction_is_there_for_the_next(session: Session) -> None:
    """A hit made a miss, then a hit again, has the damage that was rolled, also after a restart."""
    hit(session, 4)
    session.dispatch(Amend(2, attack(3)))
    step = session.dispatch(Advance()).steps[1].seq
    resumed = reopened(session)
    assert outcomes(resumed, step, attack(16)) == [(step, "changed"), (step + 1, "same")]
    assert resumed.dispatch(Amend(step, attack(16))).state["thug"].hp == 6


def missed_and_struck(session: Session, harm: int = 5) -> None:
    """Ansa misses a hurt thug, who strikes back."""
    session.dispatch(Do((action("damage", targets=("thug",), amount=harm),)))
    session.dispatch(strike())
    play(session, 3)
    session.dispatch(Advance())
    hit(session, 3, "thug", "ansa")


def test_what_an_answer_given_late_forbids_is_left_out(session: Session) -> None:
    """The preview counts with a wound the thug survives; the wound typed later fells it, so that it does not strike."""
    missed_and_struck(session)
    report = session.preview(Amend(3, attack(15)))
    assert not [outcome for outcome in report.outcomes if outcome.outcome == "refused"]
    session.dispatch(Amend(3, attack(15)))

    model = play(reopened(session), 6, 4)

    assert (model.pending, model.state["thug"].status, model.state["ansa"].hp) == (None, "down", 10)
    assert [outcome.seq for outcome in model.left_out] == [5]
    assert model.left_out[0].refusal is not None
    assert model.left_out[0].refusal.rule == "S-09"
    assert session.dispatch(Undo()).left_out == ()


def test_what_the_preview_has_shown_as_forced_is_forced_after_a_late_answer(session: Session) -> None:
    """The thug falls by the wound that the preview counts with, and by the one typed later."""
    missed_and_struck(session, 8)
    report = session.preview(Amend(3, attack(15)))
    assert [outcome.kept for outcome in report.outcomes if outcome.outcome == "refused"] == [True]
    session.dispatch(Amend(3, attack(15)))

    model = play(session, 6, 4)

    assert (model.state["thug"].status, model.state["ansa"].hp, model.left_out) == ("down", 7, ())
    assert any(isinstance(entry.event, Forced) for entry in model.entries)


def test_an_amendment_without_a_preview_keeps_what_it_was_told_to_keep(session: Session) -> None:
    """A script that asks to keep forces a later step also after a late answer."""
    missed_and_struck(session)
    session.dispatch(Amend(3, attack(15)))

    assert play(session, 6, 4).state["ansa"].hp == 7
