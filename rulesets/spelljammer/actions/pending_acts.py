"""The acts that are due on a segment (4.7)."""

from __future__ import annotations

from collections.abc import Callable

from rulesets.spelljammer.actions.attack_form import attack_fields, options_of
from rulesets.spelljammer.actions.moving import act_done
from rulesets.spelljammer.actions.spells import begin_spell
from rulesets.spelljammer.actions.strike import strike
from rulesets.spelljammer.actions.targets import ask_other_target
from rulesets.spelljammer.order import schedule
from rulesets.spelljammer.stat_blocks.facts import Act
from rulesets.spelljammer.stats import stats
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field
from tracker.core.terms.errors import Refusal


def current(state: State, who: Id | None, kind: str) -> Slot | None:
    """Return the slot of a combatant's act that is due.

    Where acts of a segment happen at once, any of them is.
    """
    here = state.clock.current
    if here is None or _is_of(here, who, kind):
        return here
    return next((slot for slot in schedule.tied(state) if _is_of(slot, who, kind)), None)


def _is_of(slot: Slot, who: Id | None, kind: str) -> bool:
    act = slot.data
    return isinstance(act, Act) and act.kind == kind and slot.members[:1] == (who,)


def not_current(state: State, who: Id, kind: str) -> Refusal | None:
    """Return why an act of this kind is not due now, or cannot be done."""
    if state[who].fact("covered") and state[who].fact("moves_from"):
        return Refusal("already_moved", f"{state.name(who)} has moved after its attacks", "SJ-081", forcible=False)
    slot = current(state, who, kind)
    if slot is None or stats.resolved(state, slot):
        return Refusal("not_current", f"this act of {state.name(who)} is not due now", "SJ-002", forcible=False)
    if why := stats.unable(state[who]):
        return Refusal("unable", f"{state.name(who)} is {why}", "SJ-039")
    return None


def due_fields(state: State, action: Action) -> tuple[Field, ...]:
    """Return the form of the attack that is due, pre-filled with what was declared."""
    act = stats.act_of(current(state, action.by, "attack"))
    return attack_fields(state, action, act.blow if act is not None else None)


def resolving(kind: str, act: Callable[[Ctx, Id, Action, Slot], None]) -> Callable[[Ctx, Action], None]:
    """Return how an act is performed, alone or together with simultaneous ones."""

    def perform(ctx: Ctx, action: Action) -> None:
        who = str(action.by)
        slot = current(ctx.state, who, kind)
        if ctx.depth == 1 and len(schedule.tied(ctx.state)) > 1:
            resolve_ties(ctx, action)
        elif slot is not None:
            ctx.fact(who, "resolved", slot.id, "SJ-002", *(("SJ-A02",) if ctx.depth > 1 else ()))
            act(ctx, who, action, slot)
            ctx.settle()
            if who in ctx.state:
                act_done(ctx, who, slot)
            if ctx.depth == 1:
                ctx.walk()

    return perform


def resolve_ties(ctx: Ctx, given: Action) -> None:
    """Resolve all acts of a segment on the state at its start (A-02).

    `given` replaces its combatant's usual act.
    """
    due = [
        (slot.members[0], found.kind) for slot in schedule.tied(ctx.state) if (found := stats.act_of(slot)) is not None
    ]
    ctx.simultaneously([given if given.by == who else Action(schedule.KEYS[kind], who) for who, kind in due])
    if ctx.depth == 1:
        ctx.walk()


def other_act(ctx: Ctx, who: Id, action: Action, slot: Slot) -> None:
    ctx.note(f"other act: {action.get('text') or slot.title}", "SJ-004", about=who)


def spell(ctx: Ctx, who: Id, action: Action, slot: Slot) -> None:
    begin_spell(ctx, who, slot)


def attack(ctx: Ctx, who: Id, action: Action, slot: Slot) -> None:
    act = stats.act_of(slot)
    declared = act.blow.target if act is not None and act.blow is not None else ""
    avoided = [effect.name for effect in (ctx.state[declared].effects if declared in ctx.state else ())]
    rules = (
        *(("SJ-119",) if "full_defense" in avoided else ()),
        *(("SJ-123",) if "desperate_defense" in avoided else ()),
    )
    if action.get("instead"):
        ctx.note(f"other act: {action.get('instead')}", *(rules or ("SJ-004",)), about=who)
        return
    chosen, weapon = action.get("target"), stats.weapon(ctx.state, who, str(action.get("weapon")))
    target = chosen if isinstance(chosen, str) and chosen in ctx.state else ask_other_target(ctx, who, weapon, "target")
    if target is None:
        return
    if rules and target != declared:
        ctx.note(
            f"{ctx.state.name(who)} turns from {ctx.state.name(declared)} to {ctx.state.name(target)}",
            *rules,
            "SJ-129",
            about=who,
        )
    strike(ctx, who, target, weapon, options_of(action))
