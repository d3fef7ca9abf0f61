"""What PCs do in a turn: attack, hide, pull off, stabilise and more (section 6)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from rulesets.githack.actions.pc_forms import (
    ally_fields,
    attack_fields,
    checked_fields,
    no_dying,
    no_holder,
    no_strike,
    observe_fields,
    out_of_range,
    pull_off_fields,
    stance_fields,
    strike_fields,
    text_fields,
    too_late,
)
from rulesets.githack.aftermath.wounds import hurt_monster
from rulesets.githack.order.rounds import ECONOMY, wait
from rulesets.githack.stat_blocks.models import Ability, Weapon
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge, Words, check
from rulesets.githack.stats.facts import ADVISED, GUARDING, HIDDEN, READY
from rulesets.githack.stats.stats import Ward
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action
from tracker.core.terms.derived import Part
from tracker.core.terms.requests import Window
from tracker.kit.economy import budget

ATTACK = Words("hits", "misses")


def _weapon(ctx: Ctx, who: Id, name: str) -> Weapon:
    return next(weapon for weapon in stats.weapons(ctx.state, who) if weapon.name == name)


def _attack(ctx: Ctx, action: Action) -> None:
    """Roll to hit, and deal the damage (GH-008, GH-030, A01).

    Damage is the number on the die and the weapon's dice, less AC.
    """
    who, target = cast(Id, action.by), str(action.get("target"))
    ability, weapon = cast(Ability, str(action.get("ability"))), _weapon(ctx, who, str(action.get("weapon")))
    rules = ("GH-006", "GH-031") if ability == "str" else ("GH-006", "GH-032", "GH-A23")
    friend = stats.friends(ctx.state, who, target)
    hindrance = partial(_hindrance, who=who, target=target, friend=friend)
    result = check(
        ctx,
        "attack",
        who,
        ability,
        "attack",
        *rules,
        edge=cast(Edge, str(action.get("edge"))),
        target=target,
        words=ATTACK,
        asked_if=lambda state: not hindrance(state),
    )
    if result is None:
        ctx.stop(hindrance(ctx.state))
    if result.success:
        _hit(ctx, who, target, result.number, weapon, hindrance)
    _after_hiding(ctx, who)


def _hindrance(state: State, who: Id, target: Id, friend: bool) -> str:
    """Return why an attack stops: its attacker or target is gone, down, or a friend by now.

    In Pursuit nothing that strikes its PC helpless keeps it from the attack (GH-207).
    """
    attacker = state.get(who)
    if (attacker is None or not stats.swings(state, attacker)) and (why := _unable(state, who)):
        return why
    if target not in state or state[target].status != "up":
        return f"{state.name(target)} is out of the combat"
    if stats.friends(state, who, target) and not friend:
        return f"{state.name(target)} is on the same side now"
    return ""


def _unable(state: State, who: Id) -> str:
    combatant = state.get(who)
    if combatant is None:
        return f"{state.name(who)} is out of the combat"
    return "" if stats.acts(combatant) else f"{combatant.name} is {stats.blocked(combatant) or combatant.status}"


def _hit(ctx: Ctx, who: Id, target: Id, number: int, weapon: Weapon, hindrance: Callable[[State], str]) -> None:
    size = "GH-029" if weapon.demon else "GH-028"
    why = f"{weapon.name} against {ctx.state.name(target)}"
    rolled = ctx.roll(
        "weapon", weapon.dice, "GH-034", size, who=who, why=why, asked_if=lambda state: not hindrance(state)
    )
    if rolled is None:
        ctx.stop(hindrance(ctx.state))
    soaked = stats.ac(ctx.state, target)
    dice = [Part(str(weapon.dice.natural), rolled, "GH-034")] if weapon.dice.terms else []
    parts = [*dice, Part("on the d20", number, "GH-030"), Part("AC", -soaked, "GH-020")]
    parts.append(Part("at least 0", max(0, soaked - number - rolled), "GH-A01"))
    rules = ("GH-008", "GH-030", "GH-A01") if weapon.dice.terms else ("GH-008", "GH-033", "GH-A01")
    hurt_monster(ctx, target, max(0, number + rolled - soaked), [part for part in parts if part.amount], who, *rules)


def _after_hiding(ctx: Ctx, who: Id) -> None:
    """End hiding after an attack, in Flank only if the attack is noticed (GH-213, GH-224)."""

    def unseen(state: State) -> bool:
        hidden = who in state and state[who].has("hidden")
        return hidden and stats.rules(state).stances and stats.stance(state, who) == "flank"

    answer = ctx.choose(
        "noticed",
        ("noticed", "still_unseen"),
        "GH-224",
        default="noticed",
        who=who,
        why="is the attack noticed?",
        to="gm",
        asked_if=unseen,
    )
    if answer != "still_unseen" and who in ctx.state:
        ctx.end_named(who, "hidden", "attacked", "GH-213", "GH-224")


def _hide(ctx: Ctx, action: Action) -> None:
    who = cast(Id, action.by)
    if _checked(ctx, action, "hide", "GH-016", "GH-212"):
        ctx.add_effect(HIDDEN.on(who, stacking="keep"), "GH-016", "GH-212")


def _pull_off(ctx: Ctx, action: Action) -> None:
    monster = fields.text(action, "monster")

    def loose(state: State) -> str:
        return "" if stats.hosts(state, monster) else f"{state.name(monster)} sticks to no PC"

    if _checked(ctx, action, action.key, "GH-073", "GH-A25", hindrance=loose):
        hosts = stats.hosts(ctx.state, monster)
        freed = action.by if action.by in hosts else next(iter(hosts), None)
        for host, effect, held in stats.grips(ctx.state):
            if host == freed and held.continuing and effect.source == monster:
                ctx.end_effect(effect, "pulled off", "GH-073", "GH-A25")


def _stabilise(ctx: Ctx, action: Action) -> None:
    ally = fields.text(action, "ally")

    def needless(state: State) -> str:
        return "" if ally in state and stats.dying(state[ally]) else f"{state.name(ally)} is not dying"

    if _checked(ctx, action, "stabilise", "GH-123", hindrance=needless):
        ctx.end_named(ally, "dying", "stabilised", "GH-123")


def _work(ctx: Ctx, action: Action) -> None:
    """Use a device, cast or handle things, with a check if one is asked.

    A disturbance may spoil it (GH-220, GH-221).
    """
    who = cast(Id, action.by)
    outcome = ctx.choose(
        "disturbed",
        ("spoiled", "delayed", "unharmed"),
        "GH-221",
        default="unharmed",
        who=who,
        why="attacked while at it",
        to="gm",
        asked_if=lambda state: not _unable(state, who) and state[who].has("disturbed"),
    )
    if outcome is None and (why := _unable(ctx.state, who)):
        ctx.stop(why)
    if outcome is not None:
        ctx.end_named(who, "disturbed", "resolved", "GH-221")
        if outcome != "unharmed":
            return
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, action.key, "GH-101")


def _talk(ctx: Ctx, action: Action) -> None:
    if action.get("ability") not in (None, "none"):
        _checked(ctx, action, action.key, "GH-101")


def _observe(ctx: Ctx, action: Action) -> None:
    """Warn an ally, or be ready oneself (GH-217 to GH-219)."""
    who = cast(Id, action.by)
    if action.get("what") == "ready":
        ctx.add_effect(READY.on(who, stacking="keep"), "GH-219", "GH-217")
    else:
        ally = str(action.get("ally"))
        ctx.add_effect(ADVISED.on(ally, source=who), "GH-218", "GH-217")


def _say(ctx: Ctx, action: Action) -> None:
    """Do what its own line in the log says, at no cost (GH-002, A22)."""


def _stance(ctx: Ctx, action: Action) -> None:
    """Take up a stance (GH-204, GH-205)."""
    who, chosen = cast(Id, action.by), str(action.get("stance"))
    _end_stance(ctx, who)
    ctx.fact(who, "stance", chosen, "GH-204", "GH-205", "GH-201")
    ward = action.get("ward") or action.get("place")
    if chosen == "defend" and ward:
        ctx.add_effect(GUARDING.on(who, data=Ward(str(ward)), title=f"guarding {ctx.state.name(str(ward))}"), "GH-209")


def _end_stance(ctx: Ctx, who: Id) -> None:
    ctx.end_named(who, "guarding", "stance changed", "GH-209")
    ctx.end_named(who, "disturbed", "stance changed", "GH-221")


def _wait(ctx: Ctx, action: Action) -> None:
    wait(ctx, cast(Id, action.by))


def _checked(
    ctx: Ctx, action: Action, what: str, *rules: str, hindrance: Callable[[State], str] = lambda state: ""
) -> bool:
    """Roll the check of an action, or stop it: for a hindrance, or because the PC can no longer act."""
    who, ability = cast(Id, action.by), cast(Ability, str(action.get("ability")))
    edge = cast(Edge, str(action.get("edge") or "none"))

    def wrong(state: State) -> str:
        return hindrance(state) or _unable(state, who)

    result = check(ctx, "check", who, ability, what, *rules, edge=edge, asked_if=lambda state: not wrong(state))
    if why := wrong(ctx.state) if result is None else _unable(ctx.state, who):
        ctx.stop(why)
    return result is not None and result.success


def pay(ctx: Ctx, deed: ActionType, action: Action) -> None:
    """Spend the main action, also of a PC struck down in Pursuit (GH-207, A31)."""
    who = str(action.by)
    if deed.price:
        swings = deed.key == "attack" and not stats.acts(ctx.state[who])
        ECONOMY.take(ctx, who, deed.price_of(ctx.state, action), *deed.cites, *(("GH-207", "GH-A31") if swings else ()))


def _strikes(state: State, window: Window) -> tuple[Action, ...]:
    """Let the defender of a window strike (GH-210)."""
    return (Action("strike", window.target),) if window.name == f"strike:{window.target}" else ()


_main = partial(ActionType, cost="main", price=budget(main=1), cites=("GH-A22",), group="PC")
_free = partial(ActionType, group="PC")

PC_ACTIONS = (
    _main(
        "attack",
        "Attack",
        "GH-004",
        when="attack",
        perform=_attack,
        fields=attack_fields,
        refusal=out_of_range,
        cites=("GH-A22", "GH-004"),
    ),
    _main(
        "strike",
        "Strike",
        "GH-210",
        when="reaction",
        perform=_attack,
        fields=strike_fields,
        refusal=no_strike,
        cites=("GH-210",),
        answers=_strikes,
        listed=False,
    ),
    _main("hide", "Hide", "GH-016", when="flank", perform=_hide, fields=checked_fields("dex", text=False)),
    _main(
        "pull_off",
        "Pull off",
        "GH-073",
        when="any stance",
        perform=_pull_off,
        fields=pull_off_fields,
        refusal=no_holder,
    ),
    _main(
        "stabilise", "Stabilise", "GH-123", when="any stance", perform=_stabilise, fields=ally_fields, refusal=no_dying
    ),
    _main("interact", "Interact", "GH-002", when="device", perform=_work, fields=checked_fields("none")),
    _main("device", "Use a device", "GH-220", when="device", perform=_work, fields=checked_fields("none")),
    _main("cast", "Cast", "GH-127", when="device", perform=_work, fields=checked_fields("none")),
    _main("talk", "Talk", "GH-215", when="talk", perform=_talk, fields=checked_fields("cha")),
    _main("observe", "Observe", "GH-217", when="observe", perform=_observe, fields=observe_fields),
    _free("move", "Move a little", "GH-002", when="free", perform=_say, fields=text_fields),
    _free("shout", "Shout", "GH-002", when="free", perform=_say, fields=text_fields),
    _free("stance", "Take up a stance", "GH-204", when="no stance", perform=_stance, fields=stance_fields),
    ActionType("wait", "Wait for the slow", "GH-019", when="no stance", perform=_wait, refusal=too_late, group="order"),
)
"""What a PC can do: a new action is a row here."""
