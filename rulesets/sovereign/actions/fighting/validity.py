"""Actions after an interruption: still possible, or lost (R26)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec.structs import replace

from rulesets.sovereign.actions.payment import PAID_FACT
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack, at_hand, impossible
from rulesets.sovereign.stats.stats import able, friendly, rules
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.errors import Refusal

Progress: TypeAlias = Literal["declared", "loosed", "rolled"]
"""How far an attack has come: only declared, the weapon loosed, the die rolled."""
# What still spoils an attack after its roll (4.4, point 7).
TOO_FAR = ("no_target", "out_of_reach", "out_of_range", "no_sight")


def stop_lost(ctx: Ctx, who: Id, why: str, *cited: str) -> None:
    """End an action that an interruption has made impossible (R26).

    Its cost stays spent, unless the table plays otherwise.
    """
    _give_back(ctx, who)
    ctx.note(why, *cited, "SV-R26", about=who)
    ctx.stop(why)


def _give_back(ctx: Ctx, who: Id) -> None:
    paid = ctx.state[who].fact(PAID_FACT) if who in ctx.state else None
    if rules(ctx.state).interrupted_action == "redeclare" and isinstance(paid, tuple):
        ctx.refill({who: tuple((key, left + paid.count(key)) for key, left in ctx.state[who].budget)}, "SV-R26")
        ctx.fact(who, PAID_FACT, None, "SV-R26")


def log_lost(ctx: Ctx, who: Id, what: str, why: str) -> None:
    """Tell that something has become impossible, and give back what the table gives back (R26)."""
    _give_back(ctx, who)
    ctx.skip(what, why, "SV-R26", who=who)


def still_possible(ctx: Ctx, key: str, what: str, who: Id, wrong: Callable[[State], str]) -> bool:
    """Tell whether an action that does something just before a request is still possible (R26).

    `wrong`: why not, or an empty text. The GM's interruptions of the request come first.
    """
    ctx.run_interrupts(key)
    why = wrong(ctx.state)
    if why:
        log_lost(ctx, who, what, why)
    return not why


def new_refusal(before: Refusal | None, now: Refusal | None) -> str:
    """Return what forbids an action now and did not before, or ""."""
    return now.text if now is not None and (before is None or before.reason != now.reason) else ""


def attack_or_lost(ctx: Ctx, attack: Attack, before: State, progress: Progress = "declared") -> Attack | None:
    """Return an attack with things as they are now, or None (R26).

    It is lost where what has happened since `before` has made it impossible.
    """
    now = attack_now(ctx.state, before, attack, progress)
    if now is None:
        log_lost(ctx, attack.actor, "attack", _spoiled(ctx.state, before, attack, progress))
    return now


def attack_now(state: State, before: State, attack: Attack, progress: Progress) -> Attack | None:
    """Return an attack with things as they are in a state, None if they make it impossible."""
    if state is before:
        return attack
    return None if _spoiled(state, before, attack, progress) else _as_it_is(before, state, attack, progress)


def _spoiled(state: State, before: State, attack: Attack, progress: Progress) -> str:
    """Return why an attack has become impossible, or ""."""
    who, target = attack.actor, attack.target
    name = state.name(target)
    if who not in state or target not in state:
        return f"{name if who in state else state.name(who)} is gone"
    if friendly(state, who, target) and not friendly(before, who, target):
        return f"{name} is no enemy any more"
    now, loosed = _as_it_is(before, state, attack, progress), progress != "declared"
    wrong = impossible(state, now, loosed)
    if wrong is None or (progress == "rolled" and wrong.reason not in TOO_FAR):
        return ""
    return wrong.text if impossible(before, attack, loosed) is None or now.feet > attack.feet else ""


def _as_it_is(before: State, state: State, attack: Attack, progress: Progress) -> Attack:
    """Return an attack with distance, press and cover as the map shows them now.

    Of a swarm only those count who still can. After the roll only the distance changes anything.
    """
    who, target = attack.actor, attack.target
    feet = field.feet_between(state, who, target)
    if progress == "rolled":
        return attack if feet is None else replace(attack, feet=feet)
    helpers = [one for one in attack.helpers if able(state, one) and state[one].side == state[who].side]
    attack = replace(attack, others=len(helpers))
    if feet is None:
        return attack
    seen = attack.cover == field.cover(before, who, target)
    cover = field.cover(state, who, target) if seen else attack.cover
    return replace(attack, feet=feet, crowded=not at_hand(attack.use) and field.in_melee(state, who), cover=cover)
