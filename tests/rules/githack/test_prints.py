"""Stat blocks as old books print them: GH-301 to GH-314."""

from __future__ import annotations

from typing import Any

import pytest

from rulesets.githack import RULESET
from rulesets.githack.stat_blocks.models import Monster, Special
from rulesets.githack.stat_blocks.shorthand import shorthand
from tests.support.tables import for_each, read_block, rows
from tracker.core.game.schema import codec_of

# name, typed keys (a text is a stat line), AC, hit points or hit dice (with the printed average), dice of the modes,
# drafts, a kept note
FORMATS = rows(__file__, "formats", tuples=True)


def read(typed: Any) -> Monster:
    plain = {"name": "X", **({"stat_line": typed} if isinstance(typed, str) else typed)}
    return read_block(RULESET, "monster", plain)


def dice(monster: Monster) -> str:
    return " // ".join(
        " | ".join(",".join(map(str, part.dice.sides)) for part in mode.parts) for mode in monster.attacks
    )


def drafts(monster: Monster) -> tuple[str, ...]:
    def draft(special: Special) -> str:
        effect, part = f" {special.effect}" if special.effect else "", f" on {special.part}" if special.part else ""
        return f"{special.name} {special.when} {'/'.join(special.save)}{effect}{part}"

    return tuple(draft(special) for holder in (monster, *monster.attacks) for special in holder.specials)


def points(monster: Monster) -> str:
    if monster.hp is not None:
        return str(monster.hp)
    return str(monster.hd) + (f" ({monster.quick_hp})" if monster.quick_hp else "")


@pytest.mark.parametrize(
    ("typed", "ac", "hp", "modes", "specials", "kept"), [pytest.param(*row[1:], id=row[0]) for row in FORMATS]
)
def test_format(typed: Any, ac: int, hp: str, modes: str, specials: tuple[str, ...], kept: str) -> None:
    """A printed format gives the numbers of table 8.8: AC, hit points, dice, drafts.

    GH-050, GH-302, GH-304, GH-305, GH-306, GH-307, GH-309 to GH-312, GH-314.
    """
    monster = read(typed)

    assert (monster.ac, points(monster), dice(monster), drafts(monster)) == (ac, hp, modes, specials)
    assert not kept or kept in monster.kept


@for_each("row", [row for row in FORMATS if row[5]])
def test_drafts_are_flagged(row: tuple[str, Any, int, str, str, tuple[str, ...], str]) -> None:
    """GH-310, GH-311, GH-314: every draft is marked, and the block asks to look it over."""
    monster = read(row[1])

    assert all(special.review for holder in (monster, *monster.attacks) for special in holder.specials)
    assert monster.review


@for_each(("given", "system", "ac"), rows(__file__, "armour_class_is_converted"))
def test_armour_class_is_converted(given: int, system: object, ac: int) -> None:
    """E45, GH-051, GH-301: native AC is the distance from the unarmoured value, at least 0."""
    monster = read({"ac": given, "hp": 1, "system": system})

    assert monster.ac == ac


@pytest.mark.parametrize(("words", "ac", "said"), rows(__file__, "armour_class_variants"))
def test_armour_class_variants(words: str, ac: int, said: str) -> None:
    """GH-302: pairs must agree, the unused is a note, the open a question."""
    monster = read({"ac": words, "hp": 1})

    assert monster.ac == ac
    assert said in " ".join((*monster.kept, *monster.review))


@for_each(("words", "found"), rows(__file__, "hit_dice"))
def test_hit_dice(words: str, found: str) -> None:
    """GH-304, GH-305: every way to print hit dice, open ones with a doubt."""
    monster = read({"hd": words})

    assert points(monster) == found
    assert any("how many" in words_ for words_ in monster.review) == (words in ("5-12", "8 / 12 / 16*"))


@for_each(("words", "found", "add"), rows(__file__, "ranges"))
def test_ranges(words: str, found: str, add: int) -> None:
    """GH-309: number ranges are dice, some with an add."""
    monster = read({"hp": 3, "damage": words})

    assert dice(monster) == found
    assert monster.attacks[0].parts[0].add == add


@for_each(("words", "found", "names"), rows(__file__, "modes_and_parts"))
def test_modes_and_parts(words: str, found: str, names: list[str]) -> None:
    """GH-306, GH-307: "or" and "/" part modes with names of their own; other joints part the parts of one mode."""
    monster = read({"hp": 3, "attacks": words})

    assert dice(monster) == found
    assert [mode.name for mode in monster.attacks] == names


@pytest.mark.parametrize(("line", "part", "why"), rows(__file__, "what_cannot_be_read"))
def test_what_cannot_be_read(line: str, part: str, why: str) -> None:
    """GH-313: the part and the reason are said, and the rest is kept."""
    monster = read(line)

    said = " ".join(monster.review)
    assert part in said
    assert why in said
    assert monster.ac == 4
    assert dice(monster).endswith("4")


def test_nothing_of_a_stat_block() -> None:
    """GH-313: a text without a stat block is refused with an example."""
    with pytest.raises(ValueError, match=r"stat_line: no AC.*such as: AC 3"):
        shorthand("monster", {"name": "X", "stat_line": "a nice cup of tea"})


def test_explicit_fields_win() -> None:
    """3.2: what is typed beside a line stands, in native numbers."""
    monster = read({"stat_line": "AC 4, HD 3, Damage 1d6", "system": "adnd", "ac": 2, "hp": 7, "damage": "2d4"})

    assert (monster.ac, monster.hp, dice(monster)) == (2, 7, "4,4")


def test_an_unnamed_game_is_doubted() -> None:
    """GH-303: a single AC in foreign dress, without its game, is asked about."""
    monster = read("AC 6, HD 4, THAC0 16, Att 1 bite (1d6)")

    assert any("name the system" in words for words in monster.review)


@for_each("row", FORMATS)
def test_reading_is_done_once(row: tuple[str, Any, int, str, str, tuple[str, ...], str]) -> None:
    """What has been read is canonical: read again, it stays the same."""
    codec = codec_of(RULESET.schema)
    monster = read(row[1])

    again = codec.convert(shorthand("monster", codec.builtins(monster)), Monster)

    assert again == monster
