"""The order of a round: initiative, slots, and the edges of the clock."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import overload

from msgspec.structs import replace

from rulesets.without_number.turn import EMPTY, FULL
from tracker.core.fight.events import Checked
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.dice import Dice
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import side_anchor
from tracker.core.terms.requests import Asked

# -- what is due at the edges of the clock in both games ---------------------------------------------------------------


# What outlives the fight with an end of its own.
LASTING = ("dying",)


def refresh(ctx: Ctx, can_act: Callable[[State, Id], bool], *rules: str) -> None:
    """Fill the budgets of those who can act, and empty the others."""
    budgets = {one.id: FULL if can_act(ctx.state, one.id) else EMPTY for one in ctx.state.combatants}
    ctx.refill(budgets, *rules)


def drop_moves(ctx: Ctx, actors: Sequence[Id], *rules: str) -> None:
    """Take unspent Moves at a phase's end, and leave the Mains for Instants."""
    people = [one for who in actors if (one := ctx.state.get(who)) is not None and one.left("move")]
    ctx.refill({one.id: (("main", one.left("main")), ("move", 0)) for one in people}, *rules)


def drop_held(ctx: Ctx, rule: str) -> None:
    for combatant in ctx.state.combatants:
        if combatant.has("held"):
            ctx.end_named(combatant.id, "held", "the round is over", rule)


def end_passing(ctx: Ctx, ending: Collection[str], rules: Mapping[str, str]) -> None:
    """End what does not outlast the fight: all that has an end, and these names.

    `rules`: the rules of single effects, by name.
    """
    for effect in ctx.state.all_effects:
        if _passes(effect, ending) and ctx.state.effect(effect.bearer, effect.id) is not None:
            rule = rules.get(effect.name)
            ctx.end_effect(effect, "the fight is over", *(() if rule is None else (rule,)))


def _passes(effect: Effect, ending: Collection[str]) -> bool:
    """Tell whether an effect is over with the fight.

    What the GM added until it is removed stays.
    """
    return effect.name not in LASTING and (bool(effect.until) or effect.name.partition(":")[0] in ending)


# -- the slots of a round: initiative, the order kept over rounds, phases that pass ------------------------------------


D8 = Dice.of(1, 8)
INITIATIVE = "initiative"
ORDER = "order"


@overload
def roll_for_side(ctx: Ctx, side: Side, *rules: str) -> int: ...
@overload
def roll_for_side(ctx: Ctx, side: Side, *rules: str, asked_if: AskedIf) -> int | None: ...
def roll_for_side(ctx: Ctx, side: Side, *rules: str, asked_if: AskedIf | None = None) -> int | None:
    """Ask for the initiative die of a side."""
    to: Asked = "player" if side.control == "players" else "gm"
    return ctx.roll(f"initiative:{side.id}", D8, *rules, to=to, why=f"{side.name}: initiative", asked_if=asked_if)


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


def side_slot(number: int, side: Side, members: Sequence[Id], info: str = "") -> Slot:
    return Slot(
        f"r{number}/{side.id}", side.name, phase=side_anchor(side.id), members=tuple(members), side=side.id, info=info
    )


def initiative_words(state: State, owner: str) -> str:
    """Return the initiative of a side or a combatant as the order shows it, "" if it has none."""
    total = state.fact(owner, INITIATIVE)
    return str(total) if isinstance(total, int) else ""


def with_members(slot: Slot, joining: Sequence[Id]) -> Slot:
    """Return a slot with newcomers behind its members."""
    return replace(slot, members=(*slot.members, *joining)) if joining else slot


def nobody_able(state: State, slot: Slot, can_act: Callable[[State, Id], bool], rule: str) -> Refusal | None:
    """Return why the clock passes a slot without a stop."""
    if slot.stage != "round" or any(can_act(state, who) for who in slot.members if who in state):
        return None
    whose = f"{state.name(slot.members[0])} cannot" if len(slot.members) == 1 else "none of them can"
    return Refusal("nobody_able", f"{whose} act", rule)


# -- surprise before the fight: one question for all sides -------------------------------------------------------------


KEY = "surprise"
COST = "foes act a round first"
"""What it means for a side to be caught unaware."""


def caught(
    ctx: Ctx,
    tell: Callable[[Ctx, Side], None],
    offered: Callable[[State, Side], Option | None],
    expected: Callable[[State, Id], bool],
    *rules: str,
) -> tuple[Id, ...]:
    """Ask which sides are caught entirely unaware, and return them.

    Nothing is asked if no side can be, or if no other side would gain by it. `tell` says why a side is not offered.
    """

    def present(state: State) -> list[Side]:
        return [side for side in state.sides if state.members(side.id)]

    def options(state: State) -> list[Option]:
        found = [option for side in present(state) if (option := offered(state, side)) is not None]
        return [replace(option, note=" · ".join(filter(None, (COST, option.note)))) for option in found]

    for side in present(ctx.state):
        tell(ctx, side)
    caught = ctx.pick(
        KEY,
        options,
        *rules,
        default=lambda state: tuple(one.key for one in options(state) if expected(state, one.key)),
        to="gm",
        why="is a side caught entirely unaware?",
        asked_if=lambda state: len(present(state)) > 1 and options(state),
    )
    return caught or ()
