"""Checks and strikes: a d20, four degrees, and a second die for a token."""

from __future__ import annotations

from collections.abc import Sequence

from three_actions.blocks import CONDITIONS, D20, Number, Weapon, stat
from three_actions.turns import DAMAGE
from tracker.kit import Checked, Ctx, Degree, Harm, Id, Part, Response, State, degree, fields


def check(ctx: Ctx, what: str, who: Id, bonus: Number, against: Number, *rules: str, target: Id) -> Degree:
    """Roll a check, perhaps again for a token, and return its degree (TA-06, TA-17).

    Its numbers are read after the last question: an effect that comes in between counts.
    """
    name = what.partition(":")[0]

    def both(state: State) -> bool:
        return who in state and target in state

    def compute(dice: tuple[int, ...] | None, responses: Sequence[Response]) -> tuple[int, ...]:
        if dice and not any(one.finished for one in responses):
            return dice
        key, rule = ("again", "TA-17") if dice else ("die", "TA-06")
        die = ctx.roll(key, D20, rule, who=who, why=name, asked_if=both)
        return (*(dice or ()), *(() if die is None else (die,)))

    def prompt(dice: tuple[int, ...]) -> tuple[str, Sequence[str]] | None:
        if len(dice) != 1 or not both(ctx.state):
            return None
        total, needed = dice[0] + bonus(ctx.state).value, against(ctx.state).value
        return f"{name} {total} against {needed}: {degree(total, needed, dice[0]).word}", ()

    with ctx.scope(what):
        dice = ctx.resolve_in_window("result", compute, prompt, who, target)
    if not dice or not both(ctx.state):
        return Degree.FAILURE
    die, plus, needed = dice[-1], bonus(ctx.state), against(ctx.state)
    found, parts = degree(die + plus.value, needed.value, die), (Part("d20", die), *plus.parts)
    checked = Checked(name, who, die + plus.value, found.word, target, parts, needed.value, "", needed.parts)
    ctx.emit(checked, "TA-06", *rules)
    return found


def strike(ctx: Ctx, who: Id, target: Id, weapon: Weapon, counted: bool) -> None:
    """Strike once, and make the next strike of the turn harder (TA-05)."""
    ctx.guard(lambda state: who in state and state[who].status == "up", "the attacker cannot act any more")
    ctx.guard(lambda state: target in state, "the target is gone")
    ctx.window("acts", who, target, f"{ctx.state.name(who)} strikes", again=False)
    before = min(2, fields.whole(ctx.state[who].fact("strikes"))) if counted else 0
    base = (Part(weapon.name, weapon.attack), *((Part("strikes before", -before * 5, "TA-05"),) if before else ()))
    if counted:
        ctx.fact(who, "strikes", before + 1, "TA-05")
    attack, armour = stat(who, "attack", *base), stat(target, "armour")
    found = check(ctx, "attack", who, attack, armour, "TA-05", target=target)
    if ctx.ruling("hit", found >= Degree.SUCCESS):
        hit(ctx, who, target, weapon, found == Degree.CRITICAL_SUCCESS)


def hit(ctx: Ctx, who: Id, target: Id, weapon: Weapon, critical: bool) -> None:
    """Roll the damage, twice as much and ongoing after a critical hit."""
    rolled = ctx.roll("damage", weapon.damage, "TA-05", who=who, why=weapon.name) + weapon.damage.plus
    hurt(ctx, target, Harm(rolled * (2 if critical else 1), weapon.kind), critical, "TA-05", source=who)
    if critical and weapon.ongoing and target in ctx.state:
        name = "burning" if weapon.kind == "fire" else "bleeding"
        CONDITIONS.raise_to(ctx, target, name, weapon.ongoing, "TA-10", source=who)


def hurt(ctx: Ctx, target: Id, harm: Harm, critical: bool, *rules: str, source: Id) -> None:
    """Do damage, and bring a dying target closer to death (TA-11)."""
    if target not in ctx.state:
        return
    dying = CONDITIONS.value(ctx.state, target, "dying")
    ctx.fact(target, "critical", True if critical else None)
    DAMAGE.deal(ctx, target, (harm,), *rules, source=source)
    if target in ctx.state:
        ctx.fact(target, "critical", None)
        if dying and harm.amount:
            CONDITIONS.change(ctx, target, "dying", 2 if critical else 1, "TA-11")
            ctx.settle()
