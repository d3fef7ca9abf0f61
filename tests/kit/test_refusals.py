"""The refusals every game needs: each names its subject, its cause and its rule."""

import pytest

from tests.kit.duel import table
from tracker.kit import Action, Refusal, State, refusals


@pytest.fixture
def state() -> State:
    held = table()
    held.within(lambda ctx: ctx.status("bo", "down"))
    return held.state


def test_first_refusal_counts_and_later_checks_are_not_made() -> None:
    """Checks behind the first refusal are not called."""
    far = Refusal("far", "too far")

    def never() -> Refusal | None:
        raise AssertionError

    assert (refusals.first(None, lambda: None, far, never), refusals.first(None)) == (far, None)


def test_down_says_the_status(state: State) -> None:
    """A combatant that is not up is refused, unless its status is able too."""
    assert refusals.down(state, "bo", "D-8") == Refusal("down", "Bo is down", "D-8")
    assert (refusals.down(state, "ada"), refusals.down(state, "bo", able=("up", "down"))) == (None, None)


def test_turn_belongs_to_the_slot(state: State) -> None:
    """Only the members of the current slot have their turn."""
    assert (refusals.not_your_turn(state, "ada"), refusals.own_turn(state, "bo")) == (None, False)
    assert refusals.not_your_turn(state, "bo", "D-1") == Refusal("not_your_turn", "it is not Bo's turn", "D-1")


def test_round_and_fight_have_to_run() -> None:
    """What needs a round or a fight is refused without one."""
    held = table()
    running = refusals.no_round(held.state), refusals.fight_over(held.state)
    held.do(Action("end_fight"))

    over = refusals.fight_over(held.state, "D-1")

    assert (running, over) == ((None, None), Refusal("fight_over", "the fight is over", "D-1", forcible=False))
    assert refusals.no_round(State()) == Refusal("no_round", "no round is running")


def test_a_deed_needs_a_combatant() -> None:
    """An action without a combatant makes no sense."""
    refusal = refusals.no_actor(None, "Strike", "D-2")

    assert (refusals.no_actor("ada", "Strike"), refusal and (refusal.reason, refusal.forcible)) == (
        None,
        ("no_actor", False),
    )


def test_something_has_to_hold() -> None:
    """A check in one line refuses in the game's own words."""
    assert refusals.unless(True, "no_shield", "no shield") is None
    assert refusals.unless("", "no_shield", "Ada has no shield", "D-14", forcible=False) == Refusal(
        "no_shield", "Ada has no shield", "D-14", forcible=False
    )
