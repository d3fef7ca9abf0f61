"""Windows nobody is asked about: no answer in one could have changed what was answered."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from tracker.core.engine import offers
from tracker.core.fight.events import Entry, PoolChanged, StatusChanged
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Responded, Roll, Window
from tracker.library.content.encounters import load_encounter
from tracker.library.guard import unwrapped
from tracker.session.rulesets import registry
from tracker.testing.random_play import filled

ENCOUNTERS = Path(__file__).parents[2] / "encounters"
FIGHTS = (
    "sovereign/first_fight",
    "sovereign/gate_brawl",
    "worlds_without_number/first_fight",
    "worlds_without_number/bandit_lord",
)
FLOORS = ("listed_shock", "applicable_shock")
GMS_OWN = ("hit_mod", "damage_mod")
"""What a GM adds to a form as the situation has it."""
ATTACKS = ("attack", "strike", "charge", "shove", "grapple")


Harm = list[tuple[str, str, object]]


class Met(NamedTuple):
    """A window of a step, with the answers given before it."""

    window: Window
    given: Answers


class Fight:
    """A fight played at random, whose dice follow from the request alone."""

    def __init__(self, name: str, seed: int, house: dict[str, object]) -> None:
        loaded = load_encounter(ENCOUNTERS / f"{name}.yaml", registry.find)
        assert loaded.encounter is not None
        self.ruleset: Ruleset = unwrapped(registry.find(loaded.encounter.ruleset))
        rules = loaded.encounter.house_rules
        switches = {key: value for key, value in house.items() if hasattr(rules, key)}
        self.encounter = replace(loaded.encounter, house_rules=replace(rules, **switches))
        self.chance, self.seed = Random(seed), seed
        opened = run(self.ruleset, State(), Step("start", encounter=self.encounter), (), self.answer)
        assert isinstance(opened, Done)
        self.state = opened.state

    def answer(self, request: Request) -> Answer | None:
        """Answer anything but a window."""
        if isinstance(request, Window):
            return None
        chance = Random(f"{self.seed} {request.key}")
        if isinstance(request, Roll):
            faces = tuple(chance.randint(1, sides) for sides in request.dice.sides)
            return DiceAnswer(sum(faces), faces)
        return request.sample(chance.randint)

    def best(self, below: str, request: Request) -> Answer | None:
        """Answer anything but a window, below a path with the best dice."""
        if isinstance(request, Roll) and request.key.startswith(below):
            return DiceAnswer(request.dice.maximum, request.dice.sides)
        return self.answer(request)

    def met(self, step: Step) -> tuple[list[Met], Done | None]:
        """Play a step in which every window is passed, and return the windows."""
        found: list[Met] = []
        outcome = run(self.ruleset, self.state, step, (), self.answer)
        while isinstance(outcome, Pending) and isinstance(outcome.request, Window):
            found.append(Met(outcome.request, outcome.answers))
            given = (*outcome.answers, (outcome.request.key, Passed()))
            outcome = run(self.ruleset, self.state, step, given, self.answer)
        return found, outcome if isinstance(outcome, Done) else None

    def response(self, spec: ActionSpec) -> Responded:
        """Return an answer to a window, its form filled in with what it offers."""
        action = filled(self.chance, self.ruleset, self.state, self.encounter, spec)
        kept = tuple(pair for pair in action.fields if pair[0] not in GMS_OWN)
        return Responded((Action(action.key, action.by, kept),))

    def something(self) -> Step:
        """Return an attack of one who can, or on to the next phase."""
        slot = self.state.clock.current
        people = [who for who in (slot.members if slot is not None else ()) if who in self.state]
        specs = [
            spec
            for who in people
            for spec in offers(self.ruleset, self.state, who)
            if spec.refusal is None and any(word in spec.key for word in ATTACKS)
        ]
        if not specs or self.chance.random() < 0.1:
            return Step("advance")
        spec = self.chance.choice(specs)
        return Step("do", (filled(self.chance, self.ruleset, self.state, self.encounter, spec),))


def harm_of(entries: tuple[Entry, ...], answered: list[tuple[int, int]]) -> Harm:
    """Return what a step did to combatants, but for what its answers did."""
    return [
        (event.who, event.pool, event.now - event.was)
        if isinstance(event, PoolChanged)
        else (event.who, "status", event.now)
        for place, event in enumerate(entry.event for entry in entries)
        if isinstance(event, PoolChanged | StatusChanged) and not any(start <= place < end for start, end in answered)
    ]


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the places of the events that answers to windows make."""
    places: list[tuple[int, int]] = []
    respond = Ctx._respond

    def kept(self: Ctx, key: str, answer: Responded) -> object:
        start = len(self.entries)
        try:
            return respond(self, key, answer)
        finally:
            places.append((start, len(self.entries)))

    monkeypatch.setattr(Ctx, "_respond", kept)
    return places


