"""Nothing is paid for and not applied: an answer to a window has one effect, by whatever way it comes in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tests.properties.golden_steps import GOLDEN, Played, golden, requests
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.step.ctx import Interruption
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, Passed, Request, Responded, Window
from tracker.testing.lint import whole
from tracker.testing.table import plain

EARLY = ("snap_attack",)
"""Attacks of their own, which answer no roll."""
MADE_UP = "skirmish/brawl"
"""The fight of the tests' game, which judges a roll in its window only."""


def state_of(ruleset: Ruleset, played: Played, step: Step, answers: Answers) -> State | None:
    """Return the state after a step, None where it is refused."""
    outcome = run(ruleset, played.before, step, answers, plain)
    return outcome.state if isinstance(outcome, Done) else None


def answered(ruleset: Ruleset, played: Played) -> Iterator[tuple[Pending, Window, Action]]:
    """Yield each window of a step with each action that answers it as it is offered."""
    for pending in requests(ruleset, played):
        window = pending.request
        if isinstance(window, Window):
            for spec in window.offers:
                if spec.refusal is None and whole(spec, dict(spec.fixed), pending.state):
                    yield pending, window, Action(spec.key, spec.by).put(**dict(spec.fixed))


def later(ruleset: Ruleset, played: Played, pending: Pending) -> Iterator[tuple[Request, Answers]]:
    """Yield the requests that follow a window nobody answers, with the answers before each."""
    answers: Answers = (*pending.answers, (pending.request.key, Passed()))
    while isinstance(outcome := run(ruleset, played.before, played.step, answers), Pending):
        yield outcome.request, outcome.answers
        answers = (*outcome.answers, (outcome.request.key, plain(outcome.request)))


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_an_answer_has_one_effect_by_every_way(name: str) -> None:
    """Given in its window, from a source, or put before the window by the GM, it leads to the same state."""
    ruleset, fight = golden(name)
    for played in fight:
        for pending, window, action in answered(ruleset, played):
            given = state_of(ruleset, played, played.step, (*pending.answers, (window.key, Responded((action,)))))

            def source(request: Request, key: str = window.key, action: Action = action) -> Answer:
                return Responded((action,)) if request.key == key else plain(request)

            asked = run(ruleset, played.before, played.step, pending.answers, source)
            before = replace(played.step, interrupts=(*played.step.interrupts, Interruption(window.key, action)))

            assert isinstance(asked, Done), (played.number, window.key, action)
            assert given == asked.state == state_of(ruleset, played, before, pending.answers), (played.number, action)


@pytest.mark.parametrize("name", sorted(set(GOLDEN) - {MADE_UP}))
def test_an_answer_that_comes_late_counts_or_costs_nothing(name: str) -> None:
    """Put by the GM before a question behind its window, it changes the result as in the window, or is refused."""
    ruleset, fight = golden(name)
    for played in fight:
        for pending, window, action in answered(ruleset, played):
            if action.key in EARLY:
                continue
            given = state_of(ruleset, played, played.step, (*pending.answers, (window.key, Responded((action,)))))
            for request, answers in later(ruleset, played, pending):
                put = replace(played.step, interrupts=(*played.step.interrupts, Interruption(request.key, action)))
                late = state_of(ruleset, played, put, answers)

                assert late in (None, given), (played.number, window.key, action, request.key)
