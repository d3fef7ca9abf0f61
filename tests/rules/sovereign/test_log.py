"""What the log says of a fight of Sovereign."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulesets.sovereign import RULESET
from tracker.testing.vectors import VectorFile
from tracker.views.log.steps import tell

BOOK = VectorFile(RULESET, Path(__file__).parent / "vectors" / "cast.yaml")
OPEN = {"grid": "............\n............\n............"}
PAIR = {"sides": {"party": ["k"], "foes": ["thug"]}, "start": [6, 2]}


def told(given: dict[str, Any], *do: Any) -> list[str]:
    """Return the lines of the last of these entries."""
    table = BOOK.play({"given": given, "do": list(do[:-1])})
    before = table.state
    table.play(do[-1])
    return [line.text for line in tell(RULESET, table.state, table.entries, before=before)]


def on_map(*at: list[int], **thug: Any) -> dict[str, Any]:
    return {
        "setup": OPEN,
        "sides": {"party": [{"ref": "k", "at": at[0]}], "foes": [{"ref": "thug", "at": at[1], **thug}]},
        "start": [6, 2],
    }


RUN = {"do": "run", "by": "k", "path": [[2, 1], [3, 1]]}
CASES = {
    "how far": (on_map([1, 1], [9, 1]), [RUN], ["K: Run: moves 1,1 → 3,1 (10 ft)"]),
    "whom one slips away from": (
        on_map([1, 1], [1, 0]),
        [{"do": "disengage", "by": "k"}, RUN],
        ["K: Run: no Attack of Opportunity by Thug: disengaged; moves 1,1 → 3,1 (10 ft)"],
    ),
    "nobody to slip away from": (
        on_map([1, 1], [9, 1]),
        [{"do": "disengage", "by": "k"}, RUN],
        ["K: Run: moves 1,1 → 3,1 (10 ft)"],
    ),
    "the melee that is left": (
        PAIR,
        [
            {"do": "attack_melee", "by": "k", "target": "thug", "dice": [1]},
            {"next": 2},
            {"do": "run", "by": "k", "feet": 20, "provokes": []},
        ],
        ["K: Run (distance 20): moves 20 feet, out of the melee with Thug"],
    ),
    "the melee that a Charge leaves, and the one it does not": (
        {"sides": {"party": ["k"], "foes": ["thug", "goblin"]}, "start": [6, 2]},
        [
            {"do": "engage", "who": "k", "with": ["thug", "goblin"]},
            {"do": "charge", "by": "k", "target": "thug", "feet": 10, "provokes": [], "dice": [1]},
        ],
        [
            "K: Charge → Thug (distance 10, sword): charging −2 AC, until start of party's phase",
            "K: charges 10 feet, out of the melee with Goblin; d20 1 ✎ +3 to hit +2 charge = 6 vs AC 13  miss",
            "2 sword → Thug 12→10 (Shock)",
        ],
    ),
    "what keeps Shock away": (
        {"sides": {"party": ["k"], "foes": ["dummy"]}, "start": [6, 2]},
        [{"do": "attack_melee", "by": "k", "target": "dummy", "dice": [1]}],
        ["K: Melee Attack → Dummy (sword): d20 1 ✎ +3 to hit = 4 vs AC 15  miss; no Shock: AC 15 is above 13"],
    ),
    "whose Morale, and why": (
        PAIR,
        [{"do": "damage", "amount": 6, "targets": ["thug"]}],
        ["GM: Damage → Thug (amount 6): 12→6; Morale of Thug, 6 of 12 hit points lost: fight on"],
    ),
    "a swarm as it grows": (
        {"sides": {"party": ["k", "kim"], "foes": ["dummy"]}, "start": [6, 2]},
        [
            {"do": "swarm_join", "by": "k", "target": "dummy"},
            {"do": "swarm_join", "by": "kim", "target": "dummy"},
        ],
        ["Kim: Swarm Attack → Dummy (sword): Dummy: swarmed by 2"],
    ),
    "a bow that is loaded at once": (
        {"sides": {"party": ["archer"], "foes": ["dummy"]}, "start": [6, 2]},
        [{"do": "attack_ranged", "by": "archer", "target": "dummy", "weapon": "sling", "dice": [1]}],
        ["Archer: Ranged Attack → Dummy (sling): d20 1 ✎ +2 to hit = 3 vs AC 15  miss"],
    ),
    "who is provoked": (
        PAIR,
        [{"do": "run", "by": "k", "feet": 20, "provokes": ["thug"], "dice": {"aoo:thug": "no"}}],
        ["K: Run (distance 20, provokes Thug)", "Thug: Attack of Opportunity at K? no", "K: moves 20 feet"],
    ),
    "dice of a spell": (
        PAIR,
        [{"do": "other", "by": "k", "text": "a prayer", "fields": {"dice": "2d4+1"}, "dice": [5]}],
        ["K: Cast a Spell or other (dice 2d4+1): a prayer; a prayer: 2d4+1: 5+1 = 6 ✎"],
    ),
    "how long surprise lasts": (
        {"setup": {"wait": True}, "sides": {"party": ["k"], "foes": ["thug", "goblin"]}, "start": []},
        [
            {"do": "damage", "amount": 6, "targets": ["goblin"]},
            {"next": 1, "dice": {"surprise": ["foes"]}},
        ],
        [
            "who is caught entirely unaware? foes",
            "Thug: surprised, until end of round 0",
            "Before the first round",
            "Morale of foes, 1 of 2 lost: fight on",
            "party's turn",
        ],
    ),
    "who falls": (
        {"sides": {"party": ["k", "kim"], "foes": ["dummy"]}, "start": [6, 2]},
        [{"do": "damage", "amount": 12, "targets": ["k"]}],
        ["GM: Damage → K (amount 12): 10→0, dying, until end of round 7; prone"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_log_tells(case: str) -> None:
    """A line says who does what, its numbers with their sources, and the outcome."""
    given, do, lines = CASES[case]

    assert told(given, *do) == lines
