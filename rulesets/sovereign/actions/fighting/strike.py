"""The course of an attack: two windows, screens, the roll (4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from rulesets.sovereign.actions.fighting import screening as screen
from rulesets.sovereign.actions.fighting.validity import attack_now, attack_or_lost
from rulesets.sovereign.stat_blocks.models import Arm
from rulesets.sovereign.stats import attack_outcomes, field
from rulesets.sovereign.stats.attack import Attack, at_hand, hit_parts, hit_rules
from rulesets.sovereign.stats.stats import armor_class, block, level, rules
from rulesets.without_number.actions import aimed as aimed_at
from rulesets.without_number.actions import tell, tell_verdict
from rulesets.without_number.reactions import stakes as at_stake
from rulesets.without_number.stats import D20, cited, effect_parts, hits
from rulesets.without_number.turn import in_setup, own_phase
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Response
from tracker.core.terms.derived import Derived, Part
from tracker.core.terms.effects import Effect


class Aimed(Struct, frozen=True, gc=False):
    """How an attack roll came out: at whom in the end, and whether it hits.

    Attributes:
        parts: the die and what is added to it.
        against: the AC it was compared with.
        seen: the state it was judged in.
        fixed: luck or the GM has decided it, whatever the AC.
        lost: it has become impossible.
    """

    attack: Attack
    hit: bool
    parts: tuple[Part, ...]
    against: Derived
    seen: State
    fixed: bool = False
    lost: bool = False


def open_window(
    ctx: Ctx, actor: Id, target: Id | None, why: str, tag: str = "", info: Sequence[str] = ()
) -> None:  # fmt: skip - a signature
    """Let Instants come before what was declared, completely (SV-114, R46)."""
    for times in count(1):
        key = f"declared{tag}" if times == 1 else f"declared{tag}:{times}"
        if not ctx.window(key, actor, target, why=why, info=info, again=False):
            return


def aim(ctx: Ctx, attack: Attack) -> Aimed | None:
    """Return how an attack roll comes out, None without a target."""
    state = ctx.state
    if attack.target not in state or state[attack.target].status in ("dead", "gone"):
        ctx.skip("attack", f"{state.name(attack.target)} is beyond harm", "SV-R42", who=attack.actor)
        return None
    if attack.declared:
        why = f"{state.name(attack.actor)} sets out to attack {state.name(attack.target)}"
        open_window(ctx, attack.actor, attack.target, why, attack.tag, ("attack",))
    going_on = attack_or_lost(ctx, attack, state)
    if going_on is None:
        return None
    going_on = screen.redirect(ctx, loose(ctx, going_on))
    if going_on is None:
        return None
    _meet(ctx, going_on)
    return _roll(ctx, going_on)


def loose(ctx: Ctx, attack: Attack) -> Attack:
    """Fire a weapon, and load it where that is Free (SV-092, R40)."""
    arm, who = attack.weapon, attack.actor
    if attack.use != "ranged" or arm.reload == "none":
        return attack
    if quick(ctx.state, who, arm) and (own_phase(ctx.state, who) or in_setup(ctx.state)):
        return replace(attack, reloaded=True)
    ctx.add_effect(Effect(f"unloaded:{arm.name}", who, title=f"{arm.name} unloaded"), "SV-091")
    return attack


def quick(state: State, who: Id, arm: Arm) -> bool:
    """Tell whether a bow is reloaded as a Free Action (SV-092, R11)."""
    return arm.reload == "bow" and (not block(state[who]).trained or level(state[who], "shoot") >= 1)


def _meet(ctx: Ctx, attack: Attack) -> None:
    """Remember who is in melee, and that the target suspects something now (SV-159)."""
    if at_hand(attack.use):
        field.engage(ctx, attack.actor, attack.target)
    for who in (attack.actor, attack.target):
        ctx.end_named(who, "unaware", "attacked" if who == attack.target else "attacks", "SV-159")


def _numbers(state: State, attack: Attack) -> tuple[tuple[Part, ...], int, Derived]:
    """Return the parts of an attack roll beside the die, their sum, and the AC."""
    parts = tuple(hit_parts(state, attack))
    return parts, sum(part.amount for part in parts), armor_class(state[attack.target])


def _roll(ctx: Ctx, planned: Attack) -> Aimed | None:
    """Roll, and hear the Instants that answer the roll."""
    key, state = f"attack{planned.tag}", ctx.state
    naturals, at_first = rules(state).natural_20 == "auto", _numbers(state, planned)

    def numbers(now: State) -> tuple[tuple[Part, ...], int, Derived]:
        attack = attack_now(now, state, planned, "loosed") or planned
        return at_first if now is state else _numbers(now, attack)

    def needed(now: State) -> str:
        _, added, against = numbers(now)
        return aimed_at(added, against.value, "AC", naturals)

    early = ctx.run_interrupts(key)
    natural = ctx.roll(
        key,
        D20,
        "SV-115",
        who=planned.actor,
        why=f"{state.name(planned.actor)} attacks {state.name(planned.target)}",
        needed=needed,
        asked_if=lambda now: attack_now(now, state, planned, "loosed"),
    )
    attack = attack_or_lost(ctx, planned, state, "loosed")
    if attack is None or natural is None:
        return None
    parts, added, against = numbers(ctx.state)
    shown = (Part("1d20", natural, "SV-115"), *(part for part in parts if part.amount))
    first = Aimed(attack, hits(natural, added, against.value, naturals), shown, against, seen=ctx.state)
    _tell(ctx, first)
    luck = _luck(early, attack)
    if luck is not None:
        first = _turned(ctx, first, luck)

    def compute(last: Aimed | None, responses: Sequence[Response]) -> Aimed:
        return first if last is None else _judged(ctx, last, responses)

    def prompt(aimed: Aimed) -> tuple[str, Sequence[str]] | None:
        return None if aimed.lost else _asked(ctx.state, aimed)

    aimed = ctx.resolve_in_window(f"rolled{attack.tag}", compute, prompt, attack.actor, attack.target)
    if aimed.lost:
        return None
    hit = ctx.ruling(f"hit{attack.tag}", aimed.hit) is True
    return replace(aimed, hit=hit, fixed=aimed.fixed or hit != aimed.hit)


def _asked(state: State, aimed: Aimed) -> tuple[str, Sequence[str]]:
    """Return the words of the window after a roll, and its stakes."""
    attack, hit, natural = aimed.attack, aimed.hit, aimed.parts[0].amount
    total = sum(part.amount for part in aimed.parts)
    defence = attack_outcomes.defence(state, attack, (natural, total - natural), hit, aimed.fixed)
    known = at_stake(hit, attack_outcomes.harmful(state, attack, hit), defence)
    words = f"{total} against AC {aimed.against.value}: {'hit' if hit else 'miss'}"
    return words, (*known, *(("declared",) if attack.declared else ()))


def reconsider(ctx: Ctx, aimed: Aimed, key: str) -> Aimed:
    """Return an attack as things stand when its next roll is made.

    `key`: of that roll. What the GM puts before it, luck included, may still change the result (SV-P14).
    """
    return _judged(ctx, aimed, ctx.run_interrupts(key))


def _judged(ctx: Ctx, last: Aimed, responses: Sequence[Response]) -> Aimed:
    """Return the result of a roll in the light of what has come between.

    It is told where it has changed.
    """
    state, before = ctx.state, last.seen
    if last.lost or (state is before and not responses):
        return last
    attack = attack_or_lost(ctx, last.attack, before, "rolled")
    if attack is None:
        return replace(last, lost=True)
    aimed = replace(last, attack=attack, seen=state)
    luck = _luck(responses, attack)
    if luck is not None:
        return _turned(ctx, aimed, luck)
    now, parts = armor_class(state[attack.target]), _parts_now(state, before, last)
    if last.fixed or (now.value == last.against.value and parts == last.parts):
        return aimed
    natural, naturals = parts[0].amount, rules(state).natural_20 == "auto"
    hit = hits(natural, sum(part.amount for part in parts) - natural, now.value, naturals)
    aimed = replace(aimed, hit=hit, parts=parts, against=now)
    _tell(ctx, aimed)
    return aimed


def _parts_now(state: State, before: State, aimed: Aimed) -> tuple[Part, ...]:
    """Return the parts of a roll with what effects add to it now."""
    who = aimed.attack.actor
    then, now = effect_parts(before[who], "attack"), effect_parts(state[who], "attack")
    return aimed.parts if then == now else (*(part for part in aimed.parts if part not in then), *now)


def _luck(responses: Sequence[Response], attack: Attack) -> bool | None:
    """Return what Veteran's Luck has decided for good, or None (SV-P14)."""
    given = [(response.action.by, response.value) for response in responses]
    return True if (attack.actor, "hit") in given else False if (attack.target, "miss") in given else None


def _turned(ctx: Ctx, aimed: Aimed, hit: bool) -> Aimed:
    """Return an attack whose result luck has decided for good (SV-P14)."""
    attack, total = aimed.attack, sum(part.amount for part in aimed.parts)
    tell_verdict(ctx, attack.actor, attack.target, total, hit, "SV-P14")
    return replace(aimed, hit=hit, fixed=True)


def _tell(ctx: Ctx, aimed: Aimed) -> None:
    attack = aimed.attack
    naturals = ("SV-R14",) if rules(ctx.state).natural_20 == "auto" else ()
    found = cited((*aimed.parts, *aimed.against.parts), *hit_rules(ctx.state, attack), *naturals)
    tell(ctx, attack.actor, attack.target, aimed.parts, aimed.against, "AC", aimed.hit, found)
