"""The table of generic commands.

What the GM can do in every game, whatever its rules.

A ruleset's action of the same key replaces the one here. All of them end in `settle` like every action.
"""

from __future__ import annotations

from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master import desk, effects, harm, people, settings, time, visibility
from tracker.core.master.command import Command
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec

COMMANDS: dict[str, Command] = {
    command.key: command
    for command in sorted(
        (
            *(*time.COMMANDS, *harm.COMMANDS, *effects.COMMANDS, *people.COMMANDS),
            *(*desk.COMMANDS, *visibility.COMMANDS, *settings.COMMANDS),
        ),
        key=lambda command: command.place,
    )
}
"""Every generic command by its key, in the order in which they are listed."""


def form(ruleset: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the specification of a generic action, or None for a key that is none."""
    command = COMMANDS.get(action.key)
    return None if command is None or not _there(ruleset, command) else command.spec(ruleset, state, action)


def actions(ruleset: Ruleset, state: State, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
    """Return the specifications of everything here but some."""
    return tuple(
        command.spec(ruleset, state, Action(command.key))
        for command in COMMANDS.values()
        if command.key not in but and _there(ruleset, command)
    )


def _there(ruleset: Ruleset, command: Command) -> bool:
    return not command.squares or ruleset.schema.board == "square"


def any_time(action: Action) -> bool:
    """Tell whether an action is generic and may interrupt a step."""
    command = COMMANDS.get(action.key)
    return action.by is None and command is not None and command.any_time


def perform(ctx: Ctx, game: Ruleset, action: Action) -> None:
    """Do a generic action whose form has been accepted."""
    COMMANDS[action.key].deed(ctx, game, action)
