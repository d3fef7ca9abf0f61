"""The sides' points in the header: from round to round, where there is room."""

from __future__ import annotations

import re
from pathlib import Path

from tests.ui.drive import Table, fight, opened, resume
from tests.ui.games import GH, WN, begun, played


def points(table: Table, side: str) -> str:
    """Return what a side has left, by what its combatants' rows say."""
    people = [one for one in table.state.combatants if one.side == side]
    return f"{sum(max(0, one.hp) for one in people)}/{sum(one.pools[0].max for one in people)}"


def head(table: Table) -> str:
    return table.text().splitlines()[0]


async def to_round(table: Table, number: int) -> None:
    while table.state.clock.round < number:
        await table.type("n")


async def test_a_bar_a_round_and_one_for_now(tmp_path: Path) -> None:
    """Each side has a bar for the beginning of each round and one for now, with the points left."""
    async with opened(fight(tmp_path), (200, 40)) as table:
        one, other = (side.id for side in table.state.sides)
        names = [side.name for side in table.state.sides]
        assert f"{names[0]} ▇▇ {points(table, one)} · {names[1]} ▇▇ {points(table, other)}" in head(table)

        foes = " ".join(person.label for person in table.state.combatants if person.side == other)
        await table.type(f"-99{foes.replace(' ', '')}⏎")
        assert f"{names[1]} ▇▁ {points(table, other)}" in head(table)
        assert points(table, other).startswith("0/")

        await table.type("u")
        await to_round(table, 3)
        assert f"{names[0]} ▇▇▇▇ {points(table, one)}" in head(table)


async def test_they_are_there_after_a_restart_and_in_the_past(tmp_path: Path) -> None:
    """A fight taken up again has the bars of its earlier rounds; looking back shows those up to there."""
    session = fight(tmp_path)
    async with opened(session, (200, 40)) as table:
        await table.type("-11a⏎")
        await to_round(table, 3)
        before = head(table)
    async with opened(resume(session), (200, 40)) as table:
        assert before.split("·")[-2].split()[1:3] == head(table).split("·")[-2].split()[1:3]
        side = table.state.sides[0].name
        now = head(table)
        for _ in range(200):
            if table.state.clock.round == 1:
                break
            await table.type("[")
        assert table.state.clock.round == 1
        assert f"{side} ▇" in head(table)
        assert len(head(table).split(f"{side} ")[-1].split()[0]) < len(now.split(f"{side} ")[-1].split()[0])


async def test_where_there_is_no_room_there_are_none(tmp_path: Path) -> None:
    """Title, moment and who acts are never cut for them."""
    session = begun(tmp_path, WN, "first_fight")
    played(session, lambda state: state.clock.round > 0 and state.clock.current is not None)
    async with opened(session, (80, 24)) as table:
        assert "▇" not in head(table)
        assert head(table).startswith(" Toll at the broken bridge  Round 1 · ")


async def test_harm_counts_where_there_are_no_points(tmp_path: Path) -> None:
    """In GitHack the boxes that are free are a character's points, hit points a monster's."""
    session = begun(tmp_path, GH, "dragon")
    played(session, lambda state: state.clock.round > 0)
    async with opened(session, (200, 40)) as table:
        boxes = sum(len(free) for free in re.findall(r"──────── (\.+) ", table.text()))
        assert f"Party ▇▇ {boxes}/{boxes}" in head(table)
        assert "Monsters ▇▇ 84/84" in head(table)
