"""The parser of printed stat blocks of fifth edition, which returns creatures for `Schema.convert_creature`.

    Goblin
    Small humanoid (goblinoid), neutral evil
    Armor Class 15 (leather armor, shield)
    Hit Points 7 (2d6)
    Speed 30 ft.
    STR 8 (-1) DEX 14 (+2) CON 10 (+0) INT 10 (+0) WIS 8 (-1) CHA 8 (-1)
    Actions
    Scimitar. Melee Weapon Attack: +4 to hit, reach 5 ft., one target. Hit: 5 (1d6 + 2) slashing damage.

Traits and actions are features in words; `power` parses the numbers of a feature, for every importer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from tracker.core.game.foreign import Creature, Feature

ABILITIES = ("str", "dex", "con", "int", "wis", "cha")
CONDITIONS = (
    *("blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "paralyzed", "petrified"),
    *("poisoned", "prone", "restrained", "stunned", "unconscious"),
)
_GROUPS = {
    "actions": "action",
    "bonus actions": "bonus",
    "reactions": "reaction",
    "legendary actions": "legendary",
}
_LINES = (
    *("armor class", "hit points", "speed", "saving throws", "skills", "damage vulnerabilities", "damage resistances"),
    *("damage immunities", "condition immunities", "senses", "languages", "challenge", "proficiency bonus"),
)
_DICE = r"\d{0,3}d\d{1,3}(?:\s*[+−–-]\s*\d{1,3})?"
_DAMAGE = re.compile(
    rf"(?:\((?P<dice>{_DICE})\)|(?P<bare>{_DICE})|(?<![\d/])(?P<flat>\d{{1,3}}))\s+(?P<kind>[a-z]+) damage"
)
_HIT = re.compile(r"([+−–-]\s?\d{1,2}) to hit")
_REACH = re.compile(r"reach (\d{1,3})")
_RANGE = re.compile(r"range (\d{1,4})(?:\s*/\s*(\d{1,4}))?")
_SAVE = re.compile(
    r"DC (\d{1,2}) (str|dex|con|int|wis|cha)\w*(?: saving throw| save)?"
    r"|(str|dex|con|int|wis|cha)\w* saving throw:? DC (\d{1,2})",
    re.IGNORECASE,
)
_AREA = re.compile(
    r"(\d{1,3})[- ](?:foot|feet|ft\.?)[- ](cone|line|radius|cube|sphere|emanation)|within (\d{1,3}) feet of it"
)
_NAMED = re.compile(r"(?P<name>[A-Z][\w'’/ -]{1,48}(?:\([^)]{1,60}\))?)\.\s+(?P<text>\S.*)")
_SCORE = re.compile(r"(\d{1,2})\s*\([+−–-]?\d{1,2}\)")
_FORMS = {"cone": "cone", "line": "line"}


class PrintedPower(Struct, frozen=True):
    """The numbers in the words of a feature.

    Attributes:
        hit: the bonus to hit; None: no attack roll.
        reach: the reach of a melee attack in feet, or 0.
        range: normal and farthest range in feet, or None.
        damage: dice with their kinds ("": unknown), of the attack, or of the save if there is no attack roll.
        save, dc: the ability and the difficulty of a save; "": no save.
        half: whether a save halves the damage.
        extra: with an attack roll: the damage of the save.
        condition: the condition of a target.
        ends_by_save: a save at the end of its turns ends the condition.
        shape, size: of an area; "": no area.
        recharge: the least number on a d6 that recharges it.
        uses: uses a day.
        price: its number of legendary actions.
    """

    hit: int | None = None
    reach: int = 0
    range: tuple[int, int] | None = None
    damage: tuple[tuple[str, str], ...] = ()
    save: str = ""
    dc: int = 0
    half: bool = False
    extra: tuple[tuple[str, str], ...] = ()
    condition: str = ""
    ends_by_save: bool = False
    shape: str = ""
    size: int = 0
    recharge: int = 0
    uses: int = 0
    price: int = 1


def power(feature: Feature) -> PrintedPower:
    """Parse the numbers in the words of a feature."""
    text = feature.text
    hit, save, far = _HIT.search(text), _SAVE.search(text), _RANGE.search(text)
    reach, area = _REACH.search(text), _AREA.search(text)
    whole = re.split(r"\bor \d+ \(", text)[0]  # with two hands, at long range
    damage = [(match.start(), _dice(match), match["kind"]) for match in _DAMAGE.finditer(whole)]
    if hit is not None and not damage and (bare := re.search(_DICE, whole[hit.end() :])) is not None:
        damage = [(hit.end(), re.sub(r"\s", "", bare[0]).replace("−", "-"), "")]
    under = save.start() if hit is not None and save is not None else len(text)
    condition = next((name for name in CONDITIONS if re.search(rf"\b{name}\b", text, re.IGNORECASE)), "")
    recharge = re.search(r"recharge (\d)", feature.name, re.IGNORECASE)
    uses = re.search(r"(\d)/day", feature.name, re.IGNORECASE)
    price = re.search(r"costs (\d)", feature.name, re.IGNORECASE)
    form = "" if area is None else _FORMS.get(area[2] or "", "circle")
    feet = 0 if area is None else int(area[1] or area[3])
    return PrintedPower(
        hit=None if hit is None else _signed(hit[1]),
        reach=int(reach[1]) if reach else 5 if hit is not None and far is None else 0,
        range=None if far is None else (int(far[1]), int(far[2] or far[1])),
        damage=tuple((dice, kind) for at, dice, kind in damage if at < under),
        save="" if save is None else (save[2] or save[3]).casefold(),
        dc=0 if save is None else int(save[1] or save[4]),
        half="half" in text,
        extra=tuple((dice, kind) for at, dice, kind in damage if at >= under),
        condition=condition if save is not None or hit is not None else "",
        ends_by_save=re.search(r"repeat the saving throw|end of each of its turns", text) is not None,
        shape=form,
        size=feet // 2 if area is not None and area[2] == "cube" else feet,
        recharge=int(recharge[1]) if recharge else 0,
        uses=int(uses[1]) if uses else 0,
        price=int(price[1]) if price else 1,
    )


def bare_name(feature: Feature) -> str:
    """Return the name of a feature without the brackets after it."""
    return re.sub(r"\s*\(.*?\)\s*", " ", feature.name).strip() or feature.name


def is_printed(text: str) -> bool:
    """Tell whether a text is a stat block of fifth edition."""
    return re.search(r"^armor class\b", text, re.I | re.M) is not None and "hit points" in text.casefold()


def read_creature(text: str) -> Creature:
    """Parse one stat block with its name on the first line.

    Raises:
        ValueError: the text has no Armor Class or no hit points.
    """
    if not is_printed(text):
        raise ValueError("no stat block of fifth edition: it has a line for Armor Class and one for Hit Points")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    values = {
        name: line[len(name) :].strip(" :") for name in _LINES for line in lines if line.casefold().startswith(name)
    }
    scores = [int(match[1]) for match in _SCORE.finditer(" ".join(lines))][:6]
    points, armor = re.match(r"\d+", values.get("hit points", "")), re.match(r"\d+", values.get("armor class", ""))
    if points is None or armor is None:
        raise ValueError("no number stands behind Armor Class or Hit Points")
    dice = re.search(rf"\(({_DICE})\)", values["hit points"])
    size = re.match(r"(tiny|small|medium|large|huge|gargantuan)\b", lines[1], re.IGNORECASE) if len(lines) > 1 else None
    feet = [int(number) for number in re.findall(r"(\d{1,3}) ?(?:ft|feet)", values.get("speed", ""))]
    return Creature(
        name=lines[0],
        system="d20",
        hd="" if dice is None else re.sub(r"\s", "", dice[1]).replace("−", "-"),
        hp=int(points[0]),
        ac=int(armor[0]),
        move=f"{max(feet)} ft ({values['speed']})" if len(feet) > 1 else values.get("speed", ""),
        scores=tuple(zip(ABILITIES, scores, strict=True)) if len(scores) == 6 else (),
        features=tuple(_features(lines)),
        size="" if size is None else size[1].casefold(),
        challenge=values.get("challenge", "").partition(" ")[0],
        saves=tuple(_bonuses(values.get("saving throws", ""))),
        skills=tuple(_bonuses(values.get("skills", ""), whole=True)),
        resist=listed(values.get("damage resistances", "")),
        vulnerable=listed(values.get("damage vulnerabilities", "")),
        immune=listed(values.get("damage immunities", "")),
        unaffected=listed(values.get("condition immunities", "")),
        lost=() if len(scores) == 6 else ("ability scores",),
    )


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a printed list: `cold, fire; bludgeoning and piercing from ...`."""
    every = re.findall(r"[a-z]+", re.sub(r"\bfrom\b[^,;]*|\bthat\b[^,;]*", " ", words.casefold()))
    return tuple(dict.fromkeys(word for word in every if word not in ("and", "or", "damage")))


