"""Stat lines of old-school games, read as creatures for `Schema.convert_creature`.

    Skeleton: AC 7 [12], HD 1 (4hp), Att 1 × rusty weapon (1d6), THAC0 19 [0], MV 60' (20'), ML 12, AL C
    Ogre: HD 4+1; AC 5[14]; Atk weapon (1d10+1); Move 9; Save 13; CL/XP 4/120
    Troll: AC 4, HD 6+3*, #AT 2 claws/1 bite, D 1-6/1-6/1-10, MV 120' (40'), Save F6, ML 10

What is no number of a creature is kept as a note; what cannot be read is named as lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.game.foreign import SCALES, Creature, ForeignAttack
from tracker.core.terms.dice import Dice

_LABELS: dict[str, str] = {
    "ac": r"AC|armou?r class",
    "hd": r"HD|hit dice",
    "hp": r"HP|hit points",
    "att": r"#\s?AT|#\s?attacks?|no\. of attacks|ATTS?|ATK|attacks?|AT(?=[:.]?\s*\d)",
    "thac0": r"THAC[0O]",
    "ab": r"AB|BAB|attack bonus",
    "dmg": r"DMG|DAM|damage|D",
    "mv": r"MV|MOV|movement|move|speed",
    "sv": r"SV|saves?|saving throws?",
    "ml": r"ML|morale",
    "other": r"AL|alignment|XP|CL/XP|CL|NA|no\. appearing|TT|SZ|size|special|SA|SD|MR|INT",
}
_LABEL = re.compile(
    "(?:" + "|".join(f"(?P<{key}>{words})" for key, words in _LABELS.items()) + r")(?:\s*[:.]\s*|\s+|(?=[\d\[½+-]))",
    re.IGNORECASE,
)
_SIGNS = re.compile(
    r"THAC[0O]|#\s?AT|\bATT\b|\bSV\b|\bMV\b|\bXP\b|\bDAM\b|\bCL/|\bAC[:.]?\s*-?\d+\s*\["
    r"|\bATK[:.]?\s+(?:\d+\s*)?[a-z]+\s*\(",
    re.IGNORECASE,
)
"""Words found in the lines of old-school games only."""
_APART = re.compile(r"\s*[;,|\n\t]\s*(?![^()]*\))")
_CLASS = re.compile(r"(-?\d{1,2})\s*(?:[\[(]\s*(\d{1,2})\s*[\])])?\s*(.*)", re.DOTALL)
_TITLE = re.compile(r"\s*(?P<name>[^:|\t\n]*[^\W\d][^:|\t\n]*):\s*(?P<line>.*)", re.DOTALL)
_BLOW = re.compile(r"(?:(?P<count>\d{1,2})\s*[×x]?\s*)?(?P<name>[^()]*?)\s*(?:\((?P<inside>[^()]*)\))?")
_DAMAGE = re.compile(
    r"(?P<dice>\d{0,2}d\d{1,3}(?:\s*[+−-]\s*\d{1,2})?|\d{1,2}\s*[-–]\s*\d{1,3}|\d{1,3})(?P<rest>.*)", re.IGNORECASE
)
_FEET = re.compile(r"(\d{1,3})\s*(?:'|’|ft|feet)", re.IGNORECASE)
_AROUND = " :*_#"
MOST_BLOWS = 20


class _Line(Struct):
    """What is gathered while a line is read."""

    system: str
    notes: list[str]
    lost: list[str]
    known: dict[str, str]


def is_old_school(text: str, system: str = "") -> bool:
    """Tell whether a text is a stat line of an old-school game: by the game named, or by signs of its own."""
    return (system in SCALES and system != "wwn") or _SIGNS.search(text) is not None


def read_creature(text: str, system: str = "") -> Creature:
    """Read one stat line, with the name before a colon or on a line above.

    `system` is the game that its Armour Class is from, one of `SCALES`; a class in both counts needs none.

    Raises:
        ValueError: where neither Armour Class nor Hit Dice are in it.
    """
    name, line = _named(text)
    read = _Line(system, [], [], {})
    for label, written, value in _cells(line):
        if label in read.known or label in ("other", ""):
            (read.notes if label else read.lost).append(f"{written} {value}".strip())
        else:
            read.known[label] = value
    if not {"ac", "hd"} & set(read.known):
        raise ValueError("neither Armour Class nor Hit Dice in it; name them, such as: AC 5 [14], HD 3, Att bite (1d6)")
    creature = _armoured(Creature(name=name, system=system), read)
    creature = _living(creature, read)
    blows = _blows(read)
    moved, saved, brave = _move(read), _save(read), _morale(read)
    return replace(
        creature,
        attack=_attack(read),
        attacks=max(1, len(blows)),
        blows=tuple({(blow.name, blow.dice): blow for blow in blows}.values()),
        move=moved,
        save=saved,
        morale=brave,
        notes=tuple(read.notes),
        lost=tuple(read.lost),
    )


def _named(text: str) -> tuple[str, str]:
    first, _, rest = text.strip().partition("\n")
    titled = _TITLE.fullmatch(text)
    if titled is not None and _LABEL.match(titled["name"] + " ") is None:
        return titled["name"].strip(_AROUND), titled["line"]
    if rest and _LABEL.match(first) is None:
        return first.strip(_AROUND), rest
    return "Unnamed", text


def _cells(line: str) -> Iterator[tuple[str, str, str]]:
    """Yield each column: its key, its label as printed, its value; what has no label belongs to the one before."""
    waiting: tuple[str, str, str] | None = None
    for cell in _APART.split(line.strip()):
        label = _LABEL.match(f"{cell} ")
        if label is None and waiting is not None:
            waiting = (*waiting[:2], f"{waiting[2]}, {cell}" if cell else waiting[2])
            continue
        if waiting is not None:
            yield waiting
        key = "" if label is None or label.lastgroup is None else label.lastgroup
        end = 0 if label is None else label.end()
        waiting = (key, f"{cell} "[:end].strip(" :."), f"{cell} "[end:].strip())
    if waiting is not None:
        yield waiting


def _armoured(creature: Creature, read: _Line) -> Creature:
    """Return a creature with its Armour Class, which counts upwards where both counts are printed."""
    if "ac" not in read.known:
        return creature
    found = _CLASS.fullmatch(read.known["ac"])
    if found is None:
        read.lost.append(f"AC {read.known['ac']}")
        return creature
    if found[3]:
        read.notes.append(f"AC {read.known['ac']}")
    if found[2]:
        return replace(creature, ac=int(found[2]), system="wwn")
    return replace(creature, ac=int(found[1]))


def _living(creature: Creature, read: _Line) -> Creature:
    """Return a creature with Hit Dice, as dice where points are added to them, and with printed hit points."""
    written = read.known.get("hd", "")
    points = re.match(r"(\d{1,3})", read.known.get("hp", "")) or re.search(r"(\d{1,3})\s*hp", written, re.IGNORECASE)
    hp = int(points[1]) if points else None
    found = re.match(r"(\d{1,2}d\d{1,2}(?:[+-]\d{1,2})?)|(½|1/2)|(\d{1,2})\s*(?:([+−-])\s*(\d{1,2}))?", written)
    if found is None:
        read.lost += [f"HD {written}"] if written else []
        return replace(creature, hp=hp)
    if "*" in written:
        read.notes.append(f"HD {written}")
    if found[1]:
        hd = found[1]
    elif found[2]:
        hd = "1d4"
    else:
        hd = f"{found[3]}d8{'+' if found[4] == '+' else '-'}{found[5]}" if found[5] else found[3]
    return replace(creature, hd=hd, hp=hp)


def _attack(read: _Line) -> int | None:
    """Return the bonus to hit: as printed, or of a THAC0 whose game is known."""
    if (bonus := re.match(r"[+−-]?\d{1,2}", read.known.get("ab", ""))) is not None:
        return int(bonus[0].replace("−", "-"))
    written = read.known.get("thac0", "")
    if not written:
        return None
    found = re.match(r"(-?\d{1,2})\s*(?:[\[(]\s*([+−-]?\d{1,2})\s*[\])])?", written)
    if found is None:
        read.lost.append(f"THAC0 {written}")
        return None
    if found[2]:
        return int(found[2].replace("−", "-"))
    counted = re.match(r"(-?\d{1,2})\s*[\[(]\s*(\d{1,2})", read.known.get("ac", ""))
    upwards, bare = SCALES.get(read.system, (True, 0))
    hit = int(counted[1]) + int(counted[2]) if counted else bare + 10 if not upwards else 0
    if not hit:
        read.lost.append(f"THAC0 {written}: which game counts so? name it as the system")
        return None
    return hit - int(found[1])


def _blows(read: _Line) -> list[ForeignAttack]:
    """Return every attack of a round; of alternatives the first, the others are lost."""
    written, damage = read.known.get("att", ""), read.known.get("dmg", "")
    first, *others = re.split(r"\s*(?:,\s*)?\bor\b\s*(?![^()]*\))", written)
    read.lost += [f"or {other}" for other in others]
    routine: list[tuple[str, str | None]] = []
    for part in re.split(r"\s*(?:[,/+&]|\band\b)\s*(?![^()]*\))", first):
        found = _BLOW.fullmatch(part.strip())
        if not part.strip() or found is None:
            read.lost += [f"attack: {part}"] if part.strip() else []
            continue
        name = found["name"].strip() or "attack"
        routine += [(name, found["inside"])] * min(MOST_BLOWS, int(found["count"] or 1))
    each = [part.strip() for part in re.split(r"\s*/\s*", damage) if part.strip()]
    if each and not routine:
        routine = [("attack", None)] * len(each)
    if len({name for name, _ in routine}) > 1 or len(routine) > 1:
        read.notes.append(f"attacks: {written}")
    blows: list[ForeignAttack] = []
    for place, (name, inside) in enumerate(routine[:MOST_BLOWS]):
        text = inside if inside is not None else each[min(place, len(each) - 1)] if each else ""
        dice, rest = _dice(text)
        if dice is None:
            shown = f'"{text}"' if text else "is not said"
            read.lost.append(f"{name}: damage {shown}")
            continue
        if rest and f"{name}: {rest}" not in read.lost:
            read.lost.append(f"{name}: {rest}")
        blows.append(ForeignAttack(name=name, dice=dice))
    return blows


def _dice(written: str) -> tuple[str | None, str]:
    """Return the dice at the beginning of a text, a range as the dice that have it, and what follows them."""
    found = _DAMAGE.match(written.strip())
    if found is None:
        return None, ""
    rest = found["rest"].strip(" +,;/").strip()
    low, dash, high = re.sub(r"\s", "", found["dice"]).replace("–", "-").partition("-")
    if dash and low.isdigit() and high.isdigit() and 0 < int(low) < int(high):
        many, most = int(low), int(high)
        fits = many > 1 and most % many == 0 and most // many in (4, 6, 8, 10, 12)
        return str(Dice.of(many, most // many) if fits else Dice(((1, most - many + 1),), many - 1)), rest
    try:
        return str(Dice.parse(found["dice"].replace("−", "-"))), rest
    except ValueError:
        return None, ""


def _move(read: _Line) -> str:
    """Return the feet of one round: those in brackets are a round's, those before them a turn's."""
    written = read.known.get("mv", "")
    if not written:
        return ""
    inside = re.search(rf"\(\s*{_FEET.pattern}", written, re.IGNORECASE)
    found = inside or _FEET.search(written)
    if found is None or _FEET.sub("", written).strip(" ()"):
        read.notes.append(f"Move {written}")
    return found[1] if found else ""


def _save(read: _Line) -> int | None:
    """Return the one number a save needs; saves by kinds and classes are notes."""
    written = read.known.get("sv", "")
    if re.fullmatch(r"\d{1,2}\+?", written):
        return int(written.rstrip("+"))
    read.notes += [f"Save {written}"] if written else []
    return None


def _morale(read: _Line) -> int | None:
    found = re.match(r"(\d{1,2})\s*(.*)", read.known.get("ml", ""), re.DOTALL)
    if found is None or not 2 <= int(found[1]) <= 12:
        read.notes += [f"ML {read.known['ml']}"] if read.known.get("ml") else []
        return None
    read.notes += [f"ML {read.known['ml']}"] if found[2] else []
    return int(found[1])
