"""An area laid on the map aims the action in hand at those it catches."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import SETTINGS, Table, fight, opened
from tests.ui.games import action_pane
from tracker.library.content.encounters import load_encounter
from tracker.session.rulesets import registry

FIGHT = Path(__file__).parents[3] / "docs" / "examples" / "fifth_edition" / "fights" / "first_fight.yaml"


async def until_mirelle(table: Table) -> None:
    """Go on to the wizard's turn."""
    while table.state.clock.current is None or table.state.clock.current.members != ("mirelle",):
        await table.type("n")


async def test_a_power_is_aimed_at_those_in_the_area(tmp_path: Path) -> None:
    """With a circle over the bandits `a fireball` names them; labels that are typed replace them."""
    whole = load_encounter(FIGHT, registry.find).encounter
    assert whole is not None
    async with opened(fight(tmp_path, whole, registry.find("fifth_edition"), SETTINGS)) as table:
        await until_mirelle(table)
        await table.type("5")
        for _ in range(9):
            await table.press("right")
        await table.type("t20⏎afireball")
        assert "targets c Bandit 1, r" in action_pane(table)
        await table.type(" f")
        assert "targets f Bandit 4 3" in action_pane(table)
        for _ in range(2):
            await table.press("backspace")

        await table.type("⏎")
        step = table.cockpit.model.pending_step
        assert step is not None
        assert step.actions[0].get("targets") == ("bandit-1", "bandit-captain", "bandit-2", "bandit-4")
