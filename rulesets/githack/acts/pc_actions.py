"""What PCs do in a turn: attack, hide, pull off, stabilise and the rest of section 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from rulesets.githack.blocks.canonical import Ability, Weapon
from rulesets.githack.ending.wounds import hurt_monster
from rulesets.githack.numbers import stats
from rulesets.githack.numbers.checks import Edge, check
from rulesets.githack.numbers.data import Ward
from rulesets.githack.order.rounds import wait
from tracker.core.fight.state import Id
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At

__all__ = ["PERFORM", "attack", "end_stance", "weapon_of"]


def weapon_of(ctx: Ctx, who: Id, name: str) -> Weapon:
    """Return a weapon by name; the form has checked that it is there."""
    return next(weapon for weapon in stats.weapons(ctx.state, who) if weapon.name == name)


def attack(ctx: Ctx, action: Action) -> None:
    """Roll to hit; the number on the die and the weapon's dice less AC are the damage (GH-008, GH-030, A01)."""
    who, target = cast(Id, action.by), str(action.get("target"))
    if action.key == "attack":
        ctx.spend(who, "main", "GH-A22", "GH-004", *(() if stats.acts(ctx.state[who]) else ("GH-207", "GH-A31")))
    else:
        ctx.spend(who, "main", "GH-210")
    ability, weapon = cast(Ability, str(action.get("ability"))), weapon_of(ctx, who, str(action.get("weapon")))
    rules = ("GH-006", "GH-031") if ability == "str" else ("GH-006", "GH-032", "GH-A23")
    result = check(
        ctx, "attack", who, ability, "attack", *rules, edge=cast(Edge, str(action.get("edge"))), target=target
    )
    if result.success:
        _hit(ctx, who, target, result.number, weapon)
    if ctx.state[who].has("hidden"):
        _after_hiding(ctx, who)


def _hit(ctx: Ctx, who: Id, target: Id, number: int, weapon: Weapon) -> None:
    size = "GH-029" if weapon.demon else "GH-028"
    rolled = ctx.roll("weapon", weapon.dice, "GH-034", size, who=who, why=weapon.name) if weapon.dice.terms else 0
    soaked = stats.ac(ctx.state, target)
    parts = [Part("number", number, "GH-030"), Part(weapon.name, rolled, "GH-034"), Part("AC", -soaked, "GH-020")]
    rules = ("GH-008", "GH-030", "GH-A01") if weapon.dice.terms else ("GH-008", "GH-033", "GH-A01")
    hurt_monster(
        ctx,
        target,
        max(0, number + rolled - soaked),
        [part for part in parts if part.amount or part.label == "number"],
        who,
        *rules,
    )


def _after_hiding(ctx: Ctx, who: Id) -> None:
    """An attack out of hiding gives the place away, in Flank only if it is noticed (GH-213, GH-224)."""
    unseen = stats.rules(ctx.state).stances and stats.stance(ctx.state, who) == "flank"
    options, why = ("noticed", "still_unseen"), "is the attack noticed?"
    if (
        unseen
        and ctx.choose("noticed", options, "GH-224", default="noticed", who=who, why=why, to="gm") == "still_unseen"
    ):
        return
    ctx.end_named(who, "hidden", "attacked", "GH-213", "GH-224")


def _hide(ctx: Ctx, action: Action) -> None:
    who = cast(Id, action.by)
    ctx.spend(who, "main", "GH-A22")
    if _checked(ctx, action, "hide", "GH-016", "GH-212"):
        ctx.add_effect(Effect("hidden", who, until=(At("combat_end"),), stacking="keep"), "GH-016", "GH-212")


def _pull_off(ctx: Ctx, action: Action) -> None:
    who, monster = cast(Id, action.by), str(action.get("monster"))
    ctx.spend(who, "main", "GH-A22")
    if _checked(ctx, action, "pull off", "GH-073", "GH-A25"):
        host = stats.stuck_to(ctx.state, monster)
        for effect in stats.host_of(ctx.state, host) if host else ():
            if effect.source == monster:
                ctx.end_effect(effect, "pulled off", "GH-073", "GH-A25")


