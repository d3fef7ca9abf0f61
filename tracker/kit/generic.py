"""The GM's generic commands, for a game that replaces one and keeps its body.

def heal(ctx: Ctx, action: Action) -> None:
    generic.perform(ctx, RULESET, action)     # what the command does in every game
    ...                                       # what it does in this one

HEAL = ActionType("heal", "Heal", form=lambda state, action: generic.form(RULESET, state, action), perform=heal)
ACTIONS = ActionTable(types, ECONOMY, gm=(HEAL,))
"""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master import table
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec


def form(ruleset: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the specification of a generic command, or None for a key that is none."""
    return table.form(ruleset, state, action)


def perform(ctx: Ctx, ruleset: Ruleset, action: Action) -> None:
    """Do what a generic command does in every game."""
    table.perform(ctx, ruleset, action)
