"""Effects: what changes a combatant for a while, and until which moment."""

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
        amount: what is added.
        when: the ruleset's word for the case it is limited to.
        kind: the ruleset's word for what it does not add up with; unset: it adds up with everything.
        dice: what is rolled and added wherever the number is used; `amount` is then 1, or -1 to take it away.
    """

    stat: str
    amount: int
    when: str = ""
    kind: str | UnsetType = UNSET
    dice: Dice | UnsetType = UNSET

    @property
    def worded(self) -> str:
        """What is added, with its sign: `+2`, `-1d4`."""
        return f"{self.amount:+d}" if self.dice is UNSET else f"{'-' if self.amount < 0 else '+'}{self.dice}"


def changed_by(amount: int | str) -> tuple[int, Dice | UnsetType]:
    """Return the amount and the dice of a change as typed: 2, `-1d4`; raises ValueError where it is neither."""
    if isinstance(amount, int):
        return amount, UNSET
    dice = Dice.parse(amount.lstrip("+-"))
    sign = -1 if amount.startswith("-") else 1
    return (sign, dice) if dice.terms and not dice.plus else (sign * dice.plus, UNSET)


class Effect(Struct, frozen=True, gc=False):
    """Something that holds on a combatant, a side, a thing or the fight.

    Attributes:
        id: number within the fight, given when it is added; children name it.
        name: the ruleset's identifier (`charging`) or the GM's own words.
        bearer: a combatant's id, `side:<id>`, `fight`, or a thing the ruleset names (`zone:1`).
        source: the combatant who made it.
        until: ends, whichever comes first; empty: until removed.
        modifiers: numbers it changes.
        data: the ruleset's payload: the ward, the zone, the round one fell.
        parent: the effect that takes this one along when it ends.
        stacking: what a second one of the same name on the same bearer does: `replace` the first, `add` to it, `keep`
            the first, or `by_source`: replace the first from the same source, and add to those from others.
        secret: players do not see it.
        title: how it is shown; the name if empty.
        rule: the rule that made it.
        born: round, and slot or "", of its birth.
        value: how strong it is (`frightened 2`), where the game counts that.
        quiet: kept for the rules alone: only the full log tells of it.
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
