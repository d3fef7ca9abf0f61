"""What is remembered, and what is left out because nobody would notice, changes nothing."""

from __future__ import annotations

import random
from functools import partial
from typing import Literal

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.forecast.test_playout import BUNDLED, GAMES, encounter
from tests.golden.cases import Case, cases, play
from tracker.core import run as stepping
from tracker.core.fight.cache import CACHE_KINDS, CacheKind, caches_disabled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Outcome, Source, Step
from tracker.core.run import run as really
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.core.terms.requests import Passed, Request
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast import playout
from tracker.forecast.playout import Limits, opened

CASES = cases()
SWITCHES: tuple[CacheKind | Literal["windows"], ...] = (*CACHE_KINDS, "windows")


def heedless(source: Source) -> Source:
    """Return a source that looks at every window."""

    def answer(request: Request) -> object:
        return source(request)

    return answer  # type: ignore[return-value]  # the same answers


class Twin(Struct):
    """Makes every step twice, once without any measure."""

    steps: int = 0
    windows: int = 0

    def run(
        self, ruleset: Ruleset, state: State, step: Step, answers: Answers, source: Source, *, unread: bool
    ) -> Outcome:
        one = really(ruleset, state, step, answers, source, unread=unread)
        given = one.answers if isinstance(one, Done) else answers
        with caches_disabled():
            other = really(ruleset, replace(state), step, given, heedless(source))
        self.steps += 1
        if not (isinstance(one, Done) and isinstance(other, Done)):
            assert one == other
            return one
        assert other.entries == one.entries
        assert other.state == one.state
        more = [answer for key, answer in other.answers if key not in dict(one.answers)]
        assert all(answer == Passed() for answer in more)
        self.windows += len(more)
        return one


def minded(ruleset: Ruleset) -> Ruleset:
    """Return a game whose policy chooses twice, once without memory."""

    def policy(state: State, who: Id, tactics: Tactics) -> Action | None:
        chosen = ruleset.policy(state, who, tactics)
        with caches_disabled():
            assert ruleset.policy(replace(state), who, tactics) == chosen
        return chosen

    return replace(ruleset, policy=policy)


def fight(monkeypatch: pytest.MonkeyPatch, game: str, name: str, seed: int, limits: Limits = Limits()) -> Twin:  # noqa: B008 - a frozen Struct
    """Play a bundled fight with every step twice."""
    twin = Twin()
    start = opened(GAMES[game], encounter(game, name), seed)
    monkeypatch.setattr(playout, "run", twin.run)
    tactics = {side.id: random.Random(seed).choice(TACTICS) for side in start.sides}
    playout.play(minded(GAMES[game]), start, seed, tactics, limits)
    return twin


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_fight_is_the_same_without_measures(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    """Given the first steps of a fight, each gives the same result without measures."""
    name = next(name for key, name in BUNDLED if key == game)

    assert fight(monkeypatch, game, name, 4, Limits(steps=24)).steps > 20


@pytest.mark.long
@pytest.mark.parametrize(("game", "name"), BUNDLED)
def test_every_fight_is_the_same_without_measures(monkeypatch: pytest.MonkeyPatch, game: str, name: str) -> None:
    """Given whole fights, each step gives the same result without measures."""
    for seed in range(6):
        with monkeypatch.context() as patched:
            fight(patched, game, name, seed)


class Pair(Struct):
    """Makes each step of a golden fight again without one measure."""

    measure: CacheKind | Literal["windows"]
    steps: int = 0

    def run(
        self, ruleset: Ruleset, state: State, step: Step, answers: Answers = (), source: Source | None = None
    ) -> Outcome:
        one = really(ruleset, state, step, answers, source)
        self.steps += 1
        if self.measure != "windows":
            given = answers if isinstance(one, Refusal) else one.answers
            with caches_disabled(self.measure):
                assert really(ruleset, replace(state), step, given) == replace_unused(one)
        elif not isinstance(one, Refusal) and not answers:
            by_chance = partial(playout._Player, ruleset, state, tactics={}, limits=Limits())
            hasty = really(ruleset, state, step, (), by_chance(seed=str(self.steps)))
            assert isinstance(hasty, Done)
            slow = really(ruleset, state, step, hasty.answers, heedless(by_chance(seed=str(self.steps))))
            assert isinstance(slow, Done)
            assert (slow.entries, slow.state) == (hasty.entries, hasty.state)
        return one


def replace_unused(outcome: Outcome) -> Outcome:
    """Return an outcome as it is where every answer given was asked for."""
    return replace(outcome, unused=()) if isinstance(outcome, Done) else outcome


def golden(monkeypatch: pytest.MonkeyPatch, case: Case, measure: CacheKind | Literal["windows"]) -> None:
    pair = Pair(measure)
    monkeypatch.setattr(stepping, "run", pair.run)

    assert play(case).out == case.expected
    assert pair.steps > 20


TELLING: dict[CacheKind | Literal["windows"], str] = {
    "settled": "spelljammer",
    "state": "sovereign",
    "part": "spelljammer",
    "object": "sovereign",
    "windows": "worlds_without_number",
}
"""The game that has most of a measure."""


@pytest.mark.parametrize("measure", SWITCHES)
def test_a_golden_fight_is_the_same_without_a_measure(
    monkeypatch: pytest.MonkeyPatch, measure: CacheKind | Literal["windows"]
) -> None:
    """Given a golden fight, each step gives the same result without one of the measures."""
    golden(monkeypatch, next(case for case in CASES if case.name.startswith(TELLING[measure])), measure)


@pytest.mark.long
@pytest.mark.parametrize("measure", SWITCHES)
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_golden_fights_are_the_same_without_each_measure(
    monkeypatch: pytest.MonkeyPatch, case: Case, measure: CacheKind | Literal["windows"]
) -> None:
    """Given each golden fight, each step gives the same result without each measure."""
    golden(monkeypatch, case, measure)
