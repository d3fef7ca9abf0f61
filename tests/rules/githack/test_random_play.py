"""Random hands play every action in every state: what must hold whatever they do."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stats import stats
from tests.rules.test_vectors import BOOKS
from tests.rules.worlds_without_number.fights import filled, hand
from tests.support.shares import every
from tests.support.tables import table
from tracker.core import engine
from tracker.core.fight.fold import fold_all
from tracker.core.fight.state import State
from tracker.core.run import Done, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal

CAST = BOOKS["githack"]
FOES: tuple[Any, ...] = (
    "goblin",
    "ghoul",
    "dragon",
    "jelly",
    "serpent",
    "scorpion",
    "wraith",
    "witch",
    "seer",
    "reaper",
    "ogre",
    "warder",
    "spark",
)
SWITCHES: dict[str, tuple[Any, ...]] = table(__file__, "switches", tuples=True)


def opened(chance: random.Random) -> State:
    house = {name: chance.choice(values) for name, values in SWITCHES.items()}
    party = [
        {"ref": ref, "angst": chance.randint(0, 8), "harm": chance.choice(["", "//x", "*x/x/", "////////"])}
        for ref in ("aubrey", "jenna", "skule")
    ]
    scene = {"sides": {"Party": party, "Monsters": chance.sample(FOES, 4)}, "house_rules": house}
    outcome = run(RULESET, State(), Step("start", encounter=CAST.encounter(scene)), (), hand(chance))
    assert isinstance(outcome, Done)
    return outcome.state


def next_step(chance: random.Random, state: State) -> Step:
    if chance.random() < 0.3:
        return Step("advance")
    by = chance.choice([None, *(combatant.id for combatant in state.combatants)])
    specs = [
        spec
        for spec in engine.offers(RULESET, state, by)
        if spec.key not in ("insert", "house_rule", "side", "roll", "end_fight", "place")
    ]
    usable = [spec for spec in specs if spec.refusal is None] or specs
    return (
        Step("do", (with_targets(chance, state, filled(chance, chance.choice(usable))),), forced=chance.random() < 0.05)
        if usable
        else Step("advance")
    )


def with_targets(chance: random.Random, state: State, action: Action) -> Action:
    if (
        action.key in ("attack", "special")
        and action.by is not None
        and not stats.is_pc(state[action.by])
        and chance.random() < 0.9
    ):
        return action.put(targets=(chance.choice([combatant.id for combatant in stats.pcs(state)] or [""]),))
    return action


@pytest.mark.parametrize("seed", every(6, range(60)))
def test_whatever_is_done(seed: int) -> None:
    """The track, AC and hit points stay within bounds at any play."""
    chance = random.Random(seed)
    state = opened(chance)
    done = 0
    for _ in range(90):
        outcome = run(RULESET, state, next_step(chance, state), (), hand(chance))
        if isinstance(outcome, Refusal):
            assert outcome.text
            continue
        assert isinstance(outcome, Done), outcome
        assert fold_all(state, outcome.entries) == outcome.state
        state, done = outcome.state, done + 1
        for combatant in state.combatants:
            assert stats.ac(state[combatant.id]) >= 0
            if stats.is_pc(combatant):
                assert len(stats.harm(state[combatant.id])) == stats.pc(state, combatant.id).harm_max
                assert set(stats.harm(state[combatant.id])) <= set("./x*")
            else:
                assert combatant.hp >= 0
                assert combatant.status != "up" or combatant.hp > 0
        for entry in outcome.entries:
            assert all(RULESET.rulebook.find(rule) for rule in entry.rules if rule), entry.rules
    assert done > 20
