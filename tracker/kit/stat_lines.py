"""The parser of stat lines of old-school games, which returns creatures for `Schema.convert_creature`.

    Skeleton: AC 7 [12], HD 1 (4hp), Att 1 × rusty weapon (1d6), THAC0 19 [0], MV 60' (20'), ML 12, AL C
    Ogre: HD 4+1; AC 5[14]; Atk weapon (1d10+1); Move 9; Save 13; CL/XP 4/120
    Troll: AC 4, HD 6+3*, #AT 2 claws/1 bite, D 1-6/1-6/1-10, MV 120' (40'), Save F6, ML 10

Text that is no number of a creature becomes a note; text that cannot be parsed is listed as lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.game.foreign import SCALES, Creature, ForeignAttack
from tracker.core.terms.dice import Dice, dice_between

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
"""Words that only lines of old-school games have."""
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
    """The results of a line while it is parsed."""

    system: str
    notes: list[str]
    lost: list[str]
    known: dict[str, str]


def is_old_school(text: str, system: str = "") -> bool:
    """Tell whether a text is a stat line of an old-school game, by the game's name or by the words of the line."""
    return (system in SCALES and system != "wwn") or _SIGNS.search(text) is not None


def read_creature(text: str, system: str = "") -> Creature:
    """Parse one stat line, with the name before a colon or on a line above.

    `system` is the game of its Armour Class, one of `SCALES`; a class in both counts needs none.

    Raises:
        ValueError: the text has neither Armour Class nor Hit Dice.
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
    creature = _with_hit_dice(_with_armour(Creature(name=name, system=system), read), read)
    blows = _blows(read)
    move, save, morale = _move(read), _save(read), _morale(read)
    return replace(
        creature,
        attack=_attack(read),
        attacks=max(1, len(blows)),
        blows=tuple({(blow.name, blow.dice): blow for blow in blows}.values()),
        move=move,
        save=save,
        morale=morale,
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
    """Yield each column: its key, its printed label, its value; text without a label belongs to the column before."""
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


def _with_armour(creature: Creature, read: _Line) -> Creature:
    """Return a creature with its Armour Class, which counts upwards if both counts are printed."""
    if "ac" not in read.known:
        return creature
    match = _CLASS.fullmatch(read.known["ac"])
    if match is None:
        read.lost.append(f"AC {read.known['ac']}")
        return creature
    if match[3]:
        read.notes.append(f"AC {read.known['ac']}")
    if match[2]:
        return replace(creature, ac=int(match[2]), system="wwn")
    return replace(creature, ac=int(match[1]))


def _with_hit_dice(creature: Creature, read: _Line) -> Creature:
    """Return a creature with Hit Dice, as dice where points are added to them, and with printed hit points."""
    written = read.known.get("hd", "")
    points = re.match(r"(\d{1,3})", read.known.get("hp", "")) or re.search(r"(\d{1,3})\s*hp", written, re.IGNORECASE)
    hp = int(points[1]) if points else None
    match = re.match(r"(\d{1,2}d\d{1,2}(?:[+-]\d{1,2})?)|(½|1/2)|(\d{1,2})\s*(?:([+−-])\s*(\d{1,2}))?", written)
    if match is None:
        read.lost += [f"HD {written}"] if written else []
        return replace(creature, hp=hp)
    if "*" in written:
        read.notes.append(f"HD {written}")
    if match[1]:
        hd = match[1]
    elif match[2]:
        hd = "1d4"
    else:
        hd = f"{match[3]}d8{'+' if match[4] == '+' else '-'}{match[5]}" if match[5] else match[3]
    return replace(creature, hd=hd, hp=hp)


def _attack(read: _Line) -> int | None:
    """Return the bonus to hit, as printed or from a THAC0 of a known game."""
    if (bonus := re.match(r"[+−-]?\d{1,2}", read.known.get("ab", ""))) is not None:
        return int(bonus[0].replace("−", "-"))
    written = read.known.get("thac0", "")
    if not written:
        return None
    match = re.match(r"(-?\d{1,2})\s*(?:[\[(]\s*([+−-]?\d{1,2})\s*[\])])?", written)
    if match is None:
        read.lost.append(f"THAC0 {written}")
        return None
    if match[2]:
        return int(match[2].replace("−", "-"))
    counted = re.match(r"(-?\d{1,2})\s*[\[(]\s*(\d{1,2})", read.known.get("ac", ""))
    upwards, bare = SCALES.get(read.system, (True, 0))
    hit = int(counted[1]) + int(counted[2]) if counted else bare + 10 if not upwards else 0
    if not hit:
        read.lost.append(f"THAC0 {written}: which game counts so? name it as the system")
        return None
    return hit - int(match[1])


def _blows(read: _Line) -> list[ForeignAttack]:
    """Return the attacks of a round; of alternatives only the first, the others are lost."""
    written, damage = read.known.get("att", ""), read.known.get("dmg", "")
    first, *others = re.split(r"\s*(?:,\s*)?\bor\b\s*(?![^()]*\))", written)
    read.lost += [f"or {other}" for other in others]
    routine: list[tuple[str, str | None]] = []
    for part in re.split(r"\s*(?:[,/+&]|\band\b)\s*(?![^()]*\))", first):
        match = _BLOW.fullmatch(part.strip())
        if not part.strip() or match is None:
            read.lost += [f"attack: {part}"] if part.strip() else []
            continue
        name = match["name"].strip() or "attack"
        routine += [(name, match["inside"])] * min(MOST_BLOWS, int(match["count"] or 1))
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
    """Return the dice at the beginning of a text, or the dice for a range, and the rest of the text."""
    match = _DAMAGE.match(written.strip())
    if match is None:
        return None, ""
    rest = match["rest"].strip(" +,;/").strip()
    low, dash, high = re.sub(r"\s", "", match["dice"]).replace("–", "-").partition("-")
    if dash and low.isdigit() and high.isdigit() and 0 < int(low) < int(high):
        return str(dice_between(int(low), int(high), (4, 6, 8, 10, 12))), rest
    try:
        return str(Dice.parse(match["dice"].replace("−", "-"))), rest
    except ValueError:
        return None, ""


def _move(read: _Line) -> str:
    """Return the feet of one round: the number in brackets, because the number before them is for a turn."""
    written = read.known.get("mv", "")
    if not written:
        return ""
    feet = re.search(rf"\(\s*{_FEET.pattern}", written, re.IGNORECASE) or _FEET.search(written)
    if feet is None or _FEET.sub("", written).strip(" ()"):
        read.notes.append(f"Move {written}")
    return feet[1] if feet else ""


def _save(read: _Line) -> int | None:
    """Return the number a save needs; saves by kinds and classes become notes."""
    written = read.known.get("sv", "")
    if re.fullmatch(r"\d{1,2}\+?", written):
        return int(written.rstrip("+"))
    read.notes += [f"Save {written}"] if written else []
    return None


def _morale(read: _Line) -> int | None:
    match = re.match(r"(\d{1,2})\s*(.*)", read.known.get("ml", ""), re.DOTALL)
    if match is None or not 2 <= int(match[1]) <= 12:
        read.notes += [f"ML {read.known['ml']}"] if read.known.get("ml") else []
        return None
    read.notes += [f"ML {read.known['ml']}"] if match[2] else []
    return int(match[1])
