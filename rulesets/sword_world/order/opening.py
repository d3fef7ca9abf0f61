"""Before the first round: the field, a surprise attack, Monster Knowledge, Initiative.

SW-001 to SW-014, SW-168 to SW-176.
"""

from __future__ import annotations

from typing import cast

from rulesets.sword_world.blocks.canonical import StatBlock
from rulesets.sword_world.blocks.facts import Zone
from rulesets.sword_world.blocks.tables import (
    BAD_GROUND,
    RECOMMENDED,
    hide_penalty,
    starting_distance,
)
from rulesets.sword_world.numbers import stats
from rulesets.sword_world.numbers.checks import roll_total, stat_total
from rulesets.sword_world.numbers.effects import PRONE, SURPRISED
from rulesets.sword_world.order import zones
from rulesets.sword_world.order.budget import ECONOMY
from tracker.core.clock.joining import slug
from tracker.core.fight.events import Checked, Moved, OrderSet, PoolSet
from tracker.core.fight.state import FIGHT, Combatant, Id, Pool, Slot, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.encounter import Encounter
from tracker.kit import fields

__all__ = [
    "defenders",
    "distance_now",
    "end_knowledge",
    "enlist",
    "known_as",
    "monster_kind",
    "monster_knowledge",
    "open_fight",
    "roll_initiative",
    "rollers",
    "start_combat",
    "surprise_attempt",
    "to_find_out",
]  # fmt: skip - a plain list of names


def enlist(ctx: Ctx, newcomers: tuple[Id, ...]) -> None:
    """Give newcomers their HP and MP, what they have in hand, and their place."""
    for who in newcomers:
        combatant, own = ctx.state[who], stats.block(ctx.state, who)
        keys = stats.member(combatant)
        ctx.emit(PoolSet(who, None, Pool("hp", own.hp, own.hp, None)))
        ctx.emit(PoolSet(who, None, Pool("mp", own.mp, own.mp)), "SW-163")
        ECONOMY.empty(ctx, (who,))
        if keys.pos is not None:
            ctx.emit(Moved(who, None, (keys.pos,)))
        if combatant.kind == "character" and own.attacks:
            named = next((attack.name for attack in own.attacks if attack.name == keys.in_hand), own.attacks[0].name)
            ctx.fact(who, "hand", named, "SW-R46")
        if own.prone:
            ctx.add_effect(PRONE.on(who), "SW-060")


def open_fight(ctx: Ctx, encounter: Encounter) -> None:
    """Note the field, make the brawls that exist, and lay out the opening (4.1)."""
    field = stats.setup(ctx.state)
    metres = field.distance
    if metres is None:
        metres = starting_distance(field.space, field.moving, field.large_monster)
    ctx.fact(FIGHT, "distance", metres, "SW-003", "SW-005", "SW-006", "SW-007")
    _warn(ctx, metres)
    for row in field.known:
        for who in _found(ctx, row.who, "known"):
            for name in row.monsters:
                for kind in {monster_kind(one) for one in ctx.state.combatants if name.casefold() in _names(one)}:
                    ctx.fact(f"pair:{who}|{kind}", "knowledge", "known", "SW-009")
    for wanted in field.zones:
        fighters = [who for name in wanted.participants for who in _found(ctx, name, "a brawl")]
        if not fighters:
            continue
        key = zones.form_zone(ctx, fighters, radius=wanted.radius, capacity=wanted.capacity)
        held = cast(Zone, ctx.state.fact(key, "zone"))
        if stats.occupancy(ctx.state, held) > held.capacity:
            ctx.note(f"{zones.zone_name(ctx.state, key)} holds more than its capacity of {held.capacity}", "SW-075")
    slots = [Slot("r0/setup", "Set-up", "setup", turns="none", stage="opening")]
    if field.surprise:
        slots.append(Slot("r0/surprise", "Surprise attack", "surprise", turns="none", stage="opening"))
    slots.append(Slot("r0/knowledge", "Monster Knowledge", "knowledge", turns="none", stage="opening"))
    slots.append(Slot("r0/initiative", "Initiative", "initiative", turns="none", stage="opening"))
    ctx.emit(OrderSet(ctx.state.clock.slots, tuple(slots)), "SW-001", "SW-002", "SW-011")


