"""Screening: attacks on a ward may go at its screeners (SV-079 to SV-086, R10)."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.validity import attack_now, attack_or_lost
from rulesets.sovereign.aftermath.wounds import Ward
from rulesets.sovereign.stats import field
from rulesets.sovereign.stats.attack import Attack
from rulesets.sovereign.stats.checks import compare, total
from rulesets.sovereign.stats.stats import block, check_parts, free, screen_quota
from rulesets.without_number import stats as family
from rulesets.without_number.stats import blocked, has_quota
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.kit.squares.grid import FEET

COUNTER = "screened"
SKILLS = ("brawl", "stab")


class Blocked(family.Blocked, frozen=True, tag="sv_blocked"):
    """The attackers a screener has met in this round."""


def screeners(state: State, attack: Attack) -> tuple[Id, ...]:
    """Return who may block an attack (R10).

    Able, adjacent to the ward, with quota left or this attacker counted already.
    """
    found = []
    for other in state.combatants:
        if not other.effects or other.id in (attack.actor, attack.target):
            continue
        warded = any(
            effect.name == "screening" and isinstance(effect.data, Ward) and effect.data.who == attack.target
            for effect in other.effects
        )
        if (
            not warded
            or not free(state, other.id)
            or not has_quota(screen_quota(other).value, blocked(other, COUNTER), attack.actor)
        ):
            continue
        feet = field.feet_between(state, other.id, attack.target)
        if feet is None or feet <= FEET:
            found.append(other.id)
    return tuple(found)


def redirect(ctx: Ctx, attack: Attack) -> Attack | None:
    """Return an attack with its target, which screeners may draw on themselves.

    None where it has become impossible meanwhile.
    """
    state = ctx.state
    if not attack.screenable:
        if screeners(state, attack):
            ctx.skip("screen", "this attack can be neither parried nor blocked", "SV-086", who=attack.target)
        return attack
    blocking = _blocking(ctx, attack)
    going_on = attack_or_lost(ctx, attack, state, "loosed")
    if going_on is None or not blocking:
        return going_on
    return _met(ctx, going_on, blocking)


def _blocking(ctx: Ctx, attack: Attack) -> list[Id]:
    """Ask each screener whether it blocks an attack."""
    blocking = []
    for who in screeners(ctx.state, attack):
        key, ready = f"screen:{who}{attack.tag}", partial(_is_ready, attack=attack, who=who)
        why = f"{ctx.state.name(attack.actor)} attacks {ctx.state.name(attack.target)}: block it?"
        if ctx.confirm(key, "SV-079", "SV-086", default=True, who=who, why=why, asked_if=ready):
            blocking.append(who)
    return [who for who in blocking if who in _ready(ctx.state, attack)]


def _is_ready(state: State, attack: Attack, who: Id) -> bool:
    return who in _ready(state, attack)


def _ready(state: State, attack: Attack) -> tuple[Id, ...]:
    """Return who may block an attack, as long as it has a target."""
    return screeners(state, attack) if attack.target in state else ()


def _met(ctx: Ctx, attack: Attack, blocking: list[Id]) -> Attack | None:
    """Let an attacker try to get past those who block (SV-080 to SV-082)."""
    key, state = f"screen_check{attack.tag}", ctx.state

    def ready(now: State) -> list[Id]:
        return [who for who in blocking if _is_ready(now, attack, who)]

    own = total(
        ctx,
        attack.actor,
        lambda now: check_parts(now[attack.actor], SKILLS, ("str", "dex")),
        key,
        "SV-080",
        why=f"to reach {ctx.state.name(attack.target)}",
        asked_if=lambda now: attack_now(now, state, attack, "loosed") and ready(now),
    )
    going_on = attack_or_lost(ctx, attack, state, "loosed")
    if own is None or going_on is None:
        return going_on
    blocking = ready(ctx.state)
    successes: list[tuple[Id, int]] = []
    for who in (one for one in blocking if one in ctx.state):
        cites = ("SV-080", "SV-081", "SV-083", *(("SV-P15",) if block(ctx.state[who]).features.screen_bonus else ()))
        verdict = compare(
            ctx, "screen", attack.actor, own, who, _parts(ctx.state[who]), *cites, key=f"screen_roll:{who}{attack.tag}"
        )
        if who not in ctx.state:
            continue
        if not verdict.won:
            successes.append((who, verdict.number))
        _count(ctx, who, attack.actor)
    state = ctx.state
    successes = [success for success in successes if success[0] in state and free(state, success[0])]
    if not successes:
        if len(blocking) > 1:
            ctx.note(f"gets past the screen of {state.name(attack.target)}", "SV-081", about=attack.actor)
        return going_on
    return _drawn(ctx, going_on, _chosen(ctx, attack, successes), len(blocking) > 1)


def _drawn(ctx: Ctx, attack: Attack, found: Id, several: bool) -> Attack | None:
    """Return an attack that goes at a screener instead (SV-082)."""
    if not free(ctx.state, found):
        return attack
    cites = ("SV-085", "SV-R01") if several else ()
    ctx.note(f"the attack goes at {ctx.state.name(found)} instead", "SV-082", *cites, about=attack.actor)
    feet = field.feet_between(ctx.state, attack.actor, found)
    return replace(
        attack,
        target=found,
        feet=attack.feet if feet is None else feet,
        cover=field.cover(ctx.state, attack.actor, found),
    )


def _chosen(ctx: Ctx, attack: Attack, successes: list[tuple[Id, int]]) -> Id:
    """Return the successful screener with the lowest number (SV-085, R01).

    The screeners' side settles a tie.
    """
    least = min(number for _, number in successes)
    lowest = [who for who, number in successes if number == least]
    if len(lowest) == 1:
        return lowest[0]

    def still_free(state: State) -> list[Id]:
        return [who for who in lowest if free(state, who)] or lowest

    chosen = ctx.choose(
        f"screened_by{attack.tag}",
        lambda state: [Option(who, state.name(who)) for who in still_free(state)],
        "SV-085",
        "SV-R01",
        default=lambda state: still_free(state)[0],
        who=lambda state: still_free(state)[0],
        why="who takes the attack?",
        asked_if=lambda state: len(still_free(state)) > 1,
    )
    return still_free(ctx.state)[0] if chosen is None else chosen


def _count(ctx: Ctx, screener: Id, attacker: Id) -> None:
    met = blocked(ctx.state[screener], COUNTER)
    if attacker not in met:
        ctx.add_effect(
            Effect(
                COUNTER,
                screener,
                until=(At("round_start"),),
                data=Blocked((*met, attacker)),
                title=f"screened {len(met) + 1}",
                quiet=True,
            ),
            "SV-083",
        )


def _parts(screener: Combatant) -> tuple[Part, ...]:
    """Return the screener's modifiers: the better of STR and DEX, of Brawl and Stab (R01)."""
    parts = check_parts(screener, SKILLS, ("str", "dex"))
    bonus = block(screener).features.screen_bonus
    return (*parts, Part("feat", bonus, "SV-P15")) if bonus else parts
