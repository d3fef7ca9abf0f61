"""The log: dice and the sums that account for them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.log.logging_support import D8, D20, log_lines, told
from tests.views.toy import CHARGING, RULESET, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.terms.actions import action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice


def test_dice_no_sum_accounts_for_are_told_by_themselves() -> None:
    """Every die is somewhere in the log."""
    found = told(
        ev.Rolled("morale", Dice.of(2, 6), 7, (3, 4), "goblin-1", "morale", True),
        ev.Rolled("luck", D20, 9, (), None, ""),
        ev.StatusChanged("goblin-1", "up", "fled"),
    )

    assert found == ["Goblin 1 morale: 2d6 3+4 = 7 ✎", "d20 9", "Goblin 1 has fled"]


def test_dice_beside_the_parts() -> None:
    """If the parts do not include the dice, both are added."""
    found = told(
        ev.ActionTaken(action("save", "ava"), "Saves"),
        ev.Rolled("save", D20, 8, (8,), "ava"),
        ev.Checked("save", "ava", 9, "saved", None, (Part("luck", 1),), 9),
        ev.Rolled("a", D8, 5, (5,)),
        ev.Rolled("b", Dice.of(1, 4), 2, (2,)),
        ev.PoolChanged("goblin-2", "hp", 7, 0, (Part("fire", -8),), "half"),
        ev.PoolChanged("wolf", "hp", 22, 15, (), ""),
    )

    assert found == [
        "Ava: Saves: d20 8 +1 luck = 9 vs 9  saved",
        "  1d8 5",
        "  1d4 2",
        "  8 fire → Goblin 2 7→0 (half)",
        "  Wolf 22→15",
    ]


def test_opposed_checks_show_both_throws() -> None:
    """The dice of the opponent are in brackets; of equal totals each belongs to its roller."""
    found = told(
        ev.Rolled("mine", Dice.of(2, 6), 7, (3, 4), "wolf", "shove"),
        ev.Rolled("theirs", Dice.of(2, 6), 7, (6, 1), "brin", "against shove"),
        ev.Checked(
            "shove",
            "brin",
            8,
            "won",
            "wolf",
            (Part("2d6", 7), Part("str", 1)),
            7,
            "Wolf's check",
            (Part("2d6", 7), Part("tired", 0)),
        ),
    )

    assert found == ["Brin shove: 2d6 6+1 = 7 +1 str = 8 vs Wolf's check 7 (2d6 3+4 = 7 +0 tired)  won"]


def test_derived_numbers_show_their_parts() -> None:
    """A number to reach shows its parts."""
    against = (Part("hide", 15), Part("charging", -2))
    entry = Entry(
        ev.Checked("attack", "goblin-1", 11, "miss", "wolf", (Part("1d20", 11),), 13, "AC", against), ("T-1", "T-2")
    )

    assert log_lines(RULESET, fight(), (entry,)) == (
        "Goblin 1 attack: d20 11 vs AC 13 (15 hide −2 charging) (Wolf)  miss  [T-1, T-2]",
    )


def test_secrets_are_marked() -> None:
    """Events that players do not see are marked."""
    found = told(
        ev.Rolled("trap", D20, 3, (3,), None, "the trap", False, True),
        ev.Decided("who", "ava", None, "whom it follows", True),
        ev.EffectAdded(replace(CHARGING, id=9, secret=True, modifiers=())),
    )

    assert found == [
        "secret: the trap: d20 3",
        "secret: whom it follows: Ava",
        "secret: Wolf: charging, until end of round 2",
    ]


def test_dice_are_told_in_the_order_they_fell() -> None:
    """A throw without a check is told before the damage that follows from it."""
    found = told(
        ev.ActionTaken(action("strike", "wolf", target="goblin-1"), "Strike"),
        ev.Rolled("attack", D20, 10, (10,), "wolf", "attack"),
        ev.Rolled("damage", D8, 3, (3,), "wolf", "damage"),
        ev.PoolChanged("goblin-1", "hp", 7, 4),
    )

    assert found == ["Wolf: Strike → Goblin 1: attack: d20 10", "  1d8 3 → Goblin 1 7→4"]


def test_dice_stand_only_for_parts_that_are_dice() -> None:
    """A number looked up in a table is no roll, even if equal; a part called like the dice or like their reason is."""
    dice = Dice.of(2, 6)
    found = told(
        ev.ActionTaken(action("cast", "ava", target="wolf"), "Casts"),
        ev.Rolled("will", dice, 3, (1, 2), "wolf", "resist"),
        ev.PoolChanged("wolf", "hp", 22, 15, (Part("Impact", -3), Part("magic", -4))),
        ev.Rolled("fire", dice, 5, (4, 1), "ava", "fire"),
        ev.PoolChanged("wolf", "hp", 15, 9, (Part("fire", -5), Part("oil", -1))),
        ev.Rolled("spell", dice, 8, (4, 4), "ava", "spell"),
        ev.Checked("spell", "ava", 9, "works", "wolf", (Part("2d", 8), Part("skill", 1)), 8, "Will"),
    )

    assert found == [
        "Ava: Casts → Wolf: resist: 2d6 1+2 = 3; 3 Impact +4 magic = 7 → Wolf 22→15",
        "  2d6 4+1 = 5 +1 oil = 6 → Wolf 15→9",
        "  spell: 2d6 4+4 = 8 +1 skill = 9 vs Will 8  works",
    ]


def test_a_fixed_number_of_dice_told_alone_is_added() -> None:
    """`1d4+3` is shown with its faces and its result."""
    alone = ev.Rolled("count:goblin", Dice.of(1, 4), 4, (4,), None, "number of combatants (Goblin)", plus=3)
    fewer = ev.Rolled("count:rat", Dice.of(2, 6), 7, (3, 4), None, "number of combatants (Rat)", plus=-1)
    unseen = ev.Rolled("hp", Dice.of(2, 8), 9, (), None, "hit points", True, plus=2)

    assert told(alone, fewer, unseen) == [
        "number of combatants (Goblin): 1d4+3: 4+3 = 7",
        "number of combatants (Rat): 2d6−1: 3+4−1 = 6",
        "hit points: 2d8+2: 9+2 = 11 ✎",
    ]


def test_a_fixed_number_within_a_sum_is_a_part_of_it() -> None:
    """If the rules add it under its own name, it is not added twice."""
    found = told(
        ev.Rolled("damage", D8, 5, (5,), "wolf", "damage", plus=2),
        ev.PoolChanged("goblin-1", "hp", 7, 0, (Part("1d8", 5), Part("weapon", 2)), "", "wolf"),
    )

    assert found == ["1d8 5 +2 weapon = 7 → Goblin 1 7→0 by Wolf"]


def test_a_sides_checks_are_told_once_where_some_need_no_dice() -> None:
    """The dice of the others wait for their own checks; a number that one alone has follows the name."""
    found = told(
        ev.ActionTaken(action("look"), "Look"),
        ev.Rolled("a", D20, 9, (9,), "brin", "recognise worg"),
        ev.Rolled("b", D20, 3, (3,), "brin", "recognise ogre"),
        ev.Checked("knowledge", "wolf", 14, "known", None, (Part("sure", 14),), 12, "worg"),
        ev.Checked("knowledge", "brin", 9, "failed", None, (Part("1d20", 9),), 12, "worg"),
        ev.Checked("knowledge", "brin", 3, "failed", None, (Part("1d20", 3),), 13, "ogre"),
    )

    assert found == [
        "GM: Look",
        "  Party knowledge: Wolf 14 sure vs worg 12  known; Brin d20 9 vs worg 12  failed, d20 3 vs ogre 13  failed",
    ]


def test_dice_wait_for_their_comparison_while_the_gm_decides_about_another() -> None:
    """They are told once, with it."""
    found = told(
        ev.ActionTaken(action("look"), "Look"),
        ev.Rolled("a", D20, 9, (9,), "brin", "knowledge of worg"),
        ev.Decided("tell", "known", "wolf", "what does 14 tell?"),
        ev.Checked("knowledge", "brin", 9, "failed", None, (Part("1d20", 9),), 12, "worg"),
    )

    assert found == ["GM: Look", "  Wolf: what does 14 tell? known", "  Brin knowledge: d20 9 vs worg 12  failed"]


def test_dice_wait_while_the_gm_decides_about_other_dice_of_the_same_combatant() -> None:
    """Each is told once, with its own comparison."""
    found = told(
        ev.ActionTaken(action("look"), "Look"),
        ev.Rolled("a", D20, 9, (9,), "brin", "knowledge of worg"),
        ev.Rolled("b", D20, 3, (3,), "brin", "knowledge of ogre"),
        ev.Checked("knowledge", "brin", 9, "", None, (Part("1d20", 9),), None, "worg"),
        ev.Decided("tell", "known", "brin", "what does 9 tell?"),
        ev.Checked("knowledge", "brin", 3, "failed", None, (Part("1d20", 3),), 12, "ogre"),
    )

    assert found == [
        "GM: Look",
        "  Brin knowledge: d20 9",
        "  Brin: what does 9 tell? known",
        "  Brin knowledge: d20 3 vs ogre 12  failed",
    ]


def test_a_die_that_no_comparison_takes_is_told_before_the_answer() -> None:
    """What the GM decides follows what has been rolled."""
    found = told(
        ev.ActionTaken(action("look"), "Look"),
        ev.Rolled("a", D20, 9, (9,), "brin", "luck"),
        ev.Decided("tell", "yes", "wolf", "what does 9 tell?"),
        ev.Checked("knowledge", "brin", 12, "failed", None, (Part("sure", 12),), 13, "worg"),
    )

    assert found == [
        "GM: Look",
        "  Brin luck: d20 9",
        "  Wolf: what does 9 tell? yes",
        "  Brin knowledge: 12 sure vs worg 13  failed",
    ]


def test_what_a_comparison_only_calls_by_another_name_is_said_by_its_dice() -> None:
    """`Impact: critical` adds nothing to dice that are rolled for `critical: Impact 17`."""
    found = told(
        ev.ActionTaken(action("blow", "wolf", target="goblin-1"), "Blow"),
        ev.Rolled("a", D20, 20, (20,), "wolf", "Impact 17"),
        ev.Rolled("b", D20, 5, (5,), "wolf", "critical: Impact 17"),
        ev.Checked("Impact", "wolf", 25, "critical", "goblin-1", success=True),
    )

    assert found == ["Wolf: Blow → Goblin 1: Impact 17: d20 20", "  critical: Impact 17: d20 5"]


def test_a_target_that_the_answer_names_is_not_named_again() -> None:
    """The comparison after it is with this target."""
    found = told(
        ev.ActionTaken(action("blow", "wolf"), "Blow"),
        ev.Decided("target", "goblin-1", "wolf", "the foe is gone: at whom?"),
        ev.Rolled("a", D20, 9, (9,), "wolf", "blow"),
        ev.Checked("blow", "wolf", 9, "miss", "goblin-1", (Part("1d20", 9),), 12, "AC"),
    )

    assert found == ["Wolf: Blow: the foe is gone: at whom? Goblin 1", "  d20 9 vs AC 12  miss"]


def test_dice_that_count_one_by_one_are_not_added() -> None:
    """Of two d20 one counts, and each of a monster's dice meets the armour alone."""
    edge = ev.Rolled("attack", Dice.of(2, 20), 27, (17, 10), "wolf", "attack", apart=True)

    assert told(edge) == ["Wolf attack: 2d20 17, 10"]


