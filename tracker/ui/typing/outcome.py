"""What comes of a GM command, before it is done."""

from __future__ import annotations

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Combatant, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.run import Done, Pending, Step
from tracker.core.terms.actions import Action
from tracker.session.step.runner import try_out
from tracker.ui.typing.mode import Scene
from tracker.views.words.spans import Span
from tracker.views.words.text import clean

__all__ = ["outcome_spans"]


def outcome_spans(scene: Scene, action: Action) -> tuple[Span, ...]:
    """Return what an action makes of those it concerns: `h 5→0 dead · u 16→12 (half)`."""
    halved = action.get("halved")
    spans: list[Span] = []
    for was, now in _changed(scene, action):
        spans += [Span(" · ", "dim")] if spans else []
        spans += [Span(f"{was.label} ", "strong"), *_told(scene.ruleset, was, now)]
        spans += [Span(" (half)", "dim")] if isinstance(halved, tuple) and was.id in halved else []
    return tuple(spans)


def _changed(scene: Scene, action: Action) -> tuple[tuple[Combatant, Combatant], ...]:
    """Return those whose points or status an action changes, before and after it."""
    now = _after(scene.model.state, scene.ruleset, action)
    if now is None:
        return ()
    pairs = [(was, found) for was in scene.model.state.combatants if (found := now.get(was.id)) is not None]
    return tuple((was, found) for was, found in pairs if (was.pools, was.status) != (found.pools, found.status))


@per_state
def _after(state: State, ruleset: Ruleset, action: Action) -> State | None:
    """Return the state that an action leads to as far as nothing is asked."""
    outcome = try_out(ruleset, state, Step("do", (action,)), ())
    return outcome.state if isinstance(outcome, Done | Pending) else None


def _told(ruleset: Ruleset, was: Combatant, now: Combatant) -> list[Span]:
    """Return the points and the status that change: `5→0 dead`."""
    spans: list[Span] = []
    for place, pool in enumerate(was.pools):
        after = now.pool(pool.key).now if now.has_pool(pool.key) else pool.now
        if after != pool.now:
            name = "" if place == 0 else f"{clean(pool.key.replace('_', ' '))} "
            spans.append(Span(f"{' ' if spans else ''}{name}{pool.now}→{after}"))
    if was.status != now.status:
        word = clean(ruleset.status(now.status).word)
        spans.append(Span(f"{' ' if spans else ''}{word}", "" if ruleset.status(now.status).acts else "bad"))
    return spans
