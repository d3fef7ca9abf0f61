"""Printed stat blocks: parted into fields, each read by its own reader (8.5, GH-301 to GH-314)."""

from __future__ import annotations

import re

from msgspec import Struct

from rulesets.githack.stat_blocks.models import HAZARDS
from rulesets.githack.stat_blocks.print_import.armour import armour_class, system_of
from rulesets.githack.stat_blocks.print_import.attack_parts import DIE
from rulesets.githack.stat_blocks.print_import.attacks import attacks, draft
from rulesets.githack.stat_blocks.print_import.hit_dice import hit_dice
from rulesets.githack.stat_blocks.print_import.reading import Reading, depths, number, plains, split
from rulesets.githack.stat_blocks.print_import.tidying import tidied
from tracker.kit import readers
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


_LABELS = {
    "ac": r"armou?r\s*class|ac(?!t)",
    "hd": r"hit\s*dice|hit\s*die|hd",
    "hp": r"hit\s*points|hp",
    "attacks": r"no\.?\s*of\s*attacks|no\.?\s*attacks|#\s*att?(?:acks)?|attacks?|att|atk",
    "damage": r"damage(?:/attacks?)?|dmg|dam|dg|(?-i:D)(?=[\s:]+\d)",
    "kept": (
        r"thac0|movement|move|mv|speed|saving\s*throws?|saves?\s*as|saves?|sv|morale|ml|alignment|al|"
        r"xp(?:\s*value)?|treasure(?:\s*type)?|tt|no\.?\s*appearing|number\s*appearing|na|init(?:iative)?|act|"
        r"level|lvl|lv|size|sz|mor|spd|s\.?a\.?|s\.?d\.?|m\.?r\.?|"
        r"frequency|%\s*in\s*lair|magic\s*resistance|psionic\s*ability|no\.?\s*enc\.?|hoard\s*class|"
        r"special(?:\s*(?:attacks?|defen[cs]es?))?|intelligence|"
        r"challenge\s*(?:level|rating)(?:/xp)?|cl/xp|sp|languages|senses|skills|bonus"
    ),
}
_ANY = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _LABELS.items())
_LABEL = re.compile(
    rf"(?:^|[,;:|\n]|\.\s|\s/\s)[\s\"'`*|/-]*(?:{_ANY})[\"'`*]*(?P<sign>\s*[:=|.]\s*|\s+|(?=[\d½+\"'\[-])|$)",
    re.IGNORECASE,
)
_CLOSE = re.compile(rf"\s(?:{_ANY})\b\s*(?P<sign>:\s*|(?=[-\d½]))", re.IGNORECASE)
_OURS = re.compile(
    r"\b(?:thac0|attacks?|att|atk|hit\s*dice|armou?r\s*class|armorclass|hitdice|ml|xp|sv)\b", re.IGNORECASE
)


class Fields(Struct, frozen=True):
    """A print split at its labels: what precedes them, and each label's words."""

    before: str
    found: tuple[tuple[str, str, str], ...]

    def first(self, key: str) -> str:
        return next((words for kind, _, words in self.found if kind == key), "")

    def has(self, key: str) -> bool:
        return any(kind == key for kind, _, _ in self.found)


def fields_of(line: str) -> Fields:
    """Split a print at its labels; without any, its rows are AC, hit dice, attacks and damage in order."""
    line = line.strip().replace("’", "'")
    inside = depths(line)
    marks = [
        match
        for pattern in (_LABEL, _CLOSE)
        for match in pattern.finditer(line)
        if not inside[match.end() - 1] and not inside[match.start()]
    ]
    marks.sort(key=lambda match: match.start())
    kept: list[re.Match[str]] = []
    for match in marks:
        if not kept or match.start() >= kept[-1].end() - 1:
            kept.append(match)
    if not any(
        match.lastgroup and (match["ac"] or match["hd"] or match["hp"] or match["attacks"] or match["damage"])
        for match in kept
    ):
        return _rows(line)
    found: list[tuple[str, str, str]] = []
    for place, match in enumerate(kept):
        key = next(name for name in _LABELS if match[name])
        end = kept[place + 1].start() if place + 1 < len(kept) else len(line)
        found.append((key, match[key], line[match.end() : end].strip(" ,;|\n\t\"'`*/")))
    return Fields(line[: kept[0].start()], tuple(found))


def _rows(line: str) -> Fields:
    """Read rows without labels, as tables print them."""
    cells = [cell.strip(" `\"'|") for cell in re.split(r"\n|\t|\s/\s(?![^(]*\))", line) if cell.strip(" `\"'|")]
    name = ""
    if cells and not re.match(r"-?[\d½]", cells[0]):
        name = cells.pop(0)
    if len(cells) < 3 or len(cells) > 4:
        raise ValueError("no AC, hit points or damage in it; name them, such as: AC 3, HP 5, Damage 1d6")
    keys = ("ac", "hd", "attacks", "damage")
    return Fields(name, tuple((key, key, cell) for key, cell in zip(keys, cells, strict=False)))


