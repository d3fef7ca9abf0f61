"""Creatures of other programs as stat blocks of Worlds Without Number."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec.structs import replace

from rulesets.worlds_without_number.stat_blocks.stat_line import is_column, read_line, without_gaps
from tracker.core.game.foreign import Creature, ForeignAttack, armour, kept
from tracker.core.game.schema import Imported
from tracker.kit import readers, stat_lines
from tracker.kit.readers import Plain

BARE = 10
"""Armour Class without armour."""


def adopt(creature: Creature) -> Imported:
    """Return a creature's keys, and what has no place among them."""
    better, lost = armour(creature, BARE)
    lost = (*lost, *creature.lost)
    if creature.kind == "pc":
        return Imported("pc", _pc(creature, better, lost), lost)
    hit_dice = creature.hd
    block: Plain = {"name": creature.name}
    if hit_dice:
        block["hd"] = int(hit_dice) if hit_dice.isdigit() else hit_dice
    else:
        block = kept(block, {"hp": creature.hp})
    if better is not None:
        block["ac"] = _both(creature, better)
    if creature.attack is not None:
        block["atk"] = creature.attack
    if not creature.blows:
        block["dmg"] = "none"
        lost = (*lost, "no attack that can be read")
    if creature.attacks != 1:
        block["attacks"] = creature.attacks
    weapons = [_weapon(blow, creature, is_pc=False) for blow in creature.blows]
    numbers: Plain = {"weapons": weapons, "move": creature.move, "ml": creature.morale, "inst": creature.instinct}
    block = kept(block, numbers)
    if creature.skill is not None:
        block["skill"] = creature.skill
    block = kept(block, {"save": creature.save, "init_mod": creature.initiative})
    hp = f"hp {creature.hp}" if hit_dice and creature.hp else ""
    notes = "\n".join(note for note in (hp, *_scores(creature), *creature.notes) if note)
    return Imported("monster", kept(block, {"notes": notes, "unread": list(lost)}), lost)


def _pc(creature: Creature, better: int | None, lost: tuple[str, ...]) -> Plain:
    block: Plain = {"name": creature.name, "hp": max(1, creature.hp or 1)}
    now = creature.hp_now
    if now is not None and creature.hp is not None and 0 <= now < creature.hp:
        block["hp_now"] = now
    if better is not None:
        block["ac"] = _both(creature, better)
    weapons = [_weapon(blow, creature, is_pc=True) for blow in creature.blows]
    unread = [f"not read: {part}" for part in lost]
    return kept(
        block,
        {
            "ab": creature.attack,
            "level": creature.level,
            "attributes": {name: min(18, max(3, score)) for name, score in creature.scores},
            "skills": dict(creature.skills),
            "weapons": weapons,
            "move": creature.move,
            "notes": "\n".join((*creature.notes, *unread)),
        },
    )


def _both(creature: Creature, better: int) -> object:
    """Return the class, with another one in melee where that differs."""
    if creature.ac is None or creature.ac_melee in (None, creature.ac):
        return better
    return {"melee": better + (creature.ac_melee or 0) - creature.ac, "ranged": better}


def _weapon(blow: ForeignAttack, creature: Creature, *, is_pc: bool) -> Plain:
    hit = 0 if blow.hit is None or creature.attack is None else blow.hit - creature.attack
    weapon: Plain = {"name": blow.name, "dmg": "none" if blow.dice == "0" else blow.dice}
    bonus = {key: number for key, number in (("hit", hit), ("damage", blow.bonus)) if number}
    shock = None if blow.shock is None else f"{blow.shock[0]}/{'-' if blow.shock[1] is None else blow.shock[1]}"
    values: Plain = {
        "kind": list(blow.kinds) if blow.kinds != ("melee",) else None,
        "attr": list(blow.attributes) if is_pc else None,
        "shock": shock,
        "range": f"{blow.reach[0]}/{blow.reach[1]}" if blow.reach else None,
        "hands": blow.hands if blow.hands > 1 else None,
        "trauma": f"{blow.trauma[0]}/x{blow.trauma[1]}" if blow.trauma else None,
        "bonus": bonus,
        "attacks": blow.times if blow.times > 1 else None,
    }
    return kept(weapon, values)


def _scores(creature: Creature) -> tuple[str, ...]:
    return (", ".join(f"{name.title()} {score}" for name, score in creature.scores),) if creature.scores else ()


def _of_old_school(text: str, system: str) -> Imported:
    """Return a converted stat line, with as many creatures and hit points as are printed."""
    creature = stat_lines.read_creature(text, system)
    name, count = readers.counted(creature.name)
    made = adopt(replace(creature, name=name, hp=None if creature.hd else creature.hp))
    counted: Plain = {} if count == 1 else {"count": count}
    points: Plain = {} if creature.hp is None else {"hp": creature.hp}
    return replace(made, block={**counted, **made.block, **points})


_NAME = re.compile(r"(?P<name>[^:|\t\n]*[^\W\d][^:|\t\n]*):\s*(?P<line>.*)", re.DOTALL)


def import_line(text: str, system: str, choices: Mapping[str, str]) -> Imported:
    """Read a printed line, its name before a colon or on a line above.

    Lines of old-school games are converted, as creatures of other programs are.

    Raises:
        ValueError: where no column can be told from another, or a game is named that is not known.
    """
    if stat_lines.is_old_school(text, system):
        return _of_old_school(text, system)
    if system not in ("", "wwn", "worlds_without_number"):
        raise ValueError(f"stat lines of {system} are not converted to this game")
    name, line = "Unnamed", text.strip()
    first, _, rest = line.partition("\n")
    match = _NAME.fullmatch(line)
    if match and not is_column(match["name"]):
        name, line = match["name"].strip(), match["line"]
    elif (spaced := without_gaps(line)) is not None:
        name, line = spaced
    elif rest and not is_column(first) and len(re.split(r"\t|\||\s{2,}|,", first)) < 3:
        name, line = first.strip(" :"), rest
    read = read_line(line)
    called, count = readers.counted(name)
    block: dict[str, object] = {**({"count": count} if count != 1 else {}), "name": called}
    block |= {key: int(value) if value.isdigit() else value for key, value in read.typed}
    unread = tuple(f'"{part}": no such column, or not in its notation' for part in read.unread)
    return Imported("monster", {**block, **({"unread": list(read.unread)} if read.unread else {})}, unread)
