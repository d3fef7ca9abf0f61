"""Rounds: two phases, turns opened one at a time, and their edges (4.1 to 4.3, SW-015 to SW-032)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sword_world.order.opening import ECONOMY, to_find_out
from rulesets.sword_world.order.zones import dissolve, settle_zones
from rulesets.sword_world.stat_blocks.models import Ruled
from rulesets.sword_world.stats import stats
from tracker.core.clock import schedule
from tracker.core.fight.events import EffectChanged, OrderSet
from tracker.core.fight.slots import Id, Slot
from tracker.core.fight.state import FIGHT, State, condition_after
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.encounter import Condition, Member
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At, Boundary, who_anchor
from tracker.core.terms.words import named


def open_round(ctx: Ctx) -> None:
    """Lay out the leading party's phase and the following party's (SW-015 to SW-021)."""
    if not stats.leading(ctx.state):
        ctx.fact(FIGHT, "leading", "foes", "SW-013", "SW-R03")
    number, first = ctx.state.clock.round, stats.leading(ctx.state)
    slots = tuple(
        Slot(f"r{number}/{phase}", phase.capitalize() + " party", phase, turns="opened")
        for phase in ("leading", "following")  # fmt: skip - one slot each
    )
    ctx.emit(
        OrderSet(ctx.state.clock.slots, _filled(ctx.state, slots, first)),
        *("SW-015", "SW-016", "SW-017", "SW-019", "SW-020", "SW-027"),
    )


def _filled(state: State, slots: tuple[Slot, ...], first: str) -> tuple[Slot, ...]:
    """Return the slots with the members of their camps; a camp of one side is called by its name."""
    return tuple(
        _of_camp(state, slot, first if slot.phase == "leading" else stats.other(first))
        if slot.turns == "opened"
        else slot
        for slot in slots
    )


def _of_camp(state: State, slot: Slot, camp_name: str) -> Slot:
    members = tuple(one.id for one in stats.members(state, camp_name))
    sides = [side for side in state.sides if stats.camp(state, side.id) == camp_name]
    only = sides[0] if len(sides) == 1 else None
    title = (
        f"{slot.phase.capitalize()} party: {', '.join(side.name for side in sides)}"
        if sides
        else f"{slot.phase.capitalize()} party"
    )
    return replace(slot, members=members, side=only.id if only else None, title=title)


def _keep_slots(ctx: Ctx) -> None:
    state = ctx.state
    ended = set(state.clock.begun) - {state.clock.at}
    wanted = _filled(state, state.clock.slots, stats.leading(state))
    slots = tuple(was if was.id in ended else now for was, now in zip(state.clock.slots, wanted, strict=True))
    if slots != state.clock.slots:
        ctx.emit(OrderSet(state.clock.slots, slots), "SW-017", "SW-019")


def open_turn(ctx: Ctx, who: Id) -> None:
    """Start a combatant's turn: the edge, then a fresh budget (4.2, SW-038).

    A second turn by the GM's word has no edges of its own.
    """
    if not ctx.turn(who, "turn_start", "SW-019", "SW-021", "SW-065"):
        ctx.fact(who, "moved", None)
        ECONOMY.give(ctx, (who,), "SW-038")


def close_turn(ctx: Ctx, who: Id) -> None:
    """End a combatant's turn (SW-037)."""
    if not ctx.turn(who, "turn_end", "SW-037", "SW-065"):
        _end(ctx, who)


def pass_on(ctx: Ctx, action: Action) -> None:
    """End the open turn and the phase, with empty turns for the others (4.3, SW-018, SW-020, SW-022)."""
    if ctx.state.clock.acting is not None:
        close_turn(ctx, ctx.state.clock.acting)
    if idle := stats.eligible(ctx.state):
        names = [ctx.state.name(who) for who in idle]
        ctx.note(f"{named(names)} {'passes' if len(names) == 1 else 'pass'}", "SW-037")
    _miss_turns(ctx)
    ctx.walk()


def _miss_turns(ctx: Ctx) -> None:
    """End with the phase what waits for the turn of a member who cannot take it (SW-R09)."""
    slot, clock = ctx.state.clock.current, ctx.state.clock
    missing = () if slot is None else (who for who in slot.members if who not in clock.turned)
    unable = {who_anchor(who) for who in missing if not stats.able(ctx.state, who)}
    for effect in ctx.state.all_effects if unable else ():
        ends = (end for end in effect.until if isinstance(end, At) and end.edge == "turn_start" and end.count <= 1)
        held = ctx.state.effect(effect.bearer, effect.id)
        if held is not None and any(end.anchor in unable for end in ends):
            ctx.end_effect(held, "the turn cannot be taken", *filter(None, (effect.rule,)), "SW-R09")


