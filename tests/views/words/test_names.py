"""Names are looked up anew only where a combatant has another one."""

from __future__ import annotations

from msgspec.structs import replace

from tests.views.toy import changed, fight
from tracker.views.words.sides import names_of


def test_the_same_names_are_the_same_tuple() -> None:
    """A wound or a state that is only equal changes nothing; a new name, a newcomer or a leaver does."""
    state = fight()
    names = names_of(state)

    assert names == tuple(one.name for one in state.combatants)
    assert names_of(changed(state, "ava", status="down")) is names
    assert names_of(replace(state)) is names
    renamed = names_of(changed(state, "wolf", name="Grey"))
    assert (renamed[1], renamed[0], renamed[2:]) == ("Grey", names[0], names[2:])
    assert names_of(state) == names
    assert names_of(replace(state, combatants=state.combatants[1:])) == names[1:]
