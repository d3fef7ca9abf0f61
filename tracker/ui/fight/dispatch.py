"""From an action of the table of commands to what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import isawaitable

from tracker.ui.fight.cockpit import Cockpit
from tracker.ui.keys.command import Call
from tracker.ui.typing.mode import Result

__all__ = ["ACTIONS", "command", "run", "take"]

COMMANDS = "tracker.ui.fight.commands"

ACTIONS: Mapping[str, str] = {
    "open": "turns.answer",
    "act": "turns.act",
    "sheet": "turns.open_sheet",
    "advance": "turns.advance",
    "remind": "turns.remind",
    "jump": "turns.jump",
    "verb": "turns.type_verb",
    "line": "turns.type_line",
    "repeat": "turns.repeat",
    "undo": "history.undo",
    "redo": "history.redo",
    "look": "history.look",
    "correct": "history.correct",
    "branches": "history.list_branches",
    "name_branch": "history.name_branch",
    "what_if": "history.what_if",
    "pane": "moving.choose_pane",
    "move": "moving.move",
    "aside": "moving.move_aside",
    "template": "moving.widen",
    "lay": "moving.lay",
    "size": "moving.resize",
    "fog": "players.open_fog",
    "zoom": "moving.zoom",
    "round": "moving.go_round",
    "block": "moving.show_block",
    "pull": "edges.pull",
    "odds": "moving.show_odds",
    "filter": "moving.filter_pane",
    "back": "moving.back",
    "forecast": "foreseeing.forecast",
    "compare": "foreseeing.compare",
    "numbers": "telling.numbers",
    "story": "telling.story",
    "page": "telling.page",
    "weigh": "telling.weigh",
    "players_view": "players.players_view",
    "serve": "players.serve",
    "hold_screen": "players.hold_screen",
    "palette": "finding.open_palette",
    "theme": "finding.choose_theme",
    "put_away": "finding.put_away",
    "another": "finding.another",
    "quit": "finding.quit_app",
    "rule": "finding.find_rule",
    "help": "finding.show_help",
}
"""What each action of the table does: a function of a module of the commands, which is imported with its first key."""


def command(action: str) -> Callable[..., object]:
    """Return the function that does what an action of the table calls."""
    module, _, name = ACTIONS[action].partition(".")
    does: Callable[..., object] = getattr(import_module(f"{COMMANDS}.{module}"), name)
    return does


async def run(cockpit: Cockpit, call: Call) -> None:
    """Do what a command calls."""
    does = command(call.action)
    mode = cockpit.showing.mode
    done = does(cockpit) if call.value is None else does(cockpit, call.value)
    if isawaitable(done):
        await done
    if call.beneath:
        from tracker.ui.fight.commands.foreseeing import keep  # only beneath a forecast

        keep(cockpit, mode)


async def take(cockpit: Cockpit, result: Result) -> None:
    """Do what came of a key or a click, the command it calls as well."""
    cockpit.showing.apply(result)
    if result.call is not None:
        await run(cockpit, result.call)
