"""Totals that are counted together give the same end: the odds are those of every face, each run by itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from itertools import product

import pytest
from msgspec import UNSET

from tests.properties.golden_steps import GOLDEN, Played, golden
from tracker.core import engine
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset, status_of
from tracker.core.run import Answers, Done, Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, Request, Roll, Window
from tracker.forecast.odds import odds

MOST_ENDS = (300, 6_000)
"""So many ends of an action are run one by one; only one that has more in all positions is tried with the second."""
MOST_IN_VAIN = 100_000
"""So many runs of a kind of action may find more ends than that before it is tried no more: about a minute."""


def ways(request: Request) -> list[tuple[Answer, float]]:
    """Return every answer to a request with its chance: each total or face of dice, else the default, if any."""
    if isinstance(request, Roll) and request.faces:
        every = list(product(*(range(1, sides + 1) for sides in request.dice.sides)))
        return [(DiceAnswer(sum(faces), faces), 1 / len(every)) for faces in every]
    if isinstance(request, Roll):
        return [(DiceAnswer(total), chance) for total, chance in request.dice.chances()]
    usual = Passed() if isinstance(request, Window) else request.default_answer
    return [] if usual is None else [(usual, 1.0)]


def every_end(ruleset: Ruleset, state: State, step: Step, most: int) -> list[tuple[float, Done | Pending]] | int:
    """Return each end of a step with its chance; a question without a default ends it.

    Where there are more, or it is refused: after how many runs this was known.
    """
    runs = 0
    found = list[tuple[float, Done | Pending]]()
    waiting: deque[tuple[float, Answers]] = deque([(1.0, ())])
    while waiting:
        chance, answers = waiting.popleft()  # so that too many are soon known
        outcome = run(ruleset, state, step, answers)
        runs += 1
        if isinstance(outcome, Done):
            found.append((chance, outcome))
        elif isinstance(outcome, Pending):
            key, more = outcome.request.key, ways(outcome.request)
            found += [] if more else [(chance, outcome)]
            waiting += [(chance * share, (*answers, (key, answer))) for answer, share in more]
        else:
            return runs
        if len(found) + len(waiting) > most:
            return runs
    return found


def tried(ruleset: Ruleset, played: Played) -> Iterator[Action]:
    """Yield what those whose turn it is can do in a position."""
    slot = played.before.clock.current
    members = slot.members if slot is not None else ()
    for who in dict.fromkeys((*members[:2], *(one.id for one in played.before.combatants[::3]))):
        for spec in engine.offers(ruleset, played.before, who):
            aims = [field for field in spec.fields if field.kind == "combatant" and field.default is None]
            targets = {field.name: field.options[0].key for field in aims if field.options}
            yield Action(spec.key, who).put(**targets)


def succeeds(end: Done | Pending, actor: Id | None, who: Id) -> bool | None:
    """Tell whether the first comparison that concerns a combatant is a success for the actor; None: it is neither."""
    for entry in end.entries:
        event = entry.event
        if isinstance(event, Checked) and (event.target is not None or event.who == actor):
            defends = event.target == actor
            if (event.who if defends or event.target is None else event.target) == who:
                return None if event.success is UNSET else event.success is not defends
    return None


@pytest.mark.parametrize("all_positions", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_odds_are_those_of_every_face(name: str, all_positions: bool) -> None:
    """For what can be done in the positions of the golden fights: successes, who drops, and the mean loss."""
    ruleset, fight = golden(name)
    pool = ruleset.schema.pools[0]
    compared, in_vain = set[tuple[str, int]](), Counter[str]()
    for most, played in product(MOST_ENDS, fight if all_positions else fight[1::8]):
        if compared and most > MOST_ENDS[0] and not all_positions:
            break
        before = played.before
        for action in tried(ruleset, played):
            kind = action.key, played.number if all_positions else 0
            if kind in compared or in_vain[action.key] >= MOST_IN_VAIN:
                continue
            ends = every_end(ruleset, before, Step("do", (action,)), most)
            if isinstance(ends, int):
                in_vain[action.key] += ends
                continue
            if len(ends) < 2:
                continue
            found = odds(ruleset, before, action, seconds=60.0)
            asks = sum(chance for chance, end in ends if isinstance(end, Pending))
            assert (found.refused, round(found.open, 6)) == ("", round(asks, 6)), action
            if asks and round(found.asks, 6) != round(asks, 6):
                continue  # a question comes before the comparison
            compared.add(kind)
            for tally in found.tallies:
                was = before[tally.who]
                acted = status_of(ruleset, was.status).acts
                made = [(chance, succeeds(end, action.by, tally.who)) for chance, end in ends]
                success = sum(chance for chance, found in made if found)
                assert (action, tally.success is None) == (action, all(found is None for _, found in made))
                assert (action, tally.who, round(tally.success or 0, 6)) == (action, tally.who, round(success, 6))
                if asks:
                    continue  # what follows the question is not known
                left = [(chance, end.state[tally.who]) for chance, end in ends if tally.who in end.state]
                drops = sum(c for c, one in left if acted and not status_of(ruleset, one.status).acts)
                lost = (
                    sum(c * (was.pool(pool).now - one.pool(pool).now) for c, one in left) if was.has_pool(pool) else 0
                )
                assert (action, tally.who, round(tally.drops, 6), round(tally.mean, 6)) == (
                    action,
                    tally.who,
                    round(drops, 6),
                    round(lost, 6),
                )
    assert compared