def _bonuses(words: str, whole: bool = False) -> Iterator[tuple[str, int]]:
    for name, number in re.findall(r"([A-Za-z ]+?)\s*([+−–-]\s?\d{1,2})", words):
        plain = name.strip().casefold()
        yield plain if whole else plain[:3], _signed(number)


def _features(lines: list[str]) -> Iterator[Feature]:
    """Yield the features below the numbers; each begins with its name and a full stop."""
    group, name, words = "trait", "", list[str]()
    at = max((place for place, line in enumerate(lines) if line.casefold().startswith(_LINES)), default=0)
    for line in lines[at + 1 :]:
        heading, named = _GROUPS.get(line.casefold()), _NAMED.match(line)
        if (heading or named) and name:
            yield Feature(group, name, " ".join(words))
            name, words = "", []
        if heading:
            group = heading
        elif named:
            name, words = named["name"].strip(), [named["text"]]
        elif name:
            words.append(line)
    if name:
        yield Feature(group, name, " ".join(words))


def _dice(match: re.Match[str]) -> str:
    written = match["dice"] or match["bare"] or match["flat"]
    return re.sub(r"\s", "", written).replace("−", "-").replace("–", "-")


def _signed(number: str) -> int:
    return int(re.sub(r"\s", "", number).replace("−", "-").replace("–", "-"))
