"""The log: what an action says of its form."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.views.log.logging_support import log_lines, told
from tests.views.toy import RULESET, changed, fight
from tracker.core.fight import events as ev
from tracker.core.fight.events import Entry
from tracker.core.fight.state import State
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, action
from tracker.core.terms.values import Value
from tracker.views.words.values import blow_words, detail_words


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (Field("weapon", "choice", default="bow", options=(Option("bow", "long bow"),)), "bow", ""),
        (Field("spell", "choice", default="bolt", required=True), "bolt", "bolt"),
        (Field("careful", "flag"), True, "careful"),
        (Field("lethal", "flag", default=True), False, "not lethal"),
        (Field("hit_mod", "number", default=0), 2, "hit mod 2"),
        (Field("hit_mod", "number", default=0), 0, ""),
    ],
)
def test_what_an_action_says_of_its_form(field: Field, value: Value, words: str) -> None:
    """A default is not told, unless the action is nothing without it."""
    assert detail_words(fight(), field, value) == words


def _sure_of_the_fallen(state: State, asked: Action) -> ActionSpec:
    fallen = state["goblin-1"].status == "down"
    return ActionSpec(
        "strike",
        "Strike",
        "wolf",
        fields=(Field("target", "combatant"), Field("sure", "flag", "hits without a roll", fallen)),
    )


def test_forms_are_told_as_they_were_before_the_step() -> None:
    """A value that became the default only by the results of the action is not shown as refused."""
    ruleset = replace(
        RULESET, form=_sure_of_the_fallen, actions=lambda state, who: (_sure_of_the_fallen(state, action("strike")),)
    )
    before = fight()
    after = changed(before, "goblin-1", status="down")
    entries = (
        Entry(ev.ActionTaken(action("strike", "wolf", target="goblin-1", sure=False), "Strike")),
        Entry(ev.StatusChanged("goblin-1", "up", "down")),
        Entry(ev.ActionTaken(action("strike", "wolf", target="goblin-1", sure=False), "Strike")),
    )

    first, last = "Wolf: Strike → Goblin 1: is down", "Wolf: Strike → Goblin 1 (not hits without a roll)"
    assert log_lines(ruleset, after, entries, before=before) == (first, last)
    assert log_lines(ruleset, after, entries) == (first, "Wolf: Strike → Goblin 1")


WAY = ((5, 8), (5, 7), (6, 7), (7, 7), (8, 6))


PATH = Field("path", "path", "path, square by square")


@pytest.mark.parametrize(
    ("way", "words"),
    [(WAY, "along 5,8 5,7 6,7 7,7 8,6"), (WAY[:1], "to 5,8"), ((*WAY, (9, 6), (9, 5)), "to 9,5 (7 squares)")],
)
def test_ways_over_squares(way: tuple[tuple[int, int], ...], words: str) -> None:
    """A short way is told square by square, a long one by its end; it does not matter whether its form is known."""
    assert detail_words(fight(), PATH, way) == words
    assert told(ev.ActionTaken(action("run", "ava", path=way), "Runs")) == [f"Ava: Runs ({words})"]


BLOWS = Field(
    "blows",
    "rows",
    columns=(Field("weapon", "choice"), Field("target", "combatant"), Field("offhand", "flag", "off hand")),
)


def blow(weapon: str, target: str, offhand: bool = False) -> Value:
    """Return a row of blows."""
    return (("weapon", weapon), ("target", target), ("offhand", offhand))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ((blow("bow", "wolf"),), "bow at Wolf"),
        (
            (blow("bow", "wolf"), blow("bow", "wolf"), blow("knife", "goblin-1", True)),
            "bow at Wolf twice and knife at Goblin 1, off hand",
        ),
        ((blow("bow", "wolf"),) * 3, "bow at Wolf three times"),
        ((), ""),
    ],
)
def test_blows_in_words(value: Value, words: str) -> None:
    """Rows of weapons and targets become words, with the number of equal rows."""
    assert blow_words(fight(), BLOWS, value) == words


def test_rows_about_people_are_no_blows() -> None:
    """Rows that begin with a combatant keep the names of their columns."""
    edges = Field("edges", "rows", columns=(Field("who", "combatant"), Field("edge", "choice")))
    row = ((("who", "ava"), ("edge", "advantage")),)

    assert blow_words(fight(), edges, row) == ""
    assert detail_words(fight(), edges, row) == "Ava, advantage"


def test_a_declaration_says_what_is_attacked_with_what() -> None:
    """Blows follow the choice that they belong to, and no target is named twice."""
    row = blow("longsword", "goblin-1")
    main, way = (
        Field("main", "choice", default="attack", required=True),
        Field("way", "choice", default="free", required=True),
    )
    spec = ActionSpec(
        "declare",
        "Declare",
        "ava",
        fields=(main, Field("target", "combatant"), replace(BLOWS, default=(row, row)), way),
    )
    ruleset = replace(RULESET, form=lambda state, asked: spec, actions=lambda state, who: (spec,))
    said = action("declare", "ava", main="attack", target="goblin-1", blows=(row, row), way="free")

    assert log_lines(ruleset, fight(), (Entry(ev.ActionTaken(said, "Declare")),)) == (
        "Ava: Declare (attack: longsword at Goblin 1 twice, free)",
    )


def test_a_status_that_the_gm_sets_is_said_once() -> None:
    """A value is not in brackets if its result follows."""
    changed = action("status", targets=("goblin-1",), status="fled")
    found = told(ev.ActionTaken(changed, "Change the status"), ev.StatusChanged("goblin-1", "up", "fled"))

    assert found == ["GM: Change the status → Goblin 1: has fled"]


@pytest.mark.parametrize(
    ("status", "words"), [("fled", "Goblin 1 and Wolf have fled"), ("dead", "Goblin 1 and Wolf are dead")]
)
def test_one_status_of_several_is_one_line(status: str, words: str) -> None:
    """They are named together."""
    changed = action("status", targets=("goblin-1", "wolf"), status=status)
    found = told(
        ev.ActionTaken(changed, "Change the status"),
        ev.StatusChanged("goblin-1", "up", status),
        ev.StatusChanged("wolf", "up", status),
    )

    assert found == ["GM: Change the status → Goblin 1 and Wolf", f"  {words}"]
