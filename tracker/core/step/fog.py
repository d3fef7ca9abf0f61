"""Fog on the map: who stands in it is hidden from the players.

It is looked at after each step, and who has come out is shown. Whom the GM shows there, or who attacks out of it, stays
seen until it has left it.
"""

from __future__ import annotations

from collections.abc import Iterable

from tracker.core.fight import hiding
from tracker.core.fight.state import Id
from tracker.core.step.changes import Changes
from tracker.core.step.showing import hide, reveal, say

SUNK = "fogged"
"""The key under which it is kept whom fog has hidden."""


def settle_fog(ctx: Changes, quiet: bool = False) -> None:
    """Hide those who have come into the fog, and show those who have left it.

    That is noted, unless it is `quiet`.
    """
    if not ctx.state.facts:
        return
    held = hiding.setting(ctx.state, SUNK)
    sunk = tuple(map(str, held)) if isinstance(held, tuple) else ()
    if not sunk and hiding.setting(ctx.state, hiding.FOG) is None:
        return
    state = ctx.state
    inside = [one.id for one in state.combatants if not _own(ctx, one.id) and hiding.in_fog(state, one)]
    into = [who for who in inside if who not in sunk and not hiding.is_hidden(state, who)]
    out = [who for who in sunk if who not in inside]
    hide(ctx, into)
    shown = [who for who in out if who in state and hiding.is_hidden(state, who)]
    reveal(ctx, shown)
    left = tuple(who for who in (*sunk, *into) if who not in out)
    if left != sunk:
        say(ctx, SUNK, left or None)
    for who in () if quiet else shown:
        ctx.note(f"players see {ctx.state.name(who)} now", about=who)


def come_unseen(ctx: Changes, people: Iterable[Id]) -> None:
    """Remember newcomers as hidden by fog."""
    say(ctx, SUNK, tuple(people) or None)


def _own(ctx: Changes, who: Id) -> bool:
    """Tell whether the players run a combatant."""
    return ctx.state.side_of(who).control == "players"
