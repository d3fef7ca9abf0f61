"""Encounters with other numbers."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.support.example_ruleset import Blade
from tracker.core.terms.dice import Dice
from tracker.core.terms.encounter import Encounter, Member, SideSetup, Wave
from tracker.core.terms.errors import TrackerError
from tracker.forecast.variants import CountRange, read_count_range, variants, without

GOBLIN = Member(Blade(name="Goblin"), "Goblin", "monster", Dice((), 4), ref="goblin")
OGRE = Member(Blade(name="Ogre"), "Ogre", "monster", ref="ogre", id="boss")
PARTY = SideSetup("party", "Party", "players", (Member(Blade(name="Ada"), "Ada", "pc"),))
FOES = SideSetup("foes", "Foes", "gm", (GOBLIN, OGRE, replace(GOBLIN, name="Late goblin")))
FORD = Encounter("knives", "Ford", (PARTY, FOES), waves=(Wave("Foes", (OGRE,), "round 2"),))


def counts(encounter: Encounter) -> list[tuple[str, int]]:
    return [(one.name, one.count.maximum) for one in encounter.sides[1].members]


def test_a_sweep_has_the_encounter_with_each_number() -> None:
    """Several members of one name count together."""
    found = dict(variants(FORD, CountRange("goblin", 0, 2)))

    assert counts(found[0]) == [("Ogre", 1)]
    assert counts(found[2]) == [("Goblin", 2), ("Ogre", 1)]


def test_what_only_a_wave_has_is_swept_there() -> None:
    """The sides stay as they are."""
    only = replace(FORD, sides=(PARTY, replace(FOES, members=(GOBLIN,))))

    (_, found) = next(variants(only, CountRange("BOSS", 3, 3)))

    assert counts(found) == [("Goblin", 4)]
    assert [one.count.maximum for one in found.waves[0].members] == [3]


def test_a_member_can_be_left_out_with_its_waves() -> None:
    assert counts(without(FORD, "Ogre")) == [("Goblin", 4), ("Late goblin", 4)]
    assert without(FORD, "ogre").waves[0].members == ()
    with pytest.raises(TrackerError, match=r'there is no "troll" in this encounter \(Ada, goblin, ogre\)'):
        without(FORD, "troll")


@pytest.mark.parametrize(
    ("text", "sweep"),
    [
        ("goblin=6..12", CountRange("goblin", 6, 12)),
        (" Hedge Robber = 3 .. 5 ", CountRange("Hedge Robber", 3, 5)),
        ("goblin=8", CountRange("goblin", 8, 8)),
    ],
)
def test_a_sweep_is_read_as_people_write_it(text: str, sweep: CountRange) -> None:
    assert read_count_range(text) == sweep


@pytest.mark.parametrize("text", ["", "goblin", "=3", "goblin=5..2", "goblin=1..999", "goblin=a..b"])
def test_what_is_no_sweep_says_how_to_write_one(text: str) -> None:
    with pytest.raises(ValueError, match=r"write NAME=N\.\.M, such as goblin=6\.\.12, up to 50"):
        read_count_range(text)
