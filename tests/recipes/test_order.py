"""The recipes about the order, played."""

from tests.recipes.first_game import ORDER
from tests.recipes.first_game import RULESET as FISTS
from tests.recipes.order import by_initiative, delay, empty_turns, moving, sides
from tests.recipes.table import open_table
from tracker.core.terms.actions import action
from tracker.core.terms.encounter import Member
from tracker.kit import At, Dice, Effect
from tracker.testing.table import Table, edges

ROLLS = {"initiative:ada": 5, "initiative:bo": 15, "initiative:wolf-1": 10, "initiative:wolf-2": 10}


def round_of(table: Table) -> list[str]:
    """Return who acts in the next four turns."""
    found = []
    for _ in range(4):
        found.append(table.at.partition("/")[2])
        table.next()
    return found


def test_the_highest_acts_first_in_every_round() -> None:
    """Initiative is rolled once, and a tie goes to the first who joined."""
    table = open_table(by_initiative.RULESET, ROLLS)

    assert [round_of(table), round_of(table)] == [["bo", "wolf-1", "wolf-2", "ada"]] * 2


def test_a_newcomer_takes_its_place() -> None:
    """A newcomer whose place has passed is shown there, and acts in the next round."""
    table = open_table(by_initiative.RULESET, ROLLS)
    table.next()
    dog = Member(by_initiative.Quick(), "Dog", "monster", Dice(plus=1))
    table.do(action("insert", side="wolves", members=(dog,)), answers={"initiative:dog": 20})
    cat = Member(by_initiative.Quick(), "Cat", "monster", Dice(plus=1))
    table.do(action("insert", side="wolves", members=(cat,)), answers={"initiative:cat": 7})
    assert [slot.title for slot in table.state.clock.slots] == ["Dog", "Bo", "Wolf 1", "Wolf 2", "Cat", "Ada"]

    assert round_of(table) == ["wolf-1", "wolf-2", "cat", "ada"]
    assert table.at == "r2/dog"


def test_what_the_gm_moved_stays_moved() -> None:
    """The generic `m` counts for later rounds too."""
    for ruleset, rolls in ((FISTS, {}), (by_initiative.RULESET, ROLLS)):
        table = open_table(ruleset, rolls)
        last = table.state.clock.upcoming[-1].id
        before = table.state.clock.upcoming[0].id
        table.do(action("move", slot=last, before=before))
        first = round_of(table)

        assert first[1] == last.partition("/")[2]
        assert round_of(table) == first


def test_sides_roll_anew_in_each_round() -> None:
    """The higher roll acts first, on a tie the side that the encounter lists first; newcomers act with their side."""
    table = open_table(sides.RULESET, {"r1/initiative:party": 2, "r1/initiative:wolves": 5})
    first = [slot.title for slot in table.state.clock.slots]
    dog = Member(table.state["wolf-1"].block, "Dog", "monster", Dice(plus=1))
    table.do(action("insert", side="wolves", members=(dog,)))
    acting = table.state.clock.current
    table.next()
    table.next(**{"r2/initiative:party": 4, "r2/initiative:wolves": 4})

    assert acting is not None
    assert (first, acting.members) == (["Wolves", "Party"], ("wolf-1", "wolf-2", "dog"))
    assert [slot.title for slot in table.state.clock.slots] == ["Party", "Wolves"]


def test_a_delayed_turn_comes_back_after_another() -> None:
    """The turn keeps its action, and its new place in later rounds."""
    table = open_table(delay.RULESET)
    table.do(action("delay", "ada"))
    assert table.at == "r1/bo"
    table.next()
    table.do(action("come_back", "ada"))
    table.next()
    table.do(action("hit", "ada", target="wolf-1"), answers={"attack": 6})
    assert table.state["wolf-1"].hp == 4

    table.until(lambda state: state.clock.round == 2)
    assert round_of(table) == ["bo", "wolf-1", "ada", "wolf-2"]


def test_a_turn_delayed_to_the_rounds_end_is_lost() -> None:
    """Without coming back there is no turn, and the old place in the next round."""
    table = open_table(delay.RULESET)
    table.do(action("delay", "ada"))
    table.next(3)

    assert table.at == "r2/ada"


def test_a_foe_is_moved_by_a_rule() -> None:
    """A tripped foe acts last, and one that goes down just before its attacker."""
    table = open_table(moving.RULESET, hp=2)
    table.do(action("trip", "ada", target="wolf-1"))
    assert round_of(table) == ["ada", "bo", "wolf-2", "wolf-1"]

    table.next()
    table.do(action("hit", "bo", target="wolf-2"), answers={"attack": 6})
    assert [key.partition("/")[2] for key in (slot.id for slot in table.state.clock.slots)] == [
        "ada",
        "wolf-2",
        "bo",
        "wolf-1",
    ]


def test_nothing_happens_in_a_turn_that_is_not_taken() -> None:
    """In an empty turn effects end, but nothing bleeds."""
    table = open_table(empty_turns.RULESET)
    table.hold(Effect("bleeding", "wolf-2"))
    table.hold(Effect("dazed", "wolf-2", until=(At("turn_end", "bearer"),)))
    table.next()
    table.within(lambda ctx: ORDER.put(ctx, "wolf-2", before="ada"))

    assert round_of(table) == ["bo", "wolf-1", "wolf-2", "ada"]
    assert (table.state["wolf-2"].hp, table.state["wolf-2"].has("dazed")) == (5, False)


def test_the_empty_turn_itself_costs_nothing() -> None:
    """Only the turn of the next round does."""
    table = open_table(empty_turns.RULESET)
    table.hold(Effect("bleeding", "wolf-2"))
    table.next()
    table.within(lambda ctx: ORDER.put(ctx, "wolf-2", before="ada"))
    passed = table.next(2)

    assert "turn_end wolf-2" in edges(passed)
    assert (table.at, table.state["wolf-2"].hp) == ("r2/wolf-2", 5)
