"""Windows are asked only where an answer could change what follows."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.session.conftest import asked, play, strike
from tests.support.sides import RULESET as DUEL
from tests.support.sides import Switches
from tests.support.sides import duel as encounter
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Option
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import Choice, ChoiceAnswer, DiceAnswer, Passed, Request, Responded, Roll, Window
from tracker.session.intents import Amend, Reply
from tracker.session.session import Session
from tracker.session.settings import Settings, source_of
from tracker.session.step.runner import next_decision
from tracker.session.store.journal import Journal

HIGH = 15
PARRY = Responded((Action("parry", "thug"),))


def windows(state: State, window: Window) -> tuple[ActionSpec, ...]:
    """Offer a parry to the target, which against Bero would change nothing."""
    if window.target not in state or state.fact("fight", "parried") is True:
        return ()
    moot = "he is too quick" if window.actor == "bero" else ""
    return (ActionSpec("parry", "Parry", window.target, rule="S-13", does="" if moot else "it misses", moot=moot),)


def duel(journal: Journal, settings: Settings) -> Session:
    """A duel in which the target of a strike may parry it."""
    prepared = replace(encounter(), house_rules=Switches())
    opened = Session.start(journal, replace(DUEL, windows=windows), prepared, settings)
    play(opened, 5, 2)
    return opened


def request_after_attack(session: Session, by: str) -> Request:
    """Return the request after the attack roll of a strike."""
    session.dispatch(strike(by))
    pending = play(session, HIGH).pending
    assert pending is not None
    return pending.request


@pytest.mark.parametrize(
    ("changes", "opens"),
    [
        ({}, True),
        ({"windows": "players"}, False),
        ({"windows": "nobody"}, False),
    ],
)
def test_a_window_opens_for_those_who_are_to_be_asked(
    changes: dict[str, object], opens: bool, journal: Journal, settings: Settings
) -> None:
    """The GM says whom, and who is left alone up to which round."""
    with duel(journal, replace(settings, **changes)) as session:
        assert isinstance(request_after_attack(session, "ansa"), Window if opens else Roll)


def test_a_window_without_consequence_is_passed_by_the_program(journal: Journal, settings: Settings) -> None:
    """It is recorded like one that was asked. A script is asked."""
    with duel(journal, settings) as session:
        assert isinstance(request_after_attack(session, "bero"), Roll)
        assert ("after_roll", Passed()) in play(session, 4).steps[-1].answers
        session.settings = replace(settings, ask_all=True)
        assert isinstance(request_after_attack(session, "ansa"), Window)


def test_what_a_reminder_has_told_is_not_asked_again(settings: Settings) -> None:
    """Its default stands. A script is asked."""
    told = Choice("morale", (Option("no"), Option("check")), "no", told=True)

    assert source_of(settings, State(), {})(told) == ChoiceAnswer("no")
    assert source_of(settings, State(), {})(replace(told, told=False)) is None
    assert source_of(replace(settings, ask_all=True), State(), {})(told) is None


def test_an_answer_that_was_given_stays_where_it_would_not_be_asked_for_now(
    journal: Journal, settings: Settings
) -> None:
    """A correction of another answer of its step keeps it."""
    with duel(journal, replace(settings, ask_all=True)) as session:
        assert isinstance(request_after_attack(session, "bero"), Window)
        session.dispatch(Reply(PARRY))
        step = play(session, 4).head or 0
        session.settings = settings
        model = session.dispatch(Amend(step, (("attack", DiceAnswer(HIGH + 1, (HIGH + 1,))),)))

        assert model.refusal is None
        assert ("after_roll", PARRY) in model.steps[-1].answers
        assert model.state["thug"].hp == 10


def test_the_prompt_looks_through_windows_that_are_not_asked(journal: Journal, settings: Settings) -> None:
    """A window that the program passes does not hide what is really asked."""
    table = replace(DUEL, windows=_second_is_moot, perform=_two_windows)
    with Session.start(journal, table, encounter(), settings) as session:
        play(session, 5, 2)
        before = session.model.state
        session.dispatch(strike())
        pending, step = session.model.pending, session.model.pending_step
        assert pending is not None
        assert step is not None
        found = next_decision(table, settings, before, pending=pending, step=step)

        assert (found.request.key, [window.key for window in found.windows]) == ("damage", ["first"])
        session.dispatch(Reply(Passed()))
        assert asked(session.model) == "damage"


def _second_is_moot(state: State, window: Window) -> tuple[ActionSpec, ...]:
    return (ActionSpec("parry", "Parry", "thug", moot="too late" if window.name == "second" else ""),)


def _two_windows(ctx: Ctx, action: Action) -> None:
    for name in ("first", "second"):
        ctx.window(name, action.by, "thug", again=False)
    ctx.roll("damage", Dice.of(1, 6), who=action.by, why="damage")
