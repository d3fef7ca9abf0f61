"""The story says nothing that did not happen, and leaves out nothing that must be told."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.support.shares import every
from tests.views.report.fights import GOLDEN, Fight, at_random, by_policy, every_game, golden_fight
from tests.views.report.truth import lies
from tracker.views.report import story as stories
from tracker.views.report.folding import Unit, units_of
from tracker.views.report.names import Names
from tracker.views.report.record import Act, Milestone
from tracker.views.report.recorder import Recorder
from tracker.views.report.sentences import Clauses, Sum

LENGTHS = pytest.mark.parametrize("full", [False, True], ids=["short", "long"])
MANY = 10


@cache
def fight_of(name: str, seed: int, way: Callable[[str, int], Fight]) -> Fight:
    return way(name, seed)


@LENGTHS
@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_fights_are_told_truly(tmp_path: Path, name: str, full: bool) -> None:
    """Each number is the sum of its events; each fall, arrival, flight, power and rescue is told once."""
    assert lies(golden_fight(tmp_path, name), full) == []


@pytest.mark.parametrize(
    ("name", "way", "full"), every(5, product(every_game(), (by_policy, at_random), (False, True)))
)
def test_every_game_is_told_truly(name: str, way: Callable[[str, int], Fight], full: bool) -> None:
    """The same for fights of every game by policy and at random."""
    assert lies(fight_of(name, 1, way), full) == []


@pytest.mark.long
@LENGTHS
@pytest.mark.parametrize("way", [by_policy, at_random], ids=["policy", "random"])
@pytest.mark.parametrize("name", every_game())
def test_many_fights_are_told_truly(name: str, way: Callable[[str, int], Fight], full: bool) -> None:
    """The same of ten fights of each kind of every game."""
    assert [lie for seed in range(2, 2 + MANY) for lie in lies(way(name, seed), full)] == []


def _first_change(act: Act, who: str) -> object:
    return next((change for change in act.changes if change.who == who), None)


def _credited(recorder: Recorder, source: str | None, who: str) -> Act | None:
    return recorder.open[-1] if recorder.open else None


def _rolled(act: Act, who: str) -> bool:
    return who in act.first and not act.first[who].missed


def _wrong(real: Callable[..., str]) -> Callable[..., str]:
    def amount(clauses: Clauses, harms: Any) -> str:
        words = real(clauses, harms)
        clauses.sums = [Sum(one.number + 1, one.refs, one.kind, one.mark) for one in clauses.sums]
        return words

    return amount


def _twice(real: Callable[..., None]) -> Callable[..., None]:
    def add(writer: Any, words: str, kind: str, *more: Any, **named: Any) -> None:
        for _ in range(2 if kind == "fell" else 1):
            real(writer, words, kind, *more, **named)

    return add


def _without_arrivals(real: Callable[..., None]) -> Callable[..., None]:
    def write(writer: Any, item: Milestone) -> None:
        if item.kind != "joined":
            real(writer, item)

    return write


def _nothing(writer: Any, acts: Any) -> None:
    """Write nothing."""


def _light(writer: Any, act: Act) -> float:
    return 0.1


def _of_others(real: Callable[..., str]) -> Callable[..., str]:
    def plain(names: Any, who: str) -> str:
        people = list(names.people)
        return real(names, people[(people.index(who) + 1) % len(people)])

    return plain


def _forgetful(real: Callable[..., list[Unit]]) -> Callable[..., list[Unit]]:
    def units(*given: Any) -> list[Unit]:
        found = real(*given)
        for unit in found:
            del unit.items[1:]
        return found

    return units


LIES: dict[str, tuple[object, str, object]] = {
    "flights are missing": (stories._Writer, "_write_flights", _nothing),
    "powers may be left out": (stories._Writer, "_exchange_weight", _light),
    "another is named": (Names, "plain", _of_others(Names.plain)),
    "a sentence of several forgets the others": (stories, "units_of", _forgetful(units_of)),
    "the first status of an action": (Act, "change", _first_change),
    "bleeding is the actor's": (Recorder, "_act_of", _credited),
    "what was rolled first": (Act, "hurt", _rolled),
    "a hit without harm is a miss": (Act, "landed", False),
    "falls may be left out": (stories, "FALLEN", 0.1),
    "falls are told twice": (stories._Writer, "_add", _twice(stories._Writer._add)),
    "sums are wrong by one": (Clauses, "amount", _wrong(Clauses.amount)),
    "arrivals are missing": (
        stories._Writer,
        "_write_milestone",
        _without_arrivals(stories._Writer._write_milestone),
    ),
}
SEEN = (
    ("worlds_without_number/bandit_lord", 1),
    ("worlds_without_number/bandit_lord", 2),
    ("worlds_without_number/first_fight", 2),
    ("spelljammer/deck_ambush", 2),
    ("sword_world/two_brawls", 2),
    ("sovereign/night_road", 2),
    ("sovereign/gate_brawl", 1),
)


def test_every_lie_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A story that is made to lie does not pass."""
    fights = [fight_of(name, seed, by_policy) for name, seed in SEEN]
    for lie, (owner, name, lying) in LIES.items():
        with monkeypatch.context() as patched:
            patched.setattr(owner, name, lying)
            assert any(lies(fight, full=False) for fight in fights), lie