def _names(combatant: Combatant) -> tuple[str, ...]:
    return tuple(
        name.casefold()
        for name in (combatant.id, combatant.name, combatant.ref, cast(StatBlock, combatant.block).name)
        if name
    )


def _found(ctx: Ctx, name: str, what: str) -> list[Id]:
    """Return the combatants a name of the set-up means, or warn of none."""
    found = _named(ctx.state, name)
    if not found:
        ctx.note(f'warning: {what} names "{name}", who is not in the fight', "SW-003")
    return found


def _named(state: State, name: str) -> list[Id]:
    """Return the combatant of this id or name."""
    exact = [one.id for one in state.combatants if name.casefold() in (one.id.casefold(), one.name.casefold())]
    return exact or [one.id for one in state.combatants if name.casefold() in _names(one)][:1]


def _warn(ctx: Ctx, metres: float | None) -> None:
    least, most = RECOMMENDED
    if metres is not None and not least <= metres <= most:
        ctx.note(f"warning: a starting distance of {metres:g} m is outside {least} to {most} m", "SW-004")


def distance_now(state: State) -> float | None:
    """Return the starting distance, if it is known."""
    held = state.fact(FIGHT, "distance")
    return float(held) if isinstance(held, int | float) else None


def start_combat(ctx: Ctx, action: Action) -> None:
    """Begin with the game master's word (SW-001)."""
    metres = action.get("distance")
    if isinstance(metres, int | float) and float(metres) != distance_now(ctx.state):
        ctx.fact(FIGHT, "distance", float(metres), "SW-003")
        _warn(ctx, float(metres))
    ctx.walk()


# -- surprise ----------------------------------------------------------------------------------------------------------


def defenders(state: State, camp_name: str) -> tuple[Combatant, ...]:
    """Return those who may notice a surprise attack."""
    return tuple(one for one in stats.members(state, stats.other(camp_name)) if stats.able(state, one.id))


def surprise_attempt(ctx: Ctx, action: Action) -> None:
    """Contest Hide with Danger Sense (SW-168 to SW-176, SW-R38, SW-R39).

    The lowest mover has to beat the highest defender.
    """
    camp_name = stats.camp(ctx.state, str(action.get("side")))
    chosen = action.get("movers")
    movers = [one.id for one in stats.members(ctx.state, camp_name) if isinstance(chosen, tuple) and one.id in chosen]
    ctx.fact(FIGHT, "surprise_tried", True, "SW-168")
    if not movers:
        ctx.note("the surprise attack is given up", "SW-174")
        _go_on(ctx)
        return
    metres = action.get("distance")
    penalty = hide_penalty(float(metres) if isinstance(metres, int | float) else None)
    ground, more = fields.number(action, "open_ground"), fields.number(action, "other_modifier")
    extra = (
        Part("distance", penalty, "SW-175"),
        Part("open ground", ground, "SW-R39"),
        Part("bad ground or noise", BAD_GROUND if action.get("bad_ground") is True else 0, "SW-175"),
        Part("other", more, "SW-176"),
    )
    hidden = {who: _against(ctx, who, "hide", extra) for who in movers}
    alert = {one.id: _against(ctx, one.id, "danger_sense", ()) for one in defenders(ctx.state, camp_name)}
    lowest, highest = (
        min(hidden, key=lambda who: hidden[who]),
        max(alert, key=lambda who: alert[who]) if alert else None,
    )
    won = highest is None or hidden[lowest] > alert[highest]
    best = 0 if highest is None else alert[highest]
    ctx.emit(
        Checked(
            "surprise attack",
            lowest,
            hidden[lowest],
            "success" if won else "failure",
            highest,
            against=best,
            against_what="Danger Sense",
        ),
        "SW-170",
        "SW-R38",
    )
    if won:
        ctx.fact(FIGHT, "leading", camp_name, "SW-172")
        for one in stats.members(ctx.state, stats.other(camp_name)):
            ctx.add_effect(
                SURPRISED.on(one.id),
                "SW-173",
                "SW-R08",
            )
    else:
        ctx.note("discovered: the fight begins with Initiative", "SW-174")
    _go_on(ctx)


