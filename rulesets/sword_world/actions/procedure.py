"""The procedure and its forms: set-up, surprise, knowledge, Initiative, phases, spoils, the end (6.2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulesets.sword_world.actions.referee import collect_spoils, defeated
from rulesets.sword_world.fields import given
from rulesets.sword_world.order import initiative, opening, rounds
from rulesets.sword_world.stat_blocks.shorthand import hide_penalty
from rulesets.sword_world.stats import stats
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.errors import Refusal


def not_in(*phases: str) -> Callable[[State, Action], Refusal | None]:
    """Return what refuses an action outside some phases."""

    def refusal(state: State, action: Action) -> Refusal | None:
        return _elsewhere(state, *phases)

    return refusal


def _elsewhere(state: State, *phases: str) -> Refusal | None:
    if state.clock.phase in phases and state.clock.at is not None:
        return None
    return Refusal("not_now", f"only possible in this phase: {' or '.join(phases)}", forcible=False)


def start_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("distance", "number", "starting distance", default=opening.distance_now(state), minimum=0),)


def _all_of(people: tuple[Combatant, ...], name: str, label: str) -> Field:
    """Return a field that names all of some combatants unless others are named."""
    options = fields.options(people)
    return Field(name, "combatants", label, default=tuple(option.key for option in options), options=options)


def roll_fields(state: State, action: Action) -> tuple[Field, ...]:
    dice = Field("roll_fixed", "flag", "roll 2d in place of fixed values")
    return (_all_of(initiative.rollers(state), "who", "who rolls"), dice)


def spoils_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (_all_of(defeated(state), "monsters", "defeated"),)


def no_spoils(state: State, action: Action) -> Refusal | None:
    if refusal := _elsewhere(state, "spoils"):
        return refusal
    done = state.fact(FIGHT, "spoils_done")
    return Refusal("collected", "the spoils are collected", "SW-033", forcible=False) if done else None


def end_fight_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("reason", "text", default=rounds.finished(state) or ""),)


def no_fight(state: State, action: Action) -> Refusal | None:
    if state.clock.over:
        return Refusal("fight_over", "the fight is over already", forcible=False)
    return None if state.clock.round else Refusal("not_begun", "the fight has not begun", "SW-028")


def surprise_fields(state: State, action: Action) -> tuple[Field, ...]:
    sides = tuple(Option(side.id, side.name) for side in state.sides)
    named = stats.setup(state).surprise.casefold()
    usual = sides[0].key if sides else None
    wanted = next((side.id for side in state.sides if named in (side.id.casefold(), side.name.casefold())), usual)
    chosen = action.get("side") if action.get("side") is not None else wanted
    side = str(chosen) if any(option.key == chosen for option in sides) else usual or ""
    typed = given(action, "distance")
    metres = opening.distance_now(state) if typed is None else typed
    people = [one for one in stats.members(state, stats.camp(state, side)) if stats.able(state, one.id)] if side else []
    movers = fields.options(people, lambda one: _unreachable(state, one.id, metres))
    able = tuple(option.key for option in movers if option.refusal is None)
    note = f"Hide {hide_penalty(metres):+d}" if metres is not None else ""
    return (
        Field("side", "choice", default=wanted, options=sides, required=True),
        Field("movers", "combatants", "with", default=able, options=movers),
        Field("distance", "number", default=opening.distance_now(state), minimum=0, note=note),
        Field("open_ground", "number", "open ground (a penalty such as -2)", default=0, maximum=0),
        Field("bad_ground", "flag", "bad ground or risk of noise"),
        Field("other_modifier", "number", default=0),
    )


def no_surprise(state: State, action: Action) -> Refusal | None:
    if refusal := _elsewhere(state, "setup", "surprise"):
        return refusal
    tried = state.fact(FIGHT, "surprise_tried")
    return Refusal("tried", "a surprise attack has been tried", "SW-168", forcible=False) if tried else None


def _unreachable(state: State, who: Id, metres: float | None) -> Refusal | None:
    """Refuse a mover that the enemy is too far from (SW-169)."""
    limit = stats.move_limit(state, who, "normal")
    if metres is None or metres <= limit:
        return None
    return Refusal("too_far", f"{state.name(who)} reaches {limit} m, not {metres:g} m", "SW-169")


def _unknown(state: State) -> tuple[tuple[Id, str], ...]:
    return () if _elsewhere(state, "knowledge") else opening.to_find_out(state)


def knowledge_fields(state: State, action: Action) -> tuple[Field, ...]:
    pairs = _unknown(state)
    characters = tuple(Option(who, state.name(who)) for who in dict.fromkeys(who for who, _ in pairs))
    usual = characters[0].key if characters else None
    chosen = action.get("character") if action.get("character") is not None else usual
    names = {
        opening.monster_kind(one): one.name if one.ref == "" else stats.block(state, one.id).name
        for one in state.combatants
    }
    kinds = tuple(Option(kind, names[kind]) for who, kind in pairs if who == chosen)
    return (
        Field("character", "combatant", default=usual, options=characters, required=True),
        Field("monster", "choice", default=kinds[0].key if kinds else None, options=kinds, required=True),
    )


def all_knowledge_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (_all_of(tuple(state[who] for who in dict.fromkeys(who for who, _ in _unknown(state))), "who", "who tries"),)


def no_knowledge(state: State, action: Action) -> Refusal | None:
    if refusal := _elsewhere(state, "knowledge"):
        return refusal
    if _unknown(state):
        return None
    return Refusal("nothing_to_know", "every monster is known or has been tried", "SW-R47", forcible=False)


def pass_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("pass_remaining", "flag", "the others pass"),)


def turns_left(state: State, action: Action) -> Refusal | None:
    """Refuse to end a phase in an open turn, or while others can act."""
    clock, left = state.clock, stats.eligible(state)
    if refusal := _elsewhere(state, "leading", "following"):
        return refusal
    if clock.over:
        return Refusal("fight_over", "the fight is over", forcible=False)
    if clock.acting is not None and left:
        text = f"{state.name(clock.acting)}'s turn is open: end it first"
        return Refusal("turn_open", text, "SW-018", forcible=False)
    if not left or action.get("pass_remaining") is True:
        return None
    names = ", ".join(state.name(who) for who in left[:4]) + (" ..." if len(left) > 4 else "")
    text = f"{names} can still act: tick pass_remaining"
    return Refusal("turns_left", text, "SW-018", forcible=False, field="pass_remaining")


def end_phase_form(state: State, action: Action) -> ActionSpec:
    """Return the end of a phase: after the second one the round is over (SW-020, SW-022)."""
    rule = "SW-022" if state.clock.phase == "following" else "SW-020"
    fields, refusal = pass_fields(state, action), turns_left(state, action)
    return ActionSpec("end_phase", "End the phase", action.by, "", rule, fields, refusal, "procedure")


_step = partial(ActionType, group="procedure")

ACTIONS = (
    _step(
        "start_combat",
        "Start the combat",
        "SW-001",
        perform=opening.start_combat,
        fields=start_fields,
        refusal=not_in("setup"),
    ),
    _step(
        "surprise_attempt",
        "Attempt a surprise attack",
        "SW-168",
        perform=initiative.surprise_attempt,
        fields=surprise_fields,
        refusal=no_surprise,
    ),
    _step(
        "monster_knowledge",
        "Monster Knowledge check",
        "SW-009",
        perform=opening.monster_knowledge,
        fields=knowledge_fields,
        refusal=no_knowledge,
    ),
    _step(
        "all_knowledge",
        "All Monster Knowledge checks",
        "SW-009",
        perform=opening.all_knowledge,
        fields=all_knowledge_fields,
        refusal=no_knowledge,
    ),
    _step(
        "end_knowledge",
        "No more Monster Knowledge",
        "SW-009",
        perform=opening.end_knowledge,
        refusal=not_in("knowledge"),
    ),
    _step(
        "roll_initiative",
        "Roll Initiative",
        "SW-011",
        perform=initiative.roll_initiative,
        fields=roll_fields,
        refusal=not_in("initiative"),
    ),
    _step("end_phase", "End the phase", perform=rounds.pass_on, form=end_phase_form),
    _step(
        "collect_spoils",
        "Collect the spoils",
        "SW-034",
        perform=collect_spoils,
        fields=spoils_fields,
        refusal=no_spoils,
    ),
)
END_FIGHT = ActionType(
    "end_fight",
    "End the fight",
    "SW-029",
    perform=rounds.end_fight,
    fields=end_fight_fields,
    refusal=no_fight,
    group="game master",
)
