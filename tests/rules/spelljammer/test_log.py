"""What the log says of a round: whole declarations, one line for one act."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulesets.spelljammer import RULESET
from tests.views.log.logging_support import log_lines
from tracker.testing.vectors import Table, VectorFile

BOOK = VectorFile(RULESET, *sorted((Path(__file__).parent / "vectors").glob("*.yaml")))


def lines(scene: str | dict[str, Any], *entries: dict[str, Any]) -> list[str]:
    """Play a scene, and return the lines of its last entry without rules."""
    given = BOOK.scenes[scene] if isinstance(scene, str) else scene
    table = Table(RULESET, BOOK.encounter(given))
    table.start(given.get("start", []))
    for entry in entries:
        before = table.state
        table.play(entry)
    told = log_lines(RULESET, table.state, table.entries, before=before)
    return [line.partition("  [")[0] for line in told]


TIED = {"simultaneous_ties": True}
ARCHERS = {
    "sides": {
        "Party": [
            {"ref": "archer", "name": "Ann", "id": "ann", "attacks": 1},
            {"ref": "archer", "name": "Bea", "id": "bea", "attacks": 1},
        ],
        "Foes": [{"ref": "guard", "hp_max": 90, "con": 35}],
    },
    "house_rules": TIED,
}


def shot(who: str) -> dict[str, Any]:
    """Declare a shot at the guard."""
    return {"do": "declare", "by": who, "blows": [{"weapon": "bow", "target": "guard"}]}


def test_arrows_of_the_same_moment_have_names_of_their_own() -> None:
    """SJ-163: each can be pulled out by its name."""
    logged = lines(
        ARCHERS,
        shot("ann"),
        shot("bea"),
        {"do": "declare", "by": "guard", "main": "nothing"},
        {"next": 1, "dice": [5, 5]},
        {"next": 1, "dice": [10, 1, 10, 1]},
    )

    assert [line for line in logged if "stuck arrow 2" in line] != []


def test_acts_of_the_same_moment_are_not_told_as_passed() -> None:
    """SJ-A02: two who fell each other are not in melee or stunned, and both acts were made."""
    guards = [{"ref": "guard", "name": name, "con": 3, "hp_max": 5} for name in ("Ann", "Bea")]
    scene = {"sides": {"Party": guards[:1], "Foes": guards[1:]}, "house_rules": TIED}

    logged = "\n".join(
        lines(
            scene,
            {"do": "declare", "by": "ann"},
            {"next": 2, "dice": [5, 5]},
            {"next": 1, "dice": [30, 6, 30, 6, "no"]},
        )
    )

    assert "down" in logged
    assert [word for word in ("same time", "in melee", "stunned") if word in logged] == []


def test_an_act_lost_to_forced_movement_is_told() -> None:
    """SJ-021: the clock does not pass it in silence."""
    logged = lines(
        {"sides": {"Party": [{"ref": "brannoc", "attacks": 1}], "Foes": ["ogre"]}},
        {"do": "declare", "by": "brannoc", "movement": "none"},
        {"do": "declare", "by": "ogre", "main": "nothing"},
        {"next": 1, "dice": [5]},
        {"do": "forced_move", "who": "brannoc", "dice": [30]},
        {"next": 1},
    )

    assert "Brannoc: longsword at Ogre skipped: forced to move" in logged


def test_bleeding_counts_for_its_archer() -> None:
    """SJ-164: the loss at the end of the round names who shot."""
    logged = lines(
        {**ARCHERS, "house_rules": {"bleed_first_round": True}},
        shot("ann"),
        {"do": "declare", "by": "bea", "main": "nothing"},
        {"do": "declare", "by": "guard", "main": "nothing"},
        {"next": 1, "dice": [5]},
        {"next": 1, "dice": [10, 1]},
    )

    assert [line for line in logged if "bleeding" in line and "by Ann" in line] != []
