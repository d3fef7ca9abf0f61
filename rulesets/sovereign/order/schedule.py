"""The order of a round: initiative, phases, surprise (4.1, SV-022 to SV-036).

The order is a fact of the fight: ids of sides. It changes only by newcomers and by the GM's hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rulesets.sovereign.stats.attack_outcomes import SURPRISED
from rulesets.sovereign.stats.stats import block, free, rules
from rulesets.without_number import order as shared
from tracker.core.fight.events import EffectChanged, OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Side, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import whole
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, side_anchor


def open_round(ctx: Ctx) -> None:
    """Roll what initiative is missing, and set the phases of this round (SV-030 to SV-036)."""
    first = ctx.state.fact(FIGHT, shared.ORDER) is None
    _roll_missing(ctx)
    order = _order(ctx)
    ctx.fact(FIGHT, shared.ORDER, order, "SV-035")
    slots = tuple(_slot(ctx.state, key) for key in order)
    found = ["SV-001", "SV-032", "SV-033", "SV-034", "SV-R24"]
    found += ["SV-173", *_tie_rules(ctx.state, order)] if first else ["SV-035"]
    ctx.emit(OrderSet(ctx.state.clock.slots, slots), *found)


def _tie_rules(state: State, order: Sequence[Id]) -> tuple[str, ...]:
    scores = [state.fact(side_anchor(side), shared.INITIATIVE) for side in order]
    if len(set(scores)) == len(scores):
        return ()
    return ("SV-036",) if rules(state).initiative_ties == "gm" else ("SV-036", "SV-R39")


def _present(state: State) -> tuple[Side, ...]:
    """Return the sides that have or had a member in the fight (4.2).

    All of them where nobody is left.
    """
    found = tuple(
        side
        for side in state.sides
        if state.members(side.id) or state.fact(side_anchor(side.id), shared.INITIATIVE) is not None
    )
    return found or state.sides


def _roll_missing(ctx: Ctx) -> None:
    for side in _present(ctx.state):
        if ctx.state.fact(side_anchor(side.id), shared.INITIATIVE) is None:
            _roll_side(ctx, side)


def _roll_side(ctx: Ctx, side: Side) -> None:
    """Roll 1d8 (SV-030, SV-031, R20, SV-P15).

    The players' side adds the best DEX of the Party that can act.
    """
    natural = shared.roll_for_side(ctx, side, "SV-030")
    parts = [Part("1d8", natural, "SV-030")]
    members = ctx.state.members(side.id)
    if side.control == "players":
        best = max(
            (block(member).attributes.dex for member in members if member.status == "up" and block(member).trained),
            default=0,
        )
        parts.append(Part("best DEX", best, "SV-031"))
    feat = max((block(member).features.initiative_bonus for member in members if member.status == "up"), default=0)
    if feat:
        parts.append(Part("feat", feat, "SV-P15"))
    shared.score(ctx, side_anchor(side.id), parts, "SV-R20", kept=("SV-035",))


def _order(ctx: Ctx) -> tuple[Id, ...]:
    """Return the sides as they act: the order so far, with newcomers by initiative."""
    state = ctx.state
    present = [side.id for side in _present(state)]
    order = shared.kept_order(state, present)
    fresh = [key for key in present if key not in order]
    if not order:
        return tuple(_settle_ties(ctx, sorted(fresh, key=lambda key: _rank(state, key))))
    return shared.placed(order, fresh, lambda key: _rank(state, key))


def _rank(state: State, side: Id) -> tuple[int, bool]:
    """Return what orders sides: the higher initiative (SV-032, SV-036, R39).

    Of equals the GM's, unless the table plays otherwise.
    """
    number = whole(state.fact(side_anchor(side), shared.INITIATIVE))
    players = state.side(side).control == "players"
    return -number, players if rules(state).initiative_ties == "gm" else not players


def _settle_ties(ctx: Ctx, ranked: list[Id]) -> list[Id]:
    """Let the GM choose among sides that are equal in everything (SV-036)."""
    found: list[Id] = []
    left = list(ranked)
    while left:
        equal = [key for key in left if _rank(ctx.state, key) == _rank(ctx.state, left[0])]
        chosen = left[0]
        if len(equal) > 1:
            options = [Option(key, ctx.state.side(key).name) for key in equal]
            chosen = ctx.choose(
                f"first:{len(found) + 1}",
                options,
                "SV-036",
                default=equal[0],
                to="gm",
                why="equal initiative: who acts first?",
            )
        found.append(chosen)
        left.remove(chosen)
    return found


def _slot(state: State, key: Id) -> Slot:
    side = state.side(key)
    members = tuple(member.id for member in state.members(key))
    return shared.side_slot(state.clock.round, side, members, shared.initiative_words(state, side_anchor(key)))


def keep_order(ctx: Ctx) -> None:
    """Remember the order as the GM has left it in this round."""
    ctx.fact(
        FIGHT,
        shared.ORDER,
        tuple(slot.side for slot in ctx.state.clock.slots if slot.stage == "round" and slot.side),
        "SV-035",
    )


def surprise_round(ctx: Ctx, surprised: Sequence[Id]) -> None:
    """Set the phases of round 0, of those that are not surprised (SV-023, 4.1)."""
    state = ctx.state
    caught = [member for side in state.sides if side.id in surprised for member in state.members(side.id)]
    if not caught:
        return
    alert = [member.id for member in caught if block(member).features.cannot_be_surprised]
    slots = list(state.clock.slots)
    for side in state.sides:
        members = tuple(
            member.id for member in state.members(side.id) if side.id not in surprised or member.id in alert
        )
        if members:
            slots.append(shared.side_slot(0, side, members))
    if len(slots) > len(state.clock.slots):
        ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "SV-023", *(("SV-P15",) if alert else ()))
        for member in caught:
            if member.id not in alert and member.status not in ("dead", "gone"):
                ctx.add_effect(SURPRISED.on(member.id), "SV-022", "SV-023", "SV-R28")
        _prolong(ctx)
    else:
        ctx.skip("surprise", "no side is left to profit from it", "SV-022", "SV-023")


def _prolong(ctx: Ctx) -> None:
    """Give those who fell in set-up their six rounds from round 1 on (SV-P07)."""
    for combatant in ctx.state.combatants:
        dying = combatant.effect("dying")
        if dying is not None:
            ends = tuple(replace(end, count=end.count + 1) if isinstance(end, At) else end for end in dying.until)
            ctx.emit(EffectChanged(dying, replace(dying, until=ends), "round 0 is fought"), "SV-P07")


def admit(ctx: Ctx, newcomers: Sequence[Id]) -> None:
    """Put newcomers into their side's phase of this round, if it is to come (R20).

    A late side rolls on arrival.
    """
    clock = ctx.state.clock
    if not clock.in_round:
        return
    slots = tuple(_joined(ctx.state, slot, newcomers) for slot in clock.slots)
    late = [
        side
        for side in dict.fromkeys(ctx.state[who].side for who in newcomers)
        if all(slot.side != side for slot in slots)
    ]
    if clock.round and late and ctx.state.fact(FIGHT, shared.ORDER) is not None:
        for side in late:
            if ctx.state.fact(side_anchor(side), shared.INITIATIVE) is None:
                _roll_side(ctx, ctx.state.side(side))
        order = _order(ctx)
        ctx.fact(FIGHT, shared.ORDER, order, "SV-R20")
        known = {slot.side: slot for slot in slots}
        slots = (
            *(known.get(key) or _slot(ctx.state, key) for key in order),
            *(slot for slot in slots if slot.side not in order),
        )
    if slots != clock.slots:
        ctx.emit(OrderSet(clock.slots, slots), "SV-R20")


def _joined(state: State, slot: Slot, newcomers: Sequence[Id]) -> Slot:
    joining = tuple(who for who in newcomers if state[who].side == slot.side and slot.id not in state.clock.begun)
    return shared.with_members(slot, joining)


def skip(state: State, slot: Slot) -> Refusal | None:
    """Return why the clock does not stop in a phase (4.2)."""
    return shared.nobody_able(state, slot, free, "SV-034")
