"""The round: declarations close, initiative is rolled, and the acts stand on their segments (4.3 to 4.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulesets.spelljammer import stats
from rulesets.spelljammer.blocks import Spell
from rulesets.spelljammer.data import Act, Declaration, Parry
from rulesets.spelljammer.declare import attacks_left, attacks_lost, default, undeclared
from rulesets.spelljammer.tables import INITIATIVE_DICE, casting_time, multiple
from tracker.core import clock
from tracker.core.actions import Action
from tracker.core.ctx import Ctx
from tracker.core.derived import Part
from tracker.core.dice import Dice
from tracker.core.effects import Effect
from tracker.core.events import Checked, OrderSet
from tracker.core.moments import At
from tracker.core.state import Id, Slot, State

__all__ = ["D100", "add_tick", "advance", "close_declarations", "declare_defaults", "dex_roll", "duration", "open_round", "phase_of"]

D100 = Dice.of(1, 100)
LAST = -5
MOVING = ("half_then_act", "act_then_half", "run_then_act", "full", "run", "sprint", "fast_sprint")


def phase_of(segment: int) -> str:
    """Return the part of the round a segment lies in (SJ-024 to SJ-027)."""
    return "pre-movement" if segment > 10 else "movement" if segment >= 1 else "post-movement"


def open_round(ctx: Ctx) -> None:
    """Begin with the declarations; remember who is in melee now (4.3)."""
    for combatant in ctx.state.combatants:
        ctx.fact(combatant.id, "engaged_at_start", True if stats.engaged(ctx.state, combatant.id) else None, "SJ-091")
    number = ctx.state.clock.round
    ctx.emit(OrderSet(ctx.state.clock.slots, (*ctx.state.clock.slots, Slot(f"r{number}/declare", "Declarations", "declare", turns="none"))), "SJ-001")


def declare_defaults(ctx: Ctx, action: Action) -> None:
    """Accept the default for everybody of a side who has not declared."""
    for combatant in undeclared(ctx.state):
        if combatant.side == action.get("side"):
            ctx.fact(combatant.id, "declaration", default(ctx.state, combatant.id), "SJ-001", "SJ-003")
            ctx.fact(combatant.id, "carried", None, "SJ-030")
            ctx.fact(combatant.id, "allowance", stats.tmr(ctx.state, combatant.id), "SJ-071")


def close_declarations(ctx: Ctx, action: Action) -> None:
    """Roll initiative for every declared act, put the acts on their segments and go on to the first (4.5, SJ-002)."""
    for combatant in undeclared(ctx.state):
        ctx.fact(combatant.id, "declaration", Declaration(), "SJ-001")
    acts: list[Slot] = []
    for combatant in stats.standing(ctx.state):
        said = stats.declaration(ctx.state, combatant.id)
        if said is not None:
            _take_effect(ctx, combatant.id, said)
    for combatant in stats.standing(ctx.state):
        said = stats.declaration(ctx.state, combatant.id)
        if said is not None:
            acts += _initiative(ctx, combatant.id, said)
    ticks = _ticks(ctx.state)
    done = ctx.state.clock.slots
    ctx.emit(OrderSet(done, (*done, *_sorted(ctx.state, (*acts, *ticks)))), "SJ-002", "SJ-024")
    clock.walk(ctx)


def _take_effect(ctx: Ctx, who: Id, said: Declaration) -> None:
    """Let declared defences and the like hold until the round ends (4.4)."""
    end = (At("round_end"),)
    rank = stats.weapon(ctx.state, who, said.weapon).rank if said.weapon else 0
    if said.defend:
        ctx.add_effect(Effect("defending", who, until=end, data=Parry(said.defend // 2, said.defend)), "SJ-112", "SJ-113", "SJ-115", "SJ-116")
    if said.main == "full_defense":
        ctx.add_effect(Effect("full_defense", who, until=end, data=Parry(5 + -(-5 * rank // 2)), title="full defence"), "SJ-117", "SJ-120")
    if said.main == "desperate_defense":
        ctx.add_effect(Effect("desperate_defense", who, until=end, data=Parry(20 + -(-5 * rank // 2)), title="desperate defence"), "SJ-121", "SJ-124")
    if said.movement == "none":
        ctx.add_effect(Effect("no_movement", who, until=end), "SJ-016", "SJ-017")
    if said.careful_aim:
        carries = stats.rules(ctx.state).careful_aim_carries_over and stats.block(ctx.state, who).attacks < 2
        ctx.add_effect(Effect("careful_aim", who, until=(At("round_end", count=2 if carries else 1),)), "SJ-150", "SJ-151", "SJ-152", "SJ-153")
    if said.main == "hold":
        ctx.add_effect(Effect("held_action", who, until=(At("round_end", count=2),)), "SJ-031")


def _initiative(ctx: Ctx, who: Id, said: Declaration) -> list[Slot]:
    """Roll for one combatant in slot order and place its acts (SJ-009 to SJ-016, A-07 to A-09)."""
    n = stats.block(ctx.state, who).attacks
    for lost, rule in attacks_lost(n, said):
        ctx.skip(f"{lost} of {n} attacks", "given up by the declaration", rule, who=who)
    plans: list[tuple[Act, int]] = []
    match said.main:
        case "attack":
            plans = [(Act("attack", place, blow), 0) for place, blow in enumerate(said.blows[: attacks_left(n, said)], start=1)]
        case "retrieve_weapon":
            plans = _retrieve(ctx, who, said)
        case "other":
            plans = [(Act("other", text=said.text), 0)]
        case "cast":
            return _begin_casting(ctx, who, said)
    taken: list[int] = []
    slots: list[Slot] = []
    for act, extra in plans:
        segment = _segment(ctx, who, said, act.place, extra, taken)
        if segment is not None:
            taken.append(segment)
            slots.append(_slot(ctx.state, who, act, segment))
    if said.free_actions:
        ctx.note(f"{said.free_actions} free action(s) on segment {max(taken, default=10)}", "SJ-093", "SJ-094", "SJ-095", about=who)
    return slots


def _retrieve(ctx: Ctx, who: Id, said: Declaration) -> list[tuple[Act, int]]:
    """Roll DEX for a dropped weapon: 4x picks it up, 1x leaves one attack (SJ-126, SJ-127)."""
    ctx.add_effect(Effect("retrieving", who, until=(At("round_end"),)), "SJ-126")
    level = dex_roll(ctx, f"retrieve:{who}", who, 4, "retrieve the weapon", "SJ-126")
    if level > 4:
        return []
    ctx.note("the weapon is in hand", "SJ-126", about=who)
    if level > 1 or not said.blows:
        return []
    return [(Act("attack", 1, said.blows[0]), -5)]


def dex_roll(ctx: Ctx, key: str, who: Id, at_most: int, what: str, *rules: str, reaction: bool = False) -> int:
    """Roll against multiples of DEX; return the level, 5 for 5x or worse (A-01, A-19)."""
    dex = stats.dex(ctx.state, who)
    mod = 0 if reaction or not stats.rules(ctx.state).wound_mod_on_dex_rolls else stats.wound(ctx.state, who)[0]
    roll = ctx.roll(key, D100, *rules, who=who, why=f"{what}: DEX {dex}, {at_most}x is {at_most * dex + mod}")
    level = multiple(roll, dex, mod)
    parts = tuple(part for part in (Part("d100", roll, "SJ-A01"), Part("wounds", -mod, "SJ-A19")) if part.amount)
    result = f"{level}x" if level <= 4 else "5x or worse"
    ctx.emit(Checked(what, who, roll, result, parts=parts, against=at_most * dex + mod, against_what=f"{at_most}x DEX"), *rules, "SJ-A01")
    return level


def _segment(ctx: Ctx, who: Id, said: Declaration, place: int, extra: int, taken: Sequence[int]) -> int | None:
    """Roll one initiative die and return its segment; None: lost at -6 or later (SJ-014, SJ-028)."""
    block = stats.block(ctx.state, who)
    rules = {1: ("SJ-010", "SJ-012"), 2: ("SJ-010",)}.get(place, ("SJ-015",))
    die = INITIATIVE_DICE[place - 1] if place <= len(INITIATIVE_DICE) else 1
    key = f"initiative:{who}" if place == 1 else f"initiative:{who}#{place}"
    rolled = ctx.roll(key, Dice.of(1, die), "SJ-009", *rules, who=who, why=f"initiative of attack {place}") if die > 1 else 1
    parts = [Part(f"d{die}", rolled), Part("IM", block.im, "SJ-012"), *_modifiers(said), Part("weapon retrieved", extra, "SJ-127")]
    total = sum(part.amount for part in parts)
    segment = total
    arrival = _arrival(ctx.state, who, said)
    if arrival is not None and segment > arrival:
        segment = arrival
    while segment in taken:
        segment -= 1
    applied = ["SJ-011"] if segment != total and arrival is None else ["SJ-A08"] if segment != total else []
    result = "lost" if segment < LAST else f"segment {segment}"
    shown = tuple(part for number, part in enumerate(parts) if part.amount or not number)
    ctx.emit(Checked("initiative", who, total, result, parts=shown), *rules, *applied, *(["SJ-014", "SJ-028", "SJ-086"] if segment < LAST else ["SJ-013"]))
    if segment < LAST:
        ctx.skip(f"attack {place}", "its initiative is -6 or later", "SJ-014", "SJ-028", who=who)
        return None
    return segment


def _modifiers(said: Declaration) -> list[Part]:
    parts = [
        Part("half move", -5 if said.movement == "half_then_act" else 0, "SJ-073"),
        Part("run", -7 if said.movement == "run_then_act" else 0, "SJ-083"),
        Part("draw", -5 if said.draw else 0, "SJ-087"),
        Part("sheath", -5 if said.sheath else 0, "SJ-088"),
        Part("no movement", 3 if said.movement == "none" else 0, "SJ-016"),
    ]
    return [part for part in parts if part.amount]


def _arrival(state: State, who: Id, said: Declaration) -> int | None:
    """Return the segment on which somebody who moves first has arrived (A-08); None: it does not have to wait."""
    if said.movement not in ("half_then_act", "run_then_act") or not stats.rules(state).delay_attack_until_arrival:
        return None
    if said.distance is None:
        return 10
    allowance = state[who].fact("allowance")
    step = (float(allowance) if isinstance(allowance, int | float) else 0.0) / (20 if said.movement == "half_then_act" else 10)
    ticks = next((ticks for ticks in range(1, 11) if step * ticks >= said.distance - 1e-9), 10) if said.distance else 0
    return 11 - ticks if ticks else None


def duration(spell: Spell) -> int | None:
    """Return a spell's casting time in segments; None: a whole round."""
    if spell.casting_time == "round":
        return None
    if spell.casting_time is not None:
        return int(spell.casting_time)
    return casting_time(spell.type, spell.rank)


