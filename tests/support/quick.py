"""The app without waits by the clock.

Tests go on as soon as nothing is left to do, and the screen is painted once, at the end of a test.

Textual's own pilot sleeps until the process has been idle for 20 ms, and each app reads its style sheets anew. Over a
thousand apps that is most of the time the tests would take.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from textual._context import active_app
from textual._wait import wait_for_idle as _wait_for_idle
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

__all__ = ["at_rest", "paint_later", "parse_once", "settled", "wait_for_idle"]

MOST_TURNS = 20_000

_parse = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


async def at_rest() -> None:
    """Wait until no task can go on by itself. Each message has been read, and what came of it."""
    ready = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # what the loop still has to call
    for _ in range(MOST_TURNS):
        await asyncio.sleep(0)
        if not ready:
            return


_paint = Screen._compositor_refresh


def paint_later(screen: Screen[Any]) -> None:
    """Replace `Screen._compositor_refresh`: where nobody looks, `settled` paints what has changed until then."""
    if not screen.app.is_headless or screen is not screen.app.screen:
        _paint(screen)
        return
    screen._dirty_widgets.clear()
    screen.app._update_mouse_over(screen)


async def settled(app: App[Any], paint: bool = False) -> None:
    """Wait until nothing is left to do and, if asked, the screen is painted; its text can be read without that."""
    for _ in range(MOST_TURNS):
        await at_rest()
        if app._exit or not app._screen_stacks.get(app._current_mode):
            return  # the app has been left
        screen = app.screen
        if (
            screen._layout_required
            or screen._scroll_required
            or screen._repaint_required
            or screen._dirty_widgets
            or screen._callbacks
        ):
            screen.call_next(screen._on_timer_update)  # now, not at the next of sixty frames a second
        elif paint and screen._compositor._dirty_regions:
            screen.call_next(partial(_paint, screen))
        else:
            return


async def wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Replace Textual's function of this name. Wait for the clock only while a thread of the app is at work."""
    app = active_app.get()
    if any(worker.is_running for worker in app.workers):
        await _wait_for_idle(min_sleep, max_sleep)
    await settled(app)


def parse_once(
    sheet: Stylesheet, css: str, read_from: Any, is_default_rules: bool = False, tie_breaker: int = 0, scope: str = ""
) -> list[RuleSet]:
    """Replace `Stylesheet._parse_rules`: apps with the same variables share the rules."""
    key = (tuple(sheet._variables.items()), css, read_from, is_default_rules, tie_breaker, scope)
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]
