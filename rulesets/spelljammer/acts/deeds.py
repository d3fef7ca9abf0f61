"""Acts that are due, and what the GM does besides."""

from __future__ import annotations

from rulesets.spelljammer.acts.attack_form import options_of
from rulesets.spelljammer.acts.moving import act_done
from rulesets.spelljammer.acts.spells import begin_spell, interrupt
from rulesets.spelljammer.acts.strike import engage, strike
from rulesets.spelljammer.blocks.tables import D100, multiple
from rulesets.spelljammer.numbers import stats
from rulesets.spelljammer.numbers.chance import Options
from rulesets.spelljammer.order import schedule
from tracker.core.fight.events import Checked
from tracker.core.fight.state import Id, Slot
from tracker.core.step.ctx import Ctx
from tracker.core.terms.actions import Action, Option
from tracker.core.terms.derived import Part
from tracker.core.terms.effects import Effect

__all__ = ["act", "force_move", "forced_move", "melee", "resolve_ties"]


def act(ctx: Ctx, action: Action, slot: Slot) -> None:
    """Resolve an act, settle what depends on it, and go on to the next."""
    who = str(action.by)
    ctx.fact(who, "resolved", slot.id, "SJ-002")
    match action.key:
        case "attack":
            _attack(ctx, who, action)
        case "begin_spell":
            begin_spell(ctx, who, slot)
        case _:
            ctx.note(f"other act: {action.get('text') or slot.title}", "SJ-004", about=who)
    ctx.settle()
    act_done(ctx, who, slot)
    if ctx.depth == 1:
        ctx.walk()


def resolve_ties(ctx: Ctx, given: Action | None = None) -> None:
    """Resolve all acts of a segment on the state at its start (A-02); `given` stands in the place of its combatant's usual one."""
    keys = {"attack": "attack", "spell": "begin_spell", "other": "other_act"}
    due = [
        (slot.members[0], found.kind) for slot in schedule.tied(ctx.state) if (found := stats.act_of(slot)) is not None
    ]
    ctx.together([given if given is not None and given.by == who else Action(keys[kind], who) for who, kind in due])
    if ctx.depth == 1:
        ctx.walk()


def _attack(ctx: Ctx, who: Id, action: Action) -> None:
    slot = stats.act_of(ctx.state.clock.current)
    declared = slot.blow.target if slot is not None and slot.blow is not None else ""
    avoided = [effect.name for effect in (ctx.state[declared].effects if declared in ctx.state else ())]
    rules = (
        *(("SJ-119",) if "full_defense" in avoided else ()),
        *(("SJ-123",) if "desperate_defense" in avoided else ()),
    )
    if action.get("instead"):
        ctx.note(f"other act: {action.get('instead')}", *(rules or ("SJ-004",)), about=who)
        return
    target = _target(ctx, who, action)
    if target is None:
        return
    if rules and target != declared:
        ctx.note(
            f"{ctx.state.name(who)} turns from {ctx.state.name(declared)} to {ctx.state.name(target)}",
            *rules,
            "SJ-129",
            about=who,
        )
    strike(ctx, who, target, stats.weapon(ctx.state, who, str(action.get("weapon"))), options_of(action))


def _target(ctx: Ctx, who: Id, action: Action) -> Id | None:
    """Return the target, asking for a new one where the declared one is gone (SJ-004, SJ-005)."""
    chosen = action.get("target")
    if isinstance(chosen, str) and chosen in ctx.state and not stats.down(ctx.state[chosen]):
        return chosen
    foes = stats.foes(ctx.state, who)
    if not foes:
        ctx.skip("the attack", "no foe is standing", "SJ-005", who=who)
        return None
    engaged = stats.engaged(ctx.state, who)
    default = next((foe.id for foe in foes if foe.id in engaged), foes[0].id)
    options = [Option(foe.id, foe.name) for foe in foes] + [Option("none", "nobody: the attack is wasted")]
    answer = ctx.choose(
        "target", options, "SJ-004", "SJ-005", default=default, who=who, why="the declared foe is gone: at whom?"
    )
    if answer == "none":
        ctx.skip("the attack", "nobody else is in reach", "SJ-005", who=who)
        return None
    return answer


def force_move(ctx: Ctx, action: Action) -> None:
    """Drive a desperate defender back, once a round (SJ-122)."""
    who, target = str(action.by), str(action.get("target"))
    ctx.fact(who, f"drives:{target}", False, "SJ-122")  # once a round
    ctx.note(f"is driven {action.get('distance')} ft: {action.get('text') or '-'}", "SJ-122", about=target)


def forced_move(ctx: Ctx, who: Id) -> None:
    """Move somebody who declared no movement all the same (SJ-021 to SJ-023)."""
    ctx.fact(who, "lost_acts", True, "SJ-021")
    interrupt(ctx, who, "forced to move", "SJ-023")
    dex = stats.dex(ctx.state, who)
    roll = ctx.roll(f"stay_up:{who}", D100, "SJ-022", who=who, why=f"stay up: {2 * dex} or less")
    stays = multiple(roll, dex) <= 2
    ctx.emit(
        Checked(
            "stay up",
            who,
            roll,
            "stays up" if stays else "falls",
            parts=(Part("d100", roll),),
            against=2 * dex,
            against_what="2x DEX",
        ),
        "SJ-022",
    )
    if not stays:
        ctx.add_effect(Effect("fallen", who, stacking="keep"), "SJ-022")


def melee(ctx: Ctx, action: Action) -> None:
    """Engage, disengage, or make a free attack (SJ-128, SJ-129, SJ-136)."""
    who, target = str(action.get("who")), action.get("target")
    if action.key == "disengage":
        for other in (target,) if isinstance(target, str) else stats.engaged(ctx.state, who):
            ctx.fact(stats.pair(who, other), "engaged", None, "SJ-129")
    elif action.key == "engage":
        engage(ctx, who, str(target))
    else:
        weapons = stats.block(ctx.state, who).weapons
        weapon = next((weapon for weapon in weapons if weapon.kind == "melee"), weapons[0])
        strike(ctx, who, str(target), weapon, Options(free=True))
