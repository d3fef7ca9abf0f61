"""Checks and strikes: a d20, four degrees, and a second die for a token."""

from __future__ import annotations

from three_actions.blocks import CONDITIONS, D20, Weapon, derived, number
from three_actions.turns import DAMAGE
from tracker.kit import Checked, Ctx, Degree, Derived, Harm, Id, Part, degree, degrees, fields


def check(
    ctx: Ctx, what: str, who: Id, bonus: Derived, against: Derived, *rules: str, target: Id | None = None
) -> Degree:
    """Roll a check, perhaps again for a token, and return its degree (TA-06, TA-17)."""
    with ctx.scope(what):
        name = what.partition(":")[0]
        classes = degrees.classes(bonus.value, against.value)
        die = ctx.roll("die", D20, "TA-06", who=who, why=name, classes=classes)
        seen = degree(die + bonus.value, against.value, die)
        why = f"{name} {die + bonus.value} against {against.value}: {seen.word}"
        if any(one.finished for one in ctx.window("result", who, target, why, again=False)):
            die = ctx.roll("again", D20, "TA-17", who=who, why=f"{name} again", classes=classes)
            seen = degree(die + bonus.value, against.value, die)
    total, parts = die + bonus.value, (Part("d20", die), *bonus.parts)
    ctx.emit(Checked(name, who, total, seen.word, target, parts, against.value, "", against.parts), "TA-06", *rules)
    return seen


def strike(ctx: Ctx, who: Id, target: Id, weapon: Weapon, counted: bool) -> None:
    """Strike once, and make the next strike of the turn harder (TA-05)."""
    ctx.guard(lambda state: who in state and state[who].status == "up", "the attacker cannot act any more")
    ctx.guard(lambda state: target in state, "the target is gone")
    ctx.window("acts", who, target, f"{ctx.state.name(who)} strikes", again=False)
    before = min(2, fields.whole(ctx.state[who].fact("strikes"))) if counted else 0
    tired = Part("strikes before", -before * 5, "TA-05")
    bonus = number(ctx.state, who, "attack", Part(weapon.name, weapon.attack), *((tired,) if before else ()))
    if counted:
        ctx.fact(who, "strikes", before + 1, "TA-05")
    found = check(ctx, "attack", who, bonus, derived(ctx.state, target, "armour"), "TA-05", target=target)
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
