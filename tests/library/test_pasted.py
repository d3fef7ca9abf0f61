"""A printed stat block, pasted where a name could stand, lets its creature join."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.models import Monster
from tests.ui.drive import Table, drive, fight
from tracker.core.terms.errors import Refused
from tracker.library.content.encounters import load_encounter
from tracker.library.content.printed import looks_printed, members_in
from tracker.ui.typing.mode import GmFiles

CISTERN = Path(__file__).resolve().parents[2] / "encounters" / "githack" / "jelly_cistern.yaml"
GHOUL = "Ghoul: AC 6 [13], HD 2* (9hp), Att 2 × claw (1d3 + paralysis), 1 × bite (1d3 + paralysis), ML 9"


def test_a_print_is_told_from_a_name() -> None:
    assert looks_printed(GHOUL)
    assert not looks_printed("ghoul")
    assert not looks_printed("2 acolytes")


def test_a_print_becomes_a_member_with_its_special_effect_drafted() -> None:
    """A pasted stat block becomes a monster (GH-302, GH-304, GH-310)."""
    (member,) = members_in(RULESET, GHOUL)

    block = cast(Monster, member.block)
    assert member.name == "Ghoul"
    assert block.ac == 3
    assert str(block.hd) == "2d8"
    assert [special.effect for special in (*block.specials, *block.attacks[0].specials)] == ["paralysed"]


def test_what_is_open_stands_in_the_notes() -> None:
    """GH-303: a single AC number does not say which game it is from."""
    (member,) = members_in(RULESET, "Thing: AC 5, HD 2, Att 1 bite (1d6)")

    assert "which game" in cast(Monster, member.block).notes


def test_a_ruleset_without_an_importer_refuses() -> None:
    from tests.ui.skirmish import SKIRMISH

    with pytest.raises(Refused):
        members_in(SKIRMISH, GHOUL)


def test_a_print_pasted_into_the_insert_line_joins_the_fight(tmp_path: Path) -> None:
    prepared = load_encounter(CISTERN, lambda key: RULESET).encounter
    assert prepared is not None

    async def journey(table: Table) -> None:
        table.cockpit.files = GmFiles(lambda text: members_in(RULESET, text) if looks_printed(text) else ())
        before = len(table.state.combatants)
        await table.type("i")
        table.showing.open(table.mode.paste(table.showing.context, GHOUL))  # type: ignore[union-attr]
        await table.type("⏎")
        assert len(table.state.combatants) == before + 1
        assert "ghoul" in table.state.combatants[-1].id

    drive(fight(tmp_path, prepared, RULESET), journey)
