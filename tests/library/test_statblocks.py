"""Printed stat blocks: parted, read by the ruleset, written as a file that loads."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import declared
from tests.support.tables import rows
from tracker.core.game.schema import Imported, codec_of
from tracker.core.terms.errors import Refused
from tracker.library.content import printed
from tracker.library.content.library import Library
from tracker.library.content.lint import lint_file
from tracker.session.rulesets import registry

SKELETONS = "26 Skeletons: AC 7 [12], HD 1 (4hp each), Att 1 × rusty weapon (1d6), THAC0 19 [0], ML 12"
TROLL = "**Troll**: AC4[15],HD6+3*,2×talon(1d6)+bite(1d10),THAC0 13[+6],..."
BASILISK = "Basilisk\n4 [15]\n6+1**(28hp)\n1 × bite (1d10 + petrification), 1 × gaze (petrification)"
WORDS = st.sampled_from(
    (
        *("AC", "HD", "HP", "Att", "Damage", "7 [12]", "2*", "½", "5 to 12", "1 × bite", "(1d6", "+ poison)", "or"),
        *("/", ",", "\n", "[", ")", "3d8+2", "breath", "x"),
    )
)


def blocks(text: str, ruleset: str = "githack", system: str = "", **choices: str) -> list[Imported]:
    found = printed.import_text(registry.find(ruleset), text, system, choices)
    return [item for item in found if isinstance(item, Imported)]


def test_prints_are_parted() -> None:
    """Two lines that are blocks and one of several rows are three prints."""
    parted = printed.prints(f"{SKELETONS}\n{TROLL}\r\n\r\n# copied from the book\n{BASILISK}\n\n\n")

    assert parted == (SKELETONS, TROLL, BASILISK)


def test_one_failure_does_not_stop_the_others() -> None:
    """Nonsense between two blocks is reported with its reason, and both are read."""
    skeletons, nonsense, troll = printed.import_text(
        registry.find("githack"), f"{SKELETONS}\n\nhere be dragons\n\n{TROLL}"
    )

    assert isinstance(skeletons, Imported)
    assert isinstance(troll, Imported)
    assert nonsense == printed.Unreadable(
        "here be dragons", "no AC, hit points or damage in it; name them, such as: AC 3, HP 5, Damage 1d6"
    )


def test_the_file_loads(tmp_path: Path) -> None:
    """The file made of imported blocks holds them all by name without a problem."""
    ruleset = registry.find("githack")
    path = tmp_path / "bestiary.yaml"
    path.write_text(printed.bestiary(ruleset, blocks(f"{SKELETONS}\n\n{TROLL}\n\n{BASILISK}")), encoding="utf-8")

    assert [problem for problem in lint_file(path, lambda key: ruleset) if not problem.is_warning] == []
    assert [entry.name for entry in Library(tmp_path).blocks(path)] == ["Skeletons", "Troll", "Basilisk"]


def test_what_is_open_stands_above_the_block() -> None:
    """Given a print with unreadable parts and an open question, comments say all."""
    print_ = "Ogre: AC 5, HD 4 to 6, Att 1 club (1d10), 1 kick (1d7)"
    text = printed.bestiary(registry.find("githack"), blocks(print_))

    assert '# not read: "1 kick (1d7)": there is no d7' in text
    assert '# not read: "AC 5": which game counts so?' in text
    assert "# hit dice 4 to 6: how many? 4 is taken; or: 5, 6" in text


def test_an_answer_settles_a_question() -> None:
    """Given the system and a number of heads, nothing is left open."""
    (hydra,) = blocks("Hydra: AC 5, HD 5 to 12 (8hp per HD), Att 5 to 12 × bite (1d10)", system="ose", hd="7")

    assert hydra.questions == ()
    assert (hydra.block["ac"], hydra.block["hp"]) == (4, 56)


def test_another_game() -> None:
    """A line of Worlds Without Number is read by its own reader, or said."""
    (bandit,) = blocks("Bandit: HD 1, AC 12, Atk +1, Dmg 1d6, Shock x, Move 30', ML 7", "worlds_without_number")

    assert (bandit.block["name"], bandit.block["ac"], bandit.block["ml"]) == ("Bandit", 12, 7)
    assert bandit.unread == ('"Shock: x": no such column, or not in its notation',)


@pytest.mark.parametrize(("text", "name", "count"), rows(__file__, "a_title_may_have_digits_and_a_count"))
def test_a_title_may_have_digits_and_a_count(text: str, name: str, count: int | str | None) -> None:
    """A line of Worlds Without Number, its name before a colon or above."""
    (read,) = blocks(text, "worlds_without_number")

    assert (read.block["name"], read.block.get("count"), read.unread) == (name, count, ())


def test_the_creatures_of_a_print_join_as_many_as_it_says() -> None:
    """Pasted into a fight, the dice of its title are rolled."""
    (rats,) = printed.members_in(registry.find("githack"), "Giant Rats (2d6): AC 7 [12], HD 1, Att 1 bite (1d3)")

    assert (rats.name, str(rats.count)) == ("Giant Rats", "2d6")


def test_a_game_that_reads_no_prints() -> None:
    """Given a ruleset without an importer, it says so."""
    with pytest.raises(Refused, match="reads no printed stat blocks"):
        printed.import_text(declared.RULESET, SKELETONS)


def test_control_characters_are_spelled_out() -> None:
    """Given an escape sequence in a print, no part of the file holds it."""
    text = printed.bestiary(
        registry.find("githack"), blocks("Imp\x1b[2J: AC 5 [14], HP 3, Att 1 \x1b]0;x (1d7), 1 claw (1d4)")
    )

    assert "\x1b" not in text


@given(st.lists(WORDS | st.text(max_size=8), max_size=12).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any text gives blocks that load, or failures with a reason."""
    ruleset = registry.find("githack")

    for item in printed.import_text(ruleset, text, "ose"):
        if isinstance(item, Imported):
            assert ruleset.schema.shorthand is not None
            plain = {key: value for key, value in item.block.items() if key != "count"}
            block = codec_of(ruleset.schema).convert(
                ruleset.schema.shorthand("monster", plain), dict(ruleset.schema.blocks)["monster"]
            )
            assert block is not None
        else:
            assert item.why


