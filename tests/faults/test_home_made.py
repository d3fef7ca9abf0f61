"""A home-made ruleset that fails."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.faults.harness.killing import digest
from tests.support.sides import RULESET as DUEL
from tests.support.sides import duel as encounter
from tests.ui.drive import NAMED, Table, drive, fight, stumbles
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Column, Schema
from tracker.core.terms.actions import Action
from tracker.core.terms.dice import Dice
from tracker.core.terms.requests import DiceAnswer
from tracker.library.content.library import BlockEntry
from tracker.library.content.members import BlockSource, member_of
from tracker.library.yaml.tree import parse
from tracker.session.intents import Do, RollRest
from tracker.session.session import Session
from tracker.session.settings import Settings
from tracker.ui.panes.pane import BlockPane
from tracker.ui.panes.roster import RosterPane
from tracker.ui.typing.mode import Result
from tracker.ui.widgets.lines import RowsWidget

SETTINGS = Settings(
    roller=lambda request: DiceAnswer(request.dice.minimum),
    auto_sides=("party", "thugs"),
    step_seconds=0.2,
    clock=lambda: "2031-05-01T19:40:00+00:00",
)


def duel(folder: Path, rules: Ruleset = DUEL) -> Session:
    session = fight(folder, encounter(), rules, SETTINGS)
    while session.model.pending is not None:
        session.dispatch(RollRest())
    return session


@pytest.mark.parametrize(
    ("key", "words"), [("crash", "Error"), ("loop", "did not end within 0.2 seconds"), ("stale", "Sides")]
)
def test_a_step_that_fails_is_shown_in_the_app(tmp_path: Path, key: str, words: str) -> None:
    """A line says what failed, nothing has changed, and the next key works."""
    session = duel(tmp_path)
    before = [record.row.texts for record in session.model.steps]
    actor = session.model.state.combatants[0].id

    async def journey(table: Table) -> None:
        table.showing.apply(Result(None, (Do((Action(key, actor),)), RollRest())))
        await table.pilot.pause()
        assert words in session.model.problem
        assert "nothing has changed" in session.model.problem
        assert [record.row.texts for record in session.model.steps] == before
        assert "Sides:" in table.text()
        await table.press("escape", "u")
        assert session.model.problem == ""

    drive(session, journey, (200, 50), sound=False)
    (file,) = (tmp_path / "problems").glob("*.jsonl")
    last = json.loads(file.read_text(encoding="utf-8").splitlines()[-1])
    assert last["line"] == "problem"
    assert last["step"]["actions"][0]["key"] == key
    assert "Traceback" in last["details"]


def broken(*arguments: object) -> object:
    raise LookupError("a slip in a home-made game")


def test_a_form_that_fails_costs_the_key_or_click(tmp_path: Path) -> None:
    """The line names what was raised while a form is filled in; with the ruleset mended the next key works."""
    session = duel(tmp_path)
    before = digest(DUEL, session.model)

    async def journey(table: Table) -> None:
        session.ruleset = replace(DUEL, form=broken)
        said = ""
        for name in ("a", "enter", "down", "tab", "escape", "-", "1", "enter", "escape", "ctrl+p", "enter", "escape"):
            await table.press(NAMED.get(name, name))
            assert table.app.is_running
            said = said or table.showing.problem
        assert "a slip in a home-made game (test_home_made.py:" in said
        assert " in broken); nothing has changed; problem file: " in said
        assert "Traceback" in Path(said.rpartition(": ")[2]).read_text(encoding="utf-8")
        session.ruleset = DUEL
        await table.press("escape", "a", "tab")
        assert "a slip" not in table.text()
        lines = table.text().splitlines()
        y = next(number for number in range(len(lines) - 1, -1, -1) if "target" in lines[number])
        session.ruleset = replace(DUEL, form=broken)
        await table.pilot.click(offset=(lines[y].index("target"), y))
        await table.pilot.pause()
        assert "test_home_made.py" in table.text()
        session.ruleset = DUEL
        await table.press("escape", "a")
        assert "test_home_made.py" not in table.text()

    drive(session, journey, (200, 50), sound=False)
    assert digest(DUEL, session.model) == before


def shown(table: Table, kind: type[RowsWidget]) -> list[str]:
    """Return the lines of a pane."""
    return [row.text for row in table.screen.query_one(kind)._shown if row is not None]


@pytest.mark.parametrize("broken_part", ["columns", "badges", "derived", "finished", "pending"])
def test_what_fails_to_be_drawn_costs_its_own_place(tmp_path: Path, broken_part: str) -> None:
    """What a ruleset raises while a pane is drawn stands in that pane."""
    luck = Column("luck", "Luck", 5, broken)  # type: ignore[arg-type]  # broken on purpose
    part = (*DUEL.columns, luck) if broken_part == "columns" else broken
    session = duel(tmp_path)
    session.ruleset = replace(DUEL, **{broken_part: part})

    async def journey(table: Table) -> None:
        told = stumbles(table.app)
        assert any("a slip in a home-made game" in line for line in told)
        assert "Log" in table.text()
        for person in table.state.combatants:
            assert any(f" {person.name} " in line for line in shown(table, RosterPane))
        assert any("stat block" in line for line in shown(table, BlockPane))
        files = list(table.app.session.problems.glob("slip-*.txt")) if table.app.session else []
        assert len(files) == 1
        text = files[0].read_text(encoding="utf-8")
        assert text.startswith("LookupError: a slip in a home-made game (test_home_made.py:")
        assert 'raise LookupError("a slip in a home-made game")' in text
        assert any("test_home_made.py" in line for line in told)
        for name in ("1", "2", "3", "b", "down", "-", "1", "escape", "?", "escape"):
            await table.press(NAMED.get(name, name))
            assert table.app.is_running

    drive(session, journey, (200, 50), sound=False)


def test_what_has_become_of_a_journal_is_said_first(tmp_path: Path) -> None:
    """The line stands on the screen until a key is pressed."""
    session = duel(tmp_path)
    session.journal.notice = "the journal was damaged"

    async def journey(table: Table) -> None:
        assert "the journal was damaged" in table.text()
        await table.press("escape")
        assert "the journal was damaged" not in table.text()

    drive(session, journey)


def test_a_stat_block_the_ruleset_stumbles_over(tmp_path: Path) -> None:
    """A shorthand that raises costs its stat block one line, and leaves a placeholder."""
    tree = parse(b"- {name: Thug, hp: 7, to_hit: 2}\n", "thugs.yaml")
    assert isinstance(tree.value, list)
    entry = BlockEntry(tree, (0,), tree.value[0])  # type: ignore[arg-type]  # a block of keys
    rules = replace(DUEL, schema=Schema(DUEL.schema.blocks, shorthand=broken))  # type: ignore[arg-type]  # broken on purpose

    member, problems = member_of(rules, BlockSource(entry, {}), "gm")

    (said,) = [problem.render() for problem in problems]
    expected = (
        r"thugs\.yaml:1:3: \[0\]: Sides cannot read this: LookupError: a slip in a home-made game"
        r" \(test_home_made\.py:\d+ in broken\); problem file: (.*) \(look for a key that is missing or misspelt\)"
    )
    found = re.fullmatch(expected, said)
    assert found is not None, said
    assert "Traceback" in Path(found[1]).read_text(encoding="utf-8")
    assert (member.name, getattr(member.block, "hp", None)) == ("Thug (?)", Dice(plus=7))
