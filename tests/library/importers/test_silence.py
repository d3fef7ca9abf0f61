"""Nothing of a file is lost in silence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.library.importers.reading import SAMPLES, items_of
from tracker.library.importers.results import Unreadable
from tracker.library.yaml.tree import parse

FILES = (
    *("foundry_wwn.json", "foundry_swn.yml", "foundry_character.json", "foundry_old_wwn.json"),
    *("improved_stat_block.json", "improved_encounter.json", "fantasy_statblock.md"),
)
# Marks of the programs' own, switches, and what another key decides.
IDLE = {
    *("_id", "img", "_stats.systemId", "package", "type", "Id", "ActiveCombatantId", "Player", "ImageURL", "image"),
    *("Hidden", "melee", "missile", "isTwoHanded", "equipped", "ammo.burst", "stat", "score"),
    *("attacks.damage", "shock.damage", "_stats", "metadata", "ammo"),
}
ABOVE = ("items", "system", "Combatants", "StatBlock")
STRANGE = "strangeword"


def block_of(name: str) -> Any:
    """Return what a sample holds, as far as it becomes a creature."""
    text = (SAMPLES / name).read_text("utf-8")
    if name.endswith(".md"):
        text = text.partition("```statblock\n")[2].partition("```")[0]
    whole: Any = parse(text.encode(), name).value
    return {**whole, "items": whole["items"][:1]} if name == "foundry_old_wwn.json" else whole


@pytest.mark.parametrize("name", FILES)
def test_a_strange_value_is_in_the_result_or_said(name: str) -> None:
    """Wherever it stands in a sample, in place of a block or a list too."""
    whole = block_of(name)
    silent = set()
    for path in places(whole):
        changed = json.loads(json.dumps(whole))
        place = changed
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = STRANGE
        found = items_of(changed)
        if STRANGE not in repr(found) and not any(isinstance(each, Unreadable) for each in found):
            silent.add(".".join(step for step in path if isinstance(step, str) and step not in ABOVE))

    assert silent - IDLE == set()


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values within one."""
    for key, held in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(held, (*path, key))
