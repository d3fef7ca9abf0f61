"""Whether a prompt could matter: whether other answers to it would change the fight.

What the GM stops counts for nothing: it is offered wherever others may answer, and would make all of it matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Pending, Step, run
from tracker.core.terms.actions import Action
from tracker.core.terms.requests import Answer, DiceAnswer, Passed, PickAnswer, Request, Responded, Roll, Window
from tracker.library.guard import unwrapped
from tracker.session.session import Session

__all__ = ["could_matter", "differs"]

MOST, COURSES = 60, 12


def could_matter(session: Session) -> bool:
    """Tell whether an answer to the pending request changes the fight.

    Where it is a window, what follows it counts as well.
    """
    model = session.model
    assert model.pending is not None
    assert model.pending_step is not None
    before, ruleset = session.state_at(model.head), unwrapped(session.ruleset)
    pending, step = model.pending, model.pending_step
    while True:
        if differs(ruleset, before, step, pending):
            return True
        if not isinstance(pending.request, Window):
            return False
        passed = run(ruleset, before, step, (*pending.answers, (pending.request.key, Passed())))
        if not isinstance(passed, Pending):
            return False
        pending = passed


def differs(ruleset: Ruleset, before: State, step: Step, pending: Pending) -> bool:
    """Tell whether two answers lead to different fights with the same dice after them."""
    request = pending.request
    own = {offer.by for offer in request.offers} if isinstance(request, Window) else set()
    for course in range(COURSES):
        ends = set()
        for answer in _answers(request):
            outcome = run(ruleset, before, step, (*pending.answers, (request.key, answer)))
            for _ in range(MOST):
                if isinstance(outcome, Pending):
                    following = (outcome.request.key, _plain(outcome.request, course))
                    outcome = run(ruleset, before, step, (*outcome.answers, following))
            if isinstance(outcome, Done):
                ends.add(_essence(outcome.state, own))
            if len(ends) > 1:
                return True
    return False


def _answers(request: Request) -> Iterator[Answer]:
    """Yield answers that may differ: dice from low to high, each option, each response."""
    if isinstance(request, Roll):
        most = max(request.dice.sides)
        for face in range(1, most + 1):
            yield _dice(request, (face - 1) / max(1, most - 1))
    elif isinstance(request, Window):
        yield Passed()
        for offer in request.offers:
            if not offer.moot and offer.by is not None:
                yield Responded((Action(offer.key, offer.by).put(**dict(offer.fixed)),))
    else:
        for option in request.options:
            if option.refusal is None:
                yield PickAnswer((option.key,)) if request.several else _chosen(request, option.key)
        for sample in (request.sample(lambda least, most: least), request.sample(lambda least, most: most)):
            if sample is not None:
                yield sample


def _chosen(request: Request, key: str) -> Answer:
    place = [option.key for option in request.options if option.refusal is None].index(key)
    answer = request.sample(lambda least, most: place)
    assert answer is not None
    return answer


def _plain(request: Request, course: int) -> Answer:
    """Return an answer that goes on: this course's dice, else what is usual."""
    if isinstance(request, Roll):
        return _dice(request, crc32(f"{course} {request.key}".encode()) % 3 / 2)
    answer = request.default_answer if request.default_answer is not None else request.sample(lambda least, most: least)
    assert answer is not None
    return answer


def _dice(request: Roll, share: float) -> DiceAnswer:
    faces = tuple(1 + round((sides - 1) * share) for sides in request.dice.sides)
    return DiceAnswer(sum(faces), faces)


def _essence(state: State, own: set[str | None]) -> object:
    """Return what counts of a fight, without what a response costs."""
    people = tuple(
        (one.id, one.status, one.pools, one.position, None if one.id in own else (one.effects, one.budget, one.facts))
        for one in state.combatants
    )
    return repr((people, state.clock.over, state.clock.at, () if own else (state.facts, state.clock)))
