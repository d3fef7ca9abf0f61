"""What is on offer: declarations, the acts that are due, and what the GM does (section 6)."""

from __future__ import annotations

from typing import Literal, cast

from rulesets.spelljammer import declare, schedule, stats
from rulesets.spelljammer.data import Casting
from rulesets.spelljammer.segments import last_attack_done
from rulesets.spelljammer.strike import Options, engage, interrupt, strike, usual_movement
from rulesets.spelljammer.tables import LIGHTING, MOVEMENT, multiple
from tracker.core import clock
from tracker.core.actions import Action, ActionSpec, Field, Option, Refusal
from tracker.core.ctx import Ctx
from tracker.core.derived import Part
from tracker.core.effects import Effect
from tracker.core.events import Checked
from tracker.core.moments import At
from tracker.core.state import Id, Slot, State

__all__ = ["actions", "form", "perform", "policy"]

OWN = ("declare", "attack", "begin_spell", "other_act", "force_move")
GM = ("declare_defaults", "close_declarations", "forced_move", "engage", "disengage", "free_strike")
LABELS = {
    "attack": ("Attack", "SJ-032"),
    "begin_spell": ("Begin the spell", "SJ-062"),
    "other_act": ("Other act", "SJ-004"),
    "force_move": ("Force to move", "SJ-122"),
    "declare_defaults": ("Accept the defaults of a side", "SJ-001"),
    "close_declarations": ("Roll initiative", "SJ-002"),
    "forced_move": ("Somebody is moved by force", "SJ-021"),
    "engage": ("In melee", "SJ-128"),
    "disengage": ("Out of melee", "SJ-129"),
    "free_strike": ("Free attack", "SJ-128"),
}


def actions(state: State, by: Id | None) -> tuple[ActionSpec, ...]:
    """Return everything somebody can do or is refused; for None the GM's."""
    specs = (form(state, Action(key, by)) for key in (GM if by is None else OWN))
    return tuple(spec for spec in specs if spec is not None)


def form(state: State, action: Action) -> ActionSpec | None:
    """Return the specification of an action as far as it is filled in; None: it is none of this game's."""
    if action.key not in (GM if action.by is None else OWN):
        return None
    if action.key == "declare":
        return declare.form(state, action)
    label, rule = LABELS[action.key]
    group = "game master" if action.by is None else "act"
    return ActionSpec(action.key, label, action.by, "", rule, _fields(state, action), _refusal(state, action), group)


def _people(state: State, standing: bool = True) -> tuple[Option, ...]:
    return tuple(Option(combatant.id, combatant.name) for combatant in (stats.standing(state) if standing else state.combatants))


def _current(state: State, who: Id | None, kind: str) -> Slot | None:
    """Return the slot of this combatant's act if it is the current one."""
    slot = state.clock.current
    act = stats.act_of(slot)
    return slot if slot is not None and act is not None and act.kind == kind and slot.members[:1] == (who,) else None


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    match action.key:
        case "attack":
            return _attack_fields(state, action)
        case "other_act":
            return (Field("text", "text", "in words"),)
        case "force_move":
            desperate = tuple(Option(foe.id, foe.name) for foe in stats.foes(state, who) if foe.has("desperate_defense"))
            return (
                Field("target", "combatant", required=True, options=desperate),
                Field("distance", "number", "feet", 10, minimum=0, maximum=10),
                Field("text", "text", "where to"),
            )
        case "declare_defaults":
            return (Field("side", "choice", required=True, options=tuple(Option(side.id, side.name) for side in state.sides)),)
        case "forced_move":
            still = tuple(Option(combatant.id, combatant.name) for combatant in stats.standing(state) if combatant.has("no_movement"))
            return (Field("who", "combatant", required=True, options=still),)
        case "engage" | "disengage":
            people = _people(state)
            return (Field("who", "combatant", required=True, options=people), Field("target", "combatant", required=action.key == "engage", options=people))
        case "free_strike":
            people = _people(state)
            return (Field("who", "combatant", "by", required=True, options=people), Field("target", "combatant", required=True, options=people))
        case _:
            return ()