def test_a_label_that_begins_with_a_number_stands_in_brackets() -> None:
    """So two numbers cannot be read as one."""
    found = told(ev.Checked("attack", "wolf", 9, "hit", None, (Part("to hit", 5), Part("2 others", 4)), 9, "AC"))

    assert found == ["Wolf attack: 5 to hit +4 (2 others) = 9 vs AC 9  hit"]


@pytest.mark.parametrize(
    ("what", "against", "words"),
    [("AC", 12, "vs AC 12"), ("3 or less", 3, "vs 3 or less"), ("8 + Maud", 12, "vs 12 (8 + Maud)"), ("", 12, "vs 12")],
)
def test_the_number_to_reach_is_said_once(what: str, against: int, words: str) -> None:
    """Words that hold it already are enough."""
    found = told(ev.Checked("attack", "wolf", 9, "fails", None, (), against, what))

    assert found == [f"Wolf attack: 9 {words}  fails"]


def test_a_roll_compared_once_more_is_not_added_up_again() -> None:
    """One roll against several is told whole the first time."""
    sums = (Part("1d20", 14), Part("skill", 2))
    found = told(
        ev.ActionTaken(action("hex", "ava", targets=("goblin-1", "goblin-2")), "Hex"),
        ev.Rolled("hex", D20, 14, (14,), "ava"),
        ev.Checked("hexing", "ava", 16, "takes hold", "goblin-1", sums, 12, "Will"),
        ev.PoolChanged("goblin-1", "hp", 7, 6, (Part("hex", -1),), ""),
        ev.Checked("hexing", "ava", 16, "is resisted", "goblin-2", sums, 18, "Will"),
    )

    assert found[0].endswith("hexing: d20 14 +2 skill = 16 vs Will 12 (Goblin 1)  takes hold")
    assert found[-1].strip() == "hexing: 16 vs Will 18 (Goblin 2)  is resisted"
