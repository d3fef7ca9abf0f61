"""The lines of a sheet: one or two, so that names are whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ui.drive import opened
from tests.ui.games import GH, SV, begun


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_names_are_whole_where_lines_are_empty(tmp_path: Path, size: tuple[int, int]) -> None:
    """A line that is too long takes two, the second with what is done."""
    async with opened(begun(tmp_path, GH, "dragon"), size) as table:
        while table.state.clock.phase != "fast":
            await table.type("*" if table.model.pending is not None else "n")
        await table.type("A")
        await table.until("take up a stance")
        first = table.state.combatants[2].name
        shown = table.pane("console")
        assert "…" not in shown.partition("up")[0]
        assert f"{first} → " in shown


async def test_only_the_chosen_line_has_two_where_there_is_no_room_for_all(tmp_path: Path) -> None:
    """In a low pane the others are cut as before, and the chosen one is whole."""
    async with opened(begun(tmp_path, SV, "gate_brawl"), (80, 24)) as table:
        while table.model.pending is not None or table.state.clock.round < 1:
            await table.type("*" if table.model.pending is not None else "n")
        await table.type("A")
        await table.until("Sling")
        lines = [line[2:38].strip() for line in table.text().splitlines()[-8:]]
        at = next(place for place, line in enumerate(lines) if line.startswith("▸"))
        assert "…" not in lines[at] + lines[at + 1]
        assert any("…" in line for line in lines[at + 2 :])
