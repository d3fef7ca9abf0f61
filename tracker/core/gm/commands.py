"""The table of generic commands, which the GM has in every game.

A ruleset's action of the same key replaces the generic one. Generic commands end in `settle` like every action.
"""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, specification
from tracker.core.game.ruleset import Ruleset
from tracker.core.gm import combatants, damage, effects, notes_and_rules, settings, time, visibility
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec

KEYS = (
    "next",
    "damage",
    "heal",
    "set",
    "add_effect",
    "end_effect",
    "status",
    "insert",
    "wave",
    "remove",
    "move",
    "house_rule",
    "note",
    "side",
    "rename",
    "place",
    "roll",
    "dismiss",
    "end_fight",
    "conceal",
    "reveal",
    "call",
    "players_see",
    "fog",
    "ask",
    "roll_for",
    "quiet",
    "listen",
    "numbers",
    "clock",
)
"""The keys of all generic commands, in the order in which they are listed."""
NO_INTERRUPTIONS = ("next", "end_fight")
"""The keys of the commands that cannot interrupt a step."""


def commands(game: Ruleset) -> dict[str, ActionType]:
    """Return the generic commands of a game by key, in their order."""
    cached: dict[str, ActionType] | None = game.__dict__.get("_generic_commands")
    if cached is None:
        modules = (time, damage, effects, combatants, notes_and_rules, visibility)
        every = [command for module in modules for command in module.commands(game)] + [*settings.COMMANDS]
        every.sort(key=lambda command: KEYS.index(command.key))
        cached = {command.key: replace(command, group="game master") for command in every}
        game.__dict__["_generic_commands"] = cached
    return cached


def form(game: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the specification of a generic action, or None if its key is not generic."""
    command = commands(game).get(action.key)
    return None if command is None else specification(command, state, replace(action, by=None))


def actions(game: Ruleset, state: State, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
    """Return the specifications of the generic actions, without those whose keys are in `but`."""
    specs = [form(game, state, Action(key)) for key in commands(game) if key not in but]
    return tuple([spec for spec in specs if spec is not None])


def any_time(action: Action) -> bool:
    """Tell whether an action is generic and can interrupt a step."""
    return action.by is None and action.key in KEYS and action.key not in NO_INTERRUPTIONS


def perform(ctx: Ctx, game: Ruleset, action: Action) -> None:
    """Perform a generic action whose form has been accepted."""
    commands(game)[action.key].perform(ctx, action)
