"""The import of a printed stat block as keys for a file (Section 8.5, GH-049, GH-050)."""

from __future__ import annotations

from collections.abc import Mapping

from rulesets.githack.stat_blocks.print_import.armour import system_of
from rulesets.githack.stat_blocks.print_import.reading import Reading
from rulesets.githack.stat_blocks.print_import.stat_lines import read_line
from tracker.core.game.schema import Imported
from tracker.kit.readers import Plain

_IDLE = {
    "save": [],
    "effect": "",
    "part": "",
    "add": 0,
    "label": "",
    "specials": [],
    "reach": "close",
    "count": 1,
    "destroys_ac": 0,
    "area": False,
}
"""Values that a file need not say."""


def import_print(text: str, system: str, choices: Mapping[str, str]) -> Imported:
    """Read a print, without the AC where nothing says which game counts so (GH-303).

    Raises:
        ValueError: where there is nothing of a stat block in it, or no such system or answer.
    """
    wanted = choices.get("system", system)
    if wanted:
        system_of(wanted)
    reading = Reading(wanted, {key: value for key, value in choices.items() if key != "system"})
    block = read_line(text, reading)
    if reading.wrong:
        raise ValueError("; ".join(reading.wrong))
    ordered: Plain = {
        "name": block.pop("name", "Unnamed"),
        **{key: _bare(value) for key, value in block.items() if value not in ([], "", None)},
    }
    if "hp" not in ordered and "hd" not in ordered:
        reading.doubt("no hit points given: 1d8 are rolled")
    if reading.kept:
        ordered["kept"] = list(reading.kept)
    open_ones = [f"{question.why} {question.options[0]} is taken" for question in reading.questions]
    review = [*reading.review, *open_ones, *(f"not read: {part}" for part in reading.unread)]
    if review:
        ordered["review"] = review
    return Imported("monster", ordered, tuple(reading.unread), tuple(reading.review), tuple(reading.questions))


def _bare(value: object) -> object:
    """Return a value without the keys that stand for nothing."""
    if isinstance(value, list):
        return [_bare(part) for part in value]
    if isinstance(value, dict):
        return {key: _bare(part) for key, part in value.items() if not (key in _IDLE and part == _IDLE[key])}
    return value
