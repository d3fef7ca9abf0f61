"""Sentences behind the damage, as this game's own stat blocks have them (GH-314)."""

from __future__ import annotations

import re

from rulesets.githack.stat_blocks.models import HAZARDS
from rulesets.githack.stat_blocks.print_import.attacks import draft
from rulesets.githack.stat_blocks.print_import.reading import Reading, depths
from tracker.kit.readers import Plain

_GETS_THROUGH = re.compile(
    r"(?:,|\band\b|\bplus\b)\s+(?P<what>[\w' -]+?)\s+for\s+any\s+hits?\s+that\s+gets?\s+through(?P<rest>[^.]*)",
    re.IGNORECASE,
)
_BREATH = re.compile(
    r"(?P<name>[\w' -]*breath[\w' -]*?)\s+up\s+to\s+(?P<uses>\d+)\s+times?\b.*?"
    r"\bdeals?\s+(?P<dice>\d*d\d+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_STICKS = re.compile(r"\bafter\s+a\s+successful\s+hit\s+it\s+sticks\b", re.IGNORECASE)
_DESTROYS = re.compile(
    r"\bdestroys?\s+(?P<points>\d+)\s+points?\s+of\s+AC\s+(?:per|each|every)\s+round\b", re.IGNORECASE
)


def sentences(words: str) -> tuple[str, str]:
    """Part the attack from the sentences behind it."""
    inside = depths(words)
    for match in re.finditer(r"\.\s+(?=[A-Z])", words):
        if not inside[match.start()]:
            return words[: match.start()].strip(), words[match.end() :].strip()
    return words.strip(), ""


def rider(words: str, reading: Reading) -> tuple[str, list[Plain]]:
    """Take "plus X for any hits that get through" out of the attack."""
    match = _GETS_THROUGH.search(words)
    if match is None:
        return words, []
    reading.keep(match["rest"].strip(" ()"))
    return (words[: match.start()] + words[match.end() :]).strip(), [draft(match["what"].strip(), reading)]


def specials(words: str, reading: Reading) -> list[Plain]:
    """Read the sentences, as notes where they fit no pattern."""
    found: list[Plain] = []
    if not words:
        return found
    destroys = _DESTROYS.search(words)
    for sentence in re.split(r"(?<=[.!?])\s+", words):
        breath = _BREATH.search(sentence)
        if breath is not None:
            found.append(_breath(breath, reading))
        elif _STICKS.search(sentence):
            reading.doubt("sticks: drafted from the print, look it over")
            points = int(destroys["points"]) if destroys else 0
            sticks: Plain = {
                "name": "sticks",
                "when": "connect",
                "effect": "stuck",
                "until": "removed",
                "continuing": True,
                "destroys_ac": points,
            }
            found.append({**sticks, "review": True})
        elif not (destroys and _DESTROYS.search(sentence) and any(special["name"] == "sticks" for special in found)):
            reading.keep(sentence)
    return found


def _breath(match: re.Match[str], reading: Reading) -> Plain:
    name = match["name"].strip().casefold()
    reading.doubt(f"{name}: drafted from the print, look it over")
    return {
        "name": name,
        "when": "instead_of_attack",
        "dice": match["dice"],
        "save": list(HAZARDS["breath"]),
        "keep_on_save": "1/2",
        "uses": int(match["uses"]),
        "area": "area" in match["rest"].casefold(),
        "review": True,
    }
