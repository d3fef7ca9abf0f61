"""Commands about damage: pools, values and statuses."""

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
    return Field("pool", "choice", "", next(iter(pools), None), tuple(map(Option, pools)), required=True)


def _targets(game: Ruleset, state: State, action: Action) -> tuple[Option, ...]:
    return _with_pool(state, str(action.get("pool") or next(iter(game.schema.pools), "")))


@per_state
def _with_pool(state: State, key: str) -> tuple[Option, ...]:
    missing = Refusal("no_pool", f"has no {key}", forcible=False, field="targets")
    return tuple([Option(one.id, one.name, refusal=None if one.has_pool(key) else missing) for one in state.combatants])


def _damage(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    targets = _targets(game, state, action)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=targets),
        *share_fields(targets),
        _pools(game),
    )


def _do_damage(ctx: Ctx, action: Action) -> None:
    pool = str(action.get("pool"))
    for who, taken, why in shares(action, number(action, "amount")):
        ctx.change(who, pool, ctx.state[who].pool(pool).now - taken, why=why)


def _heal(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=_targets(game, state, action)),
        _pools(game),
    )


def _do_heal(ctx: Ctx, action: Action) -> None:
    pool = str(action.get("pool"))
    for who in ids(action, "targets"):
        before = ctx.state[who].pool(pool)
        ctx.change(who, pool, max(before.now, before.capped(before.now + number(action, "amount"))))


def _set(game: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    combatant = state.get(str(action.get("who")))
    pools = [pool.key for pool in combatant.pools] if combatant else list(game.schema.pools)
    keys = [key for pool in pools for key in (pool, f"{pool}_max")]
    keys += [f"left_{key}" for key, _ in combatant.budget] if combatant else []
    return (
        Field("who", "combatant", required=True, options=all_combatants(state)),
        Field("what", "choice", "", next(iter(keys), None), tuple(map(Option, keys)), required=True),
        Field("value", "number", required=True),
    )


def _do_set(ctx: Ctx, action: Action) -> None:
    who, what, value = str(action.get("who")), str(action.get("what")), number(action, "value")
    combatant = ctx.state[who]
    if what.startswith("left_"):
        ctx.refill({who: tuple((key, value if f"left_{key}" == what else left) for key, left in combatant.budget)})
    elif what.endswith("_max"):
        before = combatant.pool(what.removesuffix("_max"))
        ctx.emit(PoolSet(who, before, replace(before, max=value)))
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