def elsewhere(spec: ActionSpec, met: list[Met], place: int) -> bool:
    """Each is tried with the best dice, and does not change the attack."""
    window = met[place].window
    for other, found in enumerate(met):
        same = (found.window.actor, found.window.target) == (window.actor, window.target)
        fits = [one for one in found.window.offers if (one.key, one.by) == (spec.key, spec.by)]
        if other != place and same and fits and (other > place or not fits[0].moot):
            return True
    return False


@pytest.mark.parametrize("name", FIGHTS[::2])
def test_no_answer_that_is_not_asked_for_could_have_changed_the_attack(
    name: str, answered: list[tuple[int, int]]
) -> None:
    """Each is tried with the best dice, and the attack does the same."""
    assert sum(try_all(name, seed=seed, steps=10, answered=answered) for seed in (1, 2)) > 0


@pytest.mark.long
@pytest.mark.parametrize("name", FIGHTS)
def test_no_answer_that_is_not_asked_for_ever_changes_an_attack(name: str, answered: list[tuple[int, int]]) -> None:
    """The same with the other house rules, in longer fights."""
    assert sum(try_all(name, seed=seed, steps=60, answered=answered) for seed in range(12)) > 20


def try_all(name: str, *, seed: int, steps: int, answered: list[tuple[int, int]]) -> int:
    """Play a fight, try every answer that is not asked for, and count them."""
    fight = Fight(name, seed, {"ask_instants": "all", "trauma": seed % 2 == 0, "hit_floor": FLOORS[seed % 2]})
    tried = 0
    for _ in range(steps):
        step = fight.something()
        met, done = fight.met(step)
        if done is None:
            continue
        plain = harm_of(done.entries, [])
        for place, (window, given) in enumerate(met):
            for spec in window.offers:
                if not spec.moot or spec.by is None or elsewhere(spec, met, place):
                    continue  # what the GM stops, the GM wants to stop
                found = tried_out(fight, step, (*given, (window.key, fight.response(spec))), window, plain, answered)
                if found is not None:
                    tried += 1
                    assert found == plain, f"{spec.key} by {spec.by} ({spec.moot}) at {window.why}"
        fight.state = done.state
        if fight.state.clock.over:
            break
    return tried


def tried_out(
    fight: Fight, step: Step, given: Answers, window: Window, plain: Harm, answered: list[tuple[int, int]]
) -> Harm | None:
    """Return what a step does to combatants with an answer in it.

    None where the answer is refused, or hurts one whom the step hurts too: it stepped in front of the attacker.
    """
    below, hurt = window.key, {window.target, *(who for who, _, _ in plain)}
    while True:
        answered.clear()
        outcome = run(fight.ruleset, fight.state, step, given, lambda request: fight.best(below, request))
        if isinstance(outcome, Done):
            caught = {who for start, end in answered for who, _, _ in harm_of(outcome.entries[start:end], [])}
            return None if caught & hurt else harm_of(outcome.entries, answered)
        if not isinstance(outcome, Pending):
            return None
        given = (*outcome.answers, (outcome.request.key, Passed()))
