"""Each evening goes as it was kept, and each decision in it could matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evenings.evening import EVENINGS, SIZES, kept_at, played, text_of
from tests.ui.games import GH, SJ, SV, SW, WN

SHORTEST = WN
BEFORE = {WN: (38.0, 3.0), GH: (76.0, 1.4), SV: (32.9, 5.9), SJ: (93.0, 17.5), SW: (68.1, 2.5)}
"""Keys, and prompts beside the players' dice, a round: without sheets, the GM's dice asked for, every window open."""
KEPT = {WN: (12.0, 1.7, 0.7), GH: (22.0, 3.7, 0.3), SV: (11.0, 1.5, 0.6), SJ: (27.1, 6.4, 0.6), SW: (19.0, 3.5, 0.0)}
"""The most that an evening may cost a round: keys, prompts of every kind, and those beside the players' dice."""


@pytest.mark.parametrize("size", SIZES)
def test_the_shortest_evening_goes_by_its_keys(size: str, tmp_path: Path) -> None:
    """Who sees nothing but the screen presses the kept keys, to the end of the fight."""
    assert text_of(SHORTEST, played(tmp_path, SHORTEST, size)) == kept_at(SHORTEST).read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", EVENINGS)
def test_each_evening_goes_by_its_keys_and_asks_only_what_could_matter(game: str, size: str, tmp_path: Path) -> None:
    """Every decision has an answer that changes the fight; a round costs half the keys of before at most."""
    evening = played(tmp_path, game, size, judge=True)

    assert text_of(game, evening) == kept_at(game).read_text(encoding="utf-8")
    assert evening.idle == ()
    others = sum(line.shown.startswith("Question") and " roll " not in line.shown for line in evening.lines)
    costs = (evening.pressed, evening.prompts, others)
    assert [round(cost / evening.rounds, 1) <= most for cost, most in zip(costs, KEPT[game], strict=True)] == [True] * 3
    assert KEPT[game][0] <= BEFORE[game][0] / 2
    assert KEPT[game][2] < BEFORE[game][1]
