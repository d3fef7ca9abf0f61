"""The order of a round: initiative, slots, and the surprise round (4.2, WN-001 to WN-027).

The order is a fact of the fight: keys of slots, `side:<id>` or a combatant's id. It changes only by newcomers and by
the GM's hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulesets.without_number import order as shared
from rulesets.worlds_without_number.stats.effects import SURPRISED
from rulesets.worlds_without_number.stats.stats import able, block, initiative_parts, is_pc, rules, side_keys
from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import whole
from tracker.core.step.prompts import AskedIf
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import side_anchor


def automatic(combatants: Iterable[Combatant]) -> tuple[Id, ...]:
    """Return who of them has automatic initiative (WN-025)."""
    return tuple(combatant.id for combatant in combatants if block(combatant).auto_initiative)


def open_round(ctx: Ctx) -> None:
    """Roll what initiative is missing, and set the slots of this round (WN-009, WN-010).

    Where nobody is left each side has an empty one.
    """
    first = ctx.state.fact(FIGHT, shared.ORDER) is None
    _roll_missing(ctx)
    order = _order(ctx.state)
    ctx.fact(FIGHT, shared.ORDER, order, "WN-010")
    slots = tuple(slot for key in order if (slot := _slot(ctx.state, key)).members or key.startswith("side:"))
    slots = slots or tuple(shared.side_slot(ctx.state.clock.round, side, ()) for side in ctx.state.sides)
    ctx.emit(OrderSet(ctx.state.clock.slots, slots), *_order_rules(ctx.state, first))


def _order_rules(state: State, first: bool) -> tuple[str, ...]:
    found = ["WN-001", "WN-004", "WN-005", "WN-006"]
    if not first:
        found += ["WN-009", "WN-010", "WN-014"]
    elif rules(state).initiative == "individual":
        found += ["WN-016"]
    else:
        found += ["WN-003", "WN-013"]
    return tuple(found + (["WN-025", "WN-026"] if automatic(state.combatants) else []))


def _roll_missing(ctx: Ctx) -> None:
    """Ask for the initiative that is missing.

    Sides roll in file order, or everybody does; those with automatic initiative roll among themselves.
    """
    if rules(ctx.state).initiative == "individual":
        for combatant in ctx.state.combatants:
            if _unrolled(ctx.state, combatant.id):
                _roll_one(ctx, combatant.id, with_side=True)
        return
    for side in ctx.state.sides:
        if ctx.state.fact(side_anchor(side.id), shared.INITIATIVE) is None and _slow(ctx.state, side.id):
            _roll_side(ctx, side)
    for who in automatic(ctx.state.combatants):
        if _unrolled(ctx.state, who):
            _roll_one(ctx, who, with_side=False, asked_if=_several_automatic)


def _slow(state: State, side: Id) -> bool:
    """Tell whether a side has members without automatic initiative."""
    return len(automatic(state.members(side))) < len(state.members(side))


def _unrolled(state: State, who: Id) -> bool:
    return who in state and state[who].fact(shared.INITIATIVE) is None


def _roll_side(ctx: Ctx, side: Side) -> None:
    """Roll for a side: the best modifier of everybody present counts (WN-002, WN-011, WN-023, R38)."""
    natural = shared.roll_for_side(ctx, side, "WN-002", "WN-011", asked_if=lambda state: _slow(state, side.id))
    if natural is None:
        return
    best = max(
        (initiative_parts(member) for member in ctx.state.members(side.id)),
        key=lambda parts: sum(part.amount for part in parts),
    )
    _score(ctx, side_anchor(side.id), natural, (*best, *_side_part(ctx.state, side.id)))


def _several_automatic(state: State) -> bool:
    return len(automatic(state.combatants)) > 1  # one alone needs no roll


def _roll_one(ctx: Ctx, who: Id, with_side: bool, asked_if: AskedIf = lambda state: True) -> int | None:
    """Roll for one combatant, and return its initiative, None if it is not asked (WN-015, WN-027)."""
    natural = ctx.roll(
        f"initiative:{who}",
        shared.D8,
        "WN-015" if with_side else "WN-027",
        who=who,
        why="initiative",
        asked_if=lambda state: who in state and asked_if(state),
    )
    if natural is None:
        return None
    combatant = ctx.state[who]
    return _score(
        ctx, who, natural, (*initiative_parts(combatant), *(_side_part(ctx.state, combatant.side) if with_side else ()))
    )


def _side_part(state: State, side: Id) -> tuple[Part, ...]:
    extra = side_keys(state, side).initiative_modifier
    return (Part("side", extra, "WN-023"),) if extra else ()


def _score(ctx: Ctx, owner: str, natural: int, parts: Sequence[Part]) -> int:
    return shared.score(ctx, owner, (Part("1d8", natural, "WN-011"), *parts))


def _order(state: State) -> tuple[str, ...]:
    """Return the keys of this round's slots: the order so far, with newcomers by initiative."""
    present = _keys(state)
    order = shared.kept_order(state, present)
    return shared.placed(order, [key for key in present if key not in order], lambda key: _rank(state, key))


