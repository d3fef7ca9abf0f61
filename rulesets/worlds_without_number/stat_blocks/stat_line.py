"""Import of a printed stat line (8.8, WN-C31)."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from rulesets.worlds_without_number.stat_blocks import readers
from tracker.kit import readers as typed_as


class StatLine(Struct, frozen=True):
    """What a line says, as typed keys of a monster.

    Columns that could not be read are kept as `name: text`.
    """

    typed: tuple[tuple[str, str], ...]
    unread: tuple[str, ...] = ()


def _between(least: int, most: int, read: Callable[[object], int] = typed_as.number) -> Callable[[object], int]:
    def check(value: object) -> int:
        found = read(value)
        if not least <= found <= most:
            raise ValueError(f"{found} is not between {least} and {most}")
        return found

    return check


# key, heading, other headings, reader; in the order of print
COLUMNS: tuple[tuple[str, str, tuple[str, ...], Callable[[object], object]], ...] = (
    ("hd", "HD", ("hit dice",), readers.hit_dice),
    ("ac", "AC", ("armor class", "armour class"), readers.armor_class),
    ("atk", "Atk", ("attack",), readers.attack),
    ("dmg", "Dmg", ("damage",), readers.damage),
    ("shock", "Shock", (), readers.shock),
    ("move", "Move", (), readers.feet),
    ("ml", "ML", ("morale",), _between(2, 12)),
    ("inst", "Inst", ("instinct",), _between(0, 10)),
    ("skill", "Skill", (), _between(-1, 20)),
    ("save", "Save", (), _between(2, 20, readers.save)),
)

_KEYS = {name.casefold(): key for key, heading, others, _ in COLUMNS for name in (heading, *others)}
_READ = {key: read for key, _, _, read in COLUMNS}
_HEADING = {key: heading for key, heading, _, _ in COLUMNS}
_LABEL = re.compile(
    rf"(?P<label>{'|'.join(sorted(_KEYS, key=len, reverse=True))})(?:[.:]+|(?![a-z]))\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)

_TWO_WORDS = re.compile(r"(\S) ([x×] ?\d+|fly|swim|ft\.?|feet)(?= |$)", re.IGNORECASE)


def read_line(line: str) -> StatLine:
    """Read a printed line.

    Raises:
        ValueError: where no column can be told from another.
    """
    cells = _cells(line)
    labelled = [_split(cell) for cell in cells]
    if len(cells) == len(COLUMNS):
        found = [(label or key, value) for (label, value), (key, _, _, _) in zip(labelled, COLUMNS, strict=True)]
    else:
        found = [(label, value) for label, value in labelled]
        if not any(label for label, _ in found):
            known = ", ".join(heading for _, heading, _, _ in COLUMNS)
            message = f"a line without labels needs all ten columns, here are {len(cells)}: {known}"
            raise ValueError(
                f"{message}; columns are kept apart by tabs, bars or two spaces, labelled ones by commas too"
            )
    typed: dict[str, str] = {}
    unread: list[str] = []
    for place, (key, value) in enumerate(found, start=1):
        if not key or key in typed:
            unread.append(f"{_HEADING.get(key, f'column {place}')}: {value}")
        elif value:
            try:
                _READ[key](value)
            except ValueError:
                unread.append(f"{_HEADING[key]}: {value}")
            else:
                points = readers.hit_dice(value)[2] if key == "hd" else None
                typed["hp" if points is not None else key] = value if points is None else str(points)
    return StatLine(tuple(typed.items()), tuple(unread))


def without_gaps(text: str) -> tuple[str, str] | None:
    """Return the name and the ten columns of a line whose gaps are single spaces, or None where it is none.

    The last ten words have to be in the notation of their columns; `+6 x2` and `40' fly` count as one.
    """
    words = _TWO_WORDS.sub("\\1\u00a0\\2", " ".join(text.split())).split(" ")
    columns = [word.replace("\u00a0", " ") for word in words[-len(COLUMNS) :]]
    if len(words) <= len(COLUMNS) or "\n" in text.strip():
        return None
    try:
        for value, (_, _, _, read) in zip(columns, COLUMNS, strict=True):
            read(value)
    except ValueError:
        return None
    return " ".join(words[: -len(COLUMNS)]).replace("\u00a0", " ").strip(" :"), "  ".join(columns)


def is_column(words: str) -> bool:
    """Tell whether words begin with the heading of a column."""
    return _LABEL.match(words.strip()) is not None


def _cells(line: str) -> list[str]:
    """Return the columns of a line.

    They are parted by tabs, else bars, else commas before labels, else two or more spaces.
    """
    line = line.strip(" \r\n")
    if "\t" in line:
        cells = re.split(r"\t|\n", line)
    elif "|" in line:
        cells = line.strip("|").split("|")
    elif "," in line and _LABEL.match(line):
        cells = line.split(",")
    else:
        cells = re.split(r"\s{2,}|\n", line)
    cells = [cell.strip() for cell in cells]
    return _joined(cells)


def _joined(cells: list[str]) -> list[str]:
    """Return the cells with every label that stands alone put before its value."""
    joined: list[str] = []
    waiting = ""
    for cell in cells:
        label, value = _split(cell)
        if waiting:
            joined.append(waiting if label else f"{waiting} {cell}")
            waiting = ""
            if not label:
                continue
        if label and not value:
            waiting = cell
        else:
            joined.append(cell)
    return [*joined, waiting] if waiting else joined


def _split(cell: str) -> tuple[str, str]:
    """Return a cell's key, empty without a label, and its value."""
    match = _LABEL.fullmatch(cell)
    return (_KEYS[match["label"].casefold()], match["value"].strip()) if match else ("", cell)
