"""The import of a printed stat line as keys for a file (8.8, WN-C31)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rulesets.worlds_without_number.blocks.stat_line import is_column, read_line
from tracker.core.game.schema import Imported
from tracker.kit import readers

_NAME = re.compile(r"(?P<name>[^:|\t\n]*[^\W\d][^:|\t\n]*):\s*(?P<line>.*)", re.DOTALL)


def import_line(text: str, system: str, choices: Mapping[str, str]) -> Imported:
    """Read a printed line, its name before a colon or on a line above.

    Every number is the game's own, so there is no other system.

    Raises:
        ValueError: where no column can be told from another, or another game is named.
    """
    if system not in ("", "worlds_without_number"):
        raise ValueError(f"stat lines of {system} are not converted to this game")
    name, line = "Unnamed", text.strip()
    first, _, rest = line.partition("\n")
    match = _NAME.fullmatch(line)
    if match and not is_column(match["name"]):
        name, line = match["name"].strip(), match["line"]
    elif rest and not is_column(first) and len(re.split(r"\t|\||\s{2,}|,", first)) < 3:
        name, line = first.strip(" :"), rest
    read = read_line(line)
    called, count = readers.counted(name)
    block: dict[str, object] = {**({"count": count} if count != 1 else {}), "name": called}
    block |= {key: int(value) if value.isdigit() else value for key, value in read.typed}
    unread = tuple(f'"{part}": no such column, or not in its notation' for part in read.unread)
    return Imported("monster", {**block, **({"unread": list(read.unread)} if read.unread else {})}, unread)