def _keys(state: State) -> tuple[str, ...]:
    """Return the keys of this round's slots, in file order (R46).

    A side that never had a member in it has none, one that was wiped out has.
    """
    if rules(state).initiative == "individual":
        return tuple(combatant.id for combatant in state.combatants)
    auto = automatic(state.combatants)
    sides = tuple(
        side_anchor(side.id) for side in state.sides if any(member.id not in auto for member in state.members(side.id))
    )
    return auto + sides


def _rank(state: State, key: str) -> tuple[bool, int, bool]:
    """Return the rank of a slot: automatic initiative, score, PCs (WN-013, WN-016, WN-026, R03)."""
    number = whole(state.fact(key, shared.INITIATIVE))
    if key.startswith("side:"):
        return True, -number, state.side(key.removeprefix("side:")).control != "players"
    return not block(state[key]).auto_initiative, -number, not is_pc(state, key)


def _slot(state: State, key: str) -> Slot:
    number = state.clock.round
    if key.startswith("side:"):
        side = state.side(key.removeprefix("side:"))
        single = rules(state).initiative == "individual"
        members = tuple(
            member.id for member in state.members(side.id) if not single and not block(member).auto_initiative
        )
        return shared.side_slot(number, side, members, shared.initiative_words(state, key))
    return _own_slot(state, number, key)


def _own_slot(state: State, number: int, who: Id) -> Slot:
    name = f"{who}-alone" if any(side.id == who for side in state.sides) else who
    info = shared.initiative_words(state, who)
    return Slot(f"r{number}/{name}", state.name(who), phase=who, members=(who,), info=info)


def keep_order(ctx: Ctx) -> None:
    """Remember the order as the GM has left it in this round."""
    ctx.fact(
        FIGHT, shared.ORDER, tuple(slot.phase for slot in ctx.state.clock.slots if slot.stage == "round"), "WN-010"
    )


def surprise_round(ctx: Ctx, surprised: Sequence[Id]) -> None:
    """Set the slots of round 0 (WN-019, WN-024, R04, R05).

    Where no side profits from the surprise there is no such round.
    """
    state = ctx.state
    caught = [member for side in state.sides if side.id in surprised for member in state.members(side.id)]
    immune = tuple(member for member in caught if block(member).immune_to_surprise)
    free = tuple(side for side in state.sides if side.id not in surprised and state.members(side.id))
    if not caught or not free:
        return
    ambushers = automatic(member for side in free for member in state.members(side.id))
    slots = list(state.clock.slots)
    if immune and ambushers:
        quick = [who.id for who in state.combatants if who in immune or who.id in ambushers]
        slots += _by_precedence(ctx, quick)
        slots += [shared.side_slot(0, side, members) for side in free if (members := _without(state, side, ambushers))]
    else:
        kept = tuple(member.id for member in immune)
        slots += [
            shared.side_slot(0, side, members)
            for side in state.sides
            if (members := tuple(m.id for m in state.members(side.id) if m.id in kept))
        ]
        slots += [shared.side_slot(0, side, _without(state, side, ())) for side in free]
    ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "WN-019", *(("WN-024",) if immune else ()))
    # Only now is it known that round 0 is fought, at whose end they are ready.
    for member in caught:
        if member not in immune and member.id in ctx.state:
            ctx.add_effect(SURPRISED.on(member.id), "WN-018", "WN-019")


def _without(state: State, side: Side, others: Sequence[Id]) -> tuple[Id, ...]:
    return tuple(member.id for member in state.members(side.id) if member.id not in others)


def _by_precedence(ctx: Ctx, quick: Sequence[Id]) -> list[Slot]:
    """Roll for round 0, keeping only automatic initiative's numbers (WN-027, R04)."""
    rolled = {who: _roll_one(ctx, who, with_side=False) for who in quick if _unrolled(ctx.state, who)}
    scores = {who: score for who, score in rolled.items() if score is not None}
    quick = [who for who in scores if who in ctx.state]
    for who in quick:
        if not block(ctx.state[who]).auto_initiative:
            ctx.fact(who, shared.INITIATIVE, None)
    ranked = sorted(quick, key=lambda who: (-scores[who], not is_pc(ctx.state, who)))
    return [_own_slot(ctx.state, 0, who) for who in ranked]


def admit(ctx: Ctx, newcomers: Sequence[Id]) -> None:
    """Put newcomers into their side's slot of this round.

    Those that need a slot of their own roll now and get it at the next round's start.
    """
    if ctx.state.fact(FIGHT, shared.ORDER) is not None:
        _roll_missing(ctx)
    clock = ctx.state.clock
    if not clock.in_round or rules(ctx.state).initiative == "individual":
        return
    joining = [who for who in newcomers if not block(ctx.state[who]).auto_initiative]
    slots = tuple(
        shared.with_members(slot, tuple(who for who in joining if slot.phase == side_anchor(ctx.state[who].side)))
        for slot in clock.slots
    )
    if slots != clock.slots:
        ctx.emit(OrderSet(clock.slots, slots), "WN-004")


def skip(state: State, slot: Slot) -> Refusal | None:
    """Return why the clock does not stop in a slot (R46)."""
    return shared.nobody_able(state, slot, able, "WN-R46")
