"""The log says things once: newcomers, the first order, the end, a blow."""

from __future__ import annotations

import re
from typing import Literal

from msgspec.structs import replace

from tests.views.log.logging_support import told
from tests.views.toy import CLOCK, RULESET, combatant, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.slots import Slot
from tracker.core.fight.state import Pool
from tracker.core.terms.actions import action
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.views.log.steps import tell


def test_newcomers_are_told_with_their_points() -> None:
    """The newcomers of a side share a line, with their points and dice."""
    people = (
        combatant("a", "Ann", "a", "party", 1, 1),
        combatant("b", "Bob", "b", "party", 1, 1),
        combatant("o", "Orc", "o", "goblins", 1, 1),
    )
    found = told(
        *(ev.CombatantJoined(one) for one in people),
        ev.PoolSet("a", None, Pool("hp", 9, 20)),
        ev.PoolSet("a", None, Pool("mp", 3, 3)),
        ev.Rolled("hp:o", Dice.of(1, 8), 5, (5,), "o", "hit points"),
        ev.PoolSet("o", None, Pool("hp", 5, 5)),
        ev.PoolSet("b", None, Pool("hp", 8, 8)),
        ev.Rolled("mp:b", Dice.of(2, 6), 7, (3, 4), "b", "magic points", typed=True, plus=2),
        ev.PoolSet("b", None, Pool("mp", 9, 9)),
        ev.PoolSet("o", None, Pool("mp", 0, 0)),
        state=fight(combatants=people),
    )

    assert found == [
        "Ann (a, hp 9/20, mp 3) and Bob (b, hp 8, mp 9 ← 2d6+2: 3+4+2 ✎) join Party",
        "Orc (o, hp 5 ← 1d8) joins Goblins",
    ]


def test_an_end_that_was_offered_is_said_once() -> None:
    """The line of the end can be put right as the answer; an end for another reason stays beside it."""
    offered = ev.Decided("end_combat", "yes", None, "no goblin is left: end the combat?")
    entries = (Entry(offered, ("T-1",)), Entry(ev.FightEnded("no goblin is left"), ("T-2",)))

    (line,) = tell(RULESET, fight(), entries)

    assert (line.text, line.asked, line.rules) == ("the fight is over: no goblin is left", "end_combat", ("T-1", "T-2"))
    assert told(replace(offered, answer="no")) == ["no goblin is left: end the combat? no"]
    assert len(told(offered, ev.FightEnded("rain"))) == 2


def test_a_first_order_is_told_where_the_headings_do_not_say_it() -> None:
    """Of two, the first heading says it. Phases of the game are the same in every fight."""

    first_round = fight(clock=replace(CLOCK, round=1))

    def slots(*titles: str, turns: Literal["shared", "none"] = "shared") -> tuple[Slot, ...]:
        return tuple(Slot(f"r1/{title}", title, members=("wolf",), turns=turns) for title in titles)

    def first(*made: Slot) -> list[str]:
        rolled = ev.Rolled("initiative", Dice.of(1, 8), 5, (5,), "wolf", "initiative")
        return told(rolled, ev.OrderSet((), made))[1:]

    assert first(*slots("Party", "Goblins")) == []
    assert first(*slots("Wolf", "Ava", "Orc")) == ["order: Wolf, Ava and Orc"]
    assert told(ev.OrderSet((), slots("Wolf", "Ava", "Orc")), state=first_round) == ["order: Wolf, Ava and Orc"]
    assert told(ev.OrderSet((), slots("Fast", "Monsters", "Slow", turns="none")), state=first_round) == []


def test_what_befalls_another_who_is_struck_stands_in_one_line() -> None:
    """The blow meant for one goes at another: its wounds follow in the same line."""
    found = told(
        ev.ActionTaken(action("strike", "wolf", target="goblin-1"), "Strike"),
        ev.Checked("attack", "wolf", 19, "hit", "goblin-2", (Part("die", 19),), 12, "AC"),
        ev.PoolChanged("goblin-2", "hp", 7, 3, (), "", "wolf"),
        ev.Noted("badly wounded", "goblin-2"),
    )

    assert found == ["Wolf: Strike → Goblin 1: 19 die vs AC 12 (Goblin 2)  hit; Goblin 2 7→3; badly wounded"]


