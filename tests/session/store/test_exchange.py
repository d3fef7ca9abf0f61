"""Exchange: a fight as JSON lines, there and back."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.session.conftest import comparable, find, play, roll_of, strike
from tests.session.step.test_undo import place
from tracker.core.terms.errors import BadData, TrackerError
from tracker.core.terms.requests import DiceAnswer
from tracker.session.intents import Advance, Amend, Redo, Undo
from tracker.session.session import Session
from tracker.session.store.exchange import export_fight, import_fight
from tracker.session.store.journal import Journal


@pytest.fixture
def lines(session: Session) -> list[bytes]:
    """A fight with branches, an amendment, something to redo and a pending step."""
    for intent in (
        strike(),
        roll_of(15),
        roll_of(4),
        Advance(),
        Undo(),
        Advance(),
        Amend(2, (("damage", DiceAnswer(2)),)),
    ):
        session.dispatch(intent)
    session.dispatch(strike("thug", "ansa"))
    play(session, 12)
    session.dispatch(Undo())
    return list(export_fight(session.journal, session.model.fight))


def test_a_line_for_the_fight_and_one_for_each_step(lines: list[bytes]) -> None:
    """Each line is JSON of its own."""
    kinds = [json.loads(line)["line"] for line in lines]

    assert kinds == ["fight", "step", "step", "step", "step", "step", "step"]


def test_there_and_back_is_the_same_byte_for_byte(session: Session, lines: list[bytes]) -> None:
    """What was imported exports as it came, under an id of its own."""
    fight = import_fight(session.journal, lines)

    assert fight == "the-duel-at-dawn-2"
    assert list(export_fight(session.journal, fight)) == lines


def test_an_imported_fight_goes_on(session: Session, lines: list[bytes]) -> None:
    """It stands where the exported one stood: pending step, redo and branches included."""
    with Session.resume(session.journal, import_fight(session.journal, lines), find) as copy:
        assert place(copy.model) == place(session.model)
        assert copy.branches() == session.branches()
        assert place(copy.dispatch(Redo())) == place(session.dispatch(Redo()))
        assert comparable(copy.dispatch(roll_of(3))).state == session.dispatch(roll_of(3)).state


def test_the_list_shows_an_imported_fight(session: Session, lines: list[bytes]) -> None:
    """Round, who is up and what is asked come with the file."""
    fight = import_fight(session.journal, lines)

    first, second = sorted(session.journal.fights(), key=lambda summary: len(summary.id))
    assert second.id == fight
    assert (second.round, second.up, second.steps, second.pending) == (
        first.round,
        first.up,
        first.steps,
        first.pending,
    )


def cut(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], *lines[3:]]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda lines: [], "line 1"),
        (lambda lines: lines[1:], "not that of a fight"),
        (lambda lines: [lines[0], b"{", *lines[1:]], "line 2"),
        (lambda lines: [lines[0], b"\xff\xfe", *lines[1:]], "line 2"),
        (cut, "line 3: step 3 does not follow"),
        (lambda lines: [*lines, lines[1]], "does not follow"),
        (lambda lines: [*lines, lines[0]], "second fight"),
        (lambda lines: [lines[0].replace(b'"format":3', b'"format":9'), *lines[1:]], "newer version"),
        (lambda lines: lines[:1], "missing"),
    ],
)
def test_a_bad_file_is_refused(
    session: Session, lines: list[bytes], spoil: Callable[[list[bytes]], list[bytes]], words: str
) -> None:
    """The line that is wrong is named, and nothing is written."""
    with pytest.raises(BadData, match=words):
        import_fight(session.journal, spoil(lines))

    assert len(session.journal.fights()) == 1


def test_a_fight_that_is_not_there(journal: Journal) -> None:
    """An unknown id raises."""
    with pytest.raises(TrackerError, match="no fight"):
        list(export_fight(journal, "nobody"))
