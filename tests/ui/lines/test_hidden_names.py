"""Names and labels on the players' screens while the GM hides and renames combatants in the cockpit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import Table, fight, opened
from tests.ui.games import GH, begun
from tracker.views.public.build import public_view


def read(table: Table) -> dict[str, str]:
    """Return what players read: the label by name."""
    session = table.cockpit.session
    view = public_view(session.ruleset, session.real_state(), session.player_view.salt)
    return {one.name: one.label for one in view.combatants}


async def test_hiding_one_renames_no_other_once_the_fight_is_shown(tmp_path: Path) -> None:
    """Before anybody has acted; one `u` takes it back, and shown again it has its name and label."""
    async with opened(begun(tmp_path, GH, "goblin_waves")) as table:
        before, steps = read(table), len(table.model.steps)
        assert before["Goblin 1"] == "g"
        await table.type("hg⏎")
        assert len(table.model.steps) == steps + 1
        assert read(table) == {name: label for name, label in before.items() if name != "Goblin 1"}
        await table.type("Hg⏎")
        assert read(table) == before
        await table.type("uu")
        assert len(table.model.steps) == steps
        await table.type("Nh Tall stranger⏎")
        assert read(table) == {
            ("Tall stranger" if name == "Goblin 2" else name): label for name, label in before.items()
        }


async def test_before_the_fight_is_shown_others_are_numbered_anew(tmp_path: Path) -> None:
    """Players have read nothing yet, and a gap would say that one is hidden."""
    session = begun(tmp_path, GH, "goblin_waves")
    session.cover_player_view()
    async with opened(session) as table:
        await table.type("hg⏎")
        assert [name for name in read(table) if name.startswith("Goblin ")][:3] == ["Goblin 1", "Goblin 2", "Goblin 3"]
        assert "Goblin 4" not in read(table)


@pytest.mark.parametrize("covered", [False, True])
async def test_a_fallen_combatant_keeps_its_label(tmp_path: Path, covered: bool) -> None:
    """The players' lists name it as before."""
    session = fight(tmp_path)
    if covered:
        session.cover_player_view()
    async with opened(session) as table:
        before = read(table)
        await table.type("-99g⏎")
        assert read(table) == before