def test_a_weapon_is_named_once() -> None:
    """Damage names another than the deed, and the full story both."""
    parts = (Part("1d8", 3), Part("", 1))
    events = (
        ev.ActionTaken(action("attack", "wolf", target="goblin-1", weapon="great_claw"), "Attack"),
        ev.PoolChanged("goblin-1", "hp", 9, 5, parts, "great_claw", "wolf"),
        ev.PoolChanged("goblin-1", "hp", 5, 1, parts, "claw", "wolf"),
    )
    entries = [Entry(event) for event in events]

    short, full = [
        "\n".join(line.text for line in tell(RULESET, fight(), entries, full=full)) for full in (False, True)
    ]
    assert re.findall(r"\(.*?\)", short) == ["(great claw)", "(claw)"]
    assert re.findall(r"\d→\d.*", full) == ["9→5 (great claw)", "5→1 (claw)"]


def test_rolls_of_a_side_are_one_line() -> None:
    """A number without dice is shown once, with all combatants that have it."""
    people = tuple(combatant(key, key.title(), key[0], "party", 1, 1) for key in ("ann", "bob", "cid", "dan"))
    found = told(
        ev.Rolled("hide:ann", Dice.of(1, 20), 9, (9,), "ann", "hide"),
        ev.Checked("hide", "ann", 11, "11", None, (Part("d20", 9), Part("dex", 2))),
        ev.Checked("hide", "bob", 2, "2", None, (Part("level", 2),)),
        ev.Rolled("hide:cid", Dice.of(1, 20), 3, (3,), "cid", "hide"),
        ev.Checked("hide", "cid", 4, "too late", None, (Part("d20", 3), Part("dex", 1))),
        ev.Checked("hide", "dan", 2, "2", None, (Part("level", 2),)),
        state=fight(combatants=people),
    )

    assert found == ["Party hide: Ann d20 9 +2 dex = 11; 2 level (Bob and Dan); Cid d20 3 +1 dex = 4  too late"]


def test_what_is_skipped_of_one_combatant_twice_is_said_once() -> None:
    skipped = ev.Skipped("tentacle at Wolf", "the foe is gone", "goblin-1")

    assert told(skipped, skipped) == ["Goblin 1: tentacle at Wolf skipped: the foe is gone"]


def test_a_note_about_a_combatant_is_no_part_of_the_result_after_it() -> None:
    """If a note does not fit in the line of its cause, a new line begins with the next event."""
    parts = tuple(Part(f"a long part, the {number}th", 1) for number in range(4, 8))
    found = told(
        ev.ActionTaken(action("cast", "wolf", targets=("goblin-1",)), "Casts"),
        ev.PoolChanged("goblin-1", "hp", 3, 0, parts),
        ev.Noted("a check is due", "goblin-1"),
        ev.Checked("Spellcasting", "wolf", 14, "resisted", "goblin-1", (), 15, "Willpower"),
    )

    assert [line.strip() for line in found[-2:]] == [
        "Goblin 1: a check is due",
        "Spellcasting: 14 vs Willpower 15  resisted",
    ]


def test_an_effect_with_the_name_of_a_status_ends_with_it() -> None:
    """That the combatant is dead says that it is down no more."""
    found = told(
        ev.StatusChanged("goblin-1", "down", "fled"),
        ev.EffectEnded(Effect("down", "goblin-1", 1), "the round ends"),
        ev.EffectEnded(Effect("prone", "goblin-1", 2), "the round ends"),
    )

    assert found == ["Goblin 1 has fled", "Goblin 1: prone ends (the round ends)"]
