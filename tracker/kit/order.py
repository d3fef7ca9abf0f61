"""The order of combatants or sides, which lasts over rounds.

    ORDER = Order(lambda state, key: (-fields.whole(state[key].fact("initiative")),), rules=("TA-01",))

    def join(ctx, newcomers):              # after the ranks of the newcomers are known
        ORDER.join(ctx, newcomers)
    def on_boundary(ctx, boundary):
        ORDER.on_boundary(ctx, boundary)   # keeps what the GM's `m` has changed
    RULESET = Ruleset(..., open_round=ORDER.open_round)

    ORDER.put(ctx, who, before=other)      # from now on `who` acts before `other`
    ORDER.delay(ctx, who)                  # gives up its place; ORDER.come_back(ctx, who) acts after the current turn
    ACTIONS = ActionTable((*types, *ORDER.waiting("TA-03")), ECONOMY, gm=(ORDER.gm_action(),))  # both, and the GM's `m`

A key is a combatant's id, or `side:<id>` if a side acts together. A combatant that joins after its place has passed, or
that delays, has a slot at which the clock does not stop, so the order shows every combatant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from tracker.core.fight.events import OrderSet
from tracker.core.fight.slots import Clock, Id, Slot
from tracker.core.fight.state import FIGHT, State
from tracker.core.game.action_types import ActionType
from tracker.core.gm import time
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import Boundary, side_anchor
from tracker.kit import refusals

Rank: TypeAlias = tuple[int, ...]
"""The sort key of the order: the lowest acts first."""

WAITING = "waits"
"""The `info` of the slot of a combatant that has delayed its turn."""


def takes_turn(boundary: Boundary) -> bool:
    """Tell whether an edge belongs to a real turn.

    Before a round ends, combatants without a turn get an empty one, so that effects that wait for its edges end.
    """
    return bool(boundary.slot)


class Order(Struct, frozen=True):
    """An order that lasts over rounds.

    Attributes:
        rank: the sort key of a newcomer in the order, the lowest first; equals in order of joining.
        by: whether each combatant has a slot, or each side.
        late: when a newcomer acts if its place in this round has passed: in the `next` round, or `now`.
        rules: cited for every order.
        fact: the fact of the fight that stores the order.
    """

    rank: Callable[[State, str], Rank]
    by: Literal["combatant", "side"] = "combatant"
    late: Literal["next", "now"] = "next"
    rules: tuple[str, ...] = ()
    fact: str = "order"

    # -- the order -----------------------------------------------------------------------------------------------------

    def keys(self, state: State) -> tuple[str, ...]:
        """Return the keys of the combatants or sides, in order of joining."""
        if self.by == "combatant":
            return tuple([one.id for one in state.combatants])
        return tuple(side_anchor(side.id) for side in state.sides if state.members(side.id))

    def key_of(self, state: State, who: Id) -> str:
        """Return the key under which a combatant acts."""
        return who if self.by == "combatant" else side_anchor(state[who].side)

    def kept(self, state: State) -> tuple[str, ...]:
        """Return the stored order, with newcomers inserted by their rank."""
        present = self.keys(state)
        order = [key for key in fields.texts(state.fact(FIGHT, self.fact)) if key in present]
        for key in present:
            if key not in order:
                rank = self.rank(state, key)
                place = next((at for at, other in enumerate(order) if rank < self.rank(state, other)), len(order))
                order.insert(place, key)
        return tuple(order)

    def slot(self, state: State, key: str) -> Slot:
        """Return a key's slot of this round."""
        number = state.clock.round
        if self.by == "combatant":
            return Slot(f"r{number}/{key}", state.name(key), key, members=(key,), side=state[key].side)
        side = state.side(key.removeprefix("side:"))
        members = tuple(member.id for member in state.members(side.id))
        return Slot(f"r{number}/{side.id}", side.name, key, members=members, side=side.id)

    # -- functions for a ruleset ---------------------------------------------------------------------------------------

    def open_round(self, ctx: Ctx) -> None:
        """Set the schedule of a round, for `Ruleset.open_round`."""
        order = self.kept(ctx.state)
        ctx.fact(FIGHT, self.fact, order)
        slots = tuple(self.slot(ctx.state, key) for key in order)
        nobody = Slot(f"r{ctx.state.clock.round}/nobody", "Nobody")
        ctx.emit(OrderSet(ctx.state.clock.slots, slots or (nobody,)), *self.rules)

    def forget(self, ctx: Ctx) -> None:
        """Remove the stored order, so that the next round sorts all keys by rank."""
        ctx.fact(FIGHT, self.fact, None)

    def join(self, ctx: Ctx, newcomers: Sequence[Id]) -> None:
        """Insert newcomers into the current round."""
        if not ctx.state.clock.in_round:
            return
        if self.by == "side":
            self._join_sides(ctx, newcomers)
            return
        order = self.kept(ctx.state)
        for who in sorted(newcomers, key=order.index, reverse=True):
            slots = ctx.state.clock.slots
            places = _places(slots)
            place = next((places[key] for key in order[order.index(who) + 1 :] if key in places), _end(slots))
            self._insert(ctx, self.slot(ctx.state, who), place)

    def _join_sides(self, ctx: Ctx, newcomers: Sequence[Id]) -> None:
        slots = ctx.state.clock.slots
        grown = tuple(
            replace(slot, members=(*slot.members, *mine))
            if (mine := tuple(who for who in newcomers if side_anchor(ctx.state[who].side) == slot.phase))
            else slot
            for slot in slots
        )
        if grown != slots:
            ctx.emit(OrderSet(slots, grown), *self.rules)
        known = {slot.phase for slot in slots}
        for key in dict.fromkeys(self.key_of(ctx.state, who) for who in newcomers):
            if key not in known:
                self._insert(ctx, self.slot(ctx.state, key), _end(ctx.state.clock.slots))

    def _insert(self, ctx: Ctx, slot: Slot, place: int) -> None:
        """Insert a newcomer's slot into this round; if its place has passed, it is only shown, or comes next."""
        slots = ctx.state.clock.slots
        now = _now(ctx.state.clock, slots)
        if place < now:
            place, slot = (now, slot) if self.late == "now" else (place, _shown_only(slot))
        ctx.emit(OrderSet(slots, (*slots[:place], slot, *slots[place:])), *self.rules)

    def on_boundary(self, ctx: Ctx, boundary: Boundary) -> None:
        """Store the order at a round's end, for `Ruleset.on_boundary`."""
        if boundary.edge == "round_end" and boundary.round:
            self.keep(ctx)

    def keep(self, ctx: Ctx) -> None:
        """Store the order of this round, with late turns at their late places."""
        places = _places(ctx.state.clock.slots)
        present = self.keys(ctx.state)
        order = tuple(key for key in sorted(places, key=places.__getitem__) if key in present)
        if order:
            ctx.fact(FIGHT, self.fact, order, *self.rules)

    # -- changes ---------------------------------------------------------------------------------------------------

    def put(self, ctx: Ctx, who: Id, before: Id | None = None, *rules: str) -> None:
        """Move a combatant before another one, or to the end, from now on.

        If that place has passed in this round, a combatant that has not acted yet has no turn until the next round.
        """
        key = self.key_of(ctx.state, who)
        other = None if before is None else self.key_of(ctx.state, before)
        if key == other:
            return
        clock, slots = ctx.state.clock, ctx.state.clock.slots
        at = _places(slots).get(key)
        if at is not None:
            mine, rest = slots[at], (*slots[:at], *slots[at + 1 :])
            place = _end(rest) if other is None else _places(rest).get(other, _end(rest))
            if mine.id not in clock.begun and place < _now(clock, rest):
                mine = _shown_only(mine)
            ctx.emit(OrderSet(slots, (*rest[:place], mine, *rest[place:])), *(rules or self.rules))
        order = [one for one in self.kept(ctx.state) if one != key]
        order.insert(order.index(other) if other in order else len(order), key)
        ctx.fact(FIGHT, self.fact, tuple(order), *(rules or self.rules))

    def delays(self, state: State, who: Id) -> bool:
        """Tell whether a combatant delays its turn now."""
        return any(slot.info == WAITING and who in slot.members for slot in state.clock.upcoming)

    def delay(self, ctx: Ctx, who: Id, *rules: str) -> None:
        """Let a combatant delay its turn in its own slot; the turn ends after it comes back, or with the round.

        The clock stays in that slot: go on with `ctx.walk()`.
        """
        clock = ctx.state.clock
        current = clock.current
        if current is None or who not in current.members or self.delays(ctx.state, who):
            return
        others = tuple(one for one in current.members if one != who)
        left = replace(current, title=current.title if others else f"{current.title} (delays)", members=others)
        times = sum(slot.id.startswith(f"r{clock.round}/{who}/") for slot in clock.slots) + 1
        waits = Slot(
            f"r{clock.round}/{who}/{WAITING}{'' if times == 1 else f'-{times}'}",
            ctx.state.name(who),
            who,
            members=(who,),
            side=ctx.state[who].side,
            stop=False,
            info=WAITING,
        )
        slots = tuple(left if slot.id == current.id else slot for slot in clock.slots)
        place = _end(slots)
        ctx.emit(OrderSet(clock.slots, (*slots[:place], waits, *slots[place:])), *(rules or self.rules))

    def come_back(self, ctx: Ctx, who: Id, *rules: str) -> None:
        """Let a combatant that has delayed act right after the current turn."""
        slots = ctx.state.clock.slots
        waits = next((slot for slot in ctx.state.clock.upcoming if slot.info == WAITING and who in slot.members), None)
        if waits is None:
            return
        back = replace(waits, id=waits.id.replace(f"/{WAITING}", "/back"), stop=True, info="")
        rest = tuple(slot for slot in slots if slot.id != waits.id)
        place = _now(ctx.state.clock, rest)
        ctx.emit(OrderSet(slots, (*rest[:place], back, *rest[place:])), *(rules or self.rules))

    def gm_action(self, rule: str = "") -> ActionType:
        """Return the GM's command to move a slot, or a combatant without one."""
        return ActionType(
            "move", "Move in the order", rule, perform=self._move, fields=time.move_fields, group="game master"
        )

    def waiting(self, rule: str = "") -> tuple[ActionType, ActionType]:
        """Return the actions to delay a turn in which the combatant has not acted, and to come back."""

        def delay(ctx: Ctx, action: Action) -> None:
            self.delay(ctx, fields.actor(action), *((rule,) if rule else ()))
            ctx.walk()

        def begun(state: State, action: Action) -> Refusal | None:
            untouched, text = state.clock.acting != action.by, f"{state.name(action.by)} has acted in this turn"
            return refusals.unless(untouched, "turn_begun", text, rule)

        def come_back(ctx: Ctx, action: Action) -> None:
            self.come_back(ctx, fields.actor(action), *((rule,) if rule else ()))

        def not_away(state: State, action: Action) -> Refusal | None:
            who = fields.actor(action)
            text = f"{state.name(who)} has not delayed"
            return refusals.unless(self.delays(state, who), "not_delayed", text, rule, forcible=False)

        return (
            ActionType("delay", "Delay", rule, perform=delay, refusal=begun, group="order"),
            ActionType(
                "come_back", "Come back", rule, when="round", perform=come_back, refusal=not_away, group="order"
            ),
        )

    def _move(self, ctx: Ctx, action: Action) -> None:
        time.move(ctx, action, *self.rules, changed=_turn_again)


def _shown_only(slot: Slot) -> Slot:
    """Return a slot of the order that is no combatant's turn."""
    return replace(slot, stop=False, turns="none")


def _turn_again(slot: Slot) -> Slot:
    return replace(slot, stop=True, turns="shared") if slot.turns == "none" and slot.members else slot


def _places(slots: Sequence[Slot]) -> dict[str, int]:
    """Return the index of each key's last slot that does not wait, or else of its waiting slot."""
    places: dict[str, int] = {}
    for place, slot in enumerate(slots):
        if slot.stage == "round" and (slot.info != WAITING or slot.phase not in places):
            places[slot.phase] = place
    return places


def _now(clock: Clock, slots: Sequence[Slot]) -> int:
    """Return the index after the current slot, or else of the first slot that has not begun."""
    begun = set(clock.begun)
    current = next((at + 1 for at, slot in enumerate(slots) if slot.id == clock.at), None)
    following = next((at for at, slot in enumerate(slots) if slot.id not in begun), len(slots))
    return following if current is None else current


def _end(slots: Sequence[Slot]) -> int:
    """Return the index after the last opening slot or slot of the round."""
    return max((at + 1 for at, slot in enumerate(slots) if slot.stage in ("opening", "round")), default=0)
