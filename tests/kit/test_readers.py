"""Readers of typed stat blocks: each gives a plain value, or says what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.tables import for_each
from tracker.kit import readers


@for_each(
    ("read", "typed", "value"),
    [
        (readers.text, " Wolf ", "Wolf"),
        (readers.text, 13, "13"),
        (readers.text, True, "true"),
        (readers.compact, " +6 X2 −1", "+6x2-1"),
        (readers.flag, True, True),
        (readers.flag, "False", False),
        (readers.number, "+7", 7),
        (readers.number, "−2", -2),
        (readers.number, 3, 3),
        (readers.between(1, 30), "18", 18),
        (readers.dice, "2D6 + 1", "2d6+1"),
        (readers.pair, "30/60", (30, 60)),
        (readers.pair, [10, "20"], (10, 20)),
        (readers.listed, (1, 2), [1, 2]),
        (readers.words, "Elf, orc/dwarf or elf", ["elf", "orc", "dwarf"]),
        (readers.words, ["Elf", "Orc"], ["elf", "orc"]),
        (readers.mapping, {"Str": 1}, {"str": 1}),
        (readers.counted, "Ghouls (4)", ("Ghouls", 4)),
        (readers.counted, "26 Skeletons", ("Skeletons", 26)),
        (readers.counted, "Giant Rats (2d6 + 1)", ("Giant Rats", "2d6+1")),
        (readers.counted, "Giant Rats (x4)", ("Giant Rats", 4)),
        (readers.counted, "d6 × Giant Rats", ("Giant Rats", "1d6")),
        (readers.counted, "Giant Rats (3–18)", ("Giant Rats", "3d6")),
        (readers.counted, "Giant Rats (2-5)", ("Giant Rats", "1d4+1")),
        (readers.counted, "Giant Rats (6-2)", ("Giant Rats (6-2)", 1)),
        (readers.counted, "Giant Rats (0d6)", ("Giant Rats (0d6)", 1)),
        (readers.counted, "Giant Rats (999)", ("Giant Rats (999)", 1)),
        (readers.counted, "3-headed Hydra", ("3-headed Hydra", 1)),
        (readers.counted, "Guard of Gate 7 (Captain)", ("Guard of Gate 7 (Captain)", 1)),
    ],
)
def test_reading(read: Callable[[object], object], typed: object, value: object) -> None:
    """What can be read comes as a plain value."""
    assert read(typed) == value


@for_each(
    ("read", "typed", "message"),
    [
        (readers.text, None, "a single value is needed here"),
        (readers.text, [1], "a single value is needed here"),
        (readers.flag, "maybe", '"maybe" is neither true nor false'),
        (readers.number, "1d6", '"1d6" is not a whole number'),
        (readers.number, True, '"true" is not a whole number'),
        (readers.between(1, 30), 31, "31 is not between 1 and 30"),
        (readers.dice, "2d", "did you mean 2d6?"),
        (readers.pair, "30", "two numbers are needed here"),
        (readers.listed, "x", "a list is needed here"),
        (readers.mapping, "x", "keys with values are needed here"),
    ],
)
def test_what_cannot_be_read_says_why(read: Callable[[object], object], typed: object, message: str) -> None:
    """Every reader raises `ValueError` with words for people."""
    with pytest.raises(ValueError, match=r".") as raised:
        read(typed)
    assert message in str(raised.value)


def test_keys_are_taken_one_by_one() -> None:
    """What is taken is gone, and what is wrong is collected and gives the default."""
    problems: list[str] = []
    typed = readers.Typed({"ac": "15", "hp": "many", "move": None, "odd": 1}, problems)

    taken = (
        typed.take("ac", readers.number, 10),
        typed.take("hp", readers.number, 8),
        typed.take("move", readers.number, 30),
    )
    typed.refuse_rest("ac, hp and move")

    assert (taken, typed.keys) == ((15, 8, 30), {})
    assert problems == ['hp: "many" is not a whole number', "odd: unknown; there are ac, hp and move"]


def test_mappings_within_have_paths() -> None:
    """A problem in an inner mapping names the way to it."""
    problems: list[str] = []
    typed = readers.Typed({"saves": {"Luck": "x", "Will": 12}, "bad": 3}, problems)

    inner, bad = typed.inner("saves"), typed.inner("bad")
    found = inner.take("luck", readers.number, 0), inner.take("will", readers.number, 0)

    assert (found, bad.keys) == ((0, 12), {})
    assert problems == ["bad: keys with values are needed here", 'saves.luck: "x" is not a whole number']


def test_keys_that_are_there_are_copied() -> None:
    """Several keys of one kind are read in one go."""
    block: readers.Plain = {}
    readers.Typed({"str": "1", "dex": 2}, []).copy(block, ("str", "dex", "con"), readers.number)

    assert block == {"str": 1, "dex": 2}


def test_all_problems_are_raised_at_once() -> None:
    """One error tells of everything that is wrong, a line each."""
    readers.raise_all([])

    with pytest.raises(ValueError, match=r"^ac: bad\nhp: bad$"):
        readers.raise_all(["ac: bad", "hp: bad"])


def test_damage_of_kinds_is_read() -> None:
    read = readers.damages(("fire", "slashing"))

    assert read("1d8+3 slashing + 2D6 fire") == [
        {"dice": "1d8+3", "kind": "slashing"},
        {"dice": "2d6", "kind": "fire"},
    ]
    with pytest.raises(ValueError, match='"3d6 jam" is no damage'):
        read("3d6 jam")


def test_changes_of_numbers_are_read() -> None:
    assert readers.changes("+1d4 attack, -2 ac, -1d4 save") == [
        {"stat": "attack", "amount": 1, "dice": "1d4"},
        {"stat": "ac", "amount": -2},
        {"stat": "save", "amount": -1, "dice": "1d4"},
    ]
    with pytest.raises(ValueError, match='"attack" is no change'):
        readers.changes("attack")


def test_names_may_come_several_times() -> None:
    assert readers.repeated("bite, 2 claw") == ["bite", "claw", "claw"]
    assert readers.repeated(2) == ["any", "any"]
