"""The round: declarations close, and the acts stand on their segments (4.3 to 4.6)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from rulesets.spelljammer.order.declare import carried_over, store, taken, undeclared
from rulesets.spelljammer.order.initiative import Place, duration, initiative
from rulesets.spelljammer.stat_blocks.facts import Act, Casting, Declaration, Parry
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.costs import MOVING
from rulesets.spelljammer.stats.effects import (
    AIMED,
    CAREFUL_AIM,
    DEFENDING,
    DESPERATE_DEFENSE,
    FULL_DEFENSE,
    HELD_ACTION,
    NO_MOVEMENT,
    quietly,
)
from tracker.core.clock.schedule import finished
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import Checked, EffectAdded, EffectEnded, Event, FactSet, OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal

END = "end"
"""The phase of a round's last moment."""


def end_slot(state: State) -> Slot:
    """Return the slot of a round's last moment.

    The clock passes it unless it is told to stop.
    """
    return Slot(f"r{state.clock.round}/{END}", "End of the round", END, stop=False, turns="none")


def driven(state: State, who: Id) -> tuple[Combatant, ...]:
    """Return the desperate defenders whom a combatant may still drive back in this round (SJ-122)."""
    return tuple([foe for one, foe in drives(state) if one.id == who])


@per_state
def drives(state: State) -> tuple[tuple[Combatant, Combatant], ...]:
    """Return who may still drive back which desperate defender in this round (SJ-122)."""
    standing = stats.standing(state)
    defenders = [one for one in standing if one.effects and one.has("desperate_defense")]
    return tuple([(one, foe) for one in standing for foe in defenders if one.fact(f"drives:{foe.id}")])


def stop_at_end(ctx: Ctx) -> None:
    """Stop at a round's end where this step has brought what ends with it."""
    clock = ctx.state.clock
    seen = any(_passes(ctx.state, entry.event) for entry in ctx.entries)
    owed = bool(drives(ctx.state))
    here = clock.current
    if here is not None and not here.stop and (seen or owed):
        slots = tuple(replace(slot, stop=True) if slot.id == here.id else slot for slot in clock.slots)
        ctx.emit(OrderSet(clock.slots, slots), "SJ-122" if owed else "SJ-027")


def _passes(state: State, event: Event) -> bool:
    """Tell whether an event leaves the GM something to do before the round ends.

    That is ground covered, a blow that stuns, and a spell that goes off.
    """
    match event:
        case FactSet(key="covered", now=now):
            return now is not None
        case EffectAdded(effect=effect):
            return effect.name == "stunned" and effect.source is not None and stats.stands(state, effect.bearer)
        case EffectEnded(was=Effect(data=Casting(spell=name), bearer=caster), reason="goes off"):
            spell = stats.spell(state, caster, name) if caster in state else None
            return spell is None or spell.cast_chance is None
        case Checked(result="goes off"):
            return True
    return False


LAST_OF_ALL = 99
KEYS = {"attack": "attack", "spell": "begin_spell", "other": "other_act"}
"""The action that resolves an act of each kind."""


def phase_of(segment: int) -> str:
    """Return the part of the round a segment lies in (SJ-024 to SJ-027)."""
    return "pre-movement" if segment > 10 else "movement" if segment >= 1 else "post-movement"


def open_round(ctx: Ctx) -> None:
    """Begin a round with the declarations (4.3)."""
    declarations(ctx, "SJ-001")


def declarations(ctx: Ctx, *rules: str) -> None:
    """Remember who is in melee now, and ask everybody for a declaration."""
    for combatant in ctx.state.combatants:
        ctx.fact(combatant.id, "engaged_at_start", True if stats.engaged(ctx.state, combatant.id) else None, "SJ-091")
    slots = ctx.state.clock.slots
    ctx.fact(FIGHT, "closed", None)
    ctx.emit(
        OrderSet(slots, (*slots, Slot(f"r{ctx.state.clock.round}/declare", "Declarations", "declare", turns="none"))),
        *rules,
    )


def close_declarations(ctx: Ctx, action: Action) -> None:
    """Roll initiative, put the acts on their segments and go to the first (4.5, SJ-002)."""
    ctx.fact(FIGHT, "closed", True, "SJ-002")
    standing = [combatant.id for combatant in stats.standing(ctx.state)]
    for who in standing:
        declared = stats.declaration(ctx.state, who)
        if declared is None:  # the GM would not wait: a spell carried over begins all the same
            declared = carried_over(ctx.state, who) or Declaration()
            if stats.ambush_level(ctx.state, who) >= 3:
                store(ctx, who, declared)
            else:
                taken(ctx, who, declared)
        _take_effect(ctx, who, declared)
    slots: list[Slot] = []
    for who in standing:
        if who in ctx.state:
            slots += _acts_of(ctx, who)
    slots = [slot for slot in slots if all(member in ctx.state for member in slot.members)]
    acts = [slot for slot in slots if stats.act_of(slot) is not None]
    done = ctx.state.clock.slots
    parts = {"pre-movement": "SJ-025", "movement": "SJ-026", "post-movement": "SJ-027"}
    cited = dict.fromkeys(parts[slot.phase] for slot in slots)
    coming = (*_sorted(ctx.state, (*acts, *_passing(slots))), end_slot(ctx.state))
    ctx.emit(OrderSet(done, (*done, *coming)), "SJ-002", "SJ-024", *cited)
    ctx.walk()


