"""Moving: Run, Charge, Screen an Ally, Fighting Withdrawal, rising and falling, Total Defense."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from rulesets.without_number.actions import not_prone, prone_already
from rulesets.without_number.stats import MODIFIERS, grappling
from rulesets.without_number.turn import BOTH, FREE, MAIN, main_action, move_action
from rulesets.worlds_without_number.actions.care.items import pick_up_all
from rulesets.worlds_without_number.actions.fighting import weapons
from rulesets.worlds_without_number.actions.fighting.strike import strike
from rulesets.worlds_without_number.actions.fighting.strikes import RUSH, begin, described
from rulesets.worlds_without_number.actions.fighting.weapons import attack_fields, misfit
from rulesets.worlds_without_number.actions.validity import lapses, standing
from rulesets.worlds_without_number.aftermath.wounds import Ward
from rulesets.worlds_without_number.stats.attack import Attack
from rulesets.worlds_without_number.stats.effects import CHARGING, NEXT_TURN, PRONE, TOTAL_DEFENSE, WITHDRAWN
from rulesets.worlds_without_number.stats.stats import allies, combat_skill, enemies, hostile, movement
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import number, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.actions import action as act
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal

LEAST_CHARGE = 10


def _distance(default: int | None = None, required: bool = False) -> Field:
    return Field("distance", "number", "feet", default=default, minimum=0, required=required)


def _leaving(state: State, who: Id | None, default: tuple[Id, ...] = ()) -> Field:
    foes = (
        ()
        if who is None
        else tuple(Option(other.id, other.name) for other in enemies(state, who) if other.status == "up")
    )
    return Field("leaving", "combatants", "leaving the melee of", default=default, options=foes)


def _too_far(state: State, action: Action, times: int, rule: str) -> Refusal | None:
    """Return why a typed distance is too far (WN-031, WN-096)."""
    if action.by is None or action.get("distance") is None:
        return None
    most = movement(state[action.by]).value * times
    if number(action, "distance") > most:
        return Refusal("too_far", f"{state.name(action.by)} can move {most} feet at most", rule)
    return None


def _free_attacks(ctx: Ctx, action: Action) -> None:
    """Let those left behind strike first, in file order (WN-080, R16).

    A mover that drops stays where it is.
    """
    who, leaving = str(action.by), action.get("leaving")
    named = leaving if isinstance(leaving, tuple) else ()
    for other in [combatant.id for combatant in ctx.state.combatants if combatant.id in named]:
        blow = act("free_attack", other, target=who)
        hindrance = ctx.refusal_of(blow)
        if hindrance is not None and ctx.state[who].status in ("dead", "gone"):
            ctx.stop(hindrance.text)
        if hostile(ctx.state, who, other) and weapons.can_strike_freely(ctx.state, other):
            ctx.perform(blow, f"free:{other}")
        else:
            ctx.skip("free attack", f"{ctx.state.name(other)} cannot make one", "WN-080", who=other)


def _moved(ctx: Ctx, who: Id, action: Action, *rules: str, to: Id | None = None) -> None:
    """Leave the melee, but that with the target of a Charge, and say how far it goes."""
    left = [other for other in weapons.engaged(ctx.state, who) if other != to and hostile(ctx.state, who, other)]
    met = [ctx.state.name(other) for other in left]
    weapons.leave(ctx, who, to)
    far = action.get("distance")
    words = f"up to {movement(ctx.state[who]).value} feet" if far is None else f"{number(action, 'distance')} feet"
    away = f", out of the melee with {' and '.join(met)}" if met else ""
    ctx.note(f"moves {words}{away}", *rules, *(("WN-096",) if ctx.state[who].has("prone") else ()), about=who)


def _run_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = action.by
    met: tuple[Id, ...] = ()
    if who is not None and not state[who].has("withdrawn"):
        met = tuple(
            other
            for other in weapons.engaged(state, who)
            if hostile(state, who, other) and weapons.can_strike_freely(state, other)
        )
    return (_leaving(state, who, met), _distance())


def _run_refusal(state: State, action: Action) -> Refusal | None:
    return _too_far(state, action, 1, "WN-031")


def _run(ctx: Ctx, action: Action) -> None:
    """Run after free attacks, which ends a screen (WN-079 to WN-081, R26)."""
    who = str(action.by)
    if ctx.state[who].has("withdrawn"):
        ctx.note("provokes nobody", "WN-081", about=who)
    _free_attacks(ctx, action)
    _stop_screening(ctx, who)
    _moved(ctx, who, action, "WN-079", "WN-031")


def _stop_screening(ctx: Ctx, who: Id) -> None:
    ctx.end_named(who, "screening", "the screener moves on", "WN-R26")


def _charge_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (
        *attack_fields(state, action, RUSH)[:1],
        _distance(required=True),
        *attack_fields(state, action, RUSH)[1:],
        _leaving(state, action.by),
    )


def _charge_refusal(state: State, action: Action) -> Refusal | None:
    if action.get("distance") is not None and number(action, "distance") < LEAST_CHARGE:
        return Refusal("too_near", f"a Charge covers at least {LEAST_CHARGE} feet", "WN-063")
    return _too_far(state, action, 2, "WN-061") or misfit(state, action, RUSH)


def _charge(ctx: Ctx, action: Action) -> None:
    """Rush and strike (WN-060 to WN-064).

    From now to the end of the round one is easier to hit.
    """
    who = str(action.by)
    attack: Attack = replace(described(ctx, action, RUSH), extra=(Part("charge", MODIFIERS["charge"], "WN-062"),))
    ctx.add_effect(CHARGING.on(who, who), "WN-064")
    _free_attacks(ctx, action)
    _stop_screening(ctx, who)
    _moved(ctx, who, action, "WN-061", "WN-063", to=attack.target if attack.use == "melee" else None)
    begin(ctx, attack)
    strike(ctx, attack)


def _screen_fields(state: State, action: Action) -> tuple[Field, ...]:
    friends = (
        ()
        if action.by is None
        else tuple(Option(other.id, other.name) for other in allies(state, action.by) if other.status == "up")
    )
    return (
        Field("ward", "combatant", default=friends[0].key if friends else None, options=friends, required=True),
        _distance(),
        _leaving(state, action.by),
    )


def _screen_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    if combat_skill(state[action.by]).value < 1:
        return Refusal("unskilled", f"{state.name(action.by)} needs a combat skill of at least 1", "WN-072")
    if not any(other.status == "up" for other in allies(state, action.by)):
        return Refusal("nobody_to_screen", "there is nobody to screen", "WN-065", forcible=False)
    return _too_far(state, action, 1, "WN-065")


def _screen(ctx: Ctx, action: Action) -> None:
    """Go beside an ally and block attacks on it until one's next turn (WN-065, WN-066)."""
    who = str(action.by)
    _free_attacks(ctx, action)
    _stop_screening(ctx, who)
    weapons.leave(ctx, who)
    ward = text(action, "ward")
    if lapses(ctx, "screen", who, _unwardable(ctx.state, who, ward), "WN-R26"):
        return
    if action.get("distance") is not None:
        ctx.note(f"moves {number(action, 'distance')} feet", "WN-065", about=who)
    title = f"screens {ctx.state.name(ward)}"
    ctx.add_effect(
        Effect("screening", who, source=who, until=NEXT_TURN, data=Ward(ward), title=title), "WN-065", "WN-066"
    )


