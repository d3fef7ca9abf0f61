"""Declarations at table speed."""

from __future__ import annotations

import re
from pathlib import Path

from rulesets.spelljammer.screen import declares
from tests.ui.drive import Table, opened
from tests.ui.games import SJ, action_pane, begun, played
from tests.ui.keys.test_text_fields import EVERYTHING
from tracker.ui.modes.acting.batch import TurnBatch


def declared(table: Table) -> int:
    return sum(person.fact("declaration") is not None for person in table.state.combatants)


async def declare_all(table: Table) -> None:
    """Take the defaults, one key at a time, until initiative is rolled."""
    while table.model.pending is None and table.state.clock.phase == "declare":
        await table.type("n")


async def rolled(table: Table) -> None:
    """Let the program roll, and take what is usual, until nothing is asked."""
    while table.model.pending is not None:
        await table.type("*")
        if table.model.pending is not None:
            await table.type("⏎")


async def test_everybody_declares_in_sixteen_keys_with_the_defaults(tmp_path: Path) -> None:
    """Four heroes and their foes."""
    async with opened(begun(tmp_path, SJ, "spell_duel")) as table:
        assert len(table.state.combatants) >= 9
        lines = TurnBatch.open(table.showing.context, 9).lines
        await table.type("n")
        (record,) = table.model.steps[-1:]
        foes = [line.action for line in lines if table.state.side_of(line.by).control == "gm"]
        assert list(record.step.actions) == foes
        hero = TurnBatch.open(table.showing.context, 9).lines[0]
        await table.type("n")
        assert table.model.steps[-1].step.actions == (hero.action,)
        await declare_all(table)
        assert declared(table) == len(table.state.combatants)
        assert table.pressed <= 16


async def test_a_declaration_of_ones_own_is_one_form(tmp_path: Path) -> None:
    """`a`, then Enter takes the default of the chosen combatant, which can be changed."""
    async with opened(begun(tmp_path, SJ, "spell_duel")) as table:
        table.showing.select("brannoc")
        await table.type("a")
        assert "Declare" in table.text()
        await table.type("⏎")
        assert declared(table) == 1


async def test_the_round_stands_as_a_ladder_of_segments(tmp_path: Path) -> None:
    """Each act stands on its segment, the current one marked, done ones ticked."""
    async with opened(begun(tmp_path, SJ, "spell_duel")) as table:
        await declare_all(table)
        while table.model.pending is not None:
            await table.type("*")
        current = table.state.clock.current
        assert current is not None
        assert current.segment is not None
        segments = [slot.segment for slot in table.state.clock.upcoming if slot.segment is not None]
        assert segments == sorted(segments, reverse=True)
        await table.type("n")
        while table.model.pending is not None:
            await table.type("*")
        order = "\n".join(line[:31] for line in table.text().splitlines()[1:24])
        assert "▶" in order
        assert "✓" in order


async def test_a_narrow_pane_says_how_a_whole_side_declares(tmp_path: Path) -> None:
    """Where one line has no room for the keys, they have their own."""
    async with opened(begun(tmp_path, SJ, "archers_into_melee"), (80, 24)) as table:
        assert "Declarations A all · n Hill folk as usual" in action_pane(table)


async def test_the_acts_of_a_round_in_two_keys(tmp_path: Path) -> None:
    """They stop where a player rolls, before a label's next act, and at the end."""
    async with opened(begun(tmp_path, SJ, "archers_into_melee")) as table:
        assert "A all · n Hill folk as usual" in table.text()
        await table.type("A⏎")
        assert table.pressed == 2
        assert table.model.pending is not None
        assert declared(table) == len(table.state.combatants)
        await rolled(table)
        round_before = table.state.clock.round
        acts = [slot for slot in table.state.clock.slots if slot.segment is not None and slot.stop]
        await table.type("A")
        before = (table.model, table.chosen, type(table.mode))
        await table.hurry(EVERYTHING.replace("?", ""))  # which opens the help
        assert (table.model, table.chosen, type(table.mode)) == before
        await table.type("⏎")
        assert "is no label here" in table.pane("console")
        await table.press(*["backspace"] * (len(EVERYTHING) - 1))
        last = acts[-1].members[0]
        early = next(slot for slot in acts if slot.members[0] != acts[0].members[0])
        assert early.members[0] != last
        await table.type(f"{table.state[early.members[0]].label}⏎")
        await rolled(table)
        assert table.state.clock.at == early.id
        since = len(table.model.steps)
        await table.type("A⏎")
        await rolled(table)
        assert table.state.clock.round == round_before + 1
        assert len(table.model.steps) - since >= len(acts) - 4
        await table.type("u")
        assert table.state.clock.round == round_before


async def test_declarations_have_the_room_of_effects_nobody_has(tmp_path: Path) -> None:
    """An attack with target and count is whole at 120 columns, wounds follow it; an effect brings its column back."""
    session = begun(tmp_path, SJ, "archers_into_melee")
    played(session, lambda state: state.clock.current is not None and state.clock.current.segment is not None)
    async with opened(session) as table:
        said = {one.name: declares(table.state, one.id) for one in table.state.combatants}
        rows = {name: next(row for row in table.text().splitlines() if f" {name} " in row[30:60]) for name in said}
        assert [name for name, words in said.items() if words not in rows[name]] == ["Cave Lurker"]  # three weapons
        assert "Effects" not in table.text()

        await table.type("-25s⏎")
        assert re.search(r"mace → Cave Lurker · wounds −\d0 *│", table.text())
        await table.type("edazed i⏎")
        assert "Effects" in table.text()
        assert "dazed" in table.pane("roster")
