"""The recipe about maps, played, and what its map says held against numbers counted by hand."""

from msgspec.structs import replace

from tests.recipes.maps.squares import MAP, RULESET, Ground
from tests.recipes.table import encounter
from tracker.core.terms.errors import Refusal
from tracker.kit import Template, action
from tracker.testing import inspect
from tracker.testing.table import Table


def opened(grid: str = Ground().grid) -> Table:
    """Open the fight: Ada at 0,0, Bo at 0,1, the wolves at 7,0 and 7,1."""
    return Table(RULESET, replace(encounter(RULESET), setup=Ground(grid)))


def test_a_combatant_goes_and_strikes_only_in_reach() -> None:
    """Four squares of a move of 20 feet; a foe farther than 5 feet cannot be chosen."""
    table = opened()
    spec = RULESET.form(table.state, action("hit", "ada"))
    assert spec is not None
    assert [field.options for field in spec.fields if field.name == "target"] == [()]

    table.do(action("stride", "ada", to=(4, 0)))
    assert table.state["ada"].position == (4, 0)
    table.next(2)
    table.do(action("stride", "wolf-1", to=(5, 0)))
    table.next(2)
    table.do(action("hit", "ada", target="wolf-1"), answers={"attack": 5})
    assert table.state["wolf-1"].hp == 4


def test_the_ground_says_how_far_and_what_is_seen() -> None:
    """Walls are gone around, difficult ground costs double, no corner is cut."""
    table = opened()
    reach = dict(MAP.reach(table.state, "ada"))
    assert (reach[4, 0], reach[2, 3], (3, 1) in reach, (0, 1) in reach) == (20, 15, False, False)

    far = MAP.trail(table.state, "ada", (4, 3))  # 1,1 2,2 2,3 3,3: 20 feet, then 10 onto difficult ground
    assert far is not None
    assert (far.cost, isinstance(far.refusal, Refusal)) == (30, True)
    assert MAP.sight(table.state, "bo", "wolf-2") == "no line of sight"
    assert MAP.gauge(table.state, (0, 0), (7, 0)) == "35 ft"
    assert MAP.apart(table.state, "ada", "bo") == 5
    assert set(MAP.threat(table.state, "ada")) == {(1, 0), (0, 1), (1, 1)}


def test_an_area_catches_who_stands_in_it() -> None:
    """A radius of 10 feet around the corner 1,1 has the squares 0 to 2; a line ends at the first wall."""
    table = opened()
    assert MAP.caught(table.state, Template("circle", None, (1, 1), 10)) == ("ada", "bo")
    assert MAP.area(table.state, Template("line", "bo", (7, 1), 60)) == ((1, 1), (2, 1))
    assert MAP.caught(table.state, Template("line", "ada", (7, 0), 60)) == ("wolf-1",)


def test_an_approach_goes_to_the_nearest_place_in_reach() -> None:
    """At once where the foe is beside, else with a move before it, else not at all."""
    table = opened("......\n......\n......\n......\n")
    assert MAP.approaches(table.state, "ada", "wolf-1") == ()  # 35 feet away, outside of a map of six columns
    table = opened()
    table.do(action("place", who="wolf-1", x=3, y=0))

    ((go, strike),) = MAP.approaches(table.state, "ada", "wolf-1")
    assert (go.key, go.get("to"), strike.key, strike.get("target")) == ("stride", (2, 0), "hit", "wolf-1")
    table.do(action("place", who="wolf-1", x=1, y=0))
    assert [[step.key for step in way] for way in MAP.approaches(table.state, "ada", "wolf-1")] == [["hit"]]


def test_a_fight_without_a_map_asks_nothing_of_it() -> None:
    table = Table(RULESET, encounter(RULESET))

    assert MAP.board(table.state) is None
    assert (MAP.reach(table.state, "ada"), MAP.threat(table.state, "ada")) == ((), ())
    assert (MAP.trail(table.state, "ada", (1, 0)), MAP.sight(table.state, "ada", "wolf-1")) == (None, "")


def test_it_has_no_slip_on_its_map() -> None:
    fight = replace(encounter(RULESET), setup=Ground())

    assert [str(problem) for problem in inspect(RULESET, {"ford": fight}).problems] == []
