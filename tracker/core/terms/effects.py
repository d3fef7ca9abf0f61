"""Effects: what holds for a while, on whom, and until which moment."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tracker.core.terms.moments import At, OnUse
from tracker.core.terms.values import Data

__all__ = ["Effect", "Modifier"]


class Modifier(Struct, frozen=True, gc=False):
    """A number added to a derived number while the effect lasts; `when` is the ruleset's word for the case it is limited to."""

    stat: str
    amount: int
    when: str = ""


class Effect(Struct, frozen=True, gc=False):
    """Something that holds on a combatant, a side, a thing or the fight.

    Attributes: id: number within the fight, given when it is added; children name it. name: the ruleset's identifier
        (`charging`) or the GM's own words. bearer: a combatant's id, `side:<id>`, `fight`, or a thing the ruleset names
        (`zone:1`). source: the combatant who made it. until: ends, whichever comes first; empty: until removed.
        modifiers: numbers it changes. data: the ruleset's payload: the ward, the zone, the round one fell. parent: the
        effect that takes this one along when it ends. stacking: what a second one of the same name on the same bearer
        does: `replace` the first, `add` to it, or `keep` the first. secret: players do not see it. title: how it is
        shown; the name if empty. rule: the rule that made it. born: round, and slot or "", of its birth.
    """

    name: str
    bearer: str
    id: int = 0
    source: str | None = None
    until: tuple[At | OnUse, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    data: Data | None = None
    parent: int | None = None
    stacking: Literal["replace", "add", "keep"] = "replace"
    secret: bool = False
    title: str = ""
    rule: str = ""
    born: tuple[int, str] = (0, "")

    @property
    def shown(self) -> str:
        """The name on the screen."""
        return self.title or self.name.replace("_", " ")

    @property
    def due(self) -> bool:
        """Whether one of its ends has been reached."""
        return any(end.count <= 0 for end in self.until)
