"""From what a GM types (section 3) to the canonical stat blocks of `blocks`.

`shorthand` gets the keys of one typed block and returns those of its Struct, as plain values; keys it does not know
stay as they are. What it
returns may be given to it again and comes back the same.
"""

from __future__ import annotations

from rulesets.githack.stat_blocks.models import ABILITIES, ARMOUR, WEAPONS
from rulesets.githack.stat_blocks.print_import.armour import SYSTEMS, System, native, system_of
from rulesets.githack.stat_blocks.print_import.reading import Reading, blamed, number, plains, text
from rulesets.githack.stat_blocks.print_import.stat_lines import read_fields, read_line
from rulesets.githack.stat_blocks.typed_attacks import doubts, misplaced, mode, special
from tracker.core.terms.dice import Dice
from tracker.kit import readers
from tracker.kit.readers import Plain

TEXTS = ("morale", "move", "saves", "thac0", "xp", "alignment")


def shorthand(kind: str, plain: Plain) -> Plain:
    """Turn the typed keys of a `pc` or a `monster` into those of its Struct.

    Raises:
        ValueError: with a line `field: message` for each problem.
    """
    typed = readers.Typed(plain, [])
    canonical = _pc(typed) if kind == "pc" else monster_of(typed.keys, typed.problems)
    readers.raise_all([" ".join(problem.split("\n")) for problem in typed.problems])
    return {**typed.keys, **canonical}


def _texts(value: object) -> list[str]:
    return [text(part) for part in readers.listed(value)]


def _pc(typed: readers.Typed) -> Plain:
    scores: Plain = typed.take("scores", _block, Plain())
    for ability in ABILITIES:
        if ability in typed.keys:
            scores[ability] = typed.take(ability, readers.between(1, 30), 10)
    block: Plain = {"scores": scores}
    armour = typed.take("armour", _armour, None)
    if armour is not None and typed.keys.get("ac") is None:
        block["ac"] = armour
    block["weapons"] = _weapons(typed)
    con = scores.get("con", 10)
    most = typed.take("harm_max", number, con if isinstance(con, int) else 10)
    held = typed.take("harm", lambda value: _track(value, most), "." * most)
    return {**block, "harm_max": most, "harm": held}


def _block(value: object) -> Plain:
    if not isinstance(value, dict):
        raise ValueError("a block of keys is needed here")
    return dict(value)


def _armour(value: object) -> int | None:
    found = ARMOUR.get(text(value).replace(" ", "_"))
    if found is None:
        raise ValueError(f"there is no armour {text(value)} ({', '.join(ARMOUR)})")
    return found


def _track(value: object, most: int) -> str:
    """Read marks as a text or a list, and fill up the track (3.1)."""
    marks = [text(part) for part in value] if isinstance(value, list | tuple) else list(text(value))
    words = {"": ".", "empty": ".", "tick": "/", "cross": "x", "star": "*", "X": "x"}
    track = "".join(words.get(mark, mark) for mark in marks)
    if unknown := [mark for mark in track if mark not in "./x*"]:
        raise ValueError(f'"{unknown[0]}" is no mark (. / x *)')
    if len(track) > most:
        raise ValueError(f"{len(track)} boxes are more than the {most} of the track")
    return track.ljust(most, ".")


def _weapons(typed: readers.Typed) -> list[Plain]:
    weapons: list[Plain] = []
    for place, value in enumerate(typed.take("weapons", readers.listed, ())):
        path = f"weapons[{place}]"
        if not isinstance(value, dict):
            typed.problems.append(f"{path}: a weapon has name and dice")
            continue
        weapon = dict(value)
        demon = weapon.get("demon") is True
        with blamed(f"{path}.name", typed.problems):
            weapon["name"] = _weapon_name(weapon.get("name"), weapons)
        with blamed(f"{path}.dice", typed.problems):
            found = _weapon_dice(weapon.get("dice") or ("demon" if demon else None))
            weapon["dice"] = str(found)
            if demon and set(found.sides) != {10}:
                _noted(typed, f"{weapon.get('name')}: a demon weapon usually rolls d10 (GH-029)")
        weapons.append(weapon)
    return weapons


def _weapon_name(value: object, others: list[Plain]) -> str:
    name = text(value)
    if not name:
        raise ValueError("missing: what the weapon is called")
    if name.casefold() == "unarmed" or name in [other.get("name") for other in others]:
        raise ValueError("another weapon is called so")
    return name


def _weapon_dice(value: object) -> Dice:
    written = text(value)
    if not written:
        raise ValueError(f"missing: {', '.join(WEAPONS)}, or dice such as 1d6")
    found = WEAPONS.get(written) or Dice.parse(written)
    if found.plus or not found.terms:
        raise ValueError(f"{written}: a weapon adds dice only")
    return found


def _noted(typed: readers.Typed, note: str) -> None:
    with blamed("notes", typed.problems):
        notes = text(typed.keys.get("notes"))
        typed.keys["notes"] = notes if note in notes else f"{notes}  {note}".strip()


