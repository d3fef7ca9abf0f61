"""Declarations of a round, and the sensible default (4.4, section 6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from rulesets.spelljammer.stat_blocks.facts import Declaration, DeclaredAttack
from rulesets.spelljammer.stat_blocks.models import Creature
from rulesets.spelljammer.stats import stats
from rulesets.spelljammer.stats.costs import ONLY_MOVES, attacks_left, attacks_lost, extra_rules, legal
from tracker.core.fight.cache import per_object
from tracker.core.fight.events import ActionTaken
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, ActionSpec, Field, Option
from tracker.core.terms.values import Value

MAINS = ("attack", "cast", "full_defense", "desperate_defense", "retrieve_weapon", "hold", "other", "nothing")
MODES = ("free", "none", "half_then_act", "act_then_half", "run_then_act", "full", "run", "sprint", "fast_sprint")
MODE_LABELS = {
    "free": "free: 5 ft",
    "none": "no movement: +3 initiative, −20 DEF",
    "half_then_act": "half a move first",
    "act_then_half": "half a move after",
    "run_then_act": "a run first",
    "full": "full: 1× TMR",
    "run": "run: 2× TMR",
    "sprint": "sprint: 3× TMR",
}
MORE = "more"
MAIN_OPTIONS = tuple(Option(one) for one in MAINS)
UNMAGICAL_OPTIONS = tuple(Option(one) for one in MAINS if one != "cast")
CAST_OPTIONS = (Option("cast"),)
MODE_OPTIONS = tuple(Option(mode, MODE_LABELS.get(mode, "")) for mode in MODES)
DISTANCE = Field("distance", "number", minimum=0, note="feet; empty: the whole allowance")
WITHDRAW = Field("withdraw", "flag", "withdraw from melee")
HOW = (Field("offhand", "flag", "off hand"), Field("double_shots", "flag"))
EXTRAS = (
    Field("draw", "flag", "draw a weapon", page=MORE),
    Field("sheath", "flag", "sheath a weapon", page=MORE),
    Field("ready_shield", "flag", "ready the shield", page=MORE),
    Field(
        "potion",
        "choice",
        page=MORE,
        default="none",
        options=(Option("none"), Option("attacks", "for attacks"), Option("movement", "for movement")),
    ),
    Field("free_actions", "number", default=0, minimum=0, maximum=20, page=MORE),
    Field("text", "text", "in words", page=MORE),
)
"""What goes on beside the main act, on the second page of the form."""


def undeclared(state: State) -> tuple[Combatant, ...]:
    """Return those who have still to declare (SJ-001, SJ-059).

    The surprised of an ambush need not.
    """
    return tuple(
        one
        for one in stats.standing(state)
        if one.fact("declaration") is None and stats.ambush_level(state, one.id) < 3
    )


def default(state: State, who: Id) -> Declaration:
    """Return the pre-filled declaration.

    A spell carried over, the same as last round if that is possible, else an attack.
    """
    tried = (usual(state, who) for usual in (carried_over, _again, _plain))
    return next(
        (declared for declared in tried if declared is not None and legal(state, who, declared) is None), Declaration()
    )


def carried_over(state: State, who: Id) -> Declaration | None:
    """Return the declaration of a spell carried over from the round before (SJ-030).

    None: there is none, or it cannot begin.
    """
    spell = stats.waiting_spell(state[who])
    if not spell or stats.spell(state, who, spell) is None or stats.ambush_level(state, who) >= 2:
        return None
    return Declaration("cast", spell=spell)


def _plain(state: State, who: Id) -> Declaration | None:
    """Return a plain attack with everything a combatant has."""
    level = stats.ambush_level(state, who)
    if level >= 3 or not stats.foes(state, who):
        return None
    return Declaration("attack", _blows(state, who, 1 if level == 2 else stats.block(state, who).attacks))


def _again(state: State, who: Id) -> Declaration | None:
    """Return the last declaration fitted to this round, None where it says nothing for it."""
    last = state[who].fact("last")
    if not isinstance(last, Declaration) or not stats.foes(state, who):
        return None
    still = "none" if last.movement == "none" else "free"
    match last.main:
        case "attack" | "retrieve_weapon":
            same = Declaration(
                "attack", movement=still, defend=last.defend, weapon=last.weapon, careful_aim=last.careful_aim
            )
            return replace(
                same, blows=_blows(state, who, attacks_left(stats.block(state, who).attacks, same), last.blows)
            )
        case "hold":
            spells = [spell.name for spell in stats.block(state, who).spells if spell.casting_time == "round"]
            return Declaration("cast", spell=spells[0]) if spells else None
        case "cast" | "full_defense" | "desperate_defense":
            return Declaration(last.main, spell=last.spell, target=last.target, weapon=last.weapon, movement=still)
        case _:
            return None


def _blows(
    state: State, who: Id, count: int, last: tuple[DeclaredAttack, ...] = (), target: Id = "", weapon: str = ""
) -> tuple[DeclaredAttack, ...]:
    """Return attacks for every slot, the last one repeated.

    As in the round before, by a monster's routine, or with the preferred weapon. A monster that made fewer attacks goes
    on with its routine.
    """
    routine = tuple(DeclaredAttack(one.name, "", one.offhand) for one in stats.block(state, who).weapons)
    own_way = routine if state[who].kind == "monster" else routine[: 0 if last else 1]
    plan = (*last, *own_way[len(last) :])
    standing = set() if target else {foe.id for foe in stats.foes(state, who)}
    own, blows = "", []
    for place in range(count):
        blow = plan[min(place, len(plan) - 1)]
        aim = target or (blow.target if blow.target in standing else (own := own or _foe(state, who)))
        if aim:
            blows.append(DeclaredAttack(weapon or blow.weapon, aim, blow.offhand, blow.double_shots))
    return tuple(blows)


def _foe(state: State, who: Id) -> Id:
    """Return the foe in melee, else one by the combatant's own place.

    So a side spreads over its foes.
    """
    standing = [foe.id for foe in stats.foes(state, who)]
    if not standing:
        return ""
    place = [one.id for one in state.members(state[who].side)].index(who)
    return next((foe for foe in stats.engaged(state, who) if foe in standing), standing[place % len(standing)])


def read(action: Action) -> Declaration:
    """Return the declaration a filled-in form holds."""
    return _with_blows(_without_blows(action), action.rows("blows"))


def _with_blows(declared: Declaration, rows: Iterable[Mapping[str, Value]]) -> Declaration:
    blows = tuple(
        [
            DeclaredAttack(
                str(row["weapon"]), str(row["target"]), row.get("offhand") is True, row.get("double_shots") is True
            )
            for row in rows
            if row.get("weapon") and row.get("target")
        ]
    )
    if not blows:
        return declared
    made = blows if declared.main in ("attack", "retrieve_weapon", "full_defense", "desperate_defense") else ()
    return replace(declared, blows=made, weapon=declared.weapon or blows[0].weapon)


def _without_blows(action: Action) -> Declaration:
    """Return the declaration a filled-in form holds, but for its attacks."""
    values = dict(action.fields)
    main, distance, potion = str(values.get("main") or "nothing"), values.get("distance"), values.get("potion")
    return Declaration(
        main=main,
        spell=_text(values.get("spell")) if main == "cast" else "",
        target=_text(values.get("target")) if main == "cast" else "",
        weapon=_text(values.get("weapon")),
        movement=_text(values.get("movement")) or "free",
        distance=None if distance is None else fields.measure(action, "distance"),
        withdraw=values.get("withdraw") is True,
        defend=fields.whole(values.get("defend")),
        careful_aim=values.get("careful_aim") is True,
        draw=values.get("draw") is True,
        sheath=values.get("sheath") is True,
        ready_shield=values.get("ready_shield") is True,
        potion="attacks" if potion == "attacks" else "movement" if potion == "movement" else "none",
        free_actions=fields.whole(values.get("free_actions")),
        text=_text(values.get("text")),
    )


def _text(value: Value) -> str:
    return value if isinstance(value, str) else ""


@per_object
def _gear(block: Creature) -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """Return the weapons and the spells of a stat block, as they are offered."""
    weapons = tuple(Option(weapon.name, f"{weapon.name} SC {weapon.sc}") for weapon in block.weapons)
    return weapons, tuple(Option(spell.name, f"{spell.name} ({spell.type})") for spell in block.spells)


def form(state: State, action: Action) -> ActionSpec:
    """Return the declaration form of a combatant, pre-filled.

    A target or weapon typed there counts for every attack. `cast` is the same form with a spell in it, so that a
    caster's player has less to type.
    """
    who = str(action.by)
    block, usual = stats.block(state, who), default(state, who)
    if action.key == "cast":
        usual = Declaration("cast", spell=usual.spell or block.spells[0].name, movement=usual.movement)
    mains = CAST_OPTIONS if action.key == "cast" else MAIN_OPTIONS if block.spells else UNMAGICAL_OPTIONS
    goes = action.key == "declare" and action.get("movement") in ONLY_MOVES  # no act is possible with it
    main = str(action.get("main") or ("nothing" if goes else usual.main))
    weapons, spells = _gear(block)
    targets = stats.targets(state, who)
    movement = usual.movement if action.get("main") in (None, usual.main) else "free"
    if action.get("withdraw") is True and movement in ("free", "none"):  # SJ-128: it needs more than five feet
        movement = "full" if main == "nothing" else "half_then_act"
    extras, still = (
        usual if main == "attack" else Declaration(),
        (action.get("movement") or movement) in ("free", "none"),
    )
    held = usual.weapon or None if main not in ("cast", "hold", "other", "nothing") else None
    shown = [
        Field("main", "choice", default="nothing" if goes else usual.main, required=True, options=mains),
        Field("target", "combatant", options=targets, note="of every attack, or of the spell"),
    ]
    if spells:
        chosen = usual.spell or spells[0].key if main == "cast" else None
        shown.append(Field("spell", "choice", default=chosen, options=spells))
    shown += [
        Field(
            "movement",
            "choice",
            default=movement,
            required=True,
            options=MODE_OPTIONS,
        ),
        DISTANCE,
        WITHDRAW,
        Field("defend", "number", "SC given up for DEF", extras.defend, minimum=0, told=True),
        Field("careful_aim", "flag", default=extras.careful_aim and still, told=True),
        Field("weapon", "choice", default=held, options=weapons, note="of every attack, or of the defence"),
        *EXTRAS,
    ]
    columns = (
        Field("weapon", "choice", required=True, options=weapons, default=block.weapons[0].name),
        Field("target", "combatant", required=True, options=targets),
        *HOW,
    )
    filled = _filled(action, shown)
    declared = _without_blows(filled)
    rows = _rows(state, who, declared, str(filled.get("target") or ""), usual)
    shown.insert(3 if spells else 2, Field("blows", "rows", "attacks", rows, columns=columns))
    given = action.rows("blows") if action.get("blows") is not None else [dict(row) for row in rows]
    declared = _with_blows(declared, given)
    refusal, again = legal(state, who, declared), _as_before(state, who, declared)
    label, rule = ("Cast a spell", "SJ-003") if action.key == "cast" else ("Declare", "SJ-001")
    return ActionSpec(action.key, label, who, "the round", rule, tuple(shown), refusal, "declaration", again=again)


def _filled(action: Action, shown: list[Field]) -> Action:
    given = dict(action.fields)
    return Action(
        action.key,
        action.by,
        tuple((field.name, field.default if given.get(field.name) is None else given[field.name]) for field in shown),
    )


def _rows(
    state: State, who: Id, declared: Declaration, target: Id, usual: Declaration
) -> tuple[tuple[tuple[str, str | bool], ...], ...]:
    """Return the pre-filled attacks, as many as the rest of the declaration leaves."""
    if declared.main not in ("attack", "retrieve_weapon") or declared.movement in ONLY_MOVES:
        return ()
    most = 1 if declared.main == "retrieve_weapon" else attacks_left(stats.block(state, who).attacks, declared)
    if stats.ambush_level(state, who) == 2:
        most = min(1, most)
    weapon = declared.weapon if declared.weapon != usual.weapon else ""
    blows = _blows(state, who, most, usual.blows, target, weapon)
    return tuple([_row(blow) for blow in blows])


def _row(blow: DeclaredAttack) -> tuple[tuple[str, str | bool], ...]:
    return tuple([(name, getattr(blow, name)) for name in ("weapon", "target", "offhand", "double_shots")])


def declare(ctx: Ctx, action: Action) -> None:
    """Store a declaration in place of an earlier one (SJ-001 to SJ-003)."""
    who = str(action.by)
    before = stats.declaration(ctx.state, who)
    if before is not None:
        ctx.note(f"instead of {_words(ctx.state, before)}", "SJ-001", about=who)
    store(ctx, who, read(action))


def _words(state: State, declared: Declaration) -> str:
    """Return a declaration in a few words: `attack with mace on Gale Hawk 1`."""
    if declared.blows:
        blow = declared.blows[0]
        return f"{declared.main.replace('_', ' ')} with {blow.weapon} on {state.name(blow.target)}"
    if declared.spell:
        aim = f" on {state.name(declared.target)}" if declared.target else ""
        return f"cast {declared.spell}{aim}"
    return declared.text or declared.main.replace("_", " ")


def declare_defaults(ctx: Ctx, action: Action) -> None:
    """Accept the default for everybody of a side who has not declared."""
    waiting = [combatant.id for combatant in undeclared(ctx.state) if combatant.side == action.get("side")]
    for who, declared in [(who, default(ctx.state, who)) for who in waiting]:
        taken(ctx, who, declared)


def taken(ctx: Ctx, who: Id, declared: Declaration) -> None:
    """Store a default, and tell it like a declaration that was typed."""
    filled: dict[str, Value] = {
        "main": declared.main,
        "blows": tuple([_row(one) for one in declared.blows]),
        "movement": declared.movement,
        "defend": declared.defend,
        "careful_aim": declared.careful_aim,
        **({"spell": declared.spell} if declared.spell else {}),
        **({"target": declared.target} if declared.target else {}),
        **({"weapon": declared.weapon} if declared.weapon and declared.main != "attack" else {}),
    }
    ctx.emit(ActionTaken(Action("declare", who, tuple(sorted(filled.items()))), "Declare"), "SJ-001")
    store(ctx, who, declared)


def store(ctx: Ctx, who: Id, declared: Declaration) -> None:
    """Keep a declaration, and the movement allowance of this moment (4.4).

    Friends and the fallen are struck on purpose, if they are so at this moment.
    """
    declared = _aimed(ctx.state, who, declared)
    rules = [rule for _, rule in attacks_lost(stats.block(ctx.state, who).attacks, declared)]
    rules += {
        "half_then_act": ["SJ-071"],
        "run_then_act": ["SJ-082"],
        "act_then_half": ["SJ-075"],
        "none": ["SJ-016"],
    }.get(declared.movement, [])
    rules += [rule for holds, rule in extra_rules(declared) if holds]
    ctx.fact(who, "declaration", declared, *dict.fromkeys(("SJ-001", "SJ-003", *rules)))
    ctx.fact(who, "allowance", stats.tmr(ctx.state, who), "SJ-071", "SJ-A18")
    if not _as_before(ctx.state, who, declared):
        _tell(ctx, who, declared)


def _as_before(state: State, who: Id, declared: Declaration) -> bool:
    """Tell whether a declaration is that of the round before.

    In an attack every blow names its weapon.
    """
    last = state[who].fact("last")
    if not isinstance(last, Declaration) or last.main != declared.main:
        return False
    declared = _aimed(state, who, declared)
    if declared.main == "attack":
        last = replace(last, weapon=declared.weapon, blows=last.blows[: len(declared.blows)])
    return declared == last


def remembered(state: State, who: Id) -> Declaration | None:
    """Return what the next default repeats (section 6).

    A round with fewer attacks than the one before leaves the others as they were.
    """
    last, declared = state[who].fact("last"), stats.declaration(state, who)
    if declared is None or declared.main != "attack" or not isinstance(last, Declaration) or last.main != "attack":
        return declared
    return replace(declared, blows=(*declared.blows, *last.blows[len(declared.blows) :]))


def _aimed(state: State, who: Id, declared: Declaration) -> Declaration:
    """Return a declaration with the blows marked that strike on purpose whom no blow should."""
    blows = []
    for blow in declared.blows:
        meant = blow.target in state and stats.unlikely(state, who, blow.target)
        blows.append(blow if blow.meant is meant else replace(blow, meant=meant))
    return replace(declared, blows=tuple(blows))


def _tell(ctx: Ctx, who: Id, declared: Declaration) -> None:
    """Tell what a declaration costs and brings in numbers."""
    n = stats.block(ctx.state, who).attacks
    losses = attacks_lost(n, declared) if declared.main in ("attack", "cast", "other") else ()
    words = [f"{attacks_left(n, declared)} of {n} attacks"] if losses else []
    rules = [rule for _, rule in losses]
    if declared.main in stats.GUARDS:
        rank = stats.weapon(ctx.state, who, declared.weapon or stats.block(ctx.state, who).weapons[0].name).rank
        words.append(f"DEF +{stats.guard_bonus(declared.main, rank)}")
        rules.append("SJ-117" if declared.main == "full_defense" else "SJ-121")
    if declared.defend:
        words.append(f"DEF +{declared.defend // 2}")
        rules.append("SJ-112")
    if words:
        ctx.note(", ".join(words), *rules, about=who)
