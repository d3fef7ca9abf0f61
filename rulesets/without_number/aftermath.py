"""What becomes of combatants: wounds and their odds."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number.cites import Cites
from rulesets.without_number.turn import EMPTY, FULL
from tracker.core.fight.events import EffectChanged, Entry, PoolChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.step.fields import whole
from tracker.core.terms.effects import Effect
from tracker.core.terms.values import Data, Value

# -- what the odds say of an attack beyond hit, miss and hit points ----------------------------------------------------


def outcomes(before: State, after: State, entries: tuple[Entry, ...], who: Id) -> tuple[str, ...]:
    """Return whether a combatant has taken Shock, and whether a hit was traumatic."""
    shocked = any(
        isinstance(entry.event, PoolChanged) and entry.event.who == who and entry.event.why == "Shock"
        for entry in entries
    )
    traumatic = after[who].has("traumatic") and not before[who].has("traumatic")
    return (*(("Shock",) if shocked else ()), *(("traumatic",) if traumatic else ()))


# -- zero hit points and what breaks because of them: the dying, screens and holds -------------------------------------


# The fact that names the kind of harm which brought a combatant to 0.
HARM = "harm"
# The effect of a patient whom first aid has been tried on in this round.
TRIED = "stabilise_tried"
# The fact of the round in which a combatant fell, and of what was left of its turn.
UNSPENT = "unspent"


# What the screen calls a status, where that is not its key.
WORDS = {"incapacitated": "out cold", "mortal": "dying"}


def condition(combatant: Combatant) -> str:
    """Return what a combatant's status is called."""
    return WORDS.get(combatant.status, combatant.status)


class Ward(Struct, Data, frozen=True):
    """The combatant a screener protects."""

    who: Id


class Grip(Struct, Data, frozen=True):
    """The combatant a grappler holds."""

    victim: Id


Form: TypeAlias = tuple[tuple[str, Value], ...]


class Swarm(Struct, Data, frozen=True):
    """Who has joined a swarm, of which side, and with which forms."""

    side: Id
    members: tuple[Id, ...] = ()
    forms: tuple[tuple[Id, Form], ...] = ()


def swarm_title(members: Collection[Id]) -> str:
    """Return what the effect of a swarm is called."""
    return f"swarmed by {len(members)}"


def leave_swarm(ctx: Ctx, target: Id, *rules: str) -> None:
    """End the part that the fallen, and those of another side by now, have in the swarms on a target.

    It stays ended: a combatant that is up again has to join anew.
    """
    for effect in ctx.state[target].effects:
        swarm = effect.data
        if effect.name != "swarm" or not isinstance(swarm, Swarm):
            continue
        found = ((who, ctx.state.get(who)) for who in swarm.members)
        members = tuple(who for who, one in found if one is not None and one.status == "up" and one.side == swarm.side)
        if not members:
            ctx.end_effect(effect, "none of it can strike", *rules)
        elif members != swarm.members:
            left = replace(effect, data=replace(swarm, members=members), title=swarm_title(members))
            ctx.emit(EffectChanged(effect, left), *rules)


def patients(state: State) -> tuple[Combatant, ...]:
    """Return who lies dying."""
    return tuple(combatant for combatant in state.combatants if combatant.status == "mortal")


def grip(effects: Collection[Effect]) -> Grip | None:
    """Return the hold among a combatant's effects."""
    return next((effect.data for effect in effects if isinstance(effect.data, Grip)), None)


def break_off(
    ctx: Ctx, who: Id, broken: Collection[str], ended: tuple[str, ...], spent: tuple[str, ...] | None = None
) -> None:
    """End what depends on a combatant being up.

    `broken`: the names of those effects; `ended`: their rules. With the rules `spent` it loses the rest of its turn.
    """
    combatant = ctx.state[who]
    for effect in combatant.effects:
        if effect.name in broken and ctx.state.effect(who, effect.id) is not None:
            ctx.end_effect(effect, f"{combatant.name} is {condition(combatant)}", *ended)
    if spent is not None and any(left for _, left in combatant.budget):
        ctx.refill({who: EMPTY}, *spent)


def remember(ctx: Ctx, who: Id) -> None:
    """Remember in which round a combatant falls, and with what left of its turn."""
    if ctx.state[who].fact(UNSPENT) is None:
        ctx.fact(who, UNSPENT, (ctx.state.clock.round, *(left for _, left in ctx.state[who].budget)))


def give_back(ctx: Ctx, who: Id, *rules: str) -> None:
    """Let a combatant that is up again go on with its turn.

    It has what it had not spent of it.
    """
    clock, kept = ctx.state.clock, ctx.state[who].fact(UNSPENT)
    ctx.fact(who, UNSPENT, None)
    if not isinstance(kept, tuple):
        return
    left = dict(FULL)
    if kept[:1] == (clock.round,):
        left = {key: whole(amount) for (key, _), amount in zip(FULL, kept[1:], strict=False)}
    if not any(who in slot.members for slot in (clock.current, *clock.upcoming) if slot is not None):
        left["move"] = 0  # its phase is over: what remains is for Instants
    ctx.refill({who: tuple(left.items())}, *rules)


def mend(ctx: Ctx, who: Id, fall: Callable[[State, Id], Effect], wardable: Collection[str], cites: Cites) -> None:
    """Make effects fit the statuses of those they tie together.

    The mortally wounded are dying, a screen needs its ward, a hold its two ends.

    `fall`: the countdown of a combatant that falls now. `wardable`: the statuses in which a ward can be screened.
    """
    combatant = ctx.state[who]
    dying = combatant.effect("dying")
    if combatant.status == "mortal" and dying is None:
        ctx.add_effect(fall(ctx.state, who), cites.dies)
    elif combatant.status != "mortal" and dying is not None:
        ctx.end_effect(dying, f"{combatant.name} is {condition(combatant)}")
    for effect in combatant.effects:
        other = _partner(effect)
        if other is None or ctx.state.effect(who, effect.id) is None or _holds(ctx.state, effect, other, wardable):
            continue
        rule = cites.screen_ends if effect.name == "screening" else cites.hold_ends
        ctx.end_effect(effect, f"{ctx.state.name(other)} is out of it", rule)


def _partner(effect: Effect) -> Id | None:
    match effect.data:
        case Ward():
            return effect.data.who
        case Grip():
            return effect.data.victim
        case _:
            return effect.source if effect.name == "grappled" else None


def _holds(state: State, effect: Effect, other: Id, wardable: Collection[str]) -> bool:
    partner = state.get(other)
    if partner is None:
        return False
    if effect.name == "screening":
        return partner.status in wardable
    if partner.status != "up":
        return False
    if effect.name == "grappling":
        return any(one.name == "grappled" and one.source == effect.bearer for one in partner.effects)
    held = grip(partner.effects)
    return held is not None and held.victim == effect.bearer


def release(ctx: Ctx, victim: Id, reason: str, *rules: str, only: Id | None = None, but: Id | None = None) -> None:
    """End the holds on a combatant: all, one grappler's, or all others."""
    for effect in ctx.state[victim].effects:
        if (
            effect.name == "grappled"
            and (but is None or effect.source != but)
            and only in (None, effect.source)
            and ctx.state.effect(victim, effect.id) is not None
        ):
            ctx.end_effect(effect, reason, *rules)


def die(ctx: Ctx, rule: str) -> None:
    """Let those die whose last round this was."""
    for bearer, number in ctx.state.due:
        effect = ctx.state.effect(bearer, number)
        if effect is not None and effect.name == "dying" and bearer in ctx.state:
            ctx.status(bearer, "dead", rule)
