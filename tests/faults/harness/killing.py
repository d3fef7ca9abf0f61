"""Killing a program at work, and looking at what it left.

A child plays a fight made up by numbers and reports each intent once `dispatch` has returned. The parent kills it,
opens the journal, and compares with a fight of its own that nobody kills. An intent may be on disk without having been
reported, never the other way round.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import select
import signal
import sqlite3
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.faults.harness.games import fight_of
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import codec_of
from tracker.core.run import Answers
from tracker.core.terms.actions import Action, action
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.errors import CorruptJournal
from tracker.core.terms.requests import ChoiceAnswer, DiceAnswer, Number, NumberAnswer, Roll
from tracker.session.intents import (
    Advance,
    Amend,
    Branch,
    Do,
    Intent,
    Interrupt,
    NameBranch,
    Redo,
    Reply,
    RollRest,
    Undo,
    WhatIf,
)
from tracker.session.model import Model, StepRecord
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.session.store.journal import Journal
from tracker.testing import random_play

__all__ = ["SETTINGS", "Game", "digest", "game", "killed", "play_and_kill", "sound"]

PATIENCE = 120.0
SETTINGS = Settings(
    clock=lambda: "2031-05-01T10:00:00+00:00",
    roller=lambda request: DiceAnswer(request.dice.minimum),
    step_seconds=60.0,
)


class Game(Struct, frozen=True):
    """A fight to be played, and who plays it."""

    ruleset: Ruleset
    encounter: Encounter
    intent_of: Callable[[int, Model], Intent]

    def find(self, key: str) -> Ruleset:
        return self.ruleset


def game(key: str, number: int = 0) -> Game:
    """Return the game of this name. The duel with its amendments and interruptions, or an installed ruleset."""
    if key == "duel":
        return Game(DUEL, duel(1000), duellist)
    ruleset, encounter = fight_of(key, number)
    return Game(
        ruleset, encounter, lambda number, model: random_play.intent_of(Random(number), ruleset, encounter, model)
    )


def answers_of(record: StepRecord) -> Answers:
    """The answers of a step. None where they are damaged."""
    try:
        return record.answers
    except CorruptJournal:
        return ()


def duellist(number: int, model: Model) -> Intent:
    """The intent of this number in a duel. Mostly what is asked, now and then there and back."""
    chance = Random(number)
    if chance.random() < 0.15:
        return chance.choice((Undo(), Undo(), Redo(), Branch(chance.choice(model.steps).seq if model.steps else 1)))
    if chance.random() < 0.06:
        naming = NameBranch(chance.randint(1, 9), f"way {number}")
        return chance.choice((WhatIf("begin"), WhatIf("begin"), WhatIf("drop"), WhatIf("keep"), naming))
    if model.pending is not None:
        request = model.pending.request
        if chance.random() < 0.1:
            return chance.choice((RollRest(), Interrupt(Action("wait", "bero"))))
        match request:
            case Roll():
                return Reply(DiceAnswer(chance.randint(request.dice.minimum, request.dice.maximum)))
            case Number():
                return Reply(NumberAnswer(3))
            case _ if chance.random() < 0.5:
                return Reply()
            case _:
                return Reply(ChoiceAnswer("poison" if request.key == "how" else "guard"))
    amendable = [
        (record.seq, key)
        for record in model.steps[-6:]
        for key, answer in answers_of(record)
        if isinstance(answer, DiceAnswer)
    ]
    if amendable and chance.random() < 0.15:
        seq, key = chance.choice(amendable)
        return Amend(seq, ((key, DiceAnswer(chance.randint(1, 6))),))
    attack = Do((action("attack", "ansa", target="thug"),), True)
    return chance.choice((Advance(), attack, Do((Action("scheme"),)), Do((Action("wait", "bero"),))))


def digest(ruleset: Ruleset, model: Model) -> str:
    """Everything a game master would miss.

    The state, the question that waits with its answers, each step, what can be undone and redone.
    """
    encode, pending = codec_of(ruleset.schema).encode, model.pending
    parts = [encode(model.state)]
    if pending is not None:
        parts.append(encode((pending.request, pending.answers, pending.entries)))
    for record in model.steps:
        parts += [*record.row.texts, str((record.seq, record.parent)).encode()]
    parts.append(str((model.head, model.can_undo, model.can_redo, model.waiting, model.trial)).encode())
    return hashlib.sha256(b"".join(parts)).hexdigest()


def sound(path: Path) -> str:
    """What SQLite says about the file itself: "ok"."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])


class Undisturbed:
    """The same fight in another journal, where nobody kills anything."""

    def __init__(self, path: Path, played: Game) -> None:
        self.journal, self.game = Journal.open(path), played
        self.journal._connection.execute("PRAGMA synchronous = OFF")
        self.session = Session.start(self.journal, played.ruleset, played.encounter, SETTINGS)
        self.number, self.digests = 0, {0: digest(played.ruleset, self.session.model)}

    def after(self, number: int) -> str:
        """The digest after so many intents, which are no fewer than were asked for before."""
        while self.number < number:
            self.number += 1
            self.session.dispatch(self.game.intent_of(self.number, self.session.model))
        if number not in self.digests:
            assert number == self.number, "that moment has passed"
            self.digests[number] = digest(self.game.ruleset, self.session.model)
        return self.digests[number]


def play(path: Path, fight: str, played: Game, number: int, out: int) -> None:
    """Play on behind the intent of this number until this process is killed."""
    session = Session.resume(Journal.open(path), fight, played.find, SETTINGS)
    while True:
        number += 1
        session.dispatch(played.intent_of(number, session.model))
        os.write(out, f"{number}\n".encode())


def killed(path: Path, fight: str, played: Game, number: int, delay: float, at_work: bool = False) -> int:
    """Let a child play on for so long and kill it.

    `at_work`: not before its first report, however slow the machine is. Return the number of the last intent it
    reported.
    """
    end, out = os.pipe()
    child = os.fork()
    if not child:
        try:
            play(path, fight, played, number, out)
        except BaseException:  # noqa: BLE001 - the test fails on it: the parent sees that the child has ended
            os.write(2, traceback.format_exc().encode())
        finally:
            os._exit(3)
    os.close(out)
    if at_work:
        select.select([end], [], [], PATIENCE)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), f"the child ended by itself with {status}"
    with os.fdopen(end, "rb") as reports:
        lines = reports.read().splitlines(keepends=True)
    whole = [int(line) for line in lines if line.endswith(b"\n")]
    return whole[-1] if whole else number


def play_and_kill(folder: Path, played: Game, kills: int, seed: int, longest: float = 0.05) -> int:
    """Kill so often, and return how many intents were played."""
    chance = Random(seed)
    path = folder / "killed" / "fights.db"
    calm = Undisturbed(folder / "calm" / "fights.db", played)
    with Journal.open(path) as journal, Session.start(journal, played.ruleset, played.encounter, SETTINGS) as session:
        fight = session.model.fight
    number = 0
    for kill in range(kills):
        calm.journal.backups.wait()  # no thread may be running when the process forks
        delay = chance.uniform(0.0, longest) * (6 if chance.random() < 0.1 else 1)
        reported = killed(path, fight, played, number, delay, at_work=kill % 2 == 1)
        with Journal.open(path) as journal, Session.resume(journal, fight, played.find, SETTINGS) as session:
            assert journal.notice == ""
            assert not session.model.read_only
            found = digest(played.ruleset, session.model)
        number = reported if found == calm.after(reported) else reported + 1
        assert found == calm.after(number), f"intent {reported} of seed {seed}"
    assert sound(path) == "ok"
    calm.session.close()
    calm.journal.close()
    return number
