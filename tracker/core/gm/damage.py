"""Harm: pools, values and statuses."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from tracker.core.fight.cache import per_state
from tracker.core.fight.events import PoolSet
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.game.ruleset import Ruleset
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import all_combatants, ids, number, share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


def _pools(game: Ruleset) -> Field:
    pools = game.schema.pools
    return Field(
        "pool",
        "choice",
        default=pools[0] if pools else None,
        options=tuple(Option(pool) for pool in pools),
        required=True,
    )


def _holders(game: Ruleset, state: State, action: Action) -> tuple[Option, ...]:
    return _with_pool(state, str(action.get("pool") or next(iter(game.schema.pools), "")))


@per_state
def _with_pool(state: State, key: str) -> tuple[Option, ...]:
    missing = Refusal("no_pool", f"has no {key}", forcible=False, field="targets")
    return tuple([Option(one.id, one.name, refusal=None if one.has_pool(key) else missing) for one in state.combatants])


def _damage(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    people = _holders(game, state, action)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=people),
        *share_fields(people),
        _pools(game),
    )


def _do_damage(ctx: Ctx, action: Action) -> None:
    pool = str(action.get("pool"))
    for who, taken, why in shares(action, number(action, "amount")):
        ctx.change(who, pool, ctx.state[who].pool(pool).now - taken, why=why)


def _heal(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=_holders(game, state, action)),
        _pools(game),
    )


def _do_heal(ctx: Ctx, action: Action) -> None:
    pool = str(action.get("pool"))
    for who in ids(action, "targets"):
        held = ctx.state[who].pool(pool)
        ctx.change(who, pool, max(held.now, held.capped(held.now + number(action, "amount"))))


def _set(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    combatant = state.get(str(action.get("who")))
    pools = [pool.key for pool in combatant.pools] if combatant else list(game.schema.pools)
    parts = [f"left_{key}" for key, _ in combatant.budget] if combatant else []
    values = tuple(Option(value) for pool in pools for value in (pool, f"{pool}_max")) + tuple(
        Option(part) for part in parts
    )
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("what", "choice", required=True, options=values, default=values[0].key if values else None),
        Field("value", "number", required=True),
    )


def _do_set(ctx: Ctx, action: Action) -> None:
    who, what, value = str(action.get("who")), str(action.get("what")), number(action, "value")
    combatant = ctx.state[who]
    if what.startswith("left_"):
        ctx.refill({who: tuple((key, value if f"left_{key}" == what else left) for key, left in combatant.budget)})
    elif what.endswith("_max"):
        held = combatant.pool(what.removesuffix("_max"))
        ctx.emit(PoolSet(who, held, replace(held, max=value)))
    else:
        ctx.change(who, what, value)


def _status(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    statuses = tuple(Option(status.key, status.word) for status in game.statuses)
    return (
        Field("targets", "combatants", required=True, options=all_combatants(state)),
        Field("status", "choice", required=True, options=statuses),
    )


def _do_status(ctx: Ctx, action: Action) -> None:
    for who in ids(action, "targets"):
        ctx.status(who, str(action.get("status")))


def commands(game: Ruleset) -> tuple[ActionType, ...]:
    """Return the commands of this module, for a game."""
    return (
        ActionType("damage", "Damage", perform=_do_damage, fields=partial(_damage, game)),
        ActionType("heal", "Heal", perform=_do_heal, fields=partial(_heal, game)),
        ActionType("set", "Set a value", perform=_do_set, fields=partial(_set, game)),
        ActionType("status", "Change the status", perform=_do_status, fields=partial(_status, game)),
    )
