"""The points of each side over the last rounds, as small bars with the points left now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Pool, State
from tracker.core.game.ruleset import Ruleset
from tracker.views.words.ruleset_answers import gauge_of
from tracker.views.words.sides import allegiance_of
from tracker.views.words.spans import Span, cut, join
from tracker.views.words.text import clean

LEVELS = "▁▂▃▄▅▆▇"
LONGEST_SIDE = 14
ORDER = ("players", "gm", "ally")

Totals: TypeAlias = tuple[tuple[Id, int, int], ...]
"""For each side with points: its id, the points left, and its greatest points."""


@per_state
def side_totals(state: State, ruleset: Ruleset) -> Totals:
    """Return the points of each side; a combatant that has left the fight counts as without points."""
    column = next((column for column in ruleset.columns if column.bar or column.gauge is not None), None)
    takes_part = {status.key: status.takes_part or status.acts for status in ruleset.statuses}
    totals: dict[Id, tuple[int, int]] = {side.id: (0, 0) for side in state.sides}
    for one in state.combatants:
        pool: Pool | None = next((pool for pool in one.pools if column is None or pool.key == column.bar), None)
        if pool is None and column is not None:
            pool = gauge_of(column, state, one.id)
        if pool is not None and one.side in totals:
            now, most = totals[one.side]
            left = max(0, min(pool.now, pool.max)) if takes_part.get(one.status, True) else 0
            totals[one.side] = (now + left, most + pool.max)
    return tuple([(side, now, most) for side, (now, most) in totals.items() if most > 0])


def points_spans(ruleset: Ruleset, state: State, earlier: Sequence[Totals]) -> tuple[Span, ...]:
    """Return each side as `Party ▇▇▆▅▅ 48/63`: its part of all points at the earlier moments, if any, and now.

    The players' sides come first, then their foes.
    """
    parts = []
    ranked = sorted(side_totals(state, ruleset), key=lambda total: ORDER.index(allegiance_of(ruleset, state, total[0])))
    for side, now, most in ranked:
        shares = [(was, of) for totals in earlier for other, was, of in totals if other == side]
        bars = "".join(LEVELS[round((len(LEVELS) - 1) * was / of)] for was, of in (*shares, (now, most)))
        name = cut(clean(state.name(side)), LONGEST_SIDE)
        style = allegiance_of(ruleset, state, side)
        parts.append((Span(f"{name} {bars}" if earlier else name, style), Span(f" {now}/{most}", "dim")))
    return join(parts, " · ")
