"""Declarations: what a combatant can state at the start of a round, what it costs, and the sensible default (4.4, section 6)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.spelljammer import stats
from rulesets.spelljammer.data import Blow, Declaration
from tracker.core.actions import Action, ActionSpec, Field, Option, Refusal
from tracker.core.ctx import Ctx
from tracker.core.state import Combatant, Id, State

__all__ = ["MODES", "attacks_left", "attacks_lost", "declare", "default", "fives", "form", "read", "undeclared"]

MAINS = ("attack", "cast", "full_defense", "desperate_defense", "retrieve_weapon", "hold", "other", "nothing")
MODES = ("free", "none", "half_then_act", "act_then_half", "run_then_act", "full", "run", "sprint", "fast_sprint")
ONLY_MOVES = {"full": 1.0, "run": 2.0, "sprint": 3.0, "fast_sprint": 4.0}
LONGEST = {"half_then_act": 0.5, "act_then_half": 0.5, "run_then_act": 1.0, **ONLY_MOVES}


def fives(said: Declaration) -> int:
    """Count what costs -5 initiative (SJ-089, A-36)."""
    return (said.movement == "half_then_act") + said.draw + said.sheath


def attacks_lost(n: int, said: Declaration) -> tuple[tuple[int, str], ...]:
    """Return the attacks a declaration costs, each with its rule."""
    losses = (
        (n // 2 if said.movement == "half_then_act" else 0, "SJ-072"),
        (n - max(1, n // 2) if said.movement == "run_then_act" else 0, "SJ-085"),
        ((n + 1) // 2 if said.ready_shield else 0, "SJ-090"),
        ((n + 1) // 2 if said.potion == "attacks" else 0, "SJ-092"),
        (1 if said.careful_aim else 0, "SJ-153"),
        (max(0, fives(said) - 1), "SJ-089"),
        (max(0, said.free_actions - 1), "SJ-096"),
    )
    return tuple(loss for loss in losses if loss[0])


def attacks_left(n: int, said: Declaration) -> int:
    """Return the attacks that are left of `n` (T-11)."""
    return max(0, n - sum(lost for lost, _ in attacks_lost(n, said)))


def undeclared(state: State) -> tuple[Combatant, ...]:
    """Return those who have still to declare (SJ-001)."""
    return tuple(combatant for combatant in stats.standing(state) if combatant.fact("declaration") is None)


def default(state: State, who: Id) -> Declaration:
    """Return the pre-filled declaration: a spell carried over, the same as last round, else an attack on the foe it is engaged with."""
    combatant = state[who]
    carried = combatant.fact("carried")
    if isinstance(carried, str):
        return Declaration(main="cast", spell=carried, carried=True)
    level = stats.ambush_level(state, who)
    if not state.clock.round and level >= 3:
        return Declaration()
    most = 1 if not state.clock.round and level == 2 else stats.block(state, who).attacks
    last = combatant.fact("last")
    foes = stats.foes(state, who)
    if isinstance(last, Declaration) and last.main in ("attack", "nothing") and foes:
        standing = {foe.id for foe in foes}
        kept = [blow if blow.target in standing else replace(blow, target=_foe(state, who)) for blow in last.blows]
        return replace(last, blows=tuple(kept[:most]), carried=False, draw=False, sheath=False, ready_shield=False, potion="none", free_actions=0)
    if not foes:
        return Declaration()
    routine = stats.block(state, who).weapons
    blows = tuple(Blow(routine[min(place, len(routine) - 1) if _is_routine(state, who) else 0].name, _foe(state, who)) for place in range(most))
    return Declaration(main="attack", blows=blows)


def _is_routine(state: State, who: Id) -> bool:
    return state[who].kind == "monster"


def _foe(state: State, who: Id) -> Id:
    standing = [foe.id for foe in stats.foes(state, who)]
    return next((foe for foe in stats.engaged(state, who) if foe in standing), standing[0])


def read(action: Action) -> Declaration:
    """Return the declaration a filled-in form holds."""
    blows = tuple(
        Blow(str(row["weapon"]), str(row["target"]), row.get("offhand") is True, row.get("double_shots") is True)
        for row in action.rows("blows")
        if row.get("weapon") and row.get("target")
    )
    distance, defend, free = action.get("distance"), action.get("defend"), action.get("free_actions")
    potion = action.get("potion")
    return Declaration(
        main=str(action.get("main") or "nothing"),
        blows=blows if action.get("main") in ("attack", "retrieve_weapon") else (),
        spell=str(action.get("spell") or ""),
        weapon=str(action.get("weapon") or ""),
        movement=str(action.get("movement") or "free"),
        distance=float(distance) if isinstance(distance, int | float) else None,
        withdraw=action.get("withdraw") is True,
        defend=defend if isinstance(defend, int) else 0,
        careful_aim=action.get("careful_aim") is True,
        draw=action.get("draw") is True,
        sheath=action.get("sheath") is True,
        ready_shield=action.get("ready_shield") is True,
        potion="attacks" if potion == "attacks" else "movement" if potion == "movement" else "none",
        free_actions=free if isinstance(free, int) else 0,
        text=str(action.get("text") or ""),
        carried=action.get("carried") is True,
    )


def form(state: State, action: Action) -> ActionSpec:
    """Return the declaration form of a combatant, pre-filled with its default."""
    who = str(action.by)
    usual = default(state, who)
    block = stats.block(state, who)
    weapons = tuple(Option(weapon.name, f"{weapon.name} SC {weapon.sc}") for weapon in block.weapons)
    targets = tuple(Option(combatant.id, combatant.name) for combatant in state.combatants if combatant.id != who and not stats.down(combatant))
    rows = tuple((("double_shots", blow.double_shots), ("offhand", blow.offhand), ("target", blow.target), ("weapon", blow.weapon)) for blow in usual.blows)
    spells = tuple(Option(spell.name, f"{spell.name} ({spell.type})") for spell in block.spells)
    columns = (
        Field("weapon", "choice", required=True, options=weapons, default=block.weapons[0].name),
        Field("target", "combatant", required=True, options=targets),
        Field("offhand", "flag", "off hand"),
        Field("double_shots", "flag"),
    )
    chosen = str(action.get("main") or usual.main)
    fields = [
        Field("main", "choice", default=usual.main, required=True, options=tuple(Option(main) for main in MAINS)),
        Field("blows", "rows", "attacks", rows if chosen in ("attack", "retrieve_weapon") else (), columns=columns),
        Field("movement", "choice", default=usual.movement, required=True, options=tuple(Option(mode) for mode in MODES)),
    ]
    if spells or usual.spell:
        fields.append(Field("spell", "choice", default=usual.spell or (spells[0].key if chosen == "cast" else None), options=spells))
    fields += [
        Field("weapon", "choice", "weapon of the defence", usual.weapon or block.weapons[0].name, weapons),
        Field("distance", "number", "feet", usual.distance, minimum=0),
        Field("withdraw", "flag", default=usual.withdraw),
        Field("defend", "number", "SC given up", usual.defend, minimum=0),
        Field("careful_aim", "flag", default=usual.careful_aim),
        Field("draw", "flag", "draw a weapon"),
        Field("sheath", "flag", "sheath a weapon"),
        Field("ready_shield", "flag", "ready the shield"),
        Field("potion", "choice", default="none", options=(Option("none"), Option("attacks", "paid with attacks"), Option("movement", "paid with movement"))),
        Field("free_actions", "number", default=0, minimum=0, maximum=20),
        Field("text", "text", "in words", usual.text),
        Field("carried", "flag", "carried over", usual.carried),
    ]
    given = dict(action.fields)
    filled = Action(action.key, who, tuple((field.name, field.default if given.get(field.name) is None else given[field.name]) for field in fields))
    return ActionSpec("declare", "Declare", who, "the round", "SJ-001", tuple(fields), _refusal(state, who, read(filled)), "declaration")


def _refusal(state: State, who: Id, said: Declaration) -> Refusal | None:
    """Return the first reason against a declaration, in the order of section 6."""
    combatant = state[who]
    if state.clock.phase != "declare":
        return Refusal("late_declaration", "declarations are closed for this round", "SJ-001")
    if stats.down(combatant):
        return Refusal("down", f"{combatant.name} is down", "SJ-001", forcible=False)
    return _ambushed(state, who, said) or _excluded(said) or _movement(state, who, said) or _extras(state, who, said) or _budget(state, who, said)


def _ambushed(state: State, who: Id, said: Declaration) -> Refusal | None:
    level, name = stats.ambush_level(state, who), state.name(who)
    if state.clock.round or level < 2 or said == Declaration():
        return None
    if level >= 3:
        return Refusal("ambushed", f"{name} does not see it coming", AMBUSH_RULES[level])
    extras = said.defend or said.careful_aim or said.draw or said.sheath or said.ready_shield or said.potion != "none" or said.free_actions
    one_act = said.main == "attack" and len(said.blows) <= 1 and said.movement == "free"
    only_moves = said.main == "nothing" and said.movement != "free"
    if extras or not (one_act or only_moves):
        return Refusal("ambushed", f"{name} may strike back once, or move, and nothing else", "SJ-058")
    return None


AMBUSH_RULES = {3: "SJ-059", 4: "SJ-060", 5: "SJ-061"}


def _excluded(said: Declaration) -> Refusal | None:
    extras = said.defend or said.careful_aim or said.draw or said.sheath or said.ready_shield or said.potion != "none" or said.free_actions
    if said.main == "desperate_defense" and (extras or said.movement != "free" or said.blows):
        return Refusal("desperate_excludes_all", "a desperate defence allows nothing else", "SJ-124")
    if said.main == "full_defense" and (said.defend or said.blows):
        return Refusal("defence_excludes_attack", "a full defence allows no attack and no other parrying", "SJ-118")
    return None


def _movement(state: State, who: Id, said: Declaration) -> Refusal | None:
    acts = said.main in ("attack", "cast", "retrieve_weapon", "other")
    if said.movement in ONLY_MOVES and acts:
        return Refusal("moving_excludes_attack", f"there is no acting with the movement {said.movement}", "SJ-071")
    if said.movement == "act_then_half" and said.main != "attack":
        return Refusal("no_attack", "attack and move needs an attack", "SJ-075")
    if said.withdraw and not stats.engaged(state, who):
        return Refusal("not_engaged", f"{state.name(who)} is in no melee", "SJ-128")
    allowance = stats.tmr(state, who) * LONGEST.get(said.movement, 0.0) * (0.5 if said.potion == "movement" else 1.0)
    if said.distance is not None and said.distance > (allowance if said.movement in LONGEST else 5.0 if said.movement == "free" else 0.0):
        return Refusal("distance", f"{said.distance:g} ft is too far: at most {allowance:g} ft", "SJ-071" if said.movement != "free" else "SJ-074")
    return None


def _extras(state: State, who: Id, said: Declaration) -> Refusal | None:
    block = stats.block(state, who)
    if said.defend:
        rank = stats.weapon(state, who, said.weapon).rank if said.weapon else 0
        if said.defend > 5 * rank:
            return Refusal("sacrifice_too_high", f"at most {5 * rank} SC can be given up with rank {rank}", "SJ-114")
    if said.careful_aim:
        if not any(stats.weapon(state, who, blow.weapon).kind == "ranged" for blow in said.blows):
            return Refusal("no_ranged_slot", "careful aim needs a ranged attack", "SJ-150")
        if said.movement not in ("free", "none"):
            return Refusal("not_standing_still", "careful aim needs standing still", "SJ-150")
        if block.attacks < 2 and not stats.rules(state).careful_aim_carries_over:
            return Refusal("aim_needs_two_attacks", "with one attack there is nothing left to shoot", "SJ-A22")
        if any(blow.double_shots for blow in said.blows):
            return Refusal("aim_double_shot", "careful aim and Double Shots exclude each other", "SJ-154")
    if said.ready_shield and stats.shield_ready(state, who):
        return Refusal("shield_already_ready", "the shield is ready", "SJ-090")
    if said.potion != "none" and state[who].fact("engaged_at_start"):
        return Refusal("in_melee", f"{state.name(who)} is in melee since the start of the round", "SJ-091")
    if said.potion == "movement" and said.movement not in ONLY_MOVES:
        return Refusal("potion_needs_movement", "paying with movement needs a round of movement only", "SJ-A29")
    return None


def _budget(state: State, who: Id, said: Declaration) -> Refusal | None:
    n = stats.block(state, who).attacks
    left = attacks_left(n, said)
    paid = attacks_left(n, replace(said, free_actions=0))
    if max(0, said.free_actions - 1) > paid or (said.main in ("cast", "other") and left < 1):
        return Refusal("no_action_left", "no action is left for that", "SJ-096" if said.free_actions > 1 else "SJ-089")
    if said.main == "cast" and stats.spell(state, who, said.spell) is None:
        return Refusal("no_spell", f"{state.name(who)} has no such spell", "SJ-062", forcible=False)
    if len(said.blows) > (left if said.main == "attack" else 1):
        return Refusal("too_many_attacks", f"{left} attacks are left, not {len(said.blows)}", _lost_rule(n, said))
    return None


def _lost_rule(n: int, said: Declaration) -> str:
    return next((rule for _, rule in attacks_lost(n, said)), "SJ-009")


def declare(ctx: Ctx, action: Action) -> None:
    """Store a declaration; it replaces an earlier one (SJ-001 to SJ-003)."""
    who = str(action.by)
    said = read(action)
    n = stats.block(ctx.state, who).attacks
    rules = [rule for _, rule in attacks_lost(n, said)]
    rules += ["SJ-087"] if said.draw else []
    rules += ["SJ-088"] if said.draw and said.sheath else []
    rules += {"half_then_act": ["SJ-071"], "run_then_act": ["SJ-082"], "act_then_half": ["SJ-075"], "none": ["SJ-016"]}.get(said.movement, [])
    rules += ["SJ-091"] if said.potion != "none" else []
    rules += ["SJ-093", "SJ-095"] if said.free_actions else []
    rules += ["SJ-150"] if said.careful_aim else []
    rules += ["SJ-120"] if said.main == "full_defense" else []
    rules += ["SJ-113"] if said.defend else []
    ctx.fact(who, "declaration", said, "SJ-001", "SJ-003", *rules)
    ctx.fact(who, "carried", None, "SJ-030")
    ctx.fact(who, "allowance", stats.tmr(ctx.state, who), "SJ-071")
