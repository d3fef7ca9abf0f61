"""Random hands play every action in every state: what must hold whatever they do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulesets.worlds_without_number import RULESET
from tests.rules.worlds_without_number.fights import CAST, as_offered, filled, hand
from tracker.core import engine
from tracker.core.fight.events import Checked, Entry, PoolChanged
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import State
from tracker.core.game.schema import codec_of
from tracker.core.run import Done, Pending, Step, run
from tracker.core.terms.errors import Refusal

CODEC = codec_of(RULESET.schema)
PASSING = ("triggering", "simultaneous", "instant")


def brawl(chance: random.Random) -> State:
    """Open a fight of three sides with random switches."""
    house = {
        "trauma": chance.random() < 0.5,
        "ask_instants": chance.choice(["pcs", "all", "never"]),
        "companion": chance.random() < 0.8,
        "initiative": chance.choice(["side", "individual"]),
        "swarms_per_target": chance.choice(["one", "many"]),
        "death_rounds": chance.choice([1, 6]),
        "natural_attack": chance.random() < 0.5,
    }
    bero: dict[str, Any] = {
        "ref": "bero",
        "auto_initiative": chance.random() < 0.3,
        "immune_to_surprise": chance.random() < 0.5,
        "hp": 20,
    }
    veteran = {"ref": "veteran", "leader": True, "auto_initiative": chance.random() < 0.3, "atk": "+3 x2"}
    porter = {"ref": "raider", "kind": "monster", "id": "porter", "name": "Porter", "npc": True}
    sides = {
        "party": ["ansa", bero, "cadmon", porter],
        "foes": [
            {"ref": "raider", "count": 3, "hp": None},
            veteran,
            "brute",
            "hound",
            {"ref": "bero", "kind": "pc", "id": "traitor", "name": "Traitor"},
        ],
        "pack": ["hound"],
    }
    encounter = CAST.encounter({"house_rules": house, "setup": {"wait": chance.random() < 0.3}, "sides": sides})
    outcome = run(RULESET, State(), Step("start", encounter=encounter), (), hand(chance))
    assert isinstance(outcome, Done)
    return outcome.state


def something(chance: random.Random, state: State) -> Step:
    """Return a step: on to the next phase, or anything a combatant may try."""
    if chance.random() < 0.12:
        return Step("advance")
    slot = state.clock.current
    who = chance.choice([combatant.id for combatant in state.combatants])
    if slot is not None and slot.members and chance.random() < 0.6:
        who = chance.choice(slot.members)
    specs = RULESET.actions(state, None if chance.random() < 0.1 else who)
    legal = [spec for spec in specs if spec.refusal is None]
    return Step(
        "do",
        (filled(chance, chance.choice(legal if legal and chance.random() < 0.6 else specs)),),
        forced=chance.random() < 0.05,
    )


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_played_the_fight_stays_sound(seed: int) -> None:
    """Given random actions, history folds to the state and numbers are sums of their parts."""
    chance = random.Random(seed)
    state = brawl(chance)
    played = 0
    for _ in range(120):
        outcome = run(RULESET, state, something(chance, state), (), hand(chance))
        if isinstance(outcome, Refusal):
            continue
        assert isinstance(outcome, Done)
        assert fold_all(state, outcome.entries) == outcome.state
        for entry in outcome.entries:
            check_entry(entry)
        state, played = outcome.state, played + 1
        check_state(state)
        if state.clock.over:
            break
    assert played
    assert CODEC.decode(CODEC.encode(state), State) == state


def check_entry(entry: Entry) -> None:
    """Hold what every event must be."""
    assert CODEC.decode(CODEC.encode(entry), Entry) == entry
    assert all(RULESET.rulebook.find(rule) for rule in entry.rules), entry
    event = entry.event
    if isinstance(event, Checked):
        assert sum(part.amount for part in event.parts) == event.total
        assert not event.against_parts or sum(part.amount for part in event.against_parts) == event.against
    if isinstance(event, PoolChanged) and event.parts and event.now > 0:
        assert max(0, sum(part.amount for part in event.parts)) == event.was - event.now


def check_state(state: State) -> None:
    """Hold what every state must be."""
    for combatant in state.combatants:
        assert combatant.status != "up" or combatant.hp > 0, combatant
        assert combatant.status == "up" or not combatant.left("main"), combatant
        assert not any(combatant.fact(key) for key in PASSING), combatant
        for effect in combatant.effects:
            if effect.name == "grappled":
                assert state[str(effect.source)].has("grappling")
            if effect.name == "grappling":
                assert any(other.has("grappled") for other in state.combatants if other.id != combatant.id)
        for name in RULESET.schema.derived:
            derived = RULESET.derived(state, combatant.id, name)
            assert not derived.parts or sum(part.amount for part in derived.parts) == derived.value
    assert state.fact("fight", "interrupted") is None


@pytest.mark.parametrize("seed", range(4))
def test_what_is_offered_is_accepted_and_what_is_refused_is_refused(seed: int) -> None:
    """Given random states, each offer is accepted as it stands, each refusal keeps its rule."""
    chance = random.Random(100 + seed)
    state = brawl(chance)
    compared = 0
    for _ in range(50):
        who = chance.choice([combatant.id for combatant in state.combatants])
        for spec in engine.offers(RULESET, state, who):
            outcome = run(RULESET, state, Step("do", (as_offered(spec),)))
            if spec.refusal is not None:
                assert isinstance(outcome, Refusal), spec.key
            elif all(field.default is not None or not field.required for field in spec.fields):
                assert isinstance(outcome, Done | Pending), (spec.key, outcome)
                compared += 1
        outcome = run(RULESET, state, something(chance, state), (), hand(chance))
        state = outcome.state if isinstance(outcome, Done) and not outcome.state.clock.over else state
    assert compared > 100
