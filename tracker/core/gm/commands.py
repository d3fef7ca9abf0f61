"""The table of generic commands.

What the GM can do in every game, whatever its rules.

A ruleset's action of the same key replaces the one here. All of them end in `settle` like every action.
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
"""The keys of those that cannot be done in the middle of a step."""


def commands(game: Ruleset) -> dict[str, ActionType]:
    """Return the generic commands of a game by key, in their order."""
    made: dict[str, ActionType] | None = game.__dict__.get("_generic_commands")
    if made is None:
        found = (
            *(*time.commands(game), *damage.commands(game), *effects.commands(game), *combatants.commands(game)),
            *(*notes_and_rules.commands(game), *visibility.commands(game), *settings.COMMANDS),
        )
        ordered = sorted(found, key=lambda command: KEYS.index(command.key))
        made = {command.key: replace(command, group="game master") for command in ordered}
        game.__dict__["_generic_commands"] = made
    return made


def form(game: Ruleset, state: State, action: Action) -> ActionSpec | None:
    """Return the specification of a generic action, or None for a key that is none."""
    command = commands(game).get(action.key)
    return None if command is None else specification(command, state, replace(action, by=None))


def actions(game: Ruleset, state: State, but: frozenset[str] = frozenset()) -> tuple[ActionSpec, ...]:
    """Return the specifications of everything here but some."""
    specs = [form(game, state, Action(key)) for key in commands(game) if key not in but]
    return tuple([spec for spec in specs if spec is not None])


def any_time(action: Action) -> bool:
    """Tell whether an action is generic and may interrupt a step."""
    return action.by is None and action.key in KEYS and action.key not in NO_INTERRUPTIONS


def perform(ctx: Ctx, game: Ruleset, action: Action) -> None:
    """Do a generic action whose form has been accepted."""
    commands(game)[action.key].perform(ctx, action)
