"""Tactics: how the program plays a side.

A game rates its possible actions as `Aim`s, in numbers that all games have, and `best` selects one by the side's
tactics. So a tactics means the same in every game.

* `focused`: the attack that takes the largest share of a dangerous target's points, so wounded targets come first.
* `spread`: the attack that takes the most points, unhurt targets with few attackers first.
* `cautious`: as focused, but the risk counts double, and hurt combatants withdraw.
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
"""The least threat of a target."""
ALIKE = 9
"""Decimal places to which aims are compared."""
FEW = 16
"""Up to this number of foes, each is rated by itself, which is faster."""


class Aim(Struct, frozen=True, gc=False):
    """A possible action against one target.

    Attributes:
        action: the complete action.
        taken: points it takes from the target on average, misses included.
        left: points the target has left.
        full: points the target has when unhurt.
        threat: points the target takes from its enemies in a round on average.
        risk: points the actor loses by it on average, beyond its usual risk.
        beset: the number of combatants that attack the target already.
        alike: further targets with the same numbers.
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
        """The action against its target, then against each equal target."""
        yield self.action
        for other in self.alike:
            yield self.action.put(target=other)


def equals(people: Sequence[_T], likeness: Callable[[_T], object]) -> list[list[_T]]:
    """Return groups of combatants with the same likeness, so that a crowd of equals is rated once."""
    if len(people) <= FEW:
        return [[one] for one in people]
    groups: dict[object, list[_T]] = {}
    for one in people:
        groups.setdefault(likeness(one), []).append(one)
    return list(groups.values())


def best(aims: Iterable[Aim], tactics: Tactics) -> Action | None:
    """Return the action of the best aim, the first of equals, or None."""
    sorted_aims = ranked(aims, tactics)
    return sorted_aims[0].action if sorted_aims else None


def ranked(aims: Iterable[Aim], tactics: Tactics) -> list[Aim]:
    """Return the aims that take points, the best first.

    An attack counts at most the points its target has left. Of equal aims the one that would take more comes first,
    because it is likelier to take them; then the one with less risk.
    """

    def merit(aim: Aim) -> tuple[float, float, float]:
        return round(worth(aim, tactics), ALIKE), round(aim.taken / max(1.0, aim.left), ALIKE), -aim.risk

    return sorted([aim for aim in aims if aim.taken > 0], key=merit, reverse=True)


def worth(aim: Aim, tactics: Tactics) -> float:
    """Return the value of an aim for a side with these tactics."""
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