def _begin_casting(ctx: Ctx, who: Id, said: Declaration) -> list[Slot]:
    """Place the beginning of a spell; one that could not end in this round waits for 10 of the next (SJ-029 to SJ-031, SJ-062 to SJ-068)."""
    spell = stats.spell(ctx.state, who, said.spell)
    if spell is None:
        return []
    length, rules = duration(spell), ("SJ-062", "SJ-063") if spell.type == "cleric" else ("SJ-067", "SJ-068")
    held = ctx.state[who].effect("held_action")
    if said.carried or (length is None and held is not None):
        begins: int | None = 10
        if held is not None:
            ctx.end_effect(held, "used", "SJ-031")
    else:
        begins = _segment(ctx, who, said, 1, 0, ())
    if begins is None:
        return []
    if length is None and begins >= 10:
        begins = 10
    if (length is None and begins < 10) or (length is not None and begins - length < LAST):
        ctx.fact(who, "carried", said.spell, "SJ-029", "SJ-030", *(("SJ-031",) if length is None else ()))
        ctx.skip(said.spell, "it could not go off in this round and begins on 10 of the next", "SJ-030", who=who)
        return []
    return [_slot(ctx.state, who, Act("spell", spell=said.spell), begins, *rules)]


def _slot(state: State, who: Id, act: Act, segment: int, *rules: str) -> Slot:
    number, name = state.clock.round, state.name(who)
    what = f"{act.blow.weapon} at {state.name(act.blow.target)}" if act.blow else f"begins {act.spell}" if act.spell else act.text or "another act"
    key = f"r{number}/{who}/{act.kind}-{act.place}"
    return Slot(key, f"{name}: {what}", phase_of(segment), segment, (who,), state[who].side, info=act.kind, data=act)


