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

EVERY = 4
"""Places are compared at every fourth position, in a long run at all."""


def lapsing(table: Table) -> list[Reminder]:
    """Return what going on would give up."""
    return [one for one in open_reminders(table.app.session.ruleset, table.state) if one.lapses]


async def back(table: Table) -> bool:
    """Take a step back, and tell whether there was one."""
    before = table.model.head
    await table.type("u")
    return table.model.head != before


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


async def gives_nothing_up(table: Table) -> bool:
    """Check the first `n` of a position: what it would give up is shown, and nothing changes. Return if there was any.

    `R` begins with the line that the pane shows first.
    """
    pane = action_pane(table)
    if "! " in pane and "! and " not in pane:
        first = pane.partition("! ")[2][:12]
        await table.type("R")
        assert f"▸ 1 {first}" in action_pane(table), (pane, action_pane(table))
        await table.press("escape")
    given_up, head = lapsing(table), table.model.head
    if given_up:
        await table.type("n")
        assert (table.model.head, table.model.pending) == (head, None), given_up
        shown = action_pane(table)
        assert "Before going on" in table.text()
        assert given_up[0].text.split()[0] in shown, (given_up, shown)
        await table.press("escape")
    return bool(given_up)


async def names_the_same(table: Table) -> int:
    """Put the cursor on each combatant of the slot; return how often more than two places said whose turn it is."""
    compared, state, slot = 0, table.state, table.state.clock.current
    labels = {one.label: one.name for one in state.combatants}
    for who in slot.members[:3] if slot is not None else ():
        table.showing.select(who)
        await table.pilot.pause()
        said = said_at(table, labels)
        compared += len(said) > 2
        assert len({frozenset(labels) for labels in said.values()}) <= 1, (who, said, table.text())
    return compared


@pytest.mark.parametrize("every", [EVERY, pytest.param(1, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize("name", sorted(GOLDEN))
async def test_positions_of_a_fight_are_shown_soundly(name: str, every: int, tmp_path: Path) -> None:
    """Step by step back: `n` gives nothing up unseen, and initiative, combatants, header and map name one combatant."""
    compared, stopped = 0, 0
    with made_up_games():
        session = golden_session(name, tmp_path)
        async with opened(session, size=(160, 60)) as table:
            while await back(table):
                if table.model.pending is not None or table.state.clock.over:
                    continue
                stopped += await gives_nothing_up(table)
                if table.model.head % every == 0 or not compared:
                    compared += await names_the_same(table)
    assert compared
    assert stopped or name.startswith(("fifth_edition", "skirmish", "spelljammer"))
