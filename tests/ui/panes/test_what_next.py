"""What the resting Action pane says first, in every game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.ui.drive import SETTINGS, opened, resume
from tests.ui.games import GH, SJ, SV, SW, WN, begun, low, ready
from tracker.core.fight.events import ActionTaken
from tracker.core.terms.actions import action
from tracker.session.intents import Do, RollRest
from tracker.ui.modes.acting.idle import next_rows
from tracker.ui.modes.search.lookups import ReminderMode
from tracker.ui.typing.mode import ModeContext
from tracker.ui.widgets.lines import RowsWidget

MOMENTS = 4
FIRST = ("who", "over")

LINES: dict[str, tuple[str, Sequence[str]]] = {
    WN: (
        "first_fight",
        (
            "o Ordwen + 3 more a act · A all · n → Toll-takers",
            "h Hedge Robber 1 + 4 more a act · A all · n → Round 2",
            "o Ordwen + 3 more a act · A all · n → Toll-takers",
            "h Hedge Robber 1 + 4 more a act · A all · n → Round 3",
            "the fight is over · 3 rounds, 0:12",
        ),
    ),
    SW: (
        "two_brawls",
        (
            "Set-up A all · n start the combat",
            "Monster Knowledge A all · n go on",
            "Initiative A all · n roll Initiative",
            "t Skeleton 1 + 4 more a act · A all · n → Party",
            "Spoils n → the end",
        ),
    ),
    SV: (
        "first_fight",
        (
            "y Ysolde + 3 more a act · A all · n → The dead",
            "b Bone Soldier 1 + 4 more a act · A all · n → Round 2",
            "y Ysolde + 3 more a act · A all · n → The dead",
            "b Bone Soldier 1 + 4 more a act · A all · n → Round 3",
            "the fight is over · 3 rounds, 0:12",
        ),
    ),
    SJ: (
        "archers_into_melee",
        (
            "Declarations A all · n Hill folk as usual",
            "b Brannoc a act · A all · n declare",
            "i Isaude a act · A all · n declare",
            "t Telmarre a act · A all · n declare",
            "the fight is over · 1 round, 0:00",
        ),
    ),
    GH: (
        "goblin_waves",
        (
            "Set-up A all · n start the round",
            "b Brannoc + 3 more a act · A all · n → Monsters",
            "g Goblin 1 + 6 more a act · A all · n → Round end",
            "Round end A all · n start the round",
            "After the combat n fill it in",
        ),
    ),
}


@pytest.mark.parametrize("game", LINES)
async def test_it_stands_in_every_phase(game: str, tmp_path: Path) -> None:
    """`n` alone goes through set-up, a round and the end, as the line says."""
    name, expected = LINES[game]
    session = begun(tmp_path, game, name, replace(SETTINGS, by_side=True, roller=low))
    found: list[str] = []
    async with opened(session) as table:

        async def rest() -> str:
            for _ in range(60):
                if table.model.pending is None:
                    break
                await table.type("⏎")
            rows = table.screen.query_one("#console", RowsWidget)._shown
            return " ".join(" ".join(row.text for row in rows if row is not None and row.key in FIRST).split())

        for _ in range(MOMENTS):
            found.append(await rest())
            await table.type("n")
            if isinstance(table.mode, ReminderMode):
                await table.type("n")
        await rest()
        await table.type(":end_fight⏎")
        found.append(await rest())
    assert found == list(expected)


def test_a_key_to_act_goes_there_first_from_one_who_has_acted(tmp_path: Path) -> None:
    """Where the cursor is on one who has acted, the line leads to the next."""
    session = ready(tmp_path, WN)
    session.dispatch(Do((action("melee_attack", "hedge-robber-1", target="ordwen"),)))
    while session.model.pending is not None:
        session.dispatch(RollRest())

    def line(selected: str) -> str:
        rows = next_rows(ModeContext(session.ruleset, session.model, session, selected=selected), 80)
        return " ".join(row.text for row in rows)

    names = session.model.state["hedge-robber-2"].label + " Hedge Robber 2 + 3 more"
    label = names[0]
    assert line("hedge-robber-1").split("  ")[0] == names
    assert f"'{label}a act · A all" in line("hedge-robber-1")
    assert "  a act · A all" in line("hedge-robber-2")


async def test_a_fight_taken_up_has_the_cursor_on_who_can_act(tmp_path: Path) -> None:
    """After the first picture it comes to the next robber."""
    session = ready(tmp_path, WN)
    session.dispatch(Do((action("melee_attack", "hedge-robber-1", target="ordwen"),)))
    while session.model.pending is not None:
        session.dispatch(RollRest())
    async with opened(resume(session)) as table:
        for _ in range(100):
            if table.showing.selected != "hedge-robber-1":
                break
            await table.pilot.pause(0.02)
        assert table.showing.selected == "hedge-robber-2"
        assert "Toll-takers' turn: r Hedge Robber 2 ·" in table.text()


async def test_whose_dice_are_asked_stands_out_while_a_sheet_is_done(tmp_path: Path) -> None:
    """Header and list point to the one whose deed waits, wherever the cursor was."""
    async with opened(ready(tmp_path, WN)) as table:
        await table.type("A⏎")
        seen = []
        for _ in range(40):
            if table.model.pending is None:
                break
            deed = next(
                one.event.action.by for one in table.model.pending.entries if isinstance(one.event, ActionTaken)
            )
            assert deed is not None
            one = table.state[deed]
            assert f"' turn: {one.label} {one.name} ·" in table.text()
            assert re.search(rf"▶ (\S )?[•+]?{one.label} {one.name}", table.pane("roster"))
            seen.append(deed)
            await table.type("⏎")
        assert len(set(seen)) > 2
