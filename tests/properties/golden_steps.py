"""The steps of the golden fights, each with the state it was made in and its answers."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from tests.golden.cases import cases, made_up_games
from tracker.cli.commands.run import session_opener
from tracker.cli.loading import load, member_loader, playable
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Outcome, Pending, Step, run
from tracker.core.terms.encounter import Encounter
from tracker.core.terms.requests import Answer
from tracker.forecast import playout
from tracker.library.guard import unwrapped
from tracker.script.player import Player
from tracker.script.reader import read_script
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing.table import plain

GOLDEN = {case.name: case for case in cases()}


class Played(NamedTuple):
    """A step of a golden fight."""

    number: int
    before: State
    step: Step
    answers: Answers


def playout_steps(game: Ruleset, fight: Encounter, seed: int) -> tuple[Played, ...]:
    """Play a fight to its end by the game's own choices; return its steps in order."""
    steps = list[Played]()

    def kept(ruleset: Ruleset, state: State, step: Step, *how: Any, **named: Any) -> Outcome:
        outcome = run(ruleset, state, step, *how, **named)
        if isinstance(outcome, Done):
            steps.append(Played(len(steps), state, step, outcome.answers))
        return outcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playout, "run", kept)
        playout.play(game, playout.opened(game, fight, seed), seed)
    return tuple(steps)


@cache
def golden(name: str) -> tuple[Ruleset, tuple[Played, ...]]:
    """Play a golden fight; return its ruleset, and its steps in order."""
    case = GOLDEN[name]
    with made_up_games(), TemporaryDirectory() as folder:
        loaded = load(str(case.folder / "encounter.yaml"), ())
        encounter, ruleset = playable(loaded)
        seed = case.folder / "seed"
        number = int(seed.read_text(encoding="utf-8")) if seed.exists() else None
        with Journal.open(Path(folder) / "fights.db") as journal:
            begin = session_opener(journal, ruleset, encounter, path=case.folder / "encounter.yaml", seed=number)
            player = Player(ruleset, begin, rolls=number is not None, enlist=member_loader(ruleset, loaded.library))
            assert all(result.ok for result in player.play(read_script(case.folder / "script.yaml")))
            records = [(record.seq, record.step, record.answers) for record in player.model.steps]
            player.close()
    game, state, played = unwrapped(ruleset), State(), list[Played]()
    for seq, step, answers in records:
        if step.kind == "start" and step.encounter is None:
            step = Step("start", encounter=encounter)
        played.append(Played(seq, state, step, answers))
        outcome = run(game, state, step, answers)
        assert isinstance(outcome, Done)
        state = outcome.state
    return game, tuple(played)


def golden_session(name: str, folder: Path) -> Session:
    """Play a golden fight, and return its session, which stays open."""
    case, seed = GOLDEN[name], GOLDEN[name].folder / "seed"
    loaded = load(str(case.folder / "encounter.yaml"), ())
    encounter, ruleset = playable(loaded)
    number = int(seed.read_text(encoding="utf-8")) if seed.exists() else None
    journal = Journal.open(folder / "fights.db")
    begin = session_opener(journal, ruleset, encounter, path=case.folder / "encounter.yaml", seed=number)
    sessions = list[Session]()

    def begun() -> Session:
        sessions.append(begin())
        return sessions[0]

    player = Player(ruleset, begun, rolls=number is not None, enlist=member_loader(ruleset, loaded.library))
    assert all(result.ok for result in player.play(read_script(case.folder / "script.yaml")))
    return sessions[0]


def requests(game: Ruleset, played: Played) -> list[Pending]:
    """Return every request of a step, in order, with the answers before it."""
    found = list[Pending]()
    kept: dict[str, Answer] = dict(played.answers)
    given: Answers = ()
    while True:
        outcome = run(game, played.before, played.step, given)
        if not isinstance(outcome, Pending):
            return found
        found.append(outcome)
        key = outcome.request.key
        given = (*outcome.answers, (key, kept.get(key) or plain(outcome.request)))
