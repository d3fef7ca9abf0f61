"""Tactics: how a side is played where no person chooses for it.

A game weighs what it could do as `Aim`s, in numbers all games have, and `best` picks by the side's tactics. So one word
means the same in every game, and a choice can be told in one sentence.

* `focused`: the attack that takes the greatest share of what a dangerous target has left, so the wounded come first.
* `spread`: the attack that takes most points, the freshest and least beset target first.
* `cautious`: as focused, but what the attack risks weighs double, and the hurt withdraw.
* `ruthless`: the most dangerous target first, at any cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias, TypeVar, get_args

from msgspec import Struct

from tracker.core.terms.actions import Action

_T = TypeVar("_T")

Tactics: TypeAlias = Literal["focused", "spread", "cautious", "ruthless"]
TACTICS: tuple[Tactics, ...] = get_args(Tactics)
LEAST = 0.1
"""What even a harmless target is worth beating."""
ALIKE = 9
"""Digits after the point to which equal aims are equal."""
FEW = 16
"""So many foes are sooner weighed one by one."""


class Aim(Struct, frozen=True, gc=False):
    """One thing that could be done to one target.

    Attributes:
        action: as it would be performed.
        taken: points it takes from the target on average, misses counted.
        left: points the target has left.
        full: points it has when unhurt.
        threat: points the target takes from its enemies in a round on average.
        risk: points the actor loses by it on average, beyond what it risks anyway.
        beset: how many have their eye on the target already.
        alike: further targets for which all of this is true.
    """

    action: Action
    taken: float
    left: float
    full: float
    threat: float
    risk: float = 0.0
    beset: int = 0
    alike: tuple[str, ...] = ()

    @property
    def actions(self) -> Iterator[Action]:
        """The action against its target, then against each of those alike."""
        yield self.action
        for other in self.alike:
            yield self.action.put(target=other)


def equals(people: Sequence[_T], likeness: Callable[[_T], object]) -> list[list[_T]]:
    """Return people by their likeness, so that the equals of a crowd are weighed once."""
    if len(people) <= FEW:
        return [[one] for one in people]
    found: dict[object, list[_T]] = {}
    for one in people:
        found.setdefault(likeness(one), []).append(one)
    return list(found.values())


def best(aims: Iterable[Aim], tactics: Tactics) -> Action | None:
    """Return the action of the best aim, the first of equals, or None."""
    found = ranked(aims, tactics)
    return found[0].action if found else None


def ranked(aims: Iterable[Aim], tactics: Tactics) -> list[Aim]:
    """Return the aims that take anything, the best first.

    No attack is worth more than what its target has left. Of equal ones the one that would take that more often is
    likelier to take it, and comes first; then the one with less risk.
    """

    def merit(aim: Aim) -> tuple[float, float, float]:
        return round(worth(aim, tactics), ALIKE), round(aim.taken / max(1.0, aim.left), ALIKE), -aim.risk

    return sorted([aim for aim in aims if aim.taken > 0], key=merit, reverse=True)


def worth(aim: Aim, tactics: Tactics) -> float:
    """Return what an aim is worth to a side of these tactics."""
    left = aim.left if aim.left > 1.0 else 1.0
    taken = aim.taken if aim.taken < left else left
    threat = LEAST + (aim.threat if aim.threat > 0.0 else 0.0)
    match tactics:
        case "spread":
            return taken * min(1.0, left / max(1.0, aim.full)) / (1 + aim.beset) - aim.risk
        case "ruthless":
            return taken / left * threat * threat
        case "cautious":
            return taken / left * threat - 2 * aim.risk
        case _:
            return taken / left * threat - aim.risk
