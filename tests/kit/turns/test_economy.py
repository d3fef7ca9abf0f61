"""The economy of a turn: paying, paying instead, coming back, never below 0."""

import pytest

from tests.kit.duel import ECONOMY, table
from tracker.kit import Boundary, Budget, Economy, Refusal, budget, paying_instead
from tracker.kit.economy import pay_exactly

MAIN_FOR_MOVE = paying_instead(move="main")


@pytest.mark.parametrize(
    ("left", "price", "then"),
    [
        (budget(main=1, move=1), budget(main=1), budget(main=0, move=1)),
        (budget(main=1, move=1), budget(main=1, move=1), budget(main=0, move=0)),
        (budget(main=0, move=1), budget(main=1), None),
        (budget(main=3), budget(main=2), budget(main=1)),
        (budget(main=1), budget(luck=1), None),
        (budget(main=1), (), budget(main=1)),
    ],
)
def test_exact_payment(left: Budget, price: Budget, then: Budget | None) -> None:
    """Every part of a price is paid with the same part."""
    assert pay_exactly(left, price) == then


@pytest.mark.parametrize(
    ("left", "price", "then"),
    [
        (budget(main=1, move=1), budget(move=1), budget(main=1, move=0)),
        (budget(main=1, move=0), budget(move=1), budget(main=0, move=0)),
        (budget(main=1, move=1), budget(move=2), budget(main=0, move=0)),
        (budget(main=1, move=0), budget(main=1, move=1), None),
        (budget(main=0, move=0), budget(move=1), None),
        (budget(main=0, move=1), budget(main=1), None),
    ],
)
def test_one_part_pays_for_another(left: Budget, price: Budget, then: Budget | None) -> None:
    """A Main pays for a second Move, and never twice."""
    assert MAIN_FOR_MOVE(left, price) == then


def test_newcomers_get_all_of_it() -> None:
    """What is full may depend on the combatant."""
    held = table()
    slow = Economy(lambda state, who: budget(actions=2 if who == "bo" else 3))

    held.within(lambda ctx: slow.give(ctx, ("ada", "bo"), "D-1"))

    assert (held.state["ada"].budget, held.state["bo"].budget) == (budget(actions=3), budget(actions=2))


def test_parts_come_back_at_their_own_edges() -> None:
    """A turn's start serves its actors, a round's start everybody."""
    held = table()
    held.within(lambda ctx: ECONOMY.empty(ctx, ("ada", "bo")))

    held.within(lambda ctx: ECONOMY.refresh(ctx, Boundary("turn_start", 1, actors=("ada", "gone"))))
    turn = held.state["ada"].budget, held.state["bo"].budget
    held.within(lambda ctx: ECONOMY.refresh(ctx, Boundary("round_start", 2)))
    rounds = held.state["ada"].budget, held.state["bo"].budget

    assert turn == (budget(main=1, move=1, reaction=0), budget(main=0, move=0, reaction=0))
    assert rounds == (budget(main=1, move=1, reaction=1), budget(main=0, move=0, reaction=1))


def test_other_edges_give_back_nothing() -> None:
    """An edge at which nothing comes back changes nothing."""
    held = table()
    held.within(lambda ctx: ECONOMY.empty(ctx, ("ada",)))

    assert held.within(lambda ctx: ECONOMY.refresh(ctx, Boundary("turn_end", 1, actors=("ada",)))) == ()


def test_unpaid_names_what_is_missing_and_for_how_long() -> None:
    """The refusal names the combatant, the part in the game's words, and the span."""
    held = table()
    held.within(lambda ctx: ECONOMY.take(ctx, "ada", budget(main=1, reaction=1)))

    assert ECONOMY.unpaid(held.state, "ada", budget(main=1), "D-2") == Refusal(
        "nothing_left", "Ada has no Main action left this turn", "D-2"
    )
    assert ECONOMY.unpaid(held.state, "ada", budget(reaction=1)) == Refusal(
        "nothing_left", "Ada has no reaction left this round"
    )
    assert (ECONOMY.unpaid(held.state, "ada", budget(move=1)), ECONOMY.unpaid(held.state, "ada", ())) == (None, None)
    text = ECONOMY.unpaid(held.state, "bo", budget(main=2))
    assert text is not None
    assert text.text == "Bo has 1 Main action left and needs 2 this turn"


def test_what_is_taken_is_told_and_never_below_zero() -> None:
    """A forced action takes what there is."""
    held, taken = table(), list[Budget]()

    held.within(lambda ctx: taken.append(ECONOMY.take(ctx, "ada", budget(move=1), "D-3")))
    held.within(lambda ctx: taken.append(ECONOMY.take(ctx, "ada", budget(move=1), "D-3")))
    held.within(lambda ctx: taken.append(ECONOMY.take(ctx, "ada", budget(main=2, reaction=1), "D-3")))
    held.within(lambda ctx: taken.append(ECONOMY.take(ctx, "ada", ())))

    assert taken == [budget(move=1), budget(main=1), budget(reaction=1), ()]
    assert held.state["ada"].budget == budget(main=0, move=0, reaction=0)


def test_one_part_is_set_and_the_rest_stays() -> None:
    """A die that brings a breath back changes that part alone."""
    held = table()
    held.within(lambda ctx: ECONOMY.take(ctx, "ada", budget(main=1, move=1)))

    held.within(lambda ctx: ECONOMY.put(ctx, "ada", "move", 2, "D-3"))

    assert held.state["ada"].budget == budget(main=0, move=2, reaction=1)
