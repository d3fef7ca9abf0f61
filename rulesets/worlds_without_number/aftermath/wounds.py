"""Harm and zero hit points: who is down, dying, stable or dead.

Harm is dealt here; what it means is decided in `settle` alone, so that a GM's correction leads to the same ends as a
blow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from rulesets.without_number import aftermath as shared
from rulesets.without_number.aftermath import HARM, UNSPENT
from rulesets.without_number.turn import EMPTY
from rulesets.worlds_without_number.cites import CITES
from rulesets.worlds_without_number.stat_blocks.models import Monster
from rulesets.worlds_without_number.stats.effects import FRAIL, GRAPPLED
from rulesets.worlds_without_number.stats.stats import able, block, is_pc, rules
from tracker.core.fight.cache import per_state
from tracker.core.fight.events import EffectChanged
from tracker.core.fight.slots import Id
from tracker.core.fight.state import FIGHT, Combatant, State
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect
from tracker.core.terms.moments import At
from tracker.core.terms.values import Data

Harm = Literal["lethal", "nonlethal", "execution"]

DOWN = ("dead", "mortal", "stable", "incapacitated")
# What ends on a combatant that is no longer up (R37); what others have done to it stays.
BROKEN = ("screening", "held", "grappling", "grappled", "withdrawn")


class Dying(Struct, Data, frozen=True, tag="wn_dying"):
    """The round of a fall and its slot, "" after the last one (R24).

    `before`: the slots that came before it, by which its place is known when it has left the order.
    """

    round: int
    slot: str
    before: tuple[str, ...] = ()


class Ward(shared.Ward, frozen=True, tag="wn_ward"):
    """The combatant a screener protects."""


class Grip(shared.Grip, frozen=True, tag="wn_grip"):
    """The combatant a grappler holds, and whether the hold spares its life."""

    nonlethal: bool = False


def deal(
    ctx: Ctx,
    who: Id,
    amount: int,
    *cited: str,
    parts: Sequence[Part] = (),
    why: str = "",
    source: Id | None = None,
    harm: Harm = "lethal",
) -> None:  # fmt: skip - a signature
    """Take hit points (R48).

    At 0 they stop (R22), and what that means is left to `settle`.
    """
    combatant = ctx.state[who]
    if amount <= 0:
        ctx.note(f"takes no damage from {why}" if why else "takes no damage", *cited, about=who)
        return
    left = max(0, combatant.hp - amount)
    if left == 0 and combatant.status not in {"dead", "gone"}:
        ctx.fact(who, HARM, harm)
    ctx.change(who, "hp", left, *cited, parts=parts, why=why, source=source)


def settle(ctx: Ctx) -> None:
    """Draw the conclusions from hit points and statuses.

    Who falls, who is back, which holds and screens are broken.
    """
    changed = ctx.changed_since_settle()
    if not changed:
        return
    for combatant in changed:
        if not _settled(combatant) and combatant.id in ctx.state:
            _judge(ctx, combatant.id)
    tied = [one.id for one in ctx.state.combatants if one.effects or one.status == "mortal"]
    if not tied or not ctx.changed_since_settle("status", "side", "effects"):  # what ties two together depends on both
        return
    for who in tied:
        _take_hold(ctx, who)
        shared.mend(ctx, who, dying_effect, ("up",), CITES)
        _leave_turncoats(ctx, who)
        shared.leave_swarm(ctx, who, "WN-R11")


def _take_hold(ctx: Ctx, who: Id) -> None:
    """Let the source of a grapple that the GM gives by hand hold its victim."""
    for effect in ctx.state[who].effects:
        holder = ctx.state.get(effect.source)
        if effect.name != GRAPPLED.name or effect.title != GRAPPLED.title or holder is None or holder.id == who:
            continue
        title = f"grapples {ctx.state.name(who)}"
        ctx.emit(EffectChanged(effect, replace(effect, title=f"grappled by {holder.name}"), f"{holder.name} holds it"))
        holding = Effect("grappling", holder.id, source=holder.id, parent=effect.id, data=Grip(who), title=title)
        ctx.add_effect(replace(holding, quiet=True), "WN-152")


def _leave_turncoats(ctx: Ctx, who: Id) -> None:
    """End the screen before a ward that has changed sides."""
    for effect in ctx.state[who].effects:
        if isinstance(effect.data, Ward) and ctx.state[effect.data.who].side != ctx.state[who].side:
            ctx.end_effect(effect, f"{ctx.state.name(effect.data.who)} is on another side", "WN-R26")


def _settled(combatant: Combatant) -> bool:
    """Tell whether nothing is to be concluded about a combatant, as about most."""
    if combatant.status == "up":
        return combatant.hp > 0 and combatant.fact(UNSPENT) is None
    fallen = combatant.status in {"dead", "gone"} and combatant.fact(UNSPENT) is not None
    return fallen and not combatant.effects and combatant.budget == EMPTY


def _judge(ctx: Ctx, who: Id) -> None:
    combatant = ctx.state[who]
    if combatant.status == "up" and combatant.hp > 0:
        pass
    elif combatant.status == "up":
        _fall(ctx, who, _harm(ctx, who))
    elif combatant.status in {"mortal", "stable", "incapacitated"}:
        if combatant.hp > 0:
            _rise(ctx, who)
        elif combatant.fact(HARM) is not None:
            _harmed_again(ctx, who, _harm(ctx, who))
    if ctx.state[who].status != "up":
        shared.remember(ctx, who)
        shared.break_off(ctx, who, BROKEN, ("WN-R37",), ("WN-R37",))
    elif able(ctx.state, who):
        shared.give_back(ctx, who, "WN-028", "WN-030", "WN-032")
    else:
        ctx.fact(who, UNSPENT, None)


def _harm(ctx: Ctx, who: Id) -> str:
    """Take the kind of harm that brought a combatant to 0, lethal by default."""
    harm = ctx.state[who].fact(HARM)
    ctx.fact(who, HARM, None)
    return harm if isinstance(harm, str) else "lethal"


def _fall(ctx: Ctx, who: Id, harm: str) -> None:
    """Give the status of 0 hit points (WN-122, WN-C10, WN-C11, WN-C17, WN-180)."""
    combatant = ctx.state[who]
    if combatant.has("traumatic"):
        ctx.add_effect(
            Effect("major_injury_risk", who, stacking="keep", title="risk of a Major Injury"), "WN-130", "WN-183"
        )
    if harm == "nonlethal":
        ctx.status(who, "incapacitated", "WN-122")
        return
    stat_block = block(combatant)
    mortal = is_pc(ctx.state, who) or (isinstance(stat_block, Monster) and stat_block.fate == "mortal")
    if not rules(ctx.state).companion:
        _at_zero(ctx, who, mortal or harm == "execution")
    elif combatant.has("frail"):
        ctx.status(who, "dead", "WN-C17")
    elif harm == "execution":
        ctx.status(who, "mortal", "WN-180", "WN-C11")
    elif mortal:
        ctx.status(who, "mortal", "WN-C11")
    else:
        ctx.status(who, "dead", "WN-C10")


def fall_word(state: State, who: Id, nonlethal: bool) -> str:
    """Return what harm that takes the last hit point does to a combatant that is up, for a question."""
    if nonlethal:
        return "knocks out"
    stat_block = block(state[who])
    mortal = is_pc(state, who) or (isinstance(stat_block, Monster) and stat_block.fate == "mortal")
    dies = rules(state).companion and (state[who].has("frail") or not mortal)
    return "kills" if dies else "drops"


def _at_zero(ctx: Ctx, who: Id, mortal: bool) -> None:
    """Ask what 0 hit points mean, where the companion rules are off."""
    options = (Option("mortal", "mortally wounded"), Option("dead"), Option("incapacitated"))
    status = ctx.choose(
        f"at_zero:{who}",
        options,
        "WN-C10",
        default="mortal" if mortal else "dead",
        to="gm",
        why=f"{ctx.state.name(who)} is at 0 hit points",
        asked_if=lambda state: who in state and state[who].status == "up" and state[who].hp <= 0,
    )
    if status is not None:
        ctx.status(who, status, "WN-C10")


def _harmed_again(ctx: Ctx, who: Id, harm: str) -> None:
    """Judge harm to a combatant that is at 0 already (WN-C15, R48)."""
    if ctx.state[who].status == "incapacitated":
        if harm != "nonlethal":
            ctx.note("harmed again", "WN-R48", about=who)
            _fall(ctx, who, harm)
    else:
        ctx.status(who, "dead", "WN-C15", "WN-R48")


def _rise(ctx: Ctx, who: Id) -> None:
    """Bring a combatant back whose hit points have risen above 0 (WN-C16, WN-C18)."""
    was = ctx.state[who].status
    ctx.status(who, "up", "WN-C18" if was == "incapacitated" else "WN-C16")
    if was != "incapacitated":
        ctx.add_effect(FRAIL.on(who, stacking="keep"), "WN-C16")


def dying_effect(state: State, who: Id) -> Effect:
    """Return the countdown of a combatant that falls now (WN-C12, R24)."""
    clock = state.clock
    slot = clock.current if clock.in_round else None
    phases = [one.phase for one in clock.slots]
    before = phases[: phases.index(slot.phase)] if slot is not None and slot.phase in phases else ()
    fell = Dying(clock.round, slot.phase if slot is not None else "", tuple(before))
    if not rules(state).companion:
        return Effect("dying", who, data=fell)
    ends = rules(state).death_rounds + (1 if clock.in_round else 0)
    return Effect("dying", who, until=(At("round_end", count=ends),), data=fell)


def full_rounds(state: State, victim: Combatant) -> int:
    """Return how many full rounds have passed since a victim fell (R24)."""
    dying = victim.effect("dying")
    if dying is None or not isinstance(dying.data, Dying):
        return 0
    clock = state.clock
    phases = [slot.phase for slot in clock.slots]
    now = phases.index(clock.phase) if clock.phase in phases else len(phases)
    return max(0, clock.round - dying.data.round - (1 if now < _place(phases, dying.data) else 0))


def _place(phases: Sequence[str], fell: Dying) -> int:
    """Return the place of a fall in the order of now, behind what came before."""
    if not fell.slot:
        return len(phases)
    if fell.slot in phases:
        return phases.index(fell.slot)
    return max((place for place, phase in enumerate(phases, start=1) if phase in fell.before), default=0)


OFFERED = "end_offered"


@per_state
def sides_left(state: State) -> tuple[Id, ...]:
    """Return the sides with a combatant who stands and has not broken."""
    standing = {one.side for one in state.combatants if one.status == "up" and not one.has("broken")}
    return tuple(side.id for side in state.sides if side.id in standing)


def finished(state: State) -> str | None:
    """Return why the fight seems to be over: at most one side fights on."""
    if state.clock.over:
        return None
    standing = sides_left(state)
    if len(standing) > 1 or len(state.sides) < 2:
        return None
    if not standing:
        return "nobody is left standing"
    winner = standing[0]
    losers = " and ".join(side.name for side in state.sides if side.id != winner)
    down = all(
        member.status in (*DOWN, "gone")
        for side in state.sides
        if side.id != winner
        for member in state.members(side.id)
    )
    return f"no fighter of {losers} is left" if down else f"the fighters of {losers} are broken"


def offer(ctx: Ctx) -> None:
    """Offer the end of the fight, once for each reason.

    It waits where others are still to come.
    """
    why = finished(ctx.state)
    if why == ctx.state.fact(FIGHT, OFFERED):
        return
    ctx.fact(FIGHT, OFFERED, why)
    fought = sum(bool(ctx.state.members(side.id)) for side in ctx.state.sides) > 1
    if why is None or not fought or not ctx.state.clock.in_round or any(wave.when for wave in ctx.state.waves):
        return
    if ctx.confirm("end_combat", "WN-001", default=False, to="gm", why=f"{why}. End the fight?"):
        ctx.end_fight(why, "WN-001")
        ctx.walk()
