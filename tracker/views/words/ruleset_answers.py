"""What stands where a ruleset fails to give a badge, a cell or a number.

Behind the door each of its calls may fail. That costs the one place, not the pane, which names the failure below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tracker.core.fight.memo import per_state
from tracker.core.fight.state import Id, State
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Badge, Column, Printed, Reminding
from tracker.core.terms.derived import Derived
from tracker.core.terms.errors import RulesBug

Fails: TypeAlias = Callable[[RulesBug], None]
"""Called with what failed, for the line that names it."""
FAILED = "✗"


def no_matter(error: RulesBug) -> None:
    """Leave it at the mark."""


def badges_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Badge, ...]:
    """Return a combatant's badges."""
    try:
        return _badges(state, ruleset, who)
    except RulesBug as error:
        fails(error)
        return (Badge(FAILED, kind="budget"),)


@per_state  # two panes ask the same
def _badges(state: State, ruleset: Ruleset, who: Id) -> tuple[Badge, ...]:
    return ruleset.badges(state, who)


def cell_of(column: Column, state: State, who: Id, fails: Fails) -> str:
    """Return what stands in a column for a combatant."""
    try:
        return column.cell(state, who)
    except RulesBug as error:
        fails(error)
        return FAILED


def derived_of(ruleset: Ruleset, state: State, who: Id, name: str, fails: Fails) -> Derived:
    """Return a number with its parts."""
    try:
        return ruleset.derived(state, who, name)
    except RulesBug as error:
        fails(error)
        return Derived(0, text=FAILED)


def printed_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Printed, ...]:
    """Return a combatant's stat block as it would be printed."""
    try:
        return ruleset.printed(state, who)
    except RulesBug as error:
        fails(error)
        return (Printed("kind", FAILED),)


def reminders_of(ruleset: Ruleset, state: State, who: Id, fails: Fails) -> tuple[Reminding, ...]:
    """Return what is owed of a combatant."""
    try:
        return tuple(owed for owed in ruleset.pending(state) if owed.about == who and owed.key not in state.dismissed)
    except RulesBug as error:
        fails(error)
        return (Reminding("", FAILED, who),)
