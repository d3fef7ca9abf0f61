"""Creatures written as other programs keep them are read as they were."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.support.shares import tries
from tracker.core.game.foreign import Creature, ForeignAttack
from tracker.library.importers.detect import found_in
from tracker.library.importers.results import ImportedEncounter
from tracker.library.importers.sources import Content

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
NAMES = st.text("abcdefghij klmnop", min_size=1, max_size=12).map(lambda name: " ".join(name.split())).filter(bool)
BLOWS = st.builds(
    ForeignAttack,
    name=NAMES,
    dice=st.sampled_from(["1d4", "1d6+1", "2d8", "3d6-1"]),
    hit=st.integers(-4, 12),
    kinds=st.sampled_from([("melee",), ("ranged",), ("melee", "thrown")]),
)
CREATURES = st.builds(
    Creature,
    name=NAMES,
    hd=st.sampled_from(["1d8", "4d8+4", "12d10"]),
    hp=st.integers(1, 99),
    ac=st.integers(0, 30),
    move=st.integers(0, 18).map(lambda steps: f"{5 * steps} ft."),
    initiative=st.integers(-5, 9),
    scores=st.lists(st.integers(1, 30), min_size=6, max_size=6).map(
        lambda held: tuple(zip(ABILITIES, held, strict=True))
    ),
    blows=st.lists(BLOWS.map(lambda blow: blow if blow.kinds == ("melee",) else with_reach(blow)), max_size=3).map(
        tuple
    ),
)


def with_reach(blow: ForeignAttack) -> ForeignAttack:
    return replace(blow, reach=(20, 60))


def sentence(blow: ForeignAttack) -> str:
    """Return an attack as it is printed."""
    kind = {1: blow.kinds[0].title(), 2: "Melee or Ranged"}[len(blow.kinds)]
    far = "reach 5 ft." if blow.reach is None else f"range {blow.reach[0]}/{blow.reach[1]} ft."
    return f"{kind} Weapon Attack: {blow.hit:+d} to hit, {far}, one target. Hit: {blow.dice} damage."


def improved(creature: Creature) -> dict[str, object]:
    """Return a creature as Improved Initiative keeps it."""
    return {
        "Name": creature.name,
        "HP": {"Value": creature.hp, "Notes": f"({creature.hd})"},
        "AC": {"Value": creature.ac, "Notes": ""},
        "InitiativeModifier": creature.initiative,
        "Speed": [creature.move],
        "Abilities": {name.title(): score for name, score in creature.scores},
        "Actions": [{"Name": blow.name, "Content": sentence(blow)} for blow in creature.blows],
    }


def statblock(creature: Creature) -> dict[str, object]:
    """Return a creature as Fantasy Statblocks keeps it."""
    return {
        "name": creature.name,
        "hp": creature.hp,
        "hit_dice": creature.hd,
        "ac": creature.ac,
        "modifier": creature.initiative,
        "speed": creature.move,
        "stats": [score for _, score in creature.scores],
        "actions": [{"name": blow.name, "desc": sentence(blow)} for blow in creature.blows],
    }


@tries(20)
@given(CREATURES)
def test_stat_blocks_come_back(creature: Creature) -> None:
    """Of Improved Initiative and Fantasy Statblocks, as JSON and in a note."""
    note = f"Some words.\n\n```statblock\n{json.dumps(statblock(creature), indent=1)}\n```\n"
    files = {"a.json": json.dumps(improved(creature)), "b.json": json.dumps(statblock(creature)), "c.md": note}
    for name, text in files.items():
        (found,) = found_in(Content(name, text.encode()))

        assert isinstance(found, Creature)
        first = creature.blows[0].hit if creature.blows else None
        kept = {key: getattr(found, key) for key in ("name", "hd", "hp", "ac", "move", "initiative", "scores", "blows")}
        assert kept == {key: getattr(creature, key) for key in kept}
        assert (found.attack, found.lost) == (first, ())


@tries(20)
@given(st.lists(st.tuples(NAMES, st.integers(1, 9), st.integers(1, 99), st.booleans()), min_size=1, max_size=4))
def test_encounters_come_back(groups: list[tuple[str, int, int, bool]]) -> None:
    """Of Initiative Tracker: who, how many, hit points and who is hidden."""
    lines = [f"  - {many}: {name}, {hp}{', hidden' if hidden else ''}" for name, many, hp, hidden in groups]
    note = "```encounter\nname: A fight\ncreatures:\n" + "\n".join(lines) + "\n```\n"

    (found,) = found_in(Content("a.md", note.encode()))

    assert isinstance(found, ImportedEncounter)
    assert [(each.creature.name, int(each.count), each.creature.hp, each.hidden) for each in found.groups] == groups
    assert found.lost == ()
