"""What is remembered of targets, rounds and actions follows what holds of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from rulesets.githack import ai
from rulesets.githack.actions import actions
from rulesets.githack.ruleset import RULESET
from rulesets.githack.stats import stats
from tests.forecast.test_playout import encounter
from tracker.core.engine import accept, offers
from tracker.core.fight.cache import caches_disabled
from tracker.core.fight.state import Combatant, State
from tracker.core.terms.actions import Action, action
from tracker.core.terms.effects import Effect, Modifier
from tracker.forecast.playout import Limits, opened, play

Change = Callable[[State], State]


@pytest.fixture(scope="module")
def begun() -> State:
    """A fight in its first phase with monsters."""
    return play(RULESET, opened(RULESET, encounter(RULESET.key, "goblin_waves"), 3), 3, limits=Limits(steps=5)).state


def of_all(change: Callable[[Combatant], Combatant]) -> Change:
    return lambda state: replace(state, combatants=tuple(map(change, state.combatants)))


def with_fact(key: str, value: str | int) -> Change:
    return of_all(lambda one: replace(one, facts=tuple(sorted((dict(one.facts) | {key: value}).items()))))


def with_effect(name: str, *modifiers: Modifier) -> Change:
    return of_all(lambda one: replace(one, effects=(*one.effects, Effect(name, one.id, modifiers=modifiers))))


def alone(state: State) -> State:
    """Take everybody out of the phases."""
    return replace(
        state, clock=replace(state.clock, slots=tuple(replace(slot, members=()) for slot in state.clock.slots))
    )


def turned(state: State) -> State:
    """Give the players' sides to the referee, and the others to the players."""
    swapped = tuple(replace(side, control="gm" if side.control == "players" else "players") for side in state.sides)
    return replace(state, sides=swapped)


CHANGES: dict[str, Change] = {
    "harm": with_fact("harm", "x/*..."),
    "armour": with_fact("ac", 5),
    "defence": with_effect("shaken", Modifier("dex", -4), Modifier("con", -4), Modifier("wis", -4)),
    "soaked": with_effect("soaked", Modifier("ac", 3)),
    "helpless": with_effect("paralysed"),
    "order": alone,
    "control": turned,
}


def said(state: State) -> Iterator[object]:
    """Yield what each attack takes, who has no place in the round, and who stands."""
    for one in state.combatants:
        foes = [other for other in state.combatants if other.side != one.side]
        yield list(ai._attacks(state, one) if stats.is_pc(one) else ai._marking(one, foes))
    yield stats.unplaced(state), stats.stands(state, pcs=True), stats.stands(state, pcs=False)


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_is_not_remembered_as_it_was(begun: State, change: str) -> None:
    """Given a change, everything is said as if nothing were remembered."""
    plain, state = list(said(begun)), CHANGES[change](begun)

    found = list(said(state))

    assert found != plain
    with caches_disabled():
        assert list(said(replace(state))) == found


def wanted(state: State) -> Iterator[Action]:
    """Yield what could be asked for: each deed with some options, once and twice."""
    for one in state.combatants:
        for spec in offers(RULESET, state, one.id):
            yield Action(spec.key, one.id)
            for field in spec.fields:
                for option in field.options[:4]:
                    yield action(spec.key, one.id, **{field.name: option.key})
                    yield action(spec.key, one.id, **{field.name: (option.key,)})
                    yield action(spec.key, one.id, **{field.name: (option.key, option.key)})
                    yield action(spec.key, one.id, odd=option.key, **{field.name: option.key})


@pytest.mark.parametrize(("name", "steps"), [("goblin_waves", 5), ("dragon", 3)])
def test_what_a_policy_finds_possible_is_done_by_the_step(name: str, steps: int) -> None:
    """Given anything that could be asked for, what the table accepts is not refused."""
    begun = play(RULESET, opened(RULESET, encounter(RULESET.key, name), 3), 3, limits=Limits(steps=steps)).state

    accepted = [one for one in wanted(begun) if actions._table(begun, one.by).accepts(begun, one)]

    assert len(accepted) > 10
    assert all(accept(RULESET, begun, one).overruled == () for one in accepted)
