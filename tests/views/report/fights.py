"""Whole fights as the story needs them: by the games' own policy, and at random, of every game there is."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from unittest import mock

from msgspec import Struct

from tests.golden.cases import cases, made_up_games, words_of
from tests.properties.games import GAMES, build
from tracker.cli.main import main
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Outcome, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Request
from tracker.forecast import playout
from tracker.session.report import played_in
from tracker.session.rulesets import registry
from tracker.session.session import Session
from tracker.session.store.journal import Journal
from tracker.testing import random_play
from tracker.views.report.record import FightRecord
from tracker.views.report.recorder import record_of
from tracker.views.report.turning_points import Played

GOLDEN = {case.name: case for case in cases()}
STEPS = 60
"""How many steps a fight at random has."""


class Fight(Struct, frozen=True):
    """A fight and every step of it, with the state after each."""

    ruleset: Ruleset
    steps: tuple[Played, ...]
    states: tuple[State, ...]

    @property
    def record(self) -> FightRecord:
        entries = [step.entries for step in self.steps]
        return record_of(self.ruleset, entries, lambda number: (self.steps[number].before, self.states[number]))


@contextlib.contextmanager
def golden(folder: Path, name: str) -> Iterator[Session]:
    """Play a golden fight into a journal and open it."""
    path = folder / "fights.db"
    with made_up_games():
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*words_of(GOLDEN[name]), "--db", str(path)]) == 0
        with (
            Journal.open(path, read_only=True) as journal,
            Session.resume(journal, journal.fights()[0].id, registry.find) as session,
        ):
            yield session


def golden_fight(folder: Path, name: str) -> Fight:
    with golden(folder, name) as session:
        steps = [played_in(session, number) for number in range(len(session.model.steps))]
        states = [session.state_at(record.seq) for record in session.model.steps]
        return Fight(session.ruleset, tuple(steps), tuple(states))


@contextlib.contextmanager
def watched() -> Iterator[tuple[list[tuple[Played, State]], Callable[..., Outcome]]]:
    """Keep every step that is played meanwhile, with the state after it; plays a step itself too."""
    found: list[tuple[Played, State]] = []

    def play(game: Ruleset, state: State, step: Step, answers: Answers = (), *more: object, **how: bool) -> Outcome:
        outcome = run(game, state, step, answers, *more, **how)  # type: ignore[arg-type]  # handed on as it came
        if isinstance(outcome, Done):
            found.append((Played(state, step, outcome.answers, outcome.entries), outcome.state))
        return outcome

    with mock.patch.object(playout, "run", play):
        yield found, play


def by_policy(name: str, seed: int) -> Fight:
    """Play a fight to its end by each side's tactics."""
    ruleset, encounter = build(name)
    with watched() as (found, play):
        end = playout.play(ruleset, playout.opened(ruleset, encounter, seed), seed)
        if not end.state.clock.over:
            play(ruleset, end.state, Step("do", (Action("end_fight"),)))
    return Fight(ruleset, tuple(step for step, _ in found), tuple(state for _, state in found))


def by_hand(name: str, *actions: Action) -> Fight:
    """Open a fight and do in it what the GM does by hand."""
    ruleset, encounter = build(name)
    with watched() as (found, play):
        state = playout.opened(ruleset, encounter, 1)
        for action in actions:
            outcome = play(ruleset, state, Step("do", (action,)))
            assert isinstance(outcome, Done), (action, outcome)
            state = outcome.state
    return Fight(ruleset, tuple(step for step, _ in found), tuple(state for _, state in found))


def at_random(name: str, seed: int) -> Fight:
    """Play some steps of a fight: what is offered, what the GM may do, and the next stops, at random."""
    ruleset, encounter = build(name)
    chance, state, found = Random(f"{name} {seed}"), State(), list[tuple[Played, State]]()

    def answer(request: Request) -> random_play.Answer:
        return random_play.answer(chance, ruleset, encounter, state, request)

    step = Step("start", encounter=encounter)
    for _ in range(STEPS):
        outcome = run(ruleset, state, step, (), answer)
        if isinstance(outcome, Done):
            found.append((Played(state, step, outcome.answers, outcome.entries), outcome.state))
            state = outcome.state
        if state.clock.over or not found:
            break
        step = _random_step(chance, ruleset, state, name)
    return Fight(ruleset, tuple(step for step, _ in found), tuple(state for _, state in found))


def _random_step(chance: Random, ruleset: Ruleset, state: State, name: str) -> Step:
    if chance.random() < 0.3:
        return Step("advance")
    people = [one.id for one in state.combatants]
    acting = state.clock.current.members if state.clock.current else ()
    specs = ruleset.actions(state, chance.choice([*acting, *acting, *people, None]))
    specs = tuple(spec for spec in specs if spec.refusal is None and spec.key not in ("end_fight", "next"))
    if not specs:
        return Step("advance")
    return Step("do", (random_play.filled(chance, ruleset, state, build(name)[1], chance.choice(specs)),))


def every_game() -> list[str]:
    return list(GAMES)
