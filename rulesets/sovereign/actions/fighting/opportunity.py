"""Attacks of Opportunity: who may strike at a mover, and where (4.5, R05, R06)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import MELEE, attack_fields, attack_of, misfit
from rulesets.sovereign.actions.fighting.harm import strike
from rulesets.sovereign.actions.fighting.validity import stop_lost
from rulesets.sovereign.actions.payment import spent_for_good
from rulesets.sovereign.stat_blocks.models import Arm
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack
from rulesets.sovereign.stats.stats import able, armed, enemies, free, hostile, reach_of, rules
from rulesets.without_number.actions import go_on_while_up
from rulesets.without_number.stats import grappling
from rulesets.without_number.turn import FREE
from tracker.core.fight.cache import per_state
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.actions import action as act
from tracker.core.terms.effects import Effect
from tracker.core.terms.errors import Refusal
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data
from tracker.core.terms.words import listed
from tracker.kit.squares.grid import Body, Square, distance
from tracker.kit.squares.paths import Fault, fault

USED = "aoo_used"
UNBOUND = 1_000_000


class Cleared(Struct, Data, frozen=True, tag="sv_cleared"):
    """The foes a combatant has disengaged from."""

    foes: tuple[Id, ...] = ()


def _cleared(state: State, mover: Id, foe: Id) -> bool:
    """Tell whether a mover has disengaged from a foe (SV-099, R06)."""
    effect = state[mover].effect("disengaged")
    if effect is None:
        return False
    return rules(state).disengage_scope == "all" or not isinstance(effect.data, Cleared) or foe in effect.data.foes


def may_strike(state: State, foe: Id, mover: Id) -> bool:
    """Tell whether a foe could strike at a mover, whatever the distance (4.5)."""
    return not _cleared(state, mover, foe) and _would_strike(state, foe, mover)


def _would_strike(state: State, foe: Id, mover: Id) -> bool:
    """Tell whether a foe could strike at a mover that has not disengaged."""
    if not hostile(state, foe, mover) or not free(state, foe) or not able(state, mover) or not armed(state, foe):
        return False
    if rules(state).aoo_limit == "per_round" and state[foe].has(USED):
        return False
    return field.sees(state, foe, mover)


def near(state: State, mover: Id) -> tuple[Id, ...]:
    """Return the armed foes adjacent to a mover (SV-049)."""
    if field.stands_alone(state, mover):
        return ()
    return tuple(
        other.id
        for other in enemies(state, mover)
        if field.next_to(state, mover, other.id) and may_strike(state, other.id, mover)
    )


def leaving(state: State, mover: Id, here: Body, there: Body) -> tuple[Id, ...]:
    """Return the foes whose reach a step leaves (SV-096, SV-097)."""
    return tuple(
        [foe for foe, place, far in _watching(state, mover) if distance(place, here) <= far < distance(place, there)]
    )


@per_state
def _watching(state: State, mover: Id) -> tuple[tuple[Id, Body, int], ...]:
    """Return the armed foes of a mover, each with its place and reach."""
    found = []
    for other in enemies(state, mover):
        place = field.place_of(state, other)
        if place is not None and (arms := armed(state, other.id)):
            found.append((other.id, place, reach_of(arms)))
    return tuple(found)


def provoke_field(state: State, action: Action, always: bool = True) -> tuple[Field, ...]:
    """Return the question who gets an Attack of Opportunity, where no map tells it (4.8)."""
    who = action.by
    if who is None or field.on_grid(state, who):
        return ()
    default = near(state, who) if always else ()
    note = "who gets an Attack of Opportunity"
    return (Field("provokes", "combatants", note=note, default=default, options=_free_foes(state, who)),)


@per_state
def _free_foes(state: State, who: Id) -> tuple[Option, ...]:
    return tuple([Option(other.id, other.name) for other in enemies(state, who) if free(state, other.id)])


def provoked(state: State, action: Action) -> tuple[Id, ...]:
    """Return the foes a form names, with a map those adjacent."""
    who = str(action.by)
    if field.on_grid(state, who):
        return near(state, who)
    named = action.get("provokes")
    return tuple(
        other.id
        for other in state.combatants
        if isinstance(named, tuple) and other.id in named and may_strike(state, other.id, who)
    )


def provoke(ctx: Ctx, action: Action, *cited: str) -> None:
    """Let provoked foes strike first, and end where the actor drops."""
    who = str(action.by)
    go_on_while_up(ctx, who)
    spare(ctx, who, [other.id for other in enemies(ctx.state, who) if field.next_to(ctx.state, who, other.id)], *cited)
    offer(ctx, who, provoked(ctx.state, action), *cited)


def spare(ctx: Ctx, mover: Id, foes: Sequence[Id], *cited: str) -> None:
    """Tell who would strike at a mover that has not disengaged (SV-050, SV-099)."""
    spared = [foe for foe in foes if _cleared(ctx.state, mover, foe) and _would_strike(ctx.state, foe, mover)]
    if spared:
        names = listed([ctx.state.name(foe) for foe in dict.fromkeys(spared)])
        ctx.note(f"no Attack of Opportunity by {names}: disengaged", "SV-099", "SV-050", "SV-R06", *cited, about=mover)


def offer(ctx: Ctx, mover: Id, foes: Sequence[Id], *cited: str, tag: str = "") -> None:
    """Ask each of these foes whether it strikes, in encounter order, and let it."""
    for foe in foes:
        key, reaching = f"aoo:{foe}{tag}", partial(_reaching, foe=foe, mover=mover)
        if not ctx.confirm(
            key,
            "SV-049",
            "SV-R05",
            *cited,
            default=True,
            who=foe,
            why=f"Attack of Opportunity at {ctx.state.name(mover)}?",
            asked_if=reaching,
        ):
            continue
        weapon = _weapon(ctx, f"{key}/weapon", foe, reaching)
        if weapon is None:
            continue
        if rules(ctx.state).aoo_limit == "per_round":
            ctx.add_effect(
                Effect(USED, foe, until=(At("round_start"),), title="has struck out of turn", quiet=True), "SV-R05"
            )
        blow = act("aoo", foe, target=mover, weapon=weapon)
        refusal = ctx.refusal_of(blow)
        if refusal is None:
            ctx.perform(blow, key)
        else:
            ctx.skip("Attack of Opportunity", refusal.text, refusal.rule or "SV-049", who=foe)


def _weapon(ctx: Ctx, key: str, foe: Id, arms: Callable[[State], Sequence[Arm]]) -> str | None:
    """Ask with which of several attacks a foe strikes, None if it has none any more."""
    weapon = ctx.choose(
        key,
        lambda state: [Option(arm.name, note=str(arm.damage)) for arm in arms(state)],
        "SV-R05",
        default=lambda state: arms(state)[0].name,
        who=foe,
        why="with which weapon?",
        asked_if=lambda state: len(arms(state)) > 1,
    )
    return weapon or next((arm.name for arm in arms(ctx.state)), None)


def _reaching(state: State, foe: Id, mover: Id) -> tuple[Arm, ...]:
    """Return the attacks with which a foe may strike at a mover now."""
    if foe not in state or mover not in state or not may_strike(state, foe, mover):
        return ()
    feet = field.feet_between(state, foe, mover)
    return tuple(arm for arm in armed(state, foe) if feet is None or arm.reach >= feet)


def walk(ctx: Ctx, who: Id, path: Sequence[Square], provoking: bool, *cited: str) -> None:
    """Go along a path (SV-096).

    A foe left behind may strike while the mover stands on the last square within its reach.
    """
    here = field.body(ctx.state, who)
    if here is None:
        return
    go_on_while_up(ctx, who)
    if provoking and ctx.state[who].has("disengaged"):
        spare(ctx, who, _left_behind(ctx.state, who, here, path), "SV-098")
    walked: list[Square] = []
    asked: list[Id] = []
    for number, at in enumerate(path):
        there = Body(at, here.space)
        foes = leaving(ctx.state, who, here, there) if provoking else ()
        foes = tuple(foe for foe in foes if may_strike(ctx.state, foe, who))
        if rules(ctx.state).aoo_limit != "per_exit":
            foes = tuple(foe for foe in foes if foe not in asked)
        if foes:
            field.move(ctx, who, walked, *cited)
            if walked:
                spent_for_good(ctx, who)
            walked = []
            offer(ctx, who, foes, "SV-096", "SV-097", tag=f"#{number}" if any(foe in asked for foe in foes) else "")
            asked += foes
            _recheck(ctx, who, here, path[number:])
        walked.append(at)
        here = there
    field.move(ctx, who, walked, *cited)


def _left_behind(state: State, who: Id, here: Body, path: Sequence[Square]) -> list[Id]:
    """Return the foes whose reach a path leaves."""
    found: list[Id] = []
    for at in path:
        there = Body(at, here.space)
        found += leaving(state, who, here, there)
        here = there
    return found


def _recheck(ctx: Ctx, who: Id, here: Body, rest: Sequence[Square]) -> None:
    """End a movement whose way has been barred by an interruption (R26)."""
    ground = field.terrain(ctx.state)
    if field.body(ctx.state, who) != here or ground is None:
        stop_lost(ctx, who, "moved out of the way")
    elif grappling(ctx.state, who):
        stop_lost(ctx, who, "cannot leave its place in a grapple", "SV-149")
    elif isinstance(fault(ground, field.crowd(ctx.state, who), here, rest, UNBOUND), Fault):
        stop_lost(ctx, who, "the way is barred")


# -- the attack itself -------------------------------------------------------------------------------------------------


def _attack(state: State, action: Action) -> Attack | None:
    arms = () if action.by is None else armed(state, action.by)
    if action.by is not None and not text(action, "weapon") and arms:
        action = action.put(weapon=arms[0].name)
    return attack_of(state, action, MELEE)


def _fields(state: State, action: Action) -> tuple[Field, ...]:
    return attack_fields(state, action, MELEE)


def _refusal(state: State, action: Action) -> Refusal | None:
    if action.by is None:
        return None
    attack = _attack(state, action)
    if not any(attack is not None and arm.name == attack.weapon.name for arm in armed(state, action.by)):
        return Refusal("unarmed", f"{state.name(action.by)} is not armed for melee", "SV-R05")
    return misfit(state, action, MELEE)


def _strike(ctx: Ctx, action: Action) -> None:
    """Strike out of turn (SV-049, R46).

    It is a plain melee attack that costs nothing and opens only the second window.
    """
    attack = _attack(ctx.state, action)
    if attack is not None:
        go_on_while_up(ctx, attack.actor)
        strike(ctx, replace(attack, declared=False))


ACTIONS = (
    ActionType("aoo", "Attack of Opportunity", "SV-049", "", FREE, "any", _strike, _fields, _refusal, listed=False),
)
