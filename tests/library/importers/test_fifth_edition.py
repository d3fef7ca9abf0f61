"""Creatures of fifth edition, from Foundry and Improved Initiative, with their features in words."""

from __future__ import annotations

from tests.library.importers.reading import SAMPLES, items_in
from tracker.core.game.foreign import Creature
from tracker.kit import printed
from tracker.library.importers.convert import stat_block_of
from tracker.session.rulesets import registry


def read(name: str) -> list[Creature]:
    """Return the creatures of a sample."""
    return [found for found in items_in(SAMPLES / name) if isinstance(found, Creature)]


def test_a_foundry_actor_is_read_in_the_older_form_and_in_that_of_activities() -> None:
    """Bonuses and damage are worked out of scores, proficiency and the item's own numbers."""
    (drake,) = read("foundry_fifth.json")

    claws, spit, breath = (printed.power(one) for one in drake.features[1:4])
    assert (drake.hp, drake.ac, drake.move, drake.size, drake.saves) == (52, 15, "40", "large", (("dex", 4),))
    assert (drake.resist, drake.vulnerable, drake.immune) == (("acid",), ("cold",), ("poison",))
    assert (claws.hit, claws.reach, claws.damage) == (7, 5, (("1d8+4", "slashing"),))
    assert (spit.hit, spit.range, spit.damage) == (4, (30, 60), (("2d6+1", "acid"),))
    assert (breath.save, breath.dc, breath.half, breath.shape, breath.size, breath.recharge) == (
        *("con", 13, True),
        *("cone", 30, 5),
    )


def test_another_game_takes_its_numbers_and_keeps_the_words_as_notes() -> None:
    (drake,) = read("foundry_fifth.json")

    made = stat_block_of(registry.find("worlds_without_number"), drake)

    assert made.block["ac"] == 15
    assert "Breath (Recharge 5)" in str(made.block["notes"])


def test_the_worked_example_makes_stat_blocks_of_both() -> None:
    """Attacks, powers, several attacks, resistances; what is not read is named."""
    game = registry.find("fifth_edition")
    (drake,), wight = read("foundry_fifth.json"), read("improved_stat_block.json")[0]

    made = stat_block_of(game, drake)
    assert made.unread == ()
    assert made.block["multiattack"] == ["Claws", "Claws"]
    assert [power["name"] for power in made.block["powers"]] == ["Breath"]  # type: ignore[attr-defined, union-attr]  # a list of mappings
    other = stat_block_of(game, wight)
    assert other.block["name"] == wight.name