def _unwardable(state: State, who: Id, ward: Id) -> str:
    """Return why an ally cannot be screened any more."""
    return standing(state, ward) or (f"{state.name(ward)} is no ally by now" if hostile(state, who, ward) else "")


def _withdraw(ctx: Ctx, action: Action) -> None:
    """Disengage: going away provokes nothing for the rest of the round (WN-082, WN-083, R17)."""
    who = str(action.by)
    ctx.add_effect(WITHDRAWN.on(who, who), "WN-082", "WN-083")


def _stand(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    ctx.end_named(who, "prone", "", "WN-092")
    pick_up_all(ctx, who)


def _stand_refusal(state: State, action: Action) -> Refusal | None:
    return not_prone(state, action, "WN-092")


def _fall_prone(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    ctx.add_effect(PRONE.on(who, who), "WN-094", "WN-095", "WN-034", "WN-035")


def _prone_refusal(state: State, action: Action) -> Refusal | None:
    return prone_already(state, action, "WN-094")


def _defend(ctx: Ctx, action: Action) -> None:
    """Give up the Main for defence until the next turn (WN-075 to WN-077)."""
    who = str(action.by)
    ctx.add_effect(TOTAL_DEFENSE.on(who, who), "WN-075", "WN-076")


def _defend_refusal(state: State, action: Action) -> Refusal | None:
    if action.by is not None and state[action.by].has(TOTAL_DEFENSE.name):
        return Refusal("already", f"{state.name(action.by)} is in Total Defense already", "WN-R36")
    return None


def _still(refusal: Callable[[State, Action], Refusal | None]) -> Callable[[State, Action], Refusal | None]:
    """Add to a check that a grapple keeps one on the spot (WN-154)."""

    def check(state: State, action: Action) -> Refusal | None:
        if action.by is not None and grappling(state, action.by):
            return Refusal("grappled", f"{state.name(action.by)} cannot leave the spot in a grapple", "WN-154")
        return refusal(state, action)

    return check


ACTIONS = (
    ActionType(
        "charge", "Charge", "WN-060", "Main and Move", BOTH, "turn", _charge, _charge_fields, _still(_charge_refusal)
    ),
    move_action("run", "Run", "WN-079", _run, _run_fields, _still(_run_refusal)),
    move_action("screen", "Screen an Ally", "WN-065", _screen, _screen_fields, _still(_screen_refusal)),
    ActionType(
        "total_defense", "Total Defense", "WN-075", "Instant: Main", MAIN, "round", _defend, refusal=_defend_refusal
    ),
    main_action("fighting_withdrawal", "Fighting Withdrawal", "WN-082", _withdraw),
    move_action("stand_up", "Stand Up", "WN-092", _stand, refusal=_stand_refusal),
    ActionType("go_prone", "Go Prone", "WN-094", "On Turn", FREE, "turn", _fall_prone, refusal=_prone_refusal),
)
