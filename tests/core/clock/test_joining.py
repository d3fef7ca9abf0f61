"""Joining: counts, names, ids and labels."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.support import sides
from tests.support.common import encounter, member
from tracker.core.clock.joining import slug
from tracker.core.fight.events import FightOpened, Rolled
from tracker.core.run import Interruption, Step
from tracker.core.terms.actions import action
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.testing.table import Table, of_kind


@pytest.mark.parametrize(
    ("name", "key"),
    [("Goblin 1", "goblin-1"), ("  Émile d'Or ", "emile-d-or"), ("北風", "combatant"), ("A/B:C", "a-b-c")],
)
def test_ids_are_plain(name: str, key: str) -> None:
    """An id holds small letters, digits and dashes only."""
    assert slug(name) == key


def test_one_keeps_its_name_and_several_are_numbered() -> None:
    """Names are unique over the whole fight, in the order of joining."""
    fight = encounter(
        "sides",
        party=(member("Ada", kind="pc"),),
        foes=(member("Goblin", 2), member("Ada"), member("Wolf"), member("Goblin")),
    )
    table = Table(sides.RULESET, fight)

    assert [(one.id, one.name) for one in table.state.combatants] == [
        ("ada-1", "Ada 1"),
        ("goblin-1", "Goblin 1"),
        ("goblin-2", "Goblin 2"),
        ("ada-2", "Ada 2"),
        ("wolf", "Wolf"),
        ("goblin-3", "Goblin 3"),
    ]


def test_names_that_come_to_the_same_id() -> None:
    """Names that differ only in special characters get different ids."""
    table = Table(sides.RULESET, encounter("sides", party=(member("A B"), member("A-B"), member("a.b"))))

    assert [one.id for one in table.state.combatants[:3]] == ["a-b", "a-b-2", "a-b-3"]


def test_player_characters_choose_their_letters_first() -> None:
    """Player characters get their labels first, also if the foes are first in the file."""
    fight = encounter("sides", party=(member("Ada", kind="pc"),), foes=(member("Ape"),))
    table = Table(sides.RULESET, replace(fight, sides=fight.sides[::-1]))

    assert [(one.id, one.label) for one in table.state.combatants] == [("ape", "b"), ("ada", "a")]


def test_counts_are_rolled_once_each() -> None:
    """Counts are rolled in order, with different keys, and their fixed numbers are added."""
    table = Table(
        sides.RULESET,
        encounter("sides", foes=(member("Rat", "1d4+1"), member("Rat", "1d6"))),
        {"count:rat": 1, "count:rat#2": 2},
    )

    assert [(event.key, event.total) for event in of_kind(table.last, Rolled)][:2] == [
        ("count:rat", 1),
        ("count:rat#2", 2),
    ]
    assert sum(one.side == "goblins" for one in table.state.combatants) == 4


def test_switches_have_their_defaults() -> None:
    """A fight without house rules has the ruleset's."""
    table = Table(sides.RULESET, encounter("sides"))

    assert [event.house_rules for event in of_kind(table.last, FightOpened)] == [sides.Switches()]


def test_nobody_interrupts_while_somebody_joins() -> None:
    """An interruption while newcomers have no hit points yet is refused; the step is not."""
    table = Table(sides.RULESET, encounter("sides"))
    table.ruleset = replace(
        table.ruleset, join=lambda ctx, newcomers: [ctx.roll("hp", Dice.of(1, 6)), sides.join(ctx, newcomers)]
    )  # type: ignore[arg-type]  # what it returns does not matter
    wolf = action("insert", members=(member("Wolf"),))

    refusal = table.run(
        Step("do", (wolf,), interrupts=(Interruption("hp", action("damage", amount=2, targets=("ada",))),))
    )

    assert isinstance(refusal, Refusal)
    assert (refusal.reason, refusal.at) == ("joining", "hp!1")
    table.do(wolf)
    assert table.state["wolf"].hp == 6