def _go_on(ctx: Ctx) -> None:
    """Leave the slot of the surprise, or remove it after an attempt in set-up."""
    if ctx.state.clock.phase == "surprise":
        ctx.walk()
    else:
        slots = ctx.state.clock.slots
        kept = tuple(slot for slot in slots if slot.id != "r0/surprise")
        if kept != slots:
            ctx.emit(OrderSet(slots, kept), "SW-168")


def _against(ctx: Ctx, who: Id, stat: str, extra: tuple[Part, ...]) -> int:
    """Return a check of the contest, a monster's level without penalties (SW-171)."""
    if stats.is_monster(ctx.state[who]):
        level = stats.block(ctx.state, who).level
        ctx.emit(
            Checked(stat.replace("_", " "), who, level, "level", parts=(Part("level", level),)), "SW-171", "SW-R38"
        )
        return level
    total = stat_total(ctx, f"{stat}:{who}", who, stat, "SW-170", extra=extra)
    ctx.emit(
        Checked(stat.replace("_", " "), who, total.value, "", parts=total.parts),
        "SW-170",
        *(("SW-175", "SW-176") if extra else ()),
    )
    return total.value


# -- monster knowledge -------------------------------------------------------------------------------------------------


def monster_kind(combatant: Combatant) -> str:
    """Return a combatant's kind of monster: its stat block's id, or its name."""
    return combatant.ref or slug(cast(StatBlock, combatant.block).name)


def known_as(state: State, who: Id, kind: str) -> str:
    """Return what a character knows of a kind of monster: "", `failed`, `known` or `weakness`."""
    return str(state.fact(f"pair:{who}|{kind}", "knowledge", ""))


def to_find_out(state: State) -> tuple[tuple[Id, str], ...]:
    """Return the Monster Knowledge checks on offer (SW-009, SW-010, SW-R47).

    Every able character, with every kind of enemy monster that it has neither known nor tried.
    """
    found: list[tuple[Id, str]] = []
    for one in state.combatants:
        if one.kind == "character" and stats.able(state, one.id):
            foes = stats.members(state, stats.other(stats.camp_of(state, one.id)))
            kinds = dict.fromkeys(monster_kind(foe) for foe in foes if stats.is_monster(foe))
            found += [(one.id, kind) for kind in kinds if not known_as(state, one.id, kind)]
    return tuple(found)


def monster_knowledge(ctx: Ctx, action: Action) -> None:
    """Make one character's check on one kind of monster (SW-009, SW-010, SW-R47)."""
    who, kind = str(action.get("character")), str(action.get("monster"))
    shown = next(cast(StatBlock, one.block) for one in ctx.state.combatants if monster_kind(one) == kind)
    total = stat_total(ctx, "knowledge", who, "monster_knowledge", "SW-009", why=f"Monster Knowledge: {shown.name}")
    if shown.knowledge_target is None:
        options = ("failed", "known", "weakness")
        result = ctx.choose(
            "result", options, "SW-R47", who=who, why=f"{total.value} on Monster Knowledge: {shown.name}", to="gm"
        )
    elif shown.weakness_target is not None and total.value >= shown.weakness_target:
        result = "weakness"
    else:
        result = "known" if total.value >= shown.knowledge_target else "failed"
    rules = ("SW-009", "SW-010", "SW-R47")
    ctx.emit(
        Checked(
            "Monster Knowledge",
            who,
            total.value,
            result,
            parts=total.parts,
            against=shown.knowledge_target,
            against_what=shown.name,
        ),
        *rules,
    )
    ctx.fact(f"pair:{who}|{kind}", "knowledge", result, *rules)
    if not to_find_out(ctx.state):
        ctx.walk()