def on_boundary(ctx: Ctx, boundary: Boundary) -> None:
    """Do what 4.2 says happens at an edge."""
    match boundary.edge:
        case "turn_start":
            for who in boundary.actors:
                _start(ctx, who)
        case "turn_end":
            ctx.expire()  # what lasts until the end of this turn ends before the permission lapses
            for who in boundary.actors:
                _end(ctx, who)
        case "round_end":
            reason = finished(ctx.state)
            if reason and not _reinforced(ctx.state):
                ctx.end_fight(reason, "SW-028", "SW-R40")
        case "combat_end":
            _wind_up(ctx)


def _start(ctx: Ctx, who: Id) -> None:
    """Turn a declared leaving into the permission, and fill the budget (SW-097, SW-R14)."""
    declared, acting = ctx.state[who].fact("leaving"), ctx.state.clock.acting == who
    if declared is not None:
        ctx.fact(who, "leaving", None, "SW-097", "SW-R14", *(() if stats.able(ctx.state, who) else ("SW-R09",)))
        if acting:
            ctx.fact(who, "leave_permission", declared, "SW-097", "SW-R14")
    ctx.fact(who, "moved", None)
    if acting:
        ECONOMY.give(ctx, (who,), "SW-038", "SW-050", "SW-056")


def _end(ctx: Ctx, who: Id) -> None:
    """Let an unused permission lapse and take the budget away (SW-R14)."""
    if ctx.state[who].facts:
        ctx.fact(who, "leave_permission", None, "SW-R14")
        ctx.fact(who, "moved", None)
    ECONOMY.empty(ctx, (who,))


def _reinforced(state: State) -> bool:
    """Tell whether a wave will still reinforce a beaten camp; then the fight goes on."""
    return any(
        wave.when
        and stats.camp(state, wave.side) in beaten(state)
        and any(side.id == wave.side for side in state.sides)
        for wave in state.waves
    )  # fmt: skip - one condition


def beaten(state: State) -> tuple[str, ...]:
    """Return the camps without an able combatant (SW-030, SW-R40)."""
    return tuple(
        camp_name
        for camp_name in ("pcs", "foes")
        if not any(one.status == "up" for one in stats.members(state, camp_name))
    )


def finished(state: State) -> str | None:
    """Return why the fight looks decided: a side without an able combatant (SW-030)."""
    found = beaten(state)
    if not found or state.clock.over:
        return None
    return f"no fighter of {' and '.join(stats.camp_title(state, name) for name in found)} can fight on"


def end_fight(ctx: Ctx, action: Action) -> None:
    """End the fight on the game master's word (SW-029, SW-030)."""
    ctx.end_fight(str(action.get("reason") or ""), "SW-029", "SW-030", "SW-R40")
    ctx.walk()


def _wind_up(ctx: Ctx) -> None:
    """End every effect but those the game master keeps, and dissolve the zones (SW-031, SW-032)."""
    kept = ctx.pick(
        "keep",
        lambda state: [Option(str(one.id), f"{one.shown} ({state.name(one.bearer)})") for one in state.all_effects],
        "SW-032",
        default=(),
        why="which effects stay?",
        to="gm",
        asked_if=lambda state: bool(state.all_effects),
    )
    for effect in ctx.state.all_effects:
        held = ctx.state.effect(effect.bearer, effect.id)
        if held is None:
            continue
        if str(effect.id) not in (kept or ()):
            ctx.end_effect(held, "the fight is over", "SW-031")
            continue
        until = tuple(end for end in held.until if not (isinstance(end, At) and end.edge == "combat_end"))
        if until != held.until:
            ctx.emit(EffectChanged(held, replace(held, until=until), "kept after the fight"), "SW-032")
    for key, _ in stats.zones(ctx.state):
        dissolve(ctx, key, "the fight is over", "SW-031")


def carry(state: State, who: Id, member: Member) -> Condition:
    """Carry HP, MP and the game master's rulings on them into the next fight.

    Those who fled or surrendered are there again.
    """
    return condition_after(
        state, who, ("prone",), {"fled": "up", "surrendered": "up"}, {"ruled": state[who].fact("ruled")}
    )