def _attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    slot = _current(state, who, "attack")
    act = stats.act_of(slot)
    blow = act.blow if act is not None and act.blow is not None else None
    block = stats.block(state, who)
    aimed = blow.target if blow is not None and blow.target in state and not stats.down(state[blow.target]) else None
    target = str(action.get("target") or aimed or "")
    weapons = tuple(Option(weapon.name, f"{weapon.name} SC {weapon.sc}") for weapon in block.weapons)
    others = tuple(Option(combatant.id, combatant.name) for combatant in stats.standing(state) if combatant.id != who)
    moving = usual_movement(state, target) if target in state else "walking"
    return (
        Field("target", "combatant", default=aimed, options=others, note="empty: the declared one, or a new one is asked for"),
        Field("weapon", "choice", default=blow.weapon if blow else block.weapons[0].name, required=True, options=weapons),
        Field("offhand", "flag", "off hand", blow.offhand if blow else False),
        Field("surprise", "choice", default="none", options=(Option("none"), Option("in_combat"), Option("out_of_combat"))),
        Field("cover", "choice", default="none", options=(Option("none"), Option("soft"), Option("hard"))),
        Field("unseen", "choice", default="none", options=(Option("none"), Option("target"), Option("attacker"), Option("both"))),
        Field("lighting", "choice", default=stats.setup(state).lighting, options=tuple(Option(name) for name in LIGHTING)),
        Field("target_movement", "choice", default=moving, options=tuple(Option(name) for name in MOVEMENT)),
        Field("modifier", "number", default=0),
        Field("attackers", "number", "attackers of the target", minimum=1),
        Field("friends", "number", "friends in the melee", minimum=0),
        Field("opponents", "number", "foes in the melee", minimum=0),
        Field("instead", "text", "other act instead"),
    )


def _refusal(state: State, action: Action) -> Refusal | None:
    who, phase = action.by, state.clock.phase
    if state.clock.over and action.key not in ("engage", "disengage"):
        return Refusal("fight_over", "the fight is over", forcible=False)
    match action.key:
        case "attack" | "begin_spell" | "other_act":
            return _not_current(state, who, {"attack": "attack", "begin_spell": "spell", "other_act": "other"}[action.key])
        case "force_move":
            held = state[str(who)].fact("struck_desperate", ())
            if action.get("target") and action.get("target") not in (held if isinstance(held, tuple) else ()):
                return Refusal("no_melee_attack", "only after a melee attack on the desperate defender, once a round", "SJ-122")
        case "declare_defaults" if phase != "declare":
            return Refusal("late_declaration", "declarations are closed for this round", "SJ-001", forcible=False)
        case "close_declarations":
            if phase != "declare":
                return Refusal("late_declaration", "initiative has been rolled", "SJ-002", forcible=False)
            if waiting := declare.undeclared(state):
                names = ", ".join(combatant.name for combatant in waiting[:6])
                return Refusal("undeclared", f"still to declare: {names}", "SJ-001")
    return None


def _not_current(state: State, who: Id | None, kind: str) -> Refusal | None:
    slot = _current(state, who, kind)
    if who is not None and state[who].fact("covered") and state[who].fact("moves_from"):
        return Refusal("already_moved", f"{state.name(who)} has moved after its attacks", "SJ-081")
    if slot is None or state.fact("fight", "resolved") == slot.id:
        return Refusal("not_current", f"it is not the moment for this act of {state.name(who)}", "SJ-002", forcible=False)
    if who is not None and (why := stats.unable(state[who])):
        return Refusal("unable", f"{state.name(who)} is {why}", "SJ-039")
    return None


def perform(ctx: Ctx, action: Action) -> None:
    """Do an action whose form has been accepted."""
    match action.key:
        case "declare":
            declare.declare(ctx, action)
        case "declare_defaults":
            schedule.declare_defaults(ctx, action)
        case "close_declarations":
            schedule.close_declarations(ctx, action)
        case "attack":
            _attack(ctx, action)
        case "begin_spell":
            _begin_spell(ctx, action)
        case "other_act":
            ctx.note(f"other act: {action.get('text') or '-'}", "SJ-004", about=action.by)
            _done(ctx, str(action.by))
        case "force_move":
            _force_move(ctx, action)
        case "forced_move":
            _forced_move(ctx, str(action.get("who")))
        case "engage":
            engage(ctx, str(action.get("who")), str(action.get("target")))
        case "disengage":
            _disengage(ctx, str(action.get("who")), action.get("target"))
        case "free_strike":
            who = str(action.get("who"))
            strike(ctx, who, str(action.get("target")), stats.block(ctx.state, who).weapons[0], Options(free=True))


def _attack(ctx: Ctx, action: Action) -> None:
    """Resolve the attack that is due; with simultaneous ties, all acts of the segment (A-02)."""
    who = str(action.by)
    slot = ctx.state.clock.current
    if slot is None:
        return
    ctx.fact("fight", "resolved", slot.id, "SJ-002")
    if action.get("instead"):
        ctx.note(f"other act: {action.get('instead')}", "SJ-119", "SJ-123", about=who)
        _done(ctx, who)
        return
    target = _target(ctx, who, action)
    if target is not None:
        weapon = stats.weapon(ctx.state, who, str(action.get("weapon")))
        options = _options(action)
        if (parry := stats.parry(ctx.state[target])) and weapon.kind == "melee" and parry[0].name == "desperate_defense":
            held = ctx.state[who].fact("struck_desperate", ())
            ctx.fact(who, "struck_desperate", (*(held if isinstance(held, tuple) else ()), target), "SJ-122")
        strike(ctx, who, target, weapon, options)
    _done(ctx, who)