def end_knowledge(ctx: Ctx, action: Action) -> None:
    """Go on to Initiative, or past it after a surprise."""
    ctx.walk()


# -- initiative --------------------------------------------------------------------------------------------------------


def rollers(state: State) -> tuple[Combatant, ...]:
    """Return those who may make an Initiative check, PCs' camp first (SW-011, 4.4)."""
    return tuple(
        one for camp_name in ("pcs", "foes") for one in stats.members(state, camp_name) if stats.able(state, one.id)
    )


def roll_initiative(ctx: Ctx, action: Action) -> None:
    """Roll Initiative, and settle which side leads for the whole fight.

    SW-011 to SW-014, SW-R01 to SW-R04.
    """
    chosen = action.get("who")
    wanted = [one.id for one in rollers(ctx.state) if isinstance(chosen, tuple) and one.id in chosen]
    totals: dict[Id, int] = {}
    for who in wanted:
        stated = stats.fixed(ctx.state, who, "initiative")
        if stated is not None and action.get("roll_fixed") is True:
            own = stats.check_parts(ctx.state, who, "initiative", stats.block(ctx.state, who).initiative)
            total = roll_total(ctx, f"initiative:{who}", who, "initiative", own, "SW-011")
        else:
            total = stat_total(ctx, f"initiative:{who}", who, "initiative", "SW-011")
        totals[who] = total.value
        ctx.emit(
            Checked("Initiative", who, total.value, "", parts=total.parts),
            "SW-011",
            *(("SW-R48",) if total.natural is None else ()),
        )
    best = {
        camp_name: max(
            (value for who, value in totals.items() if stats.camp_of(ctx.state, who) == camp_name), default=None
        )
        for camp_name in ("pcs", "foes")
    }
    first, rules = _leader(ctx, best["pcs"], best["foes"], totals)
    name = "the PCs' side" if first == "pcs" else "the opposing side"
    ctx.emit(
        Checked("leading side", None, best["pcs"] or 0, name, against=best["foes"], against_what="the opponents' best"),
        *rules,
    )
    ctx.fact(FIGHT, "leading", first, *rules)
    ctx.walk()


def _leader(ctx: Ctx, pcs: int | None, foes: int | None, totals: dict[Id, int]) -> tuple[str, tuple[str, ...]]:
    """Return the leading camp and the rules that say so."""
    if pcs is None or foes is None:
        return ("pcs" if pcs is not None else "foes"), ("SW-013", "SW-R03")
    holders = [who for who, value in totals.items() if value == foes and stats.camp_of(ctx.state, who) == "foes"]
    contest = any(not stats.is_monster(ctx.state[who]) for who in holders)
    switches = stats.rules(ctx.state)
    if not contest:
        won = pcs > foes or (pcs == foes and switches.initiative_tie == "pcs")
        return ("pcs", ("SW-012", "SW-R01", "SW-R04")) if won else ("foes", ("SW-013", "SW-R01", "SW-R04"))
    rules = ("SW-014", "SW-R02", "SW-R03", "SW-R04")
    if pcs != foes:
        return ("pcs" if pcs > foes else "foes"), rules
    if switches.initiative_contest_tie == "ask":
        answer = ctx.choose(
            "tie",
            ("pcs", "opponents"),
            "SW-R02",
            default="opponents",
            why=f"both sides have {pcs}: who leads?",
            to="gm",
        )
        return ("pcs" if answer == "pcs" else "foes"), rules
    return ("pcs" if switches.initiative_contest_tie == "pcs" else "foes"), rules
