"""What a map pane asks: cells, reach, trails with those they provoke, sight, areas."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesets.sovereign import RULESET
from tracker.core.fight.board import Template
from tracker.core.terms.actions import action
from tracker.testing.vectors import Table, VectorFile
from tracker.views.words.sides import allegiance_of

FOLDER = Path(__file__).parent / "vectors"
BOOK = VectorFile(RULESET, FOLDER / "cast.yaml")
GRID = "......\n..#~..\n..o...\n......"


@pytest.fixture
def table() -> Table:
    return BOOK.play(
        {
            "given": {
                "setup": {"grid": GRID, "elevation": {"5,0": 10}},
                "sides": {
                    "party": [{"ref": "k", "at": [0, 0]}, {"ref": "kim", "at": [5, 0]}],
                    "foes": [{"ref": "guard", "at": [0, 2]}],
                },
                "start": [6, 2],
            }
        }
    )


def test_the_board_shows_what_is_not_plain_floor(table: Table) -> None:
    """Given a map, its size and the squares with something on them."""
    board = RULESET.map.board(table.state)

    assert board is not None
    assert (board.kind, board.width, board.height) == ("square", 6, 4)
    assert [(cell.x, cell.y, cell.word, cell.height) for cell in board.cells] == [
        (5, 0, "high ground", 10),
        (2, 1, "wall", 0),
        (3, 1, "difficult", 0),
        (2, 2, "chasm", 0),
    ]


def test_squares_in_reach(table: Table) -> None:
    """Given a mover, every square one Move can end on has its cost; those of others are left out."""
    reach = dict(RULESET.map.reach(table.state, "k"))

    assert reach[(0, 0)] == 0
    assert reach[(4, 0)] == 20
    assert (2, 1) not in reach
    assert (5, 0) not in reach
    assert (0, 2) not in reach


def test_a_trail_names_whom_it_provokes(table: Table) -> None:
    """Given a way out of a spear's reach, its bearer may strike (SV-096, SV-040); a way too long says so."""
    near, far = RULESET.map.trail(table.state, "k", (2, 0)), RULESET.map.trail(table.state, "k", (3, 0))

    assert near is not None
    assert far is not None
    assert (near.cost, near.provokes, near.refusal) == (10, (), None)
    assert far.provokes == ("guard",)
    assert RULESET.map.trail(table.state, "k", (2, 1)) is None


def test_a_trail_tells_what_is_allowed_and_where_one_is_struck(table: Table) -> None:
    """A way says its feet, a Move's, and where one is struck (SV-040, SV-096)."""
    far, away = RULESET.map.trail(table.state, "k", (3, 0)), RULESET.map.trail(table.state, "guard", (5, 2))

    assert far is not None
    assert away is not None
    assert (far.cost, far.limit, far.struck) == (15, 30, ((2, 0),))
    assert (away.limit, away.refusal) == (30, None)


def test_what_is_threatened_is_within_reach_of_a_weapon(table: Table) -> None:
    """A long spear threatens two squares all round, none behind walls (SV-097)."""
    threatened = RULESET.map.threat(table.state, "guard")

    assert {(0, 0), (2, 0), (1, 3)} <= set(threatened)
    assert not {(0, 2), (2, 1), (3, 2)} & set(threatened)
    table.play({"do": "status", "targets": ["guard"], "status": "dead"})
    assert RULESET.map.threat(table.state, "guard") == ()


def test_distances_in_words(table: Table) -> None:
    """The feet between two squares, and whether a wall is between (SV-009, SV-015)."""
    assert RULESET.map.gauge(table.state, (0, 0), (3, 2)) == "15 ft"
    assert RULESET.map.gauge(table.state, (1, 1), (3, 1)) == "10 ft · no line of sight"


def test_an_attack_that_a_run_makes_possible(table: Table) -> None:
    """A foe out of reach is run up to and struck; one that can be struck already is not."""
    going = RULESET.map.approaches(table.state, "kim", "guard")

    assert [[action.key for action in way] for way in going] == [["run", "attack_melee"]]
    assert RULESET.map.trail(table.state, "kim", going[0][0].get("to")).refusal is None
    assert RULESET.map.approaches(table.state, "kim", "k") == ()


def test_the_way_an_action_takes(table: Table) -> None:
    """A Run goes its cheapest way, a Charge straight (SV-072, SV-076, SV-096)."""
    run, rush = action("run", "k", to=(3, 0)), action("charge", "kim", to=(5, 3))
    way, straight = RULESET.map.course(table.state, run), RULESET.map.course(table.state, rush)

    assert way is not None
    assert (way.squares, way.cost, way.provokes, way.struck) == (((1, 0), (2, 0), (3, 0)), 15, ("guard",), ((2, 0),))
    assert straight is not None
    assert (straight.squares, straight.limit, straight.provokes) == (((5, 1), (5, 2), (5, 3)), 60, ())
    assert RULESET.map.course(table.state, action("attack_melee", "kim", target="guard")) is None
    assert RULESET.map.course(table.state, action("run", "k", to=(2, 1))) is None


def test_cones_and_lines_go_out_from_a_combatant(table: Table) -> None:
    """Given an aim, the squares up to the wall, none behind it (SV-015)."""
    ray = RULESET.map.area(table.state, Template("line", "k", (1, 0), 60))
    cone = RULESET.map.area(table.state, Template("cone", "guard", (2, 2), 15))

    assert ray == ((1, 0), (2, 0), (3, 0), (4, 0), (5, 0))
    assert cone == ((3, 1), (1, 2), (2, 2), (3, 2), (2, 3), (3, 3))
    assert RULESET.map.area(table.state, Template("line", "guard", (1, 1), 60))[0] == (1, 1)


def test_a_trail_may_be_too_long(table: Table) -> None:
    """Given a mover on the ground, far squares are refused."""
    table.play({"do": "go_prone", "by": "k"})
    far = RULESET.map.trail(table.state, "k", (4, 0))

    assert far is not None
    assert far.refusal is not None
    assert far.refusal.rule == "SV-040"


def test_sight_in_words(table: Table) -> None:
    """Given two people, cover in words. High ground counts."""
    assert RULESET.map.sight(table.state, "guard", "k") == "no cover"
    assert RULESET.map.sight(table.state, "k", "kim") == "half cover"


def test_areas_end_with_the_map(table: Table) -> None:
    """Given a corner near the edge, only squares of the map are covered."""
    assert set(RULESET.map.area(table.state, Template("circle", None, (0, 0), 10))) == {(0, 0), (1, 0), (0, 1), (1, 1)}


def test_a_fight_without_a_map() -> None:
    """Given no grid, there is no board and nothing to reach (SV-R32)."""
    state = BOOK.play({"given": "duel"}).state

    assert RULESET.map.board(state) is None
    assert RULESET.map.reach(state, "k") == ()
    assert RULESET.map.trail(state, "k", (1, 1)) is None
    assert RULESET.map.sight(state, "k", "dummy") == ""


def test_friendly_sides_are_no_foes() -> None:
    """Given three sides of which two are friendly, the third stands against both (SV-R44)."""
    state = BOOK.play(
        {
            "given": {
                "setup": {"friendly": [["Party", "Watch"]]},
                "sides": {"party": [{"ref": "k"}], "watch": [{"ref": "guard"}], "foes": [{"ref": "guard"}]},
                "start": [8, 4, 2],
            }
        }
    ).state

    assert [allegiance_of(RULESET, state, side.id) for side in state.sides] == ["players", "ally", "gm"]
