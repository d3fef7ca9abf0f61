"""Fog on the map: players learn nothing of what lies and stands in it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.sovereign import RULESET
from tests.support.shares import tries
from tracker.core.fight.board import Square
from tracker.core.fight.events import Noted
from tracker.core.fight.state import State
from tracker.core.run import Pending, Step, run
from tracker.core.visibility import fog as fogs
from tracker.core.visibility.knowledge import is_hidden
from tracker.library.content.encounters import load_encounter
from tracker.testing.vectors import Plain, Table, VectorFile
from tracker.views.public.build import public_view
from tracker.views.public.rows import board_rows
from tracker.views.public.schema import Public, PublicCombatant

BOOK = VectorFile(RULESET, Path(__file__).parents[2] / "rules" / "sovereign" / "vectors" / "cast.yaml")
ENCOUNTERS = Path(__file__).parents[3] / "encounters" / "sovereign"
OPEN = "............"
WALLED = [OPEN, "....#.......", "....#..~~...", "....#.......", OPEN]


def table(rows: list[str], guard: Square = (8, 2), goblin: Square = (6, 0)) -> Table:
    """Return a fight of one against two, the guard behind a wall."""
    return BOOK.play(
        {
            "given": {
                "setup": {"grid": "\n".join(rows)},
                "sides": {
                    "party": [{"ref": "k", "at": [1, 2]}],
                    "foes": [{"ref": "guard", "at": list(guard)}, {"ref": "goblin", "at": list(goblin)}],
                },
                "start": [6, 2],
            }
        }
    )


def fogged(fight: Table, **fields: Plain) -> Table:
    fight.play({"do": "fog", **fields})
    return fight


def seen(fight: Table) -> Public:
    return public_view(RULESET, fight.state, "salt")


def one(view: Public, name: str) -> PublicCombatant | None:
    return next((found for found in view.combatants if found.name == name), None)


def squares(*columns: int) -> list[list[int]]:
    return [[x, y] for x in columns for y in range(5)]


def test_all_but_what_the_party_sees() -> None:
    """A combatant in the fog behind the wall is not in the view."""
    fight = fogged(table(WALLED), what="party", far=40)
    view = seen(fight)

    assert fogs.fog(fight.state) >= {(6, 2), (8, 2), (11, 0)}
    assert not fogs.fog(fight.state) & {(1, 2), (3, 1), (4, 2), (6, 0)}
    assert [found.name for found in view.combatants] == ["K", "Goblin"]
    assert b"uard" not in msgspec.json.encode(view)
    assert view.board is not None
    assert {(tile.x, tile.y) for tile in view.board.tiles} == {(4, 1), (4, 2), (4, 3)}
    rows = [row.text for row in board_rows(view, 30, 6)]
    assert rows[3] == " 2  · k · ·▒▒▓▓▓▓▓▓▓▓▓▓▓▓▓▓"


def test_who_comes_out_of_the_fog_is_shown_and_who_goes_in_is_not() -> None:
    """Without fog all combatants are shown."""
    fight = fogged(table(WALLED), what="cover", squares=squares(6, 7, 8, 9, 10, 11))
    assert [found.name for found in seen(fight).combatants] == ["K"]

    before = fight.state
    fight.play({"do": "place", "who": "guard", "x": 5, "y": 4})
    assert one(seen(fight), "Guard") is not None
    assert is_hidden(before, "guard")

    fight.play({"do": "place", "who": "guard", "x": 9, "y": 4})
    assert one(seen(fight), "Guard") is None
    fogged(fight, what="off")
    assert [found.name for found in seen(fight).combatants] == ["K", "Guard", "Goblin"]


def test_whom_the_gm_shows_in_the_fog_stays_shown_without_a_place() -> None:
    """Whom the GM hides by hand is not shown by lifted fog."""
    fight = fogged(table(WALLED), what="all")
    fight.play({"do": "reveal", "targets": ["guard"]})
    fight.play({"do": "note", "text": "wait"})
    guard = one(seen(fight), "Guard")

    assert guard is not None
    assert guard.at is None

    hand = table(WALLED)
    hand.play({"do": "conceal", "targets": ["goblin"]})
    fogged(hand, what="cover", squares=squares(6, 7, 8))
    fogged(hand, what="lift", squares=squares(6, 7, 8))
    assert one(seen(hand), "Guard") is not None
    assert one(seen(hand), "Goblin") is None


def test_the_party_is_told_its_own_places() -> None:
    """Combatants of the players are never hidden from them."""
    ada = one(seen(fogged(table(WALLED), what="all")), "K")

    assert ada is not None
    assert ada.at == (1, 2)


@pytest.mark.parametrize("what", ["lift", "off"])
def test_without_fog_there_is_none_to_lift(what: str) -> None:
    named = {"squares": [[1, 1]]} if what == "lift" else {}

    table(WALLED).play({"refused": {"do": "fog", "what": what, **named}, "says": "there is no fog"})


@tries(25)
@given(
    st.lists(st.sampled_from("..~#o"), min_size=30, max_size=30),
    st.sampled_from([(x, y) for x in range(6, 12) for y in (0, 4)]),
)
def test_nothing_of_what_fog_covers_reaches_the_players(ground: list[str], guard: Square) -> None:
    """The view is the same for every ground in the fog and every place of a foe in it."""
    ground[guard[1] * 6 + guard[0] - 6] = "."
    rows = [WALLED[y][:6] + "".join(ground[6 * y : 6 * y + 6]) for y in range(5)]
    plain = fogged(table(WALLED), what="cover", squares=squares(6, 7, 8, 9, 10, 11))
    other = fogged(table(rows, guard, (5, 0)), what="cover", squares=squares(6, 7, 8, 9, 10, 11))
    plain.play({"do": "place", "who": "goblin", "x": 5, "y": 0})

    assert seen(other) == seen(plain)


MIST = """ruleset: sovereign
title: Mist
setup: {grid: "............\\n....#.......\\n....#..~~..."}
map: FOG
dice: asked
sides:
  - {name: Party, control: players, members: [{ref: ysolde, hp: 9, at: [1, 0]}]}
  - {name: Foes, members: [{ref: goblin, count: 2, hp: 3, at: [[2, 2], [9, 2]]}, {ref: wolf, hp: WOLF, at: [10, 0]}]}
