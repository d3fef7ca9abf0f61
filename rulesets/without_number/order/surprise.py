"""Surprise before the fight: one question for all sides."""

from __future__ import annotations

from collections.abc import Callable

from tracker.core.fight.state import Id, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option

__all__ = ["KEY", "caught"]

KEY = "surprise"


def caught(
    ctx: Ctx, offered: Callable[[Ctx, Side], Option | None], expected: Callable[[State, Id], bool], *rules: str
) -> tuple[Id, ...]:
    """Ask which sides are caught entirely unaware, and return them.

    Nothing is asked where no side can be, or where no other side would gain by it. `offered` tells of those left out.
    """
    ctx.heed(KEY)
    present = tuple(side for side in ctx.state.sides if ctx.state.members(side.id))
    options = tuple(option for side in present if (option := offered(ctx, side)) is not None)
    if not options or len(present) < 2:
        return ()
    default = tuple(option.key for option in options if expected(ctx.state, option.key))
    return ctx.pick(KEY, options, *rules, default=default, to="gm", why="who is caught entirely unaware?")
