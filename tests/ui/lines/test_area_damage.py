"""One number to many: halves, shares, pools and the games' own ways, on the encounters that come with them."""

from __future__ import annotations

from pathlib import Path

from tests.ui.drive import opened
from tests.ui.games import action_pane, begun

WN, SW, GH = "worlds_without_number", "sword_world", "githack"


async def test_area_damage_on_six_with_two_saved(tmp_path: Path) -> None:
    """A fireball of 9 on the bridge: four robbers, a hero and Snag."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await table.type("⏎5⏎3⏎-9hrioWU")
        assert table.hp("hedge-robber-1") == 5
        assert "o Ordwen, w Wick half, u Snag half" in action_pane(table)
        assert "h 5→0 dead" in action_pane(table)
        assert "u 16→12 (half)" in action_pane(table)
        await table.type("⏎")
        assert [
            table.hp(who)
            for who in ("hedge-robber-1", "hedge-robber-2", "hedge-robber-3", "ordwen", "poacher", "toll-captain")
        ] == [0, 0, 0, 12, 0, 12]
        assert {table.state[f"hedge-robber-{number}"].status for number in (1, 2, 3)} == {"dead"}
        await table.type("u")
        assert [table.hp(who) for who in ("hedge-robber-1", "ordwen", "toll-captain")] == [5, 21, 16]


async def test_everybody_takes_a_share_of_their_own(tmp_path: Path) -> None:
    """`-8o S t*2 n/4 u*0`: all of it, half, the double, a quarter, nothing."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await table.type("⏎5⏎3⏎-8oS t*2 n/4 u*0")
        assert "8 hp → o Ordwen, s Sefa half, t Tavi double, n Nele a quarter, u Snag none" in action_pane(table)
        await table.type("⏎")
        assert [table.hp(who) for who in ("ordwen", "sefa", "tavi", "nele", "toll-captain")] == [13, 11, 0, 11, 16]


async def test_share_that_cannot_be_is_refused_and_the_line_stays(tmp_path: Path) -> None:
    """A slip of the finger, and a multiple where everybody gets the same: a line of red and no hit points."""
    async with opened(begun(tmp_path, WN, "first_fight")) as table:
        await table.type("⏎5⏎3⏎-8o*9⏎")
        assert "9 is not on offer" in table.text()
        assert "> 8o*9" in table.text()
        assert table.hp("ordwen") == 21
        await table.press("escape")
        await table.type("-8o⏎+5o*2⏎")
        assert "everybody takes the same here" in table.text()
        assert table.hp("ordwen") == 13


async def test_damage_goes_through_defence_and_halves_round_up(tmp_path: Path) -> None:
    """Sword World: calculated damage meets Defense; `direct` leaves it out; half of 7 is 4; a word names the MP."""
    async with opened(begun(tmp_path, SW, "forest_ambush")) as table:
        await table.type("-7h⏎")
        assert table.hp("goblin-2") == 11
        await table.type("-7gH direct⏎")
        assert [table.hp(who) for who in ("goblin-1", "goblin-2")] == [9, 7]
        await table.type("-5m mp direct⏎")
        assert [(pool.key, pool.now) for pool in table.state["mira"].pools] == [("hp", 22), ("mp", 16)]
        await table.type("+3m mp⏎")
        assert table.state["mira"].pool("mp").now == 19


async def test_boxes_and_hit_points_by_the_same_key(tmp_path: Path) -> None:
    """GitHack: a goblin loses hit points, a PC has boxes marked."""
    async with opened(begun(tmp_path, GH, "goblin_waves")) as table:
        await table.type("-3g⏎")
        assert table.hp("goblin-1") == 2
        await table.type("-2b")
        assert "2 tick → b Brannoc" in action_pane(table)
        await table.type("⏎-1bM cross⏎")
        assert [table.state[who].fact("harm") for who in ("brannoc", "mother-ade")] == ["//x..........", "............"]
        await table.type("+1b⏎+4b cross⏎+3g⏎")
        assert table.state["brannoc"].fact("harm") == "/............"
        assert table.hp("goblin-1") == 5
