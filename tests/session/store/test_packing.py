"""Packed texts: steps are small in the journal.

What cannot be unpacked costs no other text.
"""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.conftest import again, do, find, play, strike
from tests.session.duel import DUEL
from tests.support.shares import tries
from tracker.core.terms.errors import CorruptJournal
from tracker.session import packing
from tracker.session.packing import DAMAGED, MARK, WORDS, pack, unpack
from tracker.session.session import Session
from tracker.session.store import schema
from tracker.session.store.exchange import export_fight
from tracker.session.store.journal import Journal

TEXTS = ("step", "answers", "entries")


@tries(30)
@given(st.binary(max_size=400).filter(lambda text: text[:1] != MARK), st.integers(0, 400))
def test_there_and_back(text: bytes, at: int) -> None:
    """Any text that begins as no packed one.

    Of a damaged one nothing wrong comes back.
    """
    packed = pack(text)

    assert unpack(packed) == text
    assert len(packed) <= len(text)
    if packed != text:
        at %= len(packed)
        spoilt = packed[:at] + bytes((packed[at] ^ 1,)) + packed[at + 1 :]
        assert unpack(spoilt) in (DAMAGED, spoilt, text)
        assert unpack(packed[:-1]) == DAMAGED


def test_the_words_stay_as_they_are() -> None:
    """Journals are packed with them: others are a new format."""
    assert (len(WORDS), zlib.adler32(WORDS), schema.FORMAT) == (2845, 3426195690, 4)


def test_a_little_that_unpacks_to_much_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST", 10_000)

    assert unpack(zlib.compress(b" " * 10_001)) == DAMAGED
    assert unpack(pack(b" " * 10_000)) == b" " * 10_000
    assert pack(b" " * 10_001) == b" " * 10_001


def rows(path: Path) -> list[tuple[bytes, ...]]:
    connection = sqlite3.connect(path)
    found = connection.execute(f"SELECT {', '.join(TEXTS)} FROM step ORDER BY key").fetchall()
    connection.close()
    return found


def test_a_step_takes_a_third_of_its_text(session: Session) -> None:
    for _ in range(6):
        session.dispatch(do("wait", "bero"))
    session.close()
    stored = rows(session.journal.path)

    assert [tuple(map(unpack, row)) for row in stored] == [record.row.texts for record in session.model.steps]
    assert 3 * sum(len(b"".join(row)) for row in stored) < sum(len(b"".join(map(unpack, row))) for row in stored)


def test_a_journal_whose_texts_are_plain_is_played_on(session: Session) -> None:
    """What an older version wrote stays as it is.

    What comes new is packed, and an export tells no difference.
    """
    session.dispatch(strike())
    play(session, 15, 2)
    lines = tuple(export_fight(session.journal, session.model.fight))
    session.close()
    path = session.journal.path
    connection = sqlite3.connect(path)
    for key, *texts in connection.execute("SELECT key, step, answers, entries FROM step").fetchall():
        connection.execute(
            "UPDATE step SET step = ?, answers = ?, entries = ? WHERE key = ?", (*map(unpack, texts), key)
        )
    connection.execute("DELETE FROM state")
    connection.commit()
    connection.execute("PRAGMA user_version = 3")
    connection.close()
    plain = rows(path)

    with Journal.open(path) as journal, Session.resume(journal, session.model.fight, find) as resumed:
        assert (resumed.model.state, resumed.model.steps) == (session.model.state, session.model.steps)
        assert tuple(export_fight(journal, resumed.model.fight)) == lines
        resumed.dispatch(do("wait", "bero"))
    assert rows(path)[: len(plain)] == plain
    assert all(text[:1] != MARK for row in plain for text in row)
    assert rows(path)[-1][2][:1] == MARK


@pytest.mark.parametrize("part", TEXTS)
def test_a_packed_text_that_is_damaged(session: Session, part: str) -> None:
    """The step's other texts can be read, and those of other steps."""
    for _ in range(4):
        session.dispatch(do("wait", "bero"))
    session.close()
    connection = sqlite3.connect(session.journal.path)
    connection.execute(f"UPDATE step SET {part} = ? WHERE key & 4294967295 = 3", (zlib.compress(b"[]")[:-2],))
    connection.commit()
    connection.close()
    resumed = again(session, DUEL)

    record, before = (resumed._runner.history.records[seq] for seq in (3, 2))
    for name in TEXTS:
        if name == part != "entries":
            with pytest.raises(CorruptJournal, match="step 3 is damaged"):
                getattr(record, name)
        elif name == part:
            assert "damaged" in str(record.entries)
        else:
            assert getattr(record, name) is not None
    assert before.entries
    assert resumed.model.head == (2 if part == "entries" else session.model.head)
