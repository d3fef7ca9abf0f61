"""What is on offer: declarations, the acts that are due, and what the GM does (section 6)."""

from __future__ import annotations

from rulesets.spelljammer.acts import deeds
from rulesets.spelljammer.acts.attack_form import attack_fields
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.order import declare, opening, schedule
from tracker.core.fight.state import Combatant, Id, Slot, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option, Refusal

__all__ = ["actions", "form", "perform", "policy"]

OWN = ("declare", "cast", "attack", "begin_spell", "other_act", "force_move")
GM = (
    "declare_defaults",
    "close_declarations",
    "resolve_ties",
    "forced_move",
    "engage",
    "disengage",
    "free_attack",
    "ambush",
    "move",
    "next",
)
KINDS = {"attack": "attack", "begin_spell": "spell", "other_act": "other"}
LABELS = {
    "attack": ("Attack", "SJ-032"),
    "begin_spell": ("Begin the spell", "SJ-062"),
    "other_act": ("Other act", "SJ-004"),
    "force_move": ("Drive back", "SJ-122"),
    "declare_defaults": ("Accept the defaults of a side", "SJ-001"),
    "close_declarations": ("Roll initiative", "SJ-002"),
    "resolve_ties": ("All acts of this segment", "SJ-A02"),
    "forced_move": ("Somebody is moved by force", "SJ-021"),
    "engage": ("In melee", "SJ-128"),
    "disengage": ("Out of melee", "SJ-129"),
    "free_attack": ("Free attack", "SJ-128"),
    "ambush": ("Ambush in this round", "SJ-055"),
    "move": ("Put an act on another segment", "SJ-004"),
    "next": ("Next", "SJ-001"),
}


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    """Return everything somebody can do or is refused; for None the GM's."""
    specs = (form(state, Action(key, by)) for key in (GM if by is None else OWN))
    return tuple(spec for spec in specs if spec is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the specification of an action as far as it is filled in; None: it is none of this game's."""
    if action.key not in (GM if action.by is None else OWN):
        return None
    if action.key in ("declare", "cast"):
        return (
            declare.form(state, action)
            if action.key == "declare" or stats.block(state, str(action.by)).spells
            else None
        )
    if action.key == "next" and (state.clock.phase != "declare" or state.clock.over):
        return None  # core's
    label, rule = LABELS[action.key]
    return ActionSpec(
        action.key,
        label,
        action.by,
        "",
        rule,
        _fields(state, action),
        _refusal(state, action),
        "game master" if action.by is None else "act",
    )


def _options(people: tuple[Combatant, ...]) -> tuple[Option, ...]:
    return tuple(Option(combatant.id, combatant.name) for combatant in people)


def _current(state: State, who: Id | None, kind: str) -> Slot | None:
    """Return the slot of this combatant's act that is due; where acts of a segment happen at once, any of them is."""
    current = state.clock.current
    due = (current, *schedule.tied(state)) if current is not None else ()
    return next(
        (
            slot
            for slot in due
            if (act := stats.act_of(slot)) is not None and act.kind == kind and slot.members[:1] == (who,)
        ),
        None,
    )


def _still(state: State) -> tuple[Combatant, ...]:
    return tuple(combatant for combatant in stats.standing(state) if combatant.has("no_movement"))


def _driven(state: State, who: Id) -> tuple[Combatant, ...]:
    return tuple(
        foe for foe in stats.standing(state) if foe.has("desperate_defense") and state[who].fact(f"drives:{foe.id}")
    )


def _movable(state: State) -> tuple[Slot, ...]:
    return tuple(slot for slot in state.clock.upcoming if stats.act_of(slot) is not None)


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    who, people = str(action.by), _options(stats.standing(state))
    match action.key:
        case "attack":
            act = stats.act_of(_current(state, who, "attack"))
            return attack_fields(state, action, act.blow if act is not None else None)
        case "other_act":
            return (Field("text", "text", "in words"),)
        case "force_move":
            targets = _options(_driven(state, who))
            feet = Field("distance", "number", "feet", 10, minimum=0, maximum=10)
            return (
                Field("target", "combatant", default=targets[0].key if targets else None, options=targets),
                feet,
                Field("text", "text", "where to"),
            )
        case "ambush":
            return (Field("victims", "combatants", required=True, options=people),)
        case "declare_defaults":
            sides = tuple(Option(side.id, side.name) for side in state.sides)
            foes = next((side.id for side in state.sides if side.control == "gm"), sides[0].key if sides else None)
            return (Field("side", "choice", default=foes, required=True, options=sides),)
        case "forced_move":
            still = _options(_still(state))
            return (Field("who", "combatant", default=still[0].key if still else None, options=still),)
        case "engage" | "disengage" | "free_attack":
            by = Field("who", "combatant", "by" if action.key == "free_attack" else "", required=True, options=people)
            target = Field(
                "target",
                "combatant",
                required=action.key != "disengage",
                options=people,
                note="" if action.key != "disengage" else "empty: everybody",
            )
            return by, target
        case "move":
            slots = tuple(Option(slot.id, f"{slot.segment}: {slot.title}") for slot in _movable(state))
            segment = state.clock.current.segment if state.clock.current is not None else None
            most = 30 if segment is None else max(schedule.LAST, segment)
            return (
                Field("slot", "choice", default=slots[0].key if slots else None, options=slots),
                Field("segment", "number", required=True, minimum=schedule.LAST, maximum=most),
            )
        case _:
            return ()


def _refusal(state: State, action: Action) -> Refusal | None:
    who, phase = action.by, state.clock.phase
    if state.clock.over and action.key not in ("engage", "disengage"):
        return Refusal("fight_over", "the fight is over", forcible=False)
    match action.key:
        case "attack" | "begin_spell" | "other_act":
            return _not_current(state, str(who), KINDS[action.key])
        case "force_move" if not _driven(state, str(who)):
            return Refusal(
                "no_melee_attack",
                "only after a melee attack on a desperate defender, once a round",
                "SJ-122",
                forcible=False,
            )
        case "forced_move" if not _still(state):
            return Refusal("nobody_stands_still", "nobody has declared no movement", "SJ-021", forcible=False)
        case "move" if not _movable(state):
            return Refusal("no_act", "no act is still to come in this round", "SJ-004", forcible=False)
        case "resolve_ties" if len(schedule.tied(state)) < 2:
            return Refusal("not_tied", "no acts happen at once here", "SJ-A02", forcible=False)
        case "engage" | "free_attack" if action.get("who") is not None and action.get("who") == action.get("target"):
            return Refusal("same_combatant", "that takes two", forcible=False)
        case "next":
            return Refusal(
                "undeclared", "the round would pass without an act: close the declarations instead", "SJ-002"
            )
        case "ambush" if phase != "declare" or any(stats.ambush_level(state, one.id) for one in state.combatants):
            return Refusal(
                "late_declaration",
                "an ambush comes before initiative is rolled, once a round",
                "SJ-055",
                forcible=False,
            )
        case "declare_defaults" if phase != "declare":
            return Refusal("late_declaration", "declarations are closed for this round", "SJ-001", forcible=False)
        case "close_declarations":
            if phase != "declare":
                return Refusal("late_declaration", "initiative has been rolled", "SJ-002", forcible=False)
            if waiting := declare.undeclared(state):
                names = ", ".join(combatant.name for combatant in waiting[:6])
                return Refusal("undeclared", f"still to declare: {names}", "SJ-001")
    return None


def _not_current(state: State, who: Id, kind: str) -> Refusal | None:
    if state[who].fact("covered") and state[who].fact("moves_from"):
        return Refusal("already_moved", f"{state.name(who)} has moved after its attacks", "SJ-081", forcible=False)
    slot = _current(state, who, kind)
    if slot is None or schedule.resolved(state, slot):
        return Refusal(
            "not_current", f"it is not the moment for this act of {state.name(who)}", "SJ-002", forcible=False
        )
    if why := stats.unable(state[who]):
        return Refusal("unable", f"{state.name(who)} is {why}", "SJ-039")
    return None


def perform(ctx: Ctx, action: Action) -> None:
    """Do an action whose form has been accepted."""
    who = str(action.by)
    match action.key:
        case "declare" | "cast":
            declare.declare(ctx, action)
        case "next":
            ctx.walk()
        case "ambush":
            victims = action.get("victims")
            caught = tuple(str(one) for one in victims) if isinstance(victims, tuple) else ()
            for one in caught:
                ctx.fact(one, "declaration", None, "SJ-055")
            opening.ambush(ctx, caught)
        case "declare_defaults":
            declare.declare_defaults(ctx, action)
        case "close_declarations":
            schedule.close_declarations(ctx, action)
        case "attack" | "begin_spell" | "other_act":
            slot = _current(ctx.state, who, KINDS[action.key])
            if ctx.depth == 1 and len(schedule.tied(ctx.state)) > 1:
                deeds.resolve_ties(ctx, action)
            elif slot is not None:
                deeds.act(ctx, action, slot)
        case "resolve_ties":
            deeds.resolve_ties(ctx)
        case "force_move":
            deeds.force_move(ctx, action)
        case "forced_move":
            deeds.forced_move(ctx, str(action.get("who")))
        case "move":
            segment = action.get("segment")
            schedule.move_act(ctx, str(action.get("slot")), int(segment) if isinstance(segment, int | float) else 0)
        case _:
            deeds.melee(ctx, action)


def policy(state: State, who: Id) -> Action:
    """Choose plainly: declare the default, resolve the act that is due."""
    if any(combatant.id == who for combatant in declare.undeclared(state)) and state.clock.phase == "declare":
        return Action("declare", who)
    return schedule.advance(state) or Action("next")
