"""Pools without a maximum: what they hold is shown alone, and nothing caps it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.kit import duel
from tests.support.common import encounter
from tracker.kit import Pool, PoolSet, action
from tracker.testing.table import Table


@pytest.mark.parametrize(
    ("pool", "shown", "capped"), [(Pool("temp", 7, 0, open=True), "7", 30), (Pool("hp", 7, 12), "7/12", 12)]
)
def test_a_pool_says_what_it_holds_and_what_it_can_hold(pool: Pool, shown: str, capped: int) -> None:
    assert (pool.shown, pool.capped(30)) == (shown, capped)


def test_the_gm_gives_points_to_an_open_pool_without_an_end() -> None:
    game = replace(duel.RULESET, schema=replace(duel.RULESET.schema, pools=("hp", "temp")))
    held = Table(game, encounter("duel"))
    held.within(lambda ctx: ctx.emit(PoolSet("ada", None, Pool("temp", 0, 0, open=True))))

    held.do(action("heal", amount=7, targets=("ada",), pool="temp"))

    assert held.state["ada"].pool("temp").shown == "7"
