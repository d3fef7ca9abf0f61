"""Prints of other games, put into the labels the readers know (8.5).

Each game has its own way to say the same; what none of the readers knows stays as it is, and is noted.
"""

from __future__ import annotations

import re

from rulesets.githack.stat_blocks.print_import.attack_parts import DIE
from rulesets.githack.stat_blocks.print_import.reading import Reading
from tracker.kit.readers import HOW_MANY

_LABELS = re.compile(
    r"\b(?:ac|armou?r|hd|hit dice|hp|#?at(?:t|k)?|dg|dmg|damage|mv|move|sv|save|ml|al|d)\b", re.IGNORECASE
)
_BRACKETED = re.compile(
    rf"(?P<name>[^\[\]()\n]+?(?:\s*\([x×]?{HOW_MANY}\))?)\s*:?\s*[\[(](?P<inner>.*)[\])]\s*\.?\s*",
    re.DOTALL | re.IGNORECASE,
)
_EACH_ROUND = re.compile(rf"(?P<dice>{DIE})\s*(?:/|per|a|each|every)\s*(?:round|rd|turn)\b\.?", re.IGNORECASE)
_ABILITY = r"(?:\b(?P<{0}>\d+)\s+{1}\b|\b{1}\s*:?\s*(?P<{0}2>\d+)\b)"
_ODD = {name: re.compile(_ABILITY.format("n", name), re.IGNORECASE) for name in ("STR", "DEX", "WIL")}
_POINTS = re.compile(r"\b(?:(?P<n>\d+)\s*(?:hp|hit protection)|hp\s*:?\s*(?P<m>\d+))\b", re.IGNORECASE)
_ARMOUR = re.compile(r"\b(?:(?P<n>\d+)\s+armou?r|armou?r\s*:?\s*(?P<m>\d+))\b", re.IGNORECASE)
_STRIKES = re.compile(
    rf"\b(?P<count>\d+|an?|one|two|three|four)\s+(?P<name>[a-z][a-z' -]*?)\s*"
    rf"(?:(?:attacks?\s+)?(?:for|doing|that\s+does?|dealing|causing|inflicting)\s+(?P<dice>{DIE})(?:\s+damage)?|"
    rf"attacks?\s*\((?P<inner>{DIE}[^()]*)\))(?:\s+each)?",
    re.IGNORECASE,
)
STRIKE = "Att "
_WORDS = {"a": "1", "an": "1", "one": "1", "two": "2", "three": "3", "four": "4"}


def tidied(line: str, reading: Reading) -> str:
    """Return a print with the labels of other games turned into those that are read."""
    line = re.sub(r"[ \t]+\n", "\n", line.strip())
    line = _without_brackets(line)
    line = _EACH_ROUND.sub(lambda found: _each_round(found, reading), line)
    if all(ability.search(line) for ability in _ODD.values()) and _POINTS.search(line):
        return _odd(line, reading)
    line = re.sub(r"\b(\d+(?:[+-]\d+)?)[ \t]+hit[ \t]+dic?e\b(?!\s*:)", r"HD \1", line, flags=re.IGNORECASE)
    line = re.sub(r"(?<=[,;.])\s*(\d+)\s+hit\s+points\b", r" HP \1", line, flags=re.IGNORECASE)
    line = re.sub(r"(^|[:,;|\n]\s*)armou?r(?=\s*:?\s*\d)", r"\1AC", line, flags=re.IGNORECASE)
    if not re.search(r"\b(?:att?k?|attacks?)\b(?!\s+for)[\s:]", _STRIKES.sub("", line), re.IGNORECASE):
        line = _STRIKES.sub(_strike, line)
        first = line.find(STRIKE)
        line = line[: first + len(STRIKE)] + line[first + len(STRIKE) :].replace(STRIKE, "") if first >= 0 else line
    return line


def alternatives(words: str) -> str:
    pattern = rf"(?P<name>[^()/]*?)\((?P<dice>{DIE}(?:\s+or\s+{DIE})+)\)"
    return re.sub(pattern, _apart, words, flags=re.IGNORECASE)


def _apart(found: re.Match[str]) -> str:
    return " or ".join(f"{found['name'].strip()} ({dice})" for dice in re.split(r"\s+or\s+", found["dice"]))


def _without_brackets(line: str) -> str:
    """Open the brackets that hold a whole stat block, as Labyrinth Lord prints it."""
    found = _BRACKETED.fullmatch(line)
    if (
        found is None
        or _closes_early(found["inner"])
        or len(_LABELS.findall(found["inner"])) < 3
        or _LABELS.search(found["name"])
    ):
        return line
    return f"{found['name'].strip()}: {found['inner']}"


def _closes_early(inner: str) -> bool:
    """Tell whether a bracket ends before the last one."""
    depth = 0
    for sign in inner:
        depth += (sign in "([") - (sign in ")]")
        if depth < 0:
            return True
    return False


def _each_round(found: re.Match[str], reading: Reading) -> str:
    reading.keep(f"{found['dice']} each round")
    return found["dice"]


def _strike(found: re.Match[str]) -> str:
    count = _WORDS.get(found["count"].casefold(), found["count"])
    name = re.sub(r"\s+attacks?$", "", found["name"].strip(), flags=re.IGNORECASE)
    return f"{STRIKE}{count} {name} ({found['dice'] or found['inner']})"


def _odd(line: str, reading: Reading) -> str:
    """Read the blocks of Into the Odd and Cairn, where brackets tell the attacks."""
    points = _POINTS.search(line)
    assert points is not None
    abilities = []
    for name, pattern in _ODD.items():
        found = pattern.search(line)
        assert found is not None
        abilities.append(f"{name} {found['n'] or found['n2']}")
        line = pattern.sub("", line, count=1)
    reading.keep(", ".join(abilities))
    if armour := _ARMOUR.search(line):
        number = armour["n"] or armour["m"]
        reading.fail(f"Armour {number}", "there it is taken from damage, here it is an AC of your choice")
        line = _ARMOUR.sub("", line, count=1)
    line = _POINTS.sub("", line, count=1)
    head, _, rest = line.partition("\n") if "\n" in line else line.partition(":") if ":" in line else ("", "", line)
    pieces = [piece.strip(" *-") for piece in re.split(r"[,;\n]|\.(?:\s|$)", rest) if piece.strip(" *-.")]
    attacks = [piece for piece in pieces if re.search(rf"\((?:{DIE}|d\d)", piece, re.IGNORECASE)]
    for piece in pieces:
        if piece not in attacks:
            reading.keep(piece)
    name = re.sub(r"\*\*|__|[:,]\s*$", "", head.strip(" ,:")) or "Unnamed"
    blows = f", Att {' or '.join(attacks)}" if attacks else ""
    return f"{name}: HP {points['n'] or points['m']}{blows}"