def close_fight(ctx: Ctx) -> None:
    """Stop once more for the spoils, and say who has earned xp (SW-033, SW-R37)."""
    for combatant in ctx.state.combatants:
        earned = combatant.fact("xp")
        if isinstance(earned, int):
            ctx.note(f"{earned} xp for automatic failures", "SW-127", "SW-R37", about=combatant.id)
    slots = ctx.state.clock.slots
    ctx.emit(OrderSet(slots, (*slots, Slot("end/spoils", "Spoils", "spoils", turns="none", stage="closing"))), "SW-033")


def settle(ctx: Ctx) -> None:
    """Settle status, zones, places, open turns and the flag of a decided fight (4.2)."""
    settle_status(ctx)
    settle_zones(ctx)
    _keep_slots(ctx)
    acting = ctx.state.clock.acting
    if acting is not None and stats.turn_of(ctx.state, acting) and not stats.able(ctx.state, acting):
        close_turn(ctx, acting)
    if ctx.state.clock.at is not None or ctx.state.clock.round:
        ctx.fact(FIGHT, "combat_decided", True if beaten(ctx.state) else None, "SW-030", "SW-R40")


def skip(state: State, slot: Slot) -> Refusal | None:
    """Return why the clock passes a slot: nothing to find out, Initiative won by surprise, or no able combatant."""
    if slot.phase == "knowledge" and not to_find_out(state):
        return Refusal("nothing_to_know", "every monster is known", "SW-009")
    if slot.phase == "initiative" and stats.leading(state):
        return Refusal("surprise", "Initiative is won by surprise", "SW-172")
    if slot.turns == "opened" and not any(stats.able(state, who) for who in slot.members):
        return Refusal("nobody_able", "no member can act", "SW-R09")
    return None


def advance(state: State) -> Action | None:
    """Return what `n` does: the next step of opening, turn, phase or spoils."""
    if schedule.finished(state):
        return None
    acting = state.clock.acting
    if acting is not None and stats.turn_of(state, acting) and stats.eligible(state):
        return Action("end_turn", acting)
    match state.clock.phase:
        case "setup":
            return Action("start_combat")
        case "surprise":
            return Action("surprise_attempt")
        case "knowledge":
            return Action("end_knowledge")
        case "initiative":
            return Action("roll_initiative")
        case "leading" | "following" if not state.clock.over:
            return Action("end_phase", fields=(("pass_remaining", bool(stats.eligible(state))),))
        case "spoils" if not state.fact(FIGHT, "spoils_done") and any(
            one.status in ("unconscious", "dead") for one in stats.members(state, "foes")
        ):
            return Action("collect_spoils")
        case _:
            return Action("next")


def is_down(state: State, who: Id) -> bool:
    """Tell whether a combatant's HP mean unconsciousness (SW-R33)."""
    limit = 0 if stats.rules(state).unconscious == "at_zero" else -1
    return state[who].hp <= limit


def fall(ctx: Ctx, who: Id, fresh: bool) -> None:
    """Make a combatant unconscious if its HP say so (SW-160, SW-R34).

    `fresh`: through damage, which may call for another Death Check.
    """
    combatant = ctx.state[who]
    if not is_down(ctx.state, who) or combatant.status not in ("up", "unconscious"):
        return
    newly = combatant.status == "up"
    if newly:
        ctx.fact(who, "ruled", None)
        ctx.status(who, "unconscious", "SW-160", "SW-R33")
    if (newly or fresh) and ctx.state[who].hp < 0 and stats.block(ctx.state, who).death_checks:
        if ctx.state[who].fact("death_check_due") is not True:
            ctx.note("a Death Check is due", "SW-160", "SW-R34", about=who)
        ctx.fact(who, "death_check_due", True, "SW-160", "SW-R34")


def settle_status(ctx: Ctx) -> None:
    for combatant in ctx.changed_since_settle("status", "pools", "facts"):
        if combatant.status not in ("up", "unconscious") or not combatant.has_pool("hp"):
            continue
        who, down, word = combatant.id, is_down(ctx.state, combatant.id), combatant.fact("ruled")
        ruled = word if isinstance(word, Ruled) else None
        if combatant.status == "up" and down and not (ruled and ruled.status == "up" and ruled.hp == combatant.hp):
            fall(ctx, who, fresh=False)
        elif (
            combatant.status == "unconscious"
            and not down
            and not (ruled and ruled.status == "unconscious" and combatant.hp <= ruled.hp)
        ):
            ctx.fact(who, "ruled", None)
            ctx.fact(who, "death_check_due", None, "SW-R42")
            ctx.status(who, "up", "SW-R42")
        elif ruled is not None and ruled.status == "up" and not down:
            ctx.fact(who, "ruled", None)
