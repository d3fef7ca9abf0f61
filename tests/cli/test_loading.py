"""Who can be found for joining a fight, whatever has become of the files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from msgspec import Meta, Struct
from msgspec.structs import replace

from tests.cli.skirmish import SKIRMISH
from tracker.cli.loading import MOST_FOUND, stat_blocks
from tracker.core.game.ruleset import Ruleset
from tracker.core.game.schema import Schema
from tracker.core.terms.values import Data


class Coded(Struct, Data, frozen=True, tag=True):
    """A stat block of which no placeholder can be made: no least text fits."""

    name: str
    code: Annotated[str, Meta(pattern="^[0-9]{4}$")]


CODED: Ruleset = replace(SKIRMISH, schema=Schema((("monster", Coded),)))


def test_a_block_of_which_nothing_can_be_made_hides_no_other(tmp_path: Path) -> None:
    """A search leaves it out."""
    (tmp_path / "beasts.yaml").write_text(
        "monsters:\n- {name: Thug, code: none}\n- {name: Thunder Bird, code: '1234'}\n", encoding="utf-8"
    )

    assert [member.name for member in stat_blocks(CODED, tmp_path, (), "thu")] == ["Thunder Bird"]


def test_a_file_that_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    """Neither does one that is no YAML at all."""
    (tmp_path / "beasts.yaml").write_bytes(b"monsters: [{name: Thug\n\x00\xff")
    (tmp_path / "birds.yaml").write_text("monsters:\n- {name: Thunder Bird, code: '1234'}\n", encoding="utf-8")

    assert [member.name for member in stat_blocks(CODED, tmp_path, (), "thu")] == ["Thunder Bird"]


def test_a_folder_that_has_gone_hides_no_other(tmp_path: Path) -> None:
    """A folder taken away in mid-fight is passed over."""
    (tmp_path / "birds.yaml").write_text("monsters:\n- {name: Thunder Bird, code: '1234'}\n", encoding="utf-8")

    assert [member.name for member in stat_blocks(CODED, tmp_path, (str(tmp_path / "gone"),), "thu")] == [
        "Thunder Bird"
    ]


def test_a_file_that_has_changed_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bestiary that is mended during the fight is found as it is now."""
    monkeypatch.setattr("tracker.cli.loading.LOOKED", 0.0)
    birds = tmp_path / "birds.yaml"
    birds.write_text("monsters:\n- {name: Thunder Bird, code: '1234'}\n", encoding="utf-8")
    assert [member.name for member in stat_blocks(CODED, tmp_path, (), "thu")] == ["Thunder Bird"]

    birds.write_text(
        "monsters:\n- {name: Thunder Bird, code: '1234'}\n- {name: Thumbling, code: '4321'}\n", encoding="utf-8"
    )
    assert [member.name for member in stat_blocks(CODED, tmp_path, (), "thu")] == ["Thumbling", "Thunder Bird"]
    (tmp_path / "thugs.yaml").write_text("monsters:\n- {name: Thug, code: '1111'}\n", encoding="utf-8")
    assert len(stat_blocks(CODED, tmp_path, (), "thu")) == 3


def test_no_more_are_made_than_are_shown(tmp_path: Path) -> None:
    """Of a thousand that fit only the first are made into members."""
    lines = "".join(f"- {{name: Thug {number}, code: '{number:04}'}}\n" for number in range(1000))
    (tmp_path / "thugs.yaml").write_text("monsters:\n" + lines, encoding="utf-8")

    assert len(stat_blocks(CODED, tmp_path, (), "thug")) == MOST_FOUND
