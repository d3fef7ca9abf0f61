"""Harm: pools, values and statuses."""

from __future__ import annotations

from msgspec.structs import replace

from tracker.core.fight.events import PoolSet
from tracker.core.fight.memo import per_state
from tracker.core.fight.state import State
from tracker.core.game.ruleset import Ruleset
from tracker.core.master.command import Command, ids, number, people
from tracker.core.step.ctx import Ctx
from tracker.core.step.shares import share_fields, shares
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


def _pools(ruleset: Ruleset) -> Field:
    pools = ruleset.schema.pools
    return Field(
        "pool",
        "choice",
        default=pools[0] if pools else None,
        options=tuple(Option(pool) for pool in pools),
        required=True,
    )


def _holders(ruleset: Ruleset, state: State, action: Action) -> tuple[Option, ...]:
    """Return everybody, refused where they have no such pool."""
    return _with_pool(state, str(action.get("pool") or next(iter(ruleset.schema.pools), "")))


@per_state
def _with_pool(state: State, key: str) -> tuple[Option, ...]:
    missing = Refusal("no_pool", f"has no {key}", forcible=False, field="targets")
    return tuple([Option(one.id, one.name, refusal=None if one.has_pool(key) else missing) for one in state.combatants])


def _damage(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    people = _holders(ruleset, state, action)
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=people),
        *share_fields(people),
        _pools(ruleset),
    )


def _do_damage(ctx: Ctx, game: Ruleset, action: Action) -> None:
    pool = str(action.get("pool"))
    for who, taken, why in shares(action, number(action, "amount")):
        ctx.change(who, pool, ctx.state[who].pool(pool).now - taken, why=why)


def _heal(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    return (
        Field("amount", "number", required=True, minimum=0),
        Field("targets", "combatants", required=True, options=_holders(ruleset, state, action)),
        _pools(ruleset),
    )


def _do_heal(ctx: Ctx, game: Ruleset, action: Action) -> None:
    pool = str(action.get("pool"))
    for who in ids(action, "targets"):
        held = ctx.state[who].pool(pool)
        ctx.change(who, pool, max(held.now, min(held.max, held.now + number(action, "amount"))))


def _set(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    combatant = state.get(str(action.get("who")))
    pools = [pool.key for pool in combatant.pools] if combatant else list(ruleset.schema.pools)
    parts = [f"left_{key}" for key, _ in combatant.budget] if combatant else []
    values = tuple(Option(value) for pool in pools for value in (pool, f"{pool}_max")) + tuple(
        Option(part) for part in parts
    )
    return (
        Field("who", "combatant", required=True, options=people(state)),
        Field("what", "choice", required=True, options=values, default=values[0].key if values else None),
        Field("value", "number", required=True),
    )


def _do_set(ctx: Ctx, game: Ruleset, action: Action) -> None:
    who, what, value = str(action.get("who")), str(action.get("what")), number(action, "value")
    combatant = ctx.state[who]
    if what.startswith("left_"):
        ctx.refill({who: tuple((key, value if f"left_{key}" == what else left) for key, left in combatant.budget)})
    elif what.endswith("_max"):
        held = combatant.pool(what.removesuffix("_max"))
        ctx.emit(PoolSet(who, held, replace(held, max=value)))
    else:
        ctx.change(who, what, value)


def _status(ruleset: Ruleset, state: State, action: Action) -> tuple[Field, ...]:
    statuses = tuple(Option(status.key, status.word) for status in ruleset.statuses)
    return (
        Field("targets", "combatants", required=True, options=people(state)),
        Field("status", "choice", required=True, options=statuses),
    )


def _do_status(ctx: Ctx, game: Ruleset, action: Action) -> None:
    for who in ids(action, "targets"):
        ctx.status(who, str(action.get("status")))


COMMANDS = (
    Command("damage", "Damage", _do_damage, _damage, place=2),
    Command("heal", "Heal", _do_heal, _heal, place=3),
    Command("set", "Set a value", _do_set, _set, place=4),
    Command("status", "Change the status", _do_status, _status, place=7),
)