TEN = "Name HD AC Atk Dmg Shock Move ML Inst Skill Save"
CHIEF = "Orc War Chief 4 15a +6 x2 1d8+2 2/15 30' fly 9 4 +2 13+"
CHIEF_KEYS = {"hd": 4, "ac": "15a", "atk": "+6 x2", "dmg": "1d8+2", "shock": "2/15", "move": "30' fly", "ml": 9}


@pytest.mark.parametrize("text", [f"{TEN}\n{CHIEF}", f"{TEN.removeprefix('Name ')}\n{CHIEF}", CHIEF])
def test_a_table_that_has_lost_its_gaps(text: str) -> None:
    """Single spaces, as a PDF gives them: with headings, with headings but that of the name, with none."""
    (chief,) = blocks(text, "worlds_without_number")

    assert chief.unread == ()
    assert {key: chief.block[key] for key in CHIEF_KEYS} == CHIEF_KEYS
    assert chief.block["name"] == "Orc War Chief"


@pytest.mark.parametrize(
    "text", [f"{TEN}\nGuard 7 1 12 +1 1d6 1/13 30' 7 5 +1 15+\n{CHIEF}", "Guard 1 12 +1 1d6 30' 7"]
)
def test_a_table_that_cannot_be_parted_says_how_columns_are_kept_apart(text: str) -> None:
    """A name that ends in a number could be read in two ways: nothing is read of its table."""
    (said,) = printed.import_text(registry.find("worlds_without_number"), text)

    assert isinstance(said, printed.Unreadable)
    assert said.why.endswith("columns are kept apart by tabs, bars or two spaces, labelled ones by commas too")


def test_a_line_of_an_old_school_game_is_converted() -> None:
    """Worlds Without Number takes over Hit Dice, Armour Class in both counts, attacks, Morale."""
    (skeletons, troll) = blocks(f"{SKELETONS}\n\nTroll: AC 4, HD 6+3*, #AT 3, D 1-6", "worlds_without_number")

    assert skeletons.block == {
        "count": 26,
        "name": "Skeletons",
        "hd": 1,
        "ac": 12,
        "atk": 0,
        "weapons": [{"name": "rusty weapon", "dmg": "1d6"}],
        "ml": 12,
        "hp": 4,
    }
    assert skeletons.unread == ()
    assert "ac" not in troll.block
    assert "AC 4: which game counts so?" in str(troll.unread)
    (known,) = blocks("Troll: AC 4, HD 6+3*, #AT 3, D 1-6", "worlds_without_number", "ose")
    assert (known.block["ac"], known.block["hd"], known.block["attacks"]) == (15, "6d8+3", 3)


def test_converted_lines_load(tmp_path: Path) -> None:
    """The file made of converted lines holds them all without a problem."""
    ruleset = registry.find("worlds_without_number")
    path = tmp_path / "bestiary.yaml"
    text = f"{SKELETONS}\n\n{TROLL.replace(',...', '')}\n\nImp: AC 12, HD ½, #AT 1, D 1-3, ML 7, SV 15"
    path.write_text(printed.bestiary(ruleset, blocks(text, "worlds_without_number")), encoding="utf-8")

    assert [problem for problem in lint_file(path, registry.find) if not problem.is_warning] == []
    assert [entry.name for entry in Library(tmp_path).blocks(path)] == ["Skeletons", "Troll", "Imp"]
