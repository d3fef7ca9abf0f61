"""The slots of a round: initiative, the order kept over rounds, phases that pass."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from tracker.core.fight.events import Checked
from tracker.core.fight.state import FIGHT, Id, Side, Slot, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import side_anchor

__all__ = [
    "D8",
    "INITIATIVE",
    "ORDER",
    "kept_order",
    "nobody_able",
    "placed",
    "roll_for_side",
    "score",
    "side_slot",
    "with_members",
]

D8 = Dice.of(1, 8)
INITIATIVE = "initiative"
ORDER = "order"


def roll_for_side(ctx: Ctx, side: Side, *rules: str) -> int:
    """Ask for the initiative die of a side."""
    why = f"{side.name}: initiative"
    return ctx.roll(f"initiative:{side.id}", D8, *rules, to="player" if side.control == "players" else "gm", why=why)


def score(ctx: Ctx, owner: str, parts: Sequence[Part], *rules: str, kept: Sequence[str] = ()) -> int:
    """Tell an initiative and keep it by the rules `kept`."""
    total = sum(part.amount for part in parts)
    shown = tuple(part for part in parts if part.amount)
    cited = dict.fromkeys((*(part.rule for part in parts if part.rule), *rules))
    ctx.emit(Checked("initiative", owner, total, str(total), None, shown), *cited)
    ctx.fact(owner, INITIATIVE, total, *kept)
    return total


def kept_order(state: State, present: Sequence[str]) -> list[str]:
    """Return the order of the last round, without the slots that are gone."""
    kept = state.fact(FIGHT, ORDER)
    return [str(key) for key in kept if key in present] if isinstance(kept, tuple) else []


def placed(order: Sequence[str], fresh: Iterable[str], rank: Callable[[str], tuple[int, ...]]) -> tuple[str, ...]:
    """Return an order with newcomers where their rank puts them, behind their equals."""
    found = list(order)
    for key in fresh:
        own = rank(key)
        found.insert(next((place for place, other in enumerate(found) if own < rank(other)), len(found)), key)
    return tuple(found)


def side_slot(number: int, side: Side, members: Sequence[Id]) -> Slot:
    """Return the phase of a side in a round."""
    return Slot(f"r{number}/{side.id}", side.name, phase=side_anchor(side.id), members=tuple(members), side=side.id)


def with_members(slot: Slot, joining: Sequence[Id]) -> Slot:
    """Return a slot with newcomers behind its members."""
    return replace(slot, members=(*slot.members, *joining)) if joining else slot


def nobody_able(state: State, slot: Slot, can_act: Callable[[State, Id], bool], rule: str) -> Refusal | None:
    """Return why the clock passes a slot without a stop."""
    if slot.stage != "round" or any(can_act(state, who) for who in slot.members if who in state):
        return None
    return Refusal("nobody_able", "nobody here can act", rule)
