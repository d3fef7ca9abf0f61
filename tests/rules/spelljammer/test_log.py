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


STRIKES = ({"do": "declare", "by": "brannoc"}, {"do": "declare", "by": "ogre", "main": "nothing"})


def test_an_act_stands_in_one_line_with_its_segment() -> None:
    """An act and its roll share a line, the damage is another die."""
    missed = lines("duel", *STRIKES, {"next": 1, "dice": [5, 3]}, {"next": 1, "dice": [95]})
    struck = lines("duel", *STRIKES, {"next": 1, "dice": [5, 3]}, {"next": 1, "dice": [60, 3]})

    assert missed == [
        "7: Brannoc: longsword at Ogre: d100 95 ✎ vs SC 92 (112 longsword −20 DEF)  miss; in melee with Ogre"
    ]
    assert struck == [
        "7: Brannoc: longsword at Ogre: d100 60 ✎ vs SC 92 (112 longsword −20 DEF)  hit",
        "  1d8 3 ✎ +4 weapon −4 PROT = 3 → Ogre 72→69; in melee with Brannoc",
    ]


def test_an_act_changed_in_its_form_keeps_its_segment() -> None:
    """What the form adds is told behind the act's segment."""
    told = lines(
        "duel", *STRIKES, {"next": 1, "dice": [5, 3]}, {"do": "attack", "by": "brannoc", "modifier": 10, "dice": [96]}
    )

    assert told[0].startswith("7: Brannoc: Attack → Ogre (longsword SC 112, modifier 10)")


def test_another_act_meanwhile_is_not_taken_for_the_one_that_is_due() -> None:
    """Damage by hand before an act has a line without its segment."""
    told = lines("duel", *STRIKES, {"next": 1, "dice": [5, 3]}, {"do": "damage", "targets": ["ogre"], "amount": 3})

    assert told == ["GM: Damage → Ogre (amount 3): 72→69"]


def test_defaults_are_told_like_what_was_typed() -> None:
    """Each combatant of the side has a line, and the GM's acceptance none."""
    told = lines("pair", {"do": "declare_defaults", "side": "foes"})

    assert told == [
        "Ogre: Declare (attack: great club at Brannoc, free: 5 ft)",
        "Guard: Declare (attack: spear at Archer, free: 5 ft)",
    ]


def test_what_is_declared_as_before_is_named_in_one_line() -> None:
    """Only who declares something else than in the round before is told of anew."""
    idle = [{"do": "declare", "by": who, "main": "nothing"} for who in ("brannoc", "archer")]
    foes = {"do": "declare_defaults", "side": "foes"}
    round_1 = ({"next": 1, "dice": [3, 4]}, {"next": 1, "dice": [99]}, {"next": 1, "dice": [99]})

    both = lines("pair", *idle, foes, *round_1, *idle, foes)
    typed = lines("pair", *idle, foes, *round_1, idle[0])
    fell = {"do": "status", "targets": ["archer"], "status": "dead"}
    one = lines("pair", *idle, foes, *round_1, fell, idle[0], foes)

    assert both == ["Ogre and Guard: Declare as before"]
    assert typed == ["Brannoc: Declare as before"]
    assert one == ["Ogre: Declare as before", "Guard: Declare (attack: spear at Brannoc, free: 5 ft)"]


def test_who_is_caught_unaware_declares_nothing() -> None:
    """What the round keeps for them is not told as if they had said it."""
    caught = {"Party": [{"ref": "guard", "per": 10}], "Foes": ["ogre"]}
    told = lines({"sides": caught, "setup": {"ambush": ["guard"]}, "start": [30]}, {"next": 2, "dice": [9]})

    assert not [line for line in told if line.startswith("Guard: Declare")]
    assert "Ogre initiative: 1d10 9 ✎" in told[-1]


def test_the_same_declaration_of_several_stands_in_one_line() -> None:
    """What follows of one of them has a line of its own."""
    foes = {"Party": ["brannoc"], "Foes": [{"ref": "guard", "count": 2}, "archer"]}
    told = lines(
        {"sides": foes}, {"group": [{"do": "declare", "by": who, "main": "nothing"} for who in ("guard-1", "guard-2")]}
    )
    guards = [{"do": "declare", "by": who, "main": "full_defense"} for who in ("guard-1", "guard-2")]
    noted = lines({"sides": foes}, {"group": guards})

    assert told == ["Guard 1 and Guard 2: Declare (nothing, free: 5 ft)"]
    assert noted == [
        "Guard 1: Declare (full defense, free: 5 ft): DEF +13",
        "Guard 2: Declare (full defense, free: 5 ft): DEF +13",
    ]


def test_the_dice_of_a_side_stand_in_one_line() -> None:
    """The segment is said where it is not the number rolled."""
    told = lines(
        "pair",
        {"do": "declare", "by": "brannoc"},
        {"do": "declare", "by": "archer", "main": "nothing"},
        {"do": "declare_defaults", "side": "foes"},
        {"next": 1, "dice": [5, 5, 3, 4]},
    )

    assert told == [
        "Brannoc initiative: 1d10 5 ✎ +2 IM = 7, 1d8 5 ✎ +2 IM = 7  segment 6 (7 is taken)",
        "Foes initiative: Ogre 1d10 3 ✎; Guard 1d10 4 ✎",
    ]


def test_a_declaration_says_what_it_costs_and_brings() -> None:
    """Attacks given up, and points of DEF won."""
    aims = lines("shot", {"do": "declare", "by": "archer", "careful_aim": True})
    defends = lines("duel", {"do": "declare", "by": "brannoc", "defend": 25})
    guards = lines("duel", {"do": "declare", "by": "brannoc", "main": "desperate_defense"})

    assert aims[0].endswith("careful aim): 2 of 3 attacks")
    assert defends[0].endswith("SC given up for DEF 25): DEF +12")
    assert guards[0].endswith(": DEF +33")


def test_who_arrives_on_one_segment_is_told_together() -> None:
    """Distances covered are told when the movement is over."""
    goes = {"main": "nothing", "movement": "full"}
    told = lines(
        "pair",
        {"do": "declare", "by": "brannoc", **goes},
        {"do": "declare", "by": "archer", **goes, "distance": 15},
        {"do": "declare", "by": "ogre", **goes},
        {"do": "declare", "by": "guard", "main": "nothing"},
        {"next": 1},
    )

    assert told == ["Archer: moves 15 ft", "Brannoc moves 40 ft, Ogre 40 ft", "End of the round"]


def test_bleeding_of_a_rounds_end_stands_in_one_line() -> None:
    """With a step of wounds behind the loss that crosses it."""
    told = lines(
        "shot",
        {"do": "set", "who": "archer", "what": "hp", "value": 12},
        {"do": "add_effect", "name": "bleeding 2", "targets": ["archer", "post"]},
        {"do": "declare", "by": "archer", "main": "nothing"},
        {"do": "declare", "by": "post", "main": "nothing"},
        {"next": 1},
    )

    assert told[0] == "2 wound → Archer 12→10 (bleeding); very badly wounded −20"
    assert told[1] == "2 wound → Post 90→88 (bleeding)"


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
