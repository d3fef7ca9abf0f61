"""Swarm Attacks: allies join, one strikes for all (SV-064 to SV-070, R08)."""

from __future__ import annotations

from msgspec.structs import replace

from rulesets.sovereign.actions.fighting.attack_form import ANY_USE, attack_fields, attack_of, misfit
from rulesets.sovereign.actions.fighting.harm import strike
from rulesets.sovereign.stats.attack import impossible
from rulesets.sovereign.stats.stats import able, rules
from rulesets.without_number import actions as shared
from rulesets.without_number import aftermath as family
from rulesets.without_number.actions import go_on_while_up
from rulesets.without_number.turn import TRIGGERING, free_action, main_action
from tracker.core.fight.slots import Id
from tracker.core.fight.state import State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import flag, text
from tracker.core.terms.actions import Action, Field, Option
from tracker.core.terms.errors import Refusal


class Swarm(family.Swarm, frozen=True, tag="sv_swarm"):
    """Who has joined a swarm, and of which side they are."""


SWARMS = shared.Swarms(Swarm, able, "SV-064", ("SV-064", "SV-R08"))


def _join_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    target, *rest = attack_fields(state, action, ANY_USE)
    return (target, Field("resolve", "flag", "strike now", default=False), *rest)


def _join_refusal(state: State, action: Action) -> Refusal | None:
    attack = attack_of(state, action, ANY_USE)
    if action.by is None or attack is None:
        return misfit(state, action, ANY_USE)
    most = 1 + rules(state).swarm_allies
    if len(SWARMS.assailants(state, attack.target, state[action.by].side)) >= most:
        return Refusal("swarm_full", f"a swarm has {most} members at most", "SV-064")
    return impossible(state, attack)


def _join(ctx: Ctx, action: Action) -> None:
    """Join, or found, the swarm on a target (SV-064, SV-065).

    A full one strikes at once, or earlier if that is wanted.
    """
    who, target = str(action.by), text(action, "target")
    side = ctx.state[who].side
    SWARMS.join(ctx, who, target, _typed(ctx.state, action))
    full = len(SWARMS.assailants(ctx.state, target, side)) > rules(ctx.state).swarm_allies
    if full or flag(action, "resolve"):
        _ask_striker(ctx, target, side, forced=True)


def _typed(state: State, action: Action) -> family.Form:
    """Return what a form says of the strike beyond what would be so anyway."""
    plain = Action(action.key, action.by, tuple(pair for pair in action.fields if pair[0] in ("target", "weapon")))
    usual = {field.name: field.default for field in _join_fields(state, plain)}
    return tuple(
        (name, value)
        for name, value in action.fields
        if name == "weapon" or (name not in ("target", "resolve") and value != usual.get(name))
    )


def _blow(state: State, who: Id, target: Id) -> Action:
    """Return the strike of an assailant as it was typed when it joined."""
    kept = SWARMS.form(state, target, who)
    plain = Action("swarm_resolve", who, (("target", target), *(pair for pair in kept if pair[0] == "weapon")))
    known = {field.name for field in attack_fields(state, plain, ANY_USE)}
    return Action("swarm_resolve", who, (("target", target), *(pair for pair in kept if pair[0] in known)))


def _ask_striker(ctx: Ctx, target: Id, side: Id, forced: bool, key: str = "striker") -> None:
    """Ask who strikes for a swarm, by default who joined last, and let it strike."""

    def options(state: State) -> list[Option]:
        return [_striker(state, who, target) for who in SWARMS.assailants(state, target, side)]

    def last(state: State) -> Id | None:
        return next((option.key for option in reversed(options(state)) if option.refusal is None), None)

    later = [] if forced else [Option("later", "not now")]
    striker = ctx.choose(
        key,
        lambda state: [*later, *options(state)],
        "SV-065",
        default=last,
        who=last,
        why=f"who strikes {ctx.state.name(target)} for the swarm?",
        asked_if=last,
    )
    if striker in (None, "later"):
        return
    blow = _blow(ctx.state, striker, target)
    refusal = ctx.refusal_of(blow)
    if refusal is not None:
        ctx.skip("the swarm's strike", refusal.text, "SV-065", who=striker)
    else:
        ctx.perform(blow, f"{key}:{striker}")


def _striker(state: State, who: Id, target: Id) -> Option:
    attack = attack_of(state, _blow(state, who, target), ANY_USE)
    hindrance = impossible(state, attack) if attack is not None else Refusal("no_weapon", "no weapon for it", "SV-065")
    return Option(who, state.name(who), refusal=hindrance)


def _resolve_fields(state: State, action: Action) -> tuple[Field, ...]:
    if action.by is None:
        return ()
    mine = SWARMS.targets(state, action.by)
    wanted = action if text(action, "target") or not mine else action.put(target=mine[0])
    kept = dict(SWARMS.form(state, text(wanted, "target"), action.by))
    if action.get("weapon") is not None and action.get("weapon") != kept.get("weapon"):
        kept = {}
    fields = attack_fields(state, Action(action.key, action.by, tuple((kept | dict(wanted.fields)).items())), ANY_USE)
    return tuple(replace(field, default=kept.get(field.name, field.default)) for field in fields)


def _resolve_refusal(state: State, action: Action) -> Refusal | None:
    who = action.by
    if who is None:
        return None
    mine = SWARMS.targets(state, who)
    target = text(action, "target") or (mine[0] if mine else "")
    if target not in mine:
        return Refusal("no_swarm", f"{state.name(who)} is in no swarm there", "SV-065", forcible=False)
    slot = state.clock.current
    ours = slot is not None and slot.side == state[who].side
    if not ours and state[who].fact(TRIGGERING) is not True:
        return Refusal("not_own_phase", "a swarm strikes in a phase of its own side", "SV-065")
    return misfit(state, action.put(target=target), ANY_USE)


def _resolve(ctx: Ctx, action: Action) -> None:
    """Strike for the swarm, with its others' help (SV-065 to SV-069)."""
    who, target = str(action.by), text(action, "target")
    go_on_while_up(ctx, who)
    side = ctx.state[who].side
    held = SWARMS.open(ctx.state, target, side)
    others = tuple(other for other in SWARMS.assailants(ctx.state, target, side) if other != who)
    if held is not None:
        ctx.end_effect(held, "it strikes", "SV-065")
    attack = attack_of(ctx.state, action, ANY_USE)
    if attack is None:
        return
    strike(ctx, replace(attack, helpers=others, others=len(others)))


def resolve_pending(ctx: Ctx, side: Id) -> None:
    """Ask at the end of a side's phase whether its swarms strike (4.2)."""
    beset = [combatant.id for combatant in ctx.state.combatants if combatant.has("swarm")]
    for target in [who for who in beset if SWARMS.open(ctx.state, who, side) is not None]:
        if target in ctx.state:
            _ask_striker(ctx, target, side, forced=False, key=f"swarm:{target}")


def lapse(ctx: Ctx) -> None:
    """Let swarms that have not struck pass with the round (R08)."""
    for combatant in ctx.state.combatants:
        ctx.end_named(combatant.id, "swarm", "the round is over", "SV-R08")


ACTIONS = (
    main_action("swarm_join", "Swarm Attack", "SV-064", _join, _join_fields, _join_refusal, group="swarm"),
    free_action(
        "swarm_resolve", "Strike for the swarm", "SV-065", _resolve, _resolve_fields, _resolve_refusal, group="swarm"
    ),
)
