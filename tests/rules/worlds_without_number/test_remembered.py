"""What is remembered of an attack follows what holds on its two combatants."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from rulesets.worlds_without_number.actions.actions import ACTIONS
from rulesets.worlds_without_number.actions.fighting.strikes import ANY_USE
from rulesets.worlds_without_number.actions.fighting.weapons import attack_of
from rulesets.worlds_without_number.ai import aims, threat
from rulesets.worlds_without_number.ruleset import RULESET
from rulesets.worlds_without_number.stats import attack, shock
from rulesets.worlds_without_number.stats.effects import PRONE, TOTAL_DEFENSE
from tests.forecast.test_playout import encounter
from tracker.core.fight.cache import caches_disabled
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.terms.actions import action
from tracker.core.terms.effects import Effect, Modifier
from tracker.core.terms.tactics import TACTICS
from tracker.forecast.playout import Limits, opened, play

SHAKEN = Effect("shaken", "", modifiers=(Modifier("attack", -3), Modifier("damage", -1), Modifier("shock", -1)))
HOLDING = (PRONE.on("a"), TOTAL_DEFENSE.on("a"), SHAKEN, Effect("grappled", ""), Effect("empty:small bow", ""))


@pytest.fixture(scope="module")
def begun() -> State:
    """A fight whose first phase has begun."""
    return play(RULESET, opened(RULESET, encounter(RULESET.key, "first_fight"), 3), 3, limits=Limits(steps=2)).state


def holding(state: State, side: Id, effect: Effect) -> State:
    """Return the state with an effect on everybody of a side."""
    changed = [
        replace(one, effects=(*one.effects, replace(effect, bearer=one.id))) if one.side == side else one
        for one in state.combatants
    ]
    return replace(state, combatants=tuple(changed))


def said(state: State) -> Iterator[object]:
    """Yield what is said of every attack on an enemy, and what everybody would do."""
    for one in state.combatants:
        yield [RULESET.policy(state, one.id, tactics) for tactics in TACTICS], list(aims(state, one.id)), threat(one)
        for other in state.combatants:
            if other.side == one.side:
                continue
            for key in ("melee_attack", "ranged_attack"):
                yield ACTIONS.form(state, action(key, one.id, target=other.id))
            for arm in one.block.arms:  # type: ignore[attr-defined]  # a stat block of this game
                made = attack_of(state, action("melee_attack", one.id, target=other.id, weapon=arm.name), ANY_USE)
                assert made is not None
                yield made, attack.to_hit(state, made), attack.hit_rules(state, made), shock.miss(state, made)


@pytest.mark.parametrize("effect", HOLDING, ids=[effect.name for effect in HOLDING])
def test_what_holds_on_a_combatant_is_not_forgotten(begun: State, effect: Effect) -> None:
    """Given an effect on either side, what changes is said as if nothing were remembered."""
    plain = list(said(begun))
    found = []
    for side in begun.sides:
        state = holding(begun, side.id, effect)
        found.append(list(said(state)))
        with caches_disabled():
            assert list(said(replace(state))) == found[-1]
    assert any(one != plain for one in found)
