"""Two dice and the better or the worse of them."""

from __future__ import annotations

import pytest

from tests.kit import duel
from tests.support.common import encounter
from tests.testing.slippery import with_deed
from tracker.core.terms.requests import DiceAnswer
from tracker.kit import Action, Ctx, Dice, action, twice
from tracker.testing.table import Table


@pytest.mark.parametrize(
    ("numbers", "edge"),
    [((), 0), ((0, 0), 0), ((1,), 1), ((3, 1), 1), ((-1,), -1), ((1, 1, -1), 0), ((0, -2, -1), -1)],
)
def test_many_of_a_kind_count_once_and_two_kinds_cancel(numbers: tuple[int, ...], edge: int) -> None:
    assert twice.settled(numbers) == edge


@pytest.mark.parametrize(("edge", "kept"), [(1, 17), (-1, 4), (0, 9)])
def test_the_better_or_the_worse_is_kept(edge: int, kept: int) -> None:
    rolled: list[int] = []

    def gamble(ctx: Ctx, action: Action) -> None:
        rolled.append(twice.roll(ctx, "attack", Dice.of(1, 20), edge=edge, who=action.by))

    table = Table(with_deed(gamble), encounter("duel"))
    table.do(action("slip", "ada"), answers={"attack": DiceAnswer(9, (9,)) if not edge else DiceAnswer(21, (4, 17))})

    assert rolled[-1] == kept


def test_only_one_die_is_rolled_twice() -> None:
    table = Table(duel.RULESET, encounter("duel"))

    with pytest.raises(ValueError, match="one die is rolled twice, not 3d6"):
        table.within(lambda ctx: twice.roll(ctx, "attack", Dice.of(3, 6), edge=1))
