"""Moving and standing: Run, Charge, Screen, Disengage, rising, Total Defense (SV-071 to SV-110, SV-177)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import RUSH, attack_fields, attack_of, misfit
from rulesets.sovereign.actions.fighting.harm import strike
from rulesets.sovereign.actions.fighting.opportunity import Cleared, near, provoke, provoke_field, provoked, walk
from rulesets.sovereign.actions.fighting.validity import log_lost, new_refusal, stop_lost
from rulesets.sovereign.actions.moving.paths import (
    arrived,
    can_step,
    charge,
    limit_of,
    path_fields,
    path_of,
    standing_at,
    unsaid,
    wrong_path,
)
from rulesets.sovereign.actions.payment import spent_for_good
from rulesets.sovereign.aftermath.wounds import Ward
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import at_hand
from rulesets.sovereign.stats.attack_outcomes import CHARGING, DISENGAGED, NEXT_TURN, PRONE, ROUND_END, TOTAL_DEFENSE
from rulesets.sovereign.stats.stats import block, friendly, friends, rules, screen_quota
from rulesets.without_number.actions import go_on_while_up, not_prone, prone_already
from rulesets.without_number.stats import MODIFIERS, grappling
from rulesets.without_number.turn import BOTH, FREE, MAIN, MOVE, move_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType, Budget
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import number, square, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.kit.squares.grid import FEET
from tracker.kit.squares.paths import cost_of

MOVE_LEFT = "move_left"


# -- Run ---------------------------------------------------------------------------------------------------------------


def kept_feet(state: State, who: Id) -> int:
    """Return the feet a split Move has left now (R23).

    What is left is kept as feet walked upright; the prone crawl half of them.
    """
    left = state[who].fact(MOVE_LEFT)
    feet = left if rules(state).split_move and isinstance(left, int) else 0
    feet = feet // 2 if state[who].has("prone") else feet
    return feet if feet >= FEET else 0


def _run_price(state: State, action: Action) -> Budget:
    return FREE if action.by is not None and kept_feet(state, action.by) > 0 else MOVE


def run_limit(state: State, who: Id) -> int:
    """Return the feet of a Run now: a Move or the rest of one."""
    return kept_feet(state, who) or limit_of(state, who)


def _run_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (*path_fields(state, action, needed=True), *provoke_field(state, action))


def _run_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    limit = run_limit(state, who)
    if unsaid(state, action) and can_step(state, who, limit):
        return None  # the form asks where to
    wrong = wrong_path(state, action, limit)
    if wrong is None and field.on_grid(state, who) and not path_of(state, action, limit):
        return Refusal("no_path", "a Run goes at least one square", "SV-095")
    return wrong


def _run(ctx: Ctx, action: Action) -> None:
    """Run along a path, struck at by those left behind (SV-095, SV-096)."""
    who = str(action.by)
    limit = run_limit(ctx.state, who)
    rules_cited = ["SV-095", "SV-040", "SV-003", "SV-005", "SV-009", "SV-010"]
    if ctx.state[who].has("prone"):
        rules_cited.append("SV-110")
    if field.on_grid(ctx.state, who):
        path = path_of(ctx.state, action, limit)
        rules_cited += _ground_rules(ctx.state, who, path)
        _spend_feet(ctx, who, limit, path)
        walk(ctx, who, path, True, *rules_cited)
        return
    provoke(ctx, action, "SV-096")
    left = field.disengage_all(ctx, who)
    far = action.get("feet")
    _keep_rest(ctx, who, limit, number(action, "feet") if far is not None else limit)
    ctx.note(
        (f"moves {number(action, 'feet')} feet" if far is not None else f"moves up to {limit} feet") + left,
        *rules_cited,
        "SV-R32",
        about=who,
    )


def _ground_rules(state: State, who: Id, path: tuple[tuple[int, int], ...]) -> list[str]:
    """Return the rules a path makes use of."""
    ground, crowd = field.terrain(state), field.crowd(state, who)
    found = []
    if ground is not None and any(ground.ground(at) == "difficult" for at in path):
        found.append("SV-012")
    if any(at in crowd.slowing for at in path):
        found += ["SV-008", "SV-R21"]
    if any(at in crowd.taken for at in path[:-1]):
        found += ["SV-006", "SV-R45"]
    return found


def _spend_feet(ctx: Ctx, who: Id, limit: int, path: tuple[tuple[int, int], ...]) -> None:
    """Keep the rest of a Move that may be split (R23)."""
    ground, here = field.terrain(ctx.state), field.body(ctx.state, who)
    if ground is not None and here is not None:
        cost = cost_of(ground, field.crowd(ctx.state, who), here, path)
        _keep_rest(ctx, who, limit, cost if isinstance(cost, int) else limit)


def _keep_rest(ctx: Ctx, who: Id, limit: int, cost: int) -> None:
    """Keep the feet that are left of a Move, counted as if walked upright."""
    if rules(ctx.state).split_move:
        left = max(0, limit - cost) * (2 if ctx.state[who].has("prone") else 1)
        ctx.fact(who, MOVE_LEFT, left or None, "SV-R23")


# -- Charge ------------------------------------------------------------------------------------------------------------


def _charge_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    aimed = charge(state, action)
    attack = attack_fields(arrived(state, aimed), aimed, RUSH)
    target = replace(attack[0], default=aimed.get("target", attack[0].default))
    return (target, *path_fields(state, action, to=square(aimed, "to")), *attack[1:], *provoke_field(state, aimed))


def _charge_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    if grappling(state, who):
        return Refusal("grappled", f"{state.name(who)} cannot leave its place in a grapple", "SV-149")
    limit, action = limit_of(state, who, 2), charge(state, action)
    if field.on_grid(state, who):
        if not path_of(state, action, limit, straight=True):
            return Refusal("too_near", "a Charge covers at least 5 feet", "SV-074")
    elif action.get("feet") is not None and number(action, "feet") < FEET:
        return Refusal("too_near", "a Charge covers at least 5 feet", "SV-074")
    return wrong_path(state, action, limit, straight=True) or misfit(arrived(state, action), action, RUSH)


def _charge(ctx: Ctx, action: Action) -> None:
    """Rush in a straight line and strike (SV-071 to SV-077, R09).

    From now on one is easier to hit.
    """
    who, planned = str(action.by), misfit(arrived(ctx.state, action), action, RUSH)
    until = NEXT_TURN if rules(ctx.state).charge_penalty_until == "next_turn" else ROUND_END
    ctx.add_effect(CHARGING.on(who, who, until=until), "SV-075", "SV-R09", "SV-R03")
    provoke(ctx, action, "SV-076", "SV-077")
    path = path_of(ctx.state, action, limit_of(ctx.state, who, 2), straight=True)
    if field.on_grid(ctx.state, who):
        if wrong_path(ctx.state, action, limit_of(ctx.state, who, 2), straight=True) is not None:
            stop_lost(ctx, who, "the way is barred")
        walk(ctx, who, path, False, "SV-072", "SV-074")
    else:
        rushed = attack_of(ctx.state, action, RUSH)
        left = field.disengage_all(ctx, who, rushed.target if rushed is not None and at_hand(rushed.use) else None)
        ctx.note(
            (f"charges {number(action, 'feet')} feet" if number(action, "feet") else "charges") + left,
            "SV-072",
            "SV-074",
            "SV-R32",
            about=who,
        )
    spent_for_good(ctx, who, "move")
    attack = attack_of(ctx.state, action, RUSH)
    if attack is None:
        log_lost(ctx, who, "attack", f"{ctx.state.name(text(action, 'target'))} is gone")
    elif why := new_refusal(planned, misfit(ctx.state, action, RUSH)):
        log_lost(ctx, who, "attack", why)
    else:
        strike(ctx, replace(attack, extra=(Part("charge", MODIFIERS["charge"], "SV-073"),)))


# -- Screen an Ally ----------------------------------------------------------------------------------------------------


def _wards(state: State, who: Id) -> tuple[Option, ...]:
    sides = friends(state, who)
    return tuple(
        [
            Option(other.id, other.name)
            for other in state.combatants
            if other.id != who and other.side in sides and other.status not in ("dead", "gone")
        ]
    )


def _screen_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    wards = _wards(state, action.by)
    near_first = next(
        (option.key for option in wards if field.next_to(state, action.by, option.key)), wards[0].key if wards else None
    )
    return (
        Field("ward", "combatant", default=near_first, options=wards, required=True),
        *path_fields(state, action),
        *provoke_field(state, action, always=False),
    )  # fmt: skip - a table


def _screen_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    if screen_quota(state[who]).value < 1:
        return Refusal("unskilled", f"{state.name(who)} needs a combat skill of at least 1", "SV-084")
    wards = _wards(state, who)
    if not wards:
        return Refusal("nobody_to_screen", "there is nobody to screen", "SV-078", forcible=False)
    limit = limit_of(state, who)
    wrong = None if not _moves(state, action) else wrong_path(state, action, limit)
    ward = text(action, "ward") or next(
        (option.key for option in wards if field.next_to(state, who, option.key)), wards[0].key
    )
    if wrong is not None or not field.on_grid(state, who, ward if ward in state else who):
        return wrong
    path = path_of(state, action, limit)
    there = standing_at(state, who, path[-1]) if path else state
    if ward in state and not field.next_to(there, who, ward):
        return Refusal("not_adjacent", f"{state.name(who)} would not be adjacent to {state.name(ward)}", "SV-078")
    return None


def _moves(state: State, action: Action) -> bool:
    """Tell whether a Screen moves its screener."""
    if field.on_grid(state, str(action.by)):
        return bool(path_of(state, action, limit_of(state, str(action.by))))
    return number(action, "feet") > 0


def _screen(ctx: Ctx, action: Action) -> None:
    """Go beside an ally and block attacks on it until one's next turn (SV-078, SV-079)."""
    who, ward = str(action.by), text(action, "ward")
    go_on_while_up(ctx, who)
    path = path_of(ctx.state, action, limit_of(ctx.state, who))
    if path or (provoked(ctx.state, action) and not field.on_grid(ctx.state, who)):
        provoke(ctx, action, "SV-087")
    walk(ctx, who, path, False, "SV-078", "SV-040")
    if why := _unscreenable(ctx.state, who, ward):
        log_lost(ctx, who, "screen", why)
        return
    title = f"screens {ctx.state.name(ward)}"
    ctx.add_effect(
        Effect("screening", who, source=who, until=NEXT_TURN, data=Ward(ward), title=title),
        "SV-078",
        "SV-079",
        "SV-084",
        "SV-R10",
    )


