"""Lines of printed stat blocks that both games of the family share."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from rulesets.without_number.blocks.shapes import Shock
from tracker.core.game.schema import Printed
from tracker.core.terms.dice import Dice

__all__ = ["attack_line", "score_lines", "use_called"]


def use_called(name: str, use: str, uses: int) -> str:
    """Return what one use of a weapon is called."""
    return name if uses == 1 else f"{name}, {use}"


def attack_line(
    name: str, hit: int, dealt: Dice | None, adds: int, shock: Shock | None, points: int, *also: str
) -> Printed:
    """Return the line of an attack: what it adds, deals and threatens on a miss.

    `dealt` are the dice alone, `adds` is all that is added to them; None: no damage.
    """
    words = [f"{hit:+d}", "no damage" if dealt is None else str(Dice(dealt.terms, adds))]
    if shock is not None:
        words.append(f"Shock {max(0, points)}/{'any AC' if shock.ac is None else f'AC {shock.ac}'}")
    return Printed("attacks", name, ", ".join((*words, *filter(None, also))))


def score_lines(mods: Struct, skills: Iterable[tuple[str, int]], *rules: str) -> list[Printed]:
    """Return modifiers other than 0, then skills, by the rules of each."""
    names = [(name, number) for name in mods.__struct_fields__ if (number := getattr(mods, name))]
    found = [Printed("skills", name.capitalize(), f"{number:+d}", rules[0]) for name, number in names]
    return found + [Printed("skills", name.capitalize(), str(level), rules[1]) for name, level in skills]
