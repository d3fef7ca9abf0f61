"""Looking at a fight: its present state, its real one, and its model."""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.session.model import Model, Trial
from tracker.session.step.plan import Standing
from tracker.session.step.planning import Planner
from tracker.session.step.runner import Runner

__all__ = ["model_of", "present_state", "real_state"]


def present_state(runner: Runner, standing: Standing) -> State:
    """Return the fight as it stands, in the middle of a step if need be."""
    pending = standing.pending
    return runner.history.state(standing.position.head) if pending is None else pending.state


def real_state(runner: Runner, standing: Standing) -> State:
    """Return the fight as it really stands, without what is only tried."""
    if standing.sandbox is None:
        return present_state(runner, standing)
    start = standing.sandbox.start
    state = runner.history.state(start.head)
    pending = None if start.draft is None else runner.replay(state, start.draft)
    return state if pending is None else pending.state


def model_of(runner: Runner, standing: Standing, *, read_only: bool) -> Model:
    """Return what is shown of a fight.

    Its id and what only the session knows are left out.
    """
    history, head = runner.history, standing.position.head
    draft, looking, sandbox = standing.position.draft, standing.looking, standing.sandbox
    path = history.path(head)
    if looking is None:
        state = present_state(runner, standing)
    else:
        state, depth = history.state(looking), history.depth(looking)
        if len(path) < depth or path[depth - 1].seq != looking:
            path = history.path(looking)
    return Model(
        fight="",
        title=runner.reader.encounter.title,
        state=state,
        head=head,
        steps=path,
        pending=standing.pending,
        pending_step=None if draft is None else draft.step,
        can_undo=not read_only and Planner(runner, standing).can_undo(),
        can_redo=not read_only and bool(standing.redo),
        read_only=read_only,
        looking_at=looking,
        aside=() if draft is None else draft.aside,
        notice=standing.notice,
        waiting=() if draft is None else draft.later,
        trial=None if sandbox is None else Trial(sandbox.start.head, sandbox.first),
    )