def _unscreenable(state: State, who: Id, ward: Id) -> str:
    """Return why an ally cannot be screened from here any more, or ""."""
    if ward not in state or state[ward].status in ("dead", "gone"):
        return f"{state.name(ward)} is gone"
    if not friendly(state, who, ward):
        return f"{state.name(ward)} is no friend any more"
    if field.on_grid(state, who, ward) and not field.next_to(state, who, ward):
        return f"{state.name(ward)} is not adjacent"
    return ""


# -- Disengage, Stand Up, Go Prone -------------------------------------------------------------------------------------


def _disengage_price(state: State, action: Action) -> Budget:
    return FREE if action.by is not None and block(state[action.by]).features.disengage_free else MAIN


def _disengage(ctx: Ctx, action: Action) -> None:
    """Be clear of every adjacent melee attacker until the round ends (SV-099, SV-100).

    Nobody moves.
    """
    who = str(action.by)
    found = ("SV-099", "SV-100", "SV-R06", *(("SV-P15",) if block(ctx.state[who]).features.disengage_free else ()))
    ctx.add_effect(DISENGAGED.on(who, who, data=Cleared(near(ctx.state, who))), *found)


def _stand(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    provoke(ctx, action, "SV-108")
    ctx.end_named(who, "prone", "stands up", "SV-107")


def _stand_refusal(state: State, action: Action) -> Refusal | None:
    return not_prone(state, action, "SV-107")


def _fall_prone(ctx: Ctx, action: Action) -> None:
    who = str(action.by)
    ctx.add_effect(PRONE.on(who, who), "SV-109", "SV-110", "SV-043")


def _prone_refusal(state: State, action: Action) -> Refusal | None:
    return prone_already(state, action, "SV-109")


# -- Total Defense -----------------------------------------------------------------------------------------------------


def _defend(ctx: Ctx, action: Action) -> None:
    """Give up the Main for defence, also after an attack roll (SV-089, SV-177)."""
    who = str(action.by)
    after = ("SV-177",) if ctx.depth > 1 else ()
    ctx.add_effect(TOTAL_DEFENSE.on(who, who), "SV-089", "SV-038", *after)


def _pick_up_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (Field("item", "text", default=""), *provoke_field(state, action))


def _pick_up(ctx: Ctx, action: Action) -> None:
    provoke(ctx, action, "SV-106")
    ctx.note(f"picks up {text(action, 'item') or 'something'}; it is in hand", "SV-105", about=str(action.by))


ACTIONS = (
    ActionType(
        "charge",
        "Charge",
        "SV-071",
        "Main and Move",
        BOTH,
        "turn",
        _charge,
        _charge_fields,
        _charge_refusal,
        cites=("SV-071",),
    ),
    move_action("run", "Run", "SV-095", _run, _run_fields, _run_refusal, _run_price),
    move_action("screen", "Screen an Ally", "SV-078", _screen, _screen_fields, _screen_refusal),
    ActionType("disengage", "Disengage", "SV-099", "Main", _disengage_price, "turn", _disengage),
    move_action("stand_up", "Stand Up", "SV-107", _stand, provoke_field, _stand_refusal),
    ActionType("go_prone", "Go Prone", "SV-109", "Free", FREE, "turn", _fall_prone, refusal=_prone_refusal),
    move_action("pick_up", "Pick up an Item", "SV-105", _pick_up, _pick_up_fields, group="items"),
    ActionType("total_defense", "Total Defense", "SV-089", "Instant: Main", MAIN, "round", _defend),
)
