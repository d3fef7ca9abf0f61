"""What monsters do, with the players' rolls (GH-005, GH-007).

The order of requests is 4.5.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from rulesets.githack.actions.attacks import TargetedAttack, instead, resolve, spend_use, take_marks
from rulesets.githack.actions.gm_actions import edge
from rulesets.githack.order import ECONOMY
from rulesets.githack.stat_blocks.models import ABILITIES, STANCES, UNNAMED, Mode, Special
from rulesets.githack.stats import stats
from rulesets.githack.stats.checks import Edge
from rulesets.githack.stats.stats import DISTURBED, SPOILED_TURN, Ward
from tracker.core.fight.cache import per_object
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.game.action_types import ActionType
from tracker.core.step import fields
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal
from tracker.core.terms.values import Value
from tracker.kit.economy import budget

SAVES = (
    Field("save_ability", "choice", "save with", "usual", tuple(Option(word) for word in ("usual", "ask", *ABILITIES))),
    edge("save_edge", "Advantage on saves"),
)
SPOTTED = Field("spotted", "flag", "spots the hidden")
HOW_MET = (
    Field("defence", "choice", "defend with", "usual", tuple(Option(word) for word in ("usual", *ABILITIES))),
    edge(label="Advantage on defence"),
    *SAVES,
    Field("undefended", "flag", "no defence", note="the stuck, paralysed and incapacitated have none anyway"),
    SPOTTED,
)
"""How the targets of an attack defend and save."""


def attack_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    attacks, hosts = stats.monster(state, who).attacks, stats.hosts(state, who)
    modes = tuple([Option(mode.name, _mode_label(mode), refusal=_empty(state, who, mode)) for mode in attacks])
    most = None if stats.rules(state).monster_targets == "many" and not hosts else 1
    usual: Value = tuple(host for host in hosts if stats.here(state, host))[:1]
    people = _people(state, action)
    return (
        Field("targets", "combatants", default=usual, required=True, minimum=1, maximum=most, options=people),
        Field("mode", "choice", default=attacks[0].name if attacks else None, required=True, options=modes),
        *HOW_MET,
    )


@per_object
def _mode_label(mode: Mode) -> str:
    return f"{'' if mode.name == UNNAMED else mode.name} {' '.join(str(part.dice) for part in mode.parts)}".strip()


def special_fields(state: State, action: Action) -> tuple[Field, ...]:
    who = str(action.by)
    own = [special for special in stats.specials(state, who) if special.when == "instead_of_attack"]
    options = tuple(
        Option(special.name, _special_label(state, who, special.name), refusal=_spent(state, who, special.name))
        for special in own
    )
    usual = own[0].name if own else None
    chosen = next((special for special in own if special.name == action.get("special", usual or "")), None)
    area = chosen is not None and chosen.area
    most, people = None if area else 1, _people(state, action, area)
    return (
        Field("special", "choice", default=usual, required=True, options=options),
        Field("targets", "combatants", required=True, minimum=1, maximum=most, options=people),
        *SAVES,
        SPOTTED,
    )


def other_fields(state: State, action: Action) -> tuple[Field, ...]:
    return (fields.choice("what", ("move", "flee", "talk")), Field("text", "text"))


def _people(state: State, action: Action, area: bool = False) -> tuple[Option, ...]:
    hosts = stats.hosts(state, str(action.by))
    return tuple(_target(state, one, hosts, action, area) for one in _by_attention(state) if stats.in_fight(one))


def _by_attention(state: State) -> tuple[Combatant, ...]:
    """Return the PCs in the order in which monsters turn to them (GH-202).

    Engage, wait, avoid. Without stances it is roster order.
    """
    if not stats.rules(state).stances:
        return stats.pcs(state)
    held = {combatant.id: STANCES.get(stats.stance(state, combatant.id)) for combatant in stats.pcs(state)}

    def priority(combatant: Combatant) -> int:
        stance = held[combatant.id]
        return 4 if stance is None else stance.priority

    return tuple(sorted(stats.pcs(state), key=priority))


def _target(state: State, combatant: Combatant, hosts: Sequence[Id], action: Action, area: bool) -> Option:
    refusal = None
    if hosts and combatant.id not in hosts:
        names = " and ".join(
            state.name(host) if stats.here(state, host) else f"{state.name(host)}, who is dead (end the effect)"
            for host in hosts
        )
        refusal = Refusal("stuck", f"{state.name(str(action.by))} sticks to {names}", "GH-073")
    elif stats.friends(state, str(action.by), combatant.id):
        refusal = stats.own_side(state, combatant.id)
    elif combatant.has("hidden") and not area and action.get("spotted") is not True:
        refusal = Refusal("hidden", f"{combatant.name} is hidden", "GH-A32")
    return Option(combatant.id, combatant.name, refusal=refusal)


def _special_label(state: State, who: Id, name: str) -> str:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    left = stats.uses_left(state, who, special)
    return name if left is None else f"{name}, {left} left"


def _empty(state: State, who: Id, mode: Mode) -> Refusal | None:
    """Refuse a mode without dice whose special is used up (GH-069)."""
    if mode.parts or not mode.specials or any(stats.uses_left(state, who, special) != 0 for special in mode.specials):
        return None
    return Refusal("no_uses", f"{mode.specials[0].name} is used up in this combat", "GH-069")


def _spent(state: State, who: Id, name: str) -> Refusal | None:
    special = next(special for special in stats.specials(state, who) if special.name == name)
    if special.dice is None and special.review and not special.effect:
        return Refusal("no_dice", f"{name} has no dice yet: edit the stat block", "GH-311")
    if stats.uses_left(state, who, special) == 0:
        return Refusal("no_uses", f"{name} is used up in this combat", "GH-069")
    return None


def untimely(state: State, kind: ActionType, action: Action) -> Refusal | None:
    combatant, slot = state[str(action.by)], state.clock.current
    if state.clock.over:
        return stats.over(state)
    if not stats.acts(combatant):
        why = stats.blocked(combatant) or combatant.status
        return Refusal("unable", f"{combatant.name} is {why}", "GH-017" if combatant.status != "up" else "GH-A18")
    if slot is None or slot.phase != "monsters" or combatant.id not in slot.members:
        return Refusal("wrong_phase", "monsters act between the fast and the slow PCs", "GH-015")
    if not combatant.left("main"):
        return Refusal("no_action_left", f"{combatant.name} has no action left this round", "GH-A22")
    return None


def no_attack(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if stats.monster(state, who).attacks:
        return None
    return Refusal("no_attack", f"{state.name(who)} has no attack", "GH-026", forcible=False)


def no_special(state: State, action: Action) -> Refusal | None:
    who = str(action.by)
    if any(special.when == "instead_of_attack" for special in stats.specials(state, who)):
        return None
    text = f"{state.name(who)} has nothing to use instead of an attack"
    return Refusal("no_special", text, "GH-060", forcible=False)


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
            resolve(ctx, _targeted_attack(ctx.state, act, met, mode))


def _targeted_attack(state: State, act: Action, target: Id, mode: Mode) -> TargetedAttack:
    return TargetedAttack(
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
        attack = _targeted_attack(ctx.state, act, target, Mode(name=special.name))
        held: list[Special] = []
        dice = instead(ctx, attack, special, held, "GH-060", "GH-069", "GH-A19", armour=True)
        take_marks(ctx, attack, dice, held, "GH-060", "GH-044")


def _other(ctx: Ctx, act: Action) -> None:
    who = cast(Id, act.by)
    if act.get("what") == "flee":
        ctx.status(who, "gone", "GH-010")


def pay(ctx: Ctx, kind: ActionType, act: Action) -> None:
    several = ("GH-A05", "GH-040") if len(fields.ids(act, "targets")) > 1 else ()
    by_stance = ("GH-202",) if stats.rules(ctx.state).stances else ()
    rules = (*kind.cites, *((*several, *by_stance) if kind.key == "attack" else ()))
    ECONOMY.take(ctx, str(act.by), MAIN, *rules)


_action = partial(ActionType, cost="turn", price=MAIN, cites=("GH-A22",), group="monster")

MONSTER_ACTIONS = (
    _action("attack", "Attack", "GH-004", perform=_attack, fields=attack_fields, refusal=no_attack),
    _action("special", "Special", "GH-060", perform=_special, fields=special_fields, refusal=no_special),
    _action("other", "Something else", "GH-002", perform=_other, fields=other_fields),
)
"""What a monster can do."""