"""


def opened(folder: Path, fog: str, wolf: str = "8") -> Pending:
    """Return the fight at the first thing it asks."""
    path = folder / "mist.yaml"
    path.write_text(MIST.replace("FOG", fog).replace("WOLF", wolf), encoding="utf-8")
    loaded = load_encounter(path, lambda key: RULESET, (ENCOUNTERS,))
    assert loaded.encounter is not None, loaded.problems
    assert loaded.problems == ()
    outcome = run(RULESET, State(), Step("start", encounter=loaded.encounter))
    assert isinstance(outcome, Pending)
    return outcome


@pytest.mark.parametrize(
    ("fog", "names", "covered"),
    [
        ("{fog: all}", ["Ysolde"], 36),
        ("{fog: party, sees: 15}", ["Ysolde", "Goblin"], 21),
        ('{fog: ["6-11,0-2"]}', ["Ysolde", "Goblin"], 18),
        ('{fog: ["9,2"]}', ["Ysolde", "Goblin", "Wolf"], 1),
        ('{fog: ["0,2"]}', ["Ysolde", "Goblin 1", "Goblin 2", "Wolf"], 1),
    ],
)
def test_a_fight_opens_in_fog(tmp_path: Path, fog: str, names: list[str], covered: int) -> None:
    """At the first question players see no more than later; no number tells them of others."""
    asked = opened(tmp_path, fog)
    view = public_view(RULESET, asked.state, "salt")

    assert asked.request.key == "surprise"
    assert [found.name for found in view.combatants] == names
    assert len(fogs.fog(asked.state)) == covered
    assert not any(isinstance(entry.event, Noted) and "players see" in entry.event.text for entry in asked.entries)


def test_not_even_the_first_dice_are_asked_for_before_there_is_fog(tmp_path: Path) -> None:
    """The wolf's points are rolled before it has a place."""
    asked = opened(tmp_path, "{fog: [[0, 0]]}", "1d6")
    view = public_view(RULESET, asked.state, "salt")

    assert "Wolf" in asked.request.why or asked.request.who == "wolf"
    assert [found.name for found in view.combatants] == ["Ysolde"]
    assert view.board is not None
    assert view.board.tiles == ()