def _acts_of(ctx: Ctx, who: Id) -> list[Slot]:
    """Roll a combatant's initiative, and return its slots."""
    declared = stats.declaration(ctx.state, who) or Declaration()
    places = initiative(ctx, who, declared)
    if who not in ctx.state:
        return []
    waiting = stats.waiting(ctx.state[who])
    if declared.main != "cast" and waiting is not None:
        why = "caught in the ambush" if stats.ambush_level(ctx.state, who) >= 3 else "declared otherwise"
        ctx.end_effect(waiting, why, "SJ-030")
    return _schedule(ctx, who, declared, places)


def _take_effect(ctx: Ctx, who: Id, declared: Declaration) -> None:
    """Let declared defences and the like hold until the round ends (4.4)."""
    rank = stats.weapon(ctx.state, who, declared.weapon or stats.block(ctx.state, who).weapons[0].name).rank
    if declared.defend:
        ctx.add_effect(
            quietly(DEFENDING.on(who, data=Parry(declared.defend // 2, declared.defend))),
            "SJ-112",
            "SJ-113",
            "SJ-115",
            "SJ-116",
        )
    if declared.main == "full_defense":
        ctx.add_effect(
            quietly(FULL_DEFENSE.on(who, data=Parry(stats.guard_bonus(declared.main, rank)))),
            "SJ-117",
            "SJ-118",
            "SJ-120",
        )
    if declared.main == "desperate_defense":
        ctx.add_effect(
            quietly(DESPERATE_DEFENSE.on(who, data=Parry(stats.guard_bonus(declared.main, rank)))),
            "SJ-121",
            "SJ-124",
        )
    if declared.movement == "none":
        ctx.add_effect(quietly(NO_MOVEMENT.on(who)), "SJ-016", "SJ-017")
    if declared.careful_aim:
        ctx.add_effect(quietly(CAREFUL_AIM.on(who)), "SJ-150", "SJ-151", "SJ-152", "SJ-153")
        if stats.block(ctx.state, who).attacks < 2:
            ctx.add_effect(AIMED.on(who), "SJ-A22")
    if declared.main == "hold":
        ctx.add_effect(quietly(HELD_ACTION.on(who)), "SJ-031")


def _schedule(ctx: Ctx, who: Id, declared: Declaration, places: list[Place]) -> list[Slot]:
    """Return a combatant's slots: its acts, and the segments the clock must pass."""
    slots = [_slot(ctx.state, who, act, segment) for act, segment in places]
    passing = [(segment, "movement") for segment in range(1, 11)] if declared.movement in MOVING else []
    if declared.ready_shield or declared.potion != "none":
        passing.append((stats.rules(ctx.state).half_round_segment, "half a round"))
    passing += [
        (due_on(ctx.state, who, act.spell, segment), f"due: {act.spell}")
        for act, segment in places
        if act.kind == "spell"
    ]
    if declared.free_actions:
        first = max((segment for _, segment in places), default=10)
        ctx.fact(who, "free_on", first, "SJ-094")
        passing.append((first, "free action"))
    return [*slots, *(_tick(ctx.state, segment, title) for segment, title in passing)]


def _passing(slots: list[Slot]) -> list[Slot]:
    """Return one slot for each segment the clock must pass.

    Its title names all that happens there.
    """
    found: dict[Id, Slot] = {}
    for slot in slots:
        if stats.act_of(slot) is None:
            before = found.get(slot.id)
            titles = dict.fromkeys((*(before.title.split(", ") if before else ()), slot.title))
            found[slot.id] = replace(slot, title=", ".join(titles))
    return list(found.values())


def due_on(state: State, who: Id, name: str, begins: int) -> int:
    """Return the segment on which a spell goes off that begins on `begins`.

    SJ-063, SJ-068, A-12.
    """
    spell = stats.spell(state, who, name)
    length = duration(spell) if spell is not None else 0
    return -5 if length is None else begins - length


def _slot(state: State, who: Id, act: Act, segment: int) -> Slot:
    name, key = state.name(who), f"r{state.clock.round}/{who}/{act.kind}-{act.place}"
    aim = f" at {state.name(act.target)}" if act.target else ""
    what = (
        f"{act.blow.weapon} at {state.name(act.blow.target)}"
        if act.blow
        else f"{act.spell}{aim}"
        if act.spell
        else act.text or "another act"
    )
    return Slot(
        key,
        f"{name}: {what}",
        phase_of(segment),
        segment,
        (who,),
        state[who].side,
        info=_moment(state, who, act, segment) if act.spell else "" if act.kind == "attack" else act.kind,
        data=act,
    )


def _moment(state: State, who: Id, act: Act, begins: int) -> str:
    """Return when the spell of an act goes off: `goes off on 4`."""
    return f"goes off on {str(due_on(state, who, act.spell, begins)).replace('-', '−')}"


def _tick(state: State, segment: int, title: str) -> Slot:
    return Slot(f"r{state.clock.round}/s{segment}", title, phase_of(segment), segment, stop=False, turns="none")


def _rank(state: State, slot: Slot) -> tuple[int, ...]:
    """Return where a slot stands (A-02).

    Down the segments, the passing one first, then higher IM, then file order.
    """
    if slot.segment is None:  # the end of the round
        return LAST_OF_ALL, 0
    segment = slot.segment
    who = next((member for member in slot.members if member in state), None)
    act = stats.act_of(slot)
    if who is None or act is None:
        return -segment, 0
    return -segment, 1, -stats.block(state, who).im, state.places[who], act.place


def _sorted(state: State, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    return tuple(sorted(slots, key=lambda slot: _rank(state, slot)))


def add_tick(ctx: Ctx, segment: int) -> None:
    """Let the clock pass a segment on which a spell is due."""
    slots = ctx.state.clock.slots
    if any(slot.segment == segment and stats.act_of(slot) is None for slot in slots):
        return
    begun = set(ctx.state.clock.begun)
    place = next(
        (
            place
            for place, slot in enumerate(slots)
            if slot.id not in begun and (slot.segment is None or slot.segment <= segment)
        ),
        len(slots),
    )
    ctx.emit(OrderSet(slots, (*slots[:place], _tick(ctx.state, segment, "a spell is due"), *slots[place:])), "SJ-063")


def move_act(ctx: Ctx, key: str, segment: int) -> None:
    """Put an act that has not begun on another segment, without reordering the others."""
    slots, begun = ctx.state.clock.slots, set(ctx.state.clock.begun)
    moved = next(slot for slot in slots if slot.id == key)
    act = stats.act_of(moved)
    placed = replace(moved, phase=phase_of(segment), segment=segment)
    if act is not None and act.spell:
        placed = replace(placed, info=_moment(ctx.state, moved.members[0], act, segment))
    done = tuple(slot for slot in slots if slot.id in begun)
    coming = [placed if slot.id == key else slot for slot in slots if slot.id not in begun]
    ctx.emit(OrderSet(slots, (*done, *_sorted(ctx.state, coming))), "SJ-004")
    if act is not None and act.kind == "spell":
        add_tick(ctx, max(-5, due_on(ctx.state, moved.members[0], act.spell, segment)))


def tied(state: State) -> tuple[Slot, ...]:
    """Return the unresolved acts of the current segment that happen at once (A-02)."""
    current = state.clock.current
    if current is None or stats.act_of(current) is None or not stats.rules(state).simultaneous_ties:
        return ()
    begun = set(state.clock.begun) - {current.id}
    same = [
        slot
        for slot in state.clock.slots
        if slot.segment == current.segment and slot.id not in begun and stats.act_of(slot) is not None
    ]
    return tuple(
        slot
        for slot in same
        if slot.members
        and slot.members[0] in state
        and not stats.resolved(state, slot)
        and not stats.unable(state[slot.members[0]])
    )


def advance(state: State) -> Action | None:
    """Return what `n` does.

    The foes' defaults, the next hero's, the close of declarations, then the act that is due.
    """
    if finished(state):
        return None
    if state.clock.over:
        return Action("next")
    if state.clock.phase == "declare":
        waiting = undeclared(state)
        side = next((combatant.side for combatant in waiting if state.side(combatant.side).control == "gm"), None)
        if side is not None:
            return Action("declare_defaults", None, (("side", side),))
        return Action("declare", waiting[0].id) if waiting else Action("close_declarations")
    slot = state.clock.current
    act = stats.act_of(slot)
    if slot is None or act is None or not slot.members or slot.members[0] not in state:
        return Action("next")
    if stats.resolved(state, slot) or stats.unable(state[slot.members[0]]):
        return Action("next")
    if len(tied(state)) > 1:
        return Action("resolve_ties")
    return Action(KEYS[act.kind], slot.members[0])


def waits(state: State) -> Slot | None:
    """Return the current slot if its act has not been made."""
    slot = state.clock.current
    if state.clock.over or slot is None or stats.act_of(slot) is None or stats.resolved(state, slot):
        return None
    return slot if slot.members else None


def skip(state: State, slot: Slot) -> Refusal | None:
    """Return why the clock passes over an act (4.6).

    Its combatant has left, is down or stunned (SJ-039), or no foe is standing (SJ-005). Acts that were made at the same
    moment are passed without a word.
    """
    if not isinstance(slot.data, Act):
        return None
    if not slot.members or slot.members[0] not in state:
        return Refusal("left", "has left the fight", "SJ-006")
    if stats.resolved(state, slot):
        return Refusal("resolved", "", "SJ-A02")
    who, blow = slot.members[0], slot.data.blow
    if why := stats.unable(state[who]):
        return Refusal("unable", why, {"stunned": "SJ-039", "forced to move": "SJ-021"}.get(why, "SJ-006"))
    if blow is not None and not blow.meant and not stats.foes(state, who):
        return Refusal("no_foe", "no foe is standing", "SJ-005")
    return None
