"""What each action of the table of commands does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import isawaitable

from tracker.ui.fight.commands import history, pages, panes, players, turns
from tracker.ui.fight.controller import FightController
from tracker.ui.keys.command import Call
from tracker.ui.typing.mode import Result

ACTIONS: Mapping[str, Callable[..., object]] = {
    "open": turns.answer,
    "act": turns.act,
    "sheet": turns.open_sheet,
    "advance": turns.advance,
    "remind": turns.remind,
    "jump": turns.jump,
    "verb": turns.type_verb,
    "line": turns.type_line,
    "repeat": turns.repeat,
    "undo": history.undo,
    "redo": history.redo,
    "look": history.look,
    "correct": history.correct,
    "branches": history.list_branches,
    "name_branch": history.name_branch,
    "what_if": history.what_if,
    "pane": panes.choose_pane,
    "move": panes.move,
    "aside": panes.move_aside,
    "template": panes.widen,
    "lay": panes.lay,
    "size": panes.resize,
    "fog": players.open_fog,
    "zoom": panes.zoom,
    "round": panes.go_round,
    "block": panes.show_block,
    "pull": panes.pull,
    "odds": panes.show_odds,
    "filter": panes.filter_pane,
    "back": panes.back,
    "forecast": pages.forecast,
    "compare": pages.compare,
    "numbers": pages.numbers,
    "story": pages.story,
    "page": pages.page,
    "weigh": pages.measure_impact,
    "players_view": players.players_view,
    "serve": players.serve,
    "hold_screen": players.hold_screen,
    "palette": pages.open_palette,
    "theme": pages.choose_theme,
    "put_away": pages.put_away,
    "another": pages.another,
    "quit": pages.quit_app,
    "rule": pages.find_rule,
    "help": pages.show_help,
}


async def run(controller: FightController, call: Call) -> None:
    """Do what a command calls."""
    mode, does = controller.mode, ACTIONS[call.action]
    done = does(controller) if call.value is None else does(controller, call.value)
    if isawaitable(done):
        await done
    if call.beneath:
        pages.reopen(controller, mode)


async def take(controller: FightController, result: Result) -> None:
    """Do what a key or a click results in, the command it calls as well."""
    controller.apply(result)
    if result.call is not None:
        await run(controller, result.call)
