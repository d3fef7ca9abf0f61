"""What monsters do, with the players' rolls (GH-005, GH-007).

The order of requests is 4.5.
"""

from __future__ import annotations

from functools import partial
from typing import cast

from rulesets.githack.actions.attack_dice import Blow
from rulesets.githack.actions.attack_specials import spend_use
from rulesets.githack.actions.blows import instead, resolve, take_marks
from rulesets.githack.actions.monster_forms import attack_fields, no_attack, no_special, other_fields, special_fields
from rulesets.githack.order.rounds import ECONOMY
from rulesets.githack.stat_blocks.models import Mode, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge
from rulesets.githack.stats.facts import DISTURBED, SPOILED_TURN
from rulesets.githack.stats.stats import Ward
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.kit.economy import budget

PAST = "past_the_guard"
MAIN = budget(main=1)


def _attack(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    targets = fields.ids(act, "targets")
    mode = next(mode for mode in stats.monster(ctx.state, who).attacks if mode.name == act.get("mode"))
    ctx.guard(lambda state: not state.clock.over, "the combat is over")
    for target in targets:
        with ctx.scope(target if len(targets) > 1 else ""):
            if not stats.here(ctx.state, target):
                continue
            met = _meet(ctx, act, target)
            resolve(ctx, _blow(ctx.state, act, met, mode))


def _blow(state: State, act: Action, target: Id, mode: Mode) -> Blow:
    """Return an attack on one target, with what the form says of its rolls."""
    return Blow(
        cast(Id, act.by),
        target,
        mode,
        str(act.get("defence", "usual")),
        cast(Edge, str(act.get("edge", "none"))),
        cast(Edge, str(act.get("save_edge"))),
        str(act.get("save_ability")),
        act.get("undefended") is True,
        friend=stats.friends(state, cast(Id, act.by), target),
        alone=len(fields.ids(act, "targets")) == 1,
    )


def _meet(ctx: Ctx, act: Action, named: Id) -> Id:
    """Settle hiding, guards and their strikes, and return the target (GH-209, GH-210)."""
    who = cast(Id, act.by)
    _spot(ctx, act, named)
    target = named
    if stats.rules(ctx.state).stances and not stats.hosts(ctx.state, who):
        target = _redirected(ctx, named)
        for combatant in stats.pcs(ctx.state):
            if combatant.id == target or _guards(ctx.state, combatant.id, named):
                _struck_first(ctx, who, combatant.id)
    _disturb(ctx, target)
    return target


def _spot(ctx: Ctx, act: Action, target: Id) -> None:
    """Let a monster spot a hidden target, which spoils an attack in Flank (GH-214)."""
    if act.get("spotted") is True and ctx.state[target].has("hidden"):
        ctx.end_named(target, "hidden", "spotted", "GH-213")
        if stats.stance(ctx.state, target) == "flank":
            ctx.add_effect(SPOILED_TURN.on(target), "GH-214")


def _disturb(ctx: Ctx, target: Id) -> None:
    """Disturb the work of a target in Device, though it may defend (GH-221)."""
    if stats.here(ctx.state, target) and stats.stance(ctx.state, target) == "device":
        ctx.add_effect(DISTURBED.on(target, stacking="keep"), "GH-221")


def _redirected(ctx: Ctx, named: Id) -> Id:
    """Ask whether a guard takes the attack (GH-209)."""
    past = Option(PAST, f"{ctx.state.name(named)}, past the guard")

    def guards(state: State) -> list[Option]:
        found = [one for one in stats.pcs(state) if one.id != named and _guards(state, one.id, named)]
        return [Option(one.id, f"{one.name}, who guards") for one in found]

    chosen = ctx.choose(
        "guard",
        lambda state: [*guards(state), past],
        "GH-209",
        default=lambda state: guards(state)[0].key,
        why=f"{ctx.state.name(named)} is guarded, who is attacked?",
        to="gm",
        asked_if=lambda state: bool(guards(state)) and stats.here(state, named),
    )
    return named if chosen in (None, PAST) else chosen


def _struck_first(ctx: Ctx, who: Id, defender: Id) -> None:
    """Let a defender with a main action left strike at the attacker (GH-210).

    It is a whole attack, with any weapon and ability.
    """
    ctx.window(f"strike:{defender}", actor=who, target=defender, why="strike at the attacker?", again=False)
    if not stats.here(ctx.state, who):
        ctx.stop(f"{ctx.state.name(who)} is out of the combat")


def _guards(state: State, who: Id, ward: Id) -> bool:
    effect = state[who].effect("guarding")
    return effect is not None and isinstance(effect.data, Ward) and effect.data.who == ward and stats.acts(state[who])


def _special(ctx: Ctx, act: Action) -> None:
    """Breathe, cast, gaze: saves replace the attack (GH-060, A19)."""
    who = cast(Id, act.by)
    special = next(special for special in stats.specials(ctx.state, who) if special.name == act.get("special"))
    spend_use(ctx, who, special)
    ctx.guard(lambda state: not state.clock.over, "the combat is over")
    for target in fields.ids(act, "targets"):
        if not stats.here(ctx.state, target):
            continue
        _spot(ctx, act, target)
        _disturb(ctx, target)
        blow = _blow(ctx.state, act, target, Mode(name=special.name))
        held: list[Special] = []
        dice = instead(ctx, blow, special, held, "GH-060", "GH-069", "GH-A19", armour=True)
        take_marks(ctx, blow, dice, held, "GH-060", "GH-044")


def _other(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    if act.get("what") == "flee":
        ctx.status(who, "gone", "GH-010")


def pay(ctx: Ctx, deed: ActionType, act: Action) -> None:
    several = ("GH-A05", "GH-040") if len(fields.ids(act, "targets")) > 1 else ()
    by_stance = ("GH-202",) if stats.rules(ctx.state).stances else ()
    rules = (*deed.cites, *((*several, *by_stance) if deed.key == "attack" else ()))
    ECONOMY.take(ctx, str(act.by), MAIN, *rules)


_deed = partial(ActionType, cost="turn", price=MAIN, cites=("GH-A22",), group="monster")

MONSTER_ACTIONS = (
    _deed("attack", "Attack", "GH-004", perform=_attack, fields=attack_fields, refusal=no_attack),
    _deed("special", "Special", "GH-060", perform=_special, fields=special_fields, refusal=no_special),
    _deed("other", "Something else", "GH-002", perform=_other, fields=other_fields),
)
"""What a monster can do."""