def _options(action: Action) -> Options:
    def number(name: str) -> int:
        value = action.get(name)
        return value if isinstance(value, int) else -1

    modifier = action.get("modifier")
    return Options(
        surprise=cast(Literal["none", "in_combat", "out_of_combat"], str(action.get("surprise"))),
        lighting=str(action.get("lighting") or ""),
        unseen=cast(Literal["none", "target", "attacker", "both"], str(action.get("unseen"))),
        cover=cast(Literal["none", "soft", "hard"], str(action.get("cover"))),
        target_movement=str(action.get("target_movement") or ""),
        attackers=number("attackers"),
        friends=number("friends"),
        opponents=number("opponents"),
        modifier=modifier if isinstance(modifier, int) else 0,
        offhand=action.get("offhand") is True,
    )


def _target(ctx: Ctx, who: Id, action: Action) -> Id | None:
    """Return the target, asking for a new one where the declared one is gone (SJ-004, SJ-005)."""
    chosen = action.get("target")
    if isinstance(chosen, str) and chosen in ctx.state and not stats.down(ctx.state[chosen]):
        return chosen
    foes = stats.foes(ctx.state, who)
    if not foes:
        ctx.skip("the attack", "no foe is standing", "SJ-005", who=who)
        return None
    engaged = stats.engaged(ctx.state, who)
    default = next((foe.id for foe in foes if foe.id in engaged), foes[0].id)
    options = [Option(foe.id, foe.name) for foe in foes] + [Option("none", "nobody: the attack is wasted")]
    answer = ctx.choose("target", options, "SJ-004", "SJ-005", default=default, who=who, why="the declared foe is gone: at whom?")
    return None if answer == "none" else answer


def _begin_spell(ctx: Ctx, action: Action) -> None:
    """Begin casting: from now on the caster does not dodge (SJ-065, SJ-069, SJ-178)."""
    who = str(action.by)
    slot = ctx.state.clock.current
    act = stats.act_of(slot)
    spell = stats.spell(ctx.state, who, act.spell) if act is not None else None
    if slot is None or slot.segment is None or spell is None:
        return
    ctx.fact("fight", "resolved", slot.id, "SJ-002")
    length = schedule.duration(spell)
    due = -5 if length is None else slot.segment - length
    rules = ("SJ-062", "SJ-065") if spell.type == "cleric" else ("SJ-067", "SJ-068", "SJ-069")
    whole = ("SJ-031", "SJ-A12") if length is None else ()
    effect = Effect("casting", who, until=(At("round_end"),), data=Casting(spell.name, due), title=f"casting {spell.name}, goes off on {due}")
    ctx.add_effect(effect, *rules, "SJ-178", *whole)
    schedule.add_tick(ctx, due)
    _done(ctx, who)


def _done(ctx: Ctx, who: Id) -> None:
    """Settle attack and move, then go on to the next act."""
    slot = ctx.state.clock.current
    if slot is None:
        return
    ctx.fact("fight", "resolved", slot.id, "SJ-002")
    ctx.settle()
    last_attack_done(ctx, who, slot)
    if ctx.depth == 1:
        clock.walk(ctx)


def _force_move(ctx: Ctx, action: Action) -> None:
    who, target = str(action.by), str(action.get("target"))
    held = ctx.state[who].fact("struck_desperate", ())
    ctx.fact(who, "struck_desperate", tuple(other for other in (held if isinstance(held, tuple) else ()) if other != target), "SJ-122")
    ctx.note(f"{ctx.state.name(target)} is driven {action.get('distance')} ft: {action.get('text') or '-'}", "SJ-122", about=target)


def _forced_move(ctx: Ctx, who: Id) -> None:
    """Somebody who declared no movement is moved all the same (SJ-021 to SJ-023)."""
    ctx.fact(who, "lost_acts", True, "SJ-021")
    interrupt(ctx, who, "forced to move", "SJ-023")
    dex = stats.dex(ctx.state, who)
    roll = ctx.roll(f"stay_up:{who}", schedule.D100, "SJ-022", who=who, why=f"stay up: {2 * dex} or less")
    stays = multiple(roll, dex) <= 2
    ctx.emit(Checked("stay up", who, roll, "stays up" if stays else "falls", parts=(Part("d100", roll),), against=2 * dex, against_what="2x DEX"), "SJ-022")
    if not stays:
        ctx.add_effect(Effect("fallen", who, stacking="keep"), "SJ-022")


def _disengage(ctx: Ctx, who: Id, target: object) -> None:
    gone = {stats.pair(who, target)} if isinstance(target, str) else {pair for pair in stats.engaged_pairs(ctx.state) if who in pair.split("|")}
    ctx.fact("fight", "engaged", tuple(pair for pair in stats.engaged_pairs(ctx.state) if pair not in gone), "SJ-129")


def policy(state: State, who: Id) -> Action:
    """Choose plainly: declare the default, resolve the act that is due."""
    return schedule.advance(state) or Action("next")
