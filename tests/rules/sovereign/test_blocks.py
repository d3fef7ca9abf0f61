"""Stat blocks of Sovereign: what a GM types, and what becomes of it."""

from __future__ import annotations

import pytest

from rulesets.sovereign import RULESET
from rulesets.sovereign.stat_blocks.models import MemberKeys, Setup, SideKeys
from rulesets.sovereign.stat_blocks.shorthand import PRESETS
from tests.support.tables import read_block, rows


def test_every_printed_weapon_can_be_typed_by_name() -> None:
    """Given the list of weapons, each entry reads back as itself."""
    names = [arm.name for arm in PRESETS]

    assert read_block(RULESET, "monster", {"name": "X", "attacks": names}).attacks == PRESETS


def test_squares_of_members() -> None:
    """Given a square or a list of them, each copy has its own."""
    assert MemberKeys(at=(0, 2)).squares == ((0, 2),)
    assert MemberKeys(at=((0, 2), (3, 1))).squares == ((0, 2), (3, 1))
    with pytest.raises(ValueError, match="at:"):
        MemberKeys(at=(0, (2, 3)))


@pytest.mark.parametrize(("keys", "complaint"), rows(__file__, "maps_that_cannot_be_read"))
def test_maps_that_cannot_be_read(keys: dict[str, object], complaint: str) -> None:
    """Given a map with something wrong, the complaint names it."""
    with pytest.raises(ValueError, match=complaint):
        Setup(**keys)  # type: ignore[arg-type]  # as typed


def test_a_map_is_read() -> None:
    """Given rows, a legend and heights, every square is what it says. Short rows end in walls."""
    ground = Setup(grid="..x\n~o", legend={"x": "wall"}, elevation={"0-1,0": 10}).terrain

    assert ground is not None
    assert ground.rows == (("open", "open", "wall"), ("difficult", "chasm", "wall"))
    assert ground.heights == ((10, 10, 0), (0, 0, 0))
    assert Setup().terrain is None


def test_sides_that_expect_combat_cannot_be_surprised() -> None:
    """Given both flags, the file is refused (SV-028)."""
    with pytest.raises(ValueError, match="surprised"):
        SideKeys(surprised=True, anticipating=True)
