"""Two combatants may do the same at the same moment, whatever it is.

Every action that two of a side are offered is performed by both of them, at the same target, in one step; then the
fight goes on past the next edges of the clock, where declared actions take place. No question may be asked twice under
one key, no other promise broken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from zlib import crc32

import pytest

from tests.properties.games import GAMES, build
from tracker.core import engine
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Outcome, Step, run
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.values import Value
from tracker.testing.lint import whole
from tracker.testing.table import plain

ONWARD, CHANGES = 8, 4
"""How many stops of the clock follow, and how many fields of a form differ from the default at most."""


def done(ruleset: Ruleset, state: State, step: Step) -> State:
    """Return the state after a step with plain answers, the same one where it is refused."""
    outcome: Outcome = run(ruleset, state, step, source=plain)
    return outcome.state if isinstance(outcome, Done) else state


def partners(ruleset: Ruleset, state: State) -> Iterator[tuple[Combatant, Combatant]]:
    """Yield the first two combatants of each side that can act."""
    for side in state.sides:
        able = [one for one in state.members(side.id) if ruleset.status(one.status).acts]
        if len(able) > 1:
            yield able[0], able[1]


def values(field: Field) -> list[Value]:
    """Return what a field may hold that decides between ways of an action."""
    keys = [option.key for option in field.options if option.refusal is None]
    match field.kind:
        case "flag":
            return [True, False]
        case "choice" | "combatant":
            return list(keys)
        case "choices" | "combatants" if keys:
            return [(keys[0],), tuple(keys[:2])]
        case "number":
            return [0, 1, 10]
    return []


def ways(
    chance: Random, ruleset: Ruleset, state: State, key: str, pair: Sequence[Combatant], variants: int
) -> Iterator[dict[str, Value]]:
    """Yield what both can fill into the form of an action, the default first."""
    yield {}
    for _ in range(variants):
        fields: dict[str, Value] = {}
        for _ in range(chance.randint(1, CHANGES)):
            first, second = (engine.spec_of(ruleset, state, Action(key, who.id).put(**fields)).fields for who in pair)
            theirs = {field.name: values(field) for field in second}
            chosen = {
                field.name: [value for value in values(field) if value in theirs.get(field.name, ())] for field in first
            }
            if names := [name for name, possible in chosen.items() if possible]:
                name = chance.choice(names)
                fields[name] = chance.choice(chosen[name])
        yield fields


def both(
    ruleset: Ruleset, state: State, pair: tuple[Combatant, Combatant], variants: int
) -> Iterator[tuple[Action, Action]]:
    """Yield the actions that both can do in the same way."""
    one, other = pair
    offered = {spec.key for spec in engine.offers(ruleset, state, other.id) if spec.refusal is None}
    for spec in engine.offers(ruleset, state, one.id):
        if spec.refusal is not None or spec.key not in offered:
            continue
        chance, seen = Random(crc32(f"{spec.key} {state.clock.at}".encode())), set()
        for fields in ways(chance, ruleset, state, spec.key, pair, variants):
            actions = [Action(spec.key, who.id).put(**fields) for who in pair]
            forms = [engine.spec_of(ruleset, state, action) for action in actions]
            if repr(actions) not in seen and all(form.refusal is None and whole(form, fields, state) for form in forms):
                seen.add(repr(actions))
                yield actions[0], actions[1]


def act_in_pairs(name: str, stops: int, variants: int) -> None:
    """Let pairs act alike at the first stops of a fight."""
    ruleset, encounter = build(name)
    state = done(ruleset, State(), Step("start", encounter=encounter))
    for _ in range(stops):
        for pair in partners(ruleset, state):
            for actions in both(ruleset, state, pair, variants):
                after = done(ruleset, state, Step("do", actions))
                for _ in range(0 if after is state else ONWARD):
                    after = done(ruleset, after, Step("advance"))
        state = done(ruleset, state, Step("advance"))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_two_may_do_the_same_at_one_moment(name: str) -> None:
    """No pair of equal actions breaks a promise, at once or when what was declared takes place."""
    act_in_pairs(name, stops=2, variants=2)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(GAMES))
def test_two_may_do_the_same_in_many_ways(name: str) -> None:
    """The same, at more stops and in more ways."""
    act_in_pairs(name, stops=12, variants=60)
