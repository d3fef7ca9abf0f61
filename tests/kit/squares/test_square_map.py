"""A map of squares: ways that end where a mover is stopped, and free places for newcomers."""

from __future__ import annotations

from msgspec.structs import replace

from tests.recipes.maps import squares
from tests.recipes.table import encounter
from tracker.kit import Ctx
from tracker.testing.table import Table

BESET = replace(squares.MAP, provokes=lambda state, who, here, there: ("wolf-1",) if here.at == (2, 0) else ())
GRID = "........\n........\n"


def opened() -> Table:
    """Open a fight: Ada at 0,0, Bo at 0,1, the wolves at 7,0 and 7,1."""
    return Table(squares.RULESET, replace(encounter(squares.RULESET), setup=squares.Ground(GRID)))


def test_a_mover_stands_on_the_square_it_leaves_when_it_is_struck_at() -> None:
    table, seen = opened(), list[object]()

    def leaving(ctx: Ctx, to: tuple[int, int]) -> bool:
        seen.append((ctx.state["ada"].position, to))
        return True

    table.within(lambda ctx: BESET.go(ctx, "ada", (4, 0), leaving=lambda to: leaving(ctx, to)))

    assert (seen, table.state["ada"].position) == ([((2, 0), (3, 0))], (4, 0))


def test_a_way_ends_where_the_mover_is_stopped() -> None:
    table = opened()

    table.within(lambda ctx: BESET.go(ctx, "ada", (4, 0), leaving=lambda to: False))

    assert table.state["ada"].position == (2, 0)


def test_a_newcomer_gets_the_free_square_nearest_to_the_one_wanted() -> None:
    """Taken squares, walls and the end of the map are passed over."""
    table = opened()

    assert squares.MAP.free(table.state, (0, 0)) == (1, 0)
    assert squares.MAP.free(table.state, (7, 1), space=2) == (5, 0)


def test_an_area_is_laid_where_it_catches_foes_and_no_friend() -> None:
    """A circle of 5 feet on each wolf catches both; one of 40 feet would catch the heroes too."""
    table = opened()

    assert squares.MAP.spots(table.state, "ada", "circle", 5, ["wolf-1", "wolf-2"]) != ()
    assert squares.MAP.spots(table.state, "ada", "circle", 40, ["wolf-1", "wolf-2"]) == ()


def test_a_policy_goes_toward_the_nearest_foe() -> None:
    """Too far for a blow in this turn, so as near as the feet go."""
    table = opened()

    action = squares.MAP.toward(table.state, "ada", ["wolf-1", "wolf-2"])

    assert action is not None
    assert action.get("to") == (4, 0)


def test_a_target_beyond_reach_or_sight_is_refused() -> None:
    table = opened()

    far = squares.MAP.beyond(table.state, "ada", "wolf-1", 30, "bow", "S-1")
    assert (far and far.text, far and far.rule) == ("Wolf 1 is 35 feet away, bow reaches 30", "S-1")
    assert squares.MAP.beyond(table.state, "ada", "wolf-1", 60, "bow") is None
    assert (squares.MAP.near(table.state, "ada", "bo"), squares.MAP.near(table.state, "ada", "wolf-1")) == (True, False)
