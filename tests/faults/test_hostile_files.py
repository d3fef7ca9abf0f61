"""Home-made code that reads files and prints: stat blocks, short forms, importers, meanings."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.faults.harness.hostile import HARMS, HEALTHY, Switch
from tests.ui.drive import SETTINGS, Table, drive, fight
from tests.ui.skirmish import encounter
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import BadData, TrackerError
from tracker.core.terms.values import Data
from tracker.library.content.library import BlockEntry
from tracker.library.content.lint import lint_file
from tracker.library.content.members import BlockSource, member_of
from tracker.library.content.printed import Unreadable, import_text
from tracker.library.guard import guarded
from tracker.library.yaml.tree import parse
from tracker.ui.modes.acting.odds_line import OddsLine

FILE = """\
ruleset: skirmish
title: A brawl
party: [{name: Ada, hp: 10, nonsense: 3}]
monsters: [{name: Thug, hp: 6}]
"""
SECONDS = 5.0
HARM = {"harm": "loops"}


class Wild(Struct, Data, frozen=True, tag=True):
    """A stat block whose making is the author's own code."""

    hp: int = 1

    def __post_init__(self) -> None:
        HARMS[HARM["harm"]](type(self))


def entry() -> BlockEntry:
    tree = parse(b"- {name: Thug, hp: 7}\n", "thugs.yaml")
    assert isinstance(tree.value, list)
    return BlockEntry(tree, (0,), tree.value[0])  # type: ignore[arg-type]  # a block of keys


def suffer(folder: Path, path: str, harm: str) -> None:
    """Read a file, a stat block and a print with a hostile function."""
    switch = Switch()
    switch.turn(path, harm)
    ruleset = guarded(switch.ruleset)
    file = folder / "brawl.yaml"
    file.write_text(FILE, encoding="utf-8")
    begun = time.thread_time()
    with suppress(TrackerError):  # the commands say it in a line
        assert all("\n" not in problem.render() for problem in lint_file(file, lambda key: ruleset))
    member_of(ruleset, BlockSource(entry(), {}), "gm")
    for read in import_text(ruleset, "Goblin: AC 6, HD 1"):
        assert not isinstance(read, Unreadable) or "\n" not in read.why
    assert time.thread_time() - begun < SECONDS, (path, harm)


SCHEMA = [path for path in Switch().paths if path.startswith("schema.")]


@pytest.mark.parametrize(
    "case",
    [
        ("schema.shorthand", "leaves"),
        ("schema.importer", "leaves"),
        ("schema.importer", "lies"),
        ("schema.file_syntax", "floods"),
        ("schema.warnings", "recurses"),
    ],
)
def test_a_file_is_read_whatever_its_ruleset_does(tmp_path: Path, case: tuple[str, str]) -> None:
    suffer(tmp_path, *case)


@pytest.mark.long
@pytest.mark.parametrize("harm", HARMS)
@pytest.mark.parametrize("path", SCHEMA)
def test_every_file_is_read_whatever_its_ruleset_does(tmp_path: Path, path: str, harm: str) -> None:
    suffer(tmp_path, path, harm)


@pytest.mark.parametrize("harm", ["leaves", "recurses"])
def test_a_stat_block_that_cannot_be_made_costs_one_line(monkeypatch: pytest.MonkeyPatch, harm: str) -> None:
    monkeypatch.setitem(HARM, "harm", harm)
    kinds = (("pc", Wild), ("monster", Wild))
    ruleset = guarded(replace(HEALTHY, schema=replace(HEALTHY.schema, blocks=kinds, shorthand=None)))

    with pytest.raises(BadData, match=r"thugs\.yaml:1:3: \[0\]: Wild cannot be made: .* \(hostile\.py:"):
        member_of(ruleset, BlockSource(entry(), {}), "gm")


def test_odds_of_a_step_that_does_not_end_are_given_up(tmp_path: Path) -> None:
    """They are counted in a thread of their own, which comes to an end."""
    switch = Switch()
    session = fight(tmp_path, encounter(), switch.ruleset, SETTINGS)
    told: list[str] = []

    async def journey(table: Table) -> None:
        line = OddsLine(table.screen, told.append, on=True)
        actor = session.model.state.combatants[0].id
        switch.turn("perform", "loops")
        line._state, line._asked = session.model.state, Action("shout", actor, (("words", "x"),))
        line._count(session.ruleset, session.model.state, line._asked)
        line.begin()
        end = time.monotonic() + 30
        while not told:
            assert time.monotonic() < end
            await table.pilot.pause(0.02)
        assert told == [""]

    drive(session, journey)
