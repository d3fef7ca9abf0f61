"""Remembering what is said of one state."""

from __future__ import annotations

from msgspec.structs import replace

from tests.views.toy import fight
from tracker.core.fight.cache import differing, per_state
from tracker.core.fight.state import State


def test_the_same_is_asked_once_of_one_state() -> None:
    """A second question about the same state is answered from memory."""
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


def test_only_other_objects_differ() -> None:
    """The same object does not differ, an equal one does."""
    first = fight().combatants
    other = (first[0], replace(first[1]), *first[2:])

    assert differing(first, first) == []
    assert differing(first, other) == [1]
    assert differing((), ()) == []
