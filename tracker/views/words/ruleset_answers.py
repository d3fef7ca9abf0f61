"""Answers of a ruleset for rows, with a mark instead of an answer that fails.

Each call of a guarded ruleset may fail. A failure costs one cell, not the pane, which names the failure below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Badge, Column, Printed, Reminder
from tracker.core.terms.derived import Derived
from tracker.core.terms.errors import RulesBug
from tracker.core.terms.words import minus

T = TypeVar("T")
Fails: TypeAlias = Callable[[RulesBug], None]
"""Called with each failure, for the line that names it."""
FAILED = "✗"


def tolerate(error: RulesBug) -> None:
    """Ignore a failure; the mark is enough."""


def badges_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Badge, ...]:
    return _answer(lambda: _badges(state, ruleset, who), (Badge(FAILED, kind="budget"),), fails)


def _answer(ask: Callable[[], T], instead: T, fails: Fails) -> T:
    try:
        return ask()
    except RulesBug as error:
        fails(error)
        return instead


@per_state  # two panes read the same badges
def _badges(state: State, ruleset: Ruleset, who: Id) -> tuple[Badge, ...]:
    return ruleset.badges(state, who)


def cell_of(column: Column, state: State, who: Id, fails: Fails) -> str:
    try:
        return minus(column.cell(state, who))
    except RulesBug as error:
        fails(error)
        return FAILED


def gauge_of(column: Column, state: State, who: Id) -> Pool | None:
    """Return the gauge of a column as a pool, None if it fails; the cell of the column reports the failure."""
    try:
        left = column.gauge(state, who) if column.gauge is not None else None
    except RulesBug:
        return None
    return None if left is None else Pool(column.key, *left)


def derived_of(ruleset: Ruleset, state: State, who: Id, name: str, fails: Fails) -> Derived:
    return _answer(lambda: ruleset.derived(state, who, name), Derived(0, text=FAILED), fails)


def printed_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Printed, ...]:
    return _answer(lambda: ruleset.printed(state, who), (Printed("kind", FAILED),), fails)


def reminders_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Reminder, ...]:
    failed: tuple[Reminder, ...] = (Reminder("", FAILED, who),)
    reminders = _answer(lambda: ruleset.pending(state), failed, fails)
    return tuple(owed for owed in reminders if owed.about == who and owed.key not in state.dismissed)
