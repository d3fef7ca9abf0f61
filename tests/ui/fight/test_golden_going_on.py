"""At every position of the golden fights: going on gives nothing up unseen, and the panes agree whose turn it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.golden.cases import made_up_games
from tests.properties.golden_steps import GOLDEN, golden_session
from tests.ui.drive import Table, opened
from tests.ui.games import action_pane
from tracker.core.game.ruleset import open_reminders
from tracker.core.game.schema import Reminder
from tracker.ui.panes.map_pane import MapPane

MOST = 400
"""More steps than any golden fight has."""


def lapsing(table: Table) -> list[Reminder]:
    """Return what going on would give up."""
    return [one for one in open_reminders(table.app.session.ruleset, table.state) if one.lapses]


async def back(table: Table) -> bool:
    """Take a step back, and tell whether there was one."""
    before = table.model.head
    await table.type("u")
    return table.model.head != before


@pytest.mark.parametrize("name", sorted(GOLDEN))
async def test_going_on_gives_nothing_up_unseen(name: str, tmp_path: Path) -> None:
    """Step by step back: the first `n` changes nothing where something lapses, but shows all of it.

    `R` begins with the line that the pane shows first.
    """
    stopped, positions = 0, 0
    with made_up_games():
        session = golden_session(name, tmp_path)
        async with opened(session, size=(120, 60)) as table:
            while await back(table) and positions < MOST:
                positions += 1
                if table.model.pending is not None or table.state.clock.over:
                    continue
                pane = action_pane(table)
                if "! " in pane and "! and " not in pane:
                    first = pane.partition("! ")[2][:12]
                    await table.type("R")
                    assert f"▸ 1 {first}" in action_pane(table), (pane, action_pane(table))
                    await table.press("escape")
                given_up, head = lapsing(table), table.model.head
                if given_up:
                    stopped += 1
                    await table.type("n")
                    assert (table.model.head, table.model.pending) == (head, None), given_up
                    shown = action_pane(table)
                    assert "Before going on" in table.text()
                    assert given_up[0].text.split()[0] in shown, (given_up, shown)
                    await table.press("escape")
    assert positions > 1
    assert stopped or name.startswith(("fifth_edition", "skirmish", "spelljammer"))


def marked(text: str, labels: dict[str, str]) -> set[str]:
    """Return the labels of the combatants that a text marks as acting."""
    return {label for label in re.findall(r"▶ (?:[◆◇●○] )?(\S+) ", f"{text} ") if label in labels}


def said_at(table: Table, labels: dict[str, str]) -> dict[str, set[str]]:
    """Return whom each place of the screen says to have its turn."""
    header = table.text().splitlines()[0]
    whose = re.search(r"(?:then|turn:|:) (\S+) ", header)  # "Wolf's turn, then m Mira": she is to act
    names = {whose[1]} & set(labels) if whose is not None else set()
    look = table.panes.of(MapPane).look_at(table.state).active
    acts = action_pane(table)
    found = {
        "order": marked(table.pane("order"), labels),
        "roster": marked(table.pane("roster"), labels),
        "header": names,
        "map": {table.state[look].label} if look is not None else set(),
        "action": {label for label, name in labels.items() if acts.startswith(f"{label} {name}") and " acts " in acts},
    }
    return {place: said for place, said in found.items() if said}


@pytest.mark.parametrize("name", sorted(GOLDEN))
async def test_every_place_names_the_same_combatant(name: str, tmp_path: Path) -> None:
    """Initiative, combatants, header and map, with the cursor on each combatant of the slot in turn."""
    compared = 0
    with made_up_games():
        session = golden_session(name, tmp_path)
        async with opened(session, size=(160, 60)) as table:
            while await back(table):
                if table.model.pending is not None or table.state.clock.over:
                    continue
                slot, state = table.state.clock.current, table.state
                labels = {one.label: one.name for one in state.combatants}
                for who in slot.members[:3] if slot is not None else ():
                    table.showing.select(who)
                    await table.pilot.pause()
                    said = said_at(table, labels)
                    compared += len(said) > 2
                    assert len({frozenset(labels) for labels in said.values()}) <= 1, (who, said, table.text())
    assert compared
