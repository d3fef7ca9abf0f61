"""Two combatants may do the same at the same moment, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, pairwise
from random import Random
from zlib import crc32

import pytest

from tests.properties import games
from tests.properties.golden_steps import GOLDEN, golden
from tests.properties.test_bearers import played
from tests.rules.test_vectors import BOOKS, GAMES
from tracker.core import engine
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Done, Outcome, Step, run
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.values import Value
from tracker.testing.lint import whole
from tracker.testing.table import plain

ONWARD, REPAIRS = 8, 3
"""How many stops of the clock follow, and how many more fields may be changed until a form is accepted."""
WITHOUT_VECTORS = [name for name in sorted(games.GAMES) if name.partition("/")[0] not in BOOKS]
"""The fights of the made-up games, and of the worked example."""
Kind = tuple[str, str, str]
"""An action, a field, and what it holds."""
STEPS, APART = 30, 5
"""How long a fight of chance is, and how many of its steps lie between two positions."""


def done(ruleset: Ruleset, state: State, step: Step) -> State:
    """Return the state after a step with plain answers, the same one where it is refused."""
    outcome: Outcome = run(ruleset, state, step, source=plain)
    return outcome.state if isinstance(outcome, Done) else state


def partners(ruleset: Ruleset, state: State) -> Iterator[tuple[Combatant, Combatant]]:
    """Yield neighbours of each side that can act."""
    for side in state.sides:
        able = [one for one in state.members(side.id) if status_of(ruleset, one.status).acts]
        yield from pairwise(able[:4])


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
    chance: Random,
    ruleset: Ruleset,
    state: State,
    key: str,
    pair: Sequence[Combatant],
    variants: int,
    tried: set[Kind] | None,
) -> Iterator[dict[str, Value]]:
    """Yield what both can fill into the form of an action: the default, and some values of its fields.

    Where a form refuses a value, other fields are changed until it does not. `tried`: the kinds of values that both
    have filled in before, which need no more; None: each is filled in again.
    """
    if tried is None or (key, "", "") not in tried:
        yield {}
        if tried is not None and not refused(ruleset, state, key, pair, {}):
            tried.add((key, "", ""))
    changes = possible(ruleset, state, key, pair)
    wanted = [change for change in changes if tried is None or kind_of(state, key, change) not in tried]
    for change in chance.sample(wanted, min(variants, len(wanted))):
        fields = dict([change])
        for _ in range(REPAIRS):
            reason = refused(ruleset, state, key, pair, fields)
            if not reason:
                if tried is not None:
                    tried.add(kind_of(state, key, change))
                break
            tried_too = [{**dict([other]), **fields} for other in changes if other[0] not in fields]
            better = [(refused(ruleset, state, key, pair, more), more) for more in tried_too]
            found = [more for why, more in better if not why] or [more for why, more in better if why != reason]
            fields = chance.choice(found) if found else fields
        yield fields


def kind_of(state: State, key: str, change: tuple[str, Value]) -> Kind:
    """Return what a value of a field is, no matter whom it names."""
    name, value = change
    people = value if isinstance(value, tuple) else (value,)
    return (key, name, f"{len(people)} of them" if any(one in state for one in people) else repr(value))


def possible(ruleset: Ruleset, state: State, key: str, pair: Sequence[Combatant]) -> list[tuple[str, Value]]:
    """Return the fields of a form with each value that both can fill in."""
    first, second = (engine.spec_of(ruleset, state, Action(key, who.id)).fields for who in pair)
    theirs = {field.name: values(field) for field in second}
    return [(field.name, value) for field in first for value in values(field) if value in theirs.get(field.name, ())]


def refused(ruleset: Ruleset, state: State, key: str, pair: Sequence[Combatant], fields: Mapping[str, Value]) -> str:
    """Return why one of both cannot do an action so, or ""."""
    for who in pair:
        form = engine.spec_of(ruleset, state, Action(key, who.id).put(**fields))
        if form.refusal is not None or not whole(form, dict(fields), state):
            return form.refusal.text if form.refusal is not None else "incomplete"
    return ""


def both(
    ruleset: Ruleset, state: State, pair: tuple[Combatant, Combatant], variants: int, tried: set[Kind] | None
) -> Iterator[tuple[Action, Action]]:
    """Yield the actions that both can do in the same way."""
    one, other = pair
    offered = {spec.key for spec in engine.offers(ruleset, state, other.id) if spec.refusal is None}
    for spec in engine.offers(ruleset, state, one.id):
        if spec.refusal is not None or spec.key not in offered:
            continue
        chance, seen = Random(crc32(f"{spec.key} {state.clock.at}".encode())), set()
        for fields in ways(chance, ruleset, state, spec.key, pair, variants, tried):
            if repr(fields) not in seen and not refused(ruleset, state, spec.key, pair, fields):
                seen.add(repr(fields))
                yield Action(spec.key, one.id).put(**fields), Action(spec.key, other.id).put(**fields)


def act_in_pairs(ruleset: Ruleset, state: State, variants: int, tried: set[Kind] | None = None) -> None:
    """Let the pairs of a position act alike, and go on past the next stops."""
    for pair in partners(ruleset, state):
        for actions in both(ruleset, state, pair, variants, tried):
            after = done(ruleset, state, Step("do", actions))
            for _ in range(0 if after is state else ONWARD):
                after = done(ruleset, after, Step("advance"))


def positions(game: str, each: int = 1) -> Iterator[State]:
    """Yield the states in which vectors of a game begin and end, and those of its golden fight, one of so many."""
    for vector in BOOKS[game].vectors[::each]:
        if "given" in vector:
            yield BOOKS[game].play({"given": vector["given"]}).state
            yield BOOKS[game].play({**vector, "expect": {}}).state
    for name in GOLDEN:
        if name.startswith(f"{game}/"):
            yield from (played.before for played in golden(name)[1][1::each])


@pytest.mark.parametrize("game", sorted(GAMES))
def test_two_may_do_the_same_at_one_moment(game: str) -> None:
    """No pair of equal actions breaks a promise, at once or when what was declared takes place."""
    tried = set[Kind]()
    for state in positions(game, 40):
        act_in_pairs(GAMES[game], state, 4, tried)


@pytest.mark.parametrize("name", WITHOUT_VECTORS)
def test_two_may_do_the_same_in_a_fight_of_chance(name: str) -> None:
    """The same in a fight in which anything is done."""
    ruleset, encounter = games.build(name)

    for state in islice(played(ruleset, encounter, STEPS, 5), 0, None, APART):
        act_in_pairs(ruleset, state, variants=2)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(games.GAMES))
def test_two_may_do_the_same_in_many_fights_of_chance(name: str) -> None:
    """The same in ten fights of each game, with more values of each field."""
    ruleset, encounter = games.build(name)

    for seed in range(10):
        for state in islice(played(ruleset, encounter, 2 * STEPS, seed), 0, None, APART):
            act_in_pairs(ruleset, state, variants=8)


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
def test_two_may_do_the_same_in_many_ways(game: str) -> None:
    """The same from every position, with each value of each field."""
    for state in positions(game):
        act_in_pairs(GAMES[game], state, variants=1_000)
