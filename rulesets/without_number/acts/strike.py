"""The course of an attack in both games: the roll, its odds, its telling."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.words import needs
from tracker.kit.fields import whole

__all__ = ["aimed", "classes", "go_on_while_up", "ruled", "tell"]


def go_on_while_up(ctx: Ctx, who: Id) -> None:
    """Let the action in hand end when its actor drops."""
    name = ctx.state.name(who)
    ctx.guard(lambda state: who in state and state[who].status == "up", f"{name} can no longer act")


def classes(needed: int, naturals: bool) -> tuple[int, ...]:
    """Return the least die of a miss and of a hit, for the odds."""
    if naturals:
        return (1, max(2, min(needed, 20)))
    return (1, needed) if 1 < needed <= 20 else (1,)


def aimed(added: int, against: int, ac: str, naturals: bool) -> str:
    """Return what an attack roll needs, for the question."""
    least, most = (2, 20) if naturals else (1, 20)
    return needs(added, against, ac, least, most, "hits")


def tell(
    ctx: Ctx, actor: Id, target: Id, parts: Sequence[Part], against: Derived, ac: str, hit: bool, rules: Sequence[str]
) -> None:
    """Tell the result of an attack roll."""
    total, result = sum(part.amount for part in parts), "hit" if hit else "miss"
    ctx.emit(Checked("attack", actor, total, result, target, tuple(parts), against.value, ac, against.parts), *rules)


def ruled(ctx: Ctx, key: str, computed: int) -> int:
    """Return a number, unless the GM has overruled it."""
    return whole(ctx.ruling(key, computed), computed)