def _ticks(state: State) -> list[Slot]:
    """Return the passing slots of movement, and of half-round jobs."""
    said = [declared for combatant in stats.standing(state) if (declared := stats.declaration(state, combatant.id))]
    segments: set[int] = set()
    if any(declared.movement in MOVING for declared in said):
        segments |= set(range(1, 11))
    if any(declared.ready_shield or declared.potion != "none" for declared in said):
        segments.add(stats.rules(state).half_round_segment)
    return [_tick(state, segment) for segment in sorted(segments)]


def _tick(state: State, segment: int) -> Slot:
    return Slot(f"r{state.clock.round}/s{segment}", f"segment {segment}", phase_of(segment), segment, stop=False, turns="none", info="tick")


def _sorted(state: State, slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Sort slots: down the segments; the passing one first, then higher IM, then file order (A-02)."""

    def rank(slot: Slot) -> tuple[int, ...]:
        segment = slot.segment if slot.segment is not None else 99
        if not slot.members:
            return -segment, 0
        who = slot.members[0]
        act = stats.act_of(slot)
        return -segment, 1, -stats.block(state, who).im, state.places[who], act.place if act else 0

    return tuple(sorted(slots, key=rank))


def add_tick(ctx: Ctx, segment: int) -> None:
    """See that the clock passes a segment that has not begun (a spell is due there)."""
    slots = ctx.state.clock.slots
    if any(slot.segment == segment and slot.info == "tick" for slot in slots):
        return
    begun = set(ctx.state.clock.begun)
    done = tuple(slot for slot in slots if slot.id in begun)
    coming = _sorted(ctx.state, (*(slot for slot in slots if slot.id not in begun), _tick(ctx.state, segment)))
    ctx.emit(OrderSet(slots, (*done, *coming)), "SJ-063")


def advance(state: State) -> Action | None:
    """Say what `n` does: take the foes' defaults, close the declarations, resolve the act that is due."""
    if state.clock.over:
        return Action("next") if state.clock.upcoming else None
    if state.clock.phase == "declare":
        waiting = undeclared(state)
        side = next((combatant.side for combatant in waiting if state.side(combatant.side).control == "gm"), None)
        if side is not None:
            return Action("declare_defaults", None, (("side", side),))
        return Action("close_declarations")
    slot = state.clock.current
    act = stats.act_of(slot)
    if slot is None or act is None or state.fact("fight", "resolved") == slot.id or stats.unable(state[slot.members[0]]):
        return Action("next")
    return Action({"attack": "attack", "spell": "begin_spell", "other": "other_act"}[act.kind], slot.members[0])
