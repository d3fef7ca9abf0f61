"""Effects: temporary changes of a combatant, and their ends."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tracker.core.terms.dice import Dice
from tracker.core.terms.moments import Until
from tracker.core.terms.values import Data

Stacking: TypeAlias = Literal["replace", "add", "keep", "by_source"]


class Modifier(Struct, frozen=True, gc=False):
    """A number, or a die, added to a derived number while the effect lasts.

    Attributes:
        stat: the derived number.
        amount: the number that is added.
        when: the ruleset's word for the only case in which it applies.
        kind: modifiers of one kind do not add up; unset: it adds up with all others.
        dice: dice that are rolled and added whenever the number is used; `amount` is then 1, or -1 to subtract them.
    """

    stat: str
    amount: int
    when: str = ""
    kind: str | UnsetType = UNSET
    dice: Dice | UnsetType = UNSET

    @property
    def worded(self) -> str:
        """The number or the dice with a sign: `+2`, `-1d4`."""
        return f"{self.amount:+d}" if self.dice is UNSET else f"{'-' if self.amount < 0 else '+'}{self.dice}"


def changed_by(amount: int | str) -> tuple[int, Dice | UnsetType]:
    """Parse a typed change: 2, `-1d4`; return the amount and the dice. Raises ValueError if it is neither."""
    if isinstance(amount, int):
        return amount, UNSET
    dice = Dice.parse(amount.lstrip("+-"))
    sign = -1 if amount.startswith("-") else 1
    return (sign, dice) if dice.terms and not dice.plus else (sign * dice.plus, UNSET)


class Effect(Struct, frozen=True, gc=False):
    """An effect on a combatant, a side, a thing or the fight.

    Attributes:
        id: number within the fight, set when it is added; children refer to it.
        name: the ruleset's identifier (`charging`) or the GM's own words.
        bearer: a combatant's id, `side:<id>`, `fight`, or a thing of the ruleset (`zone:1`).
        source: the combatant that caused it.
        until: its ends, of which the first one counts; empty: until removed.
        modifiers: numbers it changes.
        data: the ruleset's payload, such as a ward or a zone.
        parent: the effect with which this one ends.
        stacking: for a second one of the same name on the same bearer: `replace` the first, `add` to it, `keep` the
            first, or `by_source`: replace the first from the same source, and add to those from others.
        secret: players do not see it.
        title: its words on the screen; the name if empty.
        rule: the rule that caused it.
        born: round, and slot or "", of its beginning.
        value: its strength (`frightened 2`), if the game has one.
        quiet: only rules use it, and only the full log shows it.
    """

    name: str
    bearer: str
    id: int = 0
    source: str | None = None
    until: tuple[Until, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    data: Data | None = None
    parent: int | None = None
    stacking: Stacking = "replace"
    secret: bool = False
    title: str = ""
    rule: str = ""
    born: tuple[int, str] = (0, "")
    value: int | UnsetType = UNSET
    quiet: bool | UnsetType = UNSET

    @property
    def shown(self) -> str:
        """The name on the screen, with the value if there is one."""
        words = self.title or self.name.replace("_", " ")
        return words if self.value is UNSET else f"{words} {self.value}"

    @property
    def due(self) -> bool:
        """Whether one of its ends has been reached."""
        return any(end.count <= 0 for end in self.until)
