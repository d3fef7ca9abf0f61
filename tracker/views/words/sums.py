"""Sums in words: dice and parts, `d20 14 ✎ +3 +2 charge = 19`.

Rulesets name every part of a sum; the dice may be one of the parts or not. The dice rolled since the action began are
in a table, and the dice that belong to a sum are shown in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter, itemgetter

from msgspec import UNSET

from tracker.core.fight.events import Checked, Entry, Rolled
from tracker.core.fight.slots import Id
from tracker.core.terms.derived import Part
from tracker.core.terms.words import minus
from tracker.views.words.spans import Span
from tracker.views.words.text import clean, key_words, signed

TYPED = "✎"
_DICE = re.compile(r"\d*d\d+")
SINGLE = ("1d20", "1d100")
"""Dice that are shown as `d20` and `d100`."""
DICE_WORDS = frozenset(("die", "dice", "roll", "rolled"))


class TableRoll:
    """Dice of a step: the entry, their number in order, and whether a line has shown them."""

    __slots__ = ("entry", "name", "place", "rolled", "told")

    def __init__(self, rolled: Rolled, entry: Entry, place: int) -> None:
        self.rolled, self.entry, self.place, self.told = rolled, entry, place, False
        self.name = str(rolled.dice)


class DiceTable:
    """The dice rolled since an action began, looked up by their total, since a side may roll hundreds."""

    __slots__ = ("_count", "_of", "untold")

    def __init__(self) -> None:
        self.untold: list[TableRoll] = []
        self._of: dict[int, list[TableRoll]] = {}
        self._count = 0

    def add(self, rolled: Rolled, entry: Entry) -> None:
        roll = TableRoll(rolled, entry, self._count)
        self._count += 1
        self.untold.append(roll)
        self._of.setdefault(rolled.total, []).append(roll)

    def of(self, total: int) -> Sequence[TableRoll]:
        return self._of.get(total, ())

    def is_rolled_for(self, beginning: str) -> bool:
        """Tell whether the purpose of some dice begins with these words."""
        return any(roll.rolled.why.startswith(beginning) for rolls in self._of.values() for roll in rolls)

    def tell(self, roll: TableRoll) -> None:
        """Mark dice as shown by a line."""
        if not roll.told:
            roll.told = True
            self.untold.remove(roll)


def dice_spans(rolled: Rolled, alone: bool = False) -> list[Span]:
    """Return dice with their faces: `2d6 4+2 = 6`; `alone`: with their fixed number: `1d4+3: 4+3 = 7`."""
    name = str(rolled.dice)
    if name in SINGLE:
        name = name[1:]
    faces = "+".join(map(str, rolled.faces or (rolled.total,)))
    if rolled.apart is True:
        shown = faces.replace("+", ", ")
    elif alone and rolled.plus is not UNSET and rolled.plus:
        name = f"{name}{minus(f'{rolled.plus:+d}')}:"
        shown = f"{faces}{minus(f'{rolled.plus:+d}')} = {minus(rolled.total + rolled.plus)}"
    else:
        shown = f"{faces} = {rolled.total}" if len(rolled.faces) > 1 else str(rolled.total)
    spans = [Span(name + " ", "dim"), Span(shown, "strong")]
    if rolled.typed:
        spans.append(Span(" " + TYPED, "typed"))
    return spans


def dice_words(rolled: Rolled) -> str:
    """Return dice behind their total: `1d8`, `3d8 8+4+1`, `2d6+2: 3+4+2`."""
    text = "".join(span.text for span in dice_spans(rolled, alone=True))
    added = len(rolled.faces) > 1 or rolled.plus
    return re.sub(r" = -?\d+", "", text) if added else text.replace(f" {rolled.total}", "", 1)


def sum_spans(
    parts: Sequence[Part], total: int, table: DiceTable, who: Id | None = None, named: bool = False
) -> tuple[list[Span], list[TableRoll]]:
    """Return a sum with its dice, and these dice; an empty sum if no part and no dice belong to it.

    Of several dice of one total those of `who` are taken. A part is dice only if its label says so: by the name of the
    dice (`2d6`), by the reason of the roll, or simply `die`; with `named` only by the name.
    """
    whole = sum(part.amount for part in parts)
    if parts and whole == total:
        used = _die_of(parts[0], table, who, named)
        if used is None:
            return [*parts_spans(parts), _sum(total)] if len(parts) > 1 else parts_spans(parts), []
        return _added(dice_spans(used.rolled), parts[1:], total), [used]
    if named:
        return parts_spans(parts), []
    fitting = [roll for roll in table.of(total - whole) if parts or not roll.told]
    if fitting:
        roll = min(fitting, key=attrgetter("told"))
        return _added(dice_spans(roll.rolled), parts, total), [roll]
    fresh = list(table.untold)
    if len(fresh) > 1 and sum(roll.rolled.total for roll in fresh) + whole == total:
        spans: list[Span] = []
        for roll in fresh:
            spans += [Span(" + ", "dim"), *dice_spans(roll.rolled)] if spans else dice_spans(roll.rolled)
        return _added(spans, parts, total, True), fresh
    return ([*parts_spans(parts), _sum(total)], []) if parts else ([], [])


def compares(checked: Checked, rolled: Rolled) -> bool:
    """Tell whether the sum of a comparison, or the sum that it is compared with, begins with these dice."""
    sums = ((checked.who, checked.parts, checked.total), (checked.target, checked.against_parts, checked.against))
    for who, parts, total in sums:
        if who != rolled.who or total is None:
            continue
        added = sum(part.amount for part in parts)
        if added != total:
            if total - added == rolled.total:
                return True
        elif parts and parts[0].amount == rolled.total:
            return _is_name(parts[0].label, str(rolled.dice)) or _is_reason(parts[0].label, rolled)
    return False


def _die_of(part: Part, table: DiceTable, who: Id | None, named: bool) -> TableRoll | None:
    """Return the dice of a first part: of its total, with its label as name or, if not shown yet, as reason."""
    fitting = [
        (called, roll.rolled.who == who, not roll.told, roll)
        for roll in table.of(part.amount)
        if (called := _is_name(part.label, roll.name))
        or (not (named or roll.told) and _is_reason(part.label, roll.rolled))
    ]
    return max(fitting, key=itemgetter(0, 1, 2))[3] if fitting else None


@lru_cache(maxsize=256)
def _is_name(label: str, name: str) -> bool:
    """Tell whether a label names dice: `2d6`, `d20` for `1d20`, `2d`."""
    return label in (name, name.removeprefix("1")) or (
        label.endswith("d") and label[:-1].isdigit() and name.startswith(label)
    )


def _is_reason(label: str, rolled: Rolled) -> bool:
    return label in DICE_WORDS or (bool(label) and label.casefold() == rolled.why.casefold())


def _added(dice: list[Span], parts: Sequence[Part], total: int, several: bool = False) -> list[Span]:
    if not parts and not several:
        return dice
    return [*dice, *(_addend(part) for part in parts), _sum(total)]


def _sum(total: int) -> Span:
    return Span(minus(f" = {total}"), "strong")


def _addend(part: Part) -> Span:
    return Span(f" {_named(signed(part.amount), part.label)}")


def _named(amount: str, label: str) -> str:
    """Return a number with its label, in brackets if the label begins with a number; dice come first."""
    words = clean(key_words(label))
    if _DICE.fullmatch(words):
        return f"{words.removeprefix('1') if words in SINGLE else words} {amount.removeprefix('+')}"
    return f"{amount} ({words})" if words[:1].isdigit() else f"{amount} {words}".rstrip()


def parts_spans(parts: Sequence[Part]) -> list[Span]:
    """Return parts without dice: `15 leather −2 charging`."""
    if not parts:
        return []
    first = parts[0]
    amount = str(first.amount) if first.amount >= 0 else signed(first.amount)
    return [Span(_named(amount, first.label)), *(_addend(part) for part in parts[1:])]
