"""Attack modes and specials as a GM types them in lists (3.2, 3.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from rulesets.githack.stat_blocks.models import ABILITIES, Mode, Special
from rulesets.githack.stat_blocks.print_import.attacks import attacks
from rulesets.githack.stat_blocks.print_import.reading import Reading, blamed, number, plains, text
from tracker.core.terms.dice import Dice
from tracker.kit.readers import Plain

NAMED = ("paralysed", "stuck")
"""Effects of specials that have rules of their own; any other word is a text."""
ALIKE = 0.75


def word(value: object) -> str:
    """Read a text or a number as text; "" for what is neither, of which the field's own check tells."""
    return "" if isinstance(value, Mapping | list | tuple) else text(value)


def misnamed(effect: str) -> None:
    """Refuse the name of an effect that is almost one with rules.

    Raises:
        ValueError: with the one that is meant.
    """
    if effect in NAMED:
        return
    if meant := get_close_matches(effect.casefold(), NAMED, 1, ALIKE):
        raise ValueError(f"{effect} is no effect with rules (did you mean {meant[0]}?)")


def misplaced(block: Plain) -> Iterator[str]:
    """Yield a line for each special of a part that no attack has."""
    modes = plains(block.get("attacks"))
    labels = dict.fromkeys(word(part.get("label")) for mode in modes for part in plains(mode.get("parts")))
    labels.pop("", None)
    for holder, path in ((block, ""), *((mode, f"attacks[{place}].") for place, mode in enumerate(modes))):
        for place, special in enumerate(plains(holder.get("specials"))):
            for part in word(special.get("part")).split(", "):
                if part and part not in labels:
                    listed = ", ".join(labels) or "none has a label"
                    yield f"{path}specials[{place}].part: no attack has a part {part} ({listed})"


def doubts(block: Plain) -> Iterator[str]:
    """Yield what a special says that cannot come true beside the rest of it."""
    for holder in (block, *plains(block.get("attacks"))):
        for special in plains(holder.get("specials")):
            yield from (f"{word(special.get('name'))}: {doubt}" for doubt in _doubts(special))


def _doubts(special: Plain) -> Iterator[str]:
    when, dice = word(special.get("when", "harm")), word(special.get("dice")) not in ("", "0")
    instead = when.startswith("instead_of")
    if dice and not instead:
        yield "dice count only instead of the damage or the attack"
    if instead and not dice and (special.get("worsen") is True or special.get("deep") is True):
        yield "without dice there are no marks to worsen or deepen"
    if special.get("area") is True and when != "instead_of_attack":
        yield "only a special instead of the attack has an area"
    if not dice and word(special.get("keep_on_save")) not in ("", "0"):
        yield "without dice a save keeps nothing"
    going_on = special.get("continuing") is True or special.get("destroys_ac") not in (None, 0)
    if word(special.get("timing")) == "after_combat" and going_on:
        yield "what comes after the combat cannot go on in it"
    if special.get("part") and when == "instead_of_attack":
        yield "instead of the attack no part is rolled"


_SHARES = {"0.5": "1/2", "0.25": "1/4", "0.75": "3/4", "half": "1/2", "quarter": "1/4", "0": "0", "none": "0"}


def mode(path: str, value: object, problems: list[str]) -> Plain:
    """Return a mode from keys, or from a printed text: `2 claws (1d4)`."""
    if not isinstance(value, Mapping):
        return _printed(path, value, problems)
    plain = dict(value)
    _named(path, plain, problems)
    known = Mode.__struct_fields__
    problems += [f"{path}.{key}: unknown; there are {', '.join(known)}" for key in plain if key not in known]
    if isinstance(plain.get("parts"), list | tuple):
        plain["parts"] = [_part(f"{path}.parts[{place}]", part, problems) for place, part in enumerate(plain["parts"])]
    if isinstance(plain.get("specials"), list | tuple):
        plain["specials"] = [
            special(f"{path}.specials[{place}]", each, problems) for place, each in enumerate(plain["specials"])
        ]
    return plain


def _printed(path: str, value: object, problems: list[str]) -> Plain:
    plain: Plain = {"name": path}
    with blamed(path, problems):
        found, own = attacks(text(value), "", reading := Reading())
        problems += [f"{path}: not read: {part}" for part in reading.unread]
        if len(found) != 1:
            raise ValueError("one attack mode is needed, such as claw (1d4)")
        plain = {**found[0], "specials": own}
    return plain


def _named(path: str, plain: Plain, problems: list[str]) -> None:
    with blamed(f"{path}.name", problems):
        plain["name"] = text(plain.get("name"))
        if not plain["name"]:
            raise ValueError("missing: what it is called")


def _part(path: str, value: object, problems: list[str]) -> object:
    """A flat add in the dice counts as one in print (GH-308)."""
    plain = dict(value) if isinstance(value, Mapping) else {"dice": value}
    dice, add = Dice(), 0
    with blamed(f"{path}.dice", problems):
        dice = Dice.parse(text(plain.get("dice", "0")))
    with blamed(f"{path}.add", problems):
        add = number(plain.get("add", 0))
    return {**plain, "dice": str(dice.natural), "add": dice.plus + add} if dice.terms else {**plain, "dice": "0"}


def special(path: str, value: object, problems: list[str]) -> Plain:
    """Return a special with the defaults of 3.3; `until: {rounds: 2}` and `rounds: 2` mean the same."""
    if not isinstance(value, Mapping):
        problems.append(f"{path}: a special is a block of keys with a name")
        return {"name": path}
    plain = dict(value)
    _named(path, plain, problems)
    known = Special.__struct_fields__
    problems += [f"{path}.{key}: unknown; there are {', '.join(known)}" for key in plain if key not in known]
    _until(plain, path, problems)
    with blamed(f"{path}.effect", problems):
        misnamed(text(plain.get("effect")))
    save = plain.get("save")
    if isinstance(save, str):
        plain["save"] = [word.casefold() for word in re.split(r"[,\s/]+|\bor\b", save) if word]
    if isinstance(plain.get("save"), list | tuple):
        for ability in plain["save"]:
            with blamed(f"{path}.save", problems):
                if text(ability) not in ABILITIES:
                    raise ValueError(f"{text(ability) or 'nothing'} is no ability ({', '.join(ABILITIES)})")
    with blamed(f"{path}.keep_on_save", problems):
        kept = text(plain.get("keep_on_save"))
        plain["keep_on_save"] = (
            _SHARES.get(kept, kept) if kept else "1/2" if plain.get("dice") not in (None, "", "0") else "0"
        )
    return plain


def _until(plain: Plain, path: str, problems: list[str]) -> None:
    until = plain.get("until")
    try:
        if isinstance(until, Mapping) and tuple(until) == ("rounds",):
            plain["until"], plain["rounds"] = "rounds", number(until["rounds"])
        elif isinstance(until, str) and (match := re.fullmatch(r"(?:rounds:?\s*(\d+)|(\d+)\s*rounds?)", until.strip())):
            plain["until"], plain["rounds"] = "rounds", int(match[1] or match[2])
        elif until is None and plain.get("rounds"):
            plain["until"] = "rounds"
        if plain.get("until") == "rounds" and number(plain.get("rounds", 0)) < 1:
            raise ValueError("say how many rounds, at least 1")
    except ValueError as error:
        problems.append(f"{path}.until: {error}")
        plain["until"] = "end_of_combat"
