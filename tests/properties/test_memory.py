"""What is remembered, and what is left out because nobody would notice, changes nothing.

Every measure is switched off, and each step made again: the events and the state must be the same. There are two
switches: `forgetting` (no memory, and conclusions drawn of everybody), and a source that lets no window pass unseen.
"""

from __future__ import annotations

import random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.forecast.test_playing import BUNDLED, GAMES, encounter
from tests.golden.cases import Case, cases, play
from tracker.core.fight.memo import forgetting
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Outcome, Source, Step
from tracker.core.run import run as really
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Passed, Request
from tracker.core.terms.tactics import TACTICS, Tactics
from tracker.forecast import playing
from tracker.forecast.playing import Limits, opened

CASES = cases()


def heedless(source: Source) -> Source:
    """Return a source that looks at every window."""

    def answer(request: Request) -> object:
        return source(request)

    return answer  # type: ignore[return-value]  # the same answers


class Twin(Struct):
    """Makes every step twice, once without any measure."""

    steps: int = 0
    windows: int = 0

    def run(self, ruleset: Ruleset, state: State, step: Step, answers: Answers, source: Source) -> Outcome:
        one = really(ruleset, state, step, answers, source)
        given = one.answers if isinstance(one, Done) else answers
        with forgetting():
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
        with forgetting():
            assert ruleset.policy(replace(state), who, tactics) == chosen
        return chosen

    return replace(ruleset, policy=policy)


def fight(monkeypatch: pytest.MonkeyPatch, game: str, name: str, seed: int, limits: Limits = Limits()) -> Twin:  # noqa: B008 - a frozen Struct
    """Play a bundled fight with every step twice."""
    twin = Twin()
    start = opened(GAMES[game], encounter(game, name), seed)
    monkeypatch.setattr(playing, "run", twin.run)
    tactics = {side.id: random.Random(seed).choice(TACTICS) for side in start.sides}
    playing.play(minded(GAMES[game]), start, seed, tactics, limits)
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


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_golden_fights_are_the_same_without_memory(case: Case) -> None:
    """Given a golden fight without any memory, every line is what was kept."""
    with forgetting():
        output = play(case)

    assert output.out == case.expected