def read_line(line: str, reading: Reading) -> Plain:
    """Return the typed keys of a monster in a print.

    The rest stays in the reading.

    Raises:
        ValueError: where nothing of a stat block is in it.
    """
    fields = fields_of(tidied(line, reading))
    plain: Plain = {}
    before = re.sub(r"\*\*|__|`", "", fields.before).strip(" :,-\n\t\"'|")
    before, _, flavour = before.partition("\n")
    reading.keep(flavour)
    before = before.strip(" :,-")
    if before:
        name, count = readers.counted(before)
        if count != 1:
            plain["count"] = count
        plain["name"] = re.sub(r",(?=\S)", ", ", name)
    if reading.system == "native" and "[" not in fields.first("ac") and _OURS.search(line):
        reading.doubt("AC is read as GitHack's own; name the system if the print is from another game")
    words = {key: fields.first(key) for key in ("ac", "hd", "hp", "attacks", "damage")}
    loose: list[str] = []
    for key in ("ac", "hd", "hp"):
        cells = split(words[key], r",")
        words[key] = cells[0] if cells else ""
        loose += cells[1:]
    if loose and fields.has("hp") and all(cell.isdigit() for cell in loose):
        reading.keep(f"hp of the others: {', '.join(loose)}")
    elif loose and not fields.has("attacks") and not fields.has("damage"):
        words["attacks"] = ", ".join(loose)
    else:
        for cell in loose:
            reading.keep(cell)
    for kind, label, value in fields.found:
        if kind == "kept" and value:
            reading.keep(f"{label} {value}")
    plain |= read_fields(words, reading)
    if not plain.get("attacks") and not plain.get("specials"):
        for part in reading.kept:
            if re.search(DIE, part, re.IGNORECASE) and re.search(r"attack|damage|\(\d*d\d", part, re.IGNORECASE):
                reading.fail(part, "perhaps an attack, which nothing here tells as one")
    return plain


def read_fields(words: dict[str, str], reading: Reading) -> Plain:
    """Read the fields of a print, or fields typed one by one; what cannot be read is reported and left out."""
    plain: Plain = {}
    if words.get("ac"):
        try:
            armour = armour_class(words["ac"], reading)
            if armour is not None:
                plain["ac"] = armour
        except ValueError as error:
            reading.fail(f"AC {words['ac']}", str(error))
    if words.get("hp"):
        match = re.fullmatch(r"(\d+)\s*(?:\((.*)\)|(.*))", words["hp"])
        if match and int(match[1]):
            plain["hp"] = number(match[1])
            reading.keep(match[2] or match[3] or "")
        else:
            reading.fail(f"HP {words['hp']}", "no number of 1 or more")
    if words.get("hd"):
        _hit_dice(plain, words["hd"], reading)
    if words.get("attacks") or words.get("damage"):
        plain |= _attacks(words.get("attacks", ""), words.get("damage", ""), reading)
    return plain


def _hit_dice(plain: Plain, words: str, reading: Reading) -> None:
    size = 8 if isinstance(reading.system, str) else system_of(reading.system).hit_die
    try:
        found = hit_dice(words, size, reading)
    except ValueError as error:
        reading.fail(f"HD {words}", str(error))
        return
    if found.points is not None and "hp" not in plain:
        plain["hp"] = max(1, found.points)
    if found.dice is not None:
        plain["hd"] = str(found.dice)
    if found.quick:
        plain["quick_hp"] = found.quick


def _attacks(names: str, damage: str, reading: Reading) -> Plain:
    first, after = sentences(damage or names)
    first, riders = rider(first, reading)
    failed = len(reading.unread)
    modes, own = attacks(names, first, reading) if damage else attacks(first, "", reading)
    own += riders + specials(after, reading)
    if not modes and not own and len(reading.unread) == failed:
        reading.fail(
            f"{names} {damage}".strip(),
            "no attack in it" if re.search(DIE, names + damage) else "an attack without dice",
        )
    return {"attacks": modes, "specials": apart(modes, own)}


def apart(modes: list[Plain], own: list[Plain]) -> list[Plain]:
    taken: set[str] = set()
    for special in (*own, *(special for mode in modes for special in plains(mode.get("specials")))):
        name, number_ = str(special["name"]), 2
        while special["name"] in taken:
            special["name"], number_ = f"{name} {number_}", number_ + 1
        taken.add(str(special["name"]))
    return own
