"""All panes agree whose turn it is, and each number is what its place says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import opened
from tests.ui.games import GH, SV, WN, begun, played
from tracker.core.terms.actions import action
from tracker.session.intents import Do
from tracker.ui.panes.map_pane import MapPane
from tracker.views.panes.blocks import block_rows


async def test_map_header_order_and_sheet_agree_whose_turn_it_is(tmp_path: Path) -> None:
    """Also once the combatant under the cursor has acted."""
    session = begun(tmp_path, SV, "first_fight")
    played(session, lambda state: state.clock.current is not None and state.clock.current.side == "party")
    for key in ("hold", "total_defense"):
        session.dispatch(Do((action(key, "corvin"),)))
    async with opened(session) as table:
        members = table.state.clock.current.members if table.state.clock.current is not None else ()
        for who in members:
            table.showing.select(who)
            look = table.panes.of(MapPane).look_at(table.state)
            told = {look.active, table.showing.context.active, *(pane.active for pane in table.panes.fight)}
            assert told == {table.panes.chosen.active}


@pytest.mark.parametrize(("game", "name"), [(WN, "first_fight"), (SV, "night_road")])
def test_the_order_shows_the_initiative(game: str, name: str, tmp_path: Path) -> None:
    session = begun(tmp_path, game, name)
    state = played(session, lambda state: state.clock.in_round and state.clock.round == 1)

    slots = [slot for slot in state.clock.slots if slot.stage == "round"]
    assert [slot.info for slot in slots] == [str(state.fact(slot.phase, "initiative")) for slot in slots]
    assert all(slot.info.isdigit() for slot in slots)


def test_only_sums_are_worked_out_below_the_stat_block(tmp_path: Path) -> None:
    """A number with one part has been said in the stat block."""
    session = begun(tmp_path, WN, "first_fight")
    state = session.model.state
    texts = [row.text for row in block_rows(session.ruleset, state, "hedge-robber-1", 60)]
    heads = [place for place, text in enumerate(texts) if "worked out" in text]
    assert all(" = " in text for place in heads for text in texts[place + 1 :])


async def test_the_sign_of_a_change_stands_at_the_column_that_changed(tmp_path: Path) -> None:
    """Lost hit points have it at the hit points, not at the AC."""
    session = begun(tmp_path, GH, "goblin_waves")
    played(session, lambda state: state.clock.phase == "fast")
    foe = next(one for one in session.model.state.combatants if one.side != "party")
    session.dispatch(Do((action("damage", amount=1, targets=(foe.id,)),)))
    async with opened(session) as table:
        assert f"▾{table.hp(foe.id)}/{foe.pool('hp').max}" in table.text()
