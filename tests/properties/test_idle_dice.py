"""The table is asked for dice only where a face matters, but for what the games' rules say is always rolled."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.evenings.matter import differs
from tests.properties.games import GAMES, build
from tests.properties.golden_steps import GOLDEN, Played, golden, playout_steps, requests
from tests.support.shares import few
from tracker.core.game.ruleset import Ruleset
from tracker.core.terms.requests import Roll

BUNDLED = sorted((game, fight) for game, _, fight in (name.partition("/") for name in GAMES) if fight)
ALWAYS = {
    "worlds_without_number": {r"(^|/)attack(#\d+)? ·": "WN-R49: the answers to a hit and to a miss differ"},
    "sovereign": {r"(^|/)attack(#\d+)? ·": "SV-R47: the answers to a hit and to a miss differ"},
    "spelljammer": {r"^initiative:.*#\d+ ·": "SJ-A39: the first dice thrown may make the last needless"},
    "sword_world": {
        r"(^|/)initiative:": "SW-R56: all throw together, and the best may leave",
        r"(^|/)danger_sense:": "SW-R38: those of a side are thrown together",
        r"^knowledge[^·]* · $": "SW-R47: without a number the game master judges by the total",
    },
    "fifth_edition": {
        r"(^|/)[^/:]+:\d+ · $": "FE-15: damage is thrown with the attack",
        r"(^|/)save:[^/]+/": "FE-18: all who are caught save together",
    },
}
"""Dice that are rolled though no face may matter, by game: key and need, the rule that says so, and why."""


def idle(game: Ruleset, steps: tuple[Played, ...]) -> Iterator[str]:
    """Yield the rolls of a fight of which every face gives the same state, without those always rolled."""
    always = ALWAYS.get(game.key, {})
    for step in steps:
        for pending in requests(game, step):
            request = pending.request
            asked = f"{request.key} · {request.needed}" if isinstance(request, Roll) else ""
            if not isinstance(request, Roll) or any(re.search(one, asked) for one in always):
                continue
            if not differs(game, step.before, step.step, pending):
                yield f"step {step.number}: {asked} ({request.why})"


@pytest.mark.parametrize("name", sorted(name for name in GOLDEN if not name.startswith("skirmish")))
@few(2)
def test_a_golden_fight_rolls_no_dice_in_vain(name: str, each: int) -> None:
    """Each die of the golden fights can change something."""
    ruleset, steps = golden(name)

    assert list(idle(ruleset, steps[::each])) == []


@pytest.mark.long
@pytest.mark.parametrize(("game", "name"), BUNDLED)
def test_a_fight_rolls_no_dice_in_vain(game: str, name: str) -> None:
    """The same for bundled fights and those of the worked example, played to their end by the game's own choices."""
    ruleset, encounter = build(f"{game}/{name}")

    assert list(idle(ruleset, playout_steps(ruleset, encounter, 3))) == []