def monster_of(keys: Plain, problems: list[str]) -> Plain:
    """Take a monster's typed keys out of `keys` and return the canonical ones; problems are added as lines."""
    typed = readers.Typed({}, problems)
    typed.keys = keys
    choices: Plain = typed.take("choices", _block, Plain())
    system, scale = typed.take("system", _system, ("native", SYSTEMS["native"]))
    reading = Reading(system, choices)
    block: Plain = {}
    line = typed.take("stat_line", text, "")
    if line:
        try:
            block = read_line(line, reading)
        except ValueError as error:
            problems.append(f"stat_line: {error}")
        if count := block.pop("count", None):
            reading.keep(f"{count} in print")
        if keys.get("name"):
            block.pop("name", None)
    _numbers(typed, block, reading, None if line else scale.ascending and scale.unarmoured == 0)
    _attack_keys(typed, block, reading)
    for name in TEXTS:
        if words := typed.take(name, text, ""):
            reading.keep(f"{name} {words}")
    if "hp" not in block and "hd" not in block and (line or not keys.get("hd")):
        reading.doubt("no hit points given: 1d8 are rolled")
    for doubt in doubts(block):
        reading.doubt(doubt)
    problems += (*dict.fromkeys(reading.wrong), *(misplaced(block) if not line else ()))
    given: tuple[list[str], list[str]] = typed.take("kept", _texts, []), typed.take("review", _texts, [])
    questions = [
        f"{question.why} {question.options[0]} is taken; set choices: {{{question.key}: ...}}"
        for question in reading.questions
    ]
    unread = [f"not read: {part}" for part in reading.unread]
    block["kept"] = list(dict.fromkeys((*given[0], *reading.kept)))
    block["review"] = list(dict.fromkeys((*given[1], *reading.review, *questions, *unread)))
    return block


def _system(value: object) -> tuple[str | Plain, System]:
    named = dict(value) if isinstance(value, dict) else text(value)
    return named, system_of(named)


def _numbers(typed: readers.Typed, block: Plain, reading: Reading, own: bool | None) -> None:
    """Read AC, HD and HP typed as keys, which win over the line.

    Without a line, `system` says which game they come from.
    """
    armour = typed.keys.pop("ac", None)
    if isinstance(armour, int) and not isinstance(armour, bool):
        block["ac"] = armour if own is None else native(armour, system_of(reading.system))
    elif armour is not None:
        with blamed("ac", typed.problems):
            block |= read_fields({"ac": text(armour)}, reading)
    dice = typed.keys.pop("hd", None)
    points = typed.keys.pop("hp", None)
    if dice is not None:
        for key in ("hd", "quick_hp", "hp"):
            block.pop(key, None)
        with blamed("hd", typed.problems):
            read = read_fields({"hd": text(dice)}, reading)
            if "hd" in read and Dice.parse(str(read["hd"])).maximum < 1:
                raise ValueError(f'"{text(dice)}" gives no hit points: write dice such as 3d8, or 1d8-1')
            block |= read
    if isinstance(points, int) and not isinstance(points, bool):
        block["hp"] = points
    elif points is not None:
        with blamed("hp", typed.problems):
            block |= read_fields({"hp": text(points)}, reading)
    if (quick := typed.keys.pop("quick_hp", None)) is not None:
        block["quick_hp"] = quick


def _attack_keys(typed: readers.Typed, block: Plain, reading: Reading) -> None:
    """Read attacks and specials, printed as text or typed as lists; `damage` is the short form of one mode."""
    names, damage, reach = (
        typed.keys.pop("attacks", None),
        typed.keys.pop("damage", None),
        typed.keys.pop("reach", None),
    )
    if isinstance(names, str | int) and not isinstance(names, bool):
        with blamed("damage", typed.problems):
            block |= read_fields({"attacks": str(names), "damage": text(damage)}, reading)
    elif isinstance(names, list | tuple):
        block["attacks"] = [mode(f"attacks[{place}]", value, typed.problems) for place, value in enumerate(names)]
    elif names is not None:
        typed.problems.append("attacks: a list of modes is needed, or a printed text")
    elif isinstance(damage, list | tuple):
        block["attacks"] = [mode(f"damage[{place}]", value, typed.problems) for place, value in enumerate(damage)]
    elif damage is not None:
        with blamed("damage", typed.problems):
            block |= {
                key: value
                for key, value in read_fields({"damage": text(damage)}, reading).items()
                if key == "attacks" or value
            }
    if reach is not None:
        found = block.get("attacks")
        with blamed("reach", typed.problems):
            for each in found if isinstance(found, list) else []:
                each["reach"] = text(reach)
    own = typed.take("specials", readers.listed, None)
    if own is not None:
        block["specials"] = [special(f"specials[{place}]", value, typed.problems) for place, value in enumerate(own)]
    _told_apart(block, typed.problems)


def _told_apart(block: Plain, problems: list[str]) -> None:
    """Modes are picked by name, and so are specials."""
    modes = plains(block.get("attacks"))
    names = [value.get("name") for value in modes]
    problems += [
        f"attacks[{place}].name: another mode is called so"
        for place, name in enumerate(names)
        if name and name in names[:place]
    ]
    all_specials = [value for holder in (block, *modes) for value in plains(holder.get("specials"))]
    names = [value.get("name") for value in all_specials]
    if twice := [name for place, name in enumerate(names) if name and name in names[:place]]:
        problems.append(f"specials: two are called {twice[0]}")
