"""What a GM types in a stat block, made into the form that the rules read."""

import re

from msgspec import to_builtins

from fifth_edition.blocks import ABILITIES, BY_NAME, KINDS
from tracker.kit import readers
from tracker.kit.readers import Plain, Typed, dice, number, text

SIZES = {"tiny": 1, "small": 1, "medium": 1, "large": 2, "huge": 3, "gargantuan": 4}
AREAS = {"cone": "cone", "line": "line", "radius": "circle", "sphere": "circle", "burst": "circle", "circle": "circle"}


def save(value: object) -> tuple[str, int]:
    ability, _, against = text(value).casefold().replace("dc", "").partition(" ")
    if ability[:3] not in ABILITIES:
        raise ValueError(f'"{ability}" is no ability ({", ".join(ABILITIES)})')
    return ability[:3], number(against)


def area(value: object) -> tuple[str, int]:
    match = re.fullmatch(r"(\d+)\s*-?(?:ft|feet|foot)?\.?\s*(\w+)", text(value).casefold())
    if match is None or match[2] not in AREAS:
        raise ValueError(f'"{text(value)}" is no area, such as 60 ft cone or 20 ft radius')
    return AREAS[match[2]], int(match[1])


def power(path: str, value: object, problems: list[str]) -> Plain:
    typed = Typed(readers.mapping(value), problems, path)
    made: Plain = {}
    typed.copy(made, ("damage", "extra"), readers.damages(KINDS))
    typed.copy(made, ("gives",), readers.changes)
    typed.copy(made, ("range",), lambda given: list(readers.pair(given)))
    typed.copy(made, ("heals", "temp"), dice)
    typed.copy(made, ("recharge",), lambda given: number(text(given).partition("-")[0]))
    if "dc" not in typed.keys and isinstance(typed.keys.get("save"), str):
        made["save"], made["dc"] = typed.take("save", save, ("str", 10))
    if "area" in typed.keys:
        made["shape"], made["size"] = typed.take("area", area, ("circle", 0))
    condition = typed.keys.get("condition")
    if isinstance(condition, str) and condition and condition not in BY_NAME:
        typed.problem("condition", f'"{condition}" is no condition ({", ".join(BY_NAME)})')
    if "range" in made and "reach" not in typed.keys:
        made["reach"] = 0
    return {**typed.keys, **made}


def abilities(value: object) -> Plain:
    if isinstance(value, dict):
        return {str(name).casefold(): number(score) for name, score in value.items()}
    scores = re.split(r"[\s,/]+", text(value))
    if len(scores) != len(ABILITIES):
        raise ValueError("six scores are needed here, such as 18/14/16/8/10/12")
    return dict(zip(ABILITIES, map(number, scores), strict=True))


def shorthand(kind: str, plain: Plain) -> Plain:
    """Turn what is typed into the keys of the stat block."""
    problems: list[str] = []
    typed = Typed(plain, problems)
    made: Plain = {}
    typed.copy(made, ("resist", "vulnerable", "immune", "unaffected"), readers.words)
    typed.copy(made, ("abilities",), abilities)
    typed.copy(made, ("sneak",), dice)
    typed.copy(made, ("traits", "multiattack"), readers.repeated)
    if "size" in typed.keys:
        made["space"] = SIZES.get(typed.take("size", text, "").casefold(), 1)
    for key in ("attacks", "powers"):
        given = typed.take(key, readers.listed, [])
        made[key] = [power(f"{key}[{at}].", one, problems) for at, one in enumerate(map(to_builtins, given))]
    readers.raise_all(problems)
    return {**typed.keys, **made}