def _stabilise(ctx: Ctx, action: Action) -> None:
    ctx.spend(cast(Id, action.by), "main", "GH-A22")
    if _checked(ctx, action, "stabilise", "GH-123"):
        ctx.end_named(str(action.get("ally")), "dying", "stabilised", "GH-123")


def _work(ctx: Ctx, action: Action) -> None:
    """Device, casting, handling things: a note, a check if one is asked, and what a disturbance does to it (GH-220, GH-221)."""
    who = cast(Id, action.by)
    ctx.spend(who, "main", "GH-A22")
    if ctx.state[who].has("disturbed"):
        outcome = ctx.choose(
            "disturbed",
            ("spoiled", "delayed", "unharmed"),
            "GH-221",
            default="unharmed",
            who=who,
            why="attacked while at it",
            to="gm",
        )
        ctx.end_named(who, "disturbed", "resolved", "GH-221")
        if outcome != "unharmed":
            ctx.note(f"{action.key}: {outcome}", "GH-221", about=who)
            return
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, action.key, "GH-101")
    ctx.note(f"{action.key}: {action.get('text') or '-'}", "GH-220" if action.key == "device" else "GH-002", about=who)


def _talk(ctx: Ctx, action: Action) -> None:
    who = cast(Id, action.by)
    ctx.spend(who, "main", "GH-A22")
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, "talk", "GH-101")
    ctx.note(f"talk: {action.get('text') or '-'}", "GH-215", about=who)


def _observe(ctx: Ctx, action: Action) -> None:
    """Warn an ally, or be ready oneself (GH-217 to GH-219)."""
    who = cast(Id, action.by)
    ctx.spend(who, "main", "GH-A22")
    if action.get("what") == "ready":
        ctx.add_effect(Effect("ready", who, until=(At("combat_end"),), stacking="keep"), "GH-219", "GH-217")
    else:
        ally = str(action.get("ally"))
        ctx.add_effect(Effect("advised", ally, source=who, until=(At("round_end", count=2),)), "GH-218", "GH-217")


def _free(ctx: Ctx, action: Action) -> None:
    ctx.note(f"{action.key}: {action.get('text') or '-'}", "GH-002", "GH-A22", about=action.by)


def _stance(ctx: Ctx, action: Action) -> None:
    """Take up a stance (GH-204, GH-205)."""
    who, chosen = cast(Id, action.by), str(action.get("stance"))
    end_stance(ctx, who)
    ctx.fact(who, "stance", chosen, "GH-204", "GH-205", "GH-201")
    ward = action.get("ward") or action.get("place")
    if chosen == "defend" and ward:
        ctx.add_effect(
            Effect(
                "guarding",
                who,
                until=(At("combat_end"),),
                data=Ward(str(ward)),
                title=f"guarding {ctx.state.name(str(ward))}",
            ),
            "GH-209",
        )


def end_stance(ctx: Ctx, who: Id) -> None:
    """Give up a stance with what hangs on it."""
    ctx.end_named(who, "guarding", "stance changed", "GH-209")
    ctx.end_named(who, "disturbed", "stance changed", "GH-221")


def _wait(ctx: Ctx, action: Action) -> None:
    wait(ctx, cast(Id, action.by))


def _checked(ctx: Ctx, action: Action, what: str, *rules: str) -> bool:
    ability = cast(Ability, str(action.get("ability")))
    edge = cast(Edge, str(action.get("edge") or "none"))
    return check(ctx, "check", cast(Id, action.by), ability, what, *rules, edge=edge).success


PERFORM: dict[str, Callable[[Ctx, Action], None]] = {
    "attack": attack,
    "strike": attack,
    "hide": _hide,
    "pull_off": _pull_off,
    "stabilise": _stabilise,
    "device": _work,
    "cast": _work,
    "interact": _work,
    "talk": _talk,
    "observe": _observe,
    "move": _free,
    "shout": _free,
    "stance": _stance,
    "wait": _wait,
}
