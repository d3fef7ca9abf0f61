"""A slip of a ruleset is contained. The fight stays as it was, and a replay file tells of it."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.session.conftest import asked, comparable, do, find, play, reopened, strike
from tests.support import sides
from tests.support.sides import NEXT_VERSION
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tracker.core.fight.state import State
from tracker.core.game.ruleset import MapRules
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import RulesBug, TrackerError
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Amend, LookAt, Reply, Undo
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.exchange import import_fight
from tracker.session.store.journal import Journal

BREAKS = {
    "crash": 'raise ZeroDivisionError("by nought")',
    "stale": 'ctx.emit(FactSet("fight", "nothing", 7, 8))',
    "twice": 'ctx.number("again", default=1)',
    "late_refusal": 'ctx.perform(Action("attack", by, (("target", by),)))',
}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("crash", "ZeroDivisionError: by nought"),
        ("loop", "did not end within 0.2 seconds"),
        ("stale", "nothing"),
        ("twice", "asked twice"),
        ("secret_data", "cannot be stored"),
        ("late_refusal", "refused"),
    ],
)
def test_a_broken_action_changes_nothing(session: Session, key: str, words: str) -> None:
    """The message holds file, line and function of the ruleset; the file it names holds the traceback."""
    session.settings = replace(session.settings, step_seconds=0.2)
    model = session.dispatch(do(key, "ansa"))
    while model.pending is not None and not model.problem:
        before = model
        model = session.dispatch(Reply())
    if not session.model.pending:
        before = replace(model, problem="")

    assert words in model.problem
    assert model.problem.startswith("Sides: ")
    assert "\n" not in model.problem
    assert comparable(model) == comparable(before)
    named = Path(model.problem.rpartition(": ")[2])
    details = json.loads(named.read_text(encoding="utf-8").splitlines()[-1])["details"]
    assert "Traceback" in details
    place = re.search(r"\(sides\.py:(\d+) in break_promise\)", model.problem)
    assert (place is None) == (key == "secret_data"), model.problem
    if place is not None:
        line = Path(sides.__file__).read_text(encoding="utf-8").splitlines()[int(place[1]) - 1].strip()
        assert line in ("while True:", "time.sleep(0)") or (key in BREAKS and line == BREAKS[key])
        assert line in details
    assert comparable(reopened(session).model) == comparable(before)


def test_an_amendment_tried_out_names_its_problem_file(session: Session) -> None:
    """A ruleset that fails while an amendment is looked at is told of too."""
    session.dispatch(strike())
    play(session, 15, 4)

    def fail(ctx: Ctx) -> None:
        raise ZeroDivisionError("nine")

    session.ruleset = replace(DUEL, settle=fail)
    first, second = (session.preview(Amend(2, (("damage", DiceAnswer(1)),))).problem for _ in range(2))

    assert re.search(r"nine \(test_containment\.py:\d+ in fail\); problem file: ", first)
    assert second == first
    assert "Traceback" in Path(first.rpartition(": ")[2]).read_text(encoding="utf-8")


def test_a_question_that_a_handler_swallows_is_a_fault(session: Session) -> None:
    """A step that goes on without its answer is told of, and changes nothing."""
    before = session.model

    def swallow(ctx: Ctx, action: Action) -> None:
        with suppress(BaseException):
            ctx.roll("attack", Dice.of(1, 20))

    session.ruleset = replace(DUEL, perform=swallow)
    model = session.dispatch(do("wait", "ansa"))

    assert "attack" in model.problem
    assert "let every BaseException pass" in model.problem
    assert comparable(model) == comparable(before)


def test_the_fight_goes_on_after_a_broken_action(session: Session) -> None:
    """The next intent is done as if nothing had happened, and clears the line."""
    assert session.dispatch(do("stale", "ansa")).problem
    session.dispatch(strike())
    model = play(session, 15, 4)

    assert (model.problem, model.state["thug"].hp) == ("", 6)


def test_the_replay_file_can_be_imported(session: Session) -> None:
    """It holds the fight as it stood, and last the step with where it failed."""
    session.dispatch(strike())
    before = play(session, 15, 4)
    session.dispatch(do("crash", "ansa"))
    session.dispatch(Reply(DiceAnswer(2)))
    session.dispatch(Undo())

    files = list((session.journal.path.parent / "problems").iterdir())
    lines = files[0].read_bytes().splitlines(keepends=True)
    assert len(files) == 1
    assert b"ZeroDivisionError" in lines[-1]
    assert b'"crash"' in lines[-1]
    copy = Session.resume(session.journal, import_fight(session.journal, lines), find, session.settings)
    assert copy.model.steps == before.steps
    copy.close()


def test_a_problem_is_said_where_no_file_can_be_written(session: Session) -> None:
    """A folder that cannot be made costs the file, not the message."""
    (session.journal.path.parent / "problems").write_text("in the way")
    model = session.dispatch(do("stale", "ansa"))

    assert "no problem file" in model.problem


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarm that others could have set")
def test_an_alarm_of_the_program_is_left_alone(session: Session) -> None:
    """A step sets no timer, and what hears the alarm is what heard it before."""
    heard: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: heard.append(number))
    try:
        session.dispatch(strike())
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        signal.raise_signal(signal.SIGALRM)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert heard == [signal.SIGALRM]


def test_a_session_works_in_another_thread(path: Path) -> None:
    """Steps are done, within their time, in any thread."""
    found: list[object] = []

    def play_there() -> None:
        with Journal.open(path) as journal, Session.start(journal, DUEL, encounter(), Settings()) as session:
            found.append(play(session, 3, 4).state.clock.at)

    thread = threading.Thread(target=play_there)
    thread.start()
    thread.join()

    assert found == ["r1/foes"]


def test_a_ruleset_that_fails_at_once(journal: Journal) -> None:
    """A fight that cannot be opened leaves none behind."""

    def fail(ctx: Ctx, opened: Encounter) -> None:
        raise KeyError("initiative")

    with pytest.raises(RulesBug, match="KeyError"):
        Session.start(journal, replace(DUEL, open_fight=fail), encounter())

    assert journal.fights() == ()


def test_amending_into_a_broken_step(session: Session) -> None:
    """A ruleset that fails in a later step refuses the amendment as a whole."""
    session.dispatch(strike())
    before = play(session, 15, 4)

    def fail(ctx: Ctx) -> None:
        if ctx.state.combatants and ctx.state["thug"].has_pool("hp") and ctx.state["thug"].hp == 9:
            raise ZeroDivisionError("nine")

    session.ruleset = replace(DUEL, settle=fail)
    preview = session.preview(Amend(2, (("damage", DiceAnswer(1)),)))
    model = session.dispatch(Amend(2, (("damage", DiceAnswer(1)),)))

    assert "nine" in preview.problem
    assert "nine" in model.problem
    assert comparable(model) == comparable(before)


def test_new_rules_leave_history_alone(session: Session) -> None:
    """Steps that are done are folded, not played again. An old fight opens under new rules as it stood."""
    session.dispatch(strike())
    before = play(session, 15, 4)
    resumed = reopened(session, NEXT_VERSION)

    assert comparable(resumed.model) == comparable(before)


def test_new_rules_ask_a_pending_step_anew(session: Session) -> None:
    """Where the rules ask otherwise, the pending step starts again from its first question."""
    session.dispatch(strike())
    play(session, 15)
    resumed = reopened(session, NEXT_VERSION)

    assert (asked(resumed.model), dict(resumed.model.unused_answers)["attack"]) == (
        "aim",
        DiceAnswer(15, (15,), typed=True),
    )
    assert "from its first question" in resumed.model.notice
    assert play(resumed, 2, 15, 4).state["thug"].hp == 6


def test_new_rules_may_not_know_a_pending_step(session: Session) -> None:
    """What the rules refuse now is left out with a line. The fight stands at the step before."""
    before = session.model
    session.dispatch(strike())
    resumed = reopened(session, replace(DUEL, form=lambda state, action: None))

    assert (resumed.model.pending, resumed.model.head) == (None, before.head)
    assert "left out" in resumed.model.notice


def test_rules_that_fail_on_the_pending_step(session: Session) -> None:
    """A ruleset that crashes at the resumption leaves the fight at its last step. The problem is in a line."""
    session.dispatch(strike())

    def fail(ctx: Ctx, action: object) -> None:
        raise KeyError("strike")

    resumed = reopened(session, replace(DUEL, perform=fail))

    assert "KeyError" in resumed.model.problem
    assert (resumed.model.pending, resumed.model.head) == (None, 1)


def damage_step(path: Path, seq: int, text: bytes) -> None:
    connection = sqlite3.connect(path)
    connection.execute("UPDATE step SET entries = ? WHERE key & 4294967295 = ?", (text, seq))
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    "text",
    [
        b'[{"event":',
        b'[{"event":{"type":"PoolChanged","who":"thug","pool":"hp","was":3,"now":1},"rules":[]}]',
        b"\xff\xfe",
    ],
)
def test_a_damaged_step(session: Session, text: bytes) -> None:
    """A fight stands at its last sound step. What follows stays in the journal, and one can go on."""
    session.dispatch(strike())
    play(session, 15, 2)
    session.dispatch(do("wait", "bero"))
    damage_step(session.journal.path, 3, text)
    resumed = reopened(session)

    assert (resumed.model.head, [record.seq for record in resumed.model.steps]) == (2, [1, 2])
    assert "step 3" in resumed.model.notice
    assert resumed.dispatch(strike("bero")).pending is not None
    assert resumed.dispatch(LookAt(3)).problem
    assert len(resumed.state_at(2).combatants) == 3


def test_a_fight_damaged_from_its_start(session: Session) -> None:
    """A fight of which nothing can be read is named, and nothing else happens."""
    damage_step(session.journal.path, 1, b"[{")
    session.close()

    with pytest.raises(TrackerError, match="step 1"):
        Session.resume(session.journal, session.model.fight, find)


def test_a_players_view_that_fails(session: Session) -> None:
    """The step is done all the same. A line says that the players' view is missing."""

    def fail(state: State) -> None:
        raise ZeroDivisionError("no ground")

    session.ruleset = replace(DUEL, schema=replace(DUEL.schema, board="square"), map=MapRules(board=fail))
    session.dispatch(strike())
    model = play(session, 15, 4)

    assert model.state["thug"].hp == 6
    assert "players' view cannot be made" in model.notice
    assert "Traceback" in Path(model.notice.rpartition(": ")[2]).read_text(encoding="utf-8")
