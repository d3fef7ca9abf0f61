"""Remembering what is said of one state."""

from __future__ import annotations

from msgspec.structs import replace

from tests.views.toy import fight
from tracker.core.fight.memo import LOOKED_AT, differing, forgetting, per_people, per_state, per_states
from tracker.core.fight.state import State


def test_the_same_is_asked_once_of_one_state() -> None:
    """A second question about the same state is answered from memory.

    Another question is not, and an equal but other state is asked anew.
    """
    asked: list[tuple[State, str]] = []

    @per_state
    def hp(state: State, who: str) -> int:
        """Return the points of a combatant."""
        asked.append((state, who))
        return state[who].hp

    first = fight()
    other = replace(first)
    assert [hp(first, "ava"), hp(first, "ava"), hp(first, "wolf"), hp(other, "ava"), hp(first, "ava")] == [
        9,
        9,
        22,
        9,
        9,
    ]
    assert [(state is first, who) for state, who in asked] == [
        (True, "ava"),
        (True, "wolf"),
        (False, "ava"),
        (True, "ava"),
    ]
    assert hp.__doc__ == "Return the points of a combatant."


def test_what_was_said_of_the_last_few_states_is_known() -> None:
    """Going back asks nothing anew, as far as it is remembered."""
    asked: list[State] = []

    @per_states
    def hp(state: State, who: str) -> int:
        asked.append(state)
        return state[who].hp

    states = [fight() for _ in range(LOOKED_AT + 1)]
    for state in (*states, *reversed(states[1:])):
        assert hp(state, "ava") == 9
    assert len(asked) == len(states)
    assert hp(states[0], "ava") == 9
    assert asked[-1] is states[0]
    with forgetting("state"):
        assert hp(states[0], "ava") == 9
    assert len(asked) == len(states) + 2


def test_only_other_objects_differ() -> None:
    """The same object does not differ, an equal one does."""
    first = fight().combatants
    other = (first[0], replace(first[1]), *first[2:])

    assert differing(first, first) == []
    assert differing(first, other) == [1]
    assert differing((), ()) == []


def test_what_is_said_of_people_holds_while_they_look_the_same() -> None:
    """A view of the combatants is asked anew where one of them looks different.

    So it is where one has left.
    """
    asked: list[str] = []

    @per_people(lambda one: one.status)
    def fallen(state: State, who: str) -> str | None:
        """Return the status of a combatant that is not up."""
        asked.append(who)
        combatant = state.get(who)
        return None if combatant is None or combatant.status == "up" else combatant.status

    first = fight()
    ava, *others = first.combatants
    hurt = replace(first, combatants=(replace(ava, pools=()), *others))
    down = replace(first, combatants=(replace(ava, status="down"), *others))
    gone = replace(first, combatants=tuple(others))

    assert [fallen(state, "ava") for state in (first, hurt, down, hurt, gone)] == [None, None, "down", None, None]
    assert asked == ["ava"] * 4
    with forgetting("part"):
        assert fallen(gone, "ava") is None
    assert fallen(replace(gone, setup=ava.block), "ava") is None
    assert len(asked) == 6
    last = first.combatants[-1]
    fewer = replace(first, combatants=first.combatants[:-1])
    assert [fallen(state, last.id) for state in (first, fewer)] == [last.status, None] != [None, None]
