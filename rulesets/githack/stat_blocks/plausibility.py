"""What a special's fields mean beside one another (3.3): mistakes, and what deserves a look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from rulesets.githack.stat_blocks.print_import.reading import plains, text
from tracker.kit.readers import Plain

NAMED = ("paralysed", "stuck")
"""Effects of specials that have rules of their own; any other word is a text."""
ALIKE = 0.75


def word(value: object) -> str:
    """Read a text or a number as text.

    "" for what is neither, of which the field's own check tells.
    """
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
